#include "waits/graph/Lanes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <optional>

using namespace llvm;

namespace inflight::waits {

namespace {

/// A bit of a mask as a function of masks that aren't known: what it is for each choice of their bits.
using Bit = uint64_t;
constexpr unsigned mostUnknown = 6, lanesOfHalf = TargetInfo::lanesPerMaskRegister;
/// The functions that are the bit of one of these masks.
constexpr Bit unknownMask[mostUnknown] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                          0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
/// A scalar register as a mask of lanes, or two of them.
using Half = std::array<Bit, lanesOfHalf>;
using Mask = SmallVector<Half, 2>;

Half allOf(Bit bit) {
  Half half;
  half.fill(bit);
  return half;
}

/// EXEC and SGPRs along a path.
class Masks {
public:
  explicit Masks(const Program &program) : program(program), halves(program.isa().target().maskRegisters()) {}

  Mask exec() { return valueOf(RegRange{regunit::ExecLo, halves}); }
  bool isExhausted() const { return unknowns > mostUnknown; }

  void execute(uint32_t i) {
    const Instruction &instruction = program.instructions()[i];
    if (!instruction.desc)
      return;
    const InstrDesc &desc = *instruction.desc;
    if (desc.isCompare && !desc.isSdwa) {
      // The bit of a lane that is off is 0.
      const Mask result = apply(Bitwise::And, exec(), Mask(halves, allOf(unknown())));
      forgetWritten(instruction);
      for (RegRange range : program.writes(instruction))
        if (range.count == halves)
          set(range.first, result);
      return;
    }
    if (!desc.isSalu() || !executeScalar(program.inst(i), desc))
      forgetWritten(instruction);
  }

private:
  Bit unknown() {
    if (unknowns >= mostUnknown) {
      unknowns = mostUnknown + 1;
      return 0;
    }
    return unknownMask[unknowns++];
  }

  Mask valueOf(RegRange range) {
    Mask mask;
    std::optional<Bit> fresh;
    for (unsigned unit = range.first; unit < unsigned(range.first + range.count); ++unit) {
      auto [place, isNew] = values.try_emplace(RegUnit(unit));
      if (isNew) {
        fresh = fresh ? fresh : unknown();
        place->second = allOf(*fresh);
      }
      mask.push_back(place->second);
    }
    return mask;
  }

  /// Of an operand as wide as that many registers.
  std::optional<Mask> valueOf(const MCOperand &operand, unsigned count) {
    if (operand.isReg()) {
      const RegRange range = program.isa().regRange(operand.getReg());
      return range.count == count && isScalar(range.first) ? std::optional(valueOf(range)) : std::nullopt;
    }
    // How literals are extended isn't asked.
    if (!operand.isImm() || (count == 2 && operand.getImm() != int32_t(operand.getImm())))
      return std::nullopt;
    Mask mask(count);
    for (unsigned lane = 0; lane < count * lanesOfHalf; ++lane)
      mask[lane / lanesOfHalf][lane % lanesOfHalf] = uint64_t(operand.getImm()) >> lane & 1 ? ~Bit(0) : 0;
    return mask;
  }

  static Mask apply(Bitwise operation, const Mask &a, const Mask &b) {
    Mask result(a.size());
    for (unsigned half = 0; half < a.size(); ++half)
      for (unsigned lane = 0; lane < lanesOfHalf; ++lane)
        result[half][lane] = applyBitwise(operation, a[half][lane], b[half][lane]);
    return result;
  }

  /// False when it isn't one of those that masks are computed with.
  bool executeScalar(const MCInst &inst, const InstrDesc &desc) {
    if (desc.bitwise == Bitwise::None || inst.getNumOperands() < 2 || !inst.getOperand(0).isReg())
      return false;
    const RegRange target = program.isa().regRange(inst.getOperand(0).getReg());
    const unsigned count = desc.is64Bit ? 2 : 1;
    if (target.count != count || !isScalar(target.first))
      return false;
    const std::optional<Mask> first = valueOf(inst.getOperand(1), count);
    if (!first)
      return false;
    if (desc.savesExec || desc.replacesExec) {
      if (count != halves)
        return false;
      const Mask before = exec(), result = apply(desc.bitwise, *first, before);
      set(target.first, desc.savesExec ? before : result);
      set(regunit::ExecLo, result);
      return true;
    }
    const bool isUnary = desc.bitwise == Bitwise::Copy || desc.bitwise == Bitwise::Not;
    const std::optional<Mask> second = isUnary                     ? first
                                       : inst.getNumOperands() > 2 ? valueOf(inst.getOperand(2), count)
                                                                   : std::nullopt;
    if (second)
      set(target.first, apply(desc.bitwise, *first, *second));
    return second.has_value();
  }

  void set(RegUnit first, const Mask &mask) {
    for (unsigned half = 0; half < mask.size(); ++half)
      values[RegUnit(first + half)] = mask[half];
  }
  void forgetWritten(const Instruction &instruction) {
    for (RegRange range : program.writes(instruction))
      if (isScalar(range.first))
        for (unsigned unit = range.first; unit < unsigned(range.first + range.count); ++unit)
          values.erase(RegUnit(unit));
  }

  const Program &program;
  const uint16_t halves; ///< that a mask of all lanes has
  DenseMap<RegUnit, Half> values;
  unsigned unknowns = 0;
};

/// Some lane may be in both.
bool haveCommonLane(const Mask &a, const Mask &b) {
  for (unsigned half = 0; half < a.size(); ++half)
    for (unsigned lane = 0; lane < lanesOfHalf; ++lane)
      if (a[half][lane] & b[half][lane])
        return true;
  return false;
}

/// It reads and writes vector registers only in the lanes that EXEC enables, each lane for itself.
bool isLaneByLane(const Instruction &instruction) {
  return instruction.desc && (instruction.desc->isValu() || instruction.desc->isVmem() || instruction.desc->isDs()) &&
         !instruction.desc->exchangesLanes() && !instruction.desc->isLdsDma;
}

/// Blocks that control must have come through before `block`, the nearest first: what they do with masks matters after
/// them.
SmallVector<uint32_t, 8> before(const Graph &graph, uint32_t block) {
  constexpr unsigned enough = 8;
  SmallVector<uint32_t, 8> blocks;
  while (blocks.size() < enough) {
    const GraphBlock &at = graph.blocks[block];
    if (at.isEntry || at.hasUnknownCaller || at.predecessors.size() != 1)
      break;
    block = at.predecessors.front();
    const GraphBlock &earlier = graph.blocks[block];
    if (earlier.begin == earlier.end || graph.ops[earlier.end - 1].completesAll)
      break;
    blocks.push_back(block);
  }
  return blocks;
}

} // namespace

bool areLanesDisjoint(const Program &program, const Graph &graph, uint32_t producer, uint32_t user,
                      ArrayRef<uint32_t> path) {
  auto instructionOf = [&](uint32_t op) -> const Instruction & {
    return program.instructions()[graph.ops[op].instruction];
  };
  if (!isLaneByLane(instructionOf(producer)) || !isLaneByLane(instructionOf(user)))
    return false;
  Masks masks(program);
  auto execute = [&](uint32_t begin, uint32_t end) {
    for (uint32_t op = begin; op < end; ++op)
      masks.execute(graph.ops[op].instruction);
  };
  const SmallVector<uint32_t, 8> earlier = before(graph, path.front());
  for (uint32_t b : reverse(earlier))
    execute(graph.blocks[b].begin, graph.blocks[b].end);
  execute(graph.blocks[path.front()].begin, producer);
  const Mask written = masks.exec();
  for (size_t i = 0; i < path.size(); ++i) {
    const GraphBlock &block = graph.blocks[path[i]];
    const bool isLast = i + 1 == path.size();
    execute(i == 0 ? producer : block.begin, isLast ? user : block.end);
    // What a callee that isn't known does to EXEC isn't known.
    if (!isLast && block.begin < block.end && graph.ops[block.end - 1].completesAll)
      return false;
  }
  const Mask used = masks.exec();
  return !masks.isExhausted() && !haveCommonLane(written, used);
}

bool ActiveLanes::hasBit(const Masks &masks, RegRange range) const {
  return any_of(masks, [&](RegRange known) {
    return known.first >= range.first && known.first + known.count <= range.first + range.count;
  });
}

bool ActiveLanes::hasBit(const Masks &masks, const MCOperand &operand) const {
  if (operand.isReg())
    return hasBit(masks, program.isa().regRange(operand.getReg()));
  // How a number is extended isn't asked: one of the low bits is enough.
  return operand.isImm() && int32_t(operand.getImm()) != 0;
}

static void insert(SmallVectorImpl<RegRange> &masks, RegRange range) {
  auto before = [](RegRange a, RegRange b) { return std::pair(a.first, a.count) < std::pair(b.first, b.count); };
  masks.insert(lower_bound(masks, range, before), range);
}

void ActiveLanes::execute(uint32_t index, Masks &masks) const {
  const Instruction &instruction = program.instructions()[index];
  if (!instruction.desc)
    return;
  const InstrDesc &desc = *instruction.desc;
  const bool isOfExec = desc.savesExec || desc.replacesExec;
  bool hasResultBit = false, execHasBit = false;
  RegRange result;
  if (desc.isSalu() && desc.bitwise != Bitwise::None) {
    const MCInst &inst = program.inst(index);
    if (inst.getNumOperands() >= 2 && inst.getOperand(0).isReg()) {
      result = program.isa().regRange(inst.getOperand(0).getReg());
      const bool first = hasBit(masks, inst.getOperand(1)), before = hasBit(masks, exec);
      const bool second = isOfExec ? before : inst.getNumOperands() > 2 && hasBit(masks, inst.getOperand(2));
      const bool made = desc.bitwise == Bitwise::Copy ? first : desc.bitwise == Bitwise::Or && (first || second);
      hasResultBit = desc.savesExec ? before : made;
      execHasBit = isOfExec && made;
    }
  }
  for (RegRange written : program.writes(instruction))
    if (isScalar(written.first))
      erase_if(masks, [&](RegRange known) { return known.overlaps(written); });
  if (hasResultBit && result.count && isScalar(result.first))
    insert(masks, result);
  if (execHasBit && !hasBit(masks, exec))
    insert(masks, exec);
  // A number's bit is in the low half.
  if (hasResultBit && desc.bitwise == Bitwise::Copy && program.inst(index).getOperand(1).isImm() && result.count > 1)
    insert(masks, {result.first, 1});
}

ActiveLanes::Masks ActiveLanes::along(const Block &from, EdgeKind kind, const Masks &atEnd) const {
  Masks masks = atEnd;
  const InstrDesc *last = from.begin < from.end ? program.instructions()[from.end - 1].desc : nullptr;
  // What isn't known keeps EXEC (LLVM's calling convention), and whatever it likes of the rest.
  if (from.ending == BlockEnd::UnknownCall)
    erase_if(masks, [&](RegRange known) { return !known.overlaps(exec); });
  // A branch to the next instruction tells nothing: both of its edges are met there.
  if (last && last->branchesOnExec && (kind == EdgeKind::Next) == (last->id == Mnemonic::s_cbranch_execz) &&
      !hasBit(masks, exec))
    insert(masks, exec);
  return masks;
}

ActiveLanes::ActiveLanes(const Program &program)
    : program(program), exec{regunit::ExecLo, uint16_t(program.isa().target().maskRegisters())} {
  const ArrayRef<Block> blocks = program.blocks();
  std::vector<std::optional<Masks>> entry(blocks.size());
  SmallVector<uint32_t, 16> work;
  auto enter = [&](uint32_t block, const Masks &masks) {
    std::optional<Masks> &known = entry[block];
    const size_t before = known ? known->size() : 0;
    if (!known)
      known = masks;
    else if (erase_if(*known, [&](RegRange range) { return !is_contained(masks, range); }); known->size() == before)
      return;
    work.push_back(block);
  };
  // Waves begin with a lane; functions are called with one (LLVM, SIInstrInfo.cpp, hasUnwantedEffectsWhenEXECEmpty).
  for (const Function &function : program.functions())
    enter(function.entry, {exec});
  const bool goesAnywhere = program.hasUnknownTargets();
  for (uint32_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].function == ~0u || (goesAnywhere && blocks[b].predecessors.empty()))
      enter(b, {});
  isSome.assign(program.instructions().size(), true);
  while (!work.empty()) {
    const uint32_t b = work.pop_back_val();
    Masks masks = *entry[b];
    for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
      isSome[i] = hasBit(masks, exec);
      execute(i, masks);
    }
    for (const Edge &edge : blocks[b].successors)
      enter(edge.block, along(blocks[b], edge.kind, masks));
  }
}

} // namespace inflight::waits
