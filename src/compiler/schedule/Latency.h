// How long an instruction of the compiler takes.
#pragma once

#include "compiler/lir/Lir.h"
#include "isa/Latency.h"

namespace inflight::lir {

Timing timingOf(const LatencyTable &latencies, const Inst &inst);

} // namespace inflight::lir
