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
  if (goesAnywhere)
    return *goesAnywhere;
  return any_of(theBlocks, [](const Block &block) {
    return block.ending == BlockEnd::UnknownJump || (block.ending == BlockEnd::UnknownCall && !block.isElsewhere);
  });
}

bool Program::dependsOnWaveSize(uint32_t index) const {
  return whole ? whole->dependsOnWaveSize(inWhole[index])
               : std::binary_search(ofUnknownWaveSize.begin(), ofUnknownWaveSize.end(), index);
}

void Program::noteWaveSize(const Program &other) {
  // Of EXEC all vector instructions read as much as there is. Who writes it says which lanes there are.
  auto isExec = [](RegRange range) { return range.first >= regunit::ExecLo && range.first <= regunit::ExecHi; };
  auto read = [&](const Program &program, const Instruction &i) {
    SmallVector<RegRange, 8> all;
    copy_if(program.reads(i), std::back_inserter(all), [&](RegRange range) { return !isExec(range); });
    return all;
  };
  for (uint32_t i = 0; i < theInstructions.size(); ++i) {
    const Instruction &here = theInstructions[i];
    const Instruction *there = i < other.theInstructions.size() ? &other.theInstructions[i] : nullptr;
    bool isSame = there && !here.desc == !there->desc && here.length == there->length;
    if (isSame && here.desc)
      isSame = here.desc->id == there->desc->id && !here.desc->countsLanes && none_of(writes(here), isExec) &&
               writes(here) == other.writes(*there) && read(*this, here) == read(other, *there);
    if (!isSame)
      ofUnknownWaveSize.push_back(i);
  }
}

StringRef Program::problem(uint32_t block) const {
  auto it = partition_point(problems, [&](const auto &entry) { return entry.first < block; });
  return it != problems.end() && it->first == block ? StringRef(it->second) : StringRef();
}

} // namespace inflight
