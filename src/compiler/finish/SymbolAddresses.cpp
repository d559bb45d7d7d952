#include "compiler/finish/Finish.h"

using namespace llvm;

namespace inflight::lir {

void expandSymbolAddresses(Function &function) {
  if (function.symbols.empty())
    return;
  for (Block &block : function.blocks)
    for (size_t at = 0; at < block.insts.size(); ++at) {
      if (!block.insts[at].is(Pseudo::SymbolAddress))
        continue;
      const Inst pseudo = block.insts[at];
      const Reg address = pseudo.operands[0].reg;
      const unsigned symbol = pseudo.operands[1].imm;
      const Operand scc = Operand::specialReg(Special::Scc, true).implicit();
      Inst sequence[] = {makeInst(*function.isa, Mnemonic::s_getpc_b64, {Operand::def(address)}),
                         makeInst(*function.isa, Mnemonic::s_add_u32,
                                  {Operand::def(address.piece(0)), Operand::use(address.piece(0)),
                                   Operand::symbol(symbol, false), scc}),
                         makeInst(*function.isa, Mnemonic::s_addc_u32,
                                  {Operand::def(address.piece(1)), Operand::use(address.piece(1)),
                                   Operand::symbol(symbol, true), scc})};
      for (Inst &inst : sequence)
        inst.place = pseudo.place;
      block.insts.erase(block.insts.begin() + at);
      block.insts.insert(block.insts.begin() + at, std::begin(sequence), std::end(sequence));
      at += std::size(sequence) - 1;
    }
}

} // namespace inflight::lir
