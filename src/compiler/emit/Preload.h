// Arguments in SGPRs from the start, also where firmware doesn't load them.
#pragma once

#include "compiler/lir/Lir.h"

namespace inflight::lir {

/// Where the kernel begins after its symbol if the hardware preloads arguments (AMDGPUUsage, "Preloaded Kernel
/// Arguments").
inline constexpr unsigned preloadedEntry = 256;

/// What stands at the symbol of a kernel with preloaded arguments, before block 0, for firmware that doesn't know of
/// them: it begins there and loads them itself. Needs fewer bytes than preloadedEntry.
std::vector<Inst> preloadPrologue(const Function &function);

} // namespace inflight::lir
