// Writes an ELF file with code that has moved.
#pragma once

#include "rewrite/PcRelative.h"

namespace inflight {

/// The file with the code of `layout`, all that refers to code following it.
llvm::Expected<std::string> moveObject(const ElfObject &elf, const CodeLayout &layout,
                                       llvm::ArrayRef<PcReference> references);

} // namespace inflight
