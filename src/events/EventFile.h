// The records of a run as a file: written as they come, read back to any Sink.
//
// The file holds what can't be foretold: each wave's next line, the cycle it gets there and the kind of each line's
// instruction are mostly as last time. Writer and reader keep the same expectations (Expectations.h), so that most
// records take two to six bytes. Memory is bounded by the code's size and the number of waves at a time, not by the
// run's length.
#pragma once

#include "events/Events.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace inflight::events {

/// A sink that writes a file. Without commit() nothing is left of it.
class EventWriter : public Sink {
public:
  static llvm::Expected<std::unique_ptr<EventWriter>> create(llvm::StringRef path);
  /// After finish(): gives the file its name, or says what went wrong at any time before.
  virtual llvm::Error commit() = 0;
  virtual uint64_t bytes() const = 0;
  /// A write failed: the rest of the run won't be in the file.
  virtual bool failed() const = 0;
};

struct Replayed {
  uint64_t records = 0, bytes = 0;
  /// The file ends too early: the sink's finish() was called with a summary of what is there, which isn't whole.
  bool truncated = false;
};

/// Whether a file begins as event files do.
bool looksLikeEvents(llvm::StringRef path);

/// Hands the file's records to `sink`. A file that ends too early is an error unless `partial`; damage always is one.
llvm::Expected<Replayed> replay(llvm::StringRef path, Sink &sink, bool partial = false);

} // namespace inflight::events
