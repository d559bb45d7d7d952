#include "waits/Search.h"

#include "waits/BackwardPath.h"
#include "waits/OrderState.h"
#include "waits/Partners.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>

using namespace llvm;

namespace inflight::waits {

namespace {

/// Whether control can come along these blocks, by one of the paths to the first.
bool canCome(const Graph &graph, const std::vector<uint32_t> &path, unsigned depth, unsigned &tries) {
  if (!graph.lds->isPossible(path))
    return false;
  const GraphBlock &first = graph.blocks[path.front()];
  if (depth == 0 || tries == 0 || first.predecessors.empty() || first.isEntry || first.hasUnknownCaller)
    return true;
  --tries;
  std::vector<uint32_t> longer(path.size() + 1);
  copy(path, longer.begin() + 1);
  return any_of(first.predecessors, [&](uint32_t predecessor) {
    longer[0] = predecessor;
    return canCome(graph, longer, depth - 1, tries);
  });
}

/// Walks backwards from the user.
class Search {
public:
  Search(const Graph &graph, const Wanted &wanted)
      : graph(graph), wanted(wanted), need(wanted.need), counter(wanted.counter), user(graph.ops[need.op]) {}

  Found run() {
    Found shortest = walk(false);
    if (!shortest.isOpen)
      return shortest;
    Found other = walk(true);
    if (other.producer || other.isOpen || other.isFromOutside || other.isFromAnywhere)
      return other.isOpen ? shortest : other;
    // What this need isn't about the user may need, too; at a barrier one access after it stands for all.
    takesAllCauses = true;
    other = walk(true);
    shortest.isImpossible =
        need.cause != Cause::Late && !other.producer && !other.isOpen && !other.isFromOutside && !other.isFromAnywhere;
    return shortest;
  }

private:
  struct Step {
    BackwardPath path;
    uint32_t block, parent; ///< `parent`: index in `done`
    bool operator>(const Step &other) const { return path.age > other.path.age; }
  };

  /// Each block on the best path to the user alone, up to the first producer; or all paths that control can take.
  /// `isOpen`: that producer's path can't be taken, or there are too many paths.
  Found walk(bool takesAllPaths) {
    Found found;
    done.clear();
    std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
    DenseMap<uint32_t, unsigned> bestBudget;
    // Those that a wait for more than 0 says nothing about.
    const bool mayBeUnordered = !takesAllPaths || any_of(graph.ops, [&](const Op &op) {
      return !graph.isInOrder(op, counter) && op.kind != Kind::WriteBack && produces(op);
    });
    open.push({{}, need.block, ~0u});
    bool isFirst = true;
    while (!open.empty()) {
      Step step = open.top();
      open.pop();
      const GraphBlock &block = graph.blocks[step.block];
      const uint32_t end = isFirst ? need.op : block.end;
      if (!isFirst && !takesAllPaths) {
        auto [best, isNew] = bestBudget.try_emplace(step.block, step.path.budget);
        if (!isNew && best->second >= step.path.budget)
          continue;
        best->second = step.path.budget;
      }
      isFirst = false;
      done.push_back(step);
      if (takesAllPaths) {
        if (done.size() > mostSteps) {
          found.isOpen = true;
          return found;
        }
        if (graph.lds &&
            !known(&KnownPaths::byThemselves, path(), [&](const auto &path) { return graph.lds->isPossible(path); }))
          continue;
      }
      bool isOver = false;
      for (uint32_t i = end; i-- > block.begin && !isOver;) {
        const Op &op = graph.ops[i];
        if (std::optional<RegRange> registers = produces(op)) {
          // One out of order is finished by a wait for 0 alone.
          if (step.path.budget || !(graph.isInOrder(op, counter) || op.kind == Kind::WriteBack)) {
            const bool canCome =
                canComeHere() && !(registers->count && wanted.isNoalias && wanted.isNoalias(i, path()));
            if (canCome || !takesAllPaths) {
              found.producer = Producer{i, step.path.age, *registers, path()};
              found.isOpen = !canCome;
              return found;
            }
          }
        }
        isOver = !step.path.step(graph, op, counter);
      }
      if (isOver || (step.path.budget == 0 && !mayBeUnordered))
        continue;
      // Only code outside the program can have issued it.
      found.isFromOutside |= block.hasUnknownCaller && !block.isHidden;
      found.isFromAnywhere |= block.isHidden;
      for (uint32_t predecessor : block.predecessors)
        open.push({step.path, predecessor, uint32_t(done.size() - 1)});
    }
    return found;
  }

  std::vector<uint32_t> path() const {
    std::vector<uint32_t> path;
    for (uint32_t at = done.size() - 1; at != ~0u; at = done[at].parent)
      path.push_back(done[at].block);
    return path;
  }

  /// Whether the path from the last step's block can be taken, by one of the paths to that block.
  bool canComeHere() const {
    std::vector<uint32_t> blocks = path();
    return !graph.lds || blocks.size() == 1 || known(&KnownPaths::fromBefore, std::move(blocks), [&](const auto &path) {
      unsigned tries = 256;
      return canCome(graph, path, 8, tries);
    });
  }

  /// The answer, when it was given before.
  template <typename Ask>
  bool known(KnownPaths::Answers KnownPaths::*answers, std::vector<uint32_t> path, Ask &&ask) const {
    if (!wanted.known)
      return ask(path);
    auto [at, isNew] = (wanted.known->*answers).try_emplace(std::move(path), false);
    if (isNew)
      at->second = ask(at->first);
    return at->second;
  }
  static constexpr unsigned mostSteps = 2000;

  bool overlap(const Op &a, Region region, const Op &b, Between between) const {
    const Overlap known = overlapOf(graph.lds.get(), region, b.region, a.isNoalias || b.isNoalias, between);
    return known == Overlap::Yes || (known == Overlap::Unknown && (!wanted.isCertain || takesAllCauses));
  }

  /// Whether an access meets the user's bytes, as its own are called where the user is: the last step's path may lead
  /// around loops.
  bool meetsUser(const Op &op) const {
    if (done.empty())
      return true;
    Region region = op.region;
    if (graph.lds) {
      const std::vector<uint32_t> blocks = path();
      for (size_t i = 1; i < blocks.size(); ++i)
        region = graph.lds->across(region, blocks[i - 1], blocks[i]);
    }
    return overlap(op, region, user, Between::SameWave);
  }

  bool overlapsElsewhere(const Op &a) const {
    const Overlap known = graph.partners->overlap(graph, &a - graph.ops.data(), a.region, need.op, wanted.conflict);
    return known == Overlap::Yes || (known == Overlap::Unknown && !wanted.isCertain);
  }

  /// The registers of the user that it writes; an empty range when the need isn't about registers; none when it isn't
  /// it.
  std::optional<RegRange> produces(const Op &op) const {
    if (!graph.isCounted(op, counter))
      return std::nullopt;
    if (need.cause == Cause::Late) {
      const Op &conflict = graph.ops[wanted.conflict];
      const bool isLdsOp = op.kind == Kind::LdsDma || op.kind == Kind::Flat || op.readsLds || op.writesLds;
      const bool writes =
          op.kind == Kind::LdsDma || op.writesLds || conflict.kind == Kind::LdsDma || conflict.writesLds;
      const bool isElsewhere = graph.partners && is_contained(graph.partners->accessesAfter(need.op), wanted.conflict);
      if (!isLdsOp || !writes || !isAbout(op, conflict) ||
          !(overlap(op, op.region, conflict, Between::OtherWave) || (isElsewhere && overlapsElsewhere(op))))
        return std::nullopt;
      return RegRange{0, 0};
    }
    constexpr uint16_t told = access::Store | access::Dma | access::LdsWrite;
    if (need.about == About::Release)
      return op.does & told ? std::optional(RegRange{0, 0}) : std::nullopt;
    if (need.about != About::Use)
      return isAbout(op, user) && meetsUser(op) ? std::optional(RegRange{0, 0}) : std::nullopt;
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
      if (!graph.writesBefore(op, user, counter))
        if (auto range = common(user.writes(graph.ranges)))
          return range;
    }
    auto is = [&](Cause cause) { return takesAllCauses || need.cause == cause; };
    const bool userTouchesLds = user.readsLds || user.writesLds || user.kind == Kind::Flat;
    if ((is(Cause::LdsDma) && op.kind == Kind::LdsDma && userTouchesLds && meetsUser(op)) ||
        (is(Cause::LdsRead) && user.kind == Kind::LdsDma && op.kind == Kind::Flat && meetsUser(op)) ||
        (is(Cause::Publication) && user.writesLds && (op.does & told)) ||
        (is(Cause::WriteBack) && op.kind == Kind::WriteBack && user.isStore) ||
        (is(Cause::Fence) && (user.fencesLds || user.fencesAll || user.fencesResults) &&
         !(wanted.resultsOnly && hasNoResult(op))))
      return RegRange{0, 0};
    return std::nullopt;
  }

  /// Whether the need is about such an operation, and what `touching` does to LDS.
  bool isAbout(const Op &op, const Op &touching) const {
    if (touching.kind != Kind::LdsDma || op.kind != Kind::Lds)
      return need.about == About::Use;
    return (op.readsLds || op.writesLds) && need.about == (op.writesLds ? About::DmaOverWrite : About::DmaOverRead);
  }

  static bool hasNoResult(const Op &op) { return op.kind == Kind::Vmem && !op.writeCount; }

  const Graph &graph;
  const Wanted &wanted;
  const Need &need;
  Counter counter;
  const Op &user;
  bool takesAllCauses = false;
  std::vector<Step> done;
};

} // namespace

Found findProducer(const Graph &graph, const Wanted &wanted) { return Search(graph, wanted).run(); }

PathAfter findPathAfter(const Graph &graph, uint32_t block, uint32_t barrier, uint32_t access, bool partsNoWaves) {
  constexpr unsigned mostSteps = 256, mostTries = 64;
  PathAfter found;
  std::vector<std::vector<uint32_t>> open{{block}};
  for (unsigned steps = 0; !open.empty(); ++steps) {
    if (steps == mostSteps) {
      found.isOpen = true;
      return found;
    }
    std::vector<uint32_t> path = std::move(open.back());
    open.pop_back();
    unsigned tries = mostTries;
    if (graph.lds && path.size() > 1 && !canCome(graph, path, 8, tries))
      continue;
    const GraphBlock &at = graph.blocks[path.back()];
    bool isOver = false;
    for (uint32_t op = path.size() == 1 ? barrier + 1 : at.begin; op < at.end && !isOver; ++op) {
      if (op == access) {
        found.path = std::move(path);
        return found;
      }
      isOver = graph.ops[op].isBarrier;
    }
    if (isOver || (partsNoWaves && graph.lds && graph.lds->isDivergent(path.back())))
      continue;
    for (uint32_t next : at.successors) {
      open.push_back(path);
      open.back().push_back(next);
    }
  }
  return found;
}

} // namespace inflight::waits
