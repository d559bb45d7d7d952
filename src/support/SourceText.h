// Lines of the sources that debug information names, as far as they may be shown.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MD5.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace inflight {

/// The file's path without links if it may be a source at all: a regular file, and none of the system's own (/proc,
/// /sys, /dev), some of which never end.
std::optional<std::string> pathOfSource(llvm::StringRef file);

/// The contents of a file if they have that sum. Debug information can name any file of the machine: only one whose
/// contents have the MD5 sum that the compiler wrote there is the source.
std::optional<std::string> readSource(llvm::StringRef file, const llvm::MD5::MD5Result &checksum);

class SourceText {
public:
  /// `checksums` by the files' names, as SourceLines gives them.
  explicit SourceText(std::map<std::string, llvm::MD5::MD5Result> checksums) : checksums(std::move(checksums)) {}
  /// The line without its end; they count from 1. Lives as long as this object.
  std::optional<llvm::StringRef> line(llvm::StringRef file, unsigned number);

private:
  struct File {
    std::string contents;
    std::vector<llvm::StringRef> lines;
  };
  const File &read(llvm::StringRef file);

  std::map<std::string, llvm::MD5::MD5Result> checksums;
  llvm::StringMap<File> files; ///< without lines: not to be shown
};

} // namespace inflight
