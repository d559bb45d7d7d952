// A run for Perfetto (ui.perfetto.dev) and other readers of Chrome's trace format.
//
// Each CU has a track for every wave slot, with a slice for each cause of a stall and for each instruction, and flows
// from an operation to the wait for it; tracks for its pipes; and counters: operations in flight, resident waves, and
// how busy the pipes are. A cycle is shown as a nanosecond. It is written as the run goes; what is kept is bounded by
// the waves and operations at a time.
#pragma once

#include "events/Events.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace inflight::trace {

class PerfettoTrace : public events::Sink {
public:
  /// Compressed if the name ends in ".gz".
  static llvm::Expected<std::unique_ptr<PerfettoTrace>> create(llvm::StringRef path);
  virtual llvm::Error commit() = 0;
  virtual uint64_t bytes() const = 0; ///< before compression
};

} // namespace inflight::trace
