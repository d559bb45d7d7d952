// The immediate by which S_SETREG and S_GETREG name bits of a hardware register.
#pragma once

#include <cstdint>

namespace inflight {

/// ISA manuals, S_SETREG_B32: ID in bits 5:0, the first bit in 10:6, how many less one in 15:11.
struct HwRegField {
  static constexpr unsigned mode = 1;       ///< id of MODE
  static constexpr unsigned schedMode = 26; ///< id of SCHED_MODE from gfx12 on (LLVM, SIDefines.h, ID_SCHED_MODE)
  /// DEP_MODE in SCHED_MODE: which registers' dependencies the hardware doesn't look at.
  static constexpr unsigned depModeBits = 2;
  unsigned id = 0, first = 0, count = 0;

  static HwRegField of(uint64_t immediate) {
    return {unsigned(immediate & 63), unsigned(immediate >> 6 & 31), unsigned(immediate >> 11 & 31) + 1};
  }
  uint64_t encode() const { return id | first << 6 | (count - 1) << 11; }
  bool isOfMode() const { return id == mode; }
  bool isOfDepMode() const { return id == schedMode && first < depModeBits; }
  bool hasBit(unsigned bit) const { return first <= bit && bit < first + count; }
};

} // namespace inflight
