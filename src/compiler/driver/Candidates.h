// What a kernel may be compiled without where registers don't suffice, and what each attempt costs.
#pragma once

#include "compiler/driver/PipelineOptions.h"
#include "compiler/lir/Lir.h"
#include "llvm/ADT/SmallVector.h"

namespace inflight {

/// Figures of compiled code; less is better, and each figure counts before those that follow.
struct Cost {
  uint64_t reloads = 0;      ///< words that go to scratch and come back, a word in a loop as ten around it
  unsigned laneSpills = 0;   ///< scalar registers that went to lanes of vector registers
  unsigned missingWaves = 0; ///< of those per SIMD that the instructions' order was made for
  auto operator<=>(const Cost &) const = default;
  bool spills() const { return reloads || laneSpills; }
};
/// All that is known once registers are assigned; `wantedWaves` per SIMD, 0: none.
Cost costOf(const lir::Function &function, unsigned wantedWaves = 0);

/// Instructions, with what spilled words cost in them, one in a loop as ten around it: for code that does the same by
/// different instructions.
uint64_t workOf(const lir::Function &function);

/// Registers that an attempt may spill that is to cost less than one that spilled so many: in other places they may
/// cost less, but hardly if they are more than twice as many.
inline unsigned spillsToTry(unsigned spilled) { return 2 * spilled; }

/// What lowering did, of what takes registers.
struct RegisterUsers {
  bool copiesAhead = false;  ///< tiles of some loop are copied by LDS DMA, iterations ahead
  bool pingPongs = false;    ///< halves of the waves alternate in some loop
  bool rotatesLoops = false; ///< some loop of matrix instructions loads for the next iteration
};

/// Options that take fewer registers than `asked`, which did `used`; in the order in which they are tried.
llvm::SmallVector<PipelineOptions> withLess(const PipelineOptions &asked, const RegisterUsers &used);

/// Says in the kernel's remarks what `chosen` leaves out, if it does.
void remarkOnChoice(lir::Function &function, const PipelineOptions &asked, const PipelineOptions &chosen,
                    const RegisterUsers &used);

} // namespace inflight
