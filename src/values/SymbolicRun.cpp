#include "values/SymbolicRun.h"

#include "program/NamedBarrier.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::values {

SymbolicRun::SymbolicRun(const Program &program, Expressions &exprs, const WaveBranches &branches,
                         size_t keptExpressions)
    : program(program),
      exprs(exprs),
      slice(program),
      live(program, slice, branches.flow),
      branches(branches),
      flow(branches.flow),
      evaluator(program, slice, exprs),
      keeper(exprs, keptExpressions) {
  const size_t count = program.blocks().size();
  pending.resize(count);
  latest.assign(count, ~0u);
  touchesLds.resize(count);
  meetsWaves.resize(count);
  for (uint32_t id = 0; id < count; ++id) {
    const Block &block = program.blocks()[id];
    if (any_of(flow.steps(id), [](const Flow::Step &step) { return step.isCall; }))
      meetsWaves[id] = Meets::Perhaps;
    for (const Instruction &instruction : program.instructions().slice(block.begin, block.end - block.begin)) {
      touchesLds[id] = touchesLds[id] || (instruction.desc && mayTouchLds(*instruction.desc));
      // Which waves meet at a named barrier isn't known.
      if (instruction.desc && instruction.desc->isBarrier)
        meetsWaves[id] = barrierWaves(program, &instruction - program.instructions().data()) == BarrierWaves::All
                             ? Meets::Barrier
                             : std::max(meetsWaves[id], Meets::Perhaps);
    }
  }
  extraBlocks = int64_t(count) + 256;
  lookAhead = 16 * int64_t(count);
  work = 40 * int64_t(program.instructions().size()) + 10000;
}

State SymbolicRun::unknownState(uint32_t block, function_ref<bool(unsigned)> isLive) {
  State state(slice.slotCount());
  for (unsigned slot = 0; slot < slice.activeSlot(); ++slot)
    if (isLive(slot))
      evaluator.forget(slot, state, Symbol::Kind::Merged, block);
  return state;
}

/// Registers that no block of a tangle writes hold in all of them what they held when control came in.
void SymbolicRun::enterTangle(Frame &frame, int tangle) {
  Incomings all;
  for (uint32_t block : flow.tangles()[tangle].blocks)
    append_range(all, pending[block]);
  TangleRun &run = tangleRuns[tangle];
  run = {};
  if (all.empty())
    return;
  const uint32_t first = flow.tangles()[tangle].blocks[0];
  evaluator.owner = frame.instance;
  State state = merge(all, first);
  run.entered = std::exchange(meetings.next, {}).registers; // at several blocks
  run.instance = discovering ? 0 : trace.instances.size();
  if (!discovering)
    trace.instances.push_back({frame.instance, noSymbol, true}); // in which iteration it is left isn't followed
  run.start = std::make_shared<const State>(std::move(state));
}

SymbolicRun::StateRef SymbolicRun::startOf(uint32_t block, const Incomings &from) {
  auto make = [](State state) { return std::make_shared<const State>(std::move(state)); };
  if (const int tangle = flow.tangleOf(block); tangle >= 0 && flow.hasIrregular(block)) {
    if (!tangleRuns[tangle].start)
      return nullptr;
    State state = *tangleRuns[tangle].start;
    for (unsigned slot : writtenInTangle[tangle].set_bits())
      if (slot == slice.activeSlot())
        state[slot] = {};
      else if (live.isLive(block, slot))
        evaluator.forget(slot, state, Symbol::Kind::LoopStart, block);
    for (unsigned slot : writtenInTangle[tangle].set_bits())
      if (slot != slice.activeSlot() && live.isLive(block, slot))
        noteMeeting(slot, state[slot].expr, from);
    for (const Meetings::Register &entered : tangleRuns[tangle].entered)
      if (!writtenInTangle[tangle][entered.slot])
        noteMeeting(entered.slot, exprs.symbol(entered.symbol), from);
    return make(std::move(state));
  }
  if (flow.hasIrregular(block) || (flow.isEntry(block) && !from.empty()))
    return make(unknownState(block, [&](unsigned slot) { return live.isLive(block, slot); }));
  if (flow.isEntry(block)) {
    const uint32_t function = flow.functionAt(block);
    return make(evaluator.entry(function == Flow::several ? nullptr : &program.functions()[function], function));
  }
  return from.empty() ? nullptr : make(merge(from, block));
}

/// That a register begins the block that is entered next as `symbol`, and what it held on the edges there.
void SymbolicRun::noteMeeting(unsigned slot, ExprId symbol, const Incomings &from) {
  if (discovering)
    return;
  const SymbolId id = exprs.onlyAtom(symbol)->symbol();
  meetings.next.registers.push_back({uint16_t(slot), id});
  for (const Incoming &incoming : from)
    if (const Value &value = (*incoming.state)[slot]; value.lanes == 0 && incoming.isEdge)
      meetings.next.values.push_back({incoming.from, ~0u, id, value.expr});
}

/// The same of an edge back to a block that was entered before.
static void noteValues(PhaseTrace &trace, ArrayRef<Meetings::Register> registers, uint32_t from, uint32_t to,
                       const State &state) {
  for (const auto &[slot, symbol] : registers)
    if (state[slot].lanes == 0)
      trace.met.push_back({from, to, symbol, state[slot].expr});
}

/// Those of the registers that each iteration of the instance begins with as a symbol of its own.
static std::vector<Meetings::Register> startsOf(const Expressions &exprs, const BitVector &written, const State &start,
                                                uint32_t instance) {
  std::vector<Meetings::Register> found;
  for (unsigned slot : written.set_bits())
    if (const Atom *only = exprs.onlyAtom(start[slot].expr); only && only->kind == AtomKind::Symbol)
      if (const Symbol &symbol = exprs.symbolInfo(only->symbol());
          symbol.kind == Symbol::Kind::LoopStart && symbol.owner == instance)
        found.push_back({uint16_t(slot), only->symbol()});
  return found;
}

State SymbolicRun::merge(const Incomings &from, uint32_t block) {
  State state = *from[0].state;
  const uint16_t execLo = slice.slot(regunit::ExecLo), execHi = slice.slot(regunit::ExecHi);
  // One entry for each outcome of one branch.
  ExprId condition = zero;
  if (from.size() == 2 && from[0].branch != ~0u && from[0].branch == from[1].branch &&
      exprs.add(from[0].condition, from[1].condition) == exprs.constant(1))
    condition = discovering ? from[0].condition : afterLoops(from[0].condition);
  for (unsigned slot = 0; slot < state.size(); ++slot) {
    if (!live.isLive(block, slot))
      continue;
    bool equal = true, sameLanes = true;
    Known known = exprs[state[slot].expr].known;
    Depends depends = exprs[state[slot].expr].depends;
    for (const Incoming &incoming : drop_begin(from)) {
      const Value &other = (*incoming.state)[slot];
      equal &= other == state[slot];
      sameLanes &= other.lanes == state[slot].lanes;
      known = known.hull(exprs[other.expr].known);
      depends = depends | exprs[other.expr].depends;
    }
    if (equal)
      continue;
    if (slot == slice.activeSlot()) {
      state[slot] = {};
      continue;
    }
    const bool isExec = slot == execLo || slot == execHi;
    depends.wave = true;
    if (isExec || !sameLanes) {
      evaluator.forget(slot, state, Symbol::Kind::Merged, block);
      continue;
    }
    const uint32_t lanes = state[slot].lanes;
    ExprId selected = condition != zero ? exprs.select(condition, state[slot].expr, (*from[1].state)[slot].expr) : zero;
    if (condition != zero && exprs[selected].depth < 16) {
      state[slot].expr = selected;
      continue;
    }
    evaluator.forget(slot, state, Symbol::Kind::Merged, block, known, depends);
    state[slot].lanes = lanes;
    noteMeeting(slot, state[slot].expr, from);
  }
  auto leavesDivergent = [&](const Incoming &incoming) {
    return incoming.from != ~0u && trace.haveWavesDiverged(trace.places[incoming.from].instance, evaluator.owner);
  };
  if (!discovering && any_of(from, leavesDivergent))
    for (unsigned slot = 0; slot < slice.activeSlot(); ++slot)
      if (live.isLive(block, slot))
        state[slot].expr = afterLoops(state[slot].expr);
  return state;
}

void SymbolicRun::touch(uint32_t index, State &state, SmallVectorImpl<Touch> &found) {
  const InstrDesc &desc = *program.instructions()[index].desc;
  if (!mayTouchLds(desc))
    return;
  using Kind = LdsShape::Kind;
  const LdsShape &shape = slice.ldsShape(desc.opcode);
  if (shape.kind == Kind::None)
    return;
  found.push_back({index});
  const MCInst &inst = program.inst(index);
  if (const std::optional<TileRegisters> tile = TileRegisters::of(program.isa(), shape, inst)) {
    found.back().first = evaluator.read(tile->address, state);
    found.back().bytes = evaluator.mostBytes(*tile, state);
    found.back().isBound = true;
    return;
  }
  auto immediate = [&](unsigned at) { return at < inst.getNumOperands() && inst.getOperand(at).isImm(); };
  if (shape.kind == Kind::Tile || shape.kind == Kind::Anywhere || !immediate(shape.offsetAt) ||
      (shape.isPair && !immediate(shape.offsetAt + 1)))
    return;
  auto offset = [&](unsigned at) { return uint32_t(inst.getOperand(at).getImm()) * shape.unit; };
  // Of stores from LDS nobody says whether the offset is of the place there, too.
  if (desc.isLdsStore && offset(shape.offsetAt) != 0)
    return;
  Touch &touch = found.back();
  ExprId base;
  if (shape.kind == Kind::Address) {
    if (!inst.getOperand(shape.addressAt).isReg())
      return;
    base = evaluator.read(program.isa().regRange(inst.getOperand(shape.addressAt).getReg()).first, state);
  } else {
    const uint32_t mask =
        shape.kind == Kind::Dma ? uint32_t(NextPowerOf2(program.isa().target().ldsBytes - 1) - 1) : 0xffff;
    base = exprs.bitAnd(evaluator.read(regunit::M0, state), exprs.constant(mask));
  }
  // What is after the LDS isn't accessed: a null pointer, which casts of pointers check for, is no place.
  const unsigned element = shape.kind == Kind::Address ? shape.bytes : 4;
  auto isOutside = [&](ExprId address) {
    return exprs.isConstant(address) && uint64_t(exprs[address].constant) + element > program.isa().target().ldsBytes;
  };
  // A copy's lanes that have such a place take no part, as if EXEC left them out (Triton's masked copies).
  bool isOfSomeLanes = false;
  for (const Atom *only = exprs.onlyAtom(base); only && only->kind == AtomKind::Select; only = exprs.onlyAtom(base)) {
    if (!isOutside(only->b) && !isOutside(only->c))
      break;
    isOfSomeLanes |= exprs[only->a].depends.lane;
    base = isOutside(only->b) ? only->c : only->b;
  }
  touch.bytes = shape.bytes;
  touch.isPair = shape.isPair;
  touch.isMasked = (isOfSomeLanes && (desc.isLdsDma || desc.isLdsStore)) ||
                   (shape.kind != Kind::Dma && !evaluator.areAllActive(state));
  touch.first = exprs.addConstant(base, offset(shape.offsetAt));
  if (shape.isPair)
    touch.second = exprs.addConstant(base, offset(shape.offsetAt + 1));
}

void SymbolicRun::send(Frame &frame, uint32_t to, Incoming incoming) {
  if (frame.loop >= 0 && flow.loops()[frame.loop].header == to)
    frame.back.push_back(std::move(incoming));
  else if (frame.loop < 0 || flow.contains(frame.loop, to))
    pending[to].push_back(std::move(incoming));
  else
    frame.out.push_back({to, frame.phase, std::move(incoming)});
}

/// What the end of the block says, in the state there.
SymbolicRun::Branch SymbolicRun::branchOf(uint32_t block, const State &state) {
  Branch branch;
  const Block &source = program.blocks()[block];
  const InstrDesc *last = source.end > source.begin ? program.instructions()[source.end - 1].desc : nullptr;
  if (!last)
    return branch;
  if (last->id == Mnemonic::s_cbranch_execz || last->id == Mnemonic::s_cbranch_execnz)
    branch.activeEdge = last->id == Mnemonic::s_cbranch_execz ? EdgeKind::Next : EdgeKind::Branch;
  const ArrayRef<Flow::Step> steps = flow.steps(block);
  if (steps.size() != 2 || steps[0].to == steps[1].to || steps[0].kind == steps[1].kind)
    return branch;
  if (last->id == Mnemonic::s_cbranch_scc0 || last->id == Mnemonic::s_cbranch_scc1) {
    branch.condition = state[slice.slot(regunit::Scc)].expr;
    if (last->id == Mnemonic::s_cbranch_scc0)
      branch.condition = exprs.logicalNot(branch.condition);
    branch.decides = exprs[branch.condition].known.greatest <= 1;
  } else if (last->id == Mnemonic::s_cbranch_vccnz || last->id == Mnemonic::s_cbranch_vccz) {
    branch.vcc = evaluator.vccIsSet(state, branch.decides);
    branch.decides &= branch.vcc.has_value();
    branch.setEdge = last->id == Mnemonic::s_cbranch_vccnz ? EdgeKind::Branch : EdgeKind::Next;
    if (branch.vcc)
      branch.condition = branch.setEdge == EdgeKind::Branch ? *branch.vcc : exprs.logicalNot(*branch.vcc);
  }
  return branch;
}

/// Adds the block once more.
void SymbolicRun::beginInstance(const Frame &frame, uint32_t block, const Incomings &from) {
  const uint32_t id = trace.blocks.size();
  const ArrayRef<Flow::Step> steps = flow.steps(block);
  trace.blocks.push_back({block, {}, {}});
  PhaseTrace::Place place{.instance = frame.inner};
  if (const int tangle = flow.tangleOf(block); tangle >= 0)
    place.tangle = tangleRuns[tangle].instance;
  place.isDivergent = steps.size() > 1 && none_of(steps, [](const Flow::Step &step) { return step.isCall; });
  trace.places.push_back(place);
  latest[block] = id;
  for (const MetValue &met : meetings.next.values)
    trace.met.push_back({met.from, id, met.symbol, met.value});
  if (flow.hasIrregular(block))
    meetings.again[id] = std::move(meetings.next.registers);
  meetings.next = {};
  for (const Incoming &incoming : from)
    if (incoming.isEdge && incoming.from != ~0u)
      trace.blocks[incoming.from].successors.push_back({id, incoming.kind, false, incoming.condition});
}

std::optional<SymbolicRun::Incoming> SymbolicRun::incomingBy(const Flow::Step &step, const Branch &branch,
                                                             const StateRef &state) {
  Incoming incoming;
  incoming.kind = step.kind;
  incoming.state = state;
  if (step.kind == branch.activeEdge) {
    State active = *state;
    evaluator.assumeActive(active);
    incoming.state = std::make_shared<const State>(std::move(active));
  }
  if (branch.vcc && (branch.decides || step.kind == branch.setEdge)) {
    // Clang's way to leave an if: the condition again, as a mask of lanes.
    const bool isSet = step.kind == branch.setEdge;
    if (exprs.isConstant(*branch.vcc) && (exprs[*branch.vcc].constant != 0) != isSet)
      return std::nullopt;
    State assumed = *state;
    evaluator.assume(assumed, *branch.vcc, isSet, [&](unsigned slot) { return live.isLive(step.to, slot); });
    incoming.state = std::make_shared<const State>(std::move(assumed));
  }
  return incoming;
}

void SymbolicRun::enterBlock(Frame &frame, uint32_t block, const Incomings &from, State state) {
  const uint32_t id = trace.blocks.size();
  const ArrayRef<Flow::Step> steps = flow.steps(block);
  if (!discovering)
    beginInstance(frame, block, from);
  SmallVector<Touch, 16> found;
  for (uint32_t index : slice.instructions(block)) {
    if (!live.isNeeded(index))
      continue;
    --work;
    touch(index, state, found);
    noteIndex(index, state);
    evaluator.run(index, state);
  }
  if (discovering) {
    for (const Touch &touch : found)
      if (touch.bytes)
        noteAddress(touch.first);
  } else {
    trace.places[id].beginTouch = trace.touches.size();
    append_range(trace.touches, found);
    trace.places[id].endTouch = trace.touches.size();
  }

  const Branch branch = branchOf(block, state);
  // SCC isn't followed from block to block.
  if (const uint16_t scc = slice.slot(regunit::Scc); live.isLiveAfter(block, scc))
    evaluator.forget(scc, state, Symbol::Kind::Merged, block, Known::upTo(1));
  const StateRef shared = std::make_shared<const State>(std::move(state));
  StateRef afterCall;
  for (const Flow::Step &step : steps) {
    std::optional<Incoming> by = incomingBy(step, branch, shared);
    if (!by)
      continue;
    Incoming &incoming = *by;
    incoming.from = discovering ? block : id;
    if (step.isCall) {
      incoming.isEdge = step.kind != EdgeKind::Return;
      if (!afterCall)
        afterCall = std::make_shared<const State>(
            unknownState(block, [&](unsigned slot) { return live.isLiveAfter(block, slot); }));
      incoming.state = afterCall;
    } else if (branch.decides) {
      const ExprId condition = step.kind == EdgeKind::Branch ? branch.condition : exprs.logicalNot(branch.condition);
      if (exprs.isConstant(condition) && exprs[condition].constant == 0)
        continue;
      incoming.condition = condition;
      incoming.branch = incoming.from;
      if (!discovering && isUniform(incoming))
        trace.places[id].isDivergent = false;
    } else if (from.size() == 1 && steps.size() == 1 && !flow.hasIrregular(block)) {
      incoming.condition = from[0].condition;
      incoming.branch = from[0].branch;
    }
    if (flow.isIrregular(block, step.to)) {
      if (!discovering && latest[step.to] != ~0u) {
        trace.blocks[id].successors.push_back({latest[step.to], step.kind, true, incoming.condition});
        noteValues(trace, meetings.again[latest[step.to]], id, latest[step.to], *incoming.state);
      }
      continue;
    }
    send(frame, step.to, std::move(incoming));
  }
}

void SymbolicRun::runBlocks(Frame &frame, ArrayRef<uint32_t> order) {
  for (size_t i = 0; i < order.size(); ++i) {
    const uint32_t block = order[i];
    if (frame.loop < 0 && flow.isEntry(block))
      forgetStates(keeper.enough);
    const int inner = flow.loopOf(block) != frame.loop ? flow.loopHeadedBy(block) : -1;
    if (inner >= 0 ? flow.loops()[inner].parent != frame.loop : flow.loopOf(block) != frame.loop)
      continue;
    const int tangle = frame.loop >= 0 && block == flow.loops()[frame.loop].header ? -1 : flow.tangleOf(block);
    if (tangle >= 0 && block == flow.tangles()[tangle].blocks[0])
      enterTangle(frame, tangle);
    frame.inner = tangle >= 0 ? tangleRuns[tangle].instance : frame.instance;
    if (inner >= 0) {
      i += runAfter(frame, inner, runLoop(frame, inner), order.drop_front(i + 1));
      continue;
    }
    if (frame.loop >= 0 && block == flow.loops()[frame.loop].header)
      continue; // entered by runLoop
    Incomings from = std::move(pending[block]);
    pending[block].clear();
    evaluator.owner = frame.inner;
    if (const StateRef state = startOf(block, from))
      enterBlock(frame, block, from, *state);
  }
}

SymbolicRun::Checkpoint SymbolicRun::checkpoint(const Incomings &entries) const {
  Checkpoint at{trace.blocks.size(), trace.touches.size(), trace.met.size(), extraBlocks, {}};
  for (const Incoming &incoming : entries)
    if (incoming.from != ~0u)
      at.edges.push_back({incoming.from, trace.blocks[incoming.from].successors.size()});
  return at;
}

void SymbolicRun::rollBack(const Checkpoint &to, const Loop &loop) {
  trace.blocks.resize(to.blocks);
  trace.places.resize(to.blocks);
  trace.touches.resize(to.touches);
  trace.met.resize(to.met);
  for (auto [from, size] : to.edges)
    trace.blocks[from].successors.truncate(size);
  for (uint32_t block : loop.blocks) {
    pending[block].clear();
    latest[block] = ~0u;
  }
  extraBlocks = to.extraBlocks;
}

/// The state at the header in any iteration, as the plan has it; `iterations` are the plan's phases together, counted.
State SymbolicRun::assumedStart(int loopIndex, const Plan &plan, const State &entry, ExprId iterations) {
  State start = entry;
  for (unsigned slot : summaries[loopIndex].written.set_bits()) {
    const Plan::Start &how = plan.starts[slot];
    const uint32_t header = flow.loops()[loopIndex].header;
    switch (how.kind) {
    case Plan::Start::Unknown:
      if (live.isLive(header, slot))
        evaluator.forget(slot, start, Symbol::Kind::LoopStart, header);
      break;
    case Plan::Start::Bounded:
      evaluator.forget(slot, start, Symbol::Kind::LoopStart, header, how.known);
      start[slot].lanes = entry[slot].lanes;
      break;
    case Plan::Start::Same: break;
    case Plan::Start::Steps:
      start[slot].expr = exprs.add(entry[slot].expr, exprs.scale(iterations, how.step * plan.phases));
      break;
    }
  }
  return start;
}

/// Whether everything is as assumed after the plan's phases; what isn't is unknown in the plan from now on.
bool SymbolicRun::proves(int loopIndex, Plan &plan, const State &start, const State &after, SymbolId iteration) {
  bool proved = true;
  for (unsigned slot : summaries[loopIndex].written.set_bits()) {
    Plan::Start &how = plan.starts[slot];
    if (how.kind == Plan::Start::Unknown)
      continue;
    bool holds = after[slot].lanes == start[slot].lanes;
    if (holds && how.kind == Plan::Start::Bounded)
      holds = exprs[after[slot].expr].known.within(how.known);
    else if (holds)
      holds = after[slot].expr == exprs.substitute(start[slot].expr, [&](SymbolId id) {
        return id == iteration ? exprs.addConstant(exprs.symbol(iteration), 1) : exprs.symbol(id);
      });
    if (!holds) {
      how.kind = Plan::Start::Unknown;
      proved = false;
    }
  }
  return proved;
}

/// A new instance of the loop, whose iterations are counted by a symbol.
SymbolicRun::Frame SymbolicRun::beginLoop(const Frame &around, int loopIndex, unsigned phases) {
  Frame frame;
  frame.loop = loopIndex;
  frame.instance = frame.inner = trace.instances.size();
  trace.instances.push_back({around.inner});
  evaluator.owner = frame.instance;
  Symbol iteration;
  iteration.kind = Symbol::Kind::Iteration;
  iteration.where = flow.loops()[loopIndex].header;
  iteration.owner = frame.instance;
  iteration.known = Known::upTo((1u << 30) / phases);
  iteration.depends = {false, false, true, false, false};
  trace.instances.back().iteration = exprs.addSymbol(iteration);
  return frame;
}

/// Returns the exits that are taken; where they lead wasn't told.
std::vector<SymbolicRun::Exit> SymbolicRun::runLoop(Frame &around, int loopIndex) {
  const Loop &loop = flow.loops()[loopIndex];
  Incomings entries = std::move(pending[loop.header]);
  pending[loop.header].clear();
  evaluator.owner = around.inner;
  const StateRef entry = startOf(loop.header, entries);
  if (!entry)
    return {};
  if (discovering)
    return passLoop(loopIndex, *entry);

  const Meetings atEntry = std::exchange(meetings.next, {});
  Plan plan = choose(loopIndex, *entry);
  for (unsigned attempt = 0;; ++attempt) {
    if (attempt == 2 || work < 0) {
      plan = {};
      plan.starts.resize(slice.slotCount());
    }
    const Checkpoint before = checkpoint(entries);
    extraBlocks -= int64_t(plan.phases - 1) * loop.blocks.size();
    Frame frame = beginLoop(around, loopIndex, plan.phases);
    const SymbolId iteration = trace.instances.back().iteration;
    const State start = assumedStart(loopIndex, plan, *entry, exprs.symbol(iteration));
    const uint32_t firstHeader = trace.blocks.size();
    State state = start;
    Incomings from = entries;
    meetings.next = atEntry;
    const auto starts = startsOf(exprs, summaries[loopIndex].written, start, frame.instance);
    for (const Meetings::Register &starting : starts)
      noteMeeting(starting.slot, start[starting.slot].expr, entries);
    bool goesRound = true;
    for (unsigned phase = 0; phase < plan.phases; ++phase) {
      frame.phase = phase;
      evaluator.owner = frame.instance;
      frame.inner = frame.instance;
      enterBlock(frame, loop.header, from, std::exchange(state, {}));
      runBlocks(frame, loop.blocks);
      from = std::move(frame.back);
      frame.back.clear();
      if (from.empty()) {
        goesRound = false;
        break;
      }
      evaluator.owner = frame.instance;
      state = merge(from, loop.header);
    }
    meetings.next = {}; // the next iteration's start is as assumed
    if (goesRound && !proves(loopIndex, plan, start, state, iteration)) {
      rollBack(before, loop);
      continue;
    }
    trace.places[firstHeader].isHeader = true;
    trace.instances[frame.instance].hasDivergentExit = findsDivergentExit(loopIndex, firstHeader);
    latest[loop.header] = firstHeader; // where paths that aren't the loop's own come back to
    if (goesRound)
      for (const Incoming &incoming : from)
        if (incoming.isEdge) {
          trace.blocks[incoming.from].successors.push_back({firstHeader, incoming.kind, true, incoming.condition});
          noteValues(trace, starts, incoming.from, firstHeader, *incoming.state);
        }
    return std::move(frame.out);
  }
}

PhaseTrace SymbolicRun::run() {
  summarize();
  Frame frame;
  runBlocks(frame, flow.order());
  finish();
  // What the last function left; after that there is little more to come.
  if (forgetStates(keeper.enough / 8))
    keeper.shrink();
  return std::move(trace);
}

void SymbolicRun::finish() {
  // Blocks that control doesn't reach, and calls.
  std::vector<SmallVector<uint32_t, 1>> phasesOf(program.blocks().size());
  for (uint32_t id = 0; id < trace.blocks.size(); ++id)
    phasesOf[trace.blocks[id].block].push_back(id);
  trace.reached = trace.blocks.size();
  for (uint32_t block = 0; block < program.blocks().size(); ++block)
    if (phasesOf[block].empty()) {
      phasesOf[block].push_back(trace.blocks.size());
      trace.blocks.push_back({block, {}, {}});
    }
  trace.places.resize(trace.blocks.size());
  for (uint32_t id = 0; id < trace.blocks.size(); ++id)
    for (const Edge &edge : program.blocks()[trace.blocks[id].block].successors) {
      if (edge.kind == EdgeKind::Call || id >= trace.reached)
        trace.blocks[id].successors.push_back({phasesOf[edge.block][0], edge.kind, id >= trace.reached});
      else if (edge.kind == EdgeKind::Return)
        for (uint32_t to : phasesOf[edge.block])
          trace.blocks[id].successors.push_back({to, edge.kind, false});
    }
  for (uint32_t id = 0; id < trace.blocks.size(); ++id)
    for (const PhaseEdge &edge : trace.blocks[id].successors)
      if (!is_contained(trace.blocks[edge.block].predecessors, id))
        trace.blocks[edge.block].predecessors.push_back(id);
}

} // namespace inflight::values
