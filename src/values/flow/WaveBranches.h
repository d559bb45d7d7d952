// Which branches the waves of a workgroup take alike, and where those that part come together again.
//
// Two waves that have come through the same blocks leave a block by the same edge when its condition is a function of
// what is the same for both: arguments, the workgroup's numbers, constants, and what scalar loads bring from addresses
// that are. Taken for granted: the memory that scalar loads read doesn't change while they may read it. Whatever isn't
// known to be the same is taken to differ, and so is, where waves that parted come together, every register that one of
// their paths writes.
#pragma once

#include "values/flow/Loops.h"
#include "values/flow/ScalarTerms.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"

namespace inflight::values {

class WaveBranches {
public:
  explicit WaveBranches(const Program &program);

  static constexpr uint32_t never = ~0u;
  /// Waves that come to the block in step leave it in step.
  bool isTakenAlike(uint32_t block) const { return !parts[block]; }
  /// Scalar registers that hold the same in waves that come to the end of a block in step from which they part.
  const ScalarTerms::Units &sameWhereParting(uint32_t block) const LLVM_LIFETIME_BOUND {
    return same.find(block)->second;
  }
  /// The first block that all paths from the end of this one lead to; `never` when there is none.
  uint32_t join(uint32_t block) const { return joins[block]; }
  /// Some path from the block ends.
  bool canEnd(uint32_t block) const { return ends[block]; }
  /// The blocks that control can come to from the end of `block` before its join.
  llvm::SmallVector<uint32_t, 16> beforeJoin(uint32_t block) const;
  const Flow flow; ///< calls are steps to after them

private:
  std::vector<uint32_t> findEnds();
  void findJoins();
  void addWritten(const Program &program, uint32_t block, llvm::BitVector &into) const;
  void findParting(const Program &program);

  std::vector<bool> parts, ends;
  std::vector<uint32_t> joins;
  llvm::DenseMap<uint32_t, ScalarTerms::Units> same; ///< by block from which waves part
};

} // namespace inflight::values
