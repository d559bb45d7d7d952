// Register allocation: virtual registers of LIR to SGPRs, VGPRs and AGPRs.
//
// 1. Coalescing. The registers of a COPY are joined into one *cluster*, a tuple in which each
//    register has its offset, when their live pieces don't collide: pieces of different values. Building a wide
//    value from pieces and taking one apart are copies too, so they vanish here.
// 2. Assignment (Assign.h). Clusters take the lowest place where each of their pieces is free, wide ones
//    first, then in order of their start. Holes in live ranges are used. If some find no place although pressure is
//    low enough, they go first, or what they were joined from stays apart.
// 3. If some find none, the pressure of their file is brought down to its size (Victims.h): the
//    cheapest values move to AGPRs, to memory, or are made again before each use (Spill.h), and
//    steps 1 and 2 are done again. Where pressure is low enough but tuples find no place among
//    the gaps, the limit is lowered a little more.
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/Support/Error.h"

namespace inflight::lir {

/// Registers by file.
struct FileLimits {
  unsigned sgprs = ~0u, vgprs = ~0u, agprs = ~0u;
  unsigned of(RegFile file) const { return file == RegFile::Sgpr ? sgprs : file == RegFile::Vgpr ? vgprs : agprs; }
};

struct RegAllocOptions {
  /// Waves a SIMD must be able to hold; 0: as many as the workgroup size forces.
  unsigned minWavesPerSimd = 0;
  bool check = false;   ///< hold the result against the input (Check.h)
  FileLimits most = {}; ///< registers at most, below what the chip and the launch leave
  /// Registers that are spilled at most: what needs more is given up as soon as that is known.
  unsigned mostSpills = ~0u;
  /// Before anything is spilled, assignment is tried in other orders (Assign.h): that takes as long again each time.
  bool triesOrders = true;
};

/// More registers would be spilled than were allowed.
class TooManySpills : public llvm::ErrorInfo<TooManySpills> {
public:
  static char ID;
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
};

/// Fills function.assignment, vgprsUsed, agprsUsed, sgprsUsed and the spill counts, and turns
/// COPY and IMPLICIT_DEF into moves or nothing. An error names the file that doesn't fit.
llvm::Error allocateRegisters(Function &function, const RegAllocOptions &options = {});

/// Removes instructions none of whose results' 32-bit pieces is read by what must stay, and narrows copies to the
/// pieces that are.
void eliminateDeadCode(Function &function);

} // namespace inflight::lir
