// Whether a wave does nothing but look whether memory has changed.
//
// A wave that comes back to where it was with the same registers, and has changed nothing in memory, does the same
// again until what it reads is changed by others. So it can rest until then: any number of workgroups may wait for each
// other, and none takes time that others need. What is found is certain: registers are compared, and what the wave
// reads is written down.
#pragma once

#include "machine/wave/KernelBytes.h"
#include "machine/wave/Wave.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight::machine {

/// The memory that a wave read in one iteration of such a loop.
struct Watched {
  struct Place {
    const uint8_t *at;
    unsigned bytes;
    uint8_t value[16];
    bool isSame() const { return areKernelBytes(at, value, bytes); }
  };
  std::vector<Place> places;
  bool isActive = false; ///< the wave rests
  /// Whether the wave may go on.
  bool mayGoOn() const { return !isActive || hasChanged(); }
  bool hasChanged() const;
};

/// findRepetition executes fewer instructions.
inline constexpr unsigned mostLookedAt = 4096;

enum class Repetition : uint8_t {
  GoesOn,  ///< nothing is known
  Sleeps,  ///< the wave has executed an s_sleep: others may go first
  Repeats, ///< it does the same until the watched memory changes
};

/// Executes some instructions of the wave, one by one by `step`, and looks whether they repeat. `inFlight` says how
/// many operations the wave has in flight. `watched` becomes active if it repeats itself. A wave that stops running
/// meanwhile goes on.
Repetition findRepetition(Wave &wave, Watched &watched, llvm::function_ref<void()> step,
                          llvm::function_ref<size_t()> inFlight);

} // namespace inflight::machine
