// Which operations may be in flight at each point, and the weakest waits that make a program
// correct.
//
// The analysis sees a control-flow graph of *operations*: what each reads, writes and counts on.
// Assembly files, code objects and the compiler's own output are all described this way.
//
// State at a point: for each register unit that a pending load may still write, its *age*, the least
// number, over all paths, of operations of its own in-order class issued after it. Vector memory
// returns in order and so does LDS (ISA manuals, S_WAITCNT); scalar memory does not. An operation of
// age N is finished after a wait for at most N on its counter, whatever else is pending there:
// operations of another class can only make the counter larger. Scalar loads need a wait for 0.
// States meet by taking the least age; the fixpoint is reached because ages only fall.
#pragma once

#include "isa/Isa.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace inflight::waits {

/// The in-order class that an operation's completion belongs to.
enum class Kind : uint8_t {
  None,      ///< nothing in flight after it issues
  Vmem,      ///< vmcnt; writes registers
  LdsDma,    ///< vmcnt; writes LDS
  Lds,       ///< lgkmcnt, in order
  Smem,      ///< lgkmcnt, out of order
  Flat,      ///< both counters, out of order
  Message,   ///< lgkmcnt, out of order, no result
};

struct Operation {
  Kind kind = Kind::None;
  llvm::SmallVector<RegRange, 4> reads, writes;
  bool readsLds = false;     ///< needs LDS DMA in flight to these bytes to have landed
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
