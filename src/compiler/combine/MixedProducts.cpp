// Products of halves with singles: what only converts a half for v_fma_f32 or v_mul_f32 goes, as v_fma_mix_f32 reads
// halves of registers itself.
//
// The numbers are the same: the conversion is exact, and a product and -0 is the product, with its sign as long as
// rounding goes to the nearest, as kernels start; functions that set the mode stay as they are.
#include "compiler/combine/Combine.h"
#include "compiler/combine/Uses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {
using enum Mnemonic;

class MixedProducts {
public:
  explicit MixedProducts(Function &function) : function(function), uses(function) {}
  void run(Block &block, unsigned number);

private:
  bool isConversion(const Inst &inst) const;
  /// Whether the product can read halves, as far as its operands go.
  bool isProduct(const Inst &inst) const;
  void read(Inst &product, RegId converted, const Inst &conversion) const;

  Function &function;
  const Uses uses;
};
} // namespace

/// Of a half in a vector register, as it is.
bool MixedProducts::isConversion(const Inst &inst) const {
  if (!inst.desc || inst.mnemonic() != v_cvt_f32_f16 || inst.desc->isDpp || inst.keepsInactiveLanes)
    return false;
  const Operand &half = inst.operands[1];
  if (!half.isReg() || half.negate || half.absolute || function.regs[half.reg.id].file != RegFile::Vgpr)
    return false;
  Modifiers rest = inst.modifiers;
  const uint8_t source = rest.sdwaSource;
  rest.sdwaSource = Modifiers::SdwaDword;
  return rest.empty() &&
         (source == Modifiers::SdwaDword || source == Modifiers::SdwaWord0 || source == Modifiers::SdwaWord0 + 1);
}

bool MixedProducts::isProduct(const Inst &inst) const {
  Modifiers rest = inst.modifiers;
  rest.opSel = rest.opSelHi = {};
  const bool isMul = inst.is(v_mul_f32);
  if ((!isMul && !inst.is(v_fma_f32) && !inst.is(v_fma_mix_f32)) || inst.desc->isSdwa || !rest.empty() ||
      inst.keepsInactiveLanes)
    return false;
  const auto sources = ArrayRef(inst.operands).slice(1, isMul ? 2 : 3);
  return takesThree(function, sources) &&
         all_of(sources, [](const Operand &operand) { return operand.isReg() || operand.imm == 0; });
}

void MixedProducts::read(Inst &product, RegId converted, const Inst &conversion) const {
  if (product.is(v_mul_f32))
    product.operands.insert(product.operands.begin() + 3, Operand::imm64(0).neg());
  setMnemonic(*function.isa, product, v_fma_mix_f32);
  constexpr unsigned sources = 3;
  product.modifiers.opSel.count = product.modifiers.opSelHi.count = sources;
  for (unsigned source = 0; source < sources; ++source) {
    Operand &operand = product.operands[1 + source];
    if (!operand.isReg() || operand.reg.id != converted)
      continue;
    operand.reg = conversion.operands[1].reg;
    product.modifiers.opSelHi.bits |= 1u << source;
    if (conversion.modifiers.sdwaSource == Modifiers::SdwaWord0 + 1)
      product.modifiers.opSel.bits |= 1u << source;
  }
}

void MixedProducts::run(Block &block, unsigned number) {
  struct Conversion {
    unsigned at;
    SmallVector<unsigned, 4> products = {}; ///< that read the result, once for each operand
  };
  MapVector<RegId, Conversion> conversions; // by the result
  for (auto [i, inst] : enumerate(block.insts)) {
    if (isConversion(inst)) {
      const RegId result = inst.operands[0].reg.id;
      if (uses.definition(result) == InstPosition{number, unsigned(i)} && function.regs[result].width == 1)
        conversions.insert({result, {unsigned(i)}});
    } else if (inst.desc && !conversions.empty() && isProduct(inst)) {
      forEachReg(inst, [&](Reg reg, bool isDef) {
        if (auto found = isDef ? conversions.end() : conversions.find(reg.id); found != conversions.end())
          found->second.products.push_back(i);
      });
    }
  }
  for (const auto &[converted, each] : conversions) {
    Inst &conversion = block.insts[each.at];
    // Where anything else reads it, the conversion stays, and nothing is gained.
    if (each.products.empty() || each.products.size() != uses.readers(converted) ||
        !all_of(each.products, [&](unsigned product) { return isProduct(block.insts[product]); }) ||
        !unchangedBetween(block.insts, each.at, each.products.back(), conversion.operands[1].reg))
      continue;
    for (unsigned product : each.products)
      read(block.insts[product], converted, conversion);
    conversion.erase();
  }
}

void combineMixedProducts(Function &function) {
  auto setsMode = [](const Inst &inst) { return inst.is(s_setreg_b32) || inst.is(s_setreg_imm32_b32); };
  if (!descOf(*function.isa, v_fma_mix_f32, Encoding::Plain) ||
      any_of(function.blocks, [&](const Block &block) { return any_of(block.insts, setsMode); }))
    return;
  MixedProducts mixed(function);
  for (auto [number, block] : enumerate(function.blocks))
    mixed.run(block, number);
  sweep(function);
}

} // namespace inflight::lir
