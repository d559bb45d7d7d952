// Files that hold programs.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inflight {

/// Reads a file that may be a program; "-" is standard input. What plainly is none, or too large for one, is an error
/// before it is read: the magic tells.
llvm::Expected<std::string> readProgramFile(llvm::StringRef path);

} // namespace inflight
