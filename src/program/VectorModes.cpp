#include "program/VectorModes.h"

#include "isa/HwReg.h"

#include <optional>

using namespace llvm;

namespace inflight {

namespace {

/// What is added to a register's number.
struct Index {
  uint8_t least, greatest;
  bool operator==(const Index &) const = default;
  static constexpr unsigned mask = 0xff; ///< the bits that count
  static Index any() { return {0, mask}; }
  static Index one(uint32_t value) { return {uint8_t(value & mask), uint8_t(value & mask)}; }
  static Index within(VectorModes::Indexes bounds) {
    return bounds.greatest <= mask ? Index{uint8_t(bounds.least), uint8_t(bounds.greatest)} : any();
  }
  void meet(Index other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
  }
};

/// Between two instructions. A meet of different ones is what may be either.
struct Mode {
  VectorModes::Skips skips = VectorModes::Skips::No;
  bool mayIndex = false;
  uint8_t operands = 0; ///< that the index may apply to: bits for sources 0 to 2 and the destination
  Index index = Index::any();
  bool operator==(const Mode &) const = default;

  static Mode anything() { return {VectorModes::Skips::Maybe, true, 15, Index::any()}; }
  void meet(const Mode &other) {
    if (skips != other.skips)
      skips = VectorModes::Skips::Maybe;
    // Where it isn't on, the registers are those that are named, which are taken to be touched in any case.
    if (mayIndex && other.mayIndex)
      index.meet(other.index);
    else if (other.mayIndex)
      index = other.index;
    mayIndex |= other.mayIndex;
    operands |= other.operands;
  }
};

constexpr uint8_t destinationBit = 8, sourceBits = 7;

class Finder {
public:
  Finder(const Program &program, const VectorModes::IndexBounds &bounds) : program(program), bounds(bounds) {}

  /// Whether there is anything to find.
  bool look() {
    for (uint32_t i = 0; i < program.instructions().size(); ++i)
      if (const InstrDesc *desc = program.instructions()[i].desc) {
        hasSkips |= desc->id == Mnemonic::s_setvskip || setsMode(i, *desc, skipBit);
        hasIndex |= desc->setsIndexMode || setsMode(i, *desc, indexBit);
        hasMoves |= desc->movesRelative;
      }
    return hasSkips || hasIndex || hasMoves;
  }

  bool isIndexUnknown() const { return hasUnknownIndex; }

  void run(std::vector<VectorModes::Skips> &skipped, DenseMap<uint32_t, VectorModes::Moved> &moved) {
    findModes();
    if (hasSkips)
      skipped.assign(program.instructions().size(), VectorModes::Skips::No);
    for (uint32_t b = 0; b < program.blocks().size(); ++b) {
      const Block &block = program.blocks()[b];
      Mode mode = entry[b].value_or(Mode());
      for (uint32_t i = block.begin; i < block.end; ++i) {
        const InstrDesc *desc = program.instructions()[i].desc;
        if (!desc)
          continue;
        if (hasSkips && (desc->isValu() || desc->isVmem() || desc->isDs()))
          skipped[i] = mode.skips;
        if (hasIndex && mode.mayIndex && desc->isValu()) {
          addIndexed(i, mode, moved);
          hasUnknownIndex |= mode.index == Index::any();
        }
        if (hasMoves && desc->movesRelative)
          addMove(block, i, *desc, moved);
        step(block, i, *desc, mode);
      }
    }
  }

private:
  static constexpr unsigned indexBit = 27, skipBit = 28;

  /// Whether it is an S_SETREG of that bit of MODE.
  bool setsMode(uint32_t i, const InstrDesc &desc, unsigned bit) const {
    if (!desc.setsHwReg)
      return false;
    const MCInst &inst = program.inst(i);
    const MCOperand &last = inst.getOperand(inst.getNumOperands() - 1);
    if (!last.isImm())
      return true;
    const HwRegField field = HwRegField::of(last.getImm());
    return field.isOfMode() && field.hasBit(bit);
  }

  void findModes() {
    entry.resize(program.blocks().size());
    SmallVector<uint32_t, 16> work;
    auto enter = [&](uint32_t b, const Mode &mode) {
      Mode met = entry[b].value_or(mode);
      met.meet(mode);
      if (entry[b] == met)
        return;
      entry[b] = met;
      work.push_back(b);
    };
    // Callers have nothing skipped and no index, as kernels begin.
    for (const Function &function : program.functions())
      if (function.isKernel || function.isOpen)
        enter(function.entry, {});
    // What nothing reaches isn't executed, unless a jump leads anywhere.
    const bool goesAnywhere =
        any_of(program.blocks(), [](const Block &block) { return block.ending == BlockEnd::UnknownJump; });
    if (goesAnywhere)
      for (uint32_t b = 0; b < program.blocks().size(); ++b)
        enter(b, Mode::anything());
    while (!work.empty()) {
      const uint32_t b = work.pop_back_val();
      const Block &block = program.blocks()[b];
      Mode mode = *entry[b];
      for (uint32_t i = block.begin; i < block.end; ++i)
        if (const InstrDesc *desc = program.instructions()[i].desc)
          step(block, i, *desc, mode);
      for (const Edge &edge : block.successors)
        enter(edge.block, mode);
    }
  }

  void step(const Block &block, uint32_t i, const InstrDesc &desc, Mode &mode) const {
    using enum Mnemonic;
    if (desc.id == s_setvskip) {
      const std::optional<uint32_t> bits = constant(block, i, 0), bit = constant(block, i, 1);
      mode.skips = !bits || !bit              ? VectorModes::Skips::Maybe
                   : *bits >> (*bit & 31) & 1 ? VectorModes::Skips::Yes
                                              : VectorModes::Skips::No;
      return;
    }
    if (setsMode(i, desc, skipBit))
      mode.skips = VectorModes::Skips::Maybe;
    if (desc.id == s_set_gpr_idx_on) {
      mode.mayIndex = true;
      const std::optional<uint32_t> index = constant(block, i, 0);
      mode.index = index ? Index::one(*index) : Index::within(bounds.lookup(i));
      mode.operands = program.inst(i).getOperand(1).isImm() ? program.inst(i).getOperand(1).getImm() & 15 : 15;
    } else if (desc.id == s_set_gpr_idx_off) {
      mode.mayIndex = false;
      mode.operands = 0;
      mode.index = Index::any();
    } else if (setsMode(i, desc, indexBit)) {
      mode = {mode.skips, true, 15, Index::any()};
    } else if (any_of(program.writes(program.instructions()[i]),
                      [](RegRange range) { return range.contains(regunit::M0); })) {
      // The index and what it applies to are in M0.
      mode.index = Index::any();
      mode.operands = mode.mayIndex ? 15 : 0;
    }
  }

  /// The value of an operand that is a constant, or an SGPR that the block sets to one.
  std::optional<uint32_t> constant(const Block &block, uint32_t i, unsigned operand) const {
    const MCOperand &source = program.inst(i).getOperand(operand);
    if (source.isImm())
      return uint32_t(source.getImm());
    return source.isReg() ? constantIn(block, i, program.isa().regRange(source.getReg()).first) : std::nullopt;
  }

  std::optional<uint32_t> constantIn(const Block &block, uint32_t i, RegUnit unit) const {
    while (i-- > block.begin) {
      const Instruction &instruction = program.instructions()[i];
      if (!instruction.desc || instruction.desc->movesRelativeResult)
        return std::nullopt;
      if (none_of(program.writes(instruction), [&](RegRange range) { return range.contains(unit); }))
        continue;
      const bool isShort = instruction.desc->id == Mnemonic::s_movk_i32;
      const MCInst &inst = program.inst(i);
      if ((instruction.desc->id != Mnemonic::s_mov_b32 && !isShort) || !inst.getOperand(1).isImm())
        return std::nullopt;
      return isShort ? uint32_t(int32_t(int16_t(inst.getOperand(1).getImm()))) : uint32_t(inst.getOperand(1).getImm());
    }
    return std::nullopt;
  }

  /// As many registers further on, or the first one when there are none.
  static void add(SmallVectorImpl<RegRange> &ranges, RegRange named, RegUnit first, unsigned count, uint32_t least,
                  uint32_t greatest) {
    const uint64_t end = first + count, from = uint64_t(named.first) + least,
                   to = uint64_t(named.first) + greatest + named.count;
    if (from + named.count <= end)
      ranges.push_back({RegUnit(from), uint16_t(std::min(to, end) - from)});
    if (to > end)
      ranges.push_back({first, named.count});
  }

  void addIndexed(uint32_t i, const Mode &mode, DenseMap<uint32_t, VectorModes::Moved> &moved) const {
    const Instruction &instruction = program.instructions()[i];
    VectorModes::Moved touched;
    auto addAll = [&](SmallVectorImpl<RegRange> &into, ArrayRef<RegRange> named, bool isIndexed) {
      for (RegRange range : named) {
        // Which source a range is of isn't known here: one that the index doesn't apply to is touched as it is
        // named.
        into.push_back(range);
        if (isIndexed && range.first >= regunit::Vgpr0)
          add(into, range, isAgpr(range.first) ? regunit::Agpr0 : regunit::Vgpr0, 256, mode.index.least,
              mode.index.greatest);
      }
    };
    addAll(touched.reads, program.reads(instruction), mode.operands & sourceBits);
    addAll(touched.writes, program.writes(instruction), mode.operands & destinationBit);
    moved[i] = std::move(touched);
  }

  void addMove(const Block &block, uint32_t i, const InstrDesc &desc,
               DenseMap<uint32_t, VectorModes::Moved> &moved) const {
    const Instruction &instruction = program.instructions()[i];
    const bool isSource = !desc.movesRelativeResult;
    const MCOperand &operand = program.inst(i).getOperand(isSource ? 1 : 0);
    VectorModes::Moved touched;
    append_range(touched.reads, program.reads(instruction));
    append_range(touched.writes, program.writes(instruction));
    if (operand.isReg()) {
      const RegRange named = program.isa().regRange(operand.getReg());
      const std::optional<uint32_t> index = constantIn(block, i, regunit::M0);
      if (named.first < regunit::M0)
        add(isSource ? touched.reads : touched.writes, named, 0, regunit::M0, index.value_or(0), index.value_or(~0u));
    }
    moved[i] = std::move(touched);
  }

  const Program &program;
  const VectorModes::IndexBounds &bounds;
  bool hasSkips = false, hasIndex = false, hasMoves = false, hasUnknownIndex = false;
  std::vector<std::optional<Mode>> entry; ///< by block; nothing: control doesn't come there
};

} // namespace

bool VectorModes::mayChange(const InstrDesc &desc) {
  return desc.id == Mnemonic::s_setvskip || desc.setsHwReg || desc.setsIndexMode || desc.movesRelative;
}

VectorModes::VectorModes(const Program &program, const IndexBounds &bounds) {
  Finder finder(program, bounds);
  if (!finder.look())
    return;
  finder.run(skipped, movedAt);
  isIndexUnknown = finder.isIndexUnknown();
}

} // namespace inflight
