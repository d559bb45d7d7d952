#include "cli/InputFiles.h"

#include "isa/chip/TargetInfo.h"
#include "object/FatBinary.h"
#include "program/assemble/AssemblyTarget.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <set>
#include <utility>

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

/// As many of a file's first bytes as there is room for.
static StringRef firstBytes(StringRef path, MutableArrayRef<char> room) {
  Expected<sys::fs::file_t> file = sys::fs::openNativeFileForRead(path);
  if (!file) {
    consumeError(file.takeError());
    return "";
  }
  Expected<size_t> count = sys::fs::readNativeFile(*file, room);
  sys::fs::closeFile(*file);
  if (!count) {
    consumeError(count.takeError());
    return "";
  }
  return StringRef(room.data(), *count);
}

/// Whether a file that a directory has is meant: others are passed over in silence.
static bool isMeant(StringRef path, StringRef chip, Wanted wanted) {
  auto isOfChip = [&](StringRef elf) {
    return chip.empty() ? is_contained(supportedChips(), chipOfElf(elf)) : chip == chipOfElf(elf);
  };
  // Of most files the header is enough.
  char header[sizeof(ELF64LE::Ehdr)];
  if (const StringRef bytes = firstBytes(path, header); isGpuElf(bytes))
    return isOfChip(bytes);
  ErrorOr<std::unique_ptr<MemoryBuffer>> file =
      MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return false;
  const StringRef bytes = (*file)->getBuffer();
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

namespace {
/// The files of a directory: its own, and then what its links lead to, each once.
class Walk {
public:
  explicit Walk(bool followsLinks) : followsLinks(followsLinks) {}
  std::vector<std::string> files;

  std::error_code run(StringRef top) {
    std::error_code error = own(top.str());
    // More come as links lead to directories. Sorted, so that the names don't depend on the file system.
    while (!error && !links.empty()) {
      std::vector<std::string> now = std::exchange(links, {});
      sort(now);
      for (const std::string &link : now)
        if (!error)
          error = follow(link);
    }
    return error;
  }

private:
  std::error_code own(const std::string &directory) {
    note(directory);
    std::error_code error;
    for (sys::fs::recursive_directory_iterator it(directory, error, /*follow_symlinks=*/false), end;
         it != end && !error; it.increment(error)) {
      if (it->type() == sys::fs::file_type::regular_file)
        files.push_back(it->path());
      else if (it->type() == sys::fs::file_type::symlink_file && followsLinks)
        links.push_back(it->path());
      if (followsLinks && it->type() != sys::fs::file_type::symlink_file)
        note(it->path());
    }
    return error;
  }

  /// False where it is known already, or nothing.
  bool note(const std::string &path) {
    sys::fs::UniqueID id;
    return !sys::fs::getUniqueID(path, id) && seen.insert({id.getDevice(), id.getFile()}).second;
  }

  std::error_code follow(const std::string &link) {
    SmallString<128> target, at;
    if (sys::fs::real_path(link, target) || sys::fs::real_path(sys::path::parent_path(link), at))
      return {}; // it leads nowhere
    if (sys::fs::is_regular_file(target)) {
      if (note(link))
        files.push_back(link);
      return {};
    }
    // A directory that the link is in is a cycle, and all that is beside it isn't meant.
    const bool isAround = at == target || (at.starts_with(target) && (target == "/" || at[target.size()] == '/'));
    return sys::fs::is_directory(target) && !isAround && note(link) ? own(link) : std::error_code();
  }

  const bool followsLinks;
  std::vector<std::string> links;
  std::set<std::pair<uint64_t, uint64_t>> seen; ///< files and directories, by device and number
};
} // namespace

Expected<InputFiles> findInputs(ArrayRef<std::string> names, StringRef chip, Wanted wanted) {
  InputFiles inputs;
  for (const std::string &name : names) {
    if (name == "-" || !sys::fs::is_directory(name)) {
      inputs.files.push_back(name);
      continue;
    }
    inputs.hasDirectories = true;
    std::vector<std::string> found;
    Walk walk(wanted.links);
    if (const std::error_code error = walk.run(name))
      return makeError("cannot read the directory '" + name + "': " + error.message());
    for (const std::string &file : walk.files)
      if (isMeant(file, chip, wanted))
        found.push_back(file);
      else
        ++inputs.leftOut;
    if (found.empty() && !wanted.mayBeNothing)
      return makeError("no code of a supported chip in '" + name + "'");
    sort(found);
    append_range(inputs.files, found);
  }
  return inputs;
}

} // namespace inflight::cli
