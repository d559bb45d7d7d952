#include "values/Evaluate.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCExpr.h"

using namespace llvm;

namespace inflight::values {

/// Deeper expressions than people write are replaced by symbols, which bounds the work on each.
static constexpr unsigned depthLimit = 24, termLimit = 12;

State Evaluator::entry(const Function *function, uint32_t functionIndex) {
  State state(slice.slotCount());
  for (unsigned slot = 0; slot < slice.activeSlot(); ++slot) {
    const RegUnit unit = slice.unit(slot);
    Symbol symbol;
    symbol.kind = Symbol::Kind::Entry;
    symbol.where = functionIndex;
    symbol.reg = unit;
    // User SGPRs and the workgroup's numbers are the same for all waves of a workgroup.
    const bool isArgument = function && function->isKernel && unit < regunit::FlatScratchLo;
    symbol.depends = {isVgpr(unit), !isArgument, false, false, true};
    state[slot].expr = exprs.symbol(exprs.addSymbol(symbol));
  }
  if (!function || !function->isKernel)
    return state;
  // Waves are whole when the size of workgroups is required and whole waves.
  const unsigned waveSize = program.isa().target().lanesPerWave;
  const unsigned size = function->workgroupSize[0] * function->workgroupSize[1] * function->workgroupSize[2];
  if (size && size % waveSize == 0)
    for (RegUnit unit : {regunit::ExecLo, regunit::ExecHi})
      state[slice.slot(unit)].expr = exprs.constant(~0u);
  // The first lane of a wave is active when it starts.
  entryLanes = activeLanes(state);
  const unsigned lanes =
      function->maxWorkgroupLanes ? function->maxWorkgroupLanes : program.isa().target().maxWorkgroupSize;
  auto workItem = [&](unsigned dimension) {
    Symbol symbol;
    symbol.kind = Symbol::Kind::WorkItem;
    symbol.reg = dimension;
    const unsigned size = function->workgroupSize[dimension] ? function->workgroupSize[dimension] : lanes;
    symbol.known = Known::upTo(size - 1);
    symbol.depends = {true, true, false, false, false};
    return exprs.symbol(exprs.addSymbol(symbol));
  };
  auto isOne = [&](unsigned dimension) { return function->workgroupSize[dimension] == 1; };
  if (uint16_t slot = slice.slot(regunit::Vgpr0); slot != Slice::none) {
    ExprId x;
    if (function->workitemIdDims == 1 || (isOne(1) && isOne(2))) {
      // One dimension: waves take the work-items in order. Kernels that read x alone are taken to be launched so.
      Symbol wave;
      wave.kind = Symbol::Kind::Wave;
      const unsigned size = function->workgroupSize[0] ? function->workgroupSize[0] : lanes;
      wave.known = Known::upTo((size - 1) / waveSize);
      wave.depends = {false, true, false, false, false};
      x = exprs.add(exprs.scale(exprs.symbol(exprs.addSymbol(wave)), waveSize), lane(true));
    } else {
      x = workItem(0);
    }
    // The fields of a packed work-item number have ten bits.
    if (function->workitemIdDims > 1 && !isOne(1))
      x = exprs.add(x, exprs.scale(workItem(1), 1u << 10));
    if (function->workitemIdDims > 2 && !isOne(2))
      x = exprs.add(x, exprs.scale(workItem(2), 1u << 20));
    state[slot].expr = x;
  }
  return state;
}

ExprId Evaluator::lane(bool isWhole) {
  SymbolId &symbol = isWhole ? laneSymbol : lowLaneSymbol;
  if (!symbol) {
    Symbol made;
    made.kind = Symbol::Kind::Lane;
    const unsigned lanes = program.isa().target().lanesPerWave;
    made.known = Known::upTo((isWhole ? lanes : lanes / 2) - 1);
    made.depends = {true, false, false, false, false};
    symbol = exprs.addSymbol(made);
  }
  return exprs.symbol(symbol);
}

uint32_t Evaluator::activeLanes(const State &state) {
  const std::pair<ExprId, ExprId> halves{state[slice.slot(regunit::ExecLo)].expr,
                                         state[slice.slot(regunit::ExecHi)].expr};
  auto [known, isNew] = laneSetIndex.try_emplace(halves, laneSets.size());
  if (isNew)
    laneSets.push_back(halves);
  return known->second;
}

bool Evaluator::areAllActive(const State &state) {
  const uint32_t active = activeLanes(state);
  auto isFull = [&](ExprId half) { return exprs.isConstant(half) && exprs[half].constant == ~0u; };
  return active == entryLanes || (isFull(laneSets[active].first) && isFull(laneSets[active].second));
}

bool Evaluator::halfWithin(ExprId inner, ExprId outer, unsigned depth) {
  if (inner == outer || inner == 0 || (exprs.isConstant(outer) && exprs[outer].constant == ~0u))
    return true;
  const Atom *only = exprs.onlyAtom(inner);
  if (!only || only->kind != AtomKind::And || depth > 8)
    return false;
  return halfWithin(only->a, outer, depth + 1) || halfWithin(only->b, outer, depth + 1);
}

bool Evaluator::areWithin(uint32_t inner, uint32_t outer) {
  if (outer == 0 || inner == outer)
    return true;
  return inner != 0 && halfWithin(laneSets[inner].first, laneSets[outer].first) &&
         halfWithin(laneSets[inner].second, laneSets[outer].second);
}

Value Evaluator::opaque(unsigned slot, Symbol::Kind kind, uint32_t where, Known known, Depends like) {
  const RegUnit unit = slice.unit(slot);
  Symbol symbol;
  symbol.kind = kind;
  symbol.where = where;
  symbol.reg = unit;
  symbol.owner = owner;
  symbol.known = known;
  symbol.depends = {isVgpr(unit) && like.lane, like.wave, false, false, true};
  if (unit == regunit::Scc)
    symbol.known = symbol.known.within(Known::upTo(1)) ? symbol.known : Known::upTo(1);
  return {exprs.symbol(exprs.addSymbol(symbol)), 0};
}

void Evaluator::forget(unsigned slot, State &state, Symbol::Kind kind, uint32_t where, Known known, Depends like) {
  state[slot] = opaque(slot, kind, where, known, like);
}

ExprId Evaluator::read(RegUnit unit, const State &state) {
  const uint16_t slot = slice.slot(unit);
  if (slot == Slice::none) {
    Symbol symbol;
    symbol.reg = unit;
    symbol.owner = owner;
    symbol.where = ~0u;
    symbol.depends = {isVgpr(unit) || isAgpr(unit), true, false, false, true};
    return exprs.symbol(exprs.addSymbol(symbol));
  }
  const Value &value = state[slot];
  if (!isVgpr(unit) || value.lanes == 0)
    return value.expr;
  const uint32_t active = const_cast<Evaluator *>(this)->activeLanes(state);
  if (areWithin(active, value.lanes))
    return value.expr;
  // Some of these lanes keep what was there before.
  Symbol symbol;
  symbol.reg = unit;
  symbol.owner = owner;
  symbol.where = ~0u;
  symbol.depends = {true, true, false, false, true};
  return exprs.symbol(exprs.addSymbol(symbol));
}

ExprId Evaluator::operand(const MCOperand &operand, uint32_t index, const State &state, unsigned half) {
  if (operand.isImm())
    return exprs.constant(half ? (operand.getImm() < 0 ? ~0u : 0) : uint32_t(operand.getImm()));
  if (operand.isReg()) {
    const RegRange range = program.isa().regRange(operand.getReg());
    if (range.count > half)
      return read(range.first + half, state);
  }
  if (int64_t value; operand.isExpr() && operand.getExpr()->evaluateAsAbsolute(value))
    return exprs.constant(half ? (value < 0 ? ~0u : 0) : uint32_t(value));
  Symbol symbol;
  symbol.kind = operand.isExpr() ? Symbol::Kind::External : Symbol::Kind::Computed;
  symbol.where = index;
  symbol.owner = operand.isExpr() ? 0 : owner;
  symbol.depends = {false, !operand.isExpr(), false, false, true};
  return exprs.symbol(exprs.addSymbol(symbol));
}

void Evaluator::write(RegUnit unit, ExprId value, State &state) {
  const uint16_t slot = slice.slot(unit);
  if (slot == Slice::none)
    return;
  state[slot] = {value, isVgpr(unit) ? activeLanes(state) : 0};
}

void Evaluator::writeScc(uint32_t index, ExprId value, State &state) {
  if (slice.needsScc(index))
    state[slice.slot(regunit::Scc)] = {value, 0};
}

void Evaluator::forgetWrites(uint32_t index, State &state) {
  const Instruction &instruction = program.instructions()[index];
  const InstrDesc &desc = *instruction.desc;
  const bool loads = desc.isSmem() || desc.isVmem() || desc.isDs();
  for (RegRange range : slice.writes(program, index))
    for (unsigned i = 0; i < range.count; ++i)
      if (uint16_t slot = slice.slot(range.first + i); slot != Slice::none)
        forget(slot, state, loads ? Symbol::Kind::Loaded : Symbol::Kind::Computed, index);
}

ExprId Evaluator::firstLane(ExprId value, const State &state) {
  if (!exprs[value].depends.lane)
    return value;
  const uint32_t active = activeLanes(state);
  if (active == entryLanes && laneSymbol)
    value = exprs.substitute(value, [&](SymbolId id) { return id == laneSymbol ? 0 : exprs.symbol(id); });
  // Another EXEC may have another first lane.
  uint32_t latest = 0;
  SmallVector<SymbolId, 8> symbols;
  exprs.symbolsOf(laneSets[active].first, symbols);
  exprs.symbolsOf(laneSets[active].second, symbols);
  for (SymbolId id : symbols)
    latest = std::max(latest, exprs.symbolInfo(id).owner);
  return exprs.substitute(value, [&](SymbolId id) {
    return exprs.symbol(exprs.symbolInfo(id).depends.lane ? exprs.derived(Symbol::Kind::FirstLane, id, active, latest)
                                                          : id);
  });
}

std::optional<ExprId> Evaluator::vccIsSet(const State &state, bool &isExact) {
  const uint32_t active = activeLanes(state);
  isExact = active == entryLanes || state[slice.activeSlot()].lanes == active;
  ExprId mask[2];
  for (unsigned half = 0; half < 2; ++half) {
    const uint16_t slot = slice.slot(regunit::VccLo + half);
    if (slot == Slice::none)
      return std::nullopt;
    const ExprId vcc = state[slot].expr, exec = state[slice.slot(regunit::ExecLo + half)].expr;
    const Atom *only = exprs.onlyAtom(vcc);
    if (vcc == exec)
      mask[half] = exprs.constant(~0u);
    else if (vcc == 0 || exec == exprs.constant(~0u))
      mask[half] = vcc;
    else if (only && only->kind == AtomKind::And && (only->a == exec || only->b == exec))
      mask[half] = only->a == exec ? only->b : only->a;
    else
      return std::nullopt;
  }
  // All bits of the mask are those of one condition.
  const ExprId condition = exprs.scale(mask[0], ~0u);
  if (mask[0] != mask[1] || exprs[condition].known.greatest > 1)
    return std::nullopt;
  return condition;
}

void Evaluator::assume(State &state, ExprId condition, bool value) {
  if (!exprs.isConstant(condition))
    for (unsigned slot = 0; slot < slice.activeSlot(); ++slot)
      state[slot].expr = exprs.assume(state[slot].expr, condition, value);
}

/// Without active lanes v_readfirstlane reads lane 0, which may have been left out when the register was written.
bool Evaluator::hasFirstLane(const MCOperand &source, const State &state) {
  if (!source.isReg())
    return true;
  const RegRange range = program.isa().regRange(source.getReg());
  const uint16_t slot = range.count ? slice.slot(range.first) : Slice::none;
  if (slot == Slice::none || !isVgpr(range.first))
    return true;
  const uint32_t lanes = state[slot].lanes, active = activeLanes(state);
  return lanes == 0 || lanes == entryLanes || active == entryLanes || state[slice.activeSlot()].lanes == active;
}

ExprId Evaluator::compare(const Operation &op, ExprId a, ExprId b) {
  auto less = [&](ExprId x, ExprId y) { return op.isSigned ? exprs.lessSigned(x, y) : exprs.less(x, y); };
  switch (op.relation) {
  case Relation::Equal: return exprs.equal(a, b);
  case Relation::NotEqual: return exprs.logicalNot(exprs.equal(a, b));
  case Relation::Less: return less(a, b);
  case Relation::LessEqual: return exprs.logicalNot(less(b, a));
  case Relation::Greater: return less(b, a);
  case Relation::GreaterEqual: return exprs.logicalNot(less(a, b));
  }
  return 0;
}

ExprId Evaluator::compute(const Operation &op, ArrayRef<ExprId> s) {
  auto number = [&](uint32_t value) { return exprs.constant(value); };
  auto low24 = [&](ExprId e) { return exprs.bitAnd(e, number(0xffffff)); };
  auto signed24 = [&](ExprId e) {
    const bool isSmall = exprs.bitAnd(e, number(0x7fffff)) == e;
    return isSmall ? e : exprs.shiftRightSigned(exprs.shiftLeft(e, number(8)), number(8));
  };
  switch (op.what) {
  case Do::Move: return s[0];
  case Do::Add: return exprs.add(s[0], s[1]);
  case Do::Sub: return exprs.sub(s[0], s[1]);
  case Do::SubReverse: return exprs.sub(s[1], s[0]);
  case Do::Multiply: return exprs.mul(s[0], s[1]);
  case Do::MultiplyHigh: return exprs.mulHi(s[0], s[1]);
  case Do::MultiplyHighSigned: return exprs.mulHiSigned(s[0], s[1]);
  case Do::Multiply24: return exprs.mul(low24(s[0]), low24(s[1]));
  case Do::Multiply24Signed: return exprs.mul(signed24(s[0]), signed24(s[1]));
  case Do::MultiplyAdd24Signed: return exprs.add(exprs.mul(signed24(s[0]), signed24(s[1])), s[2]);
  case Do::MultiplyAdd24: return exprs.add(exprs.mul(low24(s[0]), low24(s[1])), s[2]);
  case Do::ShiftLeft: return exprs.shiftLeft(s[0], s[1]);
  case Do::ShiftRight: return exprs.shiftRight(s[0], s[1]);
  case Do::ShiftRightSigned: return exprs.shiftRightSigned(s[0], s[1]);
  case Do::ShiftLeftReverse: return exprs.shiftLeft(s[1], op.narrow ? exprs.bitAnd(s[0], number(15)) : s[0]);
  case Do::ShiftRightReverse: return exprs.shiftRight(s[1], op.narrow ? exprs.bitAnd(s[0], number(15)) : s[0]);
  case Do::ShiftRightSignedReverse: return exprs.shiftRightSigned(s[1], s[0]);
  case Do::And: return exprs.bitAnd(s[0], s[1]);
  case Do::Or: return exprs.bitOr(s[0], s[1]);
  case Do::Xor: return exprs.bitXor(s[0], s[1]);
  case Do::AndNot: return exprs.andNot(s[0], s[1]);
  case Do::OrNot: return exprs.bitOr(s[0], exprs.bitNot(s[1]));
  case Do::NotAnd: return exprs.bitNot(exprs.bitAnd(s[0], s[1]));
  case Do::NotOr: return exprs.bitNot(exprs.bitOr(s[0], s[1]));
  case Do::NotXor: return exprs.bitNot(exprs.bitXor(s[0], s[1]));
  case Do::Not: return exprs.bitNot(s[0]);
  case Do::ShiftLeftAdd: return exprs.add(exprs.shiftLeft(s[0], s[1]), s[2]);
  case Do::AddShiftLeft: return exprs.shiftLeft(exprs.add(s[0], s[1]), s[2]);
  case Do::ShiftLeftOr: return exprs.bitOr(exprs.shiftLeft(s[0], s[1]), s[2]);
  case Do::AndOr: return exprs.bitOr(exprs.bitAnd(s[0], s[1]), s[2]);
  case Do::Or3: return exprs.bitOr(exprs.bitOr(s[0], s[1]), s[2]);
  case Do::Add3: return exprs.add(exprs.add(s[0], s[1]), s[2]);
  case Do::XorAdd: return exprs.add(exprs.bitXor(s[0], s[1]), s[2]);
  case Do::ShiftedAdd: return exprs.add(exprs.scale(s[0], 1u << op.amount), s[1]);
  case Do::FieldUnsigned:
    if (!exprs.isConstant(s[1]) || !exprs.isConstant(s[2]))
      return exprs.other(1, s[0], s[1], s[2]);
    return exprs.field(s[0], exprs[s[1]].constant & 31, (1u << (exprs[s[2]].constant & 31)) - 1);
  case Do::FieldPacked: {
    if (!exprs.isConstant(s[1]))
      return exprs.other(2, s[0], s[1]);
    const uint32_t packed = exprs[s[1]].constant, width = packed >> 16 & 0x7f;
    return exprs.field(s[0], packed & 31, width >= 32 ? ~0u : (1u << width) - 1);
  }
  case Do::FieldInsert: return exprs.bitOr(exprs.bitAnd(s[0], s[1]), exprs.andNot(s[2], s[0]));
  case Do::FieldMask:
    if (!exprs.isConstant(s[0]) || !exprs.isConstant(s[1]))
      return exprs.other(3, s[0], s[1]);
    return number(((1u << (exprs[s[0]].constant & 31)) - 1) << (exprs[s[1]].constant & 31));
  case Do::Min: return exprs.select(exprs.less(s[0], s[1]), s[0], s[1]);
  case Do::Max: return exprs.select(exprs.less(s[0], s[1]), s[1], s[0]);
  case Do::MinSigned: return exprs.select(exprs.lessSigned(s[0], s[1]), s[0], s[1]);
  case Do::MaxSigned: return exprs.select(exprs.lessSigned(s[0], s[1]), s[1], s[0]);
  case Do::PackLow: return exprs.bitOr(exprs.bitAnd(s[0], number(0xffff)), exprs.shiftLeft(s[1], number(16)));
  default: return 0;
  }
}

void Evaluator::run(uint32_t index, State &state) {
  const Instruction &instruction = program.instructions()[index];
  const InstrDesc &desc = *instruction.desc;
  const MCInst &inst = program.inst(index);
  const Operation &op = slice.operation(desc.opcode);
  const MCInstrDesc &mc = program.isa().instrInfo().get(inst.getOpcode());
  const unsigned defs = mc.getNumDefs();
  auto give = [&](unsigned half, ExprId value) {
    const RegRange to = program.isa().regRange(inst.getOperand(0).getReg());
    if (exprs[value].depth > depthLimit || exprs[value].termCount > termLimit) {
      if (uint16_t slot = slice.slot(to.first + half); slot != Slice::none)
        forget(slot, state, Symbol::Kind::Computed, index, exprs[value].known, exprs[value].depends);
      return;
    }
    write(to.first + half, value, state);
  };
  auto forgetScc = [&] {
    if (slice.needsScc(index))
      forget(slice.slot(regunit::Scc), state, Symbol::Kind::Computed, index, Known::upTo(1));
  };
  if (slice.skips(index) == VectorModes::Skips::Yes)
    return;
  if (op.what == Do::Nothing || inst.getNumOperands() < defs || slice.isMoved(index) ||
      slice.skips(index) == VectorModes::Skips::Maybe)
    return forgetWrites(index, state);

  // Sources follow the destinations; a source that is tied to one is listed again or, from the disassembler, isn't.
  SmallVector<ExprId, 4> sources;
  SmallVector<unsigned, 4> places;
  if (desc.isSdwa) {
    // dst, (modifiers, source) for each, clamp, [omod], dst_sel, dst_unused, selections.
    const unsigned count = desc.format == Format::Vop1 ? 1 : 2;
    const unsigned size = inst.getNumOperands(), minimum = defs + 2 * count + 3 + count;
    auto immediate = [&](unsigned at) { return inst.getOperand(at).isImm() ? inst.getOperand(at).getImm() : -1; };
    if (size < minimum || op.what == Do::CompareVector || op.what == Do::ByMask || op.narrow ||
        immediate(size - count - 2) != 6 || desc.writesCarry)
      return forgetWrites(index, state);
    for (unsigned i = 0; i < count; ++i) {
      if (immediate(defs + 2 * i) != 0)
        return forgetWrites(index, state);
      const int64_t part = immediate(size - count + i);
      ExprId source = operand(inst.getOperand(defs + 2 * i + 1), index, state);
      if (part >= 0 && part < 4)
        source = exprs.field(source, 8 * part, 0xff);
      else if (part == 4 || part == 5)
        source = exprs.field(source, 16 * (part - 4), 0xffff);
      else if (part != 6)
        return forgetWrites(index, state);
      sources.push_back(source);
    }
    if (immediate(defs + 2 * count) != 0)
      return forgetWrites(index, state);
    return give(0, compute(op, sources));
  }
  for (unsigned i = defs; i < inst.getNumOperands(); ++i)
    places.push_back(i);
  auto source = [&](unsigned i, unsigned half = 0) {
    return i < places.size() ? operand(inst.getOperand(places[i]), index, state, half)
                             : operand(MCOperand(), index, state);
  };

  switch (op.what) {
  case Do::Load: {
    // The same for all waves when the address is.
    Depends depends{false, false, false, false, true};
    for (RegRange range : program.reads(instruction))
      for (unsigned i = 0; i < range.count; ++i)
        depends.wave |= exprs[read(range.first + i, state)].depends.wave;
    for (RegRange range : program.writes(instruction))
      for (unsigned i = 0; i < range.count; ++i)
        if (uint16_t slot = slice.slot(range.first + i); slot != Slice::none)
          forget(slot, state, Symbol::Kind::Loaded, index, {}, depends);
    return;
  }
  case Do::Compare: {
    ExprId a = source(0), b = source(1);
    if (op.immediateSource && exprs.isConstant(b))
      b = exprs.constant(op.isSigned ? uint32_t(int32_t(int16_t(exprs[b].constant))) : exprs[b].constant & 0xffff);
    return writeScc(index, compare(op, a, b), state);
  }
  case Do::Compare64: {
    // Unequal for sure when either half is.
    ExprId same = exprs.constant(1);
    for (unsigned half = 0; half < 2; ++half)
      same = exprs.bitAnd(same, exprs.equal(source(0, half), source(1, half)));
    return writeScc(index, op.relation == Relation::Equal ? same : exprs.logicalNot(same), state);
  }
  case Do::BitwiseAny: {
    if (places.size() != 4 || !inst.getOperand(places[3]).isImm())
      return forgetWrites(index, state);
    const ExprId in[3] = {source(2), source(1), source(0)}; // by bits of the table's row
    // As an exclusive or of products: their coefficients are sums over rows below.
    uint8_t table = uint8_t(inst.getOperand(places[3]).getImm());
    for (unsigned bit = 0; bit < 3; ++bit)
      for (unsigned row = 0; row < 8; ++row)
        if (row >> bit & 1)
          table ^= (table >> (row ^ 1u << bit) & 1) << row;
    ExprId result = 0;
    for (unsigned row = 0; row < 8; ++row) {
      if (!(table >> row & 1))
        continue;
      ExprId product = exprs.constant(~0u);
      for (unsigned bit = 0; bit < 3; ++bit)
        if (row >> bit & 1)
          product = exprs.bitAnd(product, in[bit]);
      result = exprs.bitXor(result, product);
    }
    return give(0, result);
  }
  case Do::ShiftLeftAdd64:
  case Do::MultiplyAdd64: {
    // The sources may be the destination.
    const ExprId a = source(0), by = source(1), plus = source(2);
    forgetWrites(index, state);
    if (op.what == Do::MultiplyAdd64)
      return give(0, exprs.add(exprs.mul(a, by), plus));
    if (exprs.isConstant(by) && exprs[by].constant < 5)
      give(0, exprs.add(exprs.shiftLeft(a, by), plus));
    return;
  }
  case Do::CompareVector: {
    const RegRange to = defs ? program.isa().regRange(inst.getOperand(0).getReg()) : RegRange{regunit::VccLo, 2};
    if (defs && (to.count != 2 || isVgpr(to.first)))
      return forgetWrites(index, state);
    ExprId mask = exprs.laneMask(compare(op, source(0), source(1)));
    // Lanes that aren't active get 0.
    write(to.first, exprs.bitAnd(mask, read(regunit::ExecLo, state)), state);
    write(to.first + 1, exprs.bitAnd(exprs.other(4, mask), read(regunit::ExecHi, state)), state);
    return;
  }
  case Do::ByMask: {
    // Modifiers stand before sources in the long form.
    const bool isLong = inst.getNumOperands() > defs + 2;
    if (isLong &&
        (inst.getNumOperands() < defs + 5 || (inst.getOperand(defs).isImm() && inst.getOperand(defs).getImm()) ||
         (inst.getOperand(defs + 2).isImm() && inst.getOperand(defs + 2).getImm())))
      return forgetWrites(index, state);
    ExprId no = isLong ? source(1) : source(0), yes = isLong ? source(3) : source(1);
    Symbol symbol;
    symbol.where = index;
    symbol.reg = regunit::VccLo;
    symbol.owner = owner;
    symbol.known = Known::upTo(1);
    symbol.depends = {true, true, false, false, true};
    ExprId condition = 0;
    ExprId mask = isLong ? source(4) : read(regunit::VccLo, state);
    // What was compared where all these lanes were active.
    if (const Atom *only = exprs.onlyAtom(mask); only && only->kind == AtomKind::LaneMask)
      condition = only->a;
    else if (only && only->kind == AtomKind::And)
      for (auto [part, active] : {std::pair(only->a, only->b), std::pair(only->b, only->a)})
        if (const Atom *inner = exprs.onlyAtom(part);
            inner && inner->kind == AtomKind::LaneMask && halfWithin(read(regunit::ExecLo, state), active))
          condition = inner->a;
    if (!condition && no != yes)
      condition = exprs.symbol(exprs.addSymbol(symbol));
    return give(0, exprs.select(condition, yes, no));
  }
  case Do::FirstLane:
    if (!hasFirstLane(inst.getOperand(defs), state))
      return forgetWrites(index, state);
    return give(0, firstLane(source(0), state));
  case Do::ReadLane: {
    // The lane need not be active.
    ExprId value = source(0);
    const RegRange range =
        inst.getOperand(defs).isReg() ? program.isa().regRange(inst.getOperand(defs).getReg()) : RegRange{};
    const uint16_t slot = range.count ? slice.slot(range.first) : Slice::none;
    if (exprs[value].depends.lane || slot == Slice::none || (state[slot].lanes != 0 && state[slot].lanes != entryLanes))
      return forgetWrites(index, state);
    return give(0, value);
  }
  case Do::LaneCountLow:
  case Do::LaneCountHigh: {
    // With a full mask: the lanes of that half below this one.
    ExprId mask = source(0), plus = source(1);
    if (!exprs.isConstant(mask) || exprs[mask].constant != ~0u)
      return forgetWrites(index, state);
    if (op.what == Do::LaneCountLow && plus == 0)
      return give(0, lane(false));
    if (op.what == Do::LaneCountHigh && plus == lane(false))
      return give(0, lane(true));
    return forgetWrites(index, state);
  }
  case Do::Select:
  case Do::Select64: {
    ExprId scc = state[slice.slot(regunit::Scc)].expr;
    for (unsigned half = 0; half < (op.what == Do::Select64 ? 2u : 1u); ++half)
      give(half, exprs.select(scc, source(0, half), source(1, half)));
    return;
  }
  case Do::SaveExec: {
    const ExprId low = read(regunit::ExecLo, state), high = read(regunit::ExecHi, state);
    const ExprId with[2] = {source(0, 0), source(0, 1)}, exec[2] = {low, high};
    give(0, low);
    give(1, high);
    for (unsigned half = 0; half < 2; ++half) {
      ExprId made;
      switch (Do(op.amount)) {
      case Do::And: made = exprs.bitAnd(exec[half], with[half]); break;
      case Do::Or: made = exprs.bitOr(exec[half], with[half]); break;
      case Do::Xor: made = exprs.bitXor(exec[half], with[half]); break;
      case Do::AndNot: made = exprs.andNot(with[half], exec[half]); break;
      default: made = opaque(slice.slot(regunit::ExecLo), Symbol::Kind::Computed, index, {}, {false, true}).expr; break;
      }
      write(regunit::ExecLo + half, made, state);
    }
    return forgetScc();
  }
  case Do::Move64:
  case Do::And64:
  case Do::Or64:
  case Do::Xor64:
  case Do::AndNot64:
  case Do::OrNot64: {
    ExprId made[2];
    for (unsigned half = 0; half < 2; ++half) {
      ExprId a = source(0, half);
      switch (op.what) {
      case Do::Move64: made[half] = a; break;
      case Do::And64: made[half] = exprs.bitAnd(a, source(1, half)); break;
      case Do::Or64: made[half] = exprs.bitOr(a, source(1, half)); break;
      case Do::Xor64: made[half] = exprs.bitXor(a, source(1, half)); break;
      case Do::AndNot64: made[half] = exprs.andNot(a, source(1, half)); break;
      default: made[half] = exprs.bitOr(a, exprs.bitNot(source(1, half))); break;
      }
    }
    give(0, made[0]);
    give(1, made[1]);
    return forgetScc();
  }
  default: break;
  }

  // SOPK: destination, [the same as source,] immediate.
  if (op.immediateSource) {
    const MCOperand &last = inst.getOperand(inst.getNumOperands() - 1);
    if (!last.isImm())
      return forgetWrites(index, state);
    ExprId immediate = exprs.constant(uint32_t(int32_t(int16_t(last.getImm()))));
    if (op.what == Do::Move)
      return give(0, immediate);
    ExprId old = operand(inst.getOperand(0), index, state);
    forgetScc();
    return give(0, op.what == Do::Add ? exprs.add(old, immediate) : exprs.mul(old, immediate));
  }
  static constexpr unsigned two = 2;
  const bool isThree = desc.format == Format::Vop3 &&
                       (op.what == Do::ShiftLeftAdd || op.what == Do::AddShiftLeft || op.what == Do::ShiftLeftOr ||
                        op.what == Do::AndOr || op.what == Do::Or3 || op.what == Do::Add3 || op.what == Do::XorAdd ||
                        op.what == Do::FieldUnsigned || op.what == Do::FieldInsert || op.what == Do::MultiplyAdd24 ||
                        op.what == Do::MultiplyAdd24Signed);
  const bool isOne = op.what == Do::Move || op.what == Do::Not;
  const unsigned count = isThree ? 3 : isOne ? 1 : two;
  if (places.size() < count)
    return forgetWrites(index, state);
  // What is left is a clamp.
  for (unsigned i = count; i < places.size(); ++i)
    if (!inst.getOperand(places[i]).isImm() || inst.getOperand(places[i]).getImm() != 0)
      return forgetWrites(index, state);
  for (unsigned i = 0; i < count; ++i) {
    ExprId value = source(i);
    sources.push_back(op.narrow ? exprs.bitAnd(value, exprs.constant(0xffff)) : value);
  }
  ExprId result = compute(op, sources);
  if (op.narrow)
    result = exprs.bitAnd(result, exprs.constant(0xffff));
  // Second destinations, such as carries.
  const RegRange first = program.isa().regRange(inst.getOperand(0).getReg());
  for (RegRange range : program.writes(instruction))
    if (!range.overlaps(first) && range.first != regunit::Scc)
      for (unsigned i = 0; i < range.count; ++i)
        if (uint16_t slot = slice.slot(range.first + i); slot != Slice::none)
          forget(slot, state, Symbol::Kind::Computed, index);
  give(0, result);
  // SCC of logical operations and shifts says whether the result isn't 0.
  if (slice.needsScc(index)) {
    switch (op.what) {
    case Do::And:
    case Do::Or:
    case Do::Xor:
    case Do::AndNot:
    case Do::OrNot:
    case Do::NotAnd:
    case Do::NotOr:
    case Do::NotXor:
    case Do::Not:
    case Do::ShiftLeft:
    case Do::ShiftRight:
    case Do::ShiftRightSigned:
    case Do::FieldPacked: writeScc(index, exprs.logicalNot(exprs.equal(result, 0)), state); break;
    default: forgetScc();
    }
  }
}

} // namespace inflight::values
