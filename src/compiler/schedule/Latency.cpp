#include "compiler/schedule/Latency.h"

#include "hazards/Access.h"

namespace inflight::lir {

Timing timingOf(const LatencyTable &latencies, const Inst &inst) {
  // Most copies vanish in register allocation.
  if (inst.isPseudo())
    return {};
  const hazards::Kinds kinds = hazards::kindsOf(inst.mnemonic, {});
  return latencies.timing(inst.mnemonic, kinds & hazards::kind::Matrix, kinds & hazards::kind::Trans);
}

} // namespace inflight::lir
