#include "support/OutputPath.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace llvm;

namespace inflight {

/// The number of "/proc/self/fd/1", in any spelling that leads there; -1 for other paths.
static int openDescriptor(StringRef path) {
  int number;
  SmallString<128> folder;
  StringRef parent = sys::path::parent_path(path);
  if (sys::path::filename(path).getAsInteger(10, number) || sys::fs::real_path(parent.empty() ? "." : parent, folder))
    return -1;
  const std::string process = "/proc/" + std::to_string(::getpid());
  StringRef rest = folder;
  // Threads have folders of their own: /proc/PID/task/TID/fd.
  return rest.consume_front(process) && (rest == "/fd" || (rest.starts_with("/task/") && rest.ends_with("/fd")))
             ? number
             : -1;
}

OutputPath OutputPath::find(StringRef given) {
  OutputPath result;
  result.path = given.str();
  constexpr unsigned mostLinks = 40; // as the kernel allows (path_resolution(7))
  for (unsigned links = 0; links < mostLinks; ++links) {
    if (int number = openDescriptor(result.path); number >= 0) {
      result.kind = Kind::Descriptor;
      result.descriptor = number;
      return result;
    }
    char target[4096];
    const ssize_t length = ::readlink(result.path.c_str(), target, sizeof target);
    if (length < 0)
      break;
    SmallString<128> next(StringRef(target, size_t(length)));
    if (sys::path::is_relative(next)) {
      next = sys::path::parent_path(result.path);
      sys::path::append(next, StringRef(target, size_t(length)));
    }
    result.path = next.str().str();
  }
  SmallString<128> folder;
  StringRef parent = sys::path::parent_path(result.path);
  const bool isInProc =
      !sys::fs::real_path(parent.empty() ? "." : parent, folder) && (folder == "/proc" || folder.starts_with("/proc/"));
  if (isInProc || (sys::fs::exists(result.path) && !sys::fs::is_regular_file(result.path)))
    result.kind = Kind::Device;
  return result;
}

bool isReplaceable(StringRef path) {
  return OutputPath::find(path).kind == OutputPath::Kind::File && sys::fs::is_regular_file(path);
}

} // namespace inflight
