// Which blocks of a graph are loops.
#pragma once

#include "values/flow/Loops.h"
#include "waits/graph/Graph.h"
#include "llvm/ADT/DenseSet.h"

namespace inflight::waits {

struct LoopNest {
  std::vector<values::Loop> loops; ///< in no order, with no parents: some have several entries
  std::vector<unsigned> depth;     ///< by block: so many loops it is in
};

LoopNest findLoopNest(const Graph &graph);

/// The blocks from which control comes to one of `back` without coming by the header, and the header. `place` is
/// Graph::placesIn's: blocks that it doesn't have are left out. At `most` blocks no more are looked for.
llvm::DenseSet<uint32_t> loopBody(const Graph &graph, uint32_t header, llvm::ArrayRef<uint32_t> back,
                                  llvm::ArrayRef<uint32_t> place, size_t most = ~size_t(0));

} // namespace inflight::waits
