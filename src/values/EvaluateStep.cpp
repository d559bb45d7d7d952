// One instruction on symbolic registers.
#include "values/Evaluate.h"

#include "llvm/ADT/STLExtras.h"
#include <bit>

using namespace llvm;

namespace inflight::values {

/// Deeper expressions than people write are replaced by symbols, which bounds the work on each.
static constexpr unsigned depthLimit = 24, termLimit = 12;

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
  return zero;
}

// NOLINTNEXTLINE(readability-function-size): a table
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
  default: return zero;
  }
}

/// One instruction and the state that it changes. Sources follow the destinations; a source that is tied to one is
/// listed again or, from the disassembler, isn't.
struct Evaluator::Step {
  Step(Evaluator &evaluator, uint32_t index, State &state)
      : evaluator(evaluator),
        slice(evaluator.slice),
        exprs(evaluator.exprs),
        isa(evaluator.program.isa()),
        index(index),
        instruction(evaluator.program.instructions()[index]),
        desc(*instruction.desc),
        inst(evaluator.program.inst(index)),
        op(slice.operation(desc.opcode)),
        definitions(isa.instrInfo().get(inst.getOpcode()).getNumDefs()),
        state(state) {}

  void run() {
    if (slice.skips(index) == VectorModes::Skips::Yes)
      return;
    if (op.what == Do::Nothing || inst.getNumOperands() < definitions || slice.isMoved(index) ||
        slice.skips(index) == VectorModes::Skips::Maybe)
      return forgetWrites();
    if (desc.isSdwa)
      return runSdwa();
    switch (op.what) {
    case Do::Load: return load();
    case Do::Compare: return compare();
    case Do::Compare64: return compare64();
    case Do::TestBit: return testBit();
    case Do::BitwiseAny: return bitwiseAny();
    case Do::ShiftLeftAdd64:
    case Do::MultiplyAdd64: return add64();
    case Do::CompareVector: return compareVector();
    case Do::ByMask: return selectByMask();
    case Do::SwapRows: return swapRows();
    case Do::FirstLane:
      if (!evaluator.hasFirstLane(inst.getOperand(definitions), state))
        return forgetWrites();
      return give(0, evaluator.firstLane(source(0), state));
    case Do::ReadLane: return readLane();
    case Do::LaneCountLow:
    case Do::LaneCountHigh: return countLanes();
    case Do::Select:
    case Do::Select64: return select();
    case Do::SaveExec: return saveExec();
    case Do::Move64:
    case Do::And64:
    case Do::Or64:
    case Do::Xor64:
    case Do::AndNot64:
    case Do::OrNot64: return bitwise64();
    default: return op.immediateSource ? runWithImmediate() : runPlain();
    }
  }

private:
  ExprId read(RegUnit unit) { return evaluator.read(unit, state); }
  unsigned sourceCount() const { return inst.getNumOperands() - definitions; }
  ExprId source(unsigned i, unsigned half = 0) {
    return evaluator.operand(i < sourceCount() ? inst.getOperand(definitions + i) : MCOperand(), index, state, half);
  }
  /// The immediate among the operands; -1 for anything else.
  int64_t immediate(unsigned at) const { return inst.getOperand(at).isImm() ? inst.getOperand(at).getImm() : -1; }
  /// Whether modifiers stand there.
  bool isModified(unsigned at) const { return inst.getOperand(at).isImm() && inst.getOperand(at).getImm(); }

  void give(unsigned half, ExprId value) { giveTo(registerAt(0) + half, value); }
  RegUnit registerAt(unsigned operand) const { return isa.regRange(inst.getOperand(operand).getReg()).first; }
  void giveTo(RegUnit unit, ExprId value) {
    if (exprs[value].depth <= depthLimit && exprs[value].termCount <= termLimit)
      return evaluator.write(unit, value, state);
    if (uint16_t slot = slice.slot(unit); slot != Slice::none)
      evaluator.forget(slot, state, Symbol::Kind::Computed, index, exprs[value].known, exprs[value].depends);
  }
  void forgetWrites() { evaluator.forgetWrites(index, state); }
  void forgetScc() {
    if (slice.needsScc(index))
      evaluator.forget(slice.slot(regunit::Scc), state, Symbol::Kind::Computed, index, Known::upTo(1));
  }
  /// Calls `forget(slot)` for each followed register that it writes and that `isWanted`.
  template <typename Wanted, typename Forget> void forgetEach(Wanted isWanted, Forget forget) {
    for (RegRange range : evaluator.program.writes(instruction))
      if (isWanted(range))
        for (unsigned i = 0; i < range.count; ++i)
          if (uint16_t slot = slice.slot(range.first + i); slot != Slice::none)
            forget(slot);
  }

  /// dst, (modifiers, source) for each, clamp, [omod], dst_sel, dst_unused, selections.
  void runSdwa() {
    constexpr int64_t wholeDword = 6;
    const unsigned count = desc.format == Format::Vop1 ? 1 : 2;
    const unsigned size = inst.getNumOperands(), minimum = definitions + 2 * count + 3 + count;
    if (size < minimum || op.what == Do::CompareVector || op.what == Do::ByMask || op.narrow ||
        immediate(size - count - 2) != wholeDword || desc.writesCarry)
      return forgetWrites();
    SmallVector<ExprId, 4> sources;
    for (unsigned i = 0; i < count; ++i) {
      if (immediate(definitions + 2 * i) != 0)
        return forgetWrites();
      const int64_t part = immediate(size - count + i);
      ExprId source = evaluator.operand(inst.getOperand(definitions + 2 * i + 1), index, state);
      if (part >= 0 && part < 4)
        source = exprs.field(source, 8 * part, 0xff);
      else if (part == 4 || part == 5)
        source = exprs.field(source, 16 * (part - 4), 0xffff);
      else if (part != wholeDword)
        return forgetWrites();
      sources.push_back(source);
    }
    if (immediate(definitions + 2 * count) != 0)
      return forgetWrites();
    give(0, evaluator.compute(op, sources));
  }

  /// The same for all waves when the address is.
  void load() {
    Depends depends{false, false, false, false, true};
    for (RegRange range : evaluator.program.reads(instruction))
      for (unsigned i = 0; i < range.count; ++i)
        depends.wave |= exprs[read(range.first + i)].depends.wave;
    forgetEach([](RegRange) { return true; },
               [&](uint16_t slot) { evaluator.forget(slot, state, Symbol::Kind::Loaded, index, {}, depends); });
  }

  void compare() {
    ExprId a = source(0), b = source(1);
    if (op.immediateSource && exprs.isConstant(b))
      b = exprs.constant(op.isSigned ? uint32_t(int32_t(int16_t(exprs[b].constant))) : exprs[b].constant & 0xffff);
    evaluator.writeScc(index, evaluator.compare(op, a, b), state);
  }

  /// Unequal for sure when either half is.
  void compare64() {
    ExprId same = exprs.constant(1);
    for (unsigned half = 0; half < 2; ++half)
      same = exprs.bitAnd(same, exprs.equal(source(0, half), source(1, half)));
    evaluator.writeScc(index, op.relation == Relation::Equal ? same : exprs.logicalNot(same), state);
  }

  void testBit() {
    const ExprId bit = source(1);
    if (!exprs.isConstant(bit))
      return forgetScc();
    const ExprId isSet = exprs.field(source(0), exprs[bit].constant & 31, 1);
    evaluator.writeScc(index, op.amount ? isSet : exprs.logicalNot(isSet), state);
  }

  void bitwiseAny() {
    constexpr unsigned operands = 4;
    if (sourceCount() != operands || !inst.getOperand(definitions + 3).isImm())
      return forgetWrites();
    const ExprId in[3] = {source(2), source(1), source(0)}; // by bits of the table's row
    give(0, sumOfProducts(productsOf(uint8_t(inst.getOperand(definitions + 3).getImm()), 3), in, exprs.constant(~0u)));
  }
  /// A truth table as an exclusive or of products, each a row that says which inputs are factors: their coefficients
  /// are sums over rows below.
  static uint64_t productsOf(uint64_t table, unsigned inputs) {
    for (unsigned bit = 0; bit < inputs; ++bit)
      for (unsigned row = 0; row < 1u << inputs; ++row)
        if (row >> bit & 1)
          table ^= (table >> (row ^ 1u << bit) & 1) << row;
    return table;
  }
  ExprId sumOfProducts(uint64_t products, ArrayRef<ExprId> in, ExprId ones) {
    ExprId result = zero;
    for (unsigned row = 0; row < 1u << in.size(); ++row) {
      if (!(products >> row & 1))
        continue;
      ExprId product = ones;
      for (unsigned bit = 0; bit < in.size(); ++bit)
        if (row >> bit & 1)
          product = exprs.bitAnd(product, in[bit]);
      result = exprs.bitXor(result, product);
    }
    return result;
  }

  /// The upper half isn't followed. The sources may be the destination.
  void add64() {
    const ExprId a = source(0), by = source(1), plus = source(2);
    forgetWrites();
    if (op.what == Do::MultiplyAdd64)
      return give(0, exprs.add(exprs.mul(a, by), plus));
    if (exprs.isConstant(by) && exprs[by].constant < 5)
      give(0, exprs.add(exprs.shiftLeft(a, by), plus));
  }

  /// Registers of a mask of all lanes: of waves of 32 one.
  uint16_t halvesOfMask() const { return isa.target().maskRegisters(); }

  void compareVector() {
    const uint16_t halves = halvesOfMask();
    const RegRange to = definitions ? isa.regRange(inst.getOperand(0).getReg()) : RegRange{regunit::VccLo, halves};
    if (definitions && (to.count != halves || isVgpr(to.first)))
      return forgetWrites();
    ExprId mask = exprs.laneMask(evaluator.compare(op, source(0), source(1)));
    // Lanes that aren't active get 0.
    evaluator.write(to.first, exprs.bitAnd(mask, read(regunit::ExecLo)), state);
    if (halves == 2)
      evaluator.write(to.first + 1, exprs.bitAnd(exprs.other(Evaluator::upperLanes, mask), read(regunit::ExecHi)),
                      state);
  }

  void selectByMask() {
    // Modifiers stand before sources in the long form.
    const bool isLong = sourceCount() > 2;
    if (isLong && (sourceCount() < 5 || isModified(definitions) || isModified(definitions + 2)))
      return forgetWrites();
    const ExprId no = isLong ? source(1) : source(0), yes = isLong ? source(3) : source(1);
    auto mask = [&](unsigned half) { return isLong ? source(4, half) : read(regunit::VccLo + half); };
    std::optional<ExprId> condition = no == yes ? zero : conditionOf(mask(0), mask(1));
    if (!condition) {
      Symbol symbol;
      symbol.where = index;
      symbol.reg = regunit::VccLo;
      symbol.owner = evaluator.owner;
      symbol.known = Known::upTo(1);
      symbol.depends = {true, true, false, false, true};
      condition = exprs.symbol(exprs.addSymbol(symbol));
    }
    give(0, exprs.select(*condition, yes, no));
  }
  /// What was compared to make the mask, where all lanes that are active now were active, or a constant's bit.
  std::optional<ExprId> conditionOf(ExprId mask, ExprId upper) {
    if (exprs.isConstant(mask) && exprs.isConstant(upper))
      return laneOf(uint64_t(exprs[upper].constant) << 32 | exprs[mask].constant);
    // Of waves of 64 lanes what is no lane's is followed in branches alone.
    if (const std::optional<ExprId> bit = halvesOfMask() == 1 ? evaluator.bitOfAll(mask) : std::nullopt)
      return bit;
    const Atom *only = exprs.onlyAtom(mask);
    if (!only)
      return std::nullopt;
    if (only->kind == AtomKind::LaneMask)
      return only->a;
    std::optional<ExprId> condition;
    if (only->kind == AtomKind::And)
      for (auto [part, active] : {std::pair(only->a, only->b), std::pair(only->b, only->a)})
        if (const Atom *inner = exprs.onlyAtom(part);
            inner && inner->kind == AtomKind::LaneMask && evaluator.halfWithin(read(regunit::ExecLo), active))
          condition = inner->a;
    return condition;
  }
  /// The lane's bit of a mask, by the bits of its number; none for masks without a pattern.
  std::optional<ExprId> laneOf(uint64_t mask) {
    constexpr unsigned bits = 6, mostProducts = 4;
    const uint64_t products = productsOf(mask, bits);
    if (std::popcount(products) > int(mostProducts) || isa.target().lanesPerWave != 1u << bits)
      return std::nullopt;
    SmallVector<ExprId, bits> in;
    for (unsigned bit = 0; bit < bits; ++bit)
      in.push_back(exprs.field(evaluator.lane(true), bit, 1));
    return sumOfProducts(products, in, exprs.constant(1));
  }

  /// Where all lanes that there can be are active; else some keep what they have.
  void swapRows() {
    const RegUnit first = registerAt(0), second = registerAt(1);
    const ExprId a = read(first), b = read(second), lane = evaluator.lane(true);
    const ExprId odd = exprs.field(lane, std::countr_zero(op.amount), 1);
    const std::optional<ExprId> below = evaluator.inLane(b, exprs.andNot(lane, exprs.constant(op.amount))),
                                above = evaluator.inLane(a, exprs.bitOr(lane, exprs.constant(op.amount)));
    if (!evaluator.isWhole(state) || !below || !above)
      return forgetWrites();
    giveTo(first, exprs.select(odd, *below, a));
    giveTo(second, exprs.select(odd, b, *above));
  }

  /// The lane need not be active.
  void readLane() {
    ExprId value = source(0);
    const MCOperand &from = inst.getOperand(definitions);
    const RegRange range = from.isReg() ? isa.regRange(from.getReg()) : RegRange{};
    const uint16_t slot = range.count ? slice.slot(range.first) : Slice::none;
    if (exprs[value].depends.lane || slot == Slice::none ||
        (state[slot].lanes != 0 && state[slot].lanes != evaluator.entryLanes))
      return forgetWrites();
    give(0, value);
  }

  /// With a full mask: the lanes of that half below this one.
  void countLanes() {
    ExprId mask = source(0), plus = source(1);
    if (!exprs.isConstant(mask) || exprs[mask].constant != ~0u)
      return forgetWrites();
    if (op.what == Do::LaneCountLow && plus == zero)
      return give(0, evaluator.lane(false));
    if (op.what == Do::LaneCountHigh && plus == evaluator.lane(false))
      return give(0, evaluator.lane(true));
    forgetWrites();
  }

  void select() {
    ExprId scc = state[slice.slot(regunit::Scc)].expr;
    for (unsigned half = 0; half < (op.what == Do::Select64 ? 2u : 1u); ++half)
      give(half, exprs.select(scc, source(0, half), source(1, half)));
  }

  void saveExec() {
    const unsigned halves = desc.is64Bit ? 2 : 1;
    const ExprId exec[2] = {read(regunit::ExecLo), read(regunit::ExecHi)};
    const ExprId with[2] = {source(0, 0), halves == 2 ? source(0, 1) : zero};
    for (unsigned half = 0; half < halves; ++half)
      give(half, exec[half]);
    for (unsigned half = 0; half < halves; ++half) {
      ExprId made;
      switch (Do(op.amount)) {
      case Do::And: made = exprs.bitAnd(exec[half], with[half]); break;
      case Do::Or: made = exprs.bitOr(exec[half], with[half]); break;
      case Do::Xor: made = exprs.bitXor(exec[half], with[half]); break;
      case Do::AndNot: made = exprs.andNot(with[half], exec[half]); break;
      default:
        made = evaluator.opaque(slice.slot(regunit::ExecLo), Symbol::Kind::Computed, index, {}, {false, true}).expr;
        break;
      }
      evaluator.write(regunit::ExecLo + half, made, state);
    }
    forgetScc();
  }

  void bitwise64() {
    // How vector instructions extend a number beyond the small ones isn't asked.
    constexpr int64_t least = -16, greatest = 64;
    const MCOperand &only = inst.getOperand(definitions);
    if (desc.isValu() && (sourceCount() != 1 ||
                          (!only.isReg() && !(only.isImm() && only.getImm() >= least && only.getImm() <= greatest))))
      return forgetWrites();
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
    forgetScc();
  }

  /// SOPK: destination, [the same as source,] immediate.
  void runWithImmediate() {
    const MCOperand &last = inst.getOperand(inst.getNumOperands() - 1);
    if (!last.isImm())
      return forgetWrites();
    ExprId immediate = exprs.constant(uint32_t(int32_t(int16_t(last.getImm()))));
    if (op.what == Do::Move)
      return give(0, immediate);
    ExprId old = evaluator.operand(inst.getOperand(0), index, state);
    forgetScc();
    give(0, op.what == Do::Add ? exprs.add(old, immediate) : exprs.mul(old, immediate));
  }

  /// What compute() knows.
  void runPlain() {
    const unsigned count = plainSources();
    if (sourceCount() < count)
      return forgetWrites();
    // What is left is a clamp.
    for (unsigned i = definitions + count; i < inst.getNumOperands(); ++i)
      if (immediate(i) != 0)
        return forgetWrites();
    auto narrowed = [&](ExprId value) { return op.narrow ? exprs.bitAnd(value, exprs.constant(0xffff)) : value; };
    SmallVector<ExprId, 4> sources;
    for (unsigned i = 0; i < count; ++i)
      sources.push_back(narrowed(source(i)));
    const ExprId result = narrowed(evaluator.compute(op, sources));
    // Second destinations, such as carries.
    const RegRange first = isa.regRange(inst.getOperand(0).getReg());
    forgetEach([&](RegRange range) { return !range.overlaps(first) && range.first != regunit::Scc; },
               [&](uint16_t slot) { evaluator.forget(slot, state, Symbol::Kind::Computed, index); });
    give(0, result);
    if (!slice.needsScc(index))
      return;
    if (setsSccToNonzero())
      evaluator.writeScc(index, exprs.logicalNot(exprs.equal(result, zero)), state);
    else
      forgetScc();
  }
  unsigned plainSources() const {
    switch (op.what) {
    case Do::Move:
    case Do::Not: return 1;
    case Do::ShiftLeftAdd:
    case Do::AddShiftLeft:
    case Do::ShiftLeftOr:
    case Do::AndOr:
    case Do::Or3:
    case Do::Add3:
    case Do::XorAdd:
    case Do::FieldUnsigned:
    case Do::FieldInsert:
    case Do::MultiplyAdd24:
    case Do::MultiplyAdd24Signed: return desc.format == Format::Vop3 ? 3 : 2;
    default: return 2;
    }
  }
  /// Logical operations and shifts.
  bool setsSccToNonzero() const {
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
    case Do::FieldPacked: return true;
    default: return false;
    }
  }

  Evaluator &evaluator;
  const Slice &slice;
  Expressions &exprs;
  const Isa &isa;
  const uint32_t index;
  const Instruction &instruction;
  const InstrDesc &desc;
  const MCInst &inst;
  const Operation &op;
  const unsigned definitions;
  State &state;
};

void Evaluator::run(uint32_t index, State &state) { Step(*this, index, state).run(); }

} // namespace inflight::values
