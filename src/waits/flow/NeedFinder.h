// What the operations of a block need, walked from what may be in flight at its entry.
#pragma once

#include "waits/flow/Needs.h"
#include "waits/flow/State.h"
#include "llvm/ADT/DenseMap.h"
#include <array>

namespace inflight::waits {

class NeedFinder {
public:
  NeedFinder(const Graph &graph LLVM_LIFETIME_BOUND, const EngineOptions &options);

  /// Notes what is missing in the block. What barriers must wait for, as accesses after them showed, stays noted.
  void walkBlock(uint32_t b, const State &entry, std::vector<Need> &found);
  /// What may be in flight at the end of the block that was walked.
  void leave(State &exit) { walk.leave(exit); }
  State afterWait(const State &state, const WaitCounts &counts);
  /// What may be in flight where a caller isn't known.
  State openEntry() {
    walk.enterOpen();
    return walk.leave();
  }
  /// Nothing was found, as what waves at other barriers do matters: EngineOptions::partnersIfFound.
  bool partnersMatter() const { return needsPartners; }
  /// Whether barriers wait for something.
  bool hasDrains() const { return !drains.empty(); }
  /// How often it showed that a barrier must wait for more.
  size_t drainChanges() const { return changes; }
  /// Walks fill it from now on, if there is one.
  void notePendingIn(Guarantees *into) { guarantees = into; }

private:
  /// What a barrier has to wait for, as accesses after it showed.
  struct Drain {
    WaitCounts counts, certain;
    Need::Conflicts conflicts;
    bool isAsStrictAs(const Drain &other) const { return counts == other.counts && certain == other.certain; }
  };

  void findPolls();
  void looksAt(uint32_t op);
  void step(uint32_t b, uint32_t i, std::vector<Need> &found);
  void judge(uint32_t b, uint32_t i, std::vector<Need> &found);
  /// Fills `needOf`, which are empty.
  void needAll(const Op &op, uint32_t index);
  void leaveReadSources(Need &need, const Op &op);
  void needRegisters(Need &need, const Op &op, llvm::ArrayRef<RegRange> ranges, bool isWrite);
  void waitAsHardware(const Op &op);
  /// What the program has waited for before it, as other waves could tell.
  void needOrder(Need &need, const Op &op);
  /// What other waves look at when they see what it writes.
  Overlap overlapWithPolls(const Op &op);
  void needPublication(Need &need, const Op &op);
  void needFence(Need &need, const Op &op);
  void needGroups(Need &need, const Op &op);
  void needLds(const Op &op, uint32_t index);
  /// What a need is about that has the access done before another one touches its bytes.
  About aboutOf(const LdsAccess &access, bool isUserDma) const;
  void needDrains(uint32_t index);
  bool isStricter(const WaitCounts &counts, const WaitCounts &certain, const LdsAccess &access, uint32_t age) const;
  void meetLate(const LdsAccess &access, uint32_t barrier, uint32_t age, uint32_t conflict,
                llvm::function_ref<Overlap()> overlapWith);
  void meetPartners(uint32_t barrier);
  /// The counter that an access is counted on.
  Counter counterOf(const LdsAccess &access) const { return access.counter; }
  /// The count of its counter that finishes an access of that age, and, where the program's own waits guarantee
  /// something, the one before `op`, which is no stricter.
  WaitCount leastFinishing(const LdsAccess &access, uint32_t age) const;
  WaitCount finishing(const LdsAccess &access, uint32_t age, uint32_t op, Overlap overlap) const;
  /// The count, but none stricter than what is left outstanding.
  WaitCount atLeast(Counter counter, unsigned left, WaitCount count) const;
  void leaveMissing(Need &need, uint32_t op) const;
  /// For operations of these ages.
  WaitCounts countsFor(const WaitCounts &ages) const;

  const Graph &graph;
  EngineOptions options;
  const Partners *partners = nullptr;
  bool watchesForPartners = false, needsPartners = false;
  Walk walk;
  std::array<Need, aboutCount> needOf;                            ///< of the operation that is looked at, by About
  std::vector<bool> isLookedAt;                                   ///< by op: whatever it is; empty: none
  llvm::DenseMap<uint32_t, std::array<Drain, aboutCount>> drains; ///< by barrier op
  size_t changes = 0;                                             ///< of them
  std::vector<Region> polls;                                      ///< that loops read in LDS that wait for another wave
  llvm::DenseMap<std::pair<Region, unsigned>, Overlap> pollOverlaps; ///< by region and whether it is noalias
  unsigned pollQuestions;                                            ///< that may still be asked
  bool waitsForSome = false;        ///< some wait of the program leaves memory operations in flight
  Guarantees *guarantees = nullptr; ///< filled by walks when set
};

} // namespace inflight::waits
