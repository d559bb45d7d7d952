// Which blocks of a graph are loops.
#pragma once

#include "waits/Graph.h"
#include "llvm/ADT/DenseSet.h"

namespace inflight::waits {

struct LoopNest {
  struct Loop {
    uint32_t header = 0;
    std::vector<uint32_t> body; ///< with the header
  };
  std::vector<Loop> loops;
  std::vector<unsigned> depth; ///< by block: so many loops it is in
};

LoopNest findLoopNest(const Graph &graph);

/// The blocks from which control comes to one of `back` without coming by the header, and the header. `place` is
/// Graph::placesIn's: blocks that it doesn't have are left out. At `most` blocks no more are looked for.
llvm::DenseSet<uint32_t> loopBody(const Graph &graph, uint32_t header, llvm::ArrayRef<uint32_t> back,
                                  llvm::ArrayRef<uint32_t> place, size_t most = ~size_t(0));

} // namespace inflight::waits
