// Files that verbs run or describe: code objects, objects, fat binaries, and assembly.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inflight::cli {

/// Reads `path` ("-": standard input). Assembly comes as the code object that `inflight asm -g` makes of it, for `chip`
/// or, where that is empty, what its .amdgcn_target says. Errors say what else a file is and which verb takes it.
llvm::Expected<std::string> readCodeFile(llvm::StringRef path, llvm::StringRef chip);

} // namespace inflight::cli
