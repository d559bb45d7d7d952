#include "values/Evaluate.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::values {

static bool readsScc(const InstrDesc &desc) {
  return desc.selectsByScc || desc.branchesOnScc || desc.isConditionalMove;
}

/// Finds what a slice holds: from LDS addresses, EXEC and branch conditions back to all that they are computed from.
class Slice::Finder {
public:
  Finder(Slice &slice, const Program &program)
      : slice(slice),
        program(program),
        all(program.instructions()),
        writers(regunit::Count),
        isRelevant(all.size(), false) {}

  void run() {
    for (const Block &block : program.blocks())
      readBlock(block);
    for (RegUnit unit : {regunit::M0, regunit::Scc, regunit::ExecLo, regunit::ExecHi})
      want(unit);
    for (uint32_t index = 0; index < all.size(); ++index)
      if (all[index].desc)
        wantRoots(index);
    while (!work.empty()) {
      const RegUnit unit = work.back();
      work.pop_back();
      // Instructions that set SCC for a branch don't make those relevant that set it otherwise.
      if (unit == regunit::Scc)
        continue;
      for (uint32_t index : writers[unit]) {
        wantSources(index);
        isRelevant[index] = true;
      }
    }
    slice.firstRelevant.push_back(0);
    for (const Block &block : program.blocks()) {
      for (uint32_t index = block.begin; index < block.end; ++index)
        if (isRelevant[index])
          slice.relevant.push_back(index);
      slice.firstRelevant.push_back(slice.relevant.size());
    }
  }

private:
  /// What each opcode does, who writes each register, and where SCC is needed.
  void readBlock(const Block &block) {
    bool needed = false;
    for (uint32_t index = block.end; index-- > block.begin;) {
      if (!all[index].desc)
        continue;
      const InstrDesc &desc = *all[index].desc;
      auto [known, isNew] = slice.opcodes.try_emplace(desc.opcode);
      if (isNew)
        known->second = {operationOf(desc), ldsShapeOf(program.isa(), desc)};
      bool writesScc = false;
      for (RegRange range : slice.writes(program, index)) {
        writesScc |= range.first == regunit::Scc;
        if (!isAgpr(range.first))
          for (unsigned i = 0; i < range.count && range.first + i < regunit::Count; ++i)
            writers[range.first + i].push_back(index);
      }
      if (writesScc) {
        slice.sccNeeded[index] = needed;
        isRelevant[index] = needed;
        needed = false;
      }
      needed |= readsScc(desc);
    }
  }

  void want(RegUnit unit) {
    if (unit < regunit::Count && !isAgpr(unit) && slice.slots[unit] == none) {
      slice.slots[unit] = uint16_t(slice.units.size());
      slice.units.push_back(unit);
      work.push_back(unit);
    }
  }

  void wantSources(uint32_t index) {
    if (slice.operation(all[index].desc->opcode).what == Do::Nothing || slice.isMoved(index))
      return;
    for (RegRange range : program.reads(all[index]))
      for (unsigned i = 0; i < range.count; ++i)
        want(range.first + i);
  }

  void wantRoots(uint32_t index) {
    const InstrDesc &desc = *all[index].desc;
    if (isRelevant[index])
      wantSources(index);
    if (desc.branchesOnVcc)
      for (RegUnit unit : {regunit::VccLo, regunit::VccHi})
        want(unit);
    if (!desc.isDs() && !desc.isLdsDma && !desc.isCountedTensor)
      return;
    const LdsShape &shape = slice.ldsShape(desc.opcode);
    if (shape.kind == LdsShape::Kind::None)
      return;
    isRelevant[index] = true;
    const MCInst &inst = program.inst(index);
    if (const std::optional<TileRegisters> tile = TileRegisters::of(program.isa(), shape, inst))
      for (RegUnit unit : tile->all())
        want(unit);
    if (shape.kind == LdsShape::Kind::Address && shape.addressAt < inst.getNumOperands() &&
        inst.getOperand(shape.addressAt).isReg())
      want(program.isa().regRange(inst.getOperand(shape.addressAt).getReg()).first);
  }

  Slice &slice;
  const Program &program;
  ArrayRef<Instruction> all;
  std::vector<std::vector<uint32_t>> writers; ///< of each register
  std::vector<bool> isRelevant;               ///< by instruction
  std::vector<RegUnit> work;
};

Slice::Slice(const Program &program) : modes(program) {
  std::fill(std::begin(slots), std::end(slots), none);
  sccNeeded.assign(program.instructions().size(), false);
  Finder(*this, program).run();
}

bool LiveSlots::isLiveAfter(uint32_t block, unsigned slot) const {
  return any_of(flow.steps(block), [&](const Flow::Step &step) { return isLive(step.to, slot); });
}

LiveSlots::LiveSlots(const Program &program, const Slice &slice, const Flow &flow)
    : flow(flow), words((slice.slotCount() + 63) / 64), live(program.blocks().size() * words) {
  std::vector<uint64_t> read(live.size()), written(live.size());
  auto bit = [&](std::vector<uint64_t> &set, uint32_t block, unsigned slot) -> std::pair<uint64_t &, uint64_t> {
    return {set[block * words + slot / 64], uint64_t(1) << slot % 64};
  };
  auto setRead = [&](uint32_t block, RegRange range) {
    for (unsigned i = 0; i < range.count; ++i)
      if (const uint16_t slot = slice.slot(range.first + i); slot != Slice::none) {
        auto [word, mask] = bit(read, block, slot);
        word |= mask;
      }
  };
  for (uint32_t id = 0; id < program.blocks().size(); ++id) {
    const Block &block = program.blocks()[id];
    const InstrDesc *last = block.end > block.begin ? program.instructions()[block.end - 1].desc : nullptr;
    if (last && last->branchesOnScc)
      setRead(id, {regunit::Scc, 1});
    for (uint32_t index : reverse(slice.instructions(id))) {
      if (slice.skips(index) == VectorModes::Skips::Yes)
        continue;
      for (RegRange range : slice.writes(program, index))
        for (unsigned i = 0; i < range.count; ++i)
          if (const uint16_t slot = slice.slot(range.first + i); slot != Slice::none) {
            auto [word, mask] = bit(read, id, slot);
            word &= ~mask;
            bit(written, id, slot).first |= mask;
          }
      const Instruction &instruction = program.instructions()[index];
      for (RegRange range : program.reads(instruction))
        setRead(id, range);
      if (readsScc(*instruction.desc))
        setRead(id, {regunit::Scc, 1});
    }
    // What instructions read besides.
    for (RegUnit unit : {regunit::ExecLo, regunit::ExecHi, regunit::VccLo, regunit::VccHi, regunit::M0})
      setRead(id, {unit, 1});
    bit(read, id, slice.activeSlot()).first |= bit(read, id, slice.activeSlot()).second;
  }
  live = read;
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (uint32_t id : reverse(flow.order()))
      for (const Flow::Step &step : flow.steps(id))
        for (size_t word = 0; !step.isCall && word < words; ++word) {
          uint64_t &mine = live[id * words + word];
          const uint64_t more = live[step.to * words + word] & ~written[id * words + word] & ~mine;
          mine |= more;
          isChanged |= more != 0;
        }
  }
}

} // namespace inflight::values
