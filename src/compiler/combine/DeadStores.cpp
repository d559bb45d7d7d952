// Stores that a later one of the same block overwrites before anything could read them.
#include "compiler/combine/Combine.h"
#include "compiler/combine/Uses.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {

bool isPlainStore(const Inst &inst) {
  return inst.desc && inst.mayStore && !inst.mayLoad && !inst.hasSideEffects && !inst.modifiers.cache.hasScope() &&
         inst.memory != MemoryKind::None && inst.operands.size() >= 2;
}

/// The operand that is stored; the others say where.
unsigned dataOperand(const Inst &store) { return store.desc->format == Format::Mubuf ? 0 : 1; }

bool isSameOperand(const Operand &a, const Operand &b) {
  return a.kind == b.kind && a.special == b.special && a.imm == b.imm && (!a.isReg() || a.reg == b.reg);
}

/// Whether both write the same bytes, their registers being unchanged in between.
bool isSamePlace(const Inst &a, const Inst &b) {
  if (a.desc != b.desc || a.modifiers != b.modifiers || a.operands.size() != b.operands.size())
    return false;
  for (unsigned i = 0; i < a.operands.size(); ++i)
    if (i != dataOperand(a) && !isSameOperand(a.operands[i], b.operands[i]))
      return false;
  return true;
}

/// Stores below the present instruction that nothing reads, orders or repeats in other lanes up to there.
class PendingStores {
public:
  /// Walking upwards: returns whether `inst` is overwritten by a store below.
  bool visit(const Inst &inst) {
    const bool isStore = isPlainStore(inst);
    if (isStore && any_of(stores, [&](const Inst *below) { return isSamePlace(inst, *below); }))
      return true;
    if (!inst.desc ? inst.isFence() || inst.hasSideEffects
                   : inst.hasSideEffects || inst.desc->isBarrier || writesExec(inst) || (inst.mayLoad && inst.mayStore))
      stores.clear();
    else if (inst.mayLoad)
      forgetReadBy(inst);
    forEachReg(inst, [&](Reg reg, bool isDef) {
      if (isDef)
        forgetAddressedBy(reg.id);
    });
    constexpr size_t most = 256; // keeps the walk linear
    if (isStore && stores.size() < most)
      stores.push_back(&inst);
    return false;
  }

private:
  void forgetReadBy(const Inst &load) {
    if (load.memory == MemoryKind::Constant)
      return;
    if (load.memory == MemoryKind::None || load.desc->isGenericFlat())
      stores.clear();
    erase_if(stores, [&](const Inst *store) { return store->memory == load.memory || store->desc->isGenericFlat(); });
  }
  void forgetAddressedBy(RegId reg) {
    erase_if(stores, [&](const Inst *store) {
      for (unsigned i = 0; i < store->operands.size(); ++i)
        if (i != dataOperand(*store) && store->operands[i].isReg() && store->operands[i].reg.id == reg)
          return true;
      return false;
    });
  }

  SmallVector<const Inst *, 32> stores;
};

} // namespace

void removeDeadStores(Function &function) {
  for (Block &block : function.blocks) {
    PendingStores pending;
    for (Inst &inst : reverse(block.insts))
      if (pending.visit(inst))
        inst.erase();
  }
  sweep(function);
}

} // namespace inflight::lir
