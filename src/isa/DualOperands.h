// Where the operands of both operations of a pair (VOPD) stand: LLVM's tables don't name them.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>

namespace inflight {

struct InstrDesc;
class Isa;

/// Operands of MCInst.
struct HalfOperands {
  llvm::SmallVector<unsigned, 3> sources; ///< as they are written, a constant among them; but no mask
  std::optional<unsigned> accumulator;    ///< the destination again, which text doesn't repeat
};

/// Of the first and the second operation.
std::array<HalfOperands, 2> operandsOfPair(const Isa &isa, const InstrDesc &desc);

} // namespace inflight
