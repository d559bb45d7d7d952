#include "values/flow/SameInWaves.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight::values {

static bool isBits(Same a) { return a == Same::Bits || a == Same::Flag; }
/// The wave's lanes have it all 0 or all 1, in all waves alike.
static bool isLaneFlag(Same a) { return a == Same::Flag || a == Same::Lanes || a == Same::Mask || a == Same::LaneFlag; }
static bool isPart(Same a) { return a == Same::Lanes || a == Same::Mask || a == Same::Part; }

Same either(Same a, Same b) {
  if (a == b)
    return a;
  if (isBits(a) && isBits(b))
    return Same::Bits;
  if (isPart(a) && isPart(b))
    return isLaneFlag(a) && isLaneFlag(b) ? Same::Mask : Same::Part;
  return isLaneFlag(a) && isLaneFlag(b) ? Same::LaneFlag : Same::Nothing;
}

Same afterParting(Same a) { return a == Same::Lanes ? Same::Lanes : isPart(a) ? Same::Part : Same::Nothing; }

static Same bitNot(Same a) { return isBits(a) ? a : isLaneFlag(a) ? Same::LaneFlag : Same::Nothing; }

static Same bitAnd(Same a, Same b) {
  if (isBits(a) && isBits(b))
    return a == b ? a : Same::Bits;
  if (a == Same::Lanes && b == Same::Lanes)
    return Same::Lanes;
  if (isPart(a) || isPart(b))
    return isLaneFlag(a) && isLaneFlag(b) ? Same::Mask : Same::Part;
  return isLaneFlag(a) && isLaneFlag(b) ? Same::LaneFlag : Same::Nothing;
}

static Same bitOr(Same a, Same b, bool isExclusive) {
  if (isBits(a) && isBits(b))
    return a == b ? a : Same::Bits;
  if (isPart(a) && isPart(b)) {
    if (!isExclusive && (a == Same::Lanes || b == Same::Lanes))
      return Same::Lanes;
    return isLaneFlag(a) && isLaneFlag(b) ? Same::Mask : Same::Part;
  }
  return isLaneFlag(a) && isLaneFlag(b) ? Same::LaneFlag : Same::Nothing;
}

Same SameInWaves::bitwise(Bitwise what, Same a, Same b) {
  switch (what) {
  case Bitwise::None: return Same::Nothing;
  case Bitwise::Copy: return a;
  case Bitwise::And: return bitAnd(a, b);
  case Bitwise::Or: return bitOr(a, b, false);
  case Bitwise::Xor: return bitOr(a, b, true);
  case Bitwise::AndNot: return bitAnd(a, bitNot(b));
  case Bitwise::OrNot: return bitOr(a, bitNot(b), false);
  case Bitwise::NotAnd: return bitNot(bitAnd(a, b));
  case Bitwise::NotOr: return bitNot(bitOr(a, b, false));
  case Bitwise::NotXor: return bitNot(bitOr(a, b, true));
  case Bitwise::Not: return bitNot(a);
  case Bitwise::NotFirstAnd: return bitAnd(bitNot(a), b);
  case Bitwise::NotFirstOr: return bitOr(bitNot(a), b, false);
  }
  return Same::Nothing;
}

SameInWaves::SameInWaves(const Program &program) : program(program), modes(program) {
  for (const Instruction &instruction : program.instructions()) {
    if (!instruction.desc)
      continue;
    auto [place, isNew] = known.try_emplace(instruction.desc->opcode);
    if (!isNew)
      continue;
    place->second = describe(*instruction.desc);
    // Which registers these name isn't in the instructions.
    scalarsAreUnknown |= instruction.desc->movesRelative;
  }
}

SameInWaves::What SameInWaves::describe(const InstrDesc &desc) const {
  What what;
  if (desc.isSmem()) {
    if (desc.mayLoad && !desc.isAtomic() && desc.access.space == MemoryAccess::Space::Memory)
      what.what = Do::Load;
    return what;
  }
  if (desc.isValu()) {
    const bool isFirstLane = desc.id == Mnemonic::v_readfirstlane_b32;
    if (desc.countsLanes || (desc.exchangesLanes() && !isFirstLane))
      return what;
    what.what = isFirstLane ? Do::FirstLane : Do::Vector;
    what.readsMask = desc.takesMask || desc.takesCarry || desc.isDivFmas;
    return what;
  }
  // Of s_cmov LLVM's tables don't say that it may leave its destination as it was.
  if (!desc.isSalu() || desc.readsHwReg || desc.isConditionalMove)
    return what;
  what.isLong = desc.is64Bit;
  what.what = Do::Scalar;
  if (desc.bitwise == Bitwise::Copy) {
    what.what = Do::Move;
  } else if (desc.selectsByScc) {
    what.what = Do::Select;
  } else if (const bool isOfExec = desc.savesExec || desc.replacesExec;
             desc.bitwise != Bitwise::None && (desc.is64Bit || !isOfExec)) {
    what.what = isOfExec ? Do::SaveExec : Do::Logic;
    what.bitwise = desc.bitwise;
    what.replaces = desc.replacesExec;
  }
  return what;
}

SameInWaves::State SameInWaves::nothing() {
  State state;
  state.fill(Same::Nothing);
  return state;
}

SameInWaves::State SameInWaves::kernelEntry() {
  State state = nothing();
  // User SGPRs and the workgroup's numbers.
  std::fill(state.begin(), state.begin() + regunit::FlatScratchLo, Same::Bits);
  state[regunit::Mode] = Same::Bits;
  // The first lane of a wave is active when it starts.
  state[regunit::ExecLo] = state[regunit::ExecHi] = Same::Lanes;
  return state;
}

void SameInWaves::callUnknown(State &state) {
  // LLVM's convention: SGPRs from 32 on and EXEC are as before.
  constexpr unsigned firstKept = 32;
  for (unsigned unit = 0; unit < unitCount; ++unit)
    if (!(unit >= firstKept && unit < regunit::FlatScratchLo) && unit != regunit::ExecLo && unit != regunit::ExecHi)
      state[unit] = Same::Nothing;
}

static Same ofRange(RegRange range, const SameInWaves::State &state) {
  if (!range.count || range.first + range.count > SameInWaves::unitCount)
    return Same::Nothing;
  Same same = state[range.first];
  for (unsigned i = 1; i < range.count; ++i) {
    const Same other = state[range.first + i];
    if (other != same)
      same = isBits(other) && isBits(same) ? Same::Bits : Same::Nothing;
  }
  // Halves of a mask, or several of them.
  return isBits(same) || range.count == 2 ? same : Same::Nothing;
}

Same SameInWaves::operand(uint32_t index, unsigned number, const State &state, bool isLong) const {
  const MCInst &inst = program.inst(index);
  if (number >= inst.getNumOperands())
    return Same::Nothing;
  const MCOperand &operand = inst.getOperand(number);
  if (operand.isImm())
    return operand.getImm() == 0 || operand.getImm() == -1 ? Same::Flag : Same::Bits;
  if (!operand.isReg())
    return Same::Bits;
  const Same same = ofRange(program.isa().regRange(operand.getReg()), state);
  return isLong || isBits(same) ? same : Same::Nothing;
}

void SameInWaves::setAll(ArrayRef<RegRange> ranges, State &state, Same same) {
  for (RegRange range : ranges)
    for (unsigned unit = range.first; unit < unsigned(range.first + range.count) && unit < unitCount; ++unit)
      state[unit] = same;
}

void SameInWaves::run(uint32_t index, State &state) {
  const Instruction &instruction = program.instructions()[index];
  if (!instruction.desc || !instruction.writeCount)
    return;
  if (scalarsAreUnknown) {
    state = nothing();
    return;
  }
  const VectorModes::Skips skips = modes.skips(index);
  if (skips == VectorModes::Skips::Yes)
    return;
  const VectorModes::Moved *moved = modes.moved(index);
  if (skips == VectorModes::Skips::Maybe || moved)
    return setAll(moved ? ArrayRef(moved->writes) : program.writes(instruction), state, Same::Nothing);
  const What &what = known.find(instruction.desc->opcode)->second;
  switch (what.what) {
  case Do::Own: return setAll(program.writes(instruction), state, Same::Nothing);
  case Do::Load: {
    // Those that bypass the cache may poll what others write.
    const MCInst &inst = program.inst(index);
    const MCOperand &policy = inst.getOperand(inst.getNumOperands() - 1);
    bool isSame = policy.isImm() && policy.getImm() == 0;
    for (RegRange range : program.reads(instruction))
      isSame &= isBits(ofRange(range, state));
    return setAll(program.writes(instruction), state, isSame ? Same::Bits : Same::Nothing);
  }
  case Do::Vector:
  case Do::FirstLane: return runVector(index, what, state);
  default: return runScalar(index, what, state);
  }
}

void SameInWaves::runVector(uint32_t index, const What &what, State &state) const {
  const Instruction &instruction = program.instructions()[index];
  const RegRange execRange{regunit::ExecLo, 2};
  const Same exec = ofRange(execRange, state);
  bool isSame = true;
  for (RegRange range : program.reads(instruction)) {
    if (range.overlaps(execRange))
      continue;
    const Same source = ofRange(range, state);
    isSame &= isBits(source) || (what.readsMask && isScalar(range.first) && range.count == 2 && isLaneFlag(source));
    // Each lane reads a bit of its own.
    isSame &= !(what.readsMask && isScalar(range.first) && range.count == 2 && source == Same::Bits);
  }
  if (what.what == Do::FirstLane)
    return setAll(program.writes(instruction), state, isSame && isPart(exec) ? Same::Bits : Same::Nothing);
  for (RegRange range : program.writes(instruction))
    for (unsigned unit = range.first; unit < unsigned(range.first + range.count) && unit < unitCount; ++unit) {
      if (isVgpr(unit))
        state[unit] =
            isSame && (exec == Same::Lanes || (exec == Same::Mask && isBits(state[unit]))) ? Same::Bits : Same::Nothing;
      else if (range.count != 2)
        state[unit] = Same::Nothing;
      else if (isSame && (exec == Same::Lanes || exec == Same::Mask))
        state[unit] = Same::Mask;
      else
        state[unit] = isPart(exec) ? Same::Part : Same::Nothing;
    }
}

void SameInWaves::runScalar(uint32_t index, const What &what, State &state) const {
  const Instruction &instruction = program.instructions()[index];
  auto write = [&](RegRange range, Same same) {
    for (unsigned unit = range.first; unit < unsigned(range.first + range.count) && unit < unitCount; ++unit)
      state[unit] = same;
  };
  const RegRange scc{regunit::Scc, 1}, exec{regunit::ExecLo, 2};
  // Without a lane no wave begins, so masks that are alike are 0 alike.
  auto isZero = [&](Same same) {
    return isBits(same) || same == Same::Lanes || same == Same::Mask ? Same::Bits : Same::Nothing;
  };
  const MCInst &inst = program.inst(index);
  const RegRange to = inst.getNumOperands() && inst.getOperand(0).isReg()
                          ? program.isa().regRange(inst.getOperand(0).getReg())
                          : RegRange{};
  switch (what.what) {
  case Do::Move: return write(to, operand(index, 1, state, what.isLong));
  case Do::Select: {
    const Same a = operand(index, 1, state, what.isLong), b = operand(index, 2, state, what.isLong);
    return write(to, isBits(state[regunit::Scc]) ? either(a, b) : afterParting(either(a, b)));
  }
  case Do::Logic: {
    const Same a = operand(index, 1, state, what.isLong);
    const Same b = what.bitwise == Bitwise::Not ? a : operand(index, 2, state, what.isLong);
    const Same result = bitwise(what.bitwise, a, b);
    write(to, result);
    return write(scc, isZero(result));
  }
  case Do::SaveExec: {
    const Same source = operand(index, 1, state, true), old = ofRange(exec, state);
    const Same result = bitwise(what.bitwise, source, old);
    write(to, what.replaces ? result : old);
    write(exec, result);
    return write(scc, isZero(result));
  }
  default: {
    bool isSame = true;
    for (RegRange range : program.reads(instruction))
      isSame &= isBits(ofRange(range, state));
    return setAll(program.writes(instruction), state, isSame ? Same::Bits : Same::Nothing);
  }
  }
}

bool SameInWaves::isTakenAlike(uint32_t last, const State &state) const {
  const InstrDesc *desc = program.instructions()[last].desc;
  if (!desc || scalarsAreUnknown)
    return false;
  auto isMaskZero = [&](RegUnit low) {
    const Same same = ofRange({low, 2}, state);
    return isBits(same) || same == Same::Lanes || same == Same::Mask;
  };
  if (desc->branchesOnScc)
    return isBits(state[regunit::Scc]);
  if (desc->branchesOnVcc)
    return isMaskZero(regunit::VccLo);
  if (desc->branchesOnExec)
    return isMaskZero(regunit::ExecLo);
  if (desc->id == Mnemonic::s_setpc_b64 || desc->id == Mnemonic::s_swappc_b64)
    return all_of(program.reads(program.instructions()[last]),
                  [&](RegRange range) { return isBits(ofRange(range, state)); });
  return false;
}

} // namespace inflight::values
