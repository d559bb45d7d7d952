#include "waits/graph/DepModes.h"

#include "isa/HwReg.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

/// The modes that there may be after the instruction.
uint8_t DepModes::after(const Program &program, uint32_t instruction, uint8_t modes) const {
  const InstrDesc *desc = program.instructions()[instruction].desc;
  if (!desc || !desc->setsHwReg)
    return modes;
  const MCInst &inst = program.inst(instruction);
  const MCOperand &which = inst.getOperand(inst.getNumOperands() - 1), &value = inst.getOperand(0);
  if (!which.isImm())
    return Any;
  const HwRegField field = HwRegField::of(which.getImm());
  if (!field.isOfDepMode())
    return modes;
  // A part of it keeps the rest.
  if (!value.isImm() || field.first != 0 || field.count < HwRegField::depModeBits)
    return Any;
  const unsigned mode = value.getImm() & ((1u << HwRegField::depModeBits) - 1);
  return mode == 0 ? Checked : mode == program.isa().counters().uncheckedMode ? Unchecked : Other;
}

DepModes::DepModes(const Program &program) {
  const ArrayRef<Block> blocks = program.blocks();
  const bool hasAny = program.isa().counters().withAlu && any_of(seq(size_t(0), program.instructions().size()),
                                                                 [&](size_t i) { return after(program, i, 0) != 0; });
  if (!hasAny)
    return;
  std::vector<uint8_t> entry(blocks.size());
  SmallVector<uint32_t, 16> work;
  auto enter = [&](uint32_t block, uint8_t modes) {
    if (!(modes & ~entry[block]))
      return;
    entry[block] |= modes;
    work.push_back(block);
  };
  // Kernels begin so. Compilers go back to it for calls; who writes assembly may not (LLVM, SIInsertWaitcnts.cpp, run;
  // rocm-libraries, StinkyTofu, InsertWaitAluPass).
  for (const Function &function : program.functions())
    if (function.isKernel)
      enter(function.entry, Checked);
    else if (function.isOpen)
      enter(function.entry, Checked | Unchecked);
  if (program.hasUnknownTargets())
    for (uint32_t b = 0; b < blocks.size(); ++b)
      if (blocks[b].predecessors.empty() || blocks[b].function == ~0u)
        enter(b, Checked | Unchecked);
  before.assign(program.instructions().size(), 0);
  while (!work.empty()) {
    const uint32_t b = work.pop_back_val();
    uint8_t modes = entry[b];
    for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
      before[i] |= modes;
      modes = after(program, i, modes);
    }
    for (const Edge &edge : blocks[b].successors)
      enter(edge.block, modes);
  }
}

} // namespace inflight::waits
