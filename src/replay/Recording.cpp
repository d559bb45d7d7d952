#include "replay/Recording.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace inflight::replay {

Expected<std::string> readRecordedFile(const Recording &recording, StringRef path) {
  SmallString<128> folder, file;
  if (std::error_code error = sys::fs::real_path(recording.path, folder))
    return makeError("cannot read '" + recording.path + "': " + error.message());
  if (std::error_code error = sys::fs::real_path(path, file))
    return makeError("cannot read '" + path + "': " + error.message());
  if (!file.str().starts_with((folder + "/").str()))
    return makeError("'" + path + "' leads out of the recording's folder: it isn't read");
  if (!sys::fs::is_regular_file(file))
    return makeError("cannot read '" + path + "': it is no file");
  return readFile(file);
}

Expected<Recording> readRecording(StringRef path) {
  if (!sys::fs::exists(path))
    return makeError(path + ": no such folder");
  if (!sys::fs::is_directory(path))
    return makeError(path + ": a folder with a recording is needed, and this is a file");
  return sys::fs::exists(path + "/dispatch.json") ? readKerncap(path) : readHrr(path);
}

} // namespace inflight::replay
