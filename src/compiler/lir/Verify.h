// What every pass over LIR must keep true.
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/Support/Error.h"

namespace inflight::lir {

/// Block structure, registers within their tuples, operands that some encoding of the instruction takes (on virtual
/// registers by their file, width and alignment), and no value read that nothing on any path has defined. An error
/// names the first instruction that breaks a rule.
llvm::Error verify(const Function &function);

} // namespace inflight::lir
