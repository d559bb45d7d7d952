#include "waits/Waits.h"

#include "waits/Engine.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

namespace {
/// Intervals of byte addresses; number 0 is everything.
class Intervals : public LdsBytes {
public:
  Intervals() { list.push_back({0, ~0u}); }
  Region add(uint32_t begin, uint32_t end) {
    auto known = llvm::find(list, std::pair(begin, end));
    if (known != list.end())
      return known - list.begin();
    list.push_back({begin, end});
    return list.size() - 1;
  }
  Overlap overlap(Region a, Region b, Between) const override {
    return list[a].first < list[b].second && list[b].first < list[a].second ? Overlap::Yes : Overlap::No;
  }
  Region across(Region region, uint32_t, uint32_t) const override { return region; }

private:
  std::vector<std::pair<uint32_t, uint32_t>> list;
};
} // namespace

static Graph graphOf(const TargetInfo &target, ArrayRef<Block> blocks) {
  Graph graph;
  graph.counters = cantFail(CounterTable::get(target.chip));
  auto intervals = std::make_shared<Intervals>();
  for (const Block &block : blocks) {
    GraphBlock &b = graph.blocks.emplace_back();
    b.begin = graph.ops.size();
    b.successors.append(block.successors.begin(), block.successors.end());
    for (uint32_t i = 0; i < block.operations.size(); ++i) {
      const Operation &operation = block.operations[i];
      Op &op = graph.ops.emplace_back();
      op.firstRange = graph.ownRanges.size();
      op.readCount = operation.reads.size();
      op.writeCount = operation.writes.size();
      graph.ownRanges.insert(graph.ownRanges.end(), operation.reads.begin(), operation.reads.end());
      graph.ownRanges.insert(graph.ownRanges.end(), operation.writes.begin(), operation.writes.end());
      op.kind = operation.kind;
      op.readsLds = operation.readsLds;
      op.writesLds = operation.writesLds;
      op.isWait = operation.isWait;
      if (op.isWait)
        op.wait = graph.counters->fromFields(operation.wait);
      op.fencesLds = operation.fencesLds;
      op.fencesAll = operation.fencesAll;
      op.region = intervals->add(operation.ldsBegin, operation.ldsEnd);
      op.instruction = i;
      graph.hasLdsDma |= op.kind == Kind::LdsDma;
    }
    b.end = graph.ops.size();
  }
  if (!graph.blocks.empty())
    graph.blocks[0].isEntry = true;
  graph.ranges = graph.ownRanges;
  graph.lds = std::move(intervals);
  return graph;
}

std::vector<Placement> computeWaits(const TargetInfo &target, ArrayRef<Block> blocks) {
  const Graph graph = graphOf(target, blocks);
  std::vector<Placement> placements;
  for (const Need &need : findNeeds(graph))
    placements.push_back(
        {need.block, graph.ops[need.op].instruction, graph.counters->toFields(need.counts, target.expcntMax)});
  return placements;
}

} // namespace inflight::waits
