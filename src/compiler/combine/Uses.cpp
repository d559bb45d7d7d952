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

bool unchangedBetween(ArrayRef<Inst> insts, unsigned from, unsigned to, ArrayRef<Reg> regs) {
  return none_of(insts.slice(from + 1, to - from - 1), [&](const Inst &inst) {
    bool changes = writesExec(inst);
    forEachReg(inst, [&](Reg written, bool isDef) {
      changes |= isDef && any_of(regs, [&](Reg reg) { return reg.id == written.id; });
    });
    return changes;
  });
}

bool touches(const Inst &inst, Reg reg) {
  bool found = false;
  forEachReg(inst, [&](Reg other, bool) { found |= other.overlaps(reg); });
  return found;
}

bool fitsInto(const Function &function, Reg from, Reg to) {
  const unsigned alignment = tupleAlignment(*function.isa, RegFile::Vgpr, to.count);
  return from.count == function.regs[from.id].width && function.regs[from.id].file == RegFile::Vgpr &&
         function.regs[to.id].file == RegFile::Vgpr && to.sub % alignment == 0 &&
         function.regs[to.id].alignment >= alignment;
}

bool takesThree(const Function &function, ArrayRef<Operand> operands) {
  Reg scalar;
  for (const Operand &operand : operands) {
    if (operand.isReg() && function.regs[operand.reg.id].file == RegFile::Sgpr) {
      if (scalar.valid() && !(scalar == operand.reg))
        return false;
      scalar = operand.reg;
    } else if (!operand.isReg() && !operand.isInlineInteger()) {
      return false;
    }
  }
  return true;
}

void sweep(Function &function) {
  for (Block &block : function.blocks)
    llvm::erase_if(block.insts, [](const Inst &inst) { return inst.is(Pseudo::Erased); });
}

} // namespace inflight::lir
