// Orders of a tile's bytes in LDS.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <vector>

namespace inflight::lanes {

/// Exchanges pieces of 2^to bytes: bits of the address from bit `from` on are added, without carry, to those from `to`
/// on, and so are those from bit `again` on. Its own inverse, as what is added lies above where it is added.
struct Swizzle {
  unsigned from = 0, to = 0;
  uint64_t mask = 0; ///< 0: every byte stays where it is
  unsigned again = 0;
  uint64_t againMask = 0;
  uint64_t operator()(uint64_t byte) const {
    return byte ^ ((byte >> from & mask) << to) ^ ((byte >> again & againMask) << to);
  }
};

/// Swizzles of a tile of so many bytes that exchange pieces of 2^leastTo bytes or more, which `keeps` allows to, by up
/// to `mostBits` bits. Those that move bytes least far come first; the one that moves none is the very first.
/// `addsTwice`: those that add the bits after the first ones, too, instead, by which accesses with different strides
/// are spread.
std::vector<Swizzle> swizzlesOf(unsigned bytes, unsigned leastTo, unsigned mostBits,
                                llvm::function_ref<bool(unsigned pieceBytes)> keeps, bool addsTwice = false);

} // namespace inflight::lanes
