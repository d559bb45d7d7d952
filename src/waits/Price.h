// What waits cost, in cycles: as whoever knows the machine's timing filled it in.
#pragma once

#include "waits/WaitReport.h"

namespace inflight::waits {

struct WaitPrice {
  uint32_t instruction = 0;
  unsigned cycles = 0;    ///< that control stands at the wait
  bool isOnce = false;    ///< in a loop: the first iteration alone pays it
  uint32_t slowest = ~0u; ///< the operation that came last; in Graph::ops
  unsigned latency = 0;   ///< of that one
  unsigned covered = 0;   ///< cycles between its issue and the wait
};

struct LoopPrice {
  uint32_t firstInstruction = 0, lastInstruction = 0;
  unsigned waiting = 0, issuing = 0; ///< cycles of an iteration
};

struct Prices {
  std::vector<WaitPrice> waits; ///< by instruction
  std::vector<LoopPrice> loops; ///< as in Reported::loops
  const WaitPrice *find(uint32_t instruction) const LLVM_LIFETIME_BOUND;
};

} // namespace inflight::waits
