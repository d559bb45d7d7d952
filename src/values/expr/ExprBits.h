// What the operations on sums share.
#pragma once

#include "values/expr/Expr.h"
#include <bit>

namespace inflight::values {

/// Operations of AtomKind::Other that may become something better when their operands do.
enum OtherOperation : uint8_t { Mul = 200, MulHiVariable, MulHiSigned, ShiftLeft, ShiftRight, ShiftRightSigned };

inline unsigned topBit(uint32_t value) { return 31 - std::countl_zero(value); }
/// Bits 0 to n - 1.
inline uint32_t lowBits(unsigned n) { return n >= 32 ? ~0u : (1u << n) - 1; }

/// `factor` with 2^`shift` = magic division: what a * factor >> (32 + shift) divides by, for all a up to `greatest`; 0
/// if by nothing.
uint32_t divisorOf(uint32_t factor, unsigned shift, uint32_t greatest);

} // namespace inflight::values
