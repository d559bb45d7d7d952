// How soon control can come from one operation to another.
#pragma once

#include "waits/graph/Graph.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight::waits {

/// The least that the instructions after `from` take to issue until control comes to `to`.
unsigned leastCycles(const Graph &graph, uint32_t block, uint32_t from, uint32_t to,
                     llvm::function_ref<unsigned(uint32_t)> cyclesOf);

} // namespace inflight::waits
