// What a kernel may be compiled without where registers don't suffice, and what each attempt costs.
#pragma once

#include "compiler/driver/PipelineOptions.h"
#include "compiler/lir/Lir.h"
#include "llvm/ADT/SmallVector.h"

namespace inflight {

/// Figures of compiled code; less is better, and the first figure counts before the second.
struct Cost {
  unsigned spills = 0;       ///< values that went to memory
  unsigned missingWaves = 0; ///< of those per SIMD that the instructions' order was made for
  auto operator<=>(const Cost &) const = default;
};
/// All that is known once registers are assigned; `wantedWaves` per SIMD, 0: none.
Cost costOf(const lir::Function &function, unsigned wantedWaves = 0);

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
