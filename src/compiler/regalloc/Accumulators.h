// Which virtual registers are accumulators of matrix instructions: what the AGPR file can hold at no cost in the chain.
#pragma once

#include "compiler/regalloc/Liveness.h"

namespace inflight::lir {

/// Accumulators by RegId: what a matrix instruction writes as a whole, and what is copied as a whole to or from such a
/// register.
llvm::BitVector findAccumulators(const Function &function);

/// AGPRs to set aside for accumulators of which at most `live` 32-bit registers are live at once.
unsigned agprsFor(unsigned live);

} // namespace inflight::lir
