#include "compiler/combine/Uses.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

Uses::Uses(const Function &function)
    : definitions(function.regs.size(), 0), reads(function.regs.size(), 0), lastDefinition(function.regs.size()) {
  for (unsigned b = 0; b < function.blocks.size(); ++b)
    for (unsigned i = 0; i < function.blocks[b].insts.size(); ++i)
      forEachReg(function.blocks[b].insts[i], [&](Reg reg, bool isDef) {
        if (!isDef) {
          ++reads[reg.id];
          return;
        }
        if (lastDefinition[reg.id] != InstPosition{b, i})
          ++definitions[reg.id];
        lastDefinition[reg.id] = {b, i};
      });
}

bool writesExec(const Inst &inst) {
  return any_of(inst.operands, [](const Operand &operand) {
    return operand.kind == Operand::Kind::Special && operand.isDef &&
           (operand.special == Special::Exec || operand.special == Special::ExecLo || operand.special == Special::ExecHi);
  });
}

void sweep(Function &function) {
  for (Block &block : function.blocks)
    llvm::erase_if(block.insts, [](const Inst &inst) { return inst.mnemonic.empty(); });
}

} // namespace inflight::lir
