// Where the time of a run went, for a terminal: the kernel, its pipes and operations in flight, its loops, its dearest
// instructions.
#pragma once

#include "trace/run/RunStatistics.h"
#include "llvm/Support/JSON.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::trace {

struct ReportOptions {
  unsigned top = 10;
  bool colour = false;
  unsigned columns = 0; ///< of the terminal; 0: as many as are needed
};

void printStallReport(llvm::raw_ostream &os, const RunStatistics &run, const ReportOptions &options);

/// The same facts, all instructions.
llvm::json::Object stallReportObject(const RunStatistics &run);

} // namespace inflight::trace
