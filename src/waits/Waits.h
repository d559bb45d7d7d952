// The wait analysis for code that is not a Program yet: the compiler's.
#pragma once

#include "waits/Graph.h"

namespace inflight::waits {

struct Operation {
  Kind kind = Kind::None;
  llvm::SmallVector<RegRange, 4> reads, writes;
  bool readsLds = false; ///< needs LDS DMA in flight to these bytes to have landed
  bool writesLds = false;
  uint32_t ldsBegin = 0, ldsEnd = ~0u; ///< bytes of LDS it may touch, DMA included: [begin, end)
  /// Results of loads are written when they return; everything else is written at issue.
  bool asynchronous() const { return kind != Kind::None; }
  /// An existing wait (of the source); counters at their maximum are not waited for.
  bool isWait = false;
  WaitcntFields wait = {63, 7, 15};
  /// Everything this wave did to LDS, DMA included, must be done (release before a barrier).
  bool fencesLds = false;
  /// All memory operations must be done.
  bool fencesAll = false;
};

struct Block {
  std::vector<Operation> operations;
  llvm::SmallVector<unsigned, 2> successors;
};

/// A wait to be placed directly before an operation.
struct Placement {
  unsigned block, operation;
  WaitcntFields wait;
};

/// The weakest waits, right before the operations that need them, in order of block and operation.
std::vector<Placement> computeWaits(const TargetInfo &target, llvm::ArrayRef<Block> blocks);

} // namespace inflight::waits
