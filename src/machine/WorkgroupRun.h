// A workgroup under execution: its waves and what they own, run in slices.
#pragma once

#include "machine/Hostcalls.h"
#include "machine/Interrupt.h"
#include "machine/Waiting.h"
#include <cstdlib>
#include <memory>

namespace inflight::machine {

namespace check {
class WorkgroupChecker;
}
namespace debug {
class Debugger;
}

/// Used for one workgroup after another, so that memory is allocated once.
class WorkgroupRun {
public:
  WorkgroupRun();
  ~WorkgroupRun();
  enum class State : uint8_t { Ended, Faulted, Runnable, Resting };

  /// `count` waves with registers as the last workgroup left them, and zeroed LDS; the caller fills in how each starts.
  void reset(const uint32_t (&id)[3], unsigned count, uint64_t ldsBytes, uint32_t scratchBytesALane);

  /// Runs each wave for about `slice` instructions at most, barriers included: one that waits for another by way of
  /// memory must not keep that one from running. Runnable: all have had their slice, or sleep. Resting: none can go on
  /// until memory changes. A wave that would execute more than `maxInstructions` in all faults.
  State advance(uint64_t slice, uint64_t maxInstructions);
  /// Whether some wave that rests or runs may go on.
  bool mayGoOn() const;
  /// Whether waves rest and none runs.
  bool isResting() const { return resting; }
  /// Faults the first wave that rests, as one that never ends.
  void failResting(const std::string &why);

  Workgroup group;
  std::vector<Wave> waves;
  const Wave *faulted = nullptr;
  std::unique_ptr<check::WorkgroupChecker> checks; ///< null in functional runs
  std::vector<Watched> watched;                    ///< by wave
  std::vector<uint64_t> executedAt;                ///< by slot of the code, how often; empty if nobody asks
  debug::Debugger *debugger = nullptr;             ///< looks at each instruction; null: nobody does
  Interrupt *interrupt = nullptr;                  ///< advance() returns soon after it is set
  Hostcalls *hostcalls = nullptr;                  ///< served when waves wait; null: the kernel can't ask

private:
  /// How many instructions a wave has executed, and whether it sleeps since.
  struct Executed {
    uint64_t instructions = 0;
    bool sleeps = false;
  };
  Executed execute(Wave &wave, uint64_t slice, uint64_t maxInstructions, bool hasRested);
  /// At least `slice` instructions unless the wave stops, sleeps or rests. `Observed`: there is a debugger, or somebody
  /// asks how often instructions are executed.
  template <bool Checked, bool Observed>
  Executed execute(Wave &wave, uint64_t slice, uint64_t maxInstructions, bool hasRested);
  template <bool Checked, bool Observed> void step(Wave &wave);
  /// Zeroed by the host's system when a wave first touches them: of many waves most have far more than they use.
  struct Free {
    void operator()(uint32_t *place) const { std::free(place); }
  };
  std::unique_ptr<uint32_t[], Free> registers;
  size_t registerWords = 0;
  std::vector<uint8_t> scratch;
  bool resting = false;
};

} // namespace inflight::machine
