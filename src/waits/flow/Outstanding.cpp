#include "waits/flow/Outstanding.h"

#include "support/BlockOrder.h"

using namespace llvm;

namespace inflight::waits {

namespace {

struct Count {
  PerCounter<uint8_t> inOrder;
  PerCounter<bool> hasOthers; ///< those that finish in no order or that may be skipped
  bool operator==(const Count &) const = default;
};

/// Counts operations: min(n, count) at a wait, n + 1 at an issue, the most over
/// all entries. Unlike the engine's states, which give up counting at loops, this is exact up to the counter's range.
class Counting {
public:
  explicit Counting(const Graph &graph) : graph(graph) {
    for (const CounterInfo &counter : graph.counters->counters)
      most = std::max(most, counter.maximum + 1);
  }

  std::vector<Outstanding> run() {
    const std::vector<uint32_t> order = graph.order();
    const std::vector<uint32_t> place = graph.placesIn(order);
    std::vector<Count> entry(graph.blocks.size());
    OrderedWorklist work(order.size());
    for (uint32_t i = 0; i < order.size(); ++i) {
      work.push(i);
      if (graph.blocks[order[i]].hasUnknownCaller)
        entry[order[i]] = {PerCounter<uint8_t>(most), PerCounter<bool>(true)};
    }
    while (!work.empty()) {
      const uint32_t b = order[work.pop()];
      const GraphBlock &block = graph.blocks[b];
      const Count exit = walk(block, entry[b], nullptr);
      for (uint32_t successor : block.successors) {
        Count &known = entry[successor];
        Count met = known;
        for (Counter counter : graph.counters->all()) {
          met.inOrder[counter] = std::max(known.inOrder[counter], exit.inOrder[counter]);
          met.hasOthers[counter] |= exit.hasOthers[counter];
        }
        if (met == known)
          continue;
        known = met;
        if (place[successor] != ~0u)
          work.push(place[successor]);
      }
    }
    std::vector<Outstanding> outstanding(graph.ops.size());
    for (uint32_t b : order)
      walk(graph.blocks[b], entry[b], &outstanding);
    return outstanding;
  }

private:
  Count walk(const GraphBlock &block, Count count, std::vector<Outstanding> *into) const {
    for (uint32_t i = block.begin; i < block.end; ++i) {
      const Op &op = graph.ops[i];
      for (Counter counter : graph.counters->all()) {
        uint8_t &inOrder = count.inOrder[counter];
        bool &hasOthers = count.hasOthers[counter];
        if (into) {
          (*into)[i].inOrder[counter] = inOrder;
          (*into)[i].isPending[counter] = inOrder || hasOthers;
        }
        if (op.isWait) {
          inOrder = std::min<unsigned>(inOrder, graph.waitOf(op)[counter].valueOr(most));
          hasOthers &= !graph.waitOf(op)[counter].isZero();
        }
        if (graph.isCounted(op, counter)) {
          const unsigned older = graph.makesOlder(op, counter);
          inOrder = std::min<unsigned>(inOrder + older, most);
          hasOthers |= !older;
        }
      }
      if (op.completesAll)
        count = {};
    }
    return count;
  }

  const Graph &graph;
  unsigned most = 0; ///< counted
};

} // namespace

std::vector<Outstanding> findOutstanding(const Graph &graph) { return Counting(graph).run(); }

} // namespace inflight::waits
