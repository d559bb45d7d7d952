// Quotes and comments that a text leaves open.
#pragma once

#include "isa/Isa.h"

namespace inflight {

/// An error when a quote or comment is left open: LLVM 22's parser doesn't always find the end of the text then.
llvm::Error checkOpenQuotes(const Isa &isa, llvm::StringRef text, llvm::StringRef name);

} // namespace inflight
