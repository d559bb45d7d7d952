#include "waits/Readings.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

namespace {

class Registers {
public:
  Registers(const Program &program, const Graph &graph, RegRange range)
      : program(program), graph(graph), range(range) {}

  /// What the registers may hold before `op`, and whether anybody has read that on the path.
  void lookAfter(uint32_t block, uint32_t op) {
    DenseSet<uint32_t> seen;
    SmallVector<uint32_t, 16> work;
    auto walk = [&](uint32_t b, uint32_t end) {
      const GraphBlock &at = graph.blocks[b];
      for (uint32_t i = end; i-- > at.begin;) {
        wasRead |= reads(i);
        if (writes(i)) {
          definitions.push_back(i);
          return;
        }
        if (wasRead)
          return;
      }
      if (at.isEntry || at.hasUnknownCaller || at.predecessors.empty())
        isFromOutside |= !isUndefinedAtEntry(b);
      isFromEntry |= at.isEntry || at.hasUnknownCaller || at.predecessors.empty();
      append_range(work, at.predecessors);
    };
    walk(block, op);
    while (!work.empty() && !wasRead)
      if (const uint32_t b = work.pop_back_val(); seen.insert(b).second)
        walk(b, graph.blocks[b].end);
  }

  /// Whether anybody reads them after `op` before they are written again.
  bool areReadAfter(uint32_t block, uint32_t op) const {
    DenseSet<uint32_t> seen;
    SmallVector<uint32_t, 16> work;
    auto walk = [&](uint32_t b, uint32_t begin) {
      for (uint32_t i = begin; i < graph.blocks[b].end; ++i) {
        if (reads(i))
          return true;
        if (writes(i))
          return false;
      }
      append_range(work, graph.blocks[b].successors);
      return false;
    };
    if (walk(block, op + 1))
      return true;
    while (!work.empty())
      if (const uint32_t b = work.pop_back_val(); seen.insert(b).second && walk(b, graph.blocks[b].begin))
        return true;
    return false;
  }

  bool reads(uint32_t op) const {
    return any_of(graph.ops[op].reads(graph.ranges), [&](RegRange used) { return used.overlaps(range); });
  }
  bool writes(uint32_t op) const {
    return any_of(graph.ops[op].writes(graph.ranges), [&](RegRange used) { return used.overlaps(range); });
  }

  SmallVector<uint32_t, 4> definitions;
  bool wasRead = false, isFromEntry = false, isFromOutside = false;

private:
  /// Kernels begin with workitem ids in v0 to v2 and whatever they ask for in SGPRs.
  bool isUndefinedAtEntry(uint32_t block) const {
    constexpr unsigned workitemIds = 3;
    const uint32_t function = program.blocks()[graph.blocks[block].origin].function;
    return function != ~0u && program.functions()[function].isKernel && range.first >= regunit::Vgpr0 + workitemIds;
  }

  const Program &program;
  const Graph &graph;
  const RegRange range;
};

/// Whether nothing that comes before it may have written the LDS bytes of `op`: for sure only where a single path
/// leads.
bool isFirstWriter(const Graph &graph, uint32_t block, uint32_t op) {
  auto mayWriteThem = [&](const Op &other) {
    if (!other.writesLds)
      return false;
    const Op &own = graph.ops[op];
    return any_of(ArrayRef{Between::SameWave, Between::OtherWave}, [&](Between between) {
      return overlapOf(graph.lds.get(), other.region, own.region, false, between) != Overlap::No;
    });
  };
  DenseSet<uint32_t> seen;
  for (uint32_t end = op;;) {
    const GraphBlock &at = graph.blocks[block];
    for (uint32_t i = end; i-- > at.begin;)
      if (mayWriteThem(graph.ops[i]) || graph.ops[i].completesAll)
        return false;
    if (at.predecessors.empty())
      return at.isEntry && !at.hasUnknownCaller;
    if (at.predecessors.size() > 1 || at.isEntry || at.hasUnknownCaller || !seen.insert(block).second)
      return false;
    block = at.predecessors.front();
    end = graph.blocks[block].end;
  }
}

Readings ofRegisters(const Program &program, const Graph &graph, const Finding &finding) {
  const Producer &producer = *finding.producer;
  Registers registers(program, graph, producer.registers);
  Readings readings;
  readings.isOverwritten = !registers.reads(finding.need.op);
  if (readings.isOverwritten)
    return readings;
  registers.lookAfter(producer.path.front(), producer.op);
  if (registers.wasRead)
    return readings;
  if (registers.definitions.empty()) {
    if (!registers.isFromOutside)
      readings.reading = Reading::New;
    return readings;
  }
  const bool areLoads = !registers.isFromEntry && all_of(registers.definitions, [&](uint32_t op) {
    return graph.ops[op].kind != Kind::None && op != producer.op;
  });
  if (areLoads && !registers.writes(finding.need.op) && registers.areReadAfter(finding.need.block, finding.need.op)) {
    readings.reading = Reading::OldRather;
    readings.oldDefinition = registers.definitions.front();
  }
  return readings;
}

} // namespace

Readings readingsOf(const Program &program, const Graph &graph, const Finding &finding) {
  Readings readings;
  readings.reading = Reading::New;
  if (!finding.producer)
    return readings;
  const Producer &producer = *finding.producer;
  if ((*graph.counters)[finding.counter].isOfSources)
    return readings;
  const Op &issued = graph.ops[producer.op];
  const uint32_t user = finding.need.cause == Cause::Late ? finding.conflict : finding.need.op;
  switch (finding.need.cause) {
  case Cause::Register: return ofRegisters(program, graph, finding);
  case Cause::LdsDma:
  case Cause::Late:
    // Where the operation reads, the bytes of before are meant, and so they are with the wait.
    if (!issued.writesLds)
      return readings;
    readings.isOverwritten = isLdsDma(graph.ops[user].kind) || !graph.ops[user].readsLds;
    if (readings.isOverwritten || !isFirstWriter(graph, producer.path.front(), producer.op))
      readings.reading = Reading::Either;
    return readings;
  default: return readings;
  }
}

} // namespace inflight::waits
