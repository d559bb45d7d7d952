// What may be in flight at one point, in two forms: ages, in which states of several paths meet, and times of issue,
// which don't change while a block is walked.
#pragma once

#include "waits/Graph.h"
#include "waits/OrderState.h"
#include "llvm/ADT/bit.h"

namespace inflight::waits {

inline constexpr uint8_t notPending = 255, oldest = 254;

/// An LDS access that is not known to be done.
struct LdsAccess {
  Region region = 0;
  uint32_t op = 0;         ///< in Graph::ops
  uint32_t barrier = ~0u;  ///< late accesses: the barrier that it was in flight at, in Graph::ops
  uint32_t stamp = 0;      ///< its age (in State, and at the barrier for late ones) or time of issue (in Walk)
  bool writes = false, isDma = false, isFlat = false, isApart = false;
};
using LdsAccesses = llvm::SmallVector<LdsAccess, 4>;

/// A register unit that may still be written, and the age of the youngest operation that does.
struct UnitAge {
  RegUnit unit;
  uint8_t age;
  uint8_t bits = 0; ///< out of order: which counters have to come to 0
  bool operator==(const UnitAge &) const = default;
};
/// Sorted by unit.
using UnitAges = llvm::SmallVector<UnitAge, 0>;

/// Between blocks.
struct State {
  bool isReached = false;
  bool isSmemPending = false, isMessagePending = false;
  bool isFlatOnVm = false, isFlatOnLgkm = false;
  uint8_t vmOutstanding = 0, ldsOutstanding = 0; ///< most operations of the class that may be
  uint8_t writeBack = notPending;                ///< age of the youngest
  UnitAges vm, lds, other;
  static constexpr uint8_t smemBit = 1, flatVmBit = 2, flatLgkmBit = 4;
  LdsAccesses dma, accesses, late;
  OrderState order;

  /// Takes what may be pending in `from` too; whether that changed anything. Regions go `across` from block to block;
  /// `isBack`: on a way that closes a loop.
  bool meet(const State &from, const Graph &graph, uint32_t fromBlock, uint32_t toBlock, bool isBack = false);
};

/// While a block is walked. Time never goes back: what an earlier block issued is finished for all that follow.
class Walk {
public:
  explicit Walk(const Graph &graph);
  void enter(const State &state);
  /// Everything may be in flight.
  void enterOpen();
  void leave(State &state) const;
  State leave() const {
    State state;
    leave(state);
    return state;
  }

  struct InOrder {
    uint32_t clock = 0, done = 0; ///< issued, and known to be finished
    std::vector<uint32_t> birth;  ///< by register unit; pending if later than `done`
    std::vector<uint64_t> marked; ///< a bit for each unit written since the block was entered or pending then
    bool isPending() const { return clock != done; }
    void finish(unsigned outstanding) {
      if (outstanding < clock - done)
        done = clock - outstanding;
    }
    uint32_t youngest(RegRange range) const {
      uint32_t result = 0;
      for (unsigned unit = range.first; unit < unsigned(range.first + range.count); ++unit)
        result = std::max(result, birth[unit]);
      return result;
    }
    void mark(unsigned unit, uint32_t time) {
      birth[unit] = time;
      marked[unit / 64] |= uint64_t(1) << unit % 64;
    }
    /// A new block, in which so many operations from before may be outstanding.
    void start(unsigned outstanding);
    /// Calls `visit(unit)` for the pending ones, in order.
    template <typename Visit> void forEachPending(Visit visit) const {
      for (size_t word = 0; word < marked.size(); ++word)
        for (uint64_t bits = marked[word]; bits; bits &= bits - 1)
          if (const unsigned unit = word * 64 + llvm::countr_zero(bits); birth[unit] > done)
            visit(unit);
    }
  };
  InOrder vm, lds, smem, flatOnVm, flatOnLgkm; ///< the last three count alone; finished by a wait for 0
  bool isMessagePending = false;
  uint32_t writeBack = 0;      ///< vm.clock when the youngest was issued, plus 1; 0: none
  LdsAccesses dma, accesses, late;
  OrderWalk order;

  bool isNothingPending() const {
    return !vm.isPending() && !lds.isPending() && !smem.isPending() && !isFlatPending() && !isMessagePending && !writeBack;
  }
  bool isFlatPending() const { return flatOnVm.isPending() || flatOnLgkm.isPending(); }
  /// s_waitcnt with at most so many outstanding; 255: not waited for.
  void wait(unsigned vmcnt, unsigned lgkmcnt);
  /// One that the program has and that may go: what it waits for is done in the program alone.
  void waitInProgram(unsigned vmcnt, unsigned lgkmcnt);
  /// The counts that finish what the program has waited for of these kinds (bits of Access) and this code hasn't; 255: nothing.
  std::pair<unsigned, unsigned> waitedInProgram(uint16_t kinds) const;
  /// The counts that finish all of these kinds.
  std::pair<unsigned, unsigned> pending(uint16_t kinds) const;
  void issue(const Op &op, uint32_t index);
  void crossBarrier(uint32_t index);

private:
  void note(LdsAccesses &list, const LdsAccess &access);
  const Graph &graph;
  unsigned limit;
};

} // namespace inflight::waits
