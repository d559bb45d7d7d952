#include "waits/graph/Lanes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

using namespace llvm;

namespace inflight::waits {

namespace {

/// A bit of a mask as a function of masks that aren't known: what it is for each choice of their bits.
using Bit = uint64_t;
constexpr unsigned mostUnknown = 6, lanesOfHalf = 32;
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
  explicit Masks(const Program &program) : program(program) {}

  Mask exec() { return valueOf(RegRange{regunit::ExecLo, 2}); }
  bool isExhausted() const { return unknowns > mostUnknown; }

  void execute(uint32_t i) {
    const Instruction &instruction = program.instructions()[i];
    if (!instruction.desc)
      return;
    const InstrDesc &desc = *instruction.desc;
    if (desc.isCompare && !desc.isSdwa) {
      // The bit of a lane that is off is 0.
      const Mask result = apply(Bitwise::And, exec(), Mask(2, allOf(unknown())));
      forgetWritten(instruction);
      for (RegRange range : program.writes(instruction))
        if (range.count == 2)
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

} // namespace inflight::waits
