// A compute unit in time: which wave issues what in which cycle.
//
// A SIMD has an issue slot every fourth cycle. Of its waves those whose next instruction could go are sorted by
// category, and the oldest of each category issues, at most one instruction a wave (ROCm Compute Profiler,
// "Scheduler"). An instruction executes when it issues, so results are those of the functional machine; all that comes
// later - registers, counters, pipes - is a time worked out at that moment. So nothing has to be simulated between two
// issues, and the clock jumps from one to the next.
#pragma once

#include "machine/PreparedLaunch.h"
#include "machine/timed/CodeTiming.h"
#include "machine/timed/memory/LdsUnit.h"
#include "machine/timed/memory/MemoryPath.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <functional>
#include <queue>

namespace inflight::machine::timed {

/// What a compute unit has run so far.
struct CuResult {
  uint64_t cycles = 0, instructions = 0, waves = 0, workgroups = 0;
  uint64_t firstRound = 0; ///< cycles until as many workgroups had ended as are resident at a time
  uint64_t flops = 0;      ///< of matrix and multiply-add instructions
  std::array<uint64_t, size_t(MatrixType::Count)> matrixBusy = {}; ///< cycles of all matrix cores
  std::vector<uint64_t> ends; ///< of its workgroups, in the order in which they ended
  uint64_t byClass[unsigned(InstrClass::Count)] = {};
  std::array<uint64_t, size_t(events::Level::Count)> lines = {}; ///< by where they were
};

/// What the caches hold when the kernel is launched.
enum class CacheState : uint8_t {
  Code, ///< its code in the instruction caches, as far as it fits, from a launch before; none of its data
  Warm, ///< its data, too, as far as they fit
  Cold, ///< nothing, and addresses have to be translated: the first launch of all
};

/// What a compute unit must know of the workgroups that it gets.
struct Workload {
  const TargetInfo *target = nullptr;
  unsigned wavesOfGroup = 1, wavesPerSimd = 1, residentGroups = 1;
  unsigned dispatchShare = 1; ///< compute units that share a dispatcher, this one included
  CacheState caches = CacheState::Code;
  uint64_t memoryBegin = 0;                            ///< addresses count from here
  uint64_t maxInstructions = 0;                        ///< of a wave; then it counts as never ending
  bool hasNoConflicts = false;                         ///< see Suppositions
  llvm::BitVector instant;                             ///< lines of the code; see Suppositions
  llvm::ArrayRef<LineSharing> sharing;                 ///< by line of the code; empty: nothing is known of other units
  std::function<void(WorkgroupRun &, uint32_t)> begin; ///< its waves at the kernel's entry

  /// `launch` must outlive it.
  static Workload of(const PreparedLaunch &launch);
};

class ComputeUnit {
public:
  /// `number` is in the run's records; waves count from `firstWave` in steps of `waveStep`.
  ComputeUnit(const Workload &work LLVM_LIFETIME_BOUND, const CodeTiming &code LLVM_LIFETIME_BOUND,
              const TimingData &data LLVM_LIFETIME_BOUND, Shares shares, unsigned number, uint32_t firstWave,
              uint32_t waveStep, double realTicksPerCycle, events::Sink *sink);
  ~ComputeUnit();

  /// Simulates until `until` or the end. `next` hands over the next workgroup, or none. False: all have ended.
  bool advance(uint64_t until, llvm::function_ref<std::optional<uint32_t>()> next);
  const CuResult &result() const LLVM_LIFETIME_BOUND { return counts; }
  /// Bytes that L2 has to write back for this unit.
  uint64_t dirtyBytes() const { return memory.dirtyBytes(); }
  uint64_t writtenBackBytes() const { return memory.writtenBackBytes(); }
  /// The workgroup whose wave faulted, or null.
  const WorkgroupRun *faulted() const { return faultedGroup; }

private:
  struct Group;
  struct WaveState;
  struct Simd;
  struct Pending {
    RegRange range;
    uint64_t ready;
    bool isScalar;
  };
  struct InFlight {
    uint64_t returned;
    uint32_t number;
    uint8_t weight;
  };

  /// Bandwidth is the last round's when no workgroup of another one is left.
  void noteLastRound();
  bool place(llvm::function_ref<std::optional<uint32_t>()> next);
  /// The wave's next instruction is asked for at `asked` and can issue at `arrived` if nothing hinders it.
  void prepare(WaveState &wave, uint64_t asked, uint64_t arrived);
  uint64_t fetched(WaveState &wave, uint64_t asked, uint64_t arrived);
  uint64_t bringLine(uint64_t line, uint64_t asked);
  llvm::SmallVector<unsigned, 16> simdsOfGroup() const;
  uint64_t counterReaches(std::vector<InFlight> &operations, unsigned target, uint64_t now);
  uint64_t pipeFree(const WaveState &wave, uint64_t now, events::Stall &cause);
  void issueSlot(unsigned simd, uint64_t now);
  void issue(WaveState &wave, uint64_t now);
  void recordIssue(const WaveState &wave, events::Instruction &record, uint64_t exec, uint64_t now);
  void occupyPipes(Simd &simd, const OpTiming &timing, uint64_t now);
  void noteResults(WaveState &wave, uint64_t now);
  void startOperation(WaveState &wave, const OpTiming &timing, uint64_t now);
  void serve(WaveState &wave, const OpTiming &timing, uint64_t now, events::Operation &record);
  void arriveAtBarrier(WaveState &wave);
  void releaseBarrier(Group &group);
  void leaveProgram(WaveState &wave, uint64_t now);
  void endWave(WaveState &wave, uint64_t now);
  uint64_t nextSlot(unsigned simd, uint64_t time) const;
  LineSharing sharingOf(const OpTiming &timing) const {
    return work.sharing.empty() ? LineSharing() : work.sharing[timing.line];
  }

  const Workload &work;
  const CodeTiming &code;
  const TimingData &data;
  const unsigned number;
  uint32_t nextWave;
  const uint32_t waveStep;
  events::Sink *sink;
  LdsUnit lds;
  MemoryPath memory;
  Capture capture;
  Cache instructionCache;
  Arrivals codeArrivals;                ///< of instruction lines
  llvm::DenseSet<uint64_t> linesOfCode; ///< instruction lines that were ever asked for
  std::vector<std::unique_ptr<Group>> groups, spare;
  std::vector<Simd> simds;
  struct Ending {
    uint64_t time;
    WaveState *wave;
    bool operator<(const Ending &other) const { return time > other.time; }
  };
  std::priority_queue<Ending> endings; ///< waves that have left the program and wait for their stores
  Clock clock;
  const Rates lastRound;
  const uint32_t lastGroups; ///< its first workgroup
  uint64_t dispatcherFree = 0, endedGroups = 0, startedGroups = 0;
  bool noMoreGroups = false, mayPlace = true;
  std::optional<uint32_t> waiting; ///< a workgroup that doesn't fit yet
  const WorkgroupRun *faultedGroup = nullptr;
  CuResult counts;
};

} // namespace inflight::machine::timed
