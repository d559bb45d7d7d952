#include "waits/LastTurn.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

static constexpr RegRange exec{regunit::ExecLo, 2};

/// By this edge goes who has no active lane.
bool LastTurns::skipsForLanes(uint32_t block, uint32_t next) const {
  const GraphBlock &from = graph.blocks[block];
  const InstrDesc *last =
      from.begin < from.end ? program.instructions()[graph.ops[from.end - 1].instruction].desc : nullptr;
  if (!last || !last->branchesOnExec)
    return false;
  const EdgeKind kind = last->id == Mnemonic::s_cbranch_execz ? EdgeKind::Branch : EdgeKind::Next;
  return any_of(program.blocks()[from.origin].successors,
                [&](const Edge &edge) { return edge.kind == kind && edge.block == graph.blocks[next].origin; });
}

/// Whether those that have one come to a wait for the counter first.
bool LastTurns::hasWaitBeside(uint32_t block, uint32_t skippedTo, Counter counter) const {
  SmallDenseSet<uint32_t, 16> seen{skippedTo};
  SmallVector<uint32_t, 16> work;
  auto add = [&](uint32_t from) {
    for (uint32_t to : graph.blocks[from].successors)
      if (seen.insert(to).second)
        work.push_back(to);
  };
  add(block);
  // What is skipped for want of lanes is short: of more it isn't known.
  constexpr size_t most = 256;
  while (!work.empty()) {
    if (seen.size() > most)
      return true;
    const uint32_t b = work.pop_back_val();
    for (uint32_t op = graph.blocks[b].begin; op < graph.blocks[b].end; ++op)
      if (graph.ops[op].completesAll || (graph.ops[op].isWait && !graph.waitOf(graph.ops[op])[counter].isNone()))
        return true;
    add(b);
  }
  return false;
}

/// From the block's end to its beginning: what the registers are made of. False where it is what memory holds.
bool LastTurns::walk(const GraphBlock &block, UnitSet &registers) const {
  for (uint32_t i = block.end; i-- > block.begin;) {
    const Op &op = graph.ops[i];
    bool isLookedAt = false;
    for (RegRange range : op.writes(graph.ranges)) {
      if (!registers.hasAny(range))
        continue;
      isLookedAt = true;
      if (isScalar(range.first)) // lanes that aren't active keep what they have
        registers.erase(range);
    }
    if (!isLookedAt)
      continue;
    if (op.kind != Kind::None || op.completesAll)
      return false;
    // That EXEC has fewer lanes inside of something and all of them behind it isn't a change.
    for (RegRange range : op.reads(graph.ranges))
      if (!exec.overlaps(range))
        registers.insert(range);
  }
  return true;
}

/// Whether the lanes that are active at the end of `block` depend on what the loop has changed in the turns before.
bool LastTurns::changesMask(const values::Loop &loop, uint32_t block) const {
  const DenseSet<uint32_t> body(loop.blocks.begin(), loop.blocks.end());
  DenseMap<uint32_t, UnitSet> atEnd;
  UnitSet atHeader;
  SmallVector<uint32_t, 16> work{block};
  atEnd[block].insert(exec);
  while (!work.empty()) {
    const uint32_t b = work.pop_back_val();
    UnitSet registers = atEnd[b];
    if (!walk(graph.blocks[b], registers))
      return true;
    if (b == loop.header) {
      atHeader |= registers;
      continue;
    }
    for (uint32_t before : graph.blocks[b].predecessors) {
      if (!body.contains(before))
        continue;
      auto [known, isNew] = atEnd.try_emplace(before);
      const UnitSet old = known->second;
      known->second |= registers;
      if (isNew || !(known->second == old))
        work.push_back(before);
    }
  }
  atHeader.erase(exec);
  return any_of(loop.blocks, [&](uint32_t b) {
    return any_of(seq(graph.blocks[b].begin, graph.blocks[b].end), [&](uint32_t op) {
      return graph.ops[op].completesAll ||
             any_of(graph.ops[op].writes(graph.ranges), [&](RegRange range) { return atHeader.hasAny(range); });
    });
  });
}

bool LastTurns::maySkipInLastTurn(const Finding &finding) {
  const ArrayRef<uint32_t> path = finding.producer->path;
  for (size_t i = 0; i + 1 < path.size(); ++i) {
    if (!skipsForLanes(path[i], path[i + 1]) || !hasWaitBeside(path[i], path[i + 1], finding.counter))
      continue;
    if (!nest)
      nest = findLoopNest(graph);
    for (const values::Loop &loop : nest->loops)
      if (is_contained(path.drop_front(i + 1), loop.header) && is_contained(loop.blocks, path[i]) &&
          changesMask(loop, path[i]))
        return true;
  }
  return false;
}

} // namespace inflight::waits
