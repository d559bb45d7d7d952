// Waits that stand on the path from one block to another.
#pragma once

#include "waits/flow/Needs.h"

namespace inflight::waits {

struct EdgePlan {
  std::vector<EdgeWait> waits;
  std::optional<std::vector<Need>> needs; ///< as findNeeds gives them with these waits, when they are known
};

/// Waits on the path into loops, and into joins, that make needs inside weaker: the first iteration alone, or one
/// entry alone, has the stricter need.
EdgePlan findEdgeWaits(const Graph &graph, const EngineOptions &options);

} // namespace inflight::waits
