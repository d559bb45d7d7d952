#include "program/assemble/Assembler.h"

#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "program/assemble/AssemblyGuard.h"
#include "program/assemble/AssemblyTarget.h"
#include "program/assemble/AssemblyWatch.h"
#include "program/assemble/IncludedFiles.h"
#include "program/assemble/Layout.h"
#include "program/assemble/SharedSources.h"
#include "support/Diagnostics.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectStreamer.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/AsmLexer.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SourceMgr.h"
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace inflight {

namespace {
struct Messages {
  AssemblerMessages all;
  MCAsmParser *parser = nullptr;
};
} // namespace

static void collectDiagnostic(const SMDiagnostic &diagnostic, void *to) {
  Messages &messages = *static_cast<Messages *>(to);
  // Without text the parser comes to its end.
  if (!messages.all.add(diagnostic) && messages.parser)
    messages.parser->getLexer().setBuffer("");
}

/// Names the source as clang -g does. From DWARF 5 on the sum of the text's contents tells readers whether a file is
/// still the source.
static void describeText(MCContext &context, StringRef text, StringRef name) {
  SmallString<128> folder;
  if (!sys::fs::current_path(folder))
    context.setCompilationDir(folder);
  context.setDwarfVersion(5);
  context.setGenDwarfForAssembly(true);
  context.setGenDwarfRootFile(name, text);
}

using Append = function_ref<Error(MCStreamer &, const MCSubtargetInfo &)>;

/// Runs the assembler over `text`. Without `inspect` the object goes to `stream`, with what `append` adds; with it,
/// nothing is written and `inspect` sees what the text came to.
static Error runAssembler(const Isa &isa, StringRef text, StringRef name, TextFrom from, raw_pwrite_stream &stream,
                          LineTable lines, function_ref<Error(MCAssembler &)> inspect = nullptr,
                          Append append = nullptr) {
  SourceMgr sources;
  std::unique_ptr<MemoryBuffer> copy = copyForParser(text, name, isa.target().chip);
  const SharedSources shared(isa, copy->getBuffer());
  sources.AddNewSourceBuffer(std::move(copy), SMLoc());
  const auto files = makeIntrusiveRefCnt<IncludedFiles>(Includes::Read);
  sources.setVirtualFileSystem(files);
  // The disassembler wants to know of each line.
  Messages messages{from == TextFrom::User ? AssemblerMessages() : AssemblerMessages(~0u)};
  sources.setDiagHandler(collectDiagnostic, &messages);

  // The assembler may change its subtarget while it reads (.amdgcn_target): it gets its own. A copy would not do: LLVM
  // derives the chip's from MCSubtargetInfo.
  std::unique_ptr<MCSubtargetInfo> subtarget = isa.makeSubtarget(featuresOf(isa, text));
  MCContext context(isa.triple(), &isa.asmInfo(), &isa.registerInfo(), subtarget.get(), &sources);
  std::unique_ptr<MCObjectFileInfo> fileInfo(isa.llvmTarget().createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(fileInfo.get());
  if (lines == LineTable::OfText)
    describeText(context, text, name);

  std::unique_ptr<MCAsmBackend> backend(
      isa.llvmTarget().createMCAsmBackend(*subtarget, isa.registerInfo(), isa.targetOptions()));
  std::unique_ptr<MCObjectWriter> writer = backend->createObjectWriter(stream);
  std::unique_ptr<MCCodeEmitter> emitter =
      shared.restoring(std::unique_ptr<MCCodeEmitter>(isa.llvmTarget().createMCCodeEmitter(isa.instrInfo(), context)));
  std::unique_ptr<MCStreamer> streamer(isa.llvmTarget().createMCObjectStreamer(
      isa.triple(), context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  std::unique_ptr<MCAsmParser> parser(createMCAsmParser(sources, context, *streamer, isa.asmInfo()));
  std::unique_ptr<MCTargetAsmParser> targetParser(
      isa.llvmTarget().createMCAsmParser(*subtarget, *parser, isa.instrInfo(), isa.targetOptions()));
  parser->setTargetParser(*targetParser);
  messages.parser = parser.get();
  bool failed = parser->Run(/*NoInitialTextSection=*/false, /*NoFinalize=*/inspect || append);
  if (failed || context.hadError())
    return messages.all.error(name.str() + ": error: assembly failed", files->note());
  if (append) {
    if (Error error = append(*streamer, *subtarget))
      return error;
    streamer->finish();
    if (context.hadError())
      return messages.all.error(name.str() + ": error: assembly failed", files->note());
  }
  return inspect ? inspect(static_cast<MCObjectStreamer &>(*streamer).getAssembler()) : Error::success();
}

Expected<std::string> assembleObject(const Isa &isa, StringRef text, StringRef name, TextFrom from, LineTable lines) {
  std::optional<AssemblyWatch> watch;
  if (from == TextFrom::User) {
    watch.emplace(text, name);
    if (Error error = guardAssembler(isa, text, name))
      return std::move(error);
    raw_null_ostream nothing;
    if (Error error = runAssembler(isa, text, name, from, nothing, lines,
                                   [&](MCAssembler &assembler) { return checkLayout(assembler, name); }))
      return std::move(error);
  }
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  if (Error error = runAssembler(isa, text, name, from, stream, lines))
    return std::move(error);
  return std::string(bytes);
}

namespace {
/// A file that goes when it isn't needed any more, or when the program is interrupted.
class TemporaryFile {
public:
  /// Only the name: who writes the file makes it. ext4 waits for the disk where one file takes the place of another.
  explicit TemporaryFile(StringRef suffix) {
    sys::fs::getPotentiallyUniqueTempFileName("inflight", suffix, path);
    sys::RemoveFileOnSignal(path);
  }
  ~TemporaryFile() {
    (void)sys::fs::remove(path);
    sys::DontRemoveFileOnSignal(path);
  }
  SmallString<128> path;
};

/// A file in memory, by the name that files have while they are open.
class MemoryFile {
public:
  explicit MemoryFile(StringRef bytes)
      : descriptor(memfd_create("inflight", MFD_CLOEXEC)), path("/proc/self/fd/" + std::to_string(descriptor)) {
    if (descriptor < 0)
      return;
    raw_fd_ostream os(descriptor, /*shouldClose=*/false);
    os << bytes;
    os.flush();
    isWritten = !os.has_error();
    os.clear_error();
  }
  ~MemoryFile() {
    if (descriptor >= 0)
      close(descriptor);
  }
  const int descriptor;
  const std::string path;
  bool isWritten = false;
};
} // namespace

Expected<std::string> assembleObject(const Isa &isa, StringRef text, StringRef name, Append append) {
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  if (Error error = runAssembler(isa, text, name, TextFrom::Inflight, stream, LineTable::None, nullptr, append))
    return std::move(error);
  return std::string(bytes);
}

Expected<std::string> linkCodeObject(StringRef object, StringRef name) {
  // LLD keeps its state in globals and reads and writes files.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  const MemoryFile input(object);
  if (!input.isWritten)
    return makeError("cannot write a file in memory");
  TemporaryFile output("hsaco");

  std::string messages;
  raw_string_ostream errors(messages);
  const char *arguments[] = {"ld.lld",           "-shared", "--no-undefined",   "--threads=1", "--no-mmap-output-file",
                             input.path.c_str(), "-o",      output.path.c_str()};
  bool ok = lld::elf::link(arguments, nulls(), errors, /*exitEarly=*/false,
                           /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  if (!ok) {
    // The user knows the object by another name.
    for (size_t at = 0; (at = messages.find(input.path.c_str(), at)) != std::string::npos; at += name.size())
      messages.replace(at, input.path.size(), name.data(), name.size());
    return makeError("linking failed: " + StringRef(messages).rtrim());
  }
  return readFile(output.path);
}

Expected<std::string> assembleCodeObject(const Isa &isa, StringRef text, StringRef name, LineTable lines) {
  Expected<std::string> object = assembleObject(isa, text, name, TextFrom::User, lines);
  if (!object)
    return object.takeError();
  return linkCodeObject(*object);
}

} // namespace inflight
