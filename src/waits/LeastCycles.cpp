#include "waits/LeastCycles.h"

#include "llvm/ADT/DenseSet.h"
#include <queue>

using namespace llvm;

namespace inflight::waits {

unsigned leastCycles(const Graph &graph, uint32_t block, uint32_t from, uint32_t to,
                     function_ref<unsigned(uint32_t)> cyclesOf) {
  std::priority_queue<std::pair<unsigned, uint32_t>, std::vector<std::pair<unsigned, uint32_t>>, std::greater<>> open;
  DenseSet<uint32_t> done;
  auto walk = [&](uint32_t b, uint32_t begin, unsigned cycles) -> std::optional<unsigned> {
    for (uint32_t op = begin; op < graph.blocks[b].end; ++op) {
      if (op == to)
        return cycles;
      cycles += cyclesOf(op);
    }
    for (uint32_t successor : graph.blocks[b].successors)
      open.push({cycles, successor});
    return std::nullopt;
  };
  std::optional<unsigned> found = walk(block, from + 1, 0);
  while (!found && !open.empty()) {
    auto [cycles, b] = open.top();
    open.pop();
    if (done.insert(b).second)
      found = walk(b, graph.blocks[b].begin, cycles);
  }
  return found.value_or(0);
}

} // namespace inflight::waits
