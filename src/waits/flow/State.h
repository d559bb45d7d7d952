// What may be in flight at one point, in two forms: ages, in which states of several paths meet, and times of issue,
// which don't change while a block is walked.
#pragma once

#include "waits/flow/Translations.h"
#include "waits/graph/Graph.h"
#include "waits/graph/OrderState.h"
#include "waits/graph/PerUsedCounter.h"
#include "waits/graph/UnitSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

namespace inflight::waits {

inline constexpr uint8_t notPending = 255, oldest = 254;

/// An LDS access that is not known to be done.
struct LdsAccess {
  Region region{};
  uint32_t op = 0;              ///< in Graph::ops
  uint32_t barrier = ~0u;       ///< late accesses: the barrier that it was in flight at, in Graph::ops
  uint32_t stamp = 0;           ///< its age (in State, and at the barrier for late ones) or time of issue (in Walk)
  Counter counter = Counter(0); ///< that it is counted on until it is done
  bool writes = false, isDma = false, isFlat = false, isNoalias = false, isGrouped = false, arrives = false;
  bool isSignalled = false; ///< late accesses: of a barrier that this wave has signalled and not waited at
  bool operator==(const LdsAccess &) const = default;
};
using LdsAccesses = llvm::SmallVector<LdsAccess, 0>;

/// A register unit that may still be written, and the age of the youngest operation that does.
struct UnitAge {
  RegUnit unit;
  uint8_t age;
  uint16_t bits = 0; ///< out of order: the queues, as in outOfOrderQueues
  bool operator==(const UnitAge &) const = default;
};
/// Sorted by unit.
using UnitAges = llvm::SmallVector<UnitAge, 0>;

/// Operations of a kind that finish in no order and have to be waited for on the counter.
struct OutOfOrderQueue {
  Kind kind;
  Counter counter;
};
/// All of a chip, at most 16.
llvm::SmallVector<OutOfOrderQueue, 8> outOfOrderQueues(const CounterTable &counters);

/// Between blocks. A program has one for each block, a library of collectives a million: what a block doesn't have
/// takes no room.
struct State {
  bool isReached = false;
  uint16_t pending = 0;            ///< bits: out of order queues that may not be empty
  uint8_t writeBack = notPending;  ///< age of the youngest
  PerCounter<uint8_t> outstanding; ///< most operations in order that may be
  PerUsedCounter<UnitAges, 2> inOrder;
  UnitAges other;
  Translations::Ages translations; ///< by the counter of the operations whose addresses they are
  LdsAccesses dma, accesses, late;
  /// Of groups of LDS DMA, the youngest first: the least number of operations in order on their counter since each was
  /// committed. Where paths differ in number, groups that one of them lacks are the other's.
  llvm::SmallVector<uint8_t, 4> groups;
  OrderState order;
  bool operator==(const State &) const = default;

  /// Takes what may be pending in `from` too; whether that changed anything. Regions go `across` from block to block;
  /// `isBack`: on a path that closes a loop.
  bool meet(const State &from, const Graph &graph, uint32_t fromBlock, uint32_t toBlock, bool isBack = false);
};

/// Queues of operations, as bits: those in order of each counter, then those in no order.
using Queues = uint64_t;

/// While a block is walked. Time never goes back: what an earlier block issued is finished for all that follow.
class Walk {
public:
  explicit Walk(const Graph &graph LLVM_LIFETIME_BOUND);
  void enter(const State &state);
  /// Everything may be in flight.
  void enterOpen();
  void leave(State &state) const;
  State leave() const {
    State state;
    leave(state);
    return state;
  }

  /// The operations in order of one counter; or those of one kind that count alone, and that a wait for 0 finishes.
  struct Queue {
    uint32_t clock = 0, done = 0; ///< issued, and known to be finished
    std::vector<uint32_t> birth;  ///< by register unit; pending if later than `done`
    UnitSet marked;               ///< written since the block was entered or pending then
    bool isPending() const { return clock != done; }
    void finish(unsigned outstanding) {
      if (outstanding < clock - done)
        done = clock - outstanding;
    }
    void mark(RegRange range, uint32_t time) {
      std::fill_n(birth.begin() + range.first, range.count, time);
      marked.insert(range);
    }
    /// A new block, in which so many operations from before may be outstanding.
    void start(unsigned outstanding);
    /// Calls `visit(unit)` for the pending ones, in order.
    template <typename Visit> void forEachPending(Visit visit) const {
      marked.forEach([&](unsigned unit) {
        if (birth[unit] > done)
          visit(unit);
      });
    }
  };
  struct Unordered : Queue {
    Kind kind;
    Counter counter;
  };
  PerCounter<Queue> inOrder;
  llvm::SmallVector<Unordered, 4> unordered; ///< as in outOfOrderQueues
  const Counter dmaCounter, ldsCounter, writeBackCounter;
  uint32_t writeBack = 0; ///< its counter's clock when the youngest was issued, plus 1; 0: none
  LdsAccesses dma, accesses, late;
  llvm::SmallVector<uint32_t, 4> groups; ///< the time when each was committed, the youngest first
  OrderWalk order;

  /// By bit of Queues: CounterInfo::isOfSources, isOfAlu.
  bool isOfSources(unsigned queue) const { return sourceQueues >> queue & 1; }
  bool isOfAlu(unsigned queue) const { return aluQueues >> queue & 1; }
  bool isNothingPending() const { return !inFlight && !writeBack; }
  /// Whether an operation in flight writes some of the registers, perhaps.
  bool mayBeWritten(llvm::ArrayRef<RegRange> ranges) const {
    if (!inFlight)
      return false;
    bool may = false;
    for (RegRange range : ranges)
      may |= marked.hasAny(range);
    return may;
  }
  /// Queues with an operation in flight that writes some of the registers, and when the youngest of each was issued.
  struct Writers {
    Queues queues = 0;
    std::array<uint32_t, maximumCounters + 16> youngest; ///< by bit of `queues`
  };
  Writers writersOf(llvm::ArrayRef<RegRange> ranges);
  Queue &queueAt(unsigned bit) LLVM_LIFETIME_BOUND {
    return bit < maximumCounters ? inOrder[Counter(bit)] : unordered[bit - maximumCounters];
  }
  /// The count that finishes the youngest write-back; there is one.
  WaitCount countOfWriteBack() const { return WaitCount(inOrder[writeBackCounter].clock - (writeBack - 1)); }
  bool isFlatPending() const {
    return llvm::any_of(unordered, [](const Unordered &queue) { return isFlat(queue.kind) && queue.isPending(); });
  }
  const Queue &queueOf(const LdsAccess &access) const LLVM_LIFETIME_BOUND { return inOrder[access.counter]; }
  /// How many younger operations its counter has that finish after it.
  uint32_t ageOf(const LdsAccess &access) const { return queueOf(access).clock - access.stamp; }
  void wait(const WaitCounts &counts);
  /// One that the program has and that may go: what it waits for is done in the program alone.
  void waitInProgram(const WaitCounts &counts) { order.waitInProgram(counts, clocks()); }
  /// The counts that finish what the program has waited for of these kinds (bits of Access) and this code hasn't.
  WaitCounts waitedInProgram(uint16_t kinds) const { return order.waitedInProgram(kinds, clocks()); }
  /// The counts that finish all of these kinds.
  WaitCounts pending(uint16_t kinds) const { return order.pending(kinds, clocks()); }
  void issue(const Op &op, uint32_t index);
  void crossBarrier(uint32_t index);
  /// The halves of a split barrier: what is in flight at the signal is late for what follows the wait.
  void signalBarrier(uint32_t index);
  void waitAtBarrier();
  void commitGroup();

private:
  void findPending();
  void mark(Queue &queue, RegRange range, uint32_t time) {
    queue.mark(range, time);
    marked.insert(range);
  }
  void noteLds(const Op &op, uint32_t index);
  void finishSources(const WaitCounts &counts);
  void finishReads(const WaitCounts &counts);
  bool isCounterPending(Counter counter) const {
    return inOrder[counter].isPending() || llvm::any_of(unordered, [&](const Unordered &queue) {
             return queue.counter == counter && queue.isPending();
           });
  }
  void leaveOneOrder(Queues queues);
  void issueRegisters(const Op &op);
  void replaceByVectorAlu(const Op &op);
  void addLate(uint32_t barrier, bool isSignalled);
  void note(LdsAccesses &list, const LdsAccess &access);
  PerCounter<uint32_t> clocks() const {
    PerCounter<uint32_t> clocks;
    for (Counter counter : counters.all())
      clocks[counter] = inOrder[counter].clock;
    return clocks;
  }
  const Graph &graph;
  const CounterTable &counters;
  unsigned limit;
  std::array<Queues, orderClassCount> queuesOf{}; ///< by Kind: what its operations are in
  Queues sourceQueues = 0;                        ///< CounterInfo::isOfSources
  Queues aluQueues = 0;                           ///< CounterInfo::isOfAlu
  Queues inFlight = 0;                            ///< those with operations in flight
  /// By queue of what memory operations read: bits of the kinds that there are in it.
  PerCounter<uint32_t> readers;
  Translations translations;
  UnitSet marked; ///< of any queue
};

} // namespace inflight::waits
