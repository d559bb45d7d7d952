#include "compiler/finish/Finish.h"

using namespace llvm;

namespace inflight::lir {

/// What the index applies to (ISA manuals, S_SET_GPR_IDX_ON).
enum IndexedOperands : unsigned { FirstSource = 1, Destination = 8 };

static SmallVector<Inst, 4> expand(const Isa &isa, const Inst &pseudo) {
  const bool isRead = pseudo.is(Pseudo::IndexedRead);
  const Reg tuple = pseudo.operands[isRead ? 2 : 0].reg;
  const Operand &other = pseudo.operands[isRead ? 0 : 2];
  SmallVector<Inst, 4> insts;
  insts.push_back(makeInst(isa, Mnemonic::s_set_gpr_idx_on,
                           {pseudo.operands[1], Operand::imm64(isRead ? FirstSource : Destination),
                            Operand::specialReg(Special::M0, true).implicit()}));
  const unsigned words = other.isReg() ? other.reg.count : 1;
  for (unsigned word = 0; word < words; ++word) {
    Operand moved = other;
    if (other.isReg())
      moved.reg = other.reg.piece(word);
    Inst move = makeInst(isa, Mnemonic::v_mov_b32,
                         isRead ? ArrayRef{moved, Operand::use(tuple.piece(word))}
                                : ArrayRef{Operand::def(tuple.piece(word)), moved});
    move.operands.push_back(Operand::use(tuple).implicit());
    if (!isRead)
      move.operands.push_back(Operand::def(tuple).implicit());
    move.operands.push_back(Operand::specialReg(Special::M0).implicit());
    move.operands.push_back(Operand::specialReg(Special::Exec).implicit());
    insts.push_back(std::move(move));
  }
  insts.push_back(makeInst(isa, Mnemonic::s_set_gpr_idx_off, {}));
  for (Inst &inst : insts)
    inst.place = pseudo.place;
  insts.front().hasSideEffects = insts.back().hasSideEffects = true;
  return insts;
}

void expandIndexedMoves(Function &function) {
  for (Block &block : function.blocks) {
    if (none_of(block.insts, isIndexedMove))
      continue;
    std::vector<Inst> insts;
    for (Inst &inst : block.insts)
      if (isIndexedMove(inst))
        append_range(insts, expand(*function.isa, inst));
      else
        insts.push_back(std::move(inst));
    block.insts = std::move(insts);
  }
}

} // namespace inflight::lir
