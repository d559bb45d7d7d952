// A wave that is running, as far as the page's writer must remember it.
#pragma once

#include "events/Events.h"

namespace inflight::trace {

struct PageWave {
  uint32_t number = 0, row = 0; ///< row: its slot among those of the CU
  uint16_t cu = 0;
  uint32_t entry = 0; ///< in the table of waves
  uint32_t chunk = ~0u, indexInChunk = 0;

  /// Its last instruction in the chunk and last operation: the next record is written as what differs from them.
  uint32_t after = 0; ///< the instruction's index in the chunk and 1; 0: none
  uint32_t line = 0, nextOperation = 0;
  uint64_t arrived = 0, issued = 0, end = 0;

  /// Operations that a later wait may name. Counters stop a wave long before as many are in flight.
  struct Known {
    uint32_t number = ~0u, line = 0;
    uint64_t issued = 0, returned = 0;
  };
  static constexpr unsigned remembered = 256;
  std::vector<Known> known = std::vector<Known>(remembered);
  const Known *find(uint32_t operation) const LLVM_LIFETIME_BOUND {
    const Known &k = known[operation % remembered];
    return k.number == operation ? &k : nullptr;
  }
};

} // namespace inflight::trace
