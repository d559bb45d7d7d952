#include "program/assemble/IncludedFiles.h"

#include <atomic>

using namespace llvm;

namespace inflight {

static std::atomic<Includes> includesAsSet = Includes::Refused;

void setIncludes(Includes includes) { includesAsSet = includes; }
Includes includesOfPrograms() { return includesAsSet; }

static constexpr unsigned mostFiles = 1000;
static constexpr uint64_t mostBytes = uint64_t(1) << 28;

ErrorOr<std::unique_ptr<vfs::File>> IncludedFiles::openFileForRead(const Twine &path) {
  auto refuse = [&](const Twine &why) {
    if (theNote.empty())
      theNote = ("note: " + why).str();
    return std::make_error_code(std::errc::permission_denied);
  };
  if (includes == Includes::Refused)
    return refuse(".include and .incbin are off, as they put other files into the output; --allow-include reads them");
  ErrorOr<vfs::Status> status = getUnderlyingFS().status(path);
  if (!status)
    return status.getError();
  if (status->getType() != sys::fs::file_type::regular_file)
    return refuse("'" + path + "' is no regular file");
  if (++opened > mostFiles)
    return refuse("more than " + Twine(mostFiles) + " files are included; does one include itself?");
  bytes += status->getSize();
  if (bytes > mostBytes)
    return refuse("more than " + Twine(mostBytes >> 20) + " MiB are included");
  return getUnderlyingFS().openFileForRead(path);
}

} // namespace inflight
