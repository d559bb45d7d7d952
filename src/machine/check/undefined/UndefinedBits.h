// Which bits of a result are undefined, given the sources' values and undefined bits.
#pragma once

#include "machine/check/undefined/Flow.h"
#include <array>

namespace inflight::machine::check {

/// The part of a register that SDWA selects: bytes 0 to 3, words 0 and 1, all.
struct SdwaPart {
  unsigned shift;
  uint32_t mask;
};
inline SdwaPart sdwaPart(unsigned select) {
  return select < 4 ? SdwaPart{8 * select, 0xff} : select < 6 ? SdwaPart{16 * (select - 4), 0xffff} : SdwaPart{0, ~0u};
}

/// What becomes of the destination's other parts.
enum class DstUnused { Zero, SignExtend, Preserve };

/// A known zero makes a zero.
inline uint32_t undefinedAnd(uint32_t a, uint32_t ua, uint32_t b, uint32_t ub) {
  return (ua | ub) & ~((~a & ~ua) | (~b & ~ub));
}
/// A known one makes a one.
inline uint32_t undefinedOr(uint32_t a, uint32_t ua, uint32_t b, uint32_t ub) {
  return (ua | ub) & ~((a & ~ua) | (b & ~ub));
}

/// For 32-bit sources and result.
uint32_t undefinedResult(Rule rule, const Op &op, std::array<uint32_t, 3> value, std::array<uint32_t, 3> undefined);

} // namespace inflight::machine::check
