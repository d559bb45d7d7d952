#include "compiler/finish/Finish.h"

using namespace llvm;

namespace inflight::lir {

void insertScratchPrologue(Function &function) {
  if (!function.scratchBytes || function.isa->target().hasArchitectedFlatScratch)
    return;
  // User SGPRs: kernarg pointer 0-1, FLAT_SCRATCH initial value 2-3, preloaded arguments; then workgroup ids; then the
  // wave's scratch offset.
  unsigned offset = function.isa->target().firstPreloadedSgpr() + function.preloadedSgprs;
  for (bool used : function.usesWorkgroupId)
    offset += used;
  function.sgprsUsed = std::max(function.sgprsUsed, offset + 1);
  auto sgpr = [](unsigned number) { return Operand::physicalReg({RegUnit(number), 1}); };
  std::vector<Inst> &insts = function.blocks[0].insts;
  Inst prologue[] = {makeInst(*function.isa, Mnemonic::s_add_u32,
                              {Operand::specialReg(Special::FlatScratchLo, true), sgpr(2), sgpr(offset)}),
                     makeInst(*function.isa, Mnemonic::s_addc_u32,
                              {Operand::specialReg(Special::FlatScratchHi, true), sgpr(3), Operand::imm64(0)})};
  for (Inst &inst : prologue)
    inst.place = function.place;
  insts.insert(insts.begin(), std::begin(prologue), std::end(prologue));
}

} // namespace inflight::lir
