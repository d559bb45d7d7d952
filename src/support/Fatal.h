// Ends the process with a message where no error can be handed on: memory that has run out, a library that doesn't come
// back.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace inflight {

/// Ends the process, from any thread. Nothing is cleaned up, but files that are being written haven't their names yet.
[[noreturn]] void endProcess(llvm::StringRef message);

/// The status that endProcess exits with; 1 unless said otherwise.
void setFailureStatus(int status);

/// Memory that has run out ends the process with a message instead of an abort.
void installOutOfMemoryHandler();

/// What LLVM takes for impossible ends the process in the same way.
void installFatalErrorHandler();

} // namespace inflight
