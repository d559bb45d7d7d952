#include "compiler/lir/Encode.h"

#include "isa/OperandBits.h"
#include "isa/chip/ByChip.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace llvm;

namespace inflight::lir {

/// LLVM's registers by the register units that they are.
struct Encoder::Registers {
  std::vector<MCRegister> sorted;     ///< by their keys
  std::vector<unsigned> begins;       ///< by key: the first in `sorted`, with one past the end
  MCRegister sharedBase, privateBase; ///< values of the hardware

  static size_t key(RegRange range) { return size_t(range.count) * regunit::Count + range.first; }
  ArrayRef<MCRegister> of(RegRange range) const {
    const size_t at = key(range);
    return at + 1 < begins.size() ? ArrayRef(sorted).slice(begins[at], begins[at + 1] - begins[at])
                                  : ArrayRef<MCRegister>();
  }
  static const Registers &get(const Isa &isa) {
    return **byChip<Registers>(isa.target().chip, [&](Registers &registers) {
      registers.load(isa);
      return Error::success();
    });
  }

private:
  static constexpr unsigned widest = 32;
  static bool isVectorRegister(RegRange range) {
    return range.count && range.count <= widest && range.first >= regunit::Vgpr0;
  }
  void load(const Isa &isa) {
    std::vector<std::pair<size_t, MCRegister>> found;
    begins.assign((widest + 1) * regunit::Count + 1, 0);
    for (unsigned reg = 1; reg < isa.registerInfo().getNumRegs(); ++reg) {
      const RegRange range = isa.regRange(reg);
      if (isVectorRegister(range)) {
        found.push_back({key(range), reg});
        continue;
      }
      // By one letter: of most registers nothing else is read.
      const char *letters = isa.registerInfo().getName(reg);
      const StringRef name = *letters == 'S' ? letters : "";
      const bool isValue = name.starts_with("SRC_");
      if (isValue && name == "SRC_SHARED_BASE")
        sharedBase = reg;
      else if (isValue && name == "SRC_PRIVATE_BASE")
        privateBase = reg;
      // VCCZ and EXECZ as values are no registers of LIR.
      else if (range.count && range.count <= widest && !isValue)
        found.push_back({key(range), reg});
    }
    // Thousands of them are sorted before the first instruction is encoded: by counting.
    for (const auto &[at, reg] : found)
      ++begins[at + 1];
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    std::vector<unsigned> next = begins;
    sorted.resize(found.size());
    for (const auto &[at, reg] : found)
      sorted[next[at]++] = reg;
  }
};

Encoder::Encoder(const Function &function, std::function<MCOperand(const Operand &)> reference)
    : function(function), isa(*function.isa), registers(Registers::get(isa)), reference(std::move(reference)) {}

namespace {

RegRange specialRange(Special special) {
  switch (special) {
  case Special::Vcc: return {regunit::VccLo, 2};
  case Special::VccLo: return {regunit::VccLo, 1};
  case Special::VccHi: return {regunit::VccHi, 1};
  case Special::Exec: return {regunit::ExecLo, 2};
  case Special::ExecLo: return {regunit::ExecLo, 1};
  case Special::ExecHi: return {regunit::ExecHi, 1};
  case Special::M0: return {regunit::M0, 1};
  case Special::Scc: return {regunit::Scc, 1};
  case Special::FlatScratchLo: return {regunit::FlatScratchLo, 1};
  case Special::FlatScratchHi: return {regunit::FlatScratchLo + 1, 1};
  default: return {regunit::None, 0};
  }
}

/// Bits of an operand's modifiers (ISA manuals, VOP3 and VOP3P encodings).
enum : unsigned {
  Negate = 1,
  Absolute = 2,
  NegateHi = 2,
  OpSel = 4,
  OpSelHi = 8,
  DestinationOpSel = 8,
  SignExtend = 16
};

unsigned sourceModifiers(const InstrDesc &desc, const Modifiers &modifiers, unsigned source, const Operand *operand) {
  unsigned bits = operand ? (operand->negate ? Negate : 0) | (operand->absolute ? Absolute : 0) : 0;
  if (modifiers.sdwaSigned && source == 0)
    bits |= SignExtend;
  if (modifiers.opSel.bits >> source & 1)
    bits |= OpSel;
  const bool highByDefault = desc.format == Format::Vop3p && !desc.isMfma && !modifiers.opSelHi.count;
  if (highByDefault || modifiers.opSelHi.bits >> source & 1)
    bits |= OpSelHi;
  if (desc.format == Format::Vop3p && !desc.isMfma && modifiers.neg.bits >> source & 1)
    bits |= Negate | NegateHi;
  // Conversions that keep the result's other half: the bit after those of the sources chooses the half, and stands with
  // the first source.
  const unsigned count = modifiers.opSel.count;
  if (source == 0 && desc.format == Format::Vop3 && desc.tiedDefinitions && count >= 3 &&
      modifiers.opSel.bits >> (count - 1) & 1)
    bits |= DestinationOpSel;
  return bits;
}

/// Small integers and the floats 0.5, 1, 2, 4, their negatives and 1 / (2 pi), in 32 or 64 bits (ISA manuals, operand
/// encoding).
bool isInlineConstant(int64_t value) {
  if (value >= -16 && value <= 64)
    return true;
  constexpr uint32_t singles[] = {0x3f000000, 0x3f800000, 0x40000000, 0x40800000, 0x3e22f983};
  constexpr uint64_t doubles[] = {0x3fe0000000000000, 0x3ff0000000000000, 0x4000000000000000, 0x4010000000000000};
  constexpr uint32_t singleSign = 0x80000000;
  constexpr uint64_t doubleSign = 0x8000000000000000;
  if (isInt<32>(value) || isUInt<32>(value))
    return is_contained(singles, uint32_t(value)) || is_contained(singles, uint32_t(value) & ~singleSign);
  return is_contained(doubles, uint64_t(value) & ~doubleSign);
}

/// The immediates that follow the operands, in LLVM's order; what is left are zeros.
SmallVector<int64_t, 6> fieldsOf(const InstrDesc &desc, const Modifiers &m, bool hasOperands) {
  if (desc.isDpp)
    return {m.dpp.control, m.dpp.rowMask, m.dpp.bankMask, m.dpp.boundControl};
  if (desc.isSdwa)
    return {0, 0, Modifiers::SdwaDword, 0, m.sdwaSource};
  if (desc.isMfma && desc.takesMixedFormats)
    return {m.cbsz, m.blgp, sourceModifiers(desc, m, 0, nullptr), sourceModifiers(desc, m, 1, nullptr)};
  if (desc.isMfma)
    return {m.cbsz, m.abid, m.neg.count ? m.neg.bits : m.blgp};
  switch (desc.format) {
  case Format::Ds:
    if (desc.access.places == 2)
      return {m.offset0, m.offset1};
    return {m.offset};
  case Format::Mubuf:
    if (!hasOperands)
      return {cachePolicyBits(m.cache)};
    return {m.offset, cachePolicyBits(m.cache)};
  case Format::Flat: return {m.offset, cachePolicyBits(m.cache)};
  default: return {};
  }
}

} // namespace

RegRange physicalRange(const Function &function, const Operand &operand) {
  if (operand.isReg())
    return {RegUnit(function.assignment[operand.reg.id] + operand.reg.sub), operand.reg.count};
  if (operand.kind == Operand::Kind::Physical)
    return operand.physical;
  return operand.kind == Operand::Kind::Special ? specialRange(operand.special) : RegRange();
}

ArrayRef<Encoder::Candidate> Encoder::candidates(const InstrDesc &desc) {
  auto [it, inserted] = known.try_emplace(unsigned(desc.id));
  if (inserted) {
    for (const InstrDesc *encoding : isa.encodings(desc.id)) {
      const StringRef name = isa.instrInfo().getName(encoding->opcode);
      const bool isOther = name.contains("_IDXEN") || name.contains("_BOTHEN") || name.contains("_ADDR64");
      it->second.push_back(
          {encoding, isa.instrInfo().get(encoding->opcode).getSize(), name.contains("_OFFEN"), isOther});
    }
  }
  return it->second;
}

bool Encoder::fits(const Candidate &candidate, const Inst &inst) const {
  const InstrDesc &desc = *candidate.desc;
  if (desc.isDpp != inst.desc->isDpp || desc.isSdwa != inst.desc->isSdwa || desc.isLdsDma != inst.desc->isLdsDma ||
      desc.isAtomicRet != inst.desc->isAtomicRet)
    return false;
  return desc.format != Format::Mubuf || (candidate.isOffen == inst.modifiers.offen && !candidate.isOtherBuffer);
}

/// Operands that the encoding has, the first one last.
static SmallVector<const Operand *, 6> encodedOperands(const InstrDesc &desc, const Inst &inst) {
  SmallVector<const Operand *, 6> left;
  for (const Operand &operand : inst.operands) {
    // The short encodings have VCC implied.
    const bool isImplied =
        operand.is(Special::Vcc) &&
        is_contained(operand.isDef ? desc.implicitWrites : desc.implicitReads, RegRange{regunit::VccLo, 2});
    if (!operand.isImplicit && !operand.is(Special::Off) && !isImplied)
      left.push_back(&operand);
  }
  // Scratch stores have the data first in LLVM's order.
  if (desc.isFlatScratch && desc.definitions == 0 && left.size() == 2 && !inst.operands[0].is(Special::Off))
    std::swap(left[0], left[1]);
  std::reverse(left.begin(), left.end());
  return left;
}

/// The operand's register in the class that the encoding wants; none if it isn't there.
MCRegister Encoder::registerFor(const Operand &operand, const MCOperandInfo &info) const {
  const unsigned mode = isa.subtarget().getHwMode(MCSubtargetInfo::HwMode_RegInfo);
  const MCRegisterClass &registerClass = isa.registerInfo().getRegClass(isa.instrInfo().getOpRegClassID(info, mode));
  for (auto [special, reg] :
       {std::pair(Special::SharedBase, registers.sharedBase), std::pair(Special::PrivateBase, registers.privateBase)})
    if (operand.is(special))
      return registerClass.contains(reg) ? reg : MCRegister();
  ArrayRef<MCRegister> same = registers.of(physicalRange(function, operand));
  if (none_of(same, [&](MCRegister reg) { return registerClass.contains(reg); }))
    return MCRegister();
  // The tables have two of M0 and of FLAT_SCRATCH: a general one, and one that can be encoded.
  return same.back();
}

std::optional<MCInst> Encoder::tryEncoding(const Candidate &candidate, const Inst &inst) const {
  static const unsigned modifierType = sourceModifiersType(isa);
  const InstrDesc &desc = *candidate.desc;
  const MCInstrDesc &mc = isa.instrInfo().get(desc.opcode);
  SmallVector<const Operand *, 6> left = encodedOperands(desc, inst);
  const SmallVector<int64_t, 6> fields = fieldsOf(desc, inst.modifiers, !left.empty());
  unsigned field = 0, source = 0;
  MCInst result;
  result.setOpcode(desc.opcode);
  for (unsigned i = 0; i < mc.getNumOperands(); ++i) {
    const MCOperandInfo &info = mc.operands()[i];
    if (int tied = mc.getOperandConstraint(i, MCOI::TIED_TO); tied >= 0) {
      result.addOperand(result.getOperand(tied));
      continue;
    }
    if (info.OperandType == modifierType) {
      result.addOperand(
          MCOperand::createImm(sourceModifiers(desc, inst.modifiers, source++, left.empty() ? nullptr : left.back())));
      continue;
    }
    if (info.RegClass < 0) {
      const bool isOperand = !left.empty() && !left.back()->isReg() && field >= fields.size();
      if (isOperand && (left.back()->isImm() || left.back()->kind == Operand::Kind::Wait))
        result.addOperand(MCOperand::createImm(left.pop_back_val()->imm));
      else if (isOperand && left.back()->kind == Operand::Kind::Block)
        result.addOperand(reference(*left.pop_back_val()));
      else
        result.addOperand(MCOperand::createImm(field < fields.size() ? fields[field] : 0));
      ++field;
      continue;
    }
    if (left.empty())
      return std::nullopt;
    const bool hasModifiers = i && mc.operands()[i - 1].OperandType == modifierType;
    if ((left.back()->negate || left.back()->absolute) && !hasModifiers)
      return std::nullopt;
    if (left.back()->isImm()) {
      // Literals are for the short encodings.
      constexpr unsigned longBytes = 8;
      const bool takesConstants = info.OperandType >= MCOI::OPERAND_FIRST_TARGET;
      if (!takesConstants || (candidate.bytes == longBytes && !isInlineConstant(left.back()->imm)))
        return std::nullopt;
      result.addOperand(MCOperand::createImm(left.pop_back_val()->imm));
      continue;
    }
    if (left.back()->kind == Operand::Kind::Symbol) {
      result.addOperand(reference(*left.pop_back_val()));
      continue;
    }
    MCRegister reg = registerFor(*left.back(), info);
    // Global loads have the scalar address first in LLVM's order.
    if (!reg && desc.format == Format::Flat && left.size() > 1) {
      std::swap(left.back(), left[left.size() - 2]);
      reg = registerFor(*left.back(), info);
    }
    if (!reg)
      return std::nullopt;
    left.pop_back();
    result.addOperand(MCOperand::createReg(reg));
  }
  return left.empty() ? std::optional(result) : std::nullopt;
}

Expected<MCInst> Encoder::require(const Inst &inst) {
  if (std::optional<MCInst> encoded = encode(inst))
    return std::move(*encoded);
  std::string text;
  raw_string_ostream os(text);
  print(function, inst, os);
  return makeError("kernel '" + function.name + "': no encoding of '" + text + "'");
}

std::optional<MCInst> Encoder::encode(const Inst &inst) {
  for (const Candidate &candidate : candidates(*inst.desc))
    if (fits(candidate, inst))
      if (std::optional<MCInst> encoded = tryEncoding(candidate, inst))
        return encoded;
  return std::nullopt;
}

} // namespace inflight::lir
