// Places for clusters: the lowest at which each of their pieces is free.
#pragma once

#include "compiler/regalloc/Clusters.h"
#include "compiler/regalloc/RegAlloc.h"
#include "compiler/regalloc/RegisterFile.h"

namespace inflight::lir {

struct Assignment {
  Clusters clusters;
  std::vector<RegUnit> place;   ///< by RegId
  std::vector<unsigned> failed; ///< clusters without a place
  RegisterFiles files;
};

/// Fixed clusters first, then wide ones, then in order of their start. Where that leaves clusters without a place
/// although no more registers are live at once than there are, it is tried with those first, and then with copies left
/// in the program: a tuple whose pieces come at different times needs its place from the first one on, which a register
/// for the first one alone doesn't.
/// That takes as long again each time: only if it `triesOrders`.
Assignment assignRegisters(const Function &function, const Liveness &liveness, const FileLimits &limits,
                           bool joinsFixed, bool triesOrders);

} // namespace inflight::lir
