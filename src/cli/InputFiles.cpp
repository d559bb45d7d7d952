#include "cli/InputFiles.h"

#include "isa/chip/TargetInfo.h"
#include "object/FatBinary.h"
#include "program/assemble/AssemblyTarget.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::object;

namespace inflight::cli {

static bool isGpuElf(StringRef bytes) {
  return bytes.starts_with("\177ELF") && bytes.size() >= sizeof(ELF64LE::Ehdr) &&
         reinterpret_cast<const ELF64LE::Ehdr *>(bytes.data())->e_machine == ELF::EM_AMDGPU;
}

/// By name and content, as other archives are zip files and ar files, too.
static bool isPackage(StringRef bytes, StringRef extension) {
  return (extension == ".whl" && bytes.starts_with("PK\003\004")) ||
         (extension == ".deb" && bytes.starts_with("!<arch>\ndebian-binary")) ||
         (extension == ".rpm" && bytes.starts_with("\xed\xab\xee\xdb"));
}

/// Whether a file that a directory has is meant: others are passed over in silence.
static bool isMeant(StringRef path, StringRef chip, Wanted wanted) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file =
      MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return false;
  const StringRef bytes = (*file)->getBuffer();
  if (isGpuElf(bytes))
    return chip.empty() ? is_contained(supportedChips(), chipOfElf(bytes)) : chip == chipOfElf(bytes);
  if (bytes.starts_with("\177ELF"))
    return isFatBinary(bytes) && hasBundles(bytes);
  if (isFatBinary(bytes))
    return true;
  const std::string extension = sys::path::extension(path).lower();
  if (wanted.packages && isPackage(bytes, extension))
    return true;
  if (!wanted.assembly || (extension != ".s" && extension != ".asm" && extension != ".amdgcn"))
    return false;
  const std::string named = targetOf(bytes).chip;
  return named.empty() ? !chip.empty() : is_contained(supportedChips(), named) && (chip.empty() || chip == named);
}

Expected<InputFiles> findInputs(ArrayRef<std::string> names, StringRef chip, Wanted wanted) {
  InputFiles inputs;
  for (const std::string &name : names) {
    if (name == "-" || !sys::fs::is_directory(name)) {
      inputs.files.push_back(name);
      continue;
    }
    inputs.hasDirectories = true;
    std::vector<std::string> found;
    std::error_code error;
    for (sys::fs::recursive_directory_iterator it(name, error, /*follow_symlinks=*/false), end; it != end && !error;
         it.increment(error)) {
      if (it->type() != sys::fs::file_type::regular_file)
        continue;
      if (isMeant(it->path(), chip, wanted))
        found.push_back(it->path());
      else
        ++inputs.leftOut;
    }
    if (error)
      return makeError("cannot read the directory '" + name + "': " + error.message());
    if (found.empty() && !wanted.mayBeNothing)
      return makeError("no code of a supported chip in '" + name + "'");
    sort(found);
    append_range(inputs.files, found);
  }
  return inputs;
}

} // namespace inflight::cli
