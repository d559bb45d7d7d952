// Runs workgroups without time, on all host threads.
#pragma once

#include "machine/PreparedLaunch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight::machine {

/// All workgroups but those that `skip` names; `stats` adds up.
llvm::Error runFunctionally(const PreparedLaunch &launch, llvm::function_ref<bool(uint32_t)> skip, RunStats &stats);

} // namespace inflight::machine
