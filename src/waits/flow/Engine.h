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

#include "waits/flow/NeedFinder.h"
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
  bool needsPartners() const { return finder.partnersMatter(); }
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
  State afterWait(const State &state, const WaitCounts &counts) { return finder.afterWait(state, counts); }
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
  bool hasDrains() const { return finder.hasDrains(); }
  /// Called at each visit of solve(), when set: round, block, and the states at its beginning and end.
  std::function<void(uint32_t, uint32_t, const State &, const State &)> onVisit;

private:
  static constexpr unsigned maximumRounds = 16;

  void findStates(llvm::ArrayRef<uint32_t> order, llvm::ArrayRef<uint32_t> roots, bool remembers = false);
  bool recall(uint32_t block);
  State along(const State &exit, uint32_t from, uint32_t to);

  const Graph &graph;
  const bool fixesNeeds;
  NeedFinder finder;
  std::vector<State> entry;             ///< by block
  std::vector<State> exits;             ///< by block, as it was walked last; empty: not kept
  std::vector<std::vector<Need>> found; ///< by block, as it was walked last
  /// By block: NeedFinder::drainChanges() before it was walked last; when exits are kept.
  std::vector<size_t> drainsSeen;
  /// By block: solutions that it had, the next one to go first. Loops in loops come to the same again and again.
  std::vector<llvm::SmallVector<Solution, 0>> memory;
  std::map<std::pair<uint32_t, uint32_t>, EdgeWait> edges;
  std::vector<uint32_t> place; ///< of a block in the order that is solved
  unsigned round = 0;
};

} // namespace inflight::waits
