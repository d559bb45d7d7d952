// JSON that a user gives.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace inflight {

/// Parses `text`; errors name `name` and the place. What is nested deeper than any file that we read is an error, too:
/// the parser calls itself for each level.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text, llvm::StringRef name);

} // namespace inflight
