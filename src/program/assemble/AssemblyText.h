// Places in assembly text: statements, lines and comments.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace inflight {

class AssemblyText {
public:
  explicit AssemblyText(llvm::StringRef text LLVM_LIFETIME_BOUND) : text(text) {}

  /// The length of the statement that begins at `offset`, without the comment and space after it.
  uint32_t statementLength(uint32_t offset) const;
  /// Line and column of a place, from 1.
  std::pair<unsigned, unsigned> lineAndColumn(uint32_t offset) const;
  /// The comments after the statement that ends at `end` on its line, then those on lines of their own directly above
  /// the line of `begin`, each on a line and without its marks; the upper ones first.
  std::string comments(uint32_t begin, uint32_t end) const;

private:
  llvm::StringRef text;
  mutable std::once_flag linesOnce;
  mutable std::vector<uint32_t> lineStarts;
};

} // namespace inflight
