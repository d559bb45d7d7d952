// Natural loops of a program's blocks, nested.
#pragma once

#include "program/Program.h"

namespace inflight::values {

struct Loop {
  uint32_t header = 0;
  int parent = -1;              ///< loop around it
  std::vector<uint32_t> blocks; ///< in order, inner loops' included, the header first
};

/// Blocks that lead to each other, within one loop or outside all, with more than one block to come in: no natural
/// loop. A loop that is entered in its middle, for one. The headers of loops inside are among the blocks, and so are
/// these loops' blocks.
struct Tangle {
  std::vector<uint32_t> blocks; ///< in order; comes after all blocks from which control comes in
};

/// Control flow within functions: a call is a step to after it. Only blocks that functions reach.
class Flow {
public:
  explicit Flow(const Program &program);

  struct Step {
    uint32_t to;
    EdgeKind kind;
    bool isCall; ///< over a call to where it returns
  };
  llvm::ArrayRef<Step> steps(uint32_t block) const LLVM_LIFETIME_BOUND {
    return llvm::ArrayRef(allSteps).slice(firstStep[block], firstStep[block + 1] - firstStep[block]);
  }
  llvm::ArrayRef<uint32_t> order() const LLVM_LIFETIME_BOUND { return reversePostOrder; }
  unsigned position(uint32_t block) const { return positions[block]; } ///< ~0 when not reached
  bool isEntry(uint32_t block) const { return entryOf[block] != ~0u; }
  static constexpr uint32_t several = ~1u;
  uint32_t functionAt(uint32_t block) const { return entryOf[block]; } ///< that begins there
  llvm::ArrayRef<Loop> loops() const LLVM_LIFETIME_BOUND { return theLoops; }
  int loopOf(uint32_t block) const { return innermost[block]; } ///< -1 when in none
  int loopHeadedBy(uint32_t block) const {
    return innermost[block] >= 0 && theLoops[innermost[block]].header == block ? innermost[block] : -1;
  }
  bool contains(int loop, uint32_t block) const;
  bool dominates(uint32_t a, uint32_t b) const; ///< of blocks that are reached
  /// Goes back to a block that doesn't dominate: not a natural loop.
  bool isIrregular(uint32_t from, uint32_t to) const;
  bool hasIrregular(uint32_t to) const { return irregular[to]; }
  llvm::ArrayRef<Tangle> tangles() const LLVM_LIFETIME_BOUND { return theTangles; }
  /// Of a block, or of the loop that it heads, within the loop around; -1: none, or one that is entered from outside
  /// the program's view.
  int tangleOf(uint32_t block) const { return tangleAt[block]; }

private:
  void findOrder(const Program &program);
  void findDominators();
  void findLoops();
  void findTangles();
  int levelOf(uint32_t block) const; ///< the loop in which the block, or the loop that it heads, stands

  std::vector<Step> allSteps;
  std::vector<uint32_t> firstStep, reversePostOrder, positions, entryOf, dominator;
  std::vector<std::vector<uint32_t>> froms;
  std::vector<unsigned> treeIn, treeOut;
  std::vector<Loop> theLoops;
  std::vector<Tangle> theTangles;
  std::vector<int> innermost, tangleAt;
  std::vector<bool> irregular;
};

} // namespace inflight::values
