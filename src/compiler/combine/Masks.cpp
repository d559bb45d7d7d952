#include "compiler/combine/Combine.h"
#include "compiler/combine/Uses.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

/// v_cmp_* to v_cmpx_*, or none.
static Mnemonic intoExec(const Inst &compare) {
  if (!compare.desc || !compare.desc->isCompare || compare.desc->writesMaskAndExec || compare.desc->isSdwa)
    return Mnemonic::none;
  return mnemonicOf(("v_cmpx_" + nameOf(compare.mnemonic()).substr(strlen("v_cmp_"))).str());
}

/// v_cmp m, a, b ... s_and_b64 exec, exec, m  ->  v_cmpx vcc, a, b
static void compareIntoExec(Function &function) {
  Uses uses(function);
  for (unsigned b = 0; b < function.blocks.size(); ++b) {
    std::vector<Inst> &insts = function.blocks[b].insts;
    for (unsigned i = 0; i < insts.size(); ++i) {
      Inst &narrow = insts[i];
      if (!narrow.is(Mnemonic::s_and_b64) || !narrow.operands[0].is(Special::Exec) ||
          !narrow.operands[1].is(Special::Exec) || !narrow.operands[2].isReg())
        continue;
      const Reg mask = narrow.operands[2].reg;
      InstPosition at = uses.definition(mask.id);
      if (at.block != b || at.index >= i || uses.readers(mask.id) != 1 || mask.count != function.regs[mask.id].width)
        continue;
      Inst &compare = insts[at.index];
      const Mnemonic name = intoExec(compare);
      if (function.isa->encodings(name).empty())
        continue;
      // The comparison moves down: its operands must still be what they were, and nothing in between
      // may care for VCC, which is about to be overwritten.
      SmallVector<Reg, 2> compared;
      forEachReg(compare, [&](Reg reg, bool isDef) {
        if (!isDef)
          compared.push_back(reg);
      });
      auto touchesVcc = [](const Inst &inst) {
        return any_of(inst.operands, [](const Operand &operand) {
          return operand.is(Special::Vcc) || operand.is(Special::VccLo) || operand.is(Special::VccHi);
        });
      };
      if (!unchangedBetween(insts, at.index, i, compared) ||
          any_of(ArrayRef(insts).slice(at.index + 1, i - at.index - 1), touchesVcc))
        continue;
      Inst into = std::exchange(compare, Inst());
      compare.erase();
      setMnemonic(*function.isa, into, name);
      into.operands[0] = Operand::specialReg(Special::Vcc, true);
      into.operands.push_back(Operand::specialReg(Special::Exec, true).implicit());
      into.hasSideEffects = true;
      insts[i] = std::move(into);
    }
  }
  sweep(function);
}

/// Executing these for no lane costs about as much as the branch around them, and does nothing. What has no lanes does
/// what it does whether EXEC is empty or not: s_trap, s_sendmsg, s_setprio, and v_writelane_b32, which ignores it.
static bool isCheapForNoLane(const Inst &inst) {
  if (!inst.desc)
    return inst.isValuePseudo();
  const InstrDesc &desc = *inst.desc;
  return (desc.isValu() || desc.isSalu()) && !inst.hasSideEffects && !inst.mayLoad && !inst.mayStore &&
         !inst.isTerminator && !desc.isMfma && !desc.readsLane && !inst.is(Mnemonic::v_writelane_b32);
}

/// Whether another block has a scalar register that this one writes: it would differ if the block weren't skipped.
static bool writesSharedScalar(const Function &function, const Block &block) {
  SmallVector<RegId, 4> written;
  for (const Inst &inst : block.insts)
    forEachReg(inst, [&](Reg reg, bool isDef) {
      if (isDef && function.regs[reg.id].file == RegFile::Sgpr)
        written.push_back(reg.id);
    });
  bool isShared = false;
  if (!written.empty())
    for (const Block &other : function.blocks)
      for (const Inst &inst : other.insts)
        forEachReg(inst, [&](Reg reg, bool) { isShared |= &other != &block && is_contained(written, reg.id); });
  return isShared;
}

/// s_cbranch_execz around a short block that only follows this one.
static void dropShortSkips(Function &function) {
  constexpr size_t shortBlock = 4;
  for (unsigned b = 0; b + 2 < function.blocks.size(); ++b) {
    Block &block = function.blocks[b];
    if (block.insts.empty() || !block.insts.back().is(Mnemonic::s_cbranch_execz) || block.successors.size() != 2 ||
        !is_contained(block.successors, b + 1) || !is_contained(block.successors, b + 2))
      continue;
    const Block &skipped = function.blocks[b + 1];
    if (skipped.insts.size() > shortBlock || skipped.successors.size() != 1 || skipped.successors[0] != b + 2 ||
        skipped.isLoopHeader || !all_of(skipped.insts, isCheapForNoLane) || writesSharedScalar(function, skipped))
      continue;
    block.insts.pop_back();
    block.successors = {b + 1};
  }
}

/// What EXEC is when the program ends matters to nobody.
static void dropLastRestore(Function &function) {
  for (Block &block : function.blocks) {
    size_t count = block.insts.size();
    if (count < 2 || !block.insts[count - 1].is(Mnemonic::s_endpgm))
      continue;
    while (count >= 2 && block.insts[count - 2].is(Mnemonic::s_mov_b64) &&
           block.insts[count - 2].operands[0].is(Special::Exec)) {
      block.insts.erase(block.insts.begin() + count - 2);
      --count;
    }
  }
}

void simplifyMasks(Function &function) {
  dropLastRestore(function);
  dropShortSkips(function);
  compareIntoExec(function);
}

} // namespace inflight::lir
