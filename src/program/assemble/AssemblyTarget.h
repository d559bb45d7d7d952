// What assembly says it is for.
#pragma once

#include "object/TargetId.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace inflight {

/// The target that the first .amdgcn_target names.
TargetId targetOf(llvm::StringRef text);

/// A copy of the text for LLVM's parser, which knows one spelling of a target: directives that say the same in another
/// are blank in it. All else stands where it stood.
std::unique_ptr<llvm::MemoryBuffer> copyForParser(llvm::StringRef text, llvm::StringRef name, llvm::StringRef chip);

} // namespace inflight
