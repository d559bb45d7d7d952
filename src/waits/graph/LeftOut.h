// Whether of waves that meet at a barrier some make an access there and others don't.
#pragma once

#include "waits/graph/Graph.h"

namespace inflight::waits {

/// Whether waves may come from one barrier to the next, or back to the one before, without the access while others
/// don't.
bool isLeftOutBySome(const Graph &graph, uint32_t block, uint32_t barrier, uint32_t access, bool isBefore);

/// Whether waves that come to the barrier may have come there from the one before without the operation while others of
/// them haven't. All of them are looked at from where their numbers alone have parted them from the rest.
bool isLeftOutBySomeOfThese(const Graph &graph, uint32_t block, uint32_t barrier, uint32_t issued);

} // namespace inflight::waits
