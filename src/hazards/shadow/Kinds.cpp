#include "hazards/shadow/Kinds.h"

#include "isa/HwReg.h"
#include "isa/OperandBits.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::hazards::shadow {

namespace {
/// A field of s_wait_alu's immediate (ISA manuals, S_WAIT_ALU; LLVM, AMDGPUBaseInfo.cpp, DepCtr).
struct WaitField {
  StringRef name;
  unsigned at, bits;
};
constexpr WaitField waitFields[] = {{"sa_sdst", 0, 1}, {"va_vcc", 1, 1},  {"vm_vsrc", 2, 3}, {"hold_cnt", 7, 1},
                                    {"va_ssrc", 8, 1}, {"va_sdst", 9, 3}, {"va_vdst", 12, 4}};
constexpr uint16_t unusedBits = 0x60;
constexpr unsigned maskOf(const WaitField &field) { return ((1u << field.bits) - 1) << field.at; }
} // namespace

AluWaits waitsOf(uint16_t immediate) {
  AluWaits waits = 0;
  for (const auto &[number, field] : enumerate(waitFields))
    if (!(immediate & maskOf(field)))
      waits |= 1 << number;
  return waits;
}

uint16_t immediateOf(AluWaits waits) {
  unsigned immediate = uint16_t(~unusedBits);
  for (const auto &[number, field] : enumerate(waitFields))
    if (waits >> number & 1)
      immediate &= ~maskOf(field);
  return uint16_t(immediate);
}

std::string operandsOf(AluWaits waits) {
  std::string text;
  for (const auto &[number, field] : enumerate(waitFields))
    if (waits >> number & 1)
      text += (text.empty() ? "depctr_" : " depctr_") + field.name.str() + "(0)";
  return text;
}

static Kinds valuKinds(const InstrDesc &desc) {
  using namespace kind;
  Kinds kinds = Valu;
  kinds |= desc.id == Mnemonic::v_nop ? VNop : ValuNotNop;
  kinds |= desc.isTrans ? Trans : ValuNotTrans;
  kinds |= desc.isWmma ? Matrix : ValuNotMatrix;
  kinds |= desc.writesMaskAndExec ? CompareExec : 0;
  kinds |= desc.isPermlane ? Permlane : 0;
  return kinds;
}

static bool isDirect(const InstrDesc &desc) {
  using enum Mnemonic;
  return desc.id == ds_direct_load || desc.id == ds_param_load || desc.id == lds_direct_load ||
         desc.id == lds_param_load;
}

static bool takesTime(const InstrDesc &desc) {
  using enum Mnemonic;
  return desc.id != s_delay_alu && desc.id != s_clause && desc.id != s_set_vgpr_msb;
}

Kinds kindsOf(const InstrDesc &desc) {
  using namespace kind;
  Kinds kinds = Any;
  kinds |= desc.isNop ? SNop : NotSNop;
  kinds |= desc.format != Format::Sopp ? NotProgramControl : 0;
  kinds |= takesTime(desc) ? TakesTime : 0;
  if (desc.isValu())
    return kinds | valuKinds(desc);
  if (isDirect(desc))
    return kinds | Direct;
  if (desc.isVmem() || desc.isDs() || desc.format == Format::Image)
    kinds |= Memory;
  if (desc.format == Format::Mubuf || desc.format == Format::Mtbuf || desc.format == Format::Image)
    kinds |= Buffers;
  if (desc.id == Mnemonic::ds_atomic_async_barrier_arrive_b64)
    kinds |= AsyncArrive;
  if (desc.isVmem() && (desc.isLdsDma || desc.isLdsStore))
    kinds |= LdsDma;
  if (desc.order == OrderClass::Tensor || desc.order == OrderClass::TensorStore)
    kinds |= Tensor;
  if (desc.isSmem())
    kinds |= Smem;
  if (desc.isSalu() || desc.format == Format::Sopp)
    kinds |= Salu;
  if (desc.setsHwReg)
    kinds |= SetReg;
  if (desc.readsHwReg)
    kinds |= GetReg;
  if (desc.id == Mnemonic::s_set_vgpr_msb)
    kinds |= SetVgprMsb;
  if (desc.id == Mnemonic::s_sendmsg)
    kinds |= Message;
  // Nothing else of these chips is in no format and neither loads nor stores.
  if (desc.format == Format::Other && !(kinds & (Memory | Smem | Salu)))
    kinds |= Export;
  return kinds;
}

static uint16_t immediateAt(const MCInst &inst, unsigned fromEnd = 0) {
  const unsigned count = inst.getNumOperands();
  if (count <= fromEnd || !inst.getOperand(count - 1 - fromEnd).isImm())
    return 0;
  return uint16_t(inst.getOperand(count - 1 - fromEnd).getImm());
}

/// The registers of that name, which the public tables don't number.
static bool readsScratchBase(const Isa &isa, const MCInst &inst) {
  return any_of(inst, [&](const MCOperand &operand) {
    return operand.isReg() && operand.getReg() &&
           StringRef(isa.registerInfo().getName(operand.getReg())).starts_with("SRC_FLAT_SCRATCH_BASE");
  });
}

/// Whether it names FLAT_SCRATCH_BASE as a hardware register (LLVM, SIDefines.h, Hwreg: ID_FLAT_SCR_LO and _HI).
static bool isScratchBase(unsigned hwReg) { return hwReg == 20 || hwReg == 21; }

/// What it counts on until its result is there, and what it waits for to be 0.
static void addCounters(const Program &program, uint32_t i, Use &use) {
  const InstrDesc &desc = *program.instructions()[i].desc;
  if (!desc.isWaitcnt && desc.order == OrderClass::None)
    return;
  const WaitOperands wait = desc.isWaitcnt ? program.waitAt(i) : WaitOperands();
  const CounterTable &counters = program.isa().counters();
  for (Counter counter : counters.all()) {
    if (!counters[counter].hasResults())
      continue;
    if (desc.isWaitcnt ? wait.counts[counter].isZero() : counters[counter].counts(desc.order))
      (desc.isWaitcnt ? use.drained : use.counted) |= setOf(counter);
  }
}

Use useOf(const Program &program, uint32_t i) {
  const Instruction &instruction = program.instructions()[i];
  Use use;
  if (!instruction.desc)
    return use;
  const InstrDesc &desc = *instruction.desc;
  const MCInst &inst = program.inst(i);
  use.kinds = kindsOf(desc);
  addCounters(program, i, use);
  if (desc.id == Mnemonic::s_wait_alu || desc.id == Mnemonic::s_waitcnt_depctr)
    use.waits = waitsOf(immediateAt(inst));
  else if (desc.id == Mnemonic::s_wait_idle)
    use.waits = aluwait::All;
  if (use.kinds & (kind::SetReg | kind::GetReg)) {
    use.number = HwRegField::of(immediateAt(inst)).id;
    if (use.kinds & kind::GetReg && isScratchBase(use.number))
      use.kinds |= kind::ReadsScratchBase;
  } else if (use.kinds & kind::Message) {
    use.number = immediateAt(inst);
  } else if (use.kinds & kind::Direct) {
    // The loads of gfx12 have WAIT_VSRC after WAIT_VDST.
    const bool hasVsrc = program.isa().target().generation > 11;
    use.waitVdst = uint8_t(immediateAt(inst, hasVsrc ? 1 : 0));
    use.waitsVsrc = hasVsrc && !immediateAt(inst);
  }
  if (use.kinds & (kind::Salu | kind::Valu)) {
    if (any_of(program.writes(instruction), [](RegRange range) {
          return range.first < regunit::Vgpr0 && range.first != regunit::M0 && !isLeftOut(range.first);
        }))
      use.kinds |= kind::WritesScalar;
    if (readsScratchBase(program.isa(), inst))
      use.kinds |= kind::ReadsScratchBase;
  } else if (use.kinds & kind::Memory && readsScratchBase(program.isa(), inst)) {
    use.kinds |= kind::ReadsScratchBase;
  }
  return use;
}

/// Appends the units of an operand's register, which may lie in two places.
static void appendUnits(const Isa &isa, MCRegister reg, SmallVectorImpl<RegRange> &ranges) {
  const RegRange whole = isa.regRange(reg);
  if (!whole.count)
    return;
  ranges.push_back(whole);
  if (whole.first + whole.count != regunit::Agpr0)
    return;
  for (MCPhysReg part : isa.registerInfo().subregs(reg))
    if (const RegRange range = isa.regRange(part); range.count && isUpperVgpr(range.first))
      ranges.push_back(range);
}

/// Calls `see` with what a matrix instruction reads each operand as, and with its registers.
template <typename See> static void forEachSource(const Program &program, uint32_t i, See see) {
  const Isa &isa = program.isa();
  const MCInst &inst = program.inst(i);
  const InstrDesc &desc = *program.instructions()[i].desc;
  const MCInstrDesc &mc = isa.instrInfo().get(inst.getOpcode());
  static const unsigned modifiers = sourceModifiersType(isa);
  auto isTied = [&](unsigned at) { return mc.getOperandConstraint(at, MCOI::TIED_TO) >= 0; };
  const unsigned count = std::min(inst.getNumOperands(), mc.getNumOperands());
  bool hasTied = false;
  unsigned registers = 0;
  for (unsigned at = desc.definitions; at < count; ++at) {
    hasTied |= isTied(at);
    registers += mc.operands()[at].RegClass >= 0 && mc.operands()[at].OperandType != modifiers;
  }
  constexpr unsigned withScales = 5; // A, B, C and two
  const bool hasScales = registers == withScales;
  // C is the result's register where the two are one, as it is of all sparse instructions, else the third source.
  constexpr unsigned c = 2;
  unsigned source = 0;
  bool isBehindC = false;
  for (unsigned at = desc.definitions; at < count; ++at) {
    if (mc.operands()[at].OperandType == modifiers)
      continue;
    const bool isC = hasTied ? isTied(at) : source == c;
    // Behind C there is the index of a sparse one, or two scales.
    const bool isScale = isBehindC && hasScales;
    const MatrixRoles role = isC ? matrixrole::C : isScale ? matrixrole::Scale : matrixrole::Factor;
    isBehindC |= isC;
    ++source;
    if (const MCOperand &operand = inst.getOperand(at); operand.isReg() && operand.getReg()) {
      SmallVector<RegRange, 2> ranges;
      appendUnits(isa, operand.getReg(), ranges);
      see(role, ArrayRef(ranges));
    }
  }
}

SmallVector<RegRange, 6> matrixSources(const Program &program, uint32_t i, MatrixRoles roles) {
  SmallVector<RegRange, 6> sources;
  forEachSource(program, i, [&](MatrixRoles role, ArrayRef<RegRange> ranges) {
    if (role & roles)
      append_range(sources, ranges);
  });
  return sources;
}

SmallVector<unsigned, 4> factorWidths(const Program &program, uint32_t i) {
  SmallVector<unsigned, 4> widths;
  forEachSource(program, i, [&](MatrixRoles role, ArrayRef<RegRange> ranges) {
    if (role == matrixrole::C)
      return;
    widths.push_back(0);
    for (RegRange range : ranges)
      widths.back() += range.count;
  });
  return widths;
}

RegRange maskOf(const Program &program, uint32_t i) {
  const InstrDesc &desc = *program.instructions()[i].desc;
  if (!desc.takesCarry && !desc.takesMask && !desc.isDivFmas)
    return {};
  for (RegRange range : desc.implicitReads)
    if (range.first == regunit::VccLo)
      return range;
  const MCInst &inst = program.inst(i);
  RegRange last;
  for (unsigned at = desc.definitions; at < inst.getNumOperands(); ++at)
    if (const MCOperand &operand = inst.getOperand(at); operand.isReg() && operand.getReg())
      if (const RegRange range = program.isa().regRange(operand.getReg());
          range.count && range.first < regunit::Vgpr0 && !isLeftOut(range.first))
        last = range;
  return last;
}

} // namespace inflight::hazards::shadow
