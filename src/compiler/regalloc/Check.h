// Holds a register allocation against its input, symbolically, as regalloc2's checker does.
//
// Its input names values: pieces of virtual registers. What comes out moves them between places: physical registers,
// lanes of a vector register, dwords of scratch. The checker follows, over all paths, which values each place holds.
//
//   lattice   for each place the values that it certainly holds, and of each which lanes: those that EXEC has on, those
//             that it has off, or both; fewer is lower. A value that nothing has defined is held by every place.
//   meet      a place holds what it holds on all paths into a block
//   transfer  a definition takes its value out of all places and puts it into one; a move copies a set; what the input
//             copied and the output doesn't makes the copy's value another name of its source
//
// An instruction of the input must find each value that it reads in the place that the output has it read.
//
// Moves and reloads fill active lanes. Where EXEC may not be full, they make a partial copy: it serves as long as no
// more lanes become active, and no instruction that looks at other lanes' registers. What writes active lanes and keeps
// the others makes a new value of both: the place that is written has it whole if it had the old value's inactive
// lanes, and so has scratch that held the old value once the active lanes are stored there.
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/Support/Error.h"

namespace inflight::lir {

class AllocationChecker {
public:
  /// Keeps a copy of the input and numbers its instructions (Inst::origin).
  explicit AllocationChecker(Function &function);
  /// An error names the first instruction that reads something else than it should, or that has been changed or lost.
  llvm::Error check(const Function &allocated) const;

private:
  Function input;
};

} // namespace inflight::lir
