// What every wave has done, or will do, when it is at a barrier that it may meet others at.
#include "waits/graph/Partners.h"

#include "values/LdsMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

std::optional<uint32_t> Partners::onlyOne(const Graph &graph, uint32_t barrier) const {
  auto only = [&](uint32_t one) -> std::optional<uint32_t> {
    const ArrayRef<uint32_t> met = of(one);
    if (met.size() != 1 || metByLess.contains(one) || !graph.ops[one].isBarrier)
      return std::nullopt;
    return met[0];
  };
  const std::optional<uint32_t> other = only(barrier);
  if (unbounded || !other || only(*other) != barrier || !graph.lds ||
      !graph.lds->areOfOtherWaves(graph.blockOf(barrier), graph.blockOf(*other)))
    return std::nullopt;
  return other;
}

/// Each wave that comes to `from` has come by `op`, or goes by it: one path alone leads there.
static bool isAlwaysPassed(const Graph &graph, uint32_t block, uint32_t from, uint32_t op, bool isBefore) {
  constexpr unsigned mostBlocks = 64;
  for (unsigned i = 0; i < mostBlocks; ++i) {
    const GraphBlock &at = graph.blocks[block];
    if (op >= at.begin && op < at.end)
      return i != 0 || (isBefore ? op < from : op > from);
    const auto &next = isBefore ? at.predecessors : at.successors;
    if (next.size() != 1 || (isBefore && (at.isEntry || at.hasUnknownCaller)))
      return false;
    block = next[0];
  }
  return false;
}

/// The same where several paths lead there, none of which comes to an end, to another barrier or, looking back, to
/// anything that counters count or wait for.
static bool isPassedOnAllPaths(const Graph &graph, uint32_t block, uint32_t from, uint32_t op, bool isBefore) {
  constexpr unsigned mostBlocks = 64;
  SmallVector<uint32_t, 16> found{block};
  for (size_t i = 0; i < found.size(); ++i) {
    const GraphBlock &at = graph.blocks[found[i]];
    if (i != 0 && op >= at.begin && op < at.end)
      continue;
    const auto &next = isBefore ? at.predecessors : at.successors;
    if (next.empty() || (isBefore && (at.isEntry || at.hasUnknownCaller)) || found.size() > mostBlocks)
      return false;
    for (uint32_t o = i == 0 && !isBefore ? from + 1 : at.begin; o < at.end && !(i == 0 && isBefore); ++o)
      if (graph.ops[o].isBarrier ||
          (isBefore && (graph.ops[o].kind != Kind::None || graph.ops[o].isWait || graph.ops[o].completesAll)))
        return false;
    for (uint32_t n : next)
      if (!is_contained(found, n))
        found.push_back(n);
      else if (n == block)
        return false;
  }
  return true;
}

bool Partners::isAlwaysBefore(const Graph &graph, uint32_t barrier, uint32_t op) const {
  return isAlwaysPassed(graph, graph.blockOf(barrier), barrier, op, true) ||
         isPassedOnAllPaths(graph, graph.blockOf(barrier), barrier, op, true);
}

bool Partners::isAlwaysAfter(const Graph &graph, uint32_t barrier, uint32_t op) const {
  return isAlwaysPassed(graph, graph.blockOf(barrier), barrier, op, false) ||
         isPassedOnAllPaths(graph, graph.blockOf(barrier), barrier, op, false);
}

Overlap Partners::overlap(const Graph &graph, uint32_t issued, Region bytes, uint32_t barrier, uint32_t access) const {
  const Op &op = graph.ops[access];
  const Overlap known =
      overlapOf(graph.lds.get(), bytes, op.region, graph.ops[issued].isNoalias || op.isNoalias, Between::Elsewhere);
  if (known != Overlap::Yes)
    return known;
  const std::optional<uint32_t> other = onlyOne(graph, barrier);
  if (!other || !graph.lds->isOfWavesAt(bytes, graph.blockOf(barrier)) ||
      !graph.lds->isOfWavesAt(op.region, graph.blockOf(*other)))
    return Overlap::Unknown;
  return isAlwaysBefore(graph, barrier, issued) || isAlwaysAfter(graph, *other, access) ? Overlap::Yes
                                                                                        : Overlap::Unknown;
}

} // namespace inflight::waits
