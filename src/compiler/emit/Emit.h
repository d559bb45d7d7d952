// Allocated LIR to a complete assembly file: code, kernel descriptor and metadata.
#pragma once

#include "compiler/lir/Lir.h"
#include <string>

namespace inflight::lir {

/// The assembly file for `functions` (all of one chip), as `inflight asm` reads it.
std::string emitAssembly(llvm::ArrayRef<const Function *> functions);

/// The code of one kernel alone: labels and instructions.
std::string emitBody(const Function &function);

} // namespace inflight::lir
