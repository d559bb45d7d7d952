// Newer chips' names of instructions that gfx9 has.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace inflight {

/// gfx9's name of the same instruction (Renamed.def); without one, the name itself.
llvm::StringRef olderName(llvm::StringRef mnemonic);

} // namespace inflight
