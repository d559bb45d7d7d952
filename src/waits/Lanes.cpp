#include "waits/Lanes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace inflight::waits {

namespace {

/// A mask of lanes as a function of masks that aren't known: what it is for each choice of their bits.
using Mask = uint64_t;
constexpr unsigned mostUnknown = 6;
/// The functions that are one of these masks.
constexpr Mask unknownMask[mostUnknown] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                           0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};

/// EXEC and pairs of SGPRs along a path.
class Masks {
public:
  explicit Masks(const Program &program) : program(program) {}

  Mask exec() { return valueOf(regunit::ExecLo); }
  bool isExhausted() const { return unknowns > mostUnknown; }

  void execute(uint32_t i) {
    const Instruction &instruction = program.instructions()[i];
    if (!instruction.desc)
      return;
    const InstrDesc &desc = *instruction.desc;
    if (desc.isCompare && !desc.isSdwa) {
      // The bit of a lane that is off is 0.
      const Mask result = exec() & unknown();
      forgetWritten(instruction);
      for (RegRange range : program.writes(instruction))
        if (range.count == 2)
          values[range.first] = result;
      return;
    }
    if (!desc.is64Bit || !desc.isSalu() || !executeScalar(program.inst(i), desc))
      forgetWritten(instruction);
  }

private:
  Mask unknown() {
    if (unknowns >= mostUnknown) {
      unknowns = mostUnknown + 1;
      return 0;
    }
    return unknownMask[unknowns++];
  }

  Mask valueOf(RegUnit pair) {
    if (auto known = values.find(pair); known != values.end())
      return known->second;
    const Mask value = unknown();
    values[pair] = value;
    return value;
  }

  std::optional<Mask> valueOf(const MCOperand &operand) {
    if (operand.isImm() && (operand.getImm() == 0 || operand.getImm() == -1))
      return operand.getImm() ? ~Mask(0) : 0;
    if (operand.isReg())
      if (const RegRange range = program.isa().regRange(operand.getReg()); range.count == 2)
        return valueOf(range.first);
    return std::nullopt;
  }

  /// False when it isn't one of those that masks are computed with.
  bool executeScalar(const MCInst &inst, const InstrDesc &desc) {
    if (desc.bitwise == Bitwise::None || inst.getNumOperands() < 2 || !inst.getOperand(0).isReg())
      return false;
    const RegRange target = program.isa().regRange(inst.getOperand(0).getReg());
    const std::optional<Mask> first = valueOf(inst.getOperand(1));
    if (target.count != 2 || !first)
      return false;
    const Mask before = exec();
    if (desc.savesExec || desc.replacesExec) {
      const Mask result = applyBitwise(desc.bitwise, *first, before);
      set(target.first, desc.savesExec ? before : result);
      set(regunit::ExecLo, result);
      return true;
    }
    const bool isUnary = desc.bitwise == Bitwise::Copy || desc.bitwise == Bitwise::Not;
    const std::optional<Mask> second = isUnary                     ? first
                                       : inst.getNumOperands() > 2 ? valueOf(inst.getOperand(2))
                                                                   : std::nullopt;
    if (second)
      set(target.first, applyBitwise(desc.bitwise, *first, *second));
    return second.has_value();
  }

  void set(RegUnit pair, Mask value) {
    forget({pair, 2});
    values[pair] = value;
  }
  void forget(RegRange range) {
    for (unsigned unit = range.first ? range.first - 1 : 0; unit < unsigned(range.first + range.count); ++unit)
      values.erase(RegUnit(unit));
  }
  void forgetWritten(const Instruction &instruction) {
    for (RegRange range : program.writes(instruction))
      if (isScalar(range.first))
        forget(range);
  }

  const Program &program;
  DenseMap<RegUnit, Mask> values; ///< by the first of the pair
  unsigned unknowns = 0;
};

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
  return !masks.isExhausted() && !(written & masks.exec());
}

} // namespace inflight::waits
