// Target identifiers of the AMDGPU back end, in all spellings that compilers write.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace inflight {

struct TargetId {
  std::string chip;     ///< "gfx942"; empty when the identifier doesn't say
  std::string features; ///< as LLVM takes them: "+sramecc,-xnack"
};

/// "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-"; with a sub-architecture "amdgpu9.42-amd-amdhsa-unknown-gfx942", whose
/// processor may be left out; either with an offload kind in front ("hipv4-").
TargetId parseTargetId(llvm::StringRef id);

/// What a message says of code for another chip: "for gfx1100, which is not supported; supported: ...".
std::string unsupportedChip(llvm::StringRef chip);

/// The processor that the header of an ELF file names, "gfx1100", or its number where LLVM has no name for it.
std::string chipOfElf(llvm::StringRef bytes);

/// The features that the header of an ELF file asks for, as target identifiers end: ":sramecc+:xnack-"; empty: code for
/// any setting.
std::string featuresOfElf(llvm::StringRef bytes);

} // namespace inflight
