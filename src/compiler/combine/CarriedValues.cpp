#include "compiler/combine/Combine.h"
#include "compiler/combine/Uses.h"

#include <optional>

using namespace llvm;

namespace inflight::lir {

using enum Mnemonic;

/// Makes the producer of the copy at `at` write the destination, if that changes nothing else.
static bool writeInPlace(Function &function, const Uses &uses, unsigned b, unsigned at) {
  std::vector<Inst> &insts = function.blocks[b].insts;
  const Reg to = insts[at].operands[0].reg, from = insts[at].operands[1].reg;
  InstPosition producer = uses.definition(from.id);
  if (producer.block != b || producer.index >= at || !fitsInto(function, from, to))
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
      writes |= isDef && reg.overlaps(to) && i != at;
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

/// The position of the block's last write of EXEC before `end`; none if there is no other write above it to `begin`.
static std::optional<unsigned> onlyExecWrite(ArrayRef<Inst> insts, unsigned begin, unsigned end) {
  std::optional<unsigned> found;
  for (unsigned i = begin; i < end; ++i)
    if (writesExec(insts[i])) {
      if (found)
        return std::nullopt;
      found = i;
    }
  return found;
}

/// What a branch without another side changes of a carried value: a copy of it begins, some lanes change it in the
/// branch, and the copy at `at` hands it back. Where nobody wants the old value after the first change, the branch
/// changes the carried value itself.
class BranchResult {
public:
  BranchResult(Function &function, const Uses &uses, unsigned block, unsigned at)
      : function(function),
        uses(uses),
        last{block, at},
        carried(function.blocks[block].insts[at].operands[0].reg),
        changed(function.blocks[block].insts[at].operands[1].reg) {}

  bool writeInPlace() {
    if (!isWhole(carried) || !isWhole(changed) || uses.readers(changed.id) != 1 || !findFirst() || !isSameExec() ||
        !isUnread() || !isEnteredAtFirst())
      return false;
    for (unsigned b = first.block; b <= last.block; ++b)
      for (Inst &inst : function.blocks[b].insts)
        for (Operand &operand : inst.operands)
          if (operand.isReg() && operand.reg.id == changed.id)
            operand.reg = carried.piece(operand.reg.sub, operand.reg.count);
    instAt(first).erase();
    instAt(last).erase();
    return true;
  }

private:
  Inst &instAt(InstPosition at) { return function.blocks[at.block].insts[at.index]; }
  bool isWhole(Reg reg) const {
    return reg.sub == 0 && reg.count == function.regs[reg.id].width && function.regs[reg.id].file == RegFile::Vgpr;
  }

  /// The copy that the branch begins with. Blocks up to the last one are only gone through downwards.
  bool findFirst() {
    if (function.blocks[last.block].isLoopHeader)
      return false;
    for (unsigned b = last.block; b-- > 0;) {
      for (unsigned successor : function.blocks[b].successors)
        if (successor <= b)
          return false;
      const std::vector<Inst> &insts = function.blocks[b].insts;
      for (unsigned i = insts.size(); i-- > 0;)
        if (insts[i].isCopy() && insts[i].operands[0].reg == changed && insts[i].operands[1].reg == carried &&
            !insts[i].keepsInactiveLanes) {
          first = {b, i};
          return true;
        }
      if (function.blocks[b].isLoopHeader)
        return false;
    }
    return false;
  }

  /// The first block saves EXEC, the last one restores it.
  bool isSameExec() {
    const std::vector<Inst> &begin = function.blocks[first.block].insts, &end = function.blocks[last.block].insts;
    const std::optional<unsigned> save = onlyExecWrite(begin, first.index, begin.size()),
                                  restore = onlyExecWrite(end, 0, last.index);
    if (!save || !restore || !begin[*save].is(s_and_saveexec_b64) || !end[*restore].is(s_mov_b64))
      return false;
    const Operand &saved = begin[*save].operands[0], &restored = end[*restore].operands[1];
    return saved.isReg() && saved.isDef && restored.isReg() && saved.reg == restored.reg &&
           uses.definition(saved.reg.id).valid();
  }

  /// No other write of the carried value, and none of its reads behind the first change.
  bool isUnread() {
    bool isChanged = false;
    for (unsigned b = first.block; b <= last.block; ++b) {
      const std::vector<Inst> &insts = function.blocks[b].insts;
      const unsigned begin = b == first.block ? first.index + 1 : 0, end = b == last.block ? last.index : insts.size();
      for (unsigned i = begin; i < end; ++i) {
        bool fits = true, changesNow = false;
        forEachReg(insts[i], [&](Reg reg, bool isDef) {
          if (reg.id == carried.id)
            fits &= !isDef && !isChanged;
          if (reg.id == changed.id) {
            fits &= isDef && insts[i].keepsInactiveLanes && b != first.block && b != last.block;
            changesNow = true;
          }
        });
        if (!fits)
          return false;
        isChanged |= changesNow;
      }
    }
    return definitionsBetween() == uses.definitionsOf(changed.id);
  }
  bool isEnteredAtFirst() const {
    for (unsigned b = 0; b < function.blocks.size(); ++b)
      if (b < first.block || b >= last.block)
        for (unsigned successor : function.blocks[b].successors)
          if (successor > first.block && successor <= last.block)
            return false;
    return true;
  }
  unsigned definitionsBetween() const {
    unsigned count = 0;
    for (unsigned b = first.block; b <= last.block; ++b)
      for (const Inst &inst : function.blocks[b].insts)
        forEachReg(inst, [&](Reg reg, bool isDef) { count += isDef && reg.id == changed.id; });
    return count;
  }

  Function &function;
  const Uses &uses;
  InstPosition first, last;
  const Reg carried, changed;
};

/// Whether a branch's result was written in place.
static bool writeBranchResults(Function &function, const Uses &uses) {
  bool isChanged = false;
  for (unsigned b = 0; b < function.blocks.size(); ++b)
    for (unsigned i = 0; i < function.blocks[b].insts.size(); ++i) {
      const Inst &inst = function.blocks[b].insts[i];
      if (inst.isCopy() && inst.operands[1].isReg())
        isChanged |= BranchResult(function, uses, b, i).writeInPlace();
    }
  return isChanged;
}

void writeCarriedValuesInPlace(Function &function) {
  Uses uses(function);
  // Branches in branches: the inner one first.
  while (writeBranchResults(function, uses)) {
    sweep(function);
    uses = Uses(function);
  }
  for (unsigned b = 0; b < function.blocks.size(); ++b)
    for (unsigned i = 0; i < function.blocks[b].insts.size(); ++i) {
      const Inst &inst = function.blocks[b].insts[i];
      if (inst.isCopy() && inst.keepsInactiveLanes && inst.operands[1].isReg())
        writeInPlace(function, uses, b, i);
    }
  sweep(function);
}

} // namespace inflight::lir
