#include "compiler/regalloc/Accumulators.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {

/// Sets of registers joined by copies (union by path halving).
class CopySets {
public:
  explicit CopySets(size_t count) : parent(count) {
    for (size_t i = 0; i < count; ++i)
      parent[i] = i;
  }
  RegId find(RegId reg) {
    while (parent[reg] != reg)
      reg = parent[reg] = parent[parent[reg]];
    return reg;
  }
  void join(RegId a, RegId b) { parent[find(a)] = find(b); }

private:
  std::vector<RegId> parent;
};

} // namespace

BitVector findAccumulators(const Function &function) {
  // Narrower tuples are operands that happen to be copied, not results of a matrix instruction.
  constexpr unsigned narrowest = 4;
  auto isWhole = [&](Reg reg) { return reg.count == function.regs[reg.id].width; };
  BitVector written(function.regs.size());
  CopySets sets(function.regs.size());
  for (const Block &block : function.blocks)
    for (const Inst &inst : block.insts) {
      if (inst.desc && inst.desc->isMfma && isWhole(inst.operands[0].reg))
        written.set(inst.operands[0].reg.id);
      if (!inst.isCopy() || !inst.operands[1].isReg())
        continue;
      const Reg to = inst.operands[0].reg, from = inst.operands[1].reg;
      if (isWhole(to) && isWhole(from) && to.count >= narrowest && function.regs[from.id].file == RegFile::Vgpr)
        sets.join(to.id, from.id);
    }
  BitVector roots(function.regs.size()), result(function.regs.size());
  for (RegId reg : written.set_bits())
    roots.set(sets.find(reg));
  for (RegId reg = 0; reg < function.regs.size(); ++reg)
    result[reg] = roots.test(sets.find(reg));
  return result;
}

unsigned agprsFor(unsigned live) {
  // Tuples of 16 and 32 leave gaps.
  constexpr unsigned granule = 32;
  return alignTo(live, granule);
}

} // namespace inflight::lir
