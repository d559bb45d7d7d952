// Where a run's time went, added up as it runs: by kernel, loop and instruction. Memory is bounded by the code's size.
#pragma once

#include "events/Events.h"
#include "trace/run/LiveWaves.h"
#include "trace/run/OpenOperations.h"
#include "trace/run/TimeBins.h"
#include "llvm/ADT/SmallVector.h"

namespace inflight::trace {

using Stalls = std::array<uint64_t, size_t(events::Stall::Count)>;

/// Cycles that waits at one line waited for the operations of another.
struct WaitedFor {
  uint32_t line = 0; ///< of the operation
  uint64_t cycles = 0, times = 0;
};

struct LineStatistics {
  uint64_t hits = 0, taken = 0;
  uint64_t issue = 0; ///< cycles until the next instruction might go
  /// Cycles before it that belong to no instruction: of a memory instruction after one of the ALUs, say.
  uint64_t gap = 0;
  Stalls stalls = {};
  llvm::SmallVector<WaitedFor, 2> waits; ///< of a wait: for what
  uint64_t waitedFor = 0;                ///< of a memory instruction: cycles of waits for it
  bool isAtomic = false;
  uint64_t operations = 0, latency = 0, busy = 0, conflicts = 0, requests = 0;
  uint64_t bytes = 0;
  std::array<uint64_t, size_t(events::Level::Count)> levels = {}; ///< lines by where they were

  uint64_t stalled() const;
  uint64_t cycles() const { return issue + stalled(); } ///< without the gaps
};

/// The instructions from a branch's target to the branch after it that was taken; branches to one target make one loop.
struct Loop {
  uint32_t first = 0, last = 0; ///< lines
  unsigned depth = 0;           ///< loops around it
  uint64_t entries = 0, iterations = 0;
  uint64_t issue = 0, gap = 0, cycles = 0; ///< `cycles` with all of it
  Stalls stalls = {};
};

struct PipeStatistics {
  uint64_t busy = 0; ///< cycles, over all units
  unsigned units = 0;
  TimeBins bins;
};

struct InFlightStatistics {
  TimeBins operations; ///< how many, summed over the waves
  TimeBins most;       ///< of one wave
};

class RunStatistics : public events::Sink {
public:
  void start(const events::RunInfo &info) override;
  void waveBegin(const events::WaveBegin &record) override;
  void instruction(const events::Instruction &record) override;
  void operation(const events::Operation &record) override;
  void wait(const events::Wait &record) override;
  void waveEnd(const events::WaveEnd &record) override;
  void finish(const events::Summary &summary) override;

  events::RunInfo info;
  events::Summary summary;
  std::vector<LineStatistics> lines;
  std::array<PipeStatistics, size_t(events::Pipe::Count)> pipes;
  std::vector<InFlightStatistics> inFlight; ///< by counter
  TimeBins residentWaves;
  uint64_t waveCycles = 0; ///< between begin and end, over all waves
  uint64_t ldsConflicts = 0, ldsBusy = 0;
  uint64_t atomicEnds = 0; ///< cycles of waves that were done but for atomic operations, their last

  uint64_t issue() const;
  Stalls stalls() const;
  /// Outer loops before inner ones, by address.
  std::vector<Loop> loops() const;
  uint64_t entriesOf(const Loop &loop) const;

private:
  struct Wave {
    uint64_t begin = 0, done = 0;
    uint64_t waitBegin = 0, waitEnd = 0; ///< of its last instruction, on operations
    uint16_t cu = 0;
    bool isLastAtomic = false; ///< of its operations
    OpenOperations operations;
  };
  void endAt(const Wave &wave, uint64_t time);

  LiveWaves<Wave> waves;
  std::vector<uint64_t> pipeEnds; ///< by CU and pipe: the shared pipes are busy until
  llvm::SmallVector<const OpenOperation *, 64> waited;
};

} // namespace inflight::trace
