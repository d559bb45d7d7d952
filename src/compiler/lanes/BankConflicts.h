// What the banks of LDS make of accesses.
#pragma once

#include "compiler/lanes/LaneTable.h"
#include "isa/chip/LdsRules.h"
#include "llvm/ADT/DenseMap.h"

namespace inflight::lanes {

/// Counts conflicts of a workgroup of whole waves, by the chip's rules. Knows patterns that it has met.
class BankConflicts {
public:
  BankConflicts(unsigned lanes, const LdsRules &rules LLVM_LIFETIME_BOUND) : lanes(lanes), rules(rules) {}
  /// Cycles that all waves' accesses of `bytes` bytes at each lane's address wait for banks, beyond those of accesses
  /// without conflicts.
  unsigned of(const LaneTable &addresses, unsigned bytes, bool isWrite);

private:
  unsigned lanes;
  const LdsRules &rules;
  llvm::DenseMap<size_t, unsigned> known; ///< by the hash of a wave's pattern
};

} // namespace inflight::lanes
