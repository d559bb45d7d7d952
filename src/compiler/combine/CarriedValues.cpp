#include "compiler/combine/Combine.h"
#include "compiler/combine/Uses.h"

using namespace llvm;

namespace inflight::lir {

static bool overlaps(Reg a, Reg b) { return a.id == b.id && a.sub < b.sub + b.count && b.sub < a.sub + a.count; }

static bool touches(const Inst &inst, Reg reg) {
  bool found = false;
  forEachReg(inst, [&](Reg other, bool) { found |= overlaps(other, reg); });
  return found;
}

/// Makes the producer of the copy at `at` write the destination, if that changes nothing else.
static bool writeInPlace(Function &function, const Uses &uses, unsigned b, unsigned at) {
  std::vector<Inst> &insts = function.blocks[b].insts;
  const Reg to = insts[at].operands[0].reg, from = insts[at].operands[1].reg;
  InstPosition producer = uses.definition(from.id);
  if (producer.block != b || producer.index >= at || from.count != function.regs[from.id].width ||
      function.regs[from.id].file != RegFile::Vgpr || function.regs[to.id].file != RegFile::Vgpr)
    return false;
  // A tuple in the middle of another may be misaligned.
  const unsigned alignment = tupleAlignment(*function.isa, RegFile::Vgpr, to.count);
  if (to.sub % alignment || function.regs[to.id].alignment < alignment)
    return false;
  Inst &inst = insts[producer.index];
  if (inst.isValuePseudo() || inst.earlyClobber || inst.keepsInactiveLanes)
    return false;
  // The destination's old value must be dead, and the lanes the same, from here on.
  for (unsigned i = producer.index + 1; i < at; ++i)
    if (touches(insts[i], to) || writesExec(insts[i]))
      return false;
  // All readers are below the producer in this block, and above the next write of the destination.
  unsigned readers = 0;
  bool overwritten = false;
  for (unsigned i = producer.index + 1; i < insts.size(); ++i) {
    bool writes = false;
    forEachReg(insts[i], [&](Reg reg, bool isDef) {
      if (reg.id == from.id && !isDef && (!overwritten || i == at))
        ++readers;
      writes |= isDef && overlaps(reg, to) && i != at;
    });
    overwritten |= writes;
  }
  if (readers != uses.readers(from.id))
    return false;
  for (unsigned i = producer.index; i < insts.size(); ++i)
    for (Operand &operand : insts[i].operands)
      if (operand.isReg() && operand.reg.id == from.id)
        operand.reg = to.piece(operand.reg.sub, operand.reg.count);
  inst.keepsInactiveLanes = true;
  insts[at].erase();
  return true;
}

void writeCarriedValuesInPlace(Function &function) {
  Uses uses(function);
  for (unsigned b = 0; b < function.blocks.size(); ++b)
    for (unsigned i = 0; i < function.blocks[b].insts.size(); ++i) {
      const Inst &inst = function.blocks[b].insts[i];
      if (inst.isCopy() && inst.keepsInactiveLanes && inst.operands[1].isReg())
        writeInPlace(function, uses, b, i);
    }
  sweep(function);
}

} // namespace inflight::lir
