#include "program/Assembler.h"

#include "program/AssemblyGuard.h"
#include "program/AssemblyTarget.h"
#include "program/Layout.h"
#include "lld/Common/CommonLinkerContext.h"
#include "lld/Common/Driver.h"
#include "support/Diagnostics.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectStreamer.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace llvm;

namespace inflight {

static void collectDiagnostic(const SMDiagnostic &diagnostic, void *messages) {
  if (diagnostic.getKind() != SourceMgr::DK_Error && diagnostic.getKind() != SourceMgr::DK_Note)
    return;
  std::string text;
  raw_string_ostream os(text);
  diagnostic.print("", os, /*ShowColors=*/false);
  *static_cast<std::string *>(messages) += text;
}

/// Runs the assembler over `text`. Without `inspect` the object goes to `stream`; with it, nothing is
/// written and `inspect` sees what the text came to.
static Error runAssembler(const Isa &isa, StringRef text, StringRef name, raw_pwrite_stream &stream,
                          function_ref<Error(MCAssembler &)> inspect = nullptr) {
  SourceMgr sources;
  sources.AddNewSourceBuffer(MemoryBuffer::getMemBufferCopy(text, name), SMLoc());
  std::string messages;
  sources.setDiagHandler(collectDiagnostic, &messages);

  // The assembler may change its subtarget while it reads (.amdgcn_target): it gets its own. A copy would not do: LLVM
  // derives the chip's from MCSubtargetInfo.
  std::unique_ptr<MCSubtargetInfo> subtarget(
      isa.llvmTarget().createMCSubtargetInfo(isa.triple(), isa.target().chip, targetOf(text).features));
  MCContext context(isa.triple(), &isa.asmInfo(), &isa.registerInfo(), subtarget.get(), &sources);
  std::unique_ptr<MCObjectFileInfo> fileInfo(
      isa.llvmTarget().createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(fileInfo.get());

  std::unique_ptr<MCAsmBackend> backend(isa.llvmTarget().createMCAsmBackend(
      *subtarget, isa.registerInfo(), isa.targetOptions()));
  std::unique_ptr<MCObjectWriter> writer = backend->createObjectWriter(stream);
  std::unique_ptr<MCCodeEmitter> emitter(
      isa.llvmTarget().createMCCodeEmitter(isa.instrInfo(), context));
  std::unique_ptr<MCStreamer> streamer(isa.llvmTarget().createMCObjectStreamer(
      isa.triple(), context, std::move(backend), std::move(writer), std::move(emitter),
      *subtarget));
  std::unique_ptr<MCAsmParser> parser(
      createMCAsmParser(sources, context, *streamer, isa.asmInfo()));
  std::unique_ptr<MCTargetAsmParser> targetParser(isa.llvmTarget().createMCAsmParser(
      *subtarget, *parser, isa.instrInfo(), isa.targetOptions()));
  parser->setTargetParser(*targetParser);
  bool failed = parser->Run(/*NoInitialTextSection=*/false, /*NoFinalize=*/bool(inspect));
  if (failed || context.hadError()) {
    if (messages.empty())
      messages = name.str() + ": error: assembly failed\n";
    return createStringError(inconvertibleErrorCode(), StringRef(messages).rtrim());
  }
  return inspect ? inspect(static_cast<MCObjectStreamer &>(*streamer).getAssembler()) : Error::success();
}

Expected<std::string> assembleObject(const Isa &isa, StringRef text, StringRef name, TextFrom from) {
  if (from == TextFrom::User) {
    if (Error error = guardAssembler(isa, text, name))
      return std::move(error);
    raw_null_ostream nothing;
    if (Error error = runAssembler(isa, text, name, nothing, [&](MCAssembler &assembler) { return checkLayout(assembler, name); }))
      return std::move(error);
  }
  SmallString<0> bytes;
  raw_svector_ostream stream(bytes);
  if (Error error = runAssembler(isa, text, name, stream))
    return std::move(error);
  return std::string(bytes);
}

Expected<std::string> linkCodeObject(StringRef object) {
  // LLD keeps its state in globals and reads and writes files.
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  SmallString<128> input, output;
  int inputFd;
  if (std::error_code ec = sys::fs::createTemporaryFile("inflight", "o", inputFd, input))
    return makeError("cannot make a temporary file: " + ec.message());
  FileRemover removeInput(input);
  {
    raw_fd_ostream os(inputFd, /*shouldClose=*/true);
    os << object;
    os.flush();
    if (os.has_error()) {
      os.clear_error();
      return makeError("cannot write a temporary file");
    }
  }
  if (std::error_code ec = sys::fs::createTemporaryFile("inflight", "hsaco", output))
    return makeError("cannot make a temporary file: " + ec.message());
  FileRemover removeOutput(output);

  std::string messages;
  raw_string_ostream errors(messages);
  const char *arguments[] = {"ld.lld", "-shared", "--no-undefined", "--threads=1",
                             input.c_str(), "-o", output.c_str()};
  bool ok = lld::elf::link(arguments, nulls(), errors, /*exitEarly=*/false,
                           /*disableOutput=*/false);
  lld::CommonLinkerContext::destroy();
  if (!ok)
    return makeError("linking failed: " + StringRef(messages).rtrim());
  return readFile(output);
}

Expected<std::string> assembleCodeObject(const Isa &isa, StringRef text, StringRef name) {
  Expected<std::string> object = assembleObject(isa, text, name);
  if (!object)
    return object.takeError();
  return linkCodeObject(*object);
}

} // namespace inflight
