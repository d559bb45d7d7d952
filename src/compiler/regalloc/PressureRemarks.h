// Remarks on where registers are short, and on what is there.
#pragma once

#include "compiler/regalloc/Liveness.h"

namespace inflight::lir {

/// The place of greatest pressure of the vector registers and of the scalar ones, and the values that are live there,
/// by the places that define them, widest first.
void remarkOnPressure(Function &function, const Liveness &liveness);

} // namespace inflight::lir
