#include "waits/flow/InFlight.h"

#include "waits/graph/BackwardPath.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>

using namespace llvm;

namespace inflight::waits {

std::vector<InFlight> inFlightBefore(const Graph &graph, ArrayRef<Outstanding> outstanding, uint32_t block, uint32_t op,
                                     Counter counter, bool *fromCaller, ArrayRef<EdgeWait> edges) {
  const CounterInfo &info = (*graph.counters)[counter];
  struct Step {
    BackwardPath path;
    uint32_t block, end;
    bool operator>(const Step &other) const { return path.age > other.path.age; }
  };
  std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
  DenseMap<uint32_t, std::pair<unsigned, unsigned>> seen; // least age and largest budget
  DenseMap<uint32_t, unsigned> ages;
  open.push({{0, info.stopsIssue ? info.mostOutstanding() : BackwardPath::unlimited}, block, op});
  bool isFirst = true;
  while (!open.empty()) {
    Step step = open.top();
    open.pop();
    if (!isFirst) {
      auto [known, isNew] = seen.try_emplace(step.block, std::pair(step.path.age, step.path.budget));
      if (!isNew) {
        if (known->second.first <= step.path.age && known->second.second >= step.path.budget)
          continue;
        known->second = {std::min(known->second.first, step.path.age),
                         std::max(known->second.second, step.path.budget)};
      }
    }
    isFirst = false;
    const GraphBlock &b = graph.blocks[step.block];
    auto isPendingBefore = [&](uint32_t i) { return outstanding[i].isPending[counter]; };
    bool isOver = step.end < b.end && !isPendingBefore(step.end);
    for (uint32_t i = step.end; i-- > b.begin && !isOver;) {
      const Op &o = graph.ops[i];
      if (graph.isInOrder(o, counter) ? step.path.budget != 0 : graph.isCounted(o, counter)) {
        auto [known, isNew] = ages.try_emplace(i, step.path.age);
        known->second = std::min(known->second, step.path.age);
      }
      isOver = !step.path.step(graph, o, counter);
      isOver |= !isPendingBefore(i);
    }
    if (!isOver && b.hasUnknownCaller && fromCaller)
      *fromCaller = true;
    if (!isOver)
      for (uint32_t predecessor : b.predecessors) {
        const EdgeWait *wait = waitBetween(edges, graph.blocks[predecessor], b);
        BackwardPath path = step.path;
        if (!wait || path.wait(wait->counts[counter]))
          open.push({path, predecessor, graph.blocks[predecessor].end});
      }
  }
  std::vector<InFlight> result;
  for (auto [index, age] : ages)
    result.push_back({index, age, graph.isInOrder(graph.ops[index], counter)});
  sort(result, [](const InFlight &a, const InFlight &b) { return std::pair(~a.age, a.op) < std::pair(~b.age, b.op); });
  return result;
}

} // namespace inflight::waits
