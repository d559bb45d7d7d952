// What a compute unit keeps of its workgroups, waves and SIMDs; for ComputeUnit's own files.
#pragma once

#include "machine/timed/ComputeUnit.h"

namespace inflight::machine::timed {

inline constexpr uint64_t never = ~uint64_t(0);

struct ComputeUnit::Group {
  WorkgroupRun run;
  std::vector<std::unique_ptr<WaveState>> states;
  uint32_t number = 0;
  unsigned live = 0, atBarrier = 0; ///< waves in the program
  unsigned held = 0;                ///< waves that hold their places
  uint64_t lastArrival = 0;
};

struct ComputeUnit::WaveState {
  Wave *wave = nullptr;
  Group *group = nullptr;
  uint32_t id = 0;
  uint8_t simd = 0, slot = 0, priority = 0;
  // Of the next instruction.
  const Op *op = nullptr;
  const OpTiming *timing = nullptr;
  uint64_t arrived = 0, fetch = 0, dependency = 0, waitcnt = 0, barrier = 0, sleep = 0, ready = 0;
  uint64_t candidate = 0;           ///< no issue before this cycle
  const OpTiming *before = nullptr; ///< the instruction issued last
  uint64_t scalarReady = 0; ///< SALU instructions wait for scalar results of VALU instructions, whichever they read
  uint32_t lost = 0;        ///< cycles that other waves were preferred
  events::Stall pipeCause = events::Stall::PipeBusy;
  // In flight.
  std::vector<Pending> pending;
  PerCounter<std::vector<InFlight>> inFlight; ///< sorted by return
  uint64_t lastVm = 0, lastLds = 0, lastStore = 0;
  uint32_t operations = 0;
  std::vector<uint32_t> waitedFor;
  // Lines of code from `line` to `ahead` have been asked for; when they are here, by line.
  static constexpr unsigned mostAhead = 16;
  uint64_t line = never, ahead = 0, here[mostAhead] = {};
};

struct ComputeUnit::Simd {
  std::vector<WaveState *> waves; ///< those in the program, the oldest first
  unsigned held = 0;              ///< places of waves
  uint32_t slots = 0;             ///< bits of those in use
  uint64_t valuFree = 0, valuBlocked = 0;
  uint64_t matrixEnd = 0, matrixFree = 0; ///< of the last matrix instruction; when the next one may issue
  uint64_t next = never;                  ///< no issue before this cycle
};

} // namespace inflight::machine::timed
