#include "waits/Flags.h"

#include "program/Program.h"
#include "support/BlockOrder.h"
#include "llvm/ADT/BitVector.h"

using namespace llvm;

namespace inflight::waits {

namespace {

/// A register decides at a point when a branch, EXEC or an address after it depends on what it holds there.
class Backwards {
public:
  Backwards(const Graph &graph, const Program &program, bool withAddresses)
      : graph(graph),
        program(program),
        withAddresses(withAddresses),
        deciding(graph.blocks.size(), BitVector(graph.unitLimit)) {}

  std::vector<bool> run() {
    findFullExec();
    // From the last block on.
    const uint32_t last = graph.blocks.size() - 1;
    OrderedWorklist work(graph.blocks.size());
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      work.push(b);
    while (!work.empty()) {
      const uint32_t b = last - work.pop();
      BitVector registers = after(b);
      walk(b, registers, nullptr);
      if (registers == deciding[b])
        continue;
      deciding[b] = std::move(registers);
      for (uint32_t predecessor : graph.blocks[b].predecessors)
        work.push(last - predecessor);
    }
    std::vector<bool> result(graph.ops.size());
    for (uint32_t b = 0; b < graph.blocks.size(); ++b) {
      BitVector registers = after(b);
      walk(b, registers, &result);
    }
    return result;
  }

private:
  static constexpr RegRange exec{regunit::ExecLo, 2};

  bool writesExec(const Op &op) const {
    return any_of(op.writes(graph.ranges), [](RegRange range) { return range.overlaps(exec); });
  }
  const InstrDesc *descOf(const Op &op) const { return program.instructions()[op.instruction].desc; }

  /// Blocks that are entered with all lanes active that the wave began with: nobody has written EXEC.
  void findFullExec() {
    isExecKept.assign(graph.blocks.size(), true);
    SmallVector<uint32_t, 16> work;
    auto loses = [&](uint32_t b) {
      if (isExecKept[b]) {
        isExecKept[b] = false;
        work.push_back(b);
      }
    };
    for (uint32_t b = 0; b < graph.blocks.size(); ++b) {
      const GraphBlock &block = graph.blocks[b];
      if (block.hasUnknownCaller)
        loses(b);
      for (uint32_t i = block.begin; i < block.end; ++i)
        if (writesExec(graph.ops[i]))
          for (uint32_t successor : block.successors)
            loses(successor);
    }
    while (!work.empty())
      for (uint32_t successor : graph.blocks[work.pop_back_val()].successors)
        loses(successor);
  }

  BitVector after(uint32_t b) const {
    const GraphBlock &block = graph.blocks[b];
    const BlockEnd ending = program.blocks()[block.origin].ending;
    // What isn't known may look at anything.
    if (ending == BlockEnd::UnknownCall || ending == BlockEnd::UnknownJump ||
        (ending == BlockEnd::Return && block.successors.empty()))
      return BitVector(graph.unitLimit, true);
    BitVector registers(graph.unitLimit);
    for (uint32_t successor : block.successors)
      registers |= deciding[successor];
    return registers;
  }

  static bool hasAny(const BitVector &registers, RegRange range) {
    for (unsigned unit = range.first; unit < unsigned(range.first + range.count); ++unit)
      if (registers.test(unit))
        return true;
    return false;
  }

  void walk(uint32_t b, BitVector &registers, std::vector<bool> *result) const {
    const GraphBlock &block = graph.blocks[b];
    uint32_t keptUntil = block.begin; // EXEC is as the wave began with
    if (isExecKept[b])
      while (keptUntil < block.end && !writesExec(graph.ops[keptUntil]))
        ++keptUntil;
    for (uint32_t i = block.end; i-- > block.begin;) {
      const Op &op = graph.ops[i];
      const InstrDesc *desc = descOf(op);
      if (!desc)
        continue;
      bool decides = any_of(op.writes(graph.ranges), [&](RegRange range) { return hasAny(registers, range); });
      const bool isMemory = desc->isVmem() || desc->isDs() || desc->isSmem();
      if (result && isMemory && decides)
        (*result)[i] = true;
      const bool isHalf = isMemory && desc->access.halves != 3;
      for (RegRange range : op.writes(graph.ranges))
        // Lanes that aren't active keep what they have.
        if (range.first < regunit::Vgpr0 || (i < keptUntil && !isHalf))
          registers.reset(range.first, range.first + range.count);
      const bool isLoad = isMemory && desc->mayLoad;
      if (isLoad || (isMemory && !desc->isDs()))
        decides = withAddresses && isLoad && !desc->isSmem();
      decides |= writesExec(op) || desc->isConditionalBranch || (desc->isBranch && !op.reads(graph.ranges).empty());
      if (decides)
        for (RegRange range : op.reads(graph.ranges))
          registers.set(range.first, range.first + range.count);
    }
  }

  const Graph &graph;
  const Program &program;
  const bool withAddresses;
  std::vector<BitVector> deciding; ///< by block: registers at its beginning
  std::vector<bool> isExecKept;
};

} // namespace

Deciders findDeciders(const Graph &graph, const Program &program) {
  return {Backwards(graph, program, false).run(), Backwards(graph, program, true).run()};
}

} // namespace inflight::waits
