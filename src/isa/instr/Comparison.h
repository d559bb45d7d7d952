// What s_cmp_*, s_cmpk_* and v_cmp_* compare.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>

namespace inflight {

enum class Relation : uint8_t { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

/// A comparison of integers.
struct Comparison {
  Relation relation = Relation::Equal;
  uint8_t bits = 32; ///< 16, 32 or 64
  bool isSigned = false;
};

/// Of a mnemonic such as "s_cmp_lg_u64", "s_cmpk_lt_i32" or "v_cmp_ge_u16"; nothing for v_cmpx_*, floats and the rest.
std::optional<Comparison> comparisonOf(llvm::StringRef mnemonic);

} // namespace inflight
