// JSON that a user gives.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace inflight {

/// Whether `text` is nested no deeper than any file that we read: the parser calls itself for each level.
bool isShallow(llvm::StringRef text);

/// Parses `text`; errors name `name` and the place. What isn't shallow is an error, too.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text, llvm::StringRef name);

} // namespace inflight
