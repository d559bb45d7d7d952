#include "program/Program.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

/// The last operand. What a register adds isn't known: all is left outstanding.
uint16_t Program::waitImmediate(const MCInst &inst) const {
  const bool isKnown = inst.getNumOperands() == 1 || !isa().regRange(inst.getOperand(0).getReg()).count;
  return isKnown ? uint16_t(inst.getOperand(inst.getNumOperands() - 1).getImm()) : uint16_t(~0u);
}

void Program::describe(Instruction &instruction, const MCInst &inst) {
  const InstrDesc &desc = isa().desc(inst.getOpcode());
  instruction.desc = &desc;
  instruction.firstRange = ranges.size();
  isa().appendRegAccess(inst, ranges, instruction.readCount, instruction.writeCount);
  if (desc.isVmem())
    instruction.hasScope = isa().cachePolicy(inst).hasScope();
  if (desc.isWaitcnt || desc.isAluWait)
    instruction.waitcnt = waitImmediate(inst);
}

bool Program::hasUnknownTargets() const {
  if (whole)
    return whole->hasUnknownTargets();
  return any_of(theBlocks, [](const Block &block) {
    return block.ending == BlockEnd::UnknownJump || (block.ending == BlockEnd::UnknownCall && !block.isElsewhere);
  });
}

StringRef Program::problem(uint32_t block) const {
  auto it = partition_point(problems, [&](const auto &entry) { return entry.first < block; });
  return it != problems.end() && it->first == block ? StringRef(it->second) : StringRef();
}

} // namespace inflight
