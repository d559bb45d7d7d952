#include "waits/Search.h"

#include "llvm/ADT/DenseMap.h"
#include <queue>

using namespace llvm;

namespace inflight::waits {

namespace {

/// Walks backwards from the user. Behind a wait for n no more than n operations of the class that were issued before it can
/// be in flight: that is the budget of a path.
class Search {
public:
  Search(const Graph &graph, const Need &need, Counter counter)
      : graph(graph), need(need), counter(counter), user(graph.ops[need.op]) {}

  std::optional<Producer> run() {
    struct Step {
      unsigned age, budget;
      uint32_t block, parent; ///< `parent`: index in `done`
      bool operator>(const Step &other) const { return age > other.age; }
    };
    std::vector<Step> done;
    std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
    DenseMap<uint32_t, unsigned> bestBudget;
    open.push({0, unlimited, need.block, ~0u});
    bool isFirst = true;
    while (!open.empty()) {
      Step step = open.top();
      open.pop();
      const GraphBlock &block = graph.blocks[step.block];
      const uint32_t end = isFirst ? need.op : block.end;
      if (!isFirst) {
        auto [best, isNew] = bestBudget.try_emplace(step.block, step.budget);
        if (!isNew && best->second >= step.budget)
          continue;
        best->second = step.budget;
      }
      isFirst = false;
      done.push_back(step);
      bool isOver = false;
      for (uint32_t i = end; i-- > block.begin && !isOver;) {
        const Op &op = graph.ops[i];
        if (std::optional<RegRange> registers = produces(op)) {
          // One out of order is finished by a wait for 0 alone.
          if (step.budget || !(isInOrder(op, counter) || op.kind == Kind::WriteBack)) {
            Producer producer{i, step.age, *registers, {}};
            for (uint32_t at = done.size() - 1; at != ~0u; at = done[at].parent)
              producer.path.push_back(done[at].block);
            return producer;
          }
        }
        if (op.isWait) {
          const unsigned count = waitOf(op, counter);
          if (count != 255)
            step.budget = std::min(step.budget, count);
          isOver = count == 0;
        }
        isOver |= op.completesAll;
        if (isInOrder(op, counter)) {
          ++step.age;
          if (step.budget != unlimited && step.budget)
            --step.budget;
        }
      }
      if (isOver)
        continue;
      for (uint32_t predecessor : block.predecessors)
        open.push({step.age, step.budget, predecessor, uint32_t(done.size() - 1)});
    }
    return std::nullopt;
  }

private:
  static constexpr unsigned unlimited = ~0u;

  Overlap overlap(const Op &a, const Op &b, Between between) const {
    return overlapOf(graph.lds.get(), a.region, b.region, a.isApart || b.isApart, between);
  }

  /// The registers of the user that it writes; an empty range when the need isn't about registers; none when it isn't it.
  std::optional<RegRange> produces(const Op &op) const {
    if (!isCounted(op, counter))
      return std::nullopt;
    if (need.cause == Cause::Late) {
      const Op &culprit = graph.ops[need.culprit];
      const bool isLdsOp = op.kind == Kind::LdsDma || op.kind == Kind::Flat || op.readsLds || op.writesLds;
      if (!isLdsOp || overlap(op, culprit, Between::OtherWave) == Overlap::No)
        return std::nullopt;
      return RegRange{0, 0};
    }
    for (RegRange written : op.writes(graph.ranges)) {
      auto common = [&](ArrayRef<RegRange> list) -> std::optional<RegRange> {
        for (RegRange used : list)
          if (used.overlaps(written)) {
            const unsigned first = std::max(used.first, written.first);
            const unsigned end = std::min(used.first + used.count, written.first + written.count);
            return RegRange{RegUnit(first), uint16_t(end - first)};
          }
        return std::nullopt;
      };
      if (auto range = common(user.reads(graph.ranges)))
        return range;
      if (!writesBefore(op, user, counter))
        if (auto range = common(user.writes(graph.ranges)))
          return range;
    }
    const RegRange none{0, 0};
    switch (need.cause) {
    case Cause::LdsDma:
      if (op.kind == Kind::LdsDma && overlap(op, user, Between::SameWave) != Overlap::No)
        return none;
      break;
    case Cause::LdsRead:
      if ((op.kind == Kind::Lds || op.kind == Kind::Flat) && (op.readsLds || op.writesLds) && overlap(op, user, Between::SameWave) != Overlap::No)
        return none;
      break;
    case Cause::WriteBack:
      if (op.kind == Kind::WriteBack)
        return none;
      break;
    case Cause::Fence:
      return none;
    default:
      break;
    }
    return std::nullopt;
  }

  const Graph &graph;
  const Need &need;
  Counter counter;
  const Op &user;
};

} // namespace

std::optional<Producer> findProducer(const Graph &graph, const Need &need, Counter counter) {
  return Search(graph, need, counter).run();
}

} // namespace inflight::waits
