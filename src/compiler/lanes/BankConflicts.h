// What the banks of LDS make of accesses.
#pragma once

#include "compiler/lanes/LaneTable.h"
#include "compiler/lanes/Swizzle.h"
#include "isa/chip/LdsRules.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace inflight::lanes {

/// Counts conflicts of a workgroup of whole waves, by the chip's rules. Knows patterns that it has met.
class BankConflicts {
public:
  BankConflicts(unsigned lanes, const LdsRules &rules LLVM_LIFETIME_BOUND) : lanes(lanes), rules(rules) {}
  /// Cycles that all waves' accesses of `bytes` bytes at each lane's address wait for banks, beyond those of accesses
  /// without conflicts.
  unsigned of(const LaneTable &addresses, unsigned bytes, bool isWrite);
  /// Of one wave's.
  unsigned ofWave(llvm::ArrayRef<uint64_t> addresses, unsigned bytes, bool isWrite);

private:
  unsigned lanes;
  const LdsRules &rules;
  llvm::DenseMap<size_t, unsigned> known; ///< by the hash of a wave's pattern
};

/// Accesses whose conflicts are counted with many orders of a tile's bytes; what is alike is counted once.
class AccessPatterns {
public:
  AccessPatterns(unsigned lanes, const LdsRules &rules LLVM_LIFETIME_BOUND)
      : lanes(lanes), rules(rules), conflicts(lanes, rules) {}
  void add(const LaneTable &addresses, unsigned bytes, bool isWrite);
  /// Conflicts of all of them, exactly if they are fewer than `enough`. Pieces that the swizzle exchanges are no
  /// smaller than the accesses.
  unsigned conflictsWith(const Swizzle &swizzle, unsigned enough = ~0u);

private:
  struct Pattern {
    std::array<uint64_t, waveLanes> addresses;
    uint64_t used = 0; ///< bits that some address has
    unsigned bytes = 0;
    bool isWrite = false;
    unsigned count = 1;                         ///< waves with it
    llvm::DenseMap<uint64_t, unsigned> known{}; ///< conflicts, by what swizzles do to the used bits
  };
  unsigned conflictsWith(const Swizzle &swizzle, Pattern &pattern);

  unsigned lanes;
  const LdsRules &rules;
  BankConflicts conflicts;
  std::vector<Pattern> patterns;
};

} // namespace inflight::lanes
