// What waits cost: a static estimate in cycles.
#pragma once

#include "waits/WaitReport.h"

namespace inflight::waits {

/// Of one wait: how long the slowest operation that it waits for still takes when control comes there.
struct WaitPrice {
  uint32_t instruction = 0;
  unsigned cycles = 0;
  bool isOnce = false;       ///< in a loop, for operations from before it: the first iteration pays it
  uint32_t slowest = ~0u;    ///< the operation that decides it; in Graph::ops
  unsigned latency = 0;      ///< of that one
  unsigned covered = 0;      ///< cycles of issue between it and the wait, on the shortest path
};

struct LoopPrice {
  uint32_t firstInstruction = 0, lastInstruction = 0;
  unsigned waiting = 0, issuing = 0; ///< cycles of an iteration, each block once
};

struct Prices {
  std::vector<WaitPrice> waits; ///< by instruction
  std::vector<LoopPrice> loops; ///< as in Reported::loops
  const WaitPrice *find(uint32_t instruction) const;
};

llvm::Expected<Prices> price(const Program &program, const Reported &reported);

} // namespace inflight::waits
