#include "support/files/InputFile.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#if __has_include(<unistd.h>)
#include <csignal>
#include <unistd.h>
#endif

using namespace llvm;

namespace inflight {

/// Whether bytes begin as ELF files, offload bundles without and with compression, archives or LLVM bitcode do, or are
/// text, which has no null characters.
static bool mayBeProgram(StringRef bytes) {
  constexpr size_t looked = 4096;
  return !bytes.take_front(looked).contains('\0') ||
         any_of(ArrayRef<StringRef>{"\177ELF", "__CLANG_OFFLOAD_BUNDLE__", "CCOB", "!<arch>\n", "BC\xC0\xDE"},
                [&](StringRef magic) { return bytes.starts_with(magic); });
}

/// Mapped, not read: only what is looked at takes time and memory.
static Expected<std::unique_ptr<MemoryBuffer>> mapProgramFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read '" + path + "': " + buffer.getError().message());
  const StringRef bytes = (*buffer)->getBuffer();
  if (!mayBeProgram(bytes))
    return errorAt({path.str()}, "neither assembly, nor an object, code object or offload bundle");
  if (bytes.size() >= UINT32_MAX)
    return errorAt({path.str()}, "larger than 4 GiB");
  return std::move(*buffer);
}

Expected<std::string> readProgramFile(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> mapped = mapProgramFile(path);
  if (!mapped)
    return mapped.takeError();
  return (*mapped)->getBuffer().str();
}

#if __has_include(<unistd.h>)
/// What is mapped and no longer in the file can't be read.
static void endForShorterFile(int) {
  static constexpr char text[] = "inflight: error: a file became shorter while it was read\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);
  _exit(2);
}
#endif

Expected<std::unique_ptr<MemoryBuffer>> openProgramFile(StringRef path) {
  constexpr size_t small = 16 << 20; ///< copied, so that whatever becomes of the file doesn't matter
  Expected<std::unique_ptr<MemoryBuffer>> mapped = mapProgramFile(path);
  if (!mapped)
    return mapped;
  if ((*mapped)->getBufferSize() < small)
    return MemoryBuffer::getMemBufferCopy((*mapped)->getBuffer(), path);
#if __has_include(<unistd.h>)
  std::signal(SIGBUS, endForShorterFile);
#endif
  return mapped;
}

} // namespace inflight
