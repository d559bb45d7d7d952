#include "waits/graph/AccessesAfter.h"

#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace inflight::waits {

AccessesAfter::AccessesAfter(const Graph &graph)
    : graph(graph), likes(graph.ops.size()), left(graph.limits.blocksBehindBarriers) {
  std::map<std::tuple<Region, bool, bool, bool, bool>, uint32_t> numbers;
  for (uint32_t i = 0; i < graph.ops.size(); ++i) {
    const Op &op = graph.ops[i];
    if (op.touchesLds())
      likes[i] =
          numbers.try_emplace({op.region, op.writesLds, isLdsDma(op.kind), op.isNoalias, op.arrives}, numbers.size())
              .first->second;
    if (op.touchesLds() || op.isBarrier)
      noted.push_back(i);
  }
  for (uint32_t like = 0; like < numbers.size(); ++like)
    ++countOf[like % maskBits];
  notedIn.assign(numbers.size(), 0);
  walkedIn.assign(graph.blocks.size(), 0);
  findComesTo();
}

/// As a mask whose bits likes share: walks leave out what brings nothing new.
void AccessesAfter::findComesTo() {
  std::vector<bool> isThrough(graph.blocks.size(), true);
  comesTo.assign(graph.blocks.size(), 0);
  for (uint32_t b = 0; b < graph.blocks.size(); ++b)
    for (auto i = lower_bound(noted, graph.blocks[b].begin); i != noted.end() && *i < graph.blocks[b].end; ++i) {
      if (graph.ops[*i].isBarrier) {
        isThrough[b] = false;
        break;
      }
      comesTo[b] |= uint64_t(1) << likes[*i] % maskBits;
    }
  std::vector<uint32_t> work;
  for (uint32_t b = 0; b < graph.blocks.size(); ++b)
    if (comesTo[b])
      work.push_back(b);
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    for (uint32_t before : graph.blocks[b].predecessors)
      if (isThrough[before] && (comesTo[b] & ~comesTo[before])) {
        comesTo[before] |= comesTo[b];
        work.push_back(before);
      }
  }
}

/// A write to bytes that aren't known meets whatever another one meets; where there is none, one of each.
const std::vector<uint32_t> &AccessesAfter::anyAccess() {
  if (!any.empty())
    return any;
  ++round;
  for (uint32_t i : noted) {
    const Op &op = graph.ops[i];
    if (op.isBarrier)
      continue;
    if (op.region == values::anyByte && op.writesLds && !op.isNoalias && !graph.hasLdsDma)
      return any = {i};
    if (std::exchange(notedIn[likes[i]], round) != round)
      any.push_back(i);
  }
  return any;
}

/// In the order of the walks. A block that an earlier barrier's walk came to leads to nothing new, so all barriers
/// together take one walk.
std::vector<uint32_t> AccessesAfter::find(ArrayRef<uint32_t> barriers) {
  ++round;
  std::vector<uint32_t> found;
  SmallVector<uint32_t, 8> open;
  std::array<uint32_t, maskBits> foundOf{};
  uint64_t wanted = ~uint64_t(0); ///< where not all are found yet
  auto walk = [&](uint32_t b, uint32_t begin) {
    for (auto i = lower_bound(noted, begin); i != noted.end() && *i < graph.blocks[b].end; ++i) {
      if (graph.ops[*i].isBarrier)
        return;
      if (std::exchange(notedIn[likes[*i]], round) == round)
        continue;
      found.push_back(*i);
      if (const unsigned of = likes[*i] % maskBits; ++foundOf[of] == countOf[of])
        wanted &= ~(uint64_t(1) << of);
    }
    for (uint32_t successor : graph.blocks[b].successors)
      if ((comesTo[successor] & wanted) && std::exchange(walkedIn[successor], round) != round)
        open.push_back(successor);
  };
  for (uint32_t barrier : barriers) {
    walk(graph.blockOf(barrier), barrier + 1);
    while (!open.empty()) {
      const uint32_t b = open.pop_back_val();
      // Of a library whose functions return to each other's callers there is too much.
      if (left == 0)
        return anyAccess();
      --left;
      walk(b, graph.blocks[b].begin);
    }
  }
  return found;
}

} // namespace inflight::waits
