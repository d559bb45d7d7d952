// The name of an instruction as a number, so that a misspelt one doesn't compile.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace inflight {

/// One enumerator for each mnemonic, without encoding suffix: Mnemonic::v_add_f32 is v_add_f32_e32, _e64, _sdwa and
/// _dpp.
enum class Mnemonic : uint16_t {
  none,               ///< a mnemonic of other chips
#define M(name) name, // NOLINT(bugprone-macro-parentheses): an enumerator has none
#include "isa/instr/Mnemonics.def"
#undef M
};

/// Mnemonic::none counted.
inline constexpr size_t mnemonicCount = 1
#define M(name) +1 // NOLINT(bugprone-macro-parentheses): a term of the sum
#include "isa/instr/Mnemonics.def"
#undef M
    ;

/// The mnemonic of that name, or Mnemonic::none. Encoding suffixes are not taken off.
Mnemonic mnemonicOf(llvm::StringRef name);

/// "v_add_f32". Empty for Mnemonic::none.
llvm::StringRef nameOf(Mnemonic mnemonic);

} // namespace inflight
