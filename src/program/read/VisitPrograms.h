// The programs of a file, one after the other: none of them stays longer than its visitor wants.
#pragma once

#include "program/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight {

/// As readPrograms. The visitor gets each program's own bytes, too: the code object's, the assembly. Its error ends it.
llvm::Error visitPrograms(llvm::StringRef bytes, llvm::StringRef name, llvm::StringRef chip,
                          llvm::function_ref<llvm::Error(std::unique_ptr<Program>, llvm::StringRef)> visit);

} // namespace inflight
