// A branch over a block that only branches is the opposite branch to where that one goes: loops of which the last block
// branches out, or back, end with one branch.
#include "compiler/finish/Finish.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::lir {

static Mnemonic oppositeOf(const Inst &inst) {
  using enum Mnemonic;
  for (auto [one, other] : {std::pair(s_cbranch_scc0, s_cbranch_scc1), std::pair(s_cbranch_execz, s_cbranch_execnz),
                            std::pair(s_cbranch_vccz, s_cbranch_vccnz)}) {
    if (inst.is(one))
      return other;
    if (inst.is(other))
      return one;
  }
  return none;
}

void invertBranches(Function &function) {
  BitVector isTarget(function.blocks.size());
  auto targetOf = [](Inst &inst) {
    auto target = find_if(inst.operands, [](const Operand &o) { return o.kind == Operand::Kind::Block; });
    return target == inst.operands.end() ? nullptr : &*target;
  };
  for (Block &block : function.blocks)
    for (Inst &inst : block.insts)
      if (const Operand *target = targetOf(inst))
        isTarget.set(target->imm);
  for (unsigned b = 0; b + 2 < function.blocks.size(); ++b) {
    Block &block = function.blocks[b], &over = function.blocks[b + 1];
    const bool onlyBranches = over.insts.size() == 1 && over.insts[0].is(Mnemonic::s_branch) && !isTarget.test(b + 1);
    if (!onlyBranches || block.insts.empty())
      continue;
    Inst &branch = block.insts.back();
    Operand *target = targetOf(branch), *further = targetOf(over.insts[0]);
    const Mnemonic opposite = oppositeOf(branch);
    // Where it goes is what comes next once the other block is empty.
    const bool goesNext = target && unsigned(target->imm) >= b + 2 &&
                          all_of(seq<unsigned>(b + 2, unsigned(target->imm)),
                                 [&](unsigned between) { return function.blocks[between].insts.empty(); });
    if (opposite == Mnemonic::none || !goesNext || !further)
      continue;
    setMnemonic(*function.isa, branch, opposite);
    target->imm = further->imm;
    over.insts.clear();
    over.successors = {b + 2};
    block.successors = {unsigned(target->imm), b + 1};
  }
}

} // namespace inflight::lir
