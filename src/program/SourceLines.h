// Source lines of a code object's instructions, from its debug info (-g).
#pragma once

#include "support/Diagnostics.h"
#include <memory>

namespace inflight {

class SourceLines {
public:
  /// `bytes` is the whole file, which must outlive this. Without debug info every place is unknown.
  explicit SourceLines(llvm::StringRef bytes);
  ~SourceLines();
  /// An empty file where nothing is known.
  SourceLocation of(uint64_t address) const;

private:
  struct Contents;
  std::unique_ptr<Contents> contents;
};

} // namespace inflight
