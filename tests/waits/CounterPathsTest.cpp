// Needs and numbers outstanding on chips with random counters, against every path of random programs, walked with a
// plain list of what is in flight.
#include "waits/WaitReport.h"

#include "gtest/gtest.h"
#include <list>
#include <random>

using namespace inflight;
using namespace inflight::waits;

namespace {

constexpr unsigned classes = 11, registers = 4, longestPath = 11;

struct RandomProgram {
  explicit RandomProgram(unsigned seed) : random(seed) {
    makeCounters();
    graph.counters = &table;
    graph.unitLimit = regunit::Vgpr0 + registers;
    const unsigned blocks = 1 + below(4);
    for (unsigned b = 0; b < blocks; ++b)
      makeBlock();
    for (unsigned b = 0; b + 1 < blocks; ++b) {
      edge(b, b + 1);
      if (const unsigned other = below(blocks); below(2) && other != b + 1)
        edge(b, other);
    }
    graph.blocks[0].isEntry = true;
    graph.ranges = graph.ownRanges;
  }

  unsigned below(unsigned n) { return random() % n; }

  void makeCounters() {
    table.counters.resize(1 + below(maximumMemoryCounters));
    for (CounterInfo &info : table.counters) {
      info.name = "c" + std::to_string(&info - table.counters.data());
      info.maximum = 64; // more than the operations on any path
      info.stopsIssue = below(2);
    }
    // What returns out of order may count on two.
    for (unsigned order = 1; order < classes; ++order) {
      const OrderClass kind{uint8_t(order)};
      if (isFlat(kind) || kind == Kind::LdsDma || kind == Kind::WriteBack)
        continue;
      const bool isInOrder = below(3);
      for (unsigned i = 0; i < (isInOrder ? 1 : 1 + below(2)); ++i)
        any().completion[order] = isInOrder ? Completion::InOrder : Completion::OutOfOrder;
    }
    // Queues have eight bits.
    unsigned unordered = 0;
    for (CounterInfo &info : table.counters)
      for (Completion &completion : info.completion)
        if (completion == Completion::OutOfOrder && ++unordered > 8)
          completion = Completion::NotCounted;
  }
  CounterInfo &any() { return table.counters[below(table.counters.size())]; }

  void makeBlock() {
    GraphBlock &block = graph.blocks.emplace_back();
    block.origin = graph.blocks.size() - 1;
    block.begin = graph.ops.size();
    for (unsigned i = 0, count = 1 + below(5); i < count; ++i)
      makeOperation();
    block.end = graph.ops.size();
  }

  void makeOperation() {
    Op &op = graph.ops.emplace_back();
    op.instruction = graph.ops.size() - 1;
    op.firstRange = graph.ownRanges.size();
    auto addRegister = [&] { graph.ownRanges.push_back({RegUnit(regunit::Vgpr0 + below(registers)), 1}); };
    if (!below(5)) {
      graph.makeWait(op, {});
      for (Counter counter : table.all())
        if (below(2))
          graph.waitToEdit(op)[counter] = WaitCount(below(4));
    } else if (!below(3)) {
      addRegister();
      op.readCount = 1;
    } else {
      op.kind = Kind(1 + below(classes - 1));
      bool isCounted = false;
      for (Counter counter : table.all())
        isCounted |= table[counter].counts(op.kind);
      if (!isCounted)
        op.kind = Kind::None;
      addRegister();
      op.writeCount = 1;
      op.mayBeSkipped = !below(6);
    }
  }

  void edge(uint32_t from, uint32_t to) {
    graph.blocks[from].successors.push_back(to);
    graph.blocks[from].exitCount = graph.blocks[from].successors.size();
    graph.blocks[to].predecessors.push_back(from);
  }

  std::mt19937 random;
  CounterTable table;
  Graph graph;
};

/// All paths up to a length, each operation with a list of what is in flight before it.
class AllPaths {
public:
  explicit AllPaths(const RandomProgram &program)
      : graph(program.graph), needs(graph.ops.size()), outstanding(graph.ops.size()) {
    walk(0, {}, 1);
  }

  const Graph &graph;
  std::vector<WaitCounts> needs;
  std::vector<Outstanding> outstanding;

private:
  struct Pending {
    uint32_t op;
    Counter counter;
    unsigned younger = 0; ///< of the counter's order, issued since
  };

  void walk(uint32_t b, std::list<Pending> pending, unsigned length) {
    for (uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i) {
      look(i, pending);
      const Op &op = graph.ops[i];
      if (op.isWait)
        pending.remove_if([&](const Pending &p) {
          const WaitCount count = graph.waitOf(op)[p.counter];
          return !count.isNone() && (isInOrder(p.op, p.counter) ? p.younger >= count.value() : count.value() == 0);
        });
      for (Counter counter : graph.counters->all()) {
        if (isInOrder(i, counter) && !op.mayBeSkipped)
          for (Pending &p : pending)
            p.younger += p.counter == counter;
        if ((*graph.counters)[counter].counts(op.kind))
          pending.push_back({i, counter});
      }
    }
    if (length < longestPath)
      for (uint32_t successor : graph.blocks[b].successors)
        walk(successor, pending, length + 1);
  }

  bool isInOrder(uint32_t op, Counter counter) const {
    return (*graph.counters)[counter].isInOrder(graph.ops[op].kind);
  }

  void look(uint32_t i, const std::list<Pending> &pending) {
    const Op &op = graph.ops[i];
    PerCounter<unsigned> inOrder;
    for (const Pending &p : pending) {
      const bool isOrdered = isInOrder(p.op, p.counter);
      outstanding[i].isPending[p.counter] = true;
      // As many as may be: those that are done without a wait aren't known.
      inOrder[p.counter] += isOrdered && !graph.ops[p.op].mayBeSkipped;
      const RegRange written = graph.ops[p.op].writes(graph.ranges).front();
      const bool reads = op.readCount && op.reads(graph.ranges).front().overlaps(written);
      const bool overwrites =
          op.writeCount && op.writes(graph.ranges).front().overlaps(written) && !(isOrdered && isInOrder(i, p.counter));
      if (reads || overwrites)
        needs[i][p.counter] = std::min(needs[i][p.counter], WaitCount(isOrdered ? p.younger : 0));
    }
    for (Counter counter : graph.counters->all())
      outstanding[i].inOrder[counter] = std::max<unsigned>(outstanding[i].inOrder[counter], inOrder[counter]);
  }
};

TEST(CounterPaths, NeedsAndOutstanding) {
  unsigned needed = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    const RandomProgram program(seed);
    const AllPaths paths(program);
    EngineOptions options;
    options.fixesNeeds = false;
    std::vector<WaitCounts> needs(program.graph.ops.size());
    for (const Need &need : findNeeds(program.graph, options))
      needs[need.op] = need.counts;
    const std::vector<Outstanding> outstanding = findOutstanding(program.graph);
    for (uint32_t i = 0; i < needs.size(); ++i) {
      ASSERT_EQ(program.table.text(needs[i]), program.table.text(paths.needs[i]))
          << "seed " << seed << ", operation " << i;
      needed += !needs[i].isNothing();
      for (Counter counter : program.table.all()) {
        ASSERT_EQ(outstanding[i].isPending[counter], paths.outstanding[i].isPending[counter])
            << "seed " << seed << ", operation " << i;
        // On longer paths more may be in flight.
        ASSERT_GE(outstanding[i].inOrder[counter], paths.outstanding[i].inOrder[counter])
            << "seed " << seed << ", operation " << i;
      }
    }
  }
  EXPECT_GT(needed, 5000u);
}

} // namespace
