#include "support/files/InputFile.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

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

Expected<std::string> readProgramFile(StringRef path) {
  // Mapped, not read: only what is looked at takes time and memory.
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!buffer)
    return makeError("cannot read '" + path + "': " + buffer.getError().message());
  const StringRef bytes = (*buffer)->getBuffer();
  if (!mayBeProgram(bytes))
    return errorAt({path.str()}, "neither assembly, nor an object, code object or offload bundle");
  if (bytes.size() >= UINT32_MAX)
    return errorAt({path.str()}, "larger than 4 GiB");
  return bytes.str();
}

} // namespace inflight
