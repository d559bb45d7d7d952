// What register allocation does when a kernel doesn't fit: AGPRs, rematerialisation, scratch.
#pragma once

#include "compiler/regalloc/Clusters.h"

namespace inflight::lir {

/// Moves the accumulators of MFMA chains to the AGPR file; other instructions that touch them work
/// on VGPR copies. Returns the most AGPRs that are live at once, 0 if nothing was moved.
unsigned moveAccumulatorsToAgprs(Function &function);

/// Makes room for each of the `failed` clusters: constants are made again before each use, other
/// vector registers go to scratch, scalar ones to lanes of a vector register. Returns whether
/// anything changed.
bool spill(Function &function, const Clusters &clusters, llvm::ArrayRef<unsigned> failed);

} // namespace inflight::lir
