// Register allocation: virtual registers of LIR to SGPRs, VGPRs and AGPRs.
//
// 1. Coalescing. The registers of a COPY are joined into one *cluster*, a tuple in which each
//    register has its offset, when their live pieces don't collide. Building a wide value from
//    pieces and taking one apart are copies too, so they vanish here.
// 2. Assignment. Clusters take the lowest place where each of their pieces is free, wide ones
//    first, then in order of their start. Holes in live ranges are used.
// 3. If the vector registers don't fit: MFMA accumulators move to AGPRs (the unified file's second
//    half). If that isn't enough, the cheapest clusters are spilled to scratch and everything is
//    done again.
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/Support/Error.h"

namespace inflight::lir {

struct RegAllocOptions {
  /// Waves a SIMD must be able to hold; 0: as many as the workgroup size forces.
  unsigned minWavesPerSimd = 0;
  bool check = false; ///< hold the result against the input (Check.h)
};

/// Fills function.assignment, vgprsUsed, agprsUsed, sgprsUsed and the spill counts, and turns
/// COPY and IMPLICIT_DEF into moves or nothing. An error names the file that doesn't fit.
llvm::Error allocateRegisters(Function &function, const RegAllocOptions &options = {});

/// Removes instructions none of whose results' 32-bit pieces is read by what must stay, and narrows copies to the
/// pieces that are.
void eliminateDeadCode(Function &function);

} // namespace inflight::lir
