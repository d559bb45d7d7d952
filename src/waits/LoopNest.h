// Which blocks of a graph are loops.
#pragma once

#include "waits/Graph.h"

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

} // namespace inflight::waits
