// LIR from the text that print() makes: for tests of one pass.
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/Support/Error.h"

namespace inflight::lir {

/// What an instruction does when its text says nothing else: memory, side effects and implicit operands by its opcode.
void setDefaults(Inst &inst);

/// What print() calls by that name; None when nothing is.
Special specialNamed(llvm::StringRef name);
Pseudo pseudoNamed(llvm::StringRef name);

/// Reads one function. An error names the line. Registers in physical spelling stay physical.
llvm::Expected<Function> read(llvm::StringRef text);

} // namespace inflight::lir
