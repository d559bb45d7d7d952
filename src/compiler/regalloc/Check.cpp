#include "compiler/regalloc/Check.h"

#include "compiler/regalloc/FullExec.h"
#include "isa/chip/WaveSize.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <set>

using namespace llvm;

namespace inflight::lir {

namespace {

using enum Mnemonic;

/// Physical registers by unit, then the lanes of vector registers, then dwords of scratch.
using Place = uint64_t;
constexpr Place firstLane = regunit::Count, lanesOfRegister = waveLanes,
                firstScratch = firstLane + regunit::Count * lanesOfRegister;

/// A piece of a virtual register of the input, or a constant.
struct Symbol {
  bool isConstant;
  int64_t number; ///< of the piece, or the constant
  auto operator<=>(const Symbol &) const = default;
};

/// Lanes of a value that a place holds or a reader looks at: those that EXEC has on, and those that it has off.
enum Lanes : uint8_t { Active = 1, Inactive = 2, All = 3 };
using Contents = std::map<Symbol, uint8_t>;

class State {
public:
  bool isReached = false;
  bool operator==(const State &) const = default;

  void start(unsigned pieces) {
    isReached = true;
    undefined.resize(pieces, true);
  }
  uint8_t lanesOf(Place place, Symbol symbol) const {
    if (!symbol.isConstant && undefined.test(symbol.number))
      return All;
    auto found = places.find(place);
    if (found == places.end())
      return 0;
    uint8_t lanes = found->second.count(symbol) ? found->second.at(symbol) : 0;
    if (auto constant = constants.find(symbol.number); !symbol.isConstant && constant != constants.end())
      if (auto same = found->second.find({true, constant->second}); same != found->second.end())
        lanes |= same->second;
    return lanes;
  }
  bool holds(Place place, Symbol symbol, Lanes lanes) const { return (lanesOf(place, symbol) & lanes) == lanes; }
  Contents contents(Place place) const {
    auto found = places.find(place);
    return found == places.end() ? Contents() : found->second;
  }
  void set(Place place, Contents symbols) {
    if (place >= regunit::Vgpr0 && place < regunit::Agpr0)
      places.erase(places.lower_bound(laneOf(place, 0)), places.lower_bound(laneOf(place, lanesOfRegister)));
    if (symbols.empty())
      places.erase(place);
    else
      places[place] = std::move(symbols);
  }
  /// No place holds the piece's old value any more.
  void forget(unsigned piece) { forget(piece, 0); }
  /// `isFresh`: by active lanes alone, which are all that it has as long as EXEC is the same.
  void define(unsigned piece, Place place, bool isFresh = false) {
    forget(piece);
    set(place, {{{false, piece}, All}});
    if (isFresh)
      fresh.insert(piece);
  }
  /// Active lanes get a new value, in the place; the other lanes' stays, wherever it is.
  void defineActive(unsigned piece, Place place) {
    const bool wasFresh = fresh.count(piece);
    const uint8_t kept = lanesOf(place, {false, piece}) & Inactive;
    forget(piece, Inactive);
    Contents symbols = masked(contents(place), Inactive);
    symbols[{false, piece}] = kept | Active;
    set(place, std::move(symbols));
    if (wasFresh)
      fresh.insert(piece);
  }
  /// Other lanes become active, maybe: what was moved for fewer is lost.
  void widen() { changeExec(Active | Inactive); }
  /// Lanes become inactive, of which nobody knows what places hold besides.
  void narrow() { changeExec(Inactive); }
  /// What a place holds after active lanes alone have moved `symbols` there; to where values are saved, fresh ones go
  /// whole.
  Contents partly(const Contents &symbols, Place to, bool isSave) const {
    Contents result = masked(contents(to), Inactive);
    for (const auto &[symbol, lanes] : symbols)
      if (lanes & Active)
        result[symbol] |= isSave && !symbol.isConstant && fresh.count(symbol.number) ? All : Active;
    return result;
  }
  void makeUndefined(unsigned piece) {
    forget(piece);
    undefined.set(piece);
  }
  void makeConstant(unsigned piece, int64_t value) {
    forget(piece);
    constants[piece] = value;
  }
  /// `to` becomes another name of `from`, of which it has what active lanes have. `keeps`: its other lanes stay.
  void alias(unsigned to, unsigned from, bool keeps) {
    if (to == from)
      return;
    std::map<Place, uint8_t> kept;
    for (const auto &[place, symbols] : places)
      kept[place] = keeps ? lanesOf(place, {false, to}) & Inactive : uint8_t(Inactive);
    const bool wasFresh = fresh.count(to);
    forget(to, keeps ? Inactive : 0);
    undefined[to] = !keeps && undefined.test(from);
    if (auto constant = constants.find(from); !keeps && constant != constants.end())
      constants[to] = constant->second;
    for (auto &[place, symbols] : places)
      if (lanesOf(place, {false, from}) & Active)
        symbols[{false, to}] = Active | kept[place];
    if (!keeps || wasFresh)
      fresh.insert(to);
  }
  std::optional<int64_t> constantIn(Place place) const {
    for (const auto &[symbol, lanes] : contents(place))
      if (symbol.isConstant && lanes & Active)
        return symbol.number;
    return std::nullopt;
  }
  /// The lattice's meet, where blocks join: what both sides know.
  void meet(const State &other) {
    if (!isReached) {
      *this = other;
      return;
    }
    State result;
    result.isReached = true;
    result.undefined = undefined;
    result.undefined &= other.undefined;
    for (auto [piece, value] : constants)
      if (auto found = other.constants.find(piece); found != other.constants.end() && found->second == value)
        result.constants[piece] = value;
    for (const State *side : {static_cast<const State *>(this), &other})
      for (const auto &[place, symbols] : side->places)
        for (const auto &[symbol, lanes] : symbols)
          if (const uint8_t common = lanesOf(place, symbol) & other.lanesOf(place, symbol))
            result.places[place][symbol] = common;
    *this = std::move(result);
  }
  static Place laneOf(Place unit, unsigned lane) { return firstLane + unit * lanesOfRegister + lane; }

private:
  static Contents masked(Contents symbols, uint8_t lanes) {
    for (auto &[symbol, held] : symbols)
      held &= lanes;
    std::erase_if(symbols, [](const auto &held) { return !held.second; });
    return symbols;
  }
  /// Places go on holding the piece in those lanes only.
  void keep(unsigned piece, uint8_t lanes) {
    for (auto it = places.begin(); it != places.end();) {
      Contents &symbols = it->second;
      if (auto found = symbols.find({false, piece}); found != symbols.end()) {
        found->second &= lanes;
        if (!found->second)
          symbols.erase(found);
      }
      it = symbols.empty() ? places.erase(it) : std::next(it);
    }
  }
  void forget(unsigned piece, uint8_t lanes) {
    keep(piece, lanes);
    fresh.erase(piece);
    undefined.reset(piece);
    constants.erase(piece);
  }
  /// What a place holds for some lanes alone, which `lost` are among, is lost.
  void changeExec(uint8_t lost) {
    fresh.clear();
    for (auto it = places.begin(); it != places.end();) {
      std::erase_if(it->second, [&](const auto &held) { return held.second != All && (held.second & lost); });
      it = it->second.empty() ? places.erase(it) : std::next(it);
    }
  }

  std::map<Place, Contents> places;
  BitVector undefined;                   ///< by piece
  std::map<unsigned, int64_t> constants; ///< pieces that are made again where they are needed
  std::set<unsigned> fresh;              ///< pieces that active lanes have defined since EXEC was written
};

bool isMove(const Inst &inst) {
  return inst.is(v_mov_b32) || inst.is(v_mov_b64) || inst.is(s_mov_b32) || inst.is(s_mov_b64) ||
         inst.is(v_accvgpr_read_b32) || inst.is(v_accvgpr_write_b32) || inst.is(v_accvgpr_mov_b32) ||
         inst.is(v_readfirstlane_b32);
}

bool isConstantMove(const Inst &inst) {
  return (inst.is(v_mov_b32) || inst.is(s_mov_b32)) && inst.operands[1].isImm() && inst.operands[0].isReg();
}

class Checker {
public:
  Checker(const Function &input, const Function &output) : input(input), output(output), exec(output) {
    unsigned pieces = 0;
    for (const VirtualReg &reg : input.regs) {
      firstPiece.push_back(pieces);
      pieces += reg.width;
    }
    entries.resize(output.blocks.size());
    entries[0].start(pieces);
    for (RegId reg = 0; reg < input.regs.size(); ++reg)
      if (const VirtualReg &info = input.regs[reg]; info.fixed != regunit::None)
        for (unsigned i = 0; i < info.width; ++i)
          entries[0].define(firstPiece[reg] + i, info.fixed + i);
  }

  Error run() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned b = 0; b < output.blocks.size(); ++b) {
        if (!entries[b].isReached)
          continue;
        State state = entries[b];
        walk(b, state);
        for (unsigned successor : output.blocks[b].successors) {
          State met = entries[successor];
          met.meet(state);
          if (met == entries[successor])
            continue;
          entries[successor] = std::move(met);
          changed = true;
        }
      }
    }
    reports = true;
    for (unsigned b = 0; b < output.blocks.size() && problem.empty(); ++b)
      if (entries[b].isReached) {
        State state = entries[b];
        walk(b, state);
      }
    return problem.empty() ? Error::success() : makeError(problem);
  }

private:
  unsigned piece(Reg reg, unsigned i) const { return firstPiece[reg.id] + reg.sub + i; }
  RegUnit unit(const Operand &operand, unsigned i = 0) const {
    return output.assignment[operand.reg.id] + operand.reg.sub + i;
  }

  void fail(unsigned block, const Inst &inst, const Twine &why) {
    if (!reports || !problem.empty())
      return;
    raw_string_ostream os(problem);
    os << "register allocation of '" << output.name << "', block " << block << ": ";
    print(output, inst, os);
    os << ": " << why;
  }

  void walk(unsigned b, State &state) {
    ArrayRef<Inst> before = input.blocks[b].insts, after = output.blocks[b].insts;
    size_t next = 0;
    bool isFullNext = exec.atEntry(b);
    for (const Inst &inst : after) {
      isFull = isFullNext;
      isFullNext = exec.after(inst, isFull);
      if (!inst.origin) {
        added(b, inst, state);
        continue;
      }
      for (; next < before.size() && before[next].origin < inst.origin; ++next)
        dropped(b, before[next], state);
      if (next == before.size() || before[next].origin != inst.origin)
        return fail(b, inst, "is not at its place");
      if (before[next].isCopy()) {
        added(b, inst, state); // a part of it; the whole takes effect where it is passed
        continue;
      }
      kept(b, before[next], inst, state);
      ++next;
      if (narrowsExec(inst))
        state.narrow();
      else if (writesExec(inst))
        state.widen();
    }
    for (; next < before.size(); ++next)
      dropped(b, before[next], state);
  }

  /// An instruction of the input that the output hasn't got, or a copy that has become moves.
  void dropped(unsigned b, const Inst &inst, State &state) {
    const Operand *first = inst.operands.begin();
    if (inst.isCopy() && inst.operands[1].isReg()) {
      for (unsigned i = 0; i < first->reg.count; ++i)
        state.alias(piece(first->reg, i), piece(inst.operands[1].reg, i), inst.keepsInactiveLanes && !isFull);
      return;
    }
    if (inst.isCopy())
      return;
    for (const Operand &operand : inst.operands)
      for (unsigned i = 0; operand.isReg() && operand.isDef && i < operand.reg.count; ++i) {
        if (inst.is(Pseudo::ImplicitDef)) {
          if (input.regs[operand.reg.id].fixed == regunit::None)
            state.makeUndefined(piece(operand.reg, i));
        } else if (isConstantMove(inst) && !inst.keepsInactiveLanes) {
          state.makeConstant(piece(operand.reg, i), inst.operands[1].imm);
        } else {
          state.forget(piece(operand.reg, i));
        }
      }
  }

  /// Lanes that are inactive keep what they have.
  void defineActive(State &state, unsigned piece, Place place) const {
    if (isFull)
      state.define(piece, place);
    else
      state.defineActive(piece, place);
  }

  void expect(unsigned b, const Inst &inst, const State &state, Place place, unsigned value, Lanes lanes = Active) {
    if (!state.holds(place, {false, value}, Active))
      fail(b, inst, regName({RegUnit(place), 1}) + " doesn't hold the value it should");
    else if (!state.holds(place, {false, value}, lanes))
      fail(b, inst, regName({RegUnit(place), 1}) + " holds the value it should in active lanes only");
  }

  /// What a vector register, or scratch, gets from active lanes.
  Contents moved(const State &state, const Contents &symbols, Place to, bool isSave) const {
    return isFull ? symbols : state.partly(symbols, to, isSave);
  }

  /// A move, spill or constant.
  void added(unsigned b, const Inst &inst, State &state) {
    if (inst.is(s_mov_b64) && (inst.operands[0].is(Special::Exec) || inst.operands[1].is(Special::Exec))) {
      // Spilling widens EXEC, and restores it, around moves.
    } else if (isMove(inst)) {
      std::vector<Contents> values;
      values.reserve(inst.operands[0].reg.count);
      for (unsigned i = 0; i < inst.operands[0].reg.count; ++i)
        values.push_back(inst.operands[1].isReg() ? state.contents(unit(inst.operands[1], i))
                                                  : Contents{{{true, inst.operands[1].imm}, All}});
      for (unsigned i = 0; i < values.size(); ++i) {
        const RegUnit to = unit(inst.operands[0], i);
        state.set(to, isScalar(to) ? values[i] : moved(state, values[i], to, isAgpr(to)));
      }
    } else if (inst.is(v_writelane_b32)) {
      state.set(State::laneOf(unit(inst.operands[0]), inst.operands[2].imm), state.contents(unit(inst.operands[1])));
    } else if (inst.is(v_readlane_b32)) {
      state.set(unit(inst.operands[0]), state.contents(State::laneOf(unit(inst.operands[1]), inst.operands[2].imm)));
    } else if (inst.memory == MemoryKind::Spilled) {
      spilled(b, inst, state);
    } else {
      fail(b, inst, "was added");
    }
  }

  void spilled(unsigned b, const Inst &inst, State &state) {
    constexpr unsigned bytes = 4;
    const std::optional<int64_t> base =
        inst.operands[2].is(Special::Off) ? std::optional<int64_t>(0) : state.constantIn(unit(inst.operands[2]));
    if (!base)
      return fail(b, inst, "its address isn't known");
    const Operand &data = inst.operands[inst.mayLoad ? 0 : 1];
    for (unsigned i = 0; i < data.reg.count; ++i) {
      const Place place = firstScratch + (*base + inst.modifiers.offset) / bytes + i;
      if (inst.mayLoad)
        state.set(unit(data, i), moved(state, state.contents(place), unit(data, i), false));
      else
        state.set(place, moved(state, state.contents(unit(data, i)), place, true));
    }
  }

  /// An instruction of the input with other registers.
  void kept(unsigned b, const Inst &was, const Inst &is, State &state) {
    const bool isSame = was.mnemonic() == is.mnemonic() || (was.is(v_mov_b32) && is.is(v_accvgpr_write_b32));
    if (!isSame || was.operands.size() != is.operands.size() || was.modifiers != is.modifiers)
      return fail(b, is, "has become another instruction");
    for (unsigned o = 0; o < was.operands.size(); ++o) {
      const Operand &from = was.operands[o], &to = is.operands[o];
      if (from.kind != to.kind || from.isDef != to.isDef || from.negate != to.negate || from.absolute != to.absolute ||
          (from.isReg() ? from.reg.count != to.reg.count : from.imm != to.imm || from.special != to.special))
        return fail(b, is, "has another operand");
      if (!from.isReg())
        continue;
      if (output.assignment[to.reg.id] == regunit::None)
        return fail(b, is, "an operand has no register");
      const Lanes lanes = touchesInactiveLanes(is) ? All : Active;
      if (!from.isDef)
        for (unsigned i = 0; i < from.reg.count; ++i)
          expect(b, is, state, unit(to, i), piece(from.reg, i), lanes);
    }
    checkOverlaps(b, is);
    for (unsigned o = 0; o < was.operands.size(); ++o)
      if (was.operands[o].isReg() && was.operands[o].isDef)
        for (unsigned i = 0; i < was.operands[o].reg.count; ++i)
          if (was.keepsInactiveLanes)
            defineActive(state, piece(was.operands[o].reg, i), unit(is.operands[o], i));
          else
            state.define(piece(was.operands[o].reg, i), unit(is.operands[o], i), !touchesInactiveLanes(is));
  }

  void checkOverlaps(unsigned b, const Inst &inst) {
    auto range = [&](const Operand &operand) { return RegRange{unit(operand), operand.reg.count}; };
    for (const Operand &definition : inst.operands)
      for (const Operand &other : inst.operands) {
        if (!definition.isReg() || !definition.isDef || !other.isReg() || &definition == &other ||
            definition.reg == other.reg)
          continue;
        if ((other.isDef || inst.earlyClobber) && range(definition).overlaps(range(other)))
          fail(b, inst, "its result is written over another operand");
      }
  }

  const Function &input, &output;
  const FullExec exec;              ///< of the output
  bool isFull = true;               ///< at the instruction that is looked at
  std::vector<unsigned> firstPiece; ///< by RegId of the input
  std::vector<State> entries;       ///< by block
  bool reports = false;
  std::string problem;
};

} // namespace

AllocationChecker::AllocationChecker(Function &function) {
  unsigned origin = 0;
  for (Block &block : function.blocks)
    for (Inst &inst : block.insts)
      inst.origin = ++origin;
  input = function;
}

Error AllocationChecker::check(const Function &allocated) const { return Checker(input, allocated).run(); }

} // namespace inflight::lir
