// What the registers of a wave held when it faulted.
#pragma once

#include "machine/wave/Code.h"
#include "machine/wave/Wave.h"

namespace inflight::machine {

/// EXEC and the registers that the faulting instruction reads, those of vectors as the faulting lane has them: lines,
/// each after a line break.
std::string registersAtFault(const Code &code, const Wave &wave);

} // namespace inflight::machine
