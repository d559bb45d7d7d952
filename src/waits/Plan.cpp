#include "waits/Plan.h"

#include "waits/EdgeWaits.h"
#include "waits/Prologue.h"
#include "waits/Relax.h"
#include "waits/graph/BuildGraph.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace inflight::waits {

namespace {

class Planner {
public:
  Planner(const Program &program, const Graph &graph, Goal goal) : program(program), goal(goal), graph(graph) {
    // The same instruction may stand in several phases; what it is doesn't differ.
    opOf.resize(program.instructions().size());
    for (uint32_t i = 0; i < graph.ops.size(); ++i)
      opOf[graph.ops[i].instruction] = i;
    before.resize(program.instructions().size());
    hasExports = waits::hasExports(program);
  }

  Plan run() {
    findWanted();
    for (const Block &block : program.blocks())
      editBlock(block);
    for (const auto &[instruction, counts] : after)
      insert(instruction, Edit::Action::InsertAfter, counts);
    stable_sort(result.edits, [](const Edit &a, const Edit &b) { return a.at < b.at; });
    return std::move(result);
  }

private:
  void findWanted() {
    EngineOptions options;
    options.keepWaits = false;
    options.ordersAlone = goal == Goal::Strip;
    std::vector<EdgeWait> edges;
    std::optional<std::vector<Need>> needs;
    if (goal != Goal::Strip) {
      edges = prologueWaits();
      options.edgeWaits = edges;
      EdgePlan found = findEdgeWaits(graph, options);
      append_range(edges, found.waits);
      if (!graph.hasPhases)
        needs = std::move(found.needs);
    }
    options.edgeWaits = edges;
    if (!needs)
      needs = findNeedsOfInstructions(graph, options);
    for (const Need &need : *needs)
      wantedBefore(graph.ops[need.op].instruction).tighten(need.counts);
    for (const EdgeWait &edge : edges) {
      const Edit edit = editOnEdge(program, edge);
      (edit.action == Edit::Action::InsertBefore ? wantedBefore(edit.at) : after[edit.at]).tighten(edge.counts);
    }
  }

  /// Where arguments are preloaded the prologue doesn't run: what it loads is waited for in it.
  std::vector<EdgeWait> prologueWaits() const {
    std::vector<EdgeWait> waits;
    for (const GraphBlock &block : graph.blocks)
      if (isPreloadPrologue(program, graph, block))
        waits.push_back({block.origin, graph.blocks[block.successors.front()].origin,
                         WaitCounts::of(graph.counters->of(Kind::Smem), WaitCount(0))});
    return waits;
  }

  WaitCounts &wantedBefore(uint32_t instruction) {
    uint32_t &place = before[instruction];
    if (!place) {
      place = wanted.size();
      wanted.emplace_back();
    }
    return wanted[place];
  }

  void insert(uint32_t at, Edit::Action action, const WaitCounts &counts) {
    result.edits.push_back(Edit::ofWait(at, action, {counts, {}}));
    ++result.added;
  }

  /// Whether instructions may run before or after a wait without changing what it waits for.
  static bool isTransparent(const InstrDesc *desc) {
    return desc && (desc->isWaitcnt || desc->isAluWait || desc->isNop);
  }

  void editBlock(const Block &block) {
    for (uint32_t i = block.begin; i < block.end;) {
      if (!isTransparent(program.instructions()[i].desc)) {
        if (before[i])
          insert(i, Edit::Action::InsertBefore, wanted[before[i]]);
        ++i;
        continue;
      }
      // The waits directly before an instruction are where its wait goes.
      uint32_t end = i;
      while (end < block.end && isTransparent(program.instructions()[end].desc))
        ++end;
      WaitCounts together;
      for (uint32_t at = i; at <= end && at < block.end; ++at)
        together.tighten(wanted[before[at]]);
      editWaits(i, end, end < block.end, together);
      i = end + (end < block.end);
    }
  }

  /// Of the waits in [begin, end) the last one becomes what is wanted.
  void editWaits(uint32_t begin, uint32_t end, bool hasUser, const WaitCounts &counts) {
    const WaitCounts wanted = graph.counters->asEncoded(counts);
    uint32_t carrier = ~0u;
    for (uint32_t i = begin; i < end; ++i)
      if (op(i).isWait)
        carrier = i;
    if (program.isa().counters().encoding.isSplit() && sayTogether(begin, end, wanted)) {
      result.kept += count_if(seq(begin, end), [&](uint32_t i) { return op(i).isWait; });
      return;
    }
    for (uint32_t i = begin; i < end; ++i) {
      if (!op(i).isWait)
        continue;
      change(i, waitAt(i), i == carrier ? wanted : WaitCounts());
    }
    if (carrier == ~0u && !wanted.isNothing())
      insert(hasUser ? end : end - 1, hasUser ? Edit::Action::InsertBefore : Edit::Action::InsertAfter, wanted);
  }

  /// Whether the waits in [begin, end) are what is wanted, and none says what another one does.
  bool sayTogether(uint32_t begin, uint32_t end, const WaitCounts &wanted) const {
    WaitCounts together;
    for (uint32_t i = begin; i < end; ++i) {
      if (!op(i).isWait)
        continue;
      for (Counter counter : graph.counters->all())
        if (!waitAt(i)[counter].isNone() && !together[counter].isNone())
          return false;
      if (waitAt(i).isNothing())
        return false;
      together.tighten(waitAt(i));
    }
    return together == wanted;
  }

  void change(uint32_t i, const WaitCounts &has, const WaitCounts &gets) {
    const WaitOperands old = program.waitAt(i);
    const WaitOperands wanted{gets, hasExports ? old.exports : WaitCount::none(), old.others};
    if (has == gets && wanted.exports == old.exports) {
      ++result.kept;
    } else if (wanted == WaitOperands()) {
      result.edits.push_back(Edit::ofWait(i, Edit::Action::Remove));
      ++result.removed;
    } else {
      result.edits.push_back(Edit::ofWait(i, Edit::Action::Replace, wanted));
      ++result.changed;
    }
  }

  const Op &op(uint32_t instruction) const { return graph.ops[opOf[instruction]]; }
  const WaitCounts &waitAt(uint32_t instruction) const { return graph.waitOf(op(instruction)); }

  const Program &program;
  Goal goal;
  const Graph &graph;
  std::vector<uint32_t> opOf;                   ///< by instruction
  bool hasExports = false;                      ///< else waits for them are for nothing
  std::vector<uint32_t> before;                 ///< by instruction: in `wanted`
  std::vector<WaitCounts> wanted{WaitCounts()}; ///< the first: of those that need no wait
  std::map<uint32_t, WaitCounts> after;         ///< by instruction
  Plan result;
};

} // namespace

Edit editOnEdge(const Program &program, const EdgeWait &wait) {
  const Block &from = program.blocks()[wait.from];
  const uint32_t last = from.end - 1;
  const InstrDesc *desc = program.instructions()[last].desc;
  const bool isOnlyExit = from.successors.size() == 1 && desc && desc->isBranch;
  return Edit::ofWait(last, isOnlyExit ? Edit::Action::InsertBefore : Edit::Action::InsertAfter, {wait.counts, {}});
}

bool hasExports(const Program &program) {
  return any_of(program.instructions(), [](const Instruction &i) { return i.desc && i.desc->isExport(); });
}

Plan plan(const Program &program, const Graph &graph, Goal goal) {
  return goal == Goal::Relax ? relax(program, graph) : Planner(program, graph, goal).run();
}
Plan plan(const Program &program, Goal goal) {
  Graph graph = describe(program);
  if (goal != Goal::Strip)
    followLds(graph, program);
  return plan(program, graph, goal);
}

} // namespace inflight::waits
