#include "values/Evaluate.h"

using namespace llvm;

namespace inflight::values {

static bool readsScc(const InstrDesc &desc) {
  return desc.selectsByScc || desc.branchesOnScc || desc.isConditionalMove;
}

Slice::Slice(const Program &program) : modes(program) {
  std::fill(std::begin(slots), std::end(slots), none);
  ArrayRef<Instruction> all = program.instructions();
  sccNeeded.assign(all.size(), false);

  // What each opcode does, and who writes each register.
  std::vector<uint32_t> writers[regunit::Count];
  std::vector<bool> isRelevant(all.size(), false);
  std::vector<RegUnit> work;
  auto want = [&](RegUnit unit) {
    if (unit < regunit::Count && !isAgpr(unit) && slots[unit] == none) {
      slots[unit] = uint16_t(units.size());
      units.push_back(unit);
      work.push_back(unit);
    }
  };
  for (const Block &block : program.blocks()) {
    bool needed = false;
    for (uint32_t index = block.end; index-- > block.begin;) {
      const Instruction &instruction = all[index];
      if (!instruction.desc)
        continue;
      const InstrDesc &desc = *instruction.desc;
      auto [known, isNew] = opcodes.try_emplace(desc.opcode);
      if (isNew)
        known->second = {operationOf(desc), ldsShapeOf(program.isa(), desc)};
      bool writesScc = false;
      for (RegRange range : writes(program, index)) {
        writesScc |= range.first == regunit::Scc;
        if (!isAgpr(range.first))
          for (unsigned i = 0; i < range.count && range.first + i < regunit::Count; ++i)
            writers[range.first + i].push_back(index);
      }
      if (writesScc) {
        sccNeeded[index] = needed;
        isRelevant[index] = needed;
        needed = false;
      }
      needed |= readsScc(desc);
    }
  }

  auto wantSources = [&](uint32_t index) {
    const Instruction &instruction = all[index];
    if (operation(instruction.desc->opcode).what == Do::Nothing || isMoved(index))
      return;
    for (RegRange range : program.reads(instruction))
      for (unsigned i = 0; i < range.count; ++i)
        want(range.first + i);
  };
  for (RegUnit unit : {regunit::M0, regunit::Scc, regunit::ExecLo, regunit::ExecHi})
    want(unit);
  // Instructions that set SCC for a branch don't make those relevant that set it otherwise.
  for (uint32_t index = 0; index < all.size(); ++index) {
    const Instruction &instruction = all[index];
    if (!instruction.desc)
      continue;
    if (isRelevant[index])
      wantSources(index);
    if (instruction.desc->branchesOnVcc)
      for (RegUnit unit : {regunit::VccLo, regunit::VccHi})
        want(unit);
    if (instruction.desc->isDs() || instruction.desc->isLdsDma) {
      const LdsShape &shape = ldsShape(instruction.desc->opcode);
      if (shape.kind == LdsShape::Kind::None)
        continue;
      isRelevant[index] = true;
      const MCInst &inst = program.inst(index);
      if (shape.kind == LdsShape::Kind::Address && shape.addressAt < inst.getNumOperands() &&
          inst.getOperand(shape.addressAt).isReg())
        want(program.isa().regRange(inst.getOperand(shape.addressAt).getReg()).first);
    }
  }
  while (!work.empty()) {
    const RegUnit unit = work.back();
    work.pop_back();
    if (unit == regunit::Scc)
      continue;
    for (uint32_t index : writers[unit]) {
      wantSources(index);
      isRelevant[index] = true;
    }
  }

  firstRelevant.push_back(0);
  for (const Block &block : program.blocks()) {
    for (uint32_t index = block.begin; index < block.end; ++index)
      if (isRelevant[index])
        relevant.push_back(index);
    firstRelevant.push_back(relevant.size());
  }
}

} // namespace inflight::values
