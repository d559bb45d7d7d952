// Values that register allocation has spilled, and that cheap instructions make again where they are used.
#pragma once

#include "compiler/lir/Lir.h"

namespace inflight::lir {

/// Of vector registers that an attempt on the same function has spilled, those that a few instructions make of what
/// isn't spilled are made again in each block that reads them and isn't the one that made them. Before scheduling.
/// Whether there were any. What they are made of lives longer, so that who calls compares the attempts.
bool remakeSpilled(Function &function, const Function &allocated);

} // namespace inflight::lir
