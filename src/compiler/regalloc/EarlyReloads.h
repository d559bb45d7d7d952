// Reloads from scratch before what waits for them.
#pragma once

#include "compiler/regalloc/RegisterFile.h"

namespace inflight::lir {

/// Moves each reload up in its block as far as a register is free for it, at most by its latency, so that it is in
/// flight while other instructions issue, and before stores that it would be counted behind. Registers are given again
/// in `place` (by RegId), none that `files` hasn't used.
///
/// What it passes neither changes EXEC nor orders memory operations, and no store to its bytes: those are register
/// allocation's own, as is known of each. All else that memory holds is out of the program's reach there, and what a
/// lane spills no other lane sees. That the registers are free is what `files` says.
void hoistReloads(Function &function, const Clusters &clusters, RegisterFiles &files, std::vector<RegUnit> &place);

} // namespace inflight::lir
