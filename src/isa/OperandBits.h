// Operands bit by bit: what LLVM's public tables don't name in them, which bits of its sources a vector instruction
// looks at, and which bits of its result it writes.
#pragma once

#include <cstdint>

namespace inflight {

struct CachePolicy;
struct InstrDesc;
class Isa;

/// The OP_SEL and OP_SEL_HI fields: a bit for each source, and bit 3 of OP_SEL for the result (ISA manuals, VOP3
/// encodings).
struct OpSel {
  unsigned low = 0, high = 0;
};

struct OperandBits {
  uint32_t used[3] = {~0u, ~0u, ~0u}; ///< of each source
  uint32_t written = ~0u;             ///< of the result; the others stay
  bool isHalf = false;                ///< 16 bits are computed, and what is written above them is zero
};
OperandBits operandBitsOf(const InstrDesc &desc, OpSel select);

/// How LLVM's tables mark an operand that holds a source's modifiers.
unsigned sourceModifiersType(const Isa &isa);

/// The immediate of a memory instruction's cache policy, and back.
int64_t cachePolicyBits(CachePolicy policy);
CachePolicy cachePolicyOf(int64_t bits);
/// The scope in the cache policy bits of gfx12 and later: 0 the compute unit, 1 a shader engine, 2 the device, 3 the
/// system.
unsigned scopeOf(int64_t bits);

} // namespace inflight
