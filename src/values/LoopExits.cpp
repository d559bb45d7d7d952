// What follows a loop stands once for each phase that the loop is left in: the epilogue of a pipeline reads the buffers
// that come next in the ring, and which these are depends on the phase.
//
// Waves of a workgroup are compared on one path through the phases. Barriers are therefore only taken apart where all
// waves leave the loop in the same iteration, and where none may have gone around it.
#include "values/SymbolicRun.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::values {

/// The same for all waves of a workgroup, and known. Of loops that were left before, waves may have taken other numbers
/// of iterations.
bool SymbolicRun::isUniform(const Incoming &incoming) const {
  const Depends depends = exprs[incoming.condition].depends;
  if (incoming.branch == ~0u || depends.wave || depends.lane)
    return false;
  SmallVector<SymbolId, 8> symbols;
  if (depends.iteration)
    symbolsOf(exprs, incoming.condition, symbols);
  return all_of(symbols, [&](SymbolId id) {
    const Symbol &symbol = exprs.symbolInfo(id);
    return symbol.kind != Symbol::Kind::Iteration ||
           trace.isInside(trace.places[incoming.branch].instance, symbol.owner);
  });
}

/// Whether waves that enter the loop together may leave it in different iterations: a branch that they don't take alike
/// leads to another iteration, or out of the loop, before its paths join. The loop's phase blocks begin at
/// `firstBlock`.
bool SymbolicRun::findsDivergentExit(int loop, uint32_t firstBlock) const {
  SmallVector<uint32_t, 8> parting;
  for (uint32_t id = firstBlock; id < trace.blocks.size(); ++id)
    if (const uint32_t block = trace.blocks[id].block;
        trace.places[id].isDivergent && !branches.isTakenAlike(block) && !is_contained(parting, block))
      parting.push_back(block);
  return any_of(parting, [&](uint32_t block) {
    const uint32_t join = branches.join(block), header = flow.loops()[loop].header;
    return join == WaveBranches::never || !flow.contains(loop, join) ||
           any_of(branches.beforeJoin(block),
                  [&](uint32_t between) { return between == header || !flow.contains(loop, between); });
  });
}

/// Whether all waves that meet after the loop left it in the same iteration.
bool SymbolicRun::isLeftTogether(int loopIndex, ArrayRef<Exit> exits) const {
  const Loop &loop = flow.loops()[loopIndex];
  SmallVector<uint32_t, 2> lasts, leaving;
  for (uint32_t block : loop.blocks)
    for (const Flow::Step &step : flow.steps(block)) {
      if (step.to == loop.header)
        lasts.push_back(block);
      if (flow.contains(loopIndex, step.to))
        continue;
      if (flow.loopOf(block) != loopIndex)
        return false; // waves may leave the loop inside in other iterations
      if (!is_contained(leaving, block))
        leaving.push_back(block);
    }
  auto isInEachIteration = [&](uint32_t block) {
    return all_of(lasts, [&](uint32_t last) { return flow.dominates(block, last); });
  };
  if (all_of(exits, [&](const Exit &exit) { return isUniform(exit.incoming); }) && all_of(leaving, isInEachIteration))
    return true;
  // With one exit, a wave that goes on comes to a barrier of the loop, where it would meet waves that have left.
  return leaving.size() == 1 && any_of(loop.blocks, [&](uint32_t block) {
           return meetsWaves[block] == Meets::Barrier && isInEachIteration(block);
         });
}

/// A value from inside of loops as it is called where the evaluator is, perhaps after them. A symbol of a loop stands
/// for what a register holds in one iteration. Waves that meet at a barrier inside are in the same iteration, so they
/// share it. After the loop it is each wave's last iteration. With a divergent exit these may differ, so the symbol
/// becomes one that depends on the wave: comparisons between waves don't take both waves' for equal, and nothing
/// computed or loaded with it counts as the same in all waves. Where one wave is compared with itself, LdsMap puts the
/// loop's own symbol back.
ExprId SymbolicRun::afterLoops(ExprId expr) {
  if (exprs.isConstant(expr))
    return expr;
  auto [known, isNew] = afterLoopsCache.try_emplace({expr, evaluator.owner}, expr);
  if (!isNew)
    return known->second;
  const ExprId renamed = exprs.substitute(expr, [&](SymbolId id) {
    const Symbol &symbol = exprs.symbolInfo(id);
    return exprs.symbol(!symbol.depends.wave && trace.haveWavesDiverged(symbol.owner, evaluator.owner)
                            ? exprs.derived(Symbol::Kind::AfterLoop, id)
                            : id);
  });
  return afterLoopsCache[{expr, evaluator.owner}] = renamed;
}

/// Finds the blocks that come after the loop, up to where too many would be added.
SymbolicRun::AfterLoop SymbolicRun::findAfter(const Frame &frame, int loopIndex, ArrayRef<Exit> exits, unsigned phases,
                                              ArrayRef<uint32_t> rest) const {
  const uint32_t header = flow.loops()[loopIndex].header;
  // One more path may lead around the loop.
  const int64_t limit = std::min(extraBlocks, std::max<int64_t>(64, extraBlocks / 4)) / phases;
  AfterLoop found;
  DenseSet<uint32_t> reached;
  unsigned furthest = 0;
  auto reach = [&](uint32_t block) {
    reached.insert(block);
    furthest = std::max(furthest, flow.position(block));
  };
  for (const Exit &exit : exits)
    reach(exit.to);
  bool isTogether = isLeftTogether(loopIndex, exits);
  std::vector<ArrayRef<uint32_t>> parts; // of each that is after: itself, or the loop inside that it heads
  for (; found.count < rest.size() && flow.position(rest[found.count]) <= furthest; ++found.count) {
    const uint32_t &block = rest[found.count];
    const int inner = flow.loopOf(block) == frame.loop ? -1 : flow.loopHeadedBy(block);
    if (flow.loopOf(block) != frame.loop && (inner < 0 || flow.loops()[inner].parent != frame.loop))
      continue; // runs with the header of its loop
    if (!reached.contains(block)) {
      found.beside.push_back(block);
      continue;
    }
    isTogether &= flow.dominates(header, block) ||
                  (found.beside.empty() && all_of(pending[block], [&](const Incoming &around) {
                     return isUniform(around) &&
                            !trace.haveWavesDiverged(trace.places[around.branch].instance, evaluator.owner) &&
                            flow.dominates(trace.blocks[around.branch].block, header);
                   }));
    const ArrayRef<uint32_t> part = inner < 0 ? ArrayRef(block) : ArrayRef(flow.loops()[inner].blocks);
    found.size += part.size();
    if (flow.isEntry(block) || flow.hasIrregular(block) || found.size > limit ||
        (!isTogether && any_of(part, [&](uint32_t b) { return meetsWaves[b] != Meets::None; })))
      break;
    found.perPhase.push_back(block);
    parts.push_back(part);
    for (uint32_t b : part)
      for (const Flow::Step &step : flow.steps(b))
        reach(step.to);
  }
  // From where no access to LDS follows, phases say nothing.
  DenseSet<uint32_t> leadsToAccess;
  std::vector<uint32_t> split;
  found.size = 0;
  for (size_t i = parts.size(); i-- > 0;) {
    const uint32_t block = found.perPhase[i];
    const bool leads = any_of(parts[i], [&](uint32_t b) {
      return touchesLds[b] ||
             any_of(flow.steps(b), [&](const Flow::Step &step) { return leadsToAccess.contains(step.to); });
    });
    if (leads) {
      leadsToAccess.insert(block);
      found.size += parts[i].size();
    }
    (leads ? split : found.after).push_back(block);
  }
  found.perPhase.assign(split.rbegin(), split.rend());
  std::reverse(found.after.begin(), found.after.end());
  return found;
}

/// The exits of a loop of which only what it leaves unchanged is known.
std::vector<SymbolicRun::Exit> SymbolicRun::passLoop(int loopIndex, State entry) {
  const Loop &loop = flow.loops()[loopIndex];
  const Summary &summary = summaries[loopIndex];
  if (summary.isKnown)
    for (uint16_t slot : summary.relevant)
      noteAddress(entry[slot].expr);
  SmallVector<uint32_t, 4> targets;
  for (uint32_t block : loop.blocks)
    for (const Flow::Step &step : flow.steps(block))
      if (!flow.contains(loopIndex, step.to) && !flow.isIrregular(block, step.to) && !is_contained(targets, step.to))
        targets.push_back(step.to);
  for (unsigned slot : summary.written.set_bits())
    if (any_of(targets, [&](uint32_t to) { return live.isLive(to, slot); }))
      evaluator.forget(slot, entry, Symbol::Kind::LoopStart, loop.header);
  auto left = std::make_shared<const State>(std::move(entry));
  std::vector<Exit> exits;
  for (uint32_t to : targets) {
    Incoming incoming;
    incoming.from = loop.header;
    incoming.state = left;
    exits.push_back({to, 0, std::move(incoming)});
  }
  return exits;
}

/// Sends the exits of a loop of this frame on and runs what follows for each phase. Returns how many blocks of `rest`
/// are done.
size_t SymbolicRun::runAfter(Frame &frame, int loopIndex, std::vector<Exit> exits, ArrayRef<uint32_t> rest) {
  unsigned phases = 0;
  for (size_t i = 0; i < exits.size(); ++i)
    phases += i == 0 || exits[i].phase != exits[i - 1].phase;
  AfterLoop found;
  if (!discovering && phases > 1 && work >= 0 && lookAhead >= 0) {
    found = findAfter(frame, loopIndex, exits, phases, rest);
    lookAhead -= found.count + flow.loops()[loopIndex].blocks.size();
  }
  if (found.perPhase.empty()) {
    for (Exit &exit : exits)
      send(frame, exit.to, std::move(exit.incoming));
    return 0;
  }
  runBlocks(frame, found.beside);
  std::vector<std::pair<uint32_t, Incomings>> around;
  for (uint32_t block : found.perPhase)
    if (!pending[block].empty())
      around.push_back({block, std::exchange(pending[block], {})});
  extraBlocks -= int64_t(phases - around.empty()) * found.size;
  for (size_t i = 0; i < exits.size();) {
    for (const unsigned phase = exits[i].phase; i < exits.size() && exits[i].phase == phase; ++i)
      send(frame, exits[i].to, std::move(exits[i].incoming));
    runBlocks(frame, found.perPhase);
  }
  for (auto &[block, incoming] : around)
    pending[block] = std::move(incoming);
  if (!around.empty())
    runBlocks(frame, found.perPhase);
  runBlocks(frame, found.after);
  return found.count;
}

} // namespace inflight::values
