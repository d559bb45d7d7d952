// Whether LLVM's reader may look at debug information: it takes for granted that sizes in it are true.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace inflight {

/// Whether the units of .debug_info, with relocations applied, are described by .debug_abbrev and end where they say.
bool isWellFormedDebugInfo(llvm::StringRef info, llvm::StringRef abbreviations);

} // namespace inflight
