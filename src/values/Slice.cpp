#include "values/Evaluate.h"

#include "support/BlockOrder.h"
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
    if (desc.id == Mnemonic::s_set_gpr_idx_on && program.inst(index).getOperand(0).isReg()) {
      isRelevant[index] = true;
      want(program.isa().regRange(program.inst(index).getOperand(0).getReg()).first);
    }
    if (!mayTouchLds(desc))
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

namespace {
/// What an instruction of the slice does to slots.
struct SlotUse {
  uint32_t index;
  uint32_t first; ///< in the list of all slots: those written, then those read
  uint16_t writeCount, readCount;
  bool isRoot; ///< it is run whatever reads its results
};
} // namespace

/// From a block's end to its begin. What only computes values that nobody reads reads nothing.
class LiveSlots::Finder {
public:
  Finder(LiveSlots &found, const Program &program, const Slice &slice) : found(found), program(program), slice(slice) {
    always.resize(found.words);
    for (RegUnit unit : {regunit::ExecLo, regunit::ExecHi, regunit::VccLo, regunit::VccHi, regunit::M0})
      insert(always, slice.slot(unit));
    insert(always, slice.activeSlot());
    firstUse.push_back(0);
    for (uint32_t id = 0; id < program.blocks().size(); ++id) {
      for (uint32_t index : slice.instructions(id))
        if (slice.skips(index) != VectorModes::Skips::Yes)
          note(index);
      firstUse.push_back(uses.size());
    }
  }

  void run() {
    const ArrayRef<uint32_t> order = found.flow.order();
    OrderedWorklist work(order.size());
    for (uint32_t place = 0; place < order.size(); ++place)
      work.push(place);
    std::vector<SmallVector<uint32_t, 2>> before(program.blocks().size());
    for (uint32_t id : order)
      for (const Flow::Step &step : found.flow.steps(id))
        if (!step.isCall)
          before[step.to].push_back(id);
    // The last first.
    auto blockAt = [&](uint32_t place) { return order[order.size() - 1 - place]; };
    while (!work.empty()) {
      const uint32_t id = blockAt(work.pop());
      walk(id, [](uint32_t, bool) {});
      if (!std::equal(live.begin(), live.end(), found.live.begin() + id * found.words)) {
        std::copy(live.begin(), live.end(), found.live.begin() + id * found.words);
        for (uint32_t from : before[id])
          if (const unsigned position = found.flow.position(from); position < order.size())
            work.push(order.size() - 1 - position);
      }
    }
    for (uint32_t id = 0; id < program.blocks().size(); ++id)
      walk(id, [&](uint32_t index, bool isNeeded) { found.needed[index] = isNeeded; });
  }

private:
  static void insert(MutableArrayRef<uint64_t> set, unsigned slot) {
    if (slot != Slice::none)
      set[slot / 64] |= uint64_t(1) << slot % 64;
  }

  void note(uint32_t index) {
    const Instruction &instruction = program.instructions()[index];
    SlotUse use{index, uint32_t(slots.size()), 0, 0,
                mayTouchLds(*instruction.desc) || slice.needsScc(index) ||
                    instruction.desc->id == Mnemonic::s_set_gpr_idx_on};
    auto add = [&](RegRange range) {
      for (unsigned i = 0; i < range.count; ++i)
        if (const uint16_t slot = slice.slot(range.first + i); slot != Slice::none)
          slots.push_back(slot);
    };
    for (RegRange range : slice.writes(program, index))
      add(range);
    use.writeCount = slots.size() - use.first;
    for (RegRange range : program.reads(instruction))
      add(range);
    if (readsScc(*instruction.desc))
      add({regunit::Scc, 1});
    use.readCount = slots.size() - use.first - use.writeCount;
    uses.push_back(use);
  }

  /// Has in `live` what is at the begin of the block; `see(index, isNeeded)` for each instruction that is run.
  template <typename See> void walk(uint32_t id, See see) {
    live.assign(always.begin(), always.end());
    for (const Flow::Step &step : found.flow.steps(id))
      for (size_t word = 0; !step.isCall && word < found.words; ++word)
        live[word] |= found.live[step.to * found.words + word];
    const Block &block = program.blocks()[id];
    const InstrDesc *last = block.end > block.begin ? program.instructions()[block.end - 1].desc : nullptr;
    if (last && last->branchesOnScc)
      insert(live, slice.slot(regunit::Scc));
    for (const SlotUse &use : reverse(ArrayRef(uses).slice(firstUse[id], firstUse[id + 1] - firstUse[id]))) {
      const ArrayRef<uint16_t> all = ArrayRef(slots).slice(use.first, use.writeCount + use.readCount);
      const ArrayRef<uint16_t> writes = all.take_front(use.writeCount);
      const bool isNeeded =
          use.isRoot || any_of(writes, [&](uint16_t slot) { return live[slot / 64] >> slot % 64 & 1; });
      see(use.index, isNeeded);
      if (!isNeeded)
        continue;
      for (uint16_t slot : writes)
        live[slot / 64] &= ~(uint64_t(1) << slot % 64) | always[slot / 64];
      for (uint16_t slot : all.drop_front(use.writeCount))
        insert(live, slot);
    }
  }

  LiveSlots &found;
  const Program &program;
  const Slice &slice;
  std::vector<uint64_t> always; ///< what each instruction reads besides
  std::vector<uint64_t> live;
  std::vector<SlotUse> uses;
  std::vector<uint32_t> firstUse; ///< by block
  std::vector<uint16_t> slots;
};

LiveSlots::LiveSlots(const Program &program, const Slice &slice, const Flow &flow)
    : flow(flow),
      words((slice.slotCount() + 63) / 64),
      live(program.blocks().size() * words),
      needed(program.instructions().size(), true) {
  Finder(*this, program, slice).run();
}

} // namespace inflight::values
