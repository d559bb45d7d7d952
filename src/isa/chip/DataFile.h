// Parses the data files that were compiled in.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace inflight {

/// The JSON text, which outlives the value: strings are parts of it. With `chip`, an object whose first member is
/// another "arch" or "chip" is null. `isExplained`: with what numbers are explained by, "unit", "ref" and "comment".
llvm::Expected<llvm::json::Value> parseLasting(llvm::StringRef text LLVM_LIFETIME_BOUND, llvm::StringRef chip = {},
                                               bool isExplained = true);

/// An embedded file without what its numbers are explained by: half of its members. An error names it.
llvm::Expected<llvm::json::Value> parseNumbers(llvm::StringRef name, llvm::StringRef chip = {});

} // namespace inflight
