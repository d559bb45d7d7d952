#include "support/files/OutputDirectory.h"

#include "support/Diagnostics.h"
#include "support/files/OnInterrupt.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace inflight {

struct OutputDirectory::Places {
  std::string path, temporary;
  std::string firstMade; ///< the outermost directory that was made on the way
  OnInterrupt interrupted{[this] { discard(); }};

  ~Places() {
    const auto lock = holdInterrupts();
    discard();
  }
  void discard();
};

void OutputDirectory::Places::discard() {
  // Another thread may still be making files in it.
  constexpr unsigned attempts = 100;
  for (unsigned i = 0; i < attempts && !temporary.empty() && sys::fs::exists(temporary); ++i)
    (void)sys::fs::remove_directories(temporary);
  // Only those that are still empty go.
  for (SmallString<128> made = sys::path::parent_path(path); !firstMade.empty() && made.starts_with(firstMade);
       sys::path::remove_filename(made))
    if (sys::fs::remove(made))
      break;
  temporary.clear();
  firstMade.clear();
}

OutputDirectory::OutputDirectory() = default;
OutputDirectory::OutputDirectory(OutputDirectory &&other) noexcept = default;
OutputDirectory &OutputDirectory::operator=(OutputDirectory &&other) noexcept = default;
OutputDirectory::~OutputDirectory() = default;

StringRef OutputDirectory::temporaryPath() const { return places->temporary; }

Expected<OutputDirectory> OutputDirectory::create(StringRef given) {
  // A link stays one: what it leads to is replaced.
  SmallString<128> real;
  const StringRef path = sys::fs::is_symlink_file(given) && !sys::fs::real_path(given, real) ? StringRef(real) : given;
  const auto failed = [&](const Twine &reason) { return makeError("cannot write '" + path + "': " + reason); };
  if (sys::fs::exists(path) && !sys::fs::is_directory(path))
    return failed("it is a file");
  std::error_code code;
  const bool isEmpty = sys::fs::directory_iterator(path, code) == sys::fs::directory_iterator();
  if (!isEmpty && !sys::fs::exists(path + "/" + marker))
    return failed("Inflight didn't write what is there, and replaces only its own: remove it, or write elsewhere");
  const auto lock = holdInterrupts();
  OutputDirectory result;
  result.places = std::make_unique<Places>();
  result.places->path = path.str();
  for (StringRef above = sys::path::parent_path(path); !above.empty() && !sys::fs::exists(above);
       above = sys::path::parent_path(above))
    result.places->firstMade = above.str();
  if (StringRef above = sys::path::parent_path(path); !above.empty())
    if (std::error_code error = sys::fs::create_directories(above, true, sys::fs::all_all))
      return failed(error.message());
  SmallString<128> temporary;
  for (unsigned attempt = 0;; ++attempt) {
    sys::fs::createUniquePath(path + ".%%%%%%.tmp", temporary, /*MakeAbsolute=*/false);
    std::error_code error = sys::fs::create_directory(temporary, /*IgnoreExisting=*/false, sys::fs::all_all);
    if (!error)
      break;
    if (error != std::errc::file_exists || attempt == 100)
      return failed(error.message());
  }
  result.places->temporary = temporary.str().str();
  return std::move(result);
}

Error OutputDirectory::commit() {
  const auto lock = holdInterrupts();
  auto &[path, temporary, firstMade, interrupted] = *places;
  const auto failed = [&path = path](std::error_code reason) {
    return makeError("cannot write '" + path + "': " + reason.message());
  };
  if (Error error = writeFileAtomically(temporary + "/" + marker.str(), "Inflight replaces this directory whole.\n"))
    return error;
  // A directory can't be renamed over another: what was there steps aside first.
  std::string old;
  if (sys::fs::exists(path)) {
    old = temporary + ".old";
    if (std::error_code error = sys::fs::rename(path, old))
      return failed(error);
  }
  if (std::error_code error = sys::fs::rename(temporary, path)) {
    if (!old.empty())
      (void)sys::fs::rename(old, path);
    return failed(error);
  }
  temporary.clear();
  firstMade.clear();
  if (!old.empty())
    (void)sys::fs::remove_directories(old);
  return Error::success();
}

} // namespace inflight
