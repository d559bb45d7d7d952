#include "hazards/Access.h"

#include "isa/HwReg.h"
#include "isa/OperandBits.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::hazards {

static Kinds matrixKinds(const InstrDesc &desc, bool f32IsXdl) {
  if (desc.isMatrixF64)
    return kind::Dgemm | (desc.isMatrixF64Small ? kind::Dgemm4x4 : kind::Dgemm16x16);
  return desc.isMatrixF32 && !f32IsXdl ? kind::Sgemm : kind::Xdl;
}

static Kinds valuKinds(const InstrDesc &desc, bool shiftsResult, bool f32IsXdl) {
  using namespace kind;
  if (desc.isMfma || desc.loadsScales)
    return Valu | Vector | NonTrans | NonLaneAccess | Matrix | matrixKinds(desc, f32IsXdl);
  Kinds kinds = Valu | Vector | PlainValu;
  auto add = [&](bool has, Kinds kind) { kinds |= has ? kind : 0; };
  kinds |= desc.isDot ? Dot : NonDot;
  kinds |= desc.isTrans ? Trans : NonTrans;
  kinds |= desc.isLaneAccess ? LaneAccess : NonLaneAccess;
  add(desc.isDivFmas, DivFmas);
  add(desc.isPermlane, Permlane);
  add(desc.isFmaF64, FmaF64);
  add(desc.isDpp, Dpp);
  add(shiftsResult, ShiftsResult);
  add(desc.isPackedSingle, PackedSingle);
  return kinds;
}

static Kinds kindsOf(const InstrDesc &desc, bool shiftsResult, bool f32IsXdl) {
  using namespace kind;
  if (desc.isValu())
    return valuKinds(desc, shiftsResult, f32IsXdl);
  if (desc.isDs())
    return Memory | Vector | (desc.addsLaneId ? LdsByM0 : 0) |
           (desc.isGws || desc.id == Mnemonic::ds_ordered_count ? Message : 0);
  if (desc.isVmem())
    return Vmem | Memory | Vector | (desc.isLdsDma ? LdsByM0 : 0);
  if (!desc.isSalu() && desc.format != Format::Sopp)
    return 0;
  Kinds kinds = Salu;
  auto add = [&](bool has, Kinds kind) { kinds |= has ? kind : 0; };
  add(desc.isMessage, Message);
  add(desc.setsHwReg, SetReg);
  add(desc.readsHwReg, GetReg);
  add(desc.id == Mnemonic::s_setvskip, SetVskip);
  add(desc.isReturnFromException, Rfe);
  add(desc.movesRelative, MoveRel);
  return kinds;
}

static bool isExec(RegRange range) { return range.overlaps({regunit::ExecLo, 2}); }
static bool isScc(RegRange range) { return range.first == regunit::Scc || range.first == regunit::Mode; }

static Roles resultRole(RegRange range) {
  if (range.first >= regunit::Vgpr0)
    return role::VectorResult;
  if (isScc(range))
    return 0;
  if (isExec(range))
    return role::ExecResult;
  return role::ScalarResult | (range.first == regunit::M0 ? role::M0Result : 0);
}

OperandUse::OperandUse(const InstrDesc &desc) {
  isMatrix = desc.isMfma || desc.loadsScales;
  isSparse = desc.isSparse;
  isDot = desc.isDot;
  picksLane = desc.readsLane;
  selectsLane = desc.selectsLane;
  takesCarry = desc.takesCarry;
  takesMask = desc.takesMask;
  mayHaveData = desc.isVmem() && (desc.mayStore || desc.isAtomic()) && !desc.isLdsDma;
  isBuffer = desc.format == Format::Mubuf || desc.format == Format::Mtbuf;
  isDpp = desc.isDpp && desc.isValu();
}

OpcodeFacts::OpcodeFacts(const Isa &isa, const InstrDesc &desc) {
  kinds = kindsOf(desc, false, isa.target().f32MatrixIsXdl);
  kindsShifted = kindsOf(desc, true, isa.target().f32MatrixIsXdl);
  use = OperandUse(desc);
  isNop = desc.isNop;
}

/// Roles of vector register operand `number`, counted from 0; `isTied` to the destination.
static Roles vectorRole(const OperandUse &use, unsigned number, bool isTied) {
  const Roles dppRole = !use.isDpp ? 0 : number == 0 ? role::DppSource : role::DppOther;
  if (use.isSparse)
    return isTied ? role::Accumulator : role::Factor;
  if (use.isMatrix || use.isDot)
    return (number == 2 ? role::Accumulator : role::Factor) | dppRole;
  return (number == 0 && use.picksLane ? role::LaneSource : 0) | dppRole;
}

static Roles scalarRole(const OperandUse &use, unsigned number, bool isImplicit) {
  if (number == 1 && use.selectsLane)
    return role::LaneSelect;
  if (use.takesCarry && (isImplicit || number == 2))
    return 0;
  if (isImplicit || (number == 2 && use.takesMask))
    return role::Mask;
  return role::Constant;
}

void assignRoles(Access &access, const OperandUse &use, ArrayRef<PlainOperand> operands) {
  const bool isValu = access.kinds & kind::Valu;
  bool hasScalarOffset = false, hasWideData = false;
  unsigned number = 0;
  RegRange result;
  for (const PlainOperand &operand : operands) {
    const RegRange range = operand.range;
    if (operand.isDef) {
      if (!result.count)
        result = range;
      if (Roles roles = range.count ? resultRole(range) : 0)
        access.operands.push_back({range, roles});
      continue;
    }
    const unsigned at = operand.isImplicit ? ~0u : number++;
    if (!range.count || isScc(range))
      continue;
    Roles roles = 0;
    if (operand.isZeroFlag) {
      roles = role::ZeroFlag;
    } else if (isExec(range)) {
      roles = operand.isImplicit ? 0 : role::ExecConstant;
    } else if (range.first >= regunit::Vgpr0) {
      roles = role::VectorSource;
      if (isValu)
        roles |= vectorRole(use, at, at > 2 && range == result);
      // Addresses have two registers at most, so what is wider is data.
      constexpr unsigned widestAddress = 2;
      if (use.mayHaveData && range.count > widestAddress) {
        roles |= role::StoreData;
        hasWideData = true;
      }
    } else {
      roles = role::ScalarSource;
      if (isValu)
        roles |= scalarRole(use, at, operand.isImplicit);
      // Resources have four registers, 64-bit bases two.
      hasScalarOffset |= !operand.isImplicit && range.count == 1;
    }
    if (roles)
      access.operands.push_back({range, roles});
  }
  if (hasWideData)
    access.kinds |= use.isBuffer && hasScalarOffset ? kind::WideStoreByOffset : kind::WideStore;
  if (access.kinds & (kind::Message | kind::LdsByM0 | kind::MoveRel))
    access.operands.push_back({{regunit::M0, 1}, role::M0Source});
}

namespace {
/// Bits of an MCInst's immediates that the public tables don't name (ISA manuals, VOP3 and SDWA encodings).
enum : unsigned { SourceOpSel = 4, DestinationOpSel = 8, SdwaDword = 6, SdwaPreserve = 2 };
/// Hardware registers and fields (ISA manuals, "Hardware registers"; MODE).
enum : unsigned { HwTrapstsId = 3, ModeVskipBit = 28 };
} // namespace

static unsigned lastImmediate(const MCInst &inst, unsigned fromEnd = 0) {
  unsigned count = inst.getNumOperands();
  if (count <= fromEnd || !inst.getOperand(count - 1 - fromEnd).isImm())
    return 0;
  return unsigned(inst.getOperand(count - 1 - fromEnd).getImm());
}

bool conversionShifts(const InstrDesc &desc, unsigned opSel) {
  return desc.alwaysMerges || (desc.choosesByte && (opSel >> 2 & 3));
}

static bool sdwaShifts(const MCInst &inst, const InstrDesc &desc, unsigned defs, unsigned sources, bool &preserves) {
  // Comparisons and lane reads have no register whose parts could be chosen.
  if (desc.isCompare || desc.readsLane)
    return false;
  // After the sources and their modifiers: clamp, perhaps omod, dst_sel and dst_unused if the instruction has them
  // (conversions from FP8 write whole registers), then one selection a source.
  constexpr unsigned clamp = 1, destination = 2;
  const unsigned after = inst.getNumOperands() - defs - 2 * sources;
  if (after < clamp + destination + sources || lastImmediate(inst, sources + 1) == SdwaDword)
    return false;
  preserves = lastImmediate(inst, sources) == SdwaPreserve;
  return true;
}

/// VCCZ and EXECZ as operands.
static std::pair<unsigned, unsigned> zeroFlagRegisters(const Isa &isa) {
  std::pair<unsigned, unsigned> found;
  for (unsigned reg = 1; reg < isa.registerInfo().getNumRegs(); ++reg) {
    const StringRef name = isa.registerInfo().getName(reg);
    if (name == "SRC_VCCZ")
      found.first = reg;
    else if (name == "SRC_EXECZ")
      found.second = reg;
  }
  return found;
}

/// Adds the register of s_setreg or s_getreg.
static void addHardwareRegister(Access &access, const MCInst &inst) {
  const HwRegField field = HwRegField::of(lastImmediate(inst));
  access.operands.push_back({hwRegRange(field.id), role::HwReg});
  if ((access.kinds & kind::SetReg) && field.id == HwTrapstsId)
    access.kinds |= kind::SetRegTrapsts;
  if ((access.kinds & kind::SetReg) && field.isOfMode() && field.hasBit(ModeVskipBit))
    access.kinds |= kind::SetRegVskip;
}

Access plainAccess(const Isa &isa, const OpcodeFacts &facts, const MCInst &inst) {
  const InstrDesc &desc = isa.desc(inst.getOpcode());
  const MCInstrDesc &mc = isa.instrInfo().get(inst.getOpcode());
  static const unsigned modifierType = sourceModifiersType(isa);
  static const std::pair<unsigned, unsigned> zeroFlags = zeroFlagRegisters(isa);
  Access access;
  access.id = desc.id;
  if (facts.isNop)
    access.waitStates = lastImmediate(inst) % maximumNop + 1;

  const bool isVop = facts.kinds & kind::Valu;
  const unsigned defs = mc.getNumDefs();
  auto isModifier = [&](unsigned i) {
    return isVop && i >= defs && i < mc.getNumOperands() && mc.operands()[i].OperandType == modifierType &&
           inst.getOperand(i).isImm();
  };
  SmallVector<unsigned, 3> modifiers; // of each source
  for (unsigned i = 0, e = inst.getNumOperands(); i < e; ++i)
    if (isModifier(i))
      modifiers.push_back(unsigned(inst.getOperand(i).getImm()));
  bool readsDestination = false, shiftsResult = false;
  if (desc.isSdwa) {
    shiftsResult = sdwaShifts(inst, desc, defs, modifiers.size(), readsDestination);
  } else if (desc.isVop3Encoding && desc.format != Format::Vop3p && !modifiers.empty()) {
    readsDestination = modifiers[0] & DestinationOpSel;
    unsigned opSel = (readsDestination ? 8 : 0) | (modifiers.size() > 2 && (modifiers[2] & SourceOpSel) ? 4 : 0);
    shiftsResult = readsDestination || conversionShifts(desc, opSel);
  }
  access.kinds = shiftsResult ? facts.kindsShifted : facts.kinds;

  SmallVector<PlainOperand, 10> operands;
  for (unsigned i = 0, e = inst.getNumOperands(); i < e; ++i) {
    const MCOperand &operand = inst.getOperand(i);
    if (isModifier(i))
      continue;
    // What DPP keeps in lanes that it doesn't write is a tied operand, but nothing reads it.
    bool isOld = desc.isDpp && i == defs && i < mc.getNumOperands() && mc.getOperandConstraint(i, MCOI::TIED_TO) == 0;
    if (isOld)
      continue;
    PlainOperand plain;
    plain.isDef = i < defs;
    if (operand.isReg() && operand.getReg()) {
      plain.range = isa.regRange(operand.getReg());
      plain.isZeroFlag = operand.getReg() == zeroFlags.first || operand.getReg() == zeroFlags.second;
    }
    operands.push_back(plain);
  }
  for (MCPhysReg reg : mc.implicit_uses())
    operands.push_back({isa.regRange(reg), false, true});
  for (MCPhysReg reg : mc.implicit_defs())
    operands.push_back({isa.regRange(reg), true, true});
  if (readsDestination && defs && inst.getOperand(0).isReg())
    operands.push_back({isa.regRange(inst.getOperand(0).getReg()), false, true});
  assignRoles(access, facts.use, operands);

  if (access.kinds & (kind::SetReg | kind::GetReg))
    addHardwareRegister(access, inst);
  if (access.kinds & kind::SetVskip)
    access.operands.push_back({hwRegRange(HwRegField::mode), role::HwReg});
  return access;
}

} // namespace inflight::hazards
