// cost(wait) = the largest, over the operations that it waits for, of latency(operation) - elapsed(operation, wait), or 0.
//
// `latency` is of data/latency/CHIP.json. `elapsed` is the time that control takes from the issue of the operation to
// the wait, on the shortest path on which the operation may still be in flight: instructions issue one after the other,
// each when its pipe is free; waits on the way, as far as they stand before this one, take what they cost. Stalls for other
// reasons (results of the vector ALU, barriers, other waves, a full memory pipeline) are not counted, so elapsed is
// rather too small and the cost rather too large.
//
// A wait in a loop is priced for the iterations behind the first: for operations inside the loop, on ways inside it. If it waits
// for none of those, its price is that of the first iteration and is not summed.
#include "waits/Price.h"

#include "isa/Latency.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>

using namespace llvm;

namespace inflight::waits {

const WaitPrice *Prices::find(uint32_t instruction) const {
  auto wait = partition_point(waits, [&](const WaitPrice &w) { return w.instruction < instruction; });
  return wait != waits.end() && wait->instruction == instruction ? &*wait : nullptr;
}

namespace {

class Pricer {
public:
  Pricer(const Program &program, const Reported &reported, const LatencyTable &latencies)
      : program(program), graph(reported.graph), reported(reported), latencies(latencies), start(graph.ops.size()), length(graph.blocks.size()) {}

  Prices run() {
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      timeBlock(b);
    DenseMap<uint32_t, SmallVector<std::pair<uint32_t, uint32_t>, 1>> places; // of a wait's instruction: blocks and ops
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      for (uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i)
        if (graph.ops[i].isWait)
          places[graph.ops[i].instruction].push_back({b, i});
    for (const WaitReport &wait : reported.waits) {
      WaitPrice price;
      price.instruction = wait.instruction;
      for (auto [block, op] : places[wait.instruction])
        for (const CountReport &count : wait.counts)
          priceCount(price, count, block, op, innermostLoop(wait.instruction));
      if (!price.cycles && innermostLoop(wait.instruction))
        for (auto [block, op] : places[wait.instruction])
          for (const CountReport &count : wait.counts) {
            priceCount(price, count, block, op, nullptr);
            price.isOnce = price.cycles;
          }
      waitCycles[wait.instruction] = price.isOnce ? 0 : price.cycles;
      prices.waits.push_back(price);
    }
    priceLoops();
    return std::move(prices);
  }

private:
  struct Step {
    unsigned cycles, age, budget;
    uint32_t block, end;
    bool operator>(const Step &other) const { return cycles > other.cycles; }
  };

  void priceLoops() {
    // Sums over all before. Phases of a block are one: the longest counts.
    ArrayRef<Block> blocks = program.blocks();
    std::vector<unsigned> issuing(blocks.size() + 1), waiting(prices.waits.size() + 1);
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      issuing[graph.blocks[b].origin + 1] = std::max(issuing[graph.blocks[b].origin + 1], length[b]);
    for (size_t b = 0; b < blocks.size(); ++b)
      issuing[b + 1] += issuing[b];
    for (size_t w = 0; w < prices.waits.size(); ++w)
      waiting[w + 1] = waiting[w] + (prices.waits[w].isOnce ? 0 : prices.waits[w].cycles);
    auto blocksBefore = [&](uint32_t instruction) { return partition_point(blocks, [&](const Block &b) { return b.begin < instruction; }) - blocks.begin(); };
    auto waitsBefore = [&](uint32_t instruction) {
      return partition_point(prices.waits, [&](const WaitPrice &w) { return w.instruction < instruction; }) - prices.waits.begin();
    };
    for (const LoopReport &loop : reported.loops)
      prices.loops.push_back({loop.firstInstruction, loop.lastInstruction,
                              waiting[waitsBefore(loop.lastInstruction + 1)] - waiting[waitsBefore(loop.firstInstruction)],
                              issuing[blocksBefore(loop.lastInstruction + 1)] - issuing[blocksBefore(loop.firstInstruction)]});
  }

  /// When each instruction issues, from the block's beginning.
  void timeBlock(uint32_t b) {
    unsigned now = 0, isFree[pipeCount] = {};
    for (uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i) {
      const Instruction &instruction = program.instructions()[graph.ops[i].instruction];
      const Timing timing = instruction.desc ? latencies.timing(*instruction.desc) : Timing();
      unsigned &free = isFree[unsigned(timing.pipe)];
      if (timing.pipe != Pipe::None)
        now = std::max(now, free);
      start[i] = now;
      free = now + timing.issue;
      now += latencies.issueSlot() * (instruction.desc && instruction.desc->mnemonic == "s_nop" ? 1 + operand(i) : 1);
    }
    length[b] = now;
  }
  unsigned operand(uint32_t op) const {
    const MCInst &inst = program.inst(graph.ops[op].instruction);
    return inst.getNumOperands() && inst.getOperand(0).isImm() ? inst.getOperand(0).getImm() & 0xf : 0;
  }

  unsigned latencyOf(uint32_t op) const { return latencies.timing(*program.instructions()[graph.ops[op].instruction].desc).latency; }

  const LoopReport *innermostLoop(uint32_t instruction) const {
    const LoopReport *innermost = nullptr;
    for (const LoopReport &loop : reported.loops)
      if (contains(loop, instruction) && (!innermost || contains(*innermost, loop.firstInstruction)))
        innermost = &loop;
    return innermost;
  }
  static bool contains(const LoopReport &loop, uint32_t instruction) {
    return instruction >= loop.firstInstruction && instruction <= loop.lastInstruction;
  }

  /// `loop` null: everywhere.
  void priceCount(WaitPrice &price, const CountReport &count, uint32_t block, uint32_t wait, const LoopReport *loop) {
    DenseMap<uint32_t, unsigned> elapsed; // by operation
    unsigned longest = 0;
    for (const InFlight &operation : count.waitsFor) {
      if (loop && !contains(*loop, graph.ops[operation.op].instruction))
        continue;
      elapsed[operation.op] = ~0u;
      longest = std::max(longest, latencyOf(operation.op));
    }
    std::priority_queue<Step, std::vector<Step>, std::greater<>> open;
    DenseMap<uint32_t, unsigned> seen; // largest budget of the ways to a block's end so far
    open.push({0, 0, ~0u, block, wait});
    for (bool isFirst = true; !open.empty(); isFirst = false) {
      Step step = open.top();
      open.pop();
      if (!isFirst) {
        auto [known, isNew] = seen.try_emplace(step.block, step.budget);
        if (!isNew && known->second >= step.budget)
          continue;
        known->second = step.budget;
      }
      const GraphBlock &b = graph.blocks[step.block];
      const unsigned end = step.end == b.end ? length[step.block] : start[step.end];
      unsigned waited = 0; // in this block, behind the place
      bool isOver = false;
      for (uint32_t i = step.end; i-- > b.begin && !isOver;) {
        const Op &op = graph.ops[i];
        const unsigned cycles = step.cycles + waited + (end - start[i]);
        if (cycles >= longest) {
          isOver = true;
          break;
        }
        if (op.isWait) {
          const unsigned value = waitOf(op, count.counter);
          if (value != 255)
            step.budget = std::min(step.budget, value);
          isOver = value == 0;
          waited += waitCycles.lookup(op.instruction);
        }
        // A young one may stay in flight, even where one of an earlier iteration may not.
        const bool inOrder = isInOrder(op, count.counter);
        if (auto known = elapsed.find(i); known != elapsed.end() && step.budget && (!inOrder || step.age >= count.value))
          known->second = std::min(known->second, cycles);
        if (inOrder) {
          ++step.age;
          if (step.budget != ~0u && step.budget)
            --step.budget;
        }
        isOver |= op.completesAll;
      }
      if (!isOver)
        for (uint32_t predecessor : b.predecessors)
          if (const GraphBlock &p = graph.blocks[predecessor]; !loop || (p.begin != p.end && contains(*loop, graph.ops[p.begin].instruction)))
            open.push({step.cycles + waited + end, step.age, step.budget, predecessor, graph.blocks[predecessor].end});
    }
    for (auto [op, cycles] : elapsed) {
      const unsigned latency = latencyOf(op);
      if (cycles < latency && (latency - cycles > price.cycles || (latency - cycles == price.cycles && op < price.slowest))) {
        price.cycles = latency - cycles;
        price.slowest = op;
        price.latency = latency;
        price.covered = cycles;
      }
    }
  }

  const Program &program;
  const Graph &graph;
  const Reported &reported;
  const LatencyTable &latencies;
  static constexpr unsigned pipeCount = unsigned(Pipe::Lds) + 1;
  std::vector<unsigned> start;             ///< by op, from the block's beginning
  std::vector<unsigned> length;            ///< by block
  DenseMap<uint32_t, unsigned> waitCycles; ///< of the waits before, by instruction
  Prices prices;
};

} // namespace

Expected<Prices> price(const Program &program, const Reported &reported) {
  Expected<const LatencyTable *> latencies = LatencyTable::get(program.isa().target().chip);
  if (!latencies)
    return latencies.takeError();
  return Pricer(program, reported, **latencies).run();
}

} // namespace inflight::waits
