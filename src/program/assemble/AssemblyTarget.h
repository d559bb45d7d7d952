// What assembly says it is for.
#pragma once

#include "isa/Isa.h"
#include "object/TargetId.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace inflight {

/// The target that the first .amdgcn_target names.
TargetId targetOf(llvm::StringRef text);

/// The instructions of a text for `chip`: of a chip with both sizes of waves, for the one that its kernels say.
llvm::Expected<const Isa *> isaOf(llvm::StringRef chip, llvm::StringRef text);

/// Whether a kernel or metadata of the text says how many lanes waves have.
bool saysWaveSize(llvm::StringRef text);

/// What the assembler is to know of the text beside the chip: what its target says, and whether it names halves of
/// registers. Older compilers' text for chips that have them doesn't.
std::string featuresOf(const Isa &isa, llvm::StringRef text);

/// A copy of the text for LLVM's parser, which knows one spelling of a target: directives that say the same in another
/// are blank in it, and functions of newer assemblers are written out. All else stands where it stood.
std::unique_ptr<llvm::MemoryBuffer> copyForParser(llvm::StringRef text, llvm::StringRef name, llvm::StringRef chip);

} // namespace inflight
