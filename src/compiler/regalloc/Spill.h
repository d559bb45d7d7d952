// Moves values out of their register file: to AGPRs, to scratch, to lanes of a vector register, or to nowhere, where
// constants are made again.
#pragma once

#include "compiler/regalloc/Victims.h"

namespace inflight::lir {

/// Rewrites the function, once for all victims. Each instruction that can't take a value where it is gets a temporary
/// of its own, filled before and saved after it; temporaries are marked `rematerializable` and never spilled
/// themselves. `lanes` holds where scalar registers go from one call to the next.
struct SpillLanes {
  RegId reg = NoReg;
  unsigned next = 0;
};
void spill(Function &function, const Clusters &clusters, llvm::ArrayRef<Victim> victims, SpillLanes &lanes);

} // namespace inflight::lir
