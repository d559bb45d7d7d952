// How long a program's instructions take when nothing of its data is known: the compute unit runs paths through it on
// addresses that are made up.
#pragma once

#include "events/Events.h"
#include "program/Program.h"

namespace inflight::machine::timed {

struct StaticOptions {
  unsigned trips = 8; ///< of each loop, each time that it is entered
  unsigned waves = 0; ///< of the workgroup, which is alone on its compute unit; 0: what the kernel states, else 4
  events::Level memory = events::Level::L2; ///< where loads from memory find their data
};

struct InstructionTime {
  unsigned visits = 0;
  double waiting = 0;      ///< cycles of a visit that s_waitcnt waits; in loops of the later half of the visits
  double firstWaiting = 0; ///< of the first visit
  uint32_t slowest = ~0u;  ///< the operation that the last visit waited longest for; an instruction
  unsigned latency = 0;    ///< cycles of that one, from issue to return
  unsigned covered = 0;    ///< of these, before the wait
};

struct LoopTime {
  double cycles = 0, waiting = 0; ///< of an iteration, the later half of them; 0: no path goes through it
};

struct StaticTimes {
  std::vector<InstructionTime> instructions; ///< of the program
  std::vector<LoopTime> loops;               ///< as asked for
};

/// `loops`: first and last instructions. Memory accesses of all lanes follow each other and are new to L1; LDS has no
/// bank conflicts.
llvm::Expected<StaticTimes> runStatically(const Program &program, llvm::ArrayRef<std::pair<uint32_t, uint32_t>> loops,
                                          const StaticOptions &options);

} // namespace inflight::machine::timed
