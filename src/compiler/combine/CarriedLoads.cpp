// What a loop loads an iteration ahead, stores to LDS in the next one and hands on by a copy at the iteration's end. If
// the old value is stored behind the load in the order that is chosen, the copy stays, and waits for the load: it isn't
// ahead any more. So the load writes the carried registers itself. It comes behind the stores then, which takes no
// longer than they issue.
//
// What must hold: the load and the copy are in one block, with the same lanes and no other access to the carried
// registers in between, so that from the load on they hold what the copy would have given them. Loads return in order:
// one copy that stays waits for all loads before its own. So it is done for all of a block's or for none. Behind
// arithmetic on the old value a load would come later, by as long as that takes.
#include "compiler/combine/Combine.h"
#include "compiler/combine/Uses.h"
#include "compiler/lir/Loads.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {
class CarriedLoad {
public:
  /// Of a copy of what an instruction of its block has loaded.
  CarriedLoad(Function &function, unsigned block, unsigned load, unsigned copy)
      : load(load),
        copy(copy),
        function(function),
        insts(function.blocks[block].insts),
        to(insts[copy].operands[0].reg),
        from(insts[copy].operands[1].reg) {}

  /// `readers`: of what is loaded.
  bool mayBeInPlace(unsigned readers) const {
    return !insts[copy].keepsInactiveLanes && !insts[load].keepsInactiveLanes && insts[load].operands[0].reg == from &&
           fitsInto(function, from, to) && isOnlyStoredBefore() && readersBelow() == readers;
  }

  void writeInPlace() {
    for (unsigned i = load; i < insts.size(); ++i)
      for (Operand &operand : insts[i].operands)
        if (operand.isReg() && operand.reg.id == from.id)
          operand.reg = to.piece(operand.reg.sub, operand.reg.count);
    insts[copy].erase();
  }

  const unsigned load, copy;

private:
  bool isOnlyStoredBefore() const {
    return all_of(ArrayRef(insts).take_front(load),
                  [&](const Inst &inst) { return !touches(inst, to) || (inst.mayStore && !inst.mayLoad); }) &&
           none_of(ArrayRef(insts).slice(load, copy - load),
                   [&](const Inst &inst) { return touches(inst, to) || writesExec(inst); });
  }

  /// Before the carried registers change again.
  unsigned readersBelow() const {
    unsigned found = 0;
    for (unsigned i = load + 1; i < insts.size(); ++i) {
      bool isOver = false;
      forEachReg(insts[i], [&](Reg reg, bool isDef) {
        found += reg.id == from.id && !isDef;
        isOver |= reg.id == to.id && isDef && i > copy;
      });
      if (isOver)
        break;
    }
    return found;
  }

  Function &function;
  std::vector<Inst> &insts;
  const Reg to, from;
};
} // namespace

/// A copy that ends an iteration; a plain one of whole vector registers.
static bool isCarried(const Function &function, const Inst &inst) {
  return inst.isCopy() && inst.operands[1].isReg() && function.regs[inst.operands[1].reg.id].file == RegFile::Vgpr;
}

void loadCarriedValuesInPlace(Function &function) {
  const Uses uses(function);
  for (unsigned b = 0; b < function.blocks.size(); ++b) {
    const std::vector<Inst> &insts = function.blocks[b].insts;
    if (none_of(function.blocks[b].successors, [&](unsigned successor) { return successor <= b; }))
      continue;
    std::vector<CarriedLoad> all;
    bool areFine = true;
    for (unsigned i = 0; i < insts.size() && areFine; ++i) {
      if (!isCarried(function, insts[i]))
        continue;
      const RegId from = insts[i].operands[1].reg.id;
      const InstPosition definition = uses.definition(from);
      if (definition.block != b || definition.index >= i || !isPlainLoad(insts[definition.index]))
        continue;
      areFine = none_of(all, [&](const CarriedLoad &each) { return each.load == definition.index; });
      all.emplace_back(function, b, definition.index, i);
      areFine &= all.back().mayBeInPlace(uses.readers(from));
    }
    if (areFine)
      for (CarriedLoad &each : all)
        each.writeInPlace();
  }
  sweep(function);
}

} // namespace inflight::lir
