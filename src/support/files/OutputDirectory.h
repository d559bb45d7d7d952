// A directory of files that is there whole or not at all.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace inflight {

class OutputDirectory {
public:
  OutputDirectory();
  OutputDirectory(OutputDirectory &&other) noexcept;
  OutputDirectory &operator=(OutputDirectory &&other) noexcept;
  ~OutputDirectory();

  /// A temporary directory beside `path`, which mustn't be a file, nor a directory that another program wrote: one that
  /// isn't empty and lacks the file `marker`. Directories that lead there are made. When the program is interrupted,
  /// all of them go.
  static llvm::Expected<OutputDirectory> create(llvm::StringRef path);
  static constexpr llvm::StringLiteral marker = "written-by-inflight";
  /// Where the files go until commit().
  llvm::StringRef temporaryPath() const LLVM_LIFETIME_BOUND;
  /// Marks the directory and gives it its name; what had it before is removed.
  llvm::Error commit();

private:
  struct Places;
  std::unique_ptr<Places> places; ///< none: an object without a directory
};

} // namespace inflight
