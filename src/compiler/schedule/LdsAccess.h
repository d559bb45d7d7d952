// What a DS instruction of LIR touches: a base register and byte ranges from it.
#pragma once

#include "compiler/lir/Lir.h"
#include <optional>

namespace inflight::lir {

struct LdsAccess {
  Reg base; ///< the address operand
  struct Range {
    unsigned offset, size; ///< bytes from the base
  };
  llvm::SmallVector<Range, 2> ranges;
  bool overlaps(const LdsAccess &other) const;
};

/// None for atomics, lane permutations and whatever else has no plain byte range.
std::optional<LdsAccess> ldsAccess(const Inst &inst);

} // namespace inflight::lir
