// Parses the data files that were compiled in.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace inflight {

/// The JSON text, which outlives the value: strings are parts of it. With `chip`, an object whose first member is
/// another "arch" is null.
llvm::Expected<llvm::json::Value> parseLasting(llvm::StringRef text LLVM_LIFETIME_BOUND, llvm::StringRef chip = {});

} // namespace inflight
