// A run that nothing executed: a matrix kernel's events from a few simple rules, the input of the trace's tests and
// benchmarks.
//
// It keeps the promises of events/Events.h and knows nothing of a chip: latencies and queues are round numbers. What
// the tests expect can be worked out by hand: one wave alone waits for nothing but itself.
#pragma once

#include "events/Events.h"

namespace inflight::synthetic {

struct SyntheticOptions {
  unsigned workgroups = 4, wavesPerWorkgroup = 4, workgroupsAtATime = 2, cus = 1;
  unsigned tiles = 2, steps = 8; ///< iterations of the outer and of the inner loop
  uint64_t seed = 1;
  bool whole = true;
};

/// Lines of the kernel that tests refer to.
namespace line {
inline constexpr uint32_t kernargLoad = 0, kernargWait = 1, outerLoop = 3, innerLoop = 7, globalLoad = 7, vmWait = 9,
                          ldsWrite = 10, barrier = 12, ldsRead = 13, ldsWait = 15, matrix = 16, innerBranch = 20,
                          store = 21, outerBranch = 24, storeWait = 25, end = 26;
}

/// Waits at an s_waitcnt for `waited` cycles, then issues for a slot of 4.
events::Instruction instructionAt(uint32_t line, uint64_t arrived, uint32_t waited = 0);
events::RunInfo syntheticInfo(const SyntheticOptions &options);
void syntheticRun(const SyntheticOptions &options, events::Sink &sink);

} // namespace inflight::synthetic
