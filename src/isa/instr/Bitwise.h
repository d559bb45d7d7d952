// The logic that scalar instructions do bit by bit.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace inflight {

enum class Bitwise : uint8_t {
  None,
  Copy,
  Not,
  And,
  Or,
  Xor,
  AndNot,
  OrNot,
  NotAnd,
  NotOr,
  NotXor,
  NotFirstAnd, ///< s_andn1_*: ~a & b
  NotFirstOr,
};

/// Of a scalar mnemonic: "s_mov_b32", "s_andn2_b64", "s_or_saveexec_b64" (source and EXEC), "s_andn1_wrexec_b64".
Bitwise bitwiseOf(llvm::StringRef mnemonic);

/// Its result for words or masks `a` and `b`; Copy and Not look at `a` alone. None isn't allowed.
template <typename T> T applyBitwise(Bitwise operation, T a, T b) {
  switch (operation) {
  case Bitwise::None: break;
  case Bitwise::Copy: return a;
  case Bitwise::Not: return ~a;
  case Bitwise::And: return a & b;
  case Bitwise::Or: return a | b;
  case Bitwise::Xor: return a ^ b;
  case Bitwise::AndNot: return a & ~b;
  case Bitwise::OrNot: return a | ~b;
  case Bitwise::NotAnd: return ~(a & b);
  case Bitwise::NotOr: return ~(a | b);
  case Bitwise::NotXor: return ~(a ^ b);
  case Bitwise::NotFirstAnd: return ~a & b;
  case Bitwise::NotFirstOr: return ~a | b;
  }
  return a;
}

} // namespace inflight
