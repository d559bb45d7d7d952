// What may be in flight at one point, in two forms: ages, in which states of several paths meet, and times of issue,
// which don't change while a block is walked.
#pragma once

#include "waits/Graph.h"

namespace inflight::waits {

inline constexpr uint8_t notPending = 255, oldest = 254;

/// An LDS access that is not known to be done.
struct LdsAccess {
  Region region = 0;
  uint32_t op = 0;         ///< in Graph::ops
  uint32_t barrier = ~0u;  ///< late accesses: the barrier that it was in flight at, in Graph::ops
  uint32_t stamp = 0;      ///< its age (in State, and at the barrier for late ones) or time of issue (in Walk)
  bool writes = false, isDma = false, isFlat = false;
};
using LdsAccesses = llvm::SmallVector<LdsAccess, 4>;

/// Between blocks. Arrays are empty while nothing is pending.
struct State {
  bool isReached = false;
  bool isSmemPending = false, isMessagePending = false;
  bool isFlatOnVm = false, isFlatOnLgkm = false;
  uint8_t vmOutstanding = 0, ldsOutstanding = 0; ///< most operations of the class that may be
  uint8_t writeBack = notPending;                ///< age of the youngest
  std::vector<uint8_t> vm, lds;                  ///< ages by register unit
  std::vector<uint8_t> other;                    ///< bits by register unit
  static constexpr uint8_t smemBit = 1, flatVmBit = 2, flatLgkmBit = 4;
  LdsAccesses dma, accesses, late;

  /// Takes what may be pending in `from` too; whether that changed anything. Regions go `across` from block to block.
  bool meet(const State &from, const Graph &graph, uint32_t fromBlock, uint32_t toBlock);
};

/// While a block is walked.
class Walk {
public:
  explicit Walk(const Graph &graph);
  void enter(const State &state);
  /// Everything may be in flight.
  void enterOpen();
  State leave() const;

  struct InOrder {
    uint32_t clock = 0, done = 0; ///< issued, and known to be finished
    std::vector<uint32_t> birth;  ///< by register unit; pending if later than `done`
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
    void mark(RegRange range) { std::fill_n(birth.begin() + range.first, range.count, clock); }
  };
  InOrder vm, lds, smem, flat; ///< `smem` and `flat` count alone; finished by a wait for 0
  uint32_t flatDoneOnLgkm = 0; ///< flat.done is vmcnt's
  bool isMessagePending = false;
  uint32_t writeBack = 0;      ///< vm.clock when the youngest was issued, plus 1; 0: none
  LdsAccesses dma, accesses, late;

  bool isNothingPending() const {
    return !vm.isPending() && !lds.isPending() && !smem.isPending() && !isFlatPending() && !isMessagePending && !writeBack;
  }
  bool isFlatPending() const { return flat.clock != std::min(flat.done, flatDoneOnLgkm); }
  /// s_waitcnt with at most so many outstanding; 255: not waited for.
  void wait(unsigned vmcnt, unsigned lgkmcnt);
  void issue(const Op &op, uint32_t index);
  void crossBarrier(uint32_t index);

private:
  void note(LdsAccesses &list, const LdsAccess &access);
  void growTo(const State &state);
  const Graph &graph;
  unsigned limit;
};

} // namespace inflight::waits
