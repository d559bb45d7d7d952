// What instructions load.
#pragma once

#include "compiler/lir/Lir.h"

namespace inflight::lir {

/// Of vector memory to registers.
inline bool isPlainLoad(const Inst &inst) {
  return inst.desc && inst.mayLoad && !inst.mayStore && inst.desc->isVmem() && !inst.desc->isFlatScratch &&
         !inst.desc->isLdsDma;
}

} // namespace inflight::lir
