// A workgroup under execution: its waves and what they own, run in slices.
#pragma once

#include "machine/Wave.h"
#include <memory>

namespace inflight::machine {

namespace check {
class GroupChecks;
}

/// Used for one workgroup after another, so that memory is allocated once.
class WorkgroupRun {
public:
  WorkgroupRun();
  ~WorkgroupRun();
  enum class State : uint8_t { Ended, Faulted, Runnable };

  /// `count` waves with registers as the last workgroup left them, and zeroed LDS; the caller fills in how each starts.
  void reset(const uint32_t (&id)[3], unsigned count, uint64_t ldsBytes, uint32_t scratchBytesALane);

  /// Runs each wave for at most about `slice` instructions: one that waits for another by way of memory must not keep
  /// that one from running. Runnable: all have had their slice.
  State advance(uint64_t slice, uint64_t maxInstructions);

  Workgroup group;
  std::vector<Wave> waves;
  const Wave *faulted = nullptr;
  std::unique_ptr<check::GroupChecks> checks; ///< null in functional runs
  std::vector<uint64_t> executedAt; ///< by slot of the code, how often; empty if nobody asks

private:
  template <bool Checked, bool Counted> void execute(Wave &wave, uint64_t slice, uint64_t maxInstructions);
  std::vector<uint32_t> registers;
  std::vector<uint8_t> scratch;
};

} // namespace inflight::machine
