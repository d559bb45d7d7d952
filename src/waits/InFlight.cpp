#include "waits/WaitReport.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>

using namespace llvm;

namespace inflight::waits {

std::vector<InFlight> inFlightBefore(const Graph &graph, ArrayRef<Outstanding> outstanding, uint32_t block, uint32_t op, Counter counter, bool *fromCaller,
                                     ArrayRef<EdgeWait> edges) {
  const CounterInfo &info = (*graph.counters)[counter];
  const unsigned most = info.stopsIssue ? info.mostOutstanding() : ~0u >> 1;
  // Backwards. Behind a wait for n at most n operations of those before it are in flight: the path's budget.
  struct Step {
    unsigned age, budget;
    uint32_t block, end;
    bool operator>(const Step &other) const { return age > other.age; }
  };
  std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
  DenseMap<uint32_t, std::pair<unsigned, unsigned>> seen; // least age and largest budget
  DenseMap<uint32_t, unsigned> ages;
  open.push({0, most, block, op});
  bool isFirst = true;
  while (!open.empty()) {
    Step step = open.top();
    open.pop();
    if (!isFirst) {
      auto [known, isNew] = seen.try_emplace(step.block, std::pair(step.age, step.budget));
      if (!isNew) {
        if (known->second.first <= step.age && known->second.second >= step.budget)
          continue;
        known->second = {std::min(known->second.first, step.age), std::max(known->second.second, step.budget)};
      }
    }
    isFirst = false;
    const GraphBlock &b = graph.blocks[step.block];
    auto isPendingBefore = [&](uint32_t i) { return outstanding[i].isPending[counter]; };
    bool isOver = step.end < b.end && !isPendingBefore(step.end);
    for (uint32_t i = step.end; i-- > b.begin && !isOver;) {
      const Op &o = graph.ops[i];
      if (o.isWait) {
        const WaitCount count = o.wait[counter];
        step.budget = std::min(step.budget, count.valueOr(~0u));
        isOver = count.isZero();
      }
      isOver |= o.completesAll;
      if (graph.isInOrder(o, counter)) {
        if (step.budget) {
          auto [known, isNew] = ages.try_emplace(i, step.age);
          known->second = std::min(known->second, step.age);
          step.budget -= graph.makesOlder(o, counter);
        }
        step.age += graph.makesOlder(o, counter);
      } else if (graph.isCounted(o, counter)) {
        ages.try_emplace(i, step.age);
      }
      isOver |= !isPendingBefore(i);
    }
    if (!isOver && b.isOpenEntry && fromCaller)
      *fromCaller = true;
    if (!isOver)
      for (uint32_t predecessor : b.predecessors) {
        const EdgeWait *wait = waitBetween(edges, graph.blocks[predecessor], b);
        const WaitCount count = wait ? wait->counts[counter] : WaitCount::none();
        if (!count.isZero())
          open.push({step.age, std::min(step.budget, count.valueOr(~0u)), predecessor, graph.blocks[predecessor].end});
      }
  }
  std::vector<InFlight> result;
  for (auto [index, age] : ages)
    result.push_back({index, age, graph.isInOrder(graph.ops[index], counter)});
  sort(result, [](const InFlight &a, const InFlight &b) { return std::pair(~a.age, a.op) < std::pair(~b.age, b.op); });
  return result;
}

} // namespace inflight::waits
