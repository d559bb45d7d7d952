#include "hazards/Access.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::hazards {

static bool startsWithAny(StringRef text, std::initializer_list<StringRef> prefixes) {
  return any_of(prefixes, [&](StringRef prefix) { return text.starts_with(prefix); });
}

static Kinds matrixKinds(StringRef m, const Traits &traits) {
  if (m.starts_with("v_mfma_f64"))
    return kind::Dgemm | (m.contains("4x4x4") ? kind::Dgemm4x4 : kind::Dgemm16x16);
  // v_mfma_f32_32x32x2f32 and v_mfma_f32_32x32x2_f32, not v_mfma_f32_16x16x8_xf32.
  bool takesFp32 = m.starts_with("v_mfma_f32") && m.ends_with("f32") && !m.ends_with("xf32");
  return takesFp32 && !traits.fp32IsXdl ? kind::Sgemm : kind::Xdl;
}

static Kinds valuKinds(StringRef m, const Traits &traits) {
  using namespace kind;
  Kinds kinds = Valu | Vector;
  if (m.starts_with("v_mfma") || m.starts_with("v_smfmac"))
    return kinds | NonTrans | NonLaneAccess | Matrix | matrixKinds(m, traits);
  kinds |= PlainValu;
  bool isDot = m.starts_with("v_dot");
  kinds |= isDot ? Dot : NonDot;
  bool isTrans = startsWithAny(m, {"v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_"});
  kinds |= isTrans ? Trans : NonTrans;
  kinds |= startsWithAny(m, {"v_readlane", "v_readfirstlane", "v_writelane"}) ? LaneAccess : NonLaneAccess;
  if (m.starts_with("v_div_fmas"))
    kinds |= DivFmas;
  if (m.starts_with("v_permlane"))
    kinds |= Permlane;
  if (m == "v_fma_f64" || m == "v_fmac_f64")
    kinds |= FmaF64;
  if (traits.isDpp)
    kinds |= Dpp;
  if (traits.shiftsResult)
    kinds |= ShiftsResult;
  if (m.starts_with("v_pk_") && m.ends_with("_f32"))
    kinds |= PackedSingle;
  return kinds;
}

Kinds kindsOf(StringRef m, const Traits &traits) {
  using namespace kind;
  if (m.starts_with("v_"))
    return valuKinds(m, traits);
  if (m.starts_with("ds_")) {
    Kinds kinds = Memory | Vector;
    if (m.contains("addtid"))
      kinds |= LdsByM0;
    if (m.starts_with("ds_gws_") || m == "ds_ordered_count")
      kinds |= Message;
    return kinds;
  }
  if (startsWithAny(m, {"buffer_", "tbuffer_", "global_", "flat_", "scratch_"}))
    return Vmem | Memory | Vector | (traits.isLdsDma || m.contains("_lds_") ? LdsByM0 : 0);
  // Scalar memory.
  if (!m.starts_with("s_") || startsWithAny(m, {"s_load", "s_buffer", "s_store", "s_scratch", "s_atomic", "s_dcache", "s_mem", "s_atc"}))
    return 0;
  if (m.starts_with("s_sendmsg") || m == "s_ttracedata")
    return Salu | Message;
  if (m.starts_with("s_setreg"))
    return Salu | SetReg;
  if (m.starts_with("s_getreg"))
    return Salu | GetReg;
  if (m == "s_setvskip")
    return Salu | SetVskip;
  if (m.starts_with("s_rfe"))
    return Salu | Rfe;
  if (m.starts_with("s_movrel"))
    return Salu | MoveRel;
  return Salu;
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

OperandUse::OperandUse(StringRef m, Kinds kinds) {
  isMatrix = kinds & kind::Matrix;
  isSparse = m.starts_with("v_smfmac");
  isDot = kinds & kind::Dot;
  picksLane = startsWithAny(m, {"v_readlane", "v_readfirstlane"});
  selectsLane = startsWithAny(m, {"v_readlane", "v_writelane"});
  takesCarry = startsWithAny(m, {"v_addc_", "v_subb_", "v_subbrev_"});
  takesMask = m.starts_with("v_cndmask");
  mayHaveData = (kinds & kind::Vmem) && (m.contains("store") || m.contains("atomic"));
  isBuffer = startsWithAny(m, {"buffer_", "tbuffer_"});
  isDpp = kinds & kind::Dpp;
}

OpcodeFacts::OpcodeFacts(const Isa &isa, const InstrDesc &desc) {
  Traits traits;
  traits.isDpp = desc.isDpp;
  traits.isLdsDma = desc.isLdsDma;
  traits.fp32IsXdl = isa.target().chip == "gfx90a";
  kinds = kindsOf(desc.mnemonic, traits);
  traits.shiftsResult = true;
  kindsShifted = kindsOf(desc.mnemonic, traits);
  use = OperandUse(desc.mnemonic, kinds);
  isNop = desc.mnemonic == "s_nop";
}

/// Of vector register operand `number`, counted from 0; `isTied` to the destination.
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
enum : unsigned { HwModeId = 1, HwTrapstsId = 3, ModeVskipBit = 28 };

/// How LLVM's tables mark an operand that holds a source's modifiers.
unsigned modifierOperandType(const Isa &isa) {
  const InstrDesc *fma = isa.findMnemonic("v_fma_f32").front();
  return isa.instrInfo().get(fma->opcode).operands()[1].OperandType;
}
} // namespace

static unsigned lastImmediate(const MCInst &inst, unsigned fromEnd = 0) {
  unsigned count = inst.getNumOperands();
  if (count <= fromEnd || !inst.getOperand(count - 1 - fromEnd).isImm())
    return 0;
  return unsigned(inst.getOperand(count - 1 - fromEnd).getImm());
}

bool conversionShifts(StringRef m, unsigned opSel) {
  if (!m.starts_with("v_cvt_"))
    return false;
  if (m.contains("_sr_pk_fp4_"))
    return true;
  return (m.contains("_pk_fp4_") || m.contains("_sr_fp8_") || m.contains("_sr_bf8_")) && (opSel >> 2 & 3);
}

static bool sdwaShifts(const MCInst &inst, StringRef mnemonic, unsigned defs, unsigned sources, bool &preserves) {
  // Comparisons and lane reads have no register whose parts could be chosen.
  if (mnemonic.starts_with("v_cmp") || mnemonic.starts_with("v_readfirstlane"))
    return false;
  // Behind the sources and their modifiers: clamp, perhaps omod, dst_sel and dst_unused if the instruction has them (conversions
  // from FP8 write whole registers), then one selection a source.
  constexpr unsigned clamp = 1, destination = 2;
  const unsigned behind = inst.getNumOperands() - defs - 2 * sources;
  if (behind < clamp + destination + sources || lastImmediate(inst, sources + 1) == SdwaDword)
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

Access plainAccess(const Isa &isa, const OpcodeFacts &facts, const MCInst &inst) {
  const InstrDesc &desc = isa.desc(inst.getOpcode());
  const MCInstrDesc &mc = isa.instrInfo().get(inst.getOpcode());
  static const unsigned modifierType = modifierOperandType(isa);
  static const std::pair<unsigned, unsigned> zeroFlags = zeroFlagRegisters(isa);
  const StringRef m = desc.mnemonic;
  Access access;
  access.mnemonic = m;
  if (facts.isNop)
    access.waitStates = lastImmediate(inst) % maximumNop + 1;

  const bool isVop = facts.kinds & kind::Valu;
  const unsigned defs = mc.getNumDefs();
  auto isModifier = [&](unsigned i) {
    return isVop && i >= defs && i < mc.getNumOperands() && mc.operands()[i].OperandType == modifierType && inst.getOperand(i).isImm();
  };
  SmallVector<unsigned, 3> modifiers; // of each source
  for (unsigned i = 0, e = inst.getNumOperands(); i < e; ++i)
    if (isModifier(i))
      modifiers.push_back(unsigned(inst.getOperand(i).getImm()));
  bool readsDestination = false, shiftsResult = false;
  if (desc.isSdwa) {
    shiftsResult = sdwaShifts(inst, m, defs, modifiers.size(), readsDestination);
  } else if (desc.isVop3Encoding && desc.format != Format::Vop3p && !modifiers.empty()) {
    readsDestination = modifiers[0] & DestinationOpSel;
    unsigned opSel = (readsDestination ? 8 : 0) | (modifiers.size() > 2 && (modifiers[2] & SourceOpSel) ? 4 : 0);
    shiftsResult = readsDestination || conversionShifts(m, opSel);
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

  if (access.kinds & (kind::SetReg | kind::GetReg)) {
    // Register in bits 5:0, first bit in 10:6, width less one in 15:11.
    unsigned code = lastImmediate(inst), id = code & 63, first = code >> 6 & 31, last = first + (code >> 11 & 31);
    access.operands.push_back({hwRegRange(id), role::HwReg});
    if ((access.kinds & kind::SetReg) && id == HwTrapstsId)
      access.kinds |= kind::SetRegTrapsts;
    if ((access.kinds & kind::SetReg) && id == HwModeId && first <= ModeVskipBit && last >= ModeVskipBit)
      access.kinds |= kind::SetRegVskip;
  }
  if (access.kinds & kind::SetVskip)
    access.operands.push_back({hwRegRange(HwModeId), role::HwReg});
  return access;
}

} // namespace inflight::hazards
