#include "waits/flow/InFlight.h"

#include "waits/graph/BackwardPath.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <queue>

using namespace llvm;

namespace inflight::waits {

namespace {
/// Of memory operations that may still read VGPRs: how many of each counter that counts them until they are done may be
/// in flight on the way back, as far as waits for it say. Empty where a counter says so itself.
class OwnBudgets {
public:
  OwnBudgets(const Graph &graph, Counter counter) {
    const CounterInfo &info = (*graph.counters)[counter];
    if (info.isOfAlu && info.isOfSources && !info.isOfVectorAlu())
      paths.resize(llvm::size(graph.counters->ofMemory()));
  }
  bool mayBeInFlight(const Graph &graph, const Op &op) const {
    return none_of(seq(size_t(0), paths.size()), [&](size_t own) {
      return paths[own].budget == 0 && !(*graph.counters)[Counter(own)].isOfSources &&
             graph.isInOrder(op, Counter(own));
    });
  }
  void step(const Graph &graph, const Op &op) {
    for (const auto &[own, path] : enumerate(paths))
      path.step(graph, op, Counter(own));
  }
  void wait(const WaitCounts &counts) {
    for (const auto &[own, path] : enumerate(paths))
      path.wait(counts[Counter(own)]);
  }
  /// Takes what more there may be; whether there is.
  bool take(const OwnBudgets &other) {
    bool isMore = false;
    for (auto [path, more] : zip(paths, other.paths)) {
      isMore |= more.budget > path.budget;
      path.budget = std::max(path.budget, more.budget);
    }
    return isMore;
  }

private:
  SmallVector<BackwardPath, 0> paths;
};
} // namespace

std::vector<InFlight> inFlightBefore(const Graph &graph, ArrayRef<Outstanding> outstanding, uint32_t block, uint32_t op,
                                     Counter counter, bool *fromCaller, ArrayRef<EdgeWait> edges) {
  const CounterInfo &info = (*graph.counters)[counter];
  struct Step {
    BackwardPath path;
    OwnBudgets own;
    uint32_t block, end;
    bool operator>(const Step &other) const { return path.age > other.path.age; }
  };
  std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
  struct Seen {
    unsigned age, budget; ///< the least, the largest
    OwnBudgets own;
  };
  std::map<uint32_t, Seen> seen;
  DenseMap<uint32_t, unsigned> ages;
  open.push({{0, info.stopsIssue ? info.mostOutstanding() : BackwardPath::unlimited}, {graph, counter}, block, op});
  bool isFirst = true;
  while (!open.empty()) {
    Step step = open.top();
    open.pop();
    if (!isFirst) {
      auto [known, isNew] = seen.try_emplace(step.block, Seen{step.path.age, step.path.budget, step.own});
      if (!isNew) {
        Seen &before = known->second;
        const bool isMore = before.own.take(step.own);
        if (!isMore && before.age <= step.path.age && before.budget >= step.path.budget)
          continue;
        before.age = std::min(before.age, step.path.age);
        before.budget = std::max(before.budget, step.path.budget);
      }
    }
    isFirst = false;
    const GraphBlock &b = graph.blocks[step.block];
    auto isPendingBefore = [&](uint32_t i) { return outstanding[i].isPending[counter]; };
    bool isOver = step.end < b.end && !isPendingBefore(step.end);
    for (uint32_t i = step.end; i-- > b.begin && !isOver;) {
      const Op &o = graph.ops[i];
      if ((graph.isInOrder(o, counter) ? step.path.budget != 0 : graph.isCounted(o, counter)) &&
          step.own.mayBeInFlight(graph, o)) {
        auto [known, isNew] = ages.try_emplace(i, step.path.age);
        known->second = std::min(known->second, step.path.age);
      }
      isOver = !step.path.step(graph, o, counter);
      step.own.step(graph, o);
      isOver |= !isPendingBefore(i);
    }
    if (!isOver && b.hasUnknownCaller && fromCaller)
      *fromCaller = true;
    if (!isOver)
      for (uint32_t predecessor : b.predecessors) {
        const EdgeWait *wait = waitBetween(edges, graph.blocks[predecessor], b);
        BackwardPath path = step.path;
        OwnBudgets own = step.own;
        if (wait)
          own.wait(wait->counts);
        if (!wait || path.wait(wait->counts[counter]))
          open.push({path, own, predecessor, graph.blocks[predecessor].end});
      }
  }
  std::vector<InFlight> result;
  for (auto [index, age] : ages)
    result.push_back({index, age, graph.isInOrder(graph.ops[index], counter)});
  sort(result, [](const InFlight &a, const InFlight &b) { return std::pair(~a.age, a.op) < std::pair(~b.age, b.op); });
  return result;
}

} // namespace inflight::waits
