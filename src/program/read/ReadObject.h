// Relocatable objects and linked code objects as programs.
#pragma once

#include "program/Program.h"

namespace inflight {

/// `bytes` is an ELF file. `chip`, when not empty, must be its chip. `entry` is that of the fat binary it is from.
llvm::Expected<std::unique_ptr<Program>> readObject(llvm::StringRef bytes, llvm::StringRef name, llvm::StringRef chip,
                                                    uint32_t entry = 0);

} // namespace inflight
