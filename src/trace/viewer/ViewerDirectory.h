// A run for AMD's ROCprof Compute Viewer: what `rocprofv3 --att` leaves of a dispatch.
//
//   DIRECTORY/stats_ui_output_agent_0_dispatch_1.csv
//   DIRECTORY/ui_output_agent_0_dispatch_1/   the folder that the viewer opens
//
// Our CU n is the viewer's shader engine n, whose CU 0 is traced. Unlike a thread trace, the waits' lists of operations
// are exact, and each line has its causes of stalls (the columns that the viewer knows from PC sampling). It is written
// as the run goes, each wave into a file of its own; memory is bounded by the waves at a time.
#pragma once

#include "events/Events.h"
#include "trace/run/SourceFiles.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace inflight::trace {

struct ViewerOptions {
  SourcePolicy sources = {};
  unsigned agent = 0, dispatch = 1; ///< in the names
  unsigned maxWaves = 1000;         ///< that get a file; the viewer reads all of a wave into memory
};

class ViewerDirectory : public events::Sink {
public:
  static llvm::Expected<std::unique_ptr<ViewerDirectory>> create(llvm::StringRef directory,
                                                                 const ViewerOptions &options = {});
  /// Gives all files their names, or none, after finish().
  virtual llvm::Error commit() = 0;
  /// "ui_output_agent_0_dispatch_1", to be opened.
  virtual llvm::StringRef folder() const LLVM_LIFETIME_BOUND = 0;
  /// Files that are there and weren't copied.
  virtual unsigned sourcesLeftOut() const = 0;
  /// Waves that the limit left without a file; the sums of the lines count them.
  virtual uint64_t wavesLeftOut() const = 0;
};

} // namespace inflight::trace
