// What LLVM 22's assembler doesn't stand in a text.
#pragma once

#include "isa/Isa.h"

namespace inflight {

/// An error when a quote or comment is left open, where the parser may look for its end for ever, or when metadata is no
/// YAML, where it may read through a null pointer.
llvm::Error guardAssembler(const Isa &isa, llvm::StringRef text, llvm::StringRef name);

} // namespace inflight
