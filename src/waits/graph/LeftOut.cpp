#include "waits/graph/LeftOut.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

namespace {

/// The blocks from whose end control may come to an access without a barrier. A branch of any other block parts waves
/// that all make the access, or none of them: whether they do was decided before it, or is after the next barrier.
class Deciding {
public:
  Deciding(const Graph &graph, uint32_t access) : graph(graph), reaches(graph.blocks.size()) {
    uint32_t block = 0;
    while (access < graph.blocks[block].begin || access >= graph.blocks[block].end)
      ++block;
    SmallVector<uint32_t, 16> open;
    auto goBack = [&](uint32_t from, uint32_t end) {
      for (uint32_t op = graph.blocks[from].begin; op < end; ++op)
        if (graph.ops[op].isBarrier)
          return;
      for (uint32_t before : graph.blocks[from].predecessors)
        if (!reaches[before]) {
          reaches.set(before);
          open.push_back(before);
        }
    };
    goBack(block, access);
    while (!open.empty()) {
      const uint32_t next = open.pop_back_val();
      goBack(next, graph.blocks[next].end);
    }
  }
  bool parts(uint32_t block) const { return reaches[block] && graph.lds->isDivergent(block); }

private:
  const Graph &graph;
  BitVector reaches;
};

} // namespace

bool isLeftOutBySome(const Graph &graph, uint32_t block, uint32_t barrier, uint32_t access, bool isBefore) {
  const Deciding deciding(graph, access);
  DenseSet<std::pair<uint32_t, unsigned>> seen;
  SmallVector<std::pair<uint32_t, bool>, 16> work; ///< blocks, and whether waves may have parted
  auto walk = [&](uint32_t b, bool haveParted, std::optional<uint32_t> from) {
    const GraphBlock &at = graph.blocks[b];
    const uint32_t count = isBefore ? from.value_or(at.end) - at.begin : at.end - from.value_or(at.begin);
    for (uint32_t i = 0; i < count; ++i) {
      const uint32_t op = isBefore ? from.value_or(at.end) - 1 - i : from.value_or(at.begin) + i;
      if (op == access)
        return false;
      if (graph.ops[op].isBarrier)
        return haveParted;
    }
    const auto &next = isBefore ? at.predecessors : at.successors;
    for (uint32_t n : next)
      work.push_back({n, haveParted || deciding.parts(isBefore ? n : b)});
    return next.empty() && haveParted;
  };
  if (walk(block, false, isBefore ? barrier : barrier + 1))
    return true;
  while (!work.empty()) {
    const auto [b, haveParted] = work.pop_back_val();
    if (seen.insert({b, haveParted}).second && walk(b, haveParted, std::nullopt))
      return true;
  }
  return false;
}

bool isLeftOutBySomeOfThese(const Graph &graph, uint32_t block, uint32_t barrier, uint32_t issued) {
  const Deciding deciding(graph, issued);
  DenseSet<std::pair<uint32_t, unsigned>> seen;
  DenseSet<uint64_t> entries;                                      ///< edges from other waves' blocks
  SmallVector<std::pair<uint32_t, bool>, 16> work{{block, false}}; ///< and whether waves may have parted
  for (bool isFirst = true; !work.empty(); isFirst = false) {
    const auto [b, haveParted] = work.pop_back_val();
    const GraphBlock &at = graph.blocks[b];
    bool isOver = false;
    for (uint32_t op = isFirst ? barrier : at.end; op-- > at.begin && !isOver;) {
      isOver = op == issued || graph.ops[op].isBarrier;
      if (op != issued && isOver && haveParted)
        return true;
    }
    if (isOver)
      continue;
    if (at.predecessors.empty() || at.isEntry || at.hasUnknownCaller)
      return true;
    for (uint32_t from : at.predecessors) {
      if (!graph.lds->areAmongWavesAt(from, block)) {
        entries.insert(uint64_t(from) << 32 | b);
        if (haveParted || entries.size() > 1)
          return true;
        continue;
      }
      const bool parted = haveParted || deciding.parts(from);
      if (seen.insert({from, unsigned(parted)}).second)
        work.push_back({from, parted});
    }
  }
  return false;
}

} // namespace inflight::waits
