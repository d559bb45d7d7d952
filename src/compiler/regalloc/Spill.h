// Moves values out of their register file: to AGPRs, to scratch, to lanes of a vector register, or to nowhere, where
// constants are made again.
#pragma once

#include "compiler/regalloc/Victims.h"

namespace inflight::lir {

/// Registers that temporaries may stay in from one use to the next.
struct SpillRoom {
  SlotPressure pressure; ///< what chooseVictims left; sharing adds to it
  FileLimits limits;
  bool sharesReloads = true;
};

/// Rewrites the function, once for all victims. Each instruction that can't take a value where it is gets a temporary,
/// filled before and saved after it. The next one in the block that wants the same takes the same temporary, if there
/// is room for it up to there, and EXEC hasn't changed. Temporaries are marked `rematerializable` and never spilled
/// themselves. `lanes` holds where scalar registers go from one call to the next.
struct SpillLanes {
  RegId reg = NoReg;
  unsigned next = 0;
};
void spill(Function &function, const Clusters &clusters, llvm::ArrayRef<Victim> victims, SpillLanes &lanes,
           SpillRoom &room);

} // namespace inflight::lir
