#include "values/Evaluate.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/MC/MCExpr.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::values {

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
  // The first register of a mask has the lanes of a smaller wave all.
  const unsigned lanes = program.isa().target().lanesPerWave;
  isWhole |= program.isa().target().maskRegisters() == 1;
  SymbolId &symbol = isWhole ? laneSymbol : lowLaneSymbol;
  if (symbol == noSymbol) {
    Symbol made;
    made.kind = Symbol::Kind::Lane;
    made.known = Known::upTo(isWhole ? lanes - 1 : TargetInfo::lanesPerMaskRegister);
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

/// Their numbers aren't used again: symbols say by them which lane is the first.
void Evaluator::forgetLanes() {
  for (auto &halves : laneSets)
    halves = {zero, zero};
  laneSetIndex.clear();
  entryLanes = ~0u;
}

std::optional<ExprId> Evaluator::inLane(ExprId value, ExprId number) {
  bool dependsOnMore = false;
  exprs.eachAtom(value, [&](AtomId, const Atom &atom) {
    // The lanes of a mask are all of the wave's.
    dependsOnMore |= atom.kind == AtomKind::LaneMask ||
                     (atom.kind == AtomKind::Symbol && atom.symbol() != laneSymbol && atom.depends.lane);
  });
  if (dependsOnMore)
    return std::nullopt;
  return exprs.substitute(value, [&](SymbolId id) { return id == laneSymbol ? number : exprs.symbol(id); });
}

bool Evaluator::isWhole(const State &state) {
  const auto [low, high] = laneSets[activeLanes(state)];
  const ExprId full = exprs.constant(~0u);
  return low == full && high == full;
}

bool Evaluator::areAllActive(const State &state) { return activeLanes(state) == entryLanes || isWhole(state); }

bool Evaluator::halfWithin(ExprId inner, ExprId outer, unsigned depth) {
  if (inner == outer || inner == zero || (exprs.isConstant(outer) && exprs[outer].constant == ~0u))
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
  if (active == entryLanes && laneSymbol != noSymbol)
    value = exprs.substitute(value, [&](SymbolId id) { return id == laneSymbol ? zero : exprs.symbol(id); });
  // Another EXEC may have another first lane.
  uint32_t latest = 0;
  SmallVector<SymbolId, 8> symbols;
  symbolsOf(exprs, laneSets[active].first, symbols);
  symbolsOf(exprs, laneSets[active].second, symbols);
  for (SymbolId id : symbols)
    latest = std::max(latest, exprs.symbolInfo(id).owner);
  return exprs.substitute(value, [&](SymbolId id) {
    return exprs.symbol(exprs.symbolInfo(id).depends.lane ? exprs.derived(Symbol::Kind::FirstLane, id, active, latest)
                                                          : id);
  });
}

std::optional<ExprId> Evaluator::bitOfAll(ExprId mask) {
  const ExprId bit = exprs.scale(mask, ~0u);
  if (exprs[bit].known.greatest <= 1)
    return bit;
  if (const Atom *only = exprs.onlyAtom(mask)) {
    // Of the upper half, as compareVector() has it.
    const Atom *lower = only->kind == AtomKind::Other && only->shift == upperLanes ? exprs.onlyAtom(only->a) : only;
    if (lower && lower->kind == AtomKind::LaneMask && !exprs[lower->a].depends.lane)
      return lower->a;
    if (only->kind != AtomKind::And)
      return std::nullopt;
    const ExprId parts[2] = {only->a, only->b};
    const std::optional<ExprId> first = bitOfAll(parts[0]), second = first ? bitOfAll(parts[1]) : std::nullopt;
    return second ? std::optional(exprs.bitAnd(*first, *second)) : std::nullopt;
  }
  const ExprId others = exprs.bitNot(mask);
  const std::optional<ExprId> other = exprs.onlyAtom(others) ? bitOfAll(others) : std::nullopt;
  return other ? std::optional(exprs.logicalNot(*other)) : std::nullopt;
}

std::optional<ExprId> Evaluator::vccIsSet(const State &state, bool &isExact) {
  const uint32_t active = activeLanes(state);
  isExact = active == entryLanes || state[slice.activeSlot()].lanes == active;
  std::optional<ExprId> condition;
  for (unsigned half = 0; half < program.isa().target().maskRegisters(); ++half) {
    const uint16_t slot = slice.slot(regunit::VccLo + half);
    if (slot == Slice::none)
      return std::nullopt;
    const ExprId vcc = state[slot].expr, exec = state[slice.slot(regunit::ExecLo + half)].expr;
    const Atom *only = exprs.onlyAtom(vcc);
    ExprId mask;
    if (vcc == exec)
      mask = exprs.constant(~0u);
    else if (vcc == zero || exec == exprs.constant(~0u))
      mask = vcc;
    else if (only && only->kind == AtomKind::And && (only->a == exec || only->b == exec))
      mask = only->a == exec ? only->b : only->a;
    else
      return std::nullopt;
    // All bits of the mask are those of one condition.
    const std::optional<ExprId> bit = bitOfAll(mask);
    if (!bit || (condition && condition != bit))
      return std::nullopt;
    condition = bit;
  }
  return condition;
}

void Evaluator::assume(State &state, ExprId condition, bool value, function_ref<bool(unsigned)> isLive) {
  if (exprs.isConstant(condition))
    return;
  for (unsigned slot = 0; slot < slice.activeSlot(); ++slot)
    if (isLive(slot))
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

/// A run from the address on, no longer than the greatest extents make it: a tile is written without gaps but for its
/// padding. A dimension that isn't used has the extent 0 or 1. What lies outside of the tensor may be left out, and so
/// may be all.
uint32_t Evaluator::mostBytes(const TileRegisters &tile, const State &state) {
  auto field = [&](RegUnit unit, unsigned shift, uint32_t mask) {
    return exprs[exprs.field(read(unit, state), shift, mask)].known;
  };
  auto isClear = [&](RegUnit unit, unsigned bit) { return field(unit, bit, 1).greatest == 0; };
  auto extent = [&](RegUnit unit, unsigned shift) {
    return uint64_t(std::max(field(unit, shift, 0xffff).greatest, 1u));
  };
  // What workgroups of a cluster send each other, they send where their own values say.
  const bool isSentToOthers = field(tile.flags, 0, 0xffff).greatest != 0;
  if (!isClear(tile.kind, 31) || !isClear(tile.flags, 18) || !isClear(tile.flags, 19) || isSentToOthers)
    return 0;
  uint64_t bytes = extent(tile.extents, 16) * extent(tile.moreExtents, 0) * extent(tile.moreExtents, 16)
                   << field(tile.flags, 16, 3).greatest;
  if (!isClear(tile.flags, 20)) {
    constexpr uint64_t word = 4;
    const uint64_t interval = word << (field(tile.flags, 22, 7).least + 1);
    bytes += divideCeil(bytes, interval) * word * (uint64_t(field(tile.flags, 25, 0x7f).greatest) + 1);
  }
  return bytes <= program.isa().target().ldsBytes ? uint32_t(bytes) : 0;
}

} // namespace inflight::values
