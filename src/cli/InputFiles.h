// The files of a verb that takes many: those named, and those with code in the directories named.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace inflight::cli {

struct InputFiles {
  std::vector<std::string> files;
  bool hasDirectories = false;
  uint64_t leftOut = 0; ///< files of directories that have no code of a supported chip
};

/// What of directories is meant.
struct Wanted {
  bool assembly = true;
  bool packages = false;     ///< wheels, .deb, .rpm
  bool mayBeNothing = false; ///< else it is an error that names the directory
  bool links = false;        ///< what symbolic links lead to, too, in the directory or elsewhere
};

/// The files that the names stand for. `chip`, where given, is the chip of assembly that doesn't name its own. What
/// links in a directory lead to is looked at once, by its own name if it has one there, else by the first link's.
llvm::Expected<InputFiles> findInputs(llvm::ArrayRef<std::string> names, llvm::StringRef chip, Wanted wanted = {});

} // namespace inflight::cli
