// How many operations may be outstanding at each point.
#pragma once

#include "waits/graph/Graph.h"

namespace inflight::waits {

/// How much may be outstanding before an operation, over all paths.
struct Outstanding {
  PerCounter<uint8_t> inOrder; ///< operations
  PerCounter<bool> isPending;  ///< anything that the counter counts
};

/// What the program's waits leave outstanding before each op.
std::vector<Outstanding> findOutstanding(const Graph &graph);

} // namespace inflight::waits
