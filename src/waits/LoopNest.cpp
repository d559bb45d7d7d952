#include "waits/LoopNest.h"

#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace inflight::waits {

LoopNest findLoopNest(const Graph &graph) {
  LoopNest nest;
  nest.depth.resize(graph.blocks.size());
  const std::vector<uint32_t> order = graph.order();
  const std::vector<uint32_t> place = graph.placesIn(order);
  for (uint32_t header : order) {
    DenseSet<uint32_t> body;
    SmallVector<uint32_t, 16> work;
    for (uint32_t back : graph.blocks[header].predecessors)
      if (place[back] != ~0u && place[back] >= place[header])
        work.push_back(back);
    if (work.empty())
      continue;
    body.insert(header);
    while (!work.empty()) {
      const uint32_t b = work.pop_back_val();
      if (place[b] != ~0u && body.insert(b).second)
        work.append(graph.blocks[b].predecessors.begin(), graph.blocks[b].predecessors.end());
    }
    for (uint32_t b : body)
      ++nest.depth[b];
    nest.loops.push_back({header, {body.begin(), body.end()}});
  }
  return nest;
}

} // namespace inflight::waits
