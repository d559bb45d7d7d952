// What a fuzzed input goes through. Each harness defines fuzzOne; libFuzzer or Replay.cpp calls it.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace inflight::fuzz {

/// Runs one input. Errors as values are fine; a property that doesn't hold ends the process.
void fuzzOne(llvm::StringRef input);

/// Whether inputs are text: then they are also mutated by tokens and lines.
extern const bool inputIsText;

/// Bounds the memory of this process, and the processor time where it isn't 0: an input that takes more is a bug.
void limitResources(unsigned seconds = 0);

/// The first byte of an input chooses the chip; the rest is what the parser sees.
llvm::StringRef chipOf(llvm::StringRef input);

/// Ends the process when `error` is one: for what must not fail.
void require(llvm::Error error, llvm::StringRef what);

} // namespace inflight::fuzz
