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

/// `chip`, where given, is the chip of assembly that doesn't name its own. Links in directories are not followed.
/// The files that the names stand for; without `takesAssembly` directories' assembly is left out.
llvm::Expected<InputFiles> findInputs(llvm::ArrayRef<std::string> names, llvm::StringRef chip,
                                      bool takesAssembly = true);

} // namespace inflight::cli
