// What assembly says it is for.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace inflight {

struct AssemblyTarget {
  std::string chip;     ///< empty when the text doesn't say
  std::string features; ///< as LLVM takes them: "+sramecc,-xnack"
};

/// Of the first .amdgcn_target.
AssemblyTarget targetOf(llvm::StringRef text);

} // namespace inflight
