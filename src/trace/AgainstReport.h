// The comparison with a thread trace, for a terminal and for tools.
#pragma once

#include "trace/StallReport.h"
#include "trace/silicon/Against.h"

namespace inflight::trace {

void printAgainst(llvm::raw_ostream &os, const Against &against, const Comparison &comparison,
                  const ReportOptions &options);

/// The same facts, all instructions and segments.
llvm::json::Object againstObject(const Against &against, const Comparison &comparison);

} // namespace inflight::trace
