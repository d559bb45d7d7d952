// The programs of a file, one after the other: none of them stays longer than its visitor wants.
#pragma once

#include "program/Program.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight {

/// As readPrograms, but for `bytes`, which must outlive the programs: they aren't copied. The visitor gets each
/// program's own bytes, too: the code object's, the assembly. Its error ends it. `drop`, when given, is called whenever
/// what was looked at of the file needn't stay in memory.
llvm::Error visitPrograms(llvm::StringRef bytes, llvm::StringRef name, llvm::StringRef chip,
                          llvm::function_ref<llvm::Error(std::unique_ptr<Program>, llvm::StringRef)> visit,
                          llvm::function_ref<void()> drop = nullptr);

} // namespace inflight
