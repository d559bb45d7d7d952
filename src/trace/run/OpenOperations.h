// A wave's operations that may still be in flight, by number: what a wait refers to.
#pragma once

#include "events/Events.h"
#include <deque>

namespace inflight::trace {

/// When an instruction began to wait for this: what held it up before comes before in the order of the causes.
inline uint64_t beginOf(events::Stall cause, const events::Instruction &record) {
  uint64_t time = record.arrived;
  for (size_t i = 0; i < size_t(cause); ++i)
    time += record.stalls[i];
  return time;
}

struct OpenOperation {
  uint32_t number = 0, line = 0;
  uint64_t issued = 0, returned = 0;
  uint8_t counters = 0;
};

class OpenOperations {
public:
  void add(const events::Operation &record) {
    // Those in front that have returned will not be waited for any more; returns out of order stay after them a little
    // longer.
    while (!open.empty() && open.front().returned <= record.issued)
      open.pop_front();
    open.push_back({record.number, record.line, record.issued, record.returned, record.counters});
  }
  /// Null for one that has returned long ago.
  const OpenOperation *find(uint32_t number) const LLVM_LIFETIME_BOUND {
    if (open.empty())
      return nullptr;
    const size_t guess = number - open.front().number;
    if (guess < open.size() && open[guess].number == number)
      return &open[guess];
    for (const OpenOperation &operation : open)
      if (operation.number == number)
        return &operation;
    return nullptr;
  }
  /// How many that the counter counts hadn't returned at `time`.
  unsigned inFlight(uint64_t time, unsigned counter) const {
    unsigned count = 0;
    for (const OpenOperation &operation : open)
      count += (operation.counters >> counter & 1) && operation.returned > time;
    return count;
  }

private:
  std::deque<OpenOperation> open;
};

} // namespace inflight::trace
