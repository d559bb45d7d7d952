// What a mnemonic says of an instruction, whatever its encoding and chip.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace inflight {

/// One member for each line of Traits.def.
struct Traits {
#define TRAIT(member, patterns, meaning) bool member : 1 = false;
#include "isa/instr/Traits.def"
#undef TRAIT
};

/// The traits of a mnemonic without encoding suffix.
Traits traitsOf(llvm::StringRef mnemonic);

/// The traits' names, and which of them `traits` has.
llvm::ArrayRef<llvm::StringRef> traitNames();
bool hasTrait(const Traits &traits, size_t number);

} // namespace inflight
