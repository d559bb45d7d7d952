// Lines of sources, as far as they may be shown.
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

/// Debug information can name any file of the machine: only one whose contents have the MD5 sum that the compiler wrote
/// there is the source, unless the user vouches for a folder.
struct SourcePolicy {
  bool isOff = false;         ///< none at all
  std::string directory = {}; ///< files below it are shown whatever their sums; empty: no such directory
};

/// The contents of a file if they may be shown; `checksum` is null where the debug information states none.
std::optional<std::string> readSource(llvm::StringRef file, const llvm::MD5::MD5Result *checksum,
                                      const SourcePolicy &policy = {});

/// Whether a path is that of a compiler's or a runtime's own header: what is inlined from there is called by the user.
bool isSystemSource(llvm::StringRef path);

class SourceText {
public:
  /// `checksums` by the files' names, as SourceLines gives them.
  explicit SourceText(std::map<std::string, llvm::MD5::MD5Result> checksums = {}, SourcePolicy policy = {})
      : checksums(std::move(checksums)), policy(std::move(policy)) {}
  /// What the user gave needs no sum. `text` must outlive this.
  void add(llvm::StringRef file, llvm::StringRef text);
  /// The line without its end; they count from 1. Lives as long as this object.
  std::optional<llvm::StringRef> line(llvm::StringRef file, unsigned number);

private:
  struct File {
    std::string contents;
    std::vector<llvm::StringRef> lines;
  };
  static void split(File &file, llvm::StringRef text);
  const File &read(llvm::StringRef file);

  std::map<std::string, llvm::MD5::MD5Result> checksums;
  SourcePolicy policy;
  llvm::StringMap<File> files; ///< without lines: not to be shown
};

} // namespace inflight
