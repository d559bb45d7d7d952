// A directory of files that is there whole or not at all.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inflight {

class OutputDirectory {
public:
  OutputDirectory() = default;
  OutputDirectory(OutputDirectory &&other) noexcept;
  OutputDirectory &operator=(OutputDirectory &&other) noexcept;
  ~OutputDirectory();

  /// A temporary directory beside `path`, which mustn't be a file. Directories that lead there are made.
  static llvm::Expected<OutputDirectory> create(llvm::StringRef path);
  /// Where the files go until commit().
  llvm::StringRef temporaryPath() const { return temporary; }
  /// Gives the directory its name; what had it before is removed.
  llvm::Error commit();

private:
  void discard();
  std::string path, temporary;
  std::string firstMade; ///< the outermost directory that was made on the way
};

} // namespace inflight
