#include "compiler/emit/Preload.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::lir {

std::vector<Inst> preloadPrologue(const Function &function) {
  using enum Mnemonic;
  const Isa &isa = *function.isa;
  auto sgprs = [](unsigned first, unsigned count) { return Operand::physicalReg({RegUnit(first), RegUnit(count)}); };
  std::vector<Inst> insts;
  const unsigned first = function.isa->target().firstPreloadedSgpr();
  for (unsigned at = 0; at < function.preloadedSgprs;) {
    constexpr Mnemonic loads[] = {s_load_dword, s_load_dwordx2, s_load_dwordx4, s_load_dwordx8};
    unsigned log = std::min<unsigned>(Log2_32(function.preloadedSgprs - at), std::size(loads) - 1);
    while ((first + at) % tupleAlignment(isa, RegFile::Sgpr, 1 << log))
      --log;
    insts.push_back(makeInst(isa, loads[log], {sgprs(first + at, 1 << log), sgprs(0, 2), Operand::imm64(4 * at)}));
    at += 1 << log;
  }
  insts.push_back(makeWait(isa, {WaitCounts::of(Counter::Lgkm, WaitCount(0)), {}}));
  insts.push_back(makeInst(isa, s_branch, {Operand::block(0)}));
  for (Inst &inst : insts)
    inst.place = function.place;
  return insts;
}

} // namespace inflight::lir
