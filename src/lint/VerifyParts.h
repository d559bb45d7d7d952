// Findings of a program, one part of it after the other.
#pragma once

#include "program/Program.h"
#include "support/InChild.h"
#include "support/report/Report.h"
#include "waits/graph/Graph.h"

namespace inflight::lint {

struct PartFindings {
  std::vector<ReportItem> items; ///< findingItems
  uint64_t mistakes = 0;         ///< Verified::mistakes
  uint64_t peakBytes = 0;        ///< of those that were looked at within limits
};

/// Looks at each part alone and forgets it, so that memory is that of the largest. `graphOfAll` describes the whole
/// program, for one that has no parts. What is beyond the limits of a part is an undecided finding for each of its
/// kernels.
PartFindings verifyParts(const Program &program, llvm::function_ref<std::shared_ptr<waits::Graph>()> graphOfAll,
                         double latencyMargin, const ChildLimits &limits);

} // namespace inflight::lint
