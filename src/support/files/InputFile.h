// Files that hold programs.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>

namespace inflight {

/// Reads a file that may be a program; "-" is standard input. What plainly is none, or too large for one, is an error
/// before it is read: the magic tells.
llvm::Expected<std::string> readProgramFile(llvm::StringRef path);

/// The same, but a large file is mapped: what its pages take can be given back (dontNeedIfMmap). That it becomes
/// shorter meanwhile ends the process with a message.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> openProgramFile(llvm::StringRef path);

} // namespace inflight
