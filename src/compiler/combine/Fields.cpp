#include "compiler/combine/Combine.h"
#include "compiler/combine/Uses.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {
using enum Mnemonic;
constexpr unsigned wordBits = 32, halfBits = 16, byteBits = 8;

/// Bits of a register, moved down to bit 0.
struct Field {
  Operand word;
  unsigned offset = 0, bits = 0;
  bool isSigned = false;
};

class FieldCombiner {
public:
  explicit FieldCombiner(Function &function) : function(function), uses(function) {}
  bool takeFromShifted(unsigned b, unsigned i);
  void convertInPlace(unsigned b, unsigned i);

private:
  std::optional<Field> fieldOf(const Inst &inst) const;
  /// The field that an operand has, if nothing else reads it and the word is still there.
  std::optional<std::pair<Field, unsigned>> fieldRead(unsigned b, unsigned i, unsigned operand) const;
  Function &function;
  const Uses uses;
};
} // namespace

std::optional<Field> FieldCombiner::fieldOf(const Inst &inst) const {
  auto imm = [&](unsigned operand) -> std::optional<unsigned> {
    return inst.operands[operand].isImm() ? std::optional<unsigned>(inst.operands[operand].imm) : std::nullopt;
  };
  auto isVector = [&](const Operand &operand) {
    return operand.isReg() && !operand.negate && !operand.absolute &&
           function.regs[operand.reg.id].file == RegFile::Vgpr;
  };
  if (!inst.desc || inst.keepsInactiveLanes || !inst.modifiers.empty())
    return std::nullopt;
  std::optional<Field> field;
  if (inst.is(v_lshrrev_b32) && imm(1) && *imm(1) < wordBits)
    field = Field{inst.operands[2], *imm(1), wordBits - *imm(1)};
  else if (inst.is(v_and_b32) && imm(1) && isMask_32(*imm(1)))
    field = Field{inst.operands[2], 0, unsigned(countr_one(*imm(1)))};
  else if ((inst.is(v_bfe_u32) || inst.is(v_bfe_i32)) && imm(2) && imm(3) && *imm(3) && *imm(2) + *imm(3) <= wordBits)
    field = Field{inst.operands[1], *imm(2), *imm(3), inst.is(v_bfe_i32)};
  return field && isVector(field->word) ? field : std::nullopt;
}

std::optional<std::pair<Field, unsigned>> FieldCombiner::fieldRead(unsigned b, unsigned i, unsigned operand) const {
  const std::vector<Inst> &insts = function.blocks[b].insts;
  const Operand &read = insts[i].operands[operand];
  if (!read.isReg() || read.negate || read.absolute)
    return std::nullopt;
  const InstPosition at = uses.definition(read.reg.id);
  if (at.block != b || at.index >= i || uses.readers(read.reg.id) != 1)
    return std::nullopt;
  const std::optional<Field> field = fieldOf(insts[at.index]);
  if (!field || !unchangedBetween(insts, at.index, i, field->word.reg))
    return std::nullopt;
  return std::pair(*field, at.index);
}

/// A field of what was shifted down is one of what was shifted.
bool FieldCombiner::takeFromShifted(unsigned b, unsigned i) {
  Inst &outer = function.blocks[b].insts[i];
  const std::optional<Field> field = fieldOf(outer);
  if (!field || outer.is(v_lshrrev_b32))
    return false;
  const auto found = fieldRead(b, i, outer.is(v_and_b32) ? 2 : 1);
  if (!found)
    return false;
  const auto &[inside, index] = *found;
  if (field->offset + field->bits > inside.bits)
    return false;
  const Operand result = outer.operands.front(), exec = outer.operands.back();
  setMnemonic(*function.isa, outer, field->isSigned ? v_bfe_i32 : v_bfe_u32);
  outer.operands = {result, inside.word, Operand::imm64(inside.offset + field->offset), Operand::imm64(field->bits),
                    exec};
  function.blocks[b].insts[index].erase();
  return true;
}

/// A byte or half that is only converted is converted where it is (SDWA).
void FieldCombiner::convertInPlace(unsigned b, unsigned i) {
  Inst &convert = function.blocks[b].insts[i];
  const bool isOfFloat = convert.is(v_cvt_f32_f16);
  if (!isOfFloat && !convert.is(v_cvt_f32_i32) && !convert.is(v_cvt_f32_u32) && !convert.is(v_cvt_f16_i16) &&
      !convert.is(v_cvt_f16_u16))
    return;
  if (!convert.modifiers.empty() || !descOf(*function.isa, convert.mnemonic(), Encoding::Sdwa))
    return;
  const auto found = fieldRead(b, i, 1);
  if (!found)
    return;
  const auto &[field, index] = *found;
  const bool isHalf = field.bits == halfBits;
  if ((!isHalf && field.bits != byteBits) || field.offset % field.bits || (isOfFloat && (!isHalf || field.isSigned)))
    return;
  convert.operands[1] = field.word;
  convert.modifiers.sdwaSource = (isHalf ? Modifiers::SdwaWord0 : Modifiers::SdwaByte0) + field.offset / field.bits;
  convert.modifiers.sdwaSigned = field.isSigned;
  setMnemonic(*function.isa, convert, convert.mnemonic(), Encoding::Sdwa);
  function.blocks[b].insts[index].erase();
}

void combineFields(Function &function) {
  FieldCombiner shifted(function);
  for (unsigned b = 0; b < function.blocks.size(); ++b)
    for (unsigned i = 0; i < function.blocks[b].insts.size(); ++i)
      shifted.takeFromShifted(b, i);
  FieldCombiner converted(function);
  for (unsigned b = 0; b < function.blocks.size(); ++b)
    for (unsigned i = 0; i < function.blocks[b].insts.size(); ++i)
      converted.convertInPlace(b, i);
  sweep(function);
}

} // namespace inflight::lir
