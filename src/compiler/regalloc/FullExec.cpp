#include "compiler/regalloc/FullExec.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

using enum Mnemonic;

static bool startsFull(const Function &function) {
  const unsigned *size = function.requiredWorkgroupSize;
  const unsigned lanes = size[0] * size[1] * size[2];
  return lanes && lanes % function.isa->target().lanesPerWave == 0;
}

bool narrowsExec(const Inst &inst) {
  if (inst.is(s_and_saveexec_b64) || (inst.desc && inst.desc->writesMaskAndExec))
    return true;
  return inst.is(s_and_b64) && inst.operands[0].is(Special::Exec) &&
         (inst.operands[1].is(Special::Exec) || inst.operands[2].is(Special::Exec));
}

bool touchesInactiveLanes(const Inst &inst) {
  return inst.desc && inst.desc->exchangesLanes() && !inst.is(v_readfirstlane_b32);
}

FullExec::FullExec(const Function &function) : function(function), entries(function.blocks.size(), true) {
  for (const VirtualReg &reg : function.regs)
    saved.emplace_back(reg.width, reg.file == RegFile::Sgpr && reg.fixed == regunit::None);
  if (!startsFull(function))
    entries.reset(0);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned b = 0; b < function.blocks.size(); ++b) {
      bool isFull = entries.test(b);
      for (const Inst &inst : function.blocks[b].insts) {
        changed |= define(inst, isFull);
        isFull = after(inst, isFull);
      }
      for (unsigned successor : function.blocks[b].successors)
        if (!isFull && entries.test(successor)) {
          entries.reset(successor);
          changed = true;
        }
    }
  }
}

bool FullExec::isSaved(Reg reg) const {
  for (unsigned i = 0; i < reg.count; ++i)
    if (!saved[reg.id].test(reg.sub + i))
      return false;
  return true;
}

bool FullExec::define(const Inst &inst, bool isFull) {
  auto laneOf = [](const Operand &reg, const Operand &lane) { return Lane(reg.reg.id, lane.imm); };
  if (inst.is(v_writelane_b32)) {
    // Masks are kept in lanes whose numbers are constants.
    if (!inst.operands[2].isImm())
      return false;
    const bool value = inst.operands[1].isReg() && isSaved(inst.operands[1].reg);
    auto [known, isNew] = savedLanes.try_emplace(laneOf(inst.operands[0], inst.operands[2]), value);
    if (isNew || known->second == value || !known->second)
      return isNew;
    known->second = false;
    return true;
  }
  bool changed = false;
  for (const Operand &definition : inst.operands) {
    if (!definition.isReg() || !definition.isDef || function.regs[definition.reg.id].file != RegFile::Sgpr)
      continue;
    bool keeps = false;
    if (inst.is(s_and_saveexec_b64)) {
      keeps = isFull;
    } else if (inst.isCopy() || inst.is(s_mov_b64) || inst.is(s_mov_b32)) {
      const Operand &source = inst.operands[1];
      keeps = source.is(Special::Exec) ? isFull : source.isReg() && isSaved(source.reg);
    } else if (inst.is(v_readlane_b32) && inst.operands[2].isImm()) {
      auto known = savedLanes.find(laneOf(inst.operands[1], inst.operands[2]));
      keeps = known == savedLanes.end() || known->second;
    }
    for (unsigned i = 0; !keeps && i < definition.reg.count; ++i)
      if (saved[definition.reg.id].test(definition.reg.sub + i)) {
        saved[definition.reg.id].reset(definition.reg.sub + i);
        changed = true;
      }
  }
  return changed;
}

bool FullExec::after(const Inst &inst, bool before) const {
  if (!writesExec(inst) && !(inst.desc && inst.desc->writesMaskAndExec))
    return before;
  if (!inst.is(s_mov_b64))
    return false;
  const Operand &source = inst.operands[1];
  return source.isImm() ? source.imm == -1 : source.isReg() && isSaved(source.reg);
}

} // namespace inflight::lir
