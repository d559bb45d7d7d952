// Allocated LIR to a complete assembly file, or object: code, kernel descriptor and metadata.
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inflight::lir {

/// The assembly file for `functions` (all of one chip), as `inflight asm` reads it.
std::string emitAssembly(llvm::ArrayRef<const Function *> functions);

/// The relocatable object that this file would assemble to, without going through its text.
llvm::Expected<std::string> emitObject(llvm::ArrayRef<const Function *> functions, llvm::StringRef name);

/// The code of one kernel alone: labels and instructions.
std::string emitBody(const Function &function);

} // namespace inflight::lir
