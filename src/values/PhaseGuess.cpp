// Guesses how a loop's registers go on from iteration to iteration, and in how many phases.
#include "values/SymbolicRun.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::values {

void SymbolicRun::summarize() {
  const unsigned slots = slice.slotCount();
  for (unsigned slot = 0; slot < slice.activeSlot(); ++slot) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::LoopStart;
    symbol.where = ~0u;
    symbol.reg = slice.unit(slot);
    symbol.depends = {isVgpr(slice.unit(slot)), true, false, false, true};
    startSymbols.push_back(exprs.addSymbol(symbol));
  }
  auto addWritten = [&](uint32_t block, BitVector &written) {
    for (const Flow::Step &step : flow.steps(block))
      if (step.isCall || (flow.hasIrregular(step.to) && flow.tangleOf(step.to) < 0))
        written.set(0, slice.activeSlot());
    for (uint32_t index : slice.instructions(block))
      for (RegRange range : slice.writes(program, index))
        for (unsigned i = 0; i < range.count; ++i)
          if (uint16_t slot = slice.slot(range.first + i); slot != Slice::none)
            written.set(slot);
  };
  for (const Tangle &tangle : flow.tangles()) {
    BitVector &written = writtenInTangle.emplace_back(slots);
    written.set(slice.slot(regunit::Scc));
    written.set(slice.activeSlot());
    for (uint32_t block : tangle.blocks)
      addWritten(block, written);
  }
  tangleRuns.resize(flow.tangles().size());
  ArrayRef<Loop> loops = flow.loops();
  summaries.resize(loops.size());
  for (unsigned l = 0; l < loops.size(); ++l) { // inner loops come before those around them
    Summary &summary = summaries[l];
    if (summary.written.size() != slots)
      summary.written.resize(slots);
    summary.written.set(slice.slot(regunit::Scc));
    for (uint32_t block : loops[l].blocks) {
      if (flow.loopOf(block) != int(l))
        continue;
      summary.hasBarrier |= meetsWaves[block] == Meets::Barrier;
      addWritten(block, summary.written);
      for (uint32_t index : slice.instructions(block)) {
        const Instruction &instruction = program.instructions()[index];
        summary.hasDma |= instruction.desc->isLdsDma;
      }
    }
    if (const int parent = loops[l].parent; parent >= 0) {
      if (summaries[parent].written.size() != slots)
        summaries[parent].written.resize(slots);
      summaries[parent].written |= summary.written;
      summaries[parent].hasDma |= summary.hasDma;
      summaries[parent].hasBarrier |= summary.hasBarrier;
    }
    discover(l);
    forgetStates(keeper.enough);
  }
}

/// Addresses that are a number of bytes apart say the same about a loop.
void SymbolicRun::noteAddress(ExprId address) {
  constexpr unsigned limit = 32;
  address = exprs.addConstant(address, 0u - exprs[address].constant);
  if (discovered->size() < limit && !is_contained(*discovered, address))
    discovered->push_back(address);
}

void SymbolicRun::noteIndex(uint32_t index, const State &state) {
  if (discovering || program.instructions()[index].desc->id != Mnemonic::s_set_gpr_idx_on)
    return;
  Known known;
  if (const MCOperand &source = program.inst(index).getOperand(0); source.isReg())
    known = exprs[evaluator.read(program.isa().regRange(source.getReg()).first, state)].known;
  auto [before, isNew] = trace.indexes.try_emplace(index, known);
  before->second = isNew ? known : before->second.hull(known);
}

/// Where no block has a state yet that control comes with, nothing that was computed is named any more but by summaries
/// of loops and the trace. Of a library's thousands of functions that is most. Whether there was so much since the last
/// time.
bool SymbolicRun::forgetStates(size_t worthIt) {
  if (keeper.madeSince() < worthIt || any_of(pending, [](const Incomings &from) { return !from.empty(); }))
    return false;
  for (TangleRun &run : tangleRuns)
    run = {};
  meetings = AllMeetings();
  afterLoopsCache.clear();
  evaluator.forgetLanes();
  keeper.keep([&](function_ref<void(ExprId &)> visit, function_ref<void(SymbolId &)> visitSymbol) {
    for (Summary &summary : summaries) {
      for_each(summary.next, visit);
      for_each(summary.addresses, visit);
    }
    for (Touch &touch : trace.touches) {
      visit(touch.first);
      visit(touch.second);
    }
    for (PhaseBlock &block : trace.blocks)
      for (PhaseEdge &edge : block.successors)
        visit(edge.condition);
    for (MetValue &met : trace.met) {
      visitSymbol(met.symbol);
      visit(met.value);
    }
    for_each(startSymbols, visitSymbol);
    for (Instance &instance : trace.instances)
      visitSymbol(instance.iteration);
    evaluator.eachSymbol(visitSymbol);
  });
  return true;
}

void SymbolicRun::discover(int loopIndex) {
  const Loop &loop = flow.loops()[loopIndex];
  Summary &summary = summaries[loopIndex];
  discovering = true;
  discovered = &summary.addresses;
  evaluator.owner = 0;
  Frame frame;
  frame.loop = loopIndex;
  State state(slice.slotCount());
  for (unsigned slot = 0; slot < slice.activeSlot(); ++slot)
    state[slot].expr = exprs.symbol(startSymbols[slot]);
  enterBlock(frame, loop.header, {}, std::move(state));
  runBlocks(frame, loop.blocks);
  State end = frame.back.empty() ? State() : merge(frame.back, loop.header);
  discovering = false;
  for (uint32_t block : loop.blocks)
    pending[block].clear();
  if (frame.back.empty())
    return;
  summary.isKnown = true;
  summary.next.resize(end.size());
  for (unsigned slot = 0; slot < end.size(); ++slot)
    summary.next[slot] = end[slot].expr;

  // Registers that addresses depend on, through any number of iterations.
  DenseMap<SymbolId, uint16_t> slotOf;
  for (unsigned slot = 0; slot < startSymbols.size(); ++slot)
    slotOf[startSymbols[slot]] = slot;
  BitVector seen(slice.slotCount());
  SmallVector<ExprId, 32> work(ArrayRef<ExprId>(summary.addresses));
  // Which lanes a value is known in is told by EXEC.
  for (RegUnit unit : {regunit::ExecLo, regunit::ExecHi})
    if (const uint16_t slot = slice.slot(unit); summary.written[slot]) {
      seen.set(slot);
      summary.relevant.push_back(slot);
      work.push_back(summary.next[slot]);
    }
  while (!work.empty()) {
    SmallVector<SymbolId, 8> symbols;
    symbolsOf(exprs, work.pop_back_val(), symbols);
    for (SymbolId symbol : symbols)
      if (auto found = slotOf.find(symbol);
          found != slotOf.end() && summary.written[found->second] && !seen[found->second]) {
        seen.set(found->second);
        summary.relevant.push_back(found->second);
        work.push_back(summary.next[found->second]);
      }
  }
  SmallVector<SymbolId, 8> conditions;
  for (const Exit &exit : frame.out)
    symbolsOf(exprs, exit.incoming.condition, conditions);
  for (SymbolId symbol : conditions)
    if (auto found = slotOf.find(symbol);
        found != slotOf.end() && summary.written[found->second] && !seen[found->second]) {
      const ExprId step = exprs.sub(summary.next[found->second], exprs.symbol(symbol));
      if (exprs.isConstant(step))
        summary.counters.push_back({found->second, exprs[step].constant});
    }
}

/// Whether an address can't be followed: it depends on the iteration other than by a multiple of it, or on what isn't
/// known.
bool SymbolicRun::isBad(ExprId address) const {
  for (const Term &term : exprs.terms(address)) {
    const Atom &atom = exprs.atom(term.atom);
    if (atom.kind != AtomKind::Symbol && atom.depends.iteration)
      return true;
  }
  if (!exprs[address].depends.unknown)
    return false;
  SmallVector<SymbolId, 8> symbols;
  symbolsOf(exprs, address, symbols);
  return any_of(symbols, [&](SymbolId symbol) {
    const Symbol::Kind kind = exprs.symbolInfo(symbol).kind;
    return kind == Symbol::Kind::LoopStart || kind == Symbol::Kind::Merged;
  });
}

/// Runs the summary through the phases. False when a register isn't as assumed; then it is assumed to be unknown.
bool SymbolicRun::simulate(int loopIndex, const State &entry, Plan &plan, double &score) {
  const Summary &summary = summaries[loopIndex];
  Symbol iteration;
  iteration.kind = Symbol::Kind::Iteration;
  iteration.known = Known::upTo((1u << 30) / plan.phases);
  iteration.depends = {false, false, true, false, false};
  const ExprId iterations = exprs.symbol(exprs.addSymbol(iteration));

  DenseMap<SymbolId, ExprId> now;
  for (unsigned slot = 0; slot < startSymbols.size(); ++slot)
    if (!summary.written[slot])
      now[startSymbols[slot]] = entry[slot].expr;
  auto startOf = [&](uint16_t slot) {
    const Plan::Start &how = plan.starts[slot];
    if (how.kind == Plan::Start::Steps)
      return exprs.add(entry[slot].expr, exprs.scale(iterations, how.step * plan.phases));
    return how.kind == Plan::Start::Same ? entry[slot].expr : exprs.symbol(startSymbols[slot]);
  };
  for (uint16_t slot : summary.relevant)
    now[startSymbols[slot]] = startOf(slot);
  auto replace = [&](SymbolId id) {
    auto found = now.find(id);
    return found == now.end() ? exprs.symbol(id) : found->second;
  };
  unsigned bad = 0;
  for (unsigned phase = 0; phase < plan.phases; ++phase) {
    for (ExprId address : summary.addresses)
      bad += isBad(exprs.substitute(address, replace));
    SmallVector<std::pair<SymbolId, ExprId>, 16> next;
    for (uint16_t slot : summary.relevant) {
      const Plan::Start &how = plan.starts[slot];
      ExprId value;
      if (how.kind == Plan::Start::Steps)
        value = exprs.addConstant(replace(startSymbols[slot]), how.step);
      else if (how.kind == Plan::Start::Same)
        value = exprs.substitute(summary.next[slot], replace);
      else
        value = exprs.symbol(startSymbols[slot]);
      next.push_back({startSymbols[slot], value});
    }
    for (auto [symbol, value] : next)
      now[symbol] = value;
  }
  bool holds = true;
  for (uint16_t slot : summary.relevant) {
    Plan::Start &how = plan.starts[slot];
    if (how.kind == Plan::Start::Same && now[startSymbols[slot]] != entry[slot].expr) {
      how.kind = Plan::Start::Unknown;
      holds = false;
    }
  }
  score = double(bad) / plan.phases;
  return holds;
}

SymbolicRun::Plan SymbolicRun::choose(int loopIndex, const State &entry) {
  const Summary &summary = summaries[loopIndex];
  Plan first;
  first.starts.resize(slice.slotCount());
  if (!summary.isKnown || work < 0)
    return first;
  bool changes = false;
  for (uint16_t slot : summary.relevant) {
    Plan::Start &how = first.starts[slot];
    ExprId step = exprs.sub(summary.next[slot], exprs.symbol(startSymbols[slot]));
    if (exprs.isConstant(step)) {
      how = {Plan::Start::Steps, exprs[step].constant, {}};
      changes |= how.step != 0;
    } else {
      how.kind = Plan::Start::Same;
      changes = true;
    }
  }
  // Phases in which a number of iterations that is known can't end, and paths that leave a loop too soon.
  for (auto [slot, step] : summary.counters)
    first.starts[slot] = {Plan::Start::Steps, step, {}};
  // Values that stay within bounds whatever they were before.
  auto bound = [&](Plan &plan) {
    for (uint16_t slot : summary.relevant)
      if (plan.starts[slot].kind == Plan::Start::Unknown) {
        Known known = exprs[entry[slot].expr].known.hull(exprs[summary.next[slot]].known);
        if (known.zeros | known.ones)
          plan.starts[slot] = {Plan::Start::Bounded, 0, known};
      }
  };
  // Loops with many blocks, which have others inside, leave phases to these.
  const int64_t size = flow.loops()[loopIndex].blocks.size(),
                affordable = std::min(extraBlocks, std::max<int64_t>(32, extraBlocks / 8));
  Plan best;
  double bestScore = 0;
  for (unsigned phases : {1, 2, 3, 4, 5, 6, 7, 8, 12}) {
    if (phases > 1 && (!changes || !(summary.hasDma || summary.hasBarrier) || int64_t(phases - 1) * size > affordable))
      break;
    work -= int64_t(phases) * (summary.relevant.size() + summary.addresses.size());
    Plan plan = first;
    plan.phases = phases;
    double score = 0;
    for (unsigned round = 0; !simulate(loopIndex, entry, plan, score); ++round)
      if (round == 3)
        for (Plan::Start &how : plan.starts)
          if (how.kind == Plan::Start::Same)
            how.kind = Plan::Start::Unknown;
    if (phases == 1 || score < bestScore) {
      best = plan;
      bestScore = score;
    }
    if (bestScore == 0)
      break;
  }
  bound(best);
  return best;
}

} // namespace inflight::values
