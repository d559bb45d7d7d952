// What the banks of LDS make of accesses.
#pragma once

#include "compiler/lanes/LaneTable.h"
#include "compiler/lanes/Swizzle.h"
#include "isa/chip/LdsRules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <vector>

namespace inflight::lanes {

/// Accesses of a workgroup of whole waves whose conflicts are counted by the chip's rules with many orders of a tile's
/// bytes; what is alike is counted once.
class AccessPatterns {
public:
  AccessPatterns(unsigned lanes, const LdsRules &rules LLVM_LIFETIME_BOUND) : lanes(lanes), rules(rules) {}
  void add(const LaneTable &addresses, unsigned bytes, bool isWrite);
  /// Cycles that all waves' accesses wait for banks, beyond those of accesses without conflicts; exactly if they are
  /// fewer than `enough`. Pieces that the swizzle exchanges are no smaller than dwords and the accesses.
  unsigned conflictsWith(const Swizzle &swizzle, unsigned enough = ~0u);

private:
  struct Pattern {
    std::array<uint64_t, waveLanes> addresses;
    uint64_t used = 0; ///< bits that some address has
    unsigned bytes = 0;
    bool isWrite = false;
    bool isAligned = false; ///< to their size, a power of two, of as many banks
    /// Where the accesses begin, without those of the same words, by the groups of lanes that the banks serve together;
    /// and where the groups end.
    llvm::SmallVector<uint64_t, waveLanes> starts{};
    llvm::SmallVector<unsigned, 8> ends{};
    unsigned count = 1;                         ///< waves with it
    llvm::DenseMap<uint64_t, unsigned> known{}; ///< conflicts, by what swizzles do to the used bits
  };
  void group(Pattern &pattern);
  unsigned conflictsWith(const Swizzle &swizzle, Pattern &pattern);

  unsigned lanes;
  const LdsRules &rules;
  std::vector<Pattern> patterns;
};

} // namespace inflight::lanes
