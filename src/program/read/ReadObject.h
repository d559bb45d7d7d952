// Relocatable objects and linked code objects as programs.
#pragma once

#include "program/Program.h"
#include "llvm/Support/MemoryBuffer.h"

namespace inflight {

/// `bytes` is an ELF file, which `owner` keeps as long as the program is there; without one they are copied. `chip`,
/// when not empty, must be its chip. `entry` is that of the fat binary it is from.
llvm::Expected<std::unique_ptr<Program>> readObject(llvm::StringRef bytes,
                                                    std::shared_ptr<const llvm::MemoryBuffer> owner,
                                                    llvm::StringRef name, llvm::StringRef chip, uint32_t entry = 0);

} // namespace inflight
