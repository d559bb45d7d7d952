// Source lines of a code object's instructions, from its debug info (-g).
#pragma once

#include "support/Diagnostics.h"
#include "llvm/Support/MD5.h"
#include <map>
#include <memory>
#include <vector>

namespace inflight {

class SourceLines {
public:
  /// `bytes` is the whole file, which must outlive this. Without debug info every place is unknown.
  explicit SourceLines(llvm::StringRef bytes);
  ~SourceLines();
  bool hasAny() const;
  /// An empty file where nothing is known.
  SourceLocation of(uint64_t address) const;
  /// The same, and after it the place of each call that was inlined around it; empty where nothing is known.
  std::vector<SourceLocation> frames(uint64_t address) const;
  /// The user's own of these: the innermost that is no system header, else the innermost.
  SourceLocation own(uint64_t address) const;
  /// "file:line", after it " -> " and the place of each call that was inlined around it, or nothing.
  std::string text(uint64_t address) const;
  /// The MD5 sums of the files, as compilers write them since DWARF 5; by the names that of() gives.
  std::map<std::string, llvm::MD5::MD5Result> checksums() const;

private:
  struct Contents;
  std::unique_ptr<Contents> contents;
};

} // namespace inflight
