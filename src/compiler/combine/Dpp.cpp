#include "compiler/combine/Combine.h"
#include "compiler/combine/Uses.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

/// Operations that may take either operand through DPP: it applies to the first one only.
static bool isCommutative(const Inst &inst) {
  using enum Mnemonic;
  constexpr Mnemonic all[] = {v_add_f32, v_mul_f32, v_min_f32, v_max_f32, v_add_u32, v_min_i32, v_max_i32, v_min_u32,
                              v_max_u32, v_and_b32, v_or_b32,  v_xor_b32, v_add_f16, v_mul_f16, v_min_f16, v_max_f16};
  return inst.is(inst.mnemonic()) && is_contained(all, inst.mnemonic());
}

void combineDpp(Function &function) {
  Uses uses(function);
  for (unsigned b = 0; b < function.blocks.size(); ++b) {
    std::vector<Inst> &insts = function.blocks[b].insts;
    for (unsigned i = 0; i < insts.size(); ++i) {
      Inst &user = insts[i];
      if (!isCommutative(user) || !user.modifiers.empty())
        continue;
      auto isVgpr = [&](const Operand &operand) {
        return operand.isReg() && !operand.negate && !operand.absolute &&
               function.regs[operand.reg.id].file == RegFile::Vgpr;
      };
      if (!isVgpr(user.operands[1]) || !isVgpr(user.operands[2]))
        continue;
      for (unsigned which : {1u, 2u}) {
        Reg moved = user.operands[which].reg;
        InstPosition at = uses.definition(moved.id);
        if (at.block != b || at.index >= i || uses.readers(moved.id) != 1)
          continue;
        Inst &move = insts[at.index];
        // Without bound_ctrl lanes keep what they had, which is no operand of the operation.
        if (move.mnemonic() != Mnemonic::v_mov_b32 || !move.desc->isDpp || move.keepsInactiveLanes)
          continue;
        const Reg source = move.operands[1].reg;
        if (!unchangedBetween(insts, at.index, i, source))
          continue;
        Operand other = user.operands[3 - which];
        setMnemonic(*function.isa, user, user.mnemonic(), Encoding::Dpp);
        user.operands[1] = Operand::use(source);
        user.operands[2] = other;
        user.modifiers = move.modifiers;
        move.erase();
        break;
      }
    }
  }
  sweep(function);
}

} // namespace inflight::lir
