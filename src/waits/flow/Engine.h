// Which operations may be in flight at each point, and what that makes necessary.
//
// State at a point: for each register unit that a pending load may still write, its *age*, the least
// number, over all paths, of operations of its own in-order class issued after it. Vector memory
// returns in order and so does LDS (ISA manuals, S_WAITCNT); scalar memory does not, and FLAT is in order
// with nothing. An operation of age N is finished after a wait for at most N on its counter, whatever else is
// pending there: operations of another class can only make the counter larger. Scalar loads need a wait
// for 0, FLAT one for 0 on both counters. States meet by taking the least age; the fixpoint is reached
// because ages only fall.
//
// LDS bytes are followed the same way: DMA that may still write some (vmcnt), LDS accesses that may still read or write
// some (lgkmcnt), and accesses that were in flight when their wave came to a barrier, so that other waves, past the
// barrier, may meet them.
#pragma once

#include "waits/flow/Needs.h"
#include "waits/flow/State.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <functional>
#include <map>

namespace inflight::waits {

class Engine {
public:
  Engine(const Graph &graph LLVM_LIFETIME_BOUND, const EngineOptions &options);

  /// Has the state at each block's end kept too, and what loops that were solved alone came by.
  void keepExits() {
    exits.resize(graph.blocks.size());
    memory.resize(graph.blocks.size());
    drainsSeen.resize(graph.blocks.size());
  }
  /// Finds the state at each block's entry.
  void solve();
  /// Nothing was found, as what waves at other barriers do matters: EngineOptions::partnersIfFound.
  bool needsPartners() const { return partnersMatter; }
  /// What is missing in these blocks, in their order.
  std::vector<Need> needs(llvm::ArrayRef<uint32_t> blocks) const;
  /// Solves anew with more waits between blocks.
  void solveWith(llvm::ArrayRef<EdgeWait> waits) {
    for (const EdgeWait &wait : waits)
      edges[{wait.from, wait.to}] = wait;
    solve();
  }
  /// Solves a loop alone, as if it were entered in that state, and gives its needs. The states of its blocks change.
  std::vector<Need> solveWithin(llvm::ArrayRef<uint32_t> body, uint32_t header, const State &start);

  void notePending(Guarantees &into);
  bool isReached(uint32_t block) const { return entry[block].isReached; }
  /// The state that control brings from one block to the next. Exits are kept.
  State exitTowards(uint32_t from, uint32_t to) { return along(exits[from], from, to); }
  State afterWait(const State &state, const WaitCounts &counts);
  /// What the block would need, entered in that state.
  std::vector<Need> needsFrom(uint32_t block, const State &state);
  const State &entryOf(uint32_t block) const LLVM_LIFETIME_BOUND { return entry[block]; }
  llvm::ArrayRef<Need> needsOf(uint32_t block) const LLVM_LIFETIME_BOUND { return found[block]; }
  /// What is known of one block.
  struct Solution {
    uint32_t block;
    State entry, exit;
    std::vector<Need> needs;
    size_t drainChanges = 0; ///< before it was found
  };
  /// Leaves nothing known. Exits are kept.
  Solution take(uint32_t block) {
    return {block, std::move(entry[block]), std::move(exits[block]), std::exchange(found[block], {}),
            drainsSeen[block]};
  }
  void restore(Solution solution) {
    entry[solution.block] = std::move(solution.entry);
    exits[solution.block] = std::move(solution.exit);
    found[solution.block] = std::move(solution.needs);
    drainsSeen[solution.block] = solution.drainChanges;
  }
  /// Solving a loop alone, the block isn't walked again when it is entered in the same state.
  void remember(uint32_t block);
  /// Whether barriers wait for something. What they wait for isn't restored.
  bool hasDrains() const { return !drains.empty(); }
  /// Called at each visit of solve(), when set: round, block, and the states at its beginning and end.
  std::function<void(uint32_t, uint32_t, const State &, const State &)> onVisit;

private:
  static constexpr unsigned maximumRounds = 16;
  /// What a barrier has to wait for, as accesses after it showed.
  struct Drain {
    WaitCounts counts, certain;
    Need::Conflicts conflicts;
    bool isAsStrictAs(const Drain &other) const { return counts == other.counts && certain == other.certain; }
  };

  void findStates(llvm::ArrayRef<uint32_t> order, llvm::ArrayRef<uint32_t> roots, bool remembers = false);
  bool recall(uint32_t block);
  void findPolls();
  void looksAt(uint32_t op);
  void walkBlock(uint32_t b);
  void step(uint32_t b, uint32_t i);
  void judge(uint32_t b, uint32_t i);
  State along(const State &exit, uint32_t from, uint32_t to);
  /// Fills `needOf`, which are empty.
  void needAll(const Op &op, uint32_t index);
  void needRegisters(Need &need, const Op &op, llvm::ArrayRef<RegRange> ranges, bool isWrite);
  /// What the program has waited for before it, as other waves could tell.
  void needOrder(Need &need, const Op &op);
  /// What other waves look at when they see what it writes.
  Overlap overlapWithPolls(const Op &op);
  void needPublication(Need &need, const Op &op);
  void needFence(Need &need, const Op &op);
  void needGroups(Need &need, const Op &op);
  void needLds(const Op &op, uint32_t index);
  /// What a need is about that has the access done before `user` touches its bytes.
  About aboutOf(const LdsAccess &access, const Op &user) const;
  void needDrains(uint32_t index);
  bool isStricter(const WaitCounts &counts, const WaitCounts &certain, const LdsAccess &access, uint32_t age) const;
  void meetLate(const LdsAccess &access, uint32_t barrier, uint32_t age, uint32_t conflict,
                llvm::function_ref<Overlap()> overlapWith);
  void meetPartners(uint32_t barrier);
  /// The counter that an access is counted on.
  Counter counterOf(const LdsAccess &access) const { return access.isDma ? walk.dmaCounter : walk.ldsCounter; }
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
  bool watchesForPartners = false, partnersMatter = false;
  Walk walk;
  std::array<Need, aboutCount> needOf;                            ///< of the operation that is looked at, by About
  std::vector<bool> isLookedAt;                                   ///< by op: whatever it is; empty: none
  std::vector<State> entry;                                       ///< by block
  std::vector<State> exits;                                       ///< by block, as it was walked last; empty: not kept
  std::vector<std::vector<Need>> found;                           ///< by block, as it was walked last
  llvm::DenseMap<uint32_t, std::array<Drain, aboutCount>> drains; ///< by barrier op
  size_t drainChanges = 0;
  std::vector<size_t> drainsSeen; ///< by block: `drainChanges` before it was walked last; when exits are kept
  /// By block: solutions that it had, the next one to go first. Loops in loops come to the same again and again.
  std::vector<llvm::SmallVector<Solution, 0>> memory;
  std::map<std::pair<uint32_t, uint32_t>, EdgeWait> edges;
  std::vector<Region> polls; ///< that loops read in LDS that wait for another wave
  llvm::DenseMap<std::pair<Region, unsigned>, Overlap> pollOverlaps; ///< by region and whether it is noalias
  std::vector<uint32_t> place;                                       ///< of a block in the order that is solved
  bool waitsForSome = false; ///< some wait of the program leaves memory operations in flight
  bool isDrainNew = false;
  Guarantees *guarantees = nullptr; ///< filled by walks when set
  unsigned round = 0;
};

} // namespace inflight::waits
