#include "compiler/combine/Combine.h"
#include "compiler/combine/Uses.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {
/// outer(inner(a, b), c) = fused(a, b, c).
struct Fusion {
  Mnemonic outer, inner, fused;
  /// Only as the outer operation's operand with this index; 0: either, for commutative ones.
  unsigned place;
  /// The inner operation's operands change places (shifts have the amount first).
  bool swapsInner;
};

using enum Mnemonic;
constexpr Fusion fusions[] = {
    {v_max_f32, v_max_f32, v_max3_f32, 0, false},         {v_min_f32, v_min_f32, v_min3_f32, 0, false},
    {v_max_i32, v_max_i32, v_max3_i32, 0, false},         {v_min_i32, v_min_i32, v_min3_i32, 0, false},
    {v_max_u32, v_max_u32, v_max3_u32, 0, false},         {v_min_u32, v_min_u32, v_min3_u32, 0, false},
    {v_add_u32, v_add_u32, v_add3_u32, 0, false},         {v_or_b32, v_or_b32, v_or3_b32, 0, false},
    {v_or_b32, v_and_b32, v_and_or_b32, 0, false},        {v_or_b32, v_lshlrev_b32, v_lshl_or_b32, 0, true},
    {v_add_u32, v_lshlrev_b32, v_lshl_add_u32, 0, true},  {v_add_u32, v_xor_b32, v_xad_u32, 0, false},
    {v_add_u32, v_mul_u32_u24, v_mad_u32_u24, 0, false},  {v_add_u32, v_mul_i32_i24, v_mad_i32_i24, 0, false},
    {v_lshlrev_b32, v_add_u32, v_add_lshl_u32, 2, false},
};

/// Literals in scalar registers for the whole function, as three-operand instructions take no literals. Where scalar
/// registers are short, allocation makes constants again before each use.
class Literals {
public:
  explicit Literals(Function &function) : function(function) {}
  /// The operands with a register for a literal, where all of them are legal then.
  std::optional<SmallVector<Operand, 3>> legalized(ArrayRef<Operand> operands);
  void define();

private:
  Function &function;
  MapVector<int64_t, RegId> registers;
};
} // namespace

std::optional<SmallVector<Operand, 3>> Literals::legalized(ArrayRef<Operand> operands) {
  SmallVector<Operand, 3> legal(operands);
  if (takesThree(function, legal))
    return legal;
  Operand *literal =
      find_if(legal, [](const Operand &operand) { return operand.isImm() && !operand.isInlineInteger(); });
  if (literal == legal.end())
    return std::nullopt;
  const Operand kept = *literal;
  *literal = Operand::imm64(0);
  const bool hasScalar = any_of(legal, [&](const Operand &operand) {
    return operand.isReg() && function.regs[operand.reg.id].file == RegFile::Sgpr;
  });
  if (hasScalar || !takesThree(function, legal))
    return std::nullopt;
  auto [at, isNew] = registers.try_emplace(kept.imm, 0);
  if (isNew)
    at->second = function.newReg(RegFile::Sgpr);
  *literal = Operand::use(function.whole(at->second));
  return legal;
}

/// At the kernel's begin, behind what it starts with.
void Literals::define() {
  std::vector<Inst> &entry = function.blocks.front().insts;
  auto at = find_if(entry, [](const Inst &inst) { return inst.desc; });
  std::vector<Inst> moves;
  for (auto [literal, reg] : registers)
    moves.push_back(makeInst(*function.isa, s_mov_b32, {Operand::def(function.whole(reg)), Operand::imm64(literal)}));
  entry.insert(at, moves.begin(), moves.end());
}

static bool fuse(Function &function, const Uses &uses, Literals &literals, unsigned b, unsigned i,
                 const Fusion &fusion) {
  std::vector<Inst> &insts = function.blocks[b].insts;
  Inst &outer = insts[i];
  for (unsigned which : {1u, 2u}) {
    if ((fusion.place && fusion.place != which) || !outer.operands[which].isReg() || outer.operands[which].negate ||
        outer.operands[which].absolute)
      continue;
    InstPosition at = uses.definition(outer.operands[which].reg.id);
    if (at.block != b || at.index >= i || uses.readers(outer.operands[which].reg.id) != 1)
      continue;
    Inst &inner = insts[at.index];
    if (!inner.is(fusion.inner) || inner.keepsInactiveLanes || !inner.modifiers.empty())
      continue;
    Operand first = inner.operands[1], second = inner.operands[2], other = outer.operands[3 - which];
    if (fusion.swapsInner)
      std::swap(first, second);
    // The inner operands must still be what they were.
    SmallVector<Reg, 2> innerRegs;
    for (const Operand &operand : {first, second})
      if (operand.isReg())
        innerRegs.push_back(operand.reg);
    if (!unchangedBetween(insts, at.index, i, innerRegs))
      continue;
    const auto sources = literals.legalized({first, second, other});
    if (!sources)
      continue;
    Operand exec = outer.operands.back();
    Operand result = outer.operands[0];
    setMnemonic(*function.isa, outer, fusion.fused);
    outer.operands = {result, (*sources)[0], (*sources)[1], (*sources)[2], exec};
    inner.erase();
    return true;
  }
  return false;
}

/// Extrema of three operands that take two: the second one is repeated.
static bool isRepeatingExtremum(const Inst &inst) {
  if ((!inst.is(v_maximum3_f32) && !inst.is(v_minimum3_f32)) || !inst.modifiers.empty())
    return false;
  const Operand &second = inst.operands[2], &third = inst.operands[3];
  return second.isReg() && third.isReg() && second.reg == third.reg && second.negate == third.negate &&
         second.absolute == third.absolute;
}

/// maximum3(maximum3(a, b, b), c, c) and maximum3(c, maximum3(a, b, b), same)  ->  maximum3(a, b, c)
static void fuseExtremum(Function &function, const Uses &uses, unsigned b, unsigned i) {
  std::vector<Inst> &insts = function.blocks[b].insts;
  Inst &outer = insts[i];
  if (!isRepeatingExtremum(outer))
    return;
  for (unsigned which : {1u, 2u}) {
    const Operand &inside = outer.operands[which], &other = outer.operands[3 - which];
    if (!inside.isReg() || inside.negate || inside.absolute)
      continue;
    const InstPosition at = uses.definition(inside.reg.id);
    if (at.block != b || at.index >= i || uses.readers(inside.reg.id) != which)
      continue;
    Inst &inner = insts[at.index];
    if (!isRepeatingExtremum(inner) || inner.mnemonic() != outer.mnemonic() || inner.keepsInactiveLanes ||
        !takesThree(function, {inner.operands[1], inner.operands[2], other}))
      continue;
    SmallVector<Reg, 2> innerRegs;
    for (const Operand &operand : {inner.operands[1], inner.operands[2]})
      if (operand.isReg())
        innerRegs.push_back(operand.reg);
    if (!unchangedBetween(insts, at.index, i, innerRegs))
      continue;
    const Operand third = other;
    outer.operands[1] = inner.operands[1];
    outer.operands[2] = inner.operands[2];
    outer.operands[3] = third;
    inner.erase();
    return;
  }
}

void fuseOperations(Function &function) {
  Uses uses(function);
  Literals literals(function);
  for (unsigned b = 0; b < function.blocks.size(); ++b)
    for (unsigned i = 0; i < function.blocks[b].insts.size(); ++i) {
      const Inst &inst = function.blocks[b].insts[i];
      if (isRepeatingExtremum(inst)) {
        fuseExtremum(function, uses, b, i);
        continue;
      }
      if (inst.operands.size() != 4 || !inst.modifiers.empty() || !inst.operands.back().isImplicit)
        continue;
      for (const Fusion &fusion : fusions)
        if (inst.is(fusion.outer) && fuse(function, uses, literals, b, i, fusion))
          break;
    }
  literals.define();
  sweep(function);
}

void combineInstructions(Function &function) {
  writeCarriedValuesInPlace(function);
  simplifyMasks(function);
  combineDpp(function);
  combineFields(function);
  combineMixedProducts(function);
  fuseOperations(function);
  loadCarriedValuesInPlace(function);
}

} // namespace inflight::lir
