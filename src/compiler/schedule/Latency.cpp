#include "compiler/schedule/Latency.h"

namespace inflight::lir {

Timing timingOf(const LatencyTable &latencies, const Inst &inst) {
  // Most copies vanish in register allocation.
  if (inst.isPseudo())
    return {};
  return latencies.timing(inst.mnemonic);
}

} // namespace inflight::lir
