#include "waits/graph/LoopNest.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

DenseSet<uint32_t> loopBody(const Graph &graph, uint32_t header, ArrayRef<uint32_t> back, ArrayRef<uint32_t> place,
                            size_t most) {
  DenseSet<uint32_t> body{header};
  SmallVector<uint32_t, 16> work(back.begin(), back.end());
  while (!work.empty() && body.size() < most) {
    const uint32_t block = work.pop_back_val();
    if (place[block] != ~0u && body.insert(block).second)
      append_range(work, graph.blocks[block].predecessors);
  }
  return body;
}

LoopNest findLoopNest(const Graph &graph) {
  LoopNest nest;
  nest.depth.resize(graph.blocks.size());
  const std::vector<uint32_t> order = graph.order();
  const std::vector<uint32_t> place = graph.placesIn(order);
  for (uint32_t header : order) {
    SmallVector<uint32_t, 4> back;
    for (uint32_t from : graph.blocks[header].predecessors)
      if (place[from] != ~0u && place[from] >= place[header])
        back.push_back(from);
    if (back.empty())
      continue;
    const DenseSet<uint32_t> body = loopBody(graph, header, back, place);
    for (uint32_t b : body)
      ++nest.depth[b];
    nest.loops.push_back({header, -1, {body.begin(), body.end()}});
  }
  return nest;
}

} // namespace inflight::waits
