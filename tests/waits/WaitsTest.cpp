// The wait engine on small programs written as operations: what must be waited for, and how little.
#include "waits/flow/Needs.h"

#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::waits;

namespace {

RegRange vgpr(unsigned number, unsigned count = 1) { return {RegUnit(regunit::Vgpr0 + number), uint8_t(count)}; }
RegRange sgpr(unsigned number, unsigned count = 1) { return {RegUnit(number), uint8_t(count)}; }

struct Operation : Op {
  llvm::SmallVector<RegRange, 1> read, written;
  WaitCounts counts; ///< isWait
};
struct Block {
  std::vector<Operation> operations;
  std::vector<uint32_t> successors;
};

Operation load(Kind kind, RegRange into) {
  Operation op;
  op.kind = kind;
  op.written = {into};
  return op;
}
Operation store(Kind kind, RegRange from) {
  Operation op;
  op.kind = kind;
  op.read = {from};
  return op;
}
Operation use(RegRange read) { return store(Kind::None, read); }
Operation set(RegRange written) { return load(Kind::None, written); }

class Waits : public ::testing::Test {
protected:
  const CounterTable &counters = *cantFail(CounterTable::get("gfx942"));
  static constexpr unsigned any = ~0u;

  Graph graphOf(const std::vector<Block> &blocks) {
    Graph graph;
    graph.counters = &counters;
    for (const Block &from : blocks) {
      GraphBlock &to = graph.blocks.emplace_back();
      to.begin = graph.ops.size();
      for (const Operation &operation : from.operations) {
        Op &op = graph.ops.emplace_back(operation);
        if (op.isWait)
          graph.makeWait(op, operation.counts);
        op.firstRange = graph.ownRanges.size();
        op.readCount = operation.read.size();
        op.writeCount = operation.written.size();
        llvm::append_range(graph.ownRanges, operation.read);
        llvm::append_range(graph.ownRanges, operation.written);
        graph.hasLdsDma |= op.kind == Kind::LdsDma;
      }
      to.end = graph.ops.size();
      to.successors.assign(from.successors.begin(), from.successors.end());
    }
    graph.blocks[0].isEntry = true;
    graph.ranges = graph.ownRanges;
    return graph;
  }
  Block block(std::vector<Operation> operations, std::vector<uint32_t> successors = {}) {
    return {std::move(operations), std::move(successors)};
  }
  /// The wait before one operation of one block; `any` for counters that are not waited for.
  std::pair<unsigned, unsigned> at(const std::vector<Block> &blocks, unsigned b, unsigned operation) {
    const Graph graph = graphOf(blocks);
    for (const Need &need : findNeeds(graph))
      if (need.block == b && need.op == graph.blocks[b].begin + operation)
        return {need.counts[Counter::Vm].valueOr(any), need.counts[Counter::Lgkm].valueOr(any)};
    return {any, any};
  }
  std::pair<unsigned, unsigned> vm(unsigned count) { return {count, any}; }
  std::pair<unsigned, unsigned> lgkm(unsigned count) { return {any, count}; }
  std::pair<unsigned, unsigned> none() { return {any, any}; }
};

TEST_F(Waits, LoadsReturnInOrderSoYoungerOnesMayStayInFlight) {
  std::vector<Block> program{block({load(Kind::Vmem, vgpr(0)), load(Kind::Vmem, vgpr(1)), load(Kind::Vmem, vgpr(2)),
                                    use(vgpr(0)), use(vgpr(2)), use(vgpr(1))})};
  EXPECT_EQ(at(program, 0, 3), vm(2));
  EXPECT_EQ(at(program, 0, 4), vm(0));
  EXPECT_EQ(at(program, 0, 5), none()) << "an earlier wait implies it";
}

TEST_F(Waits, StoresCountButNeedNoWaitOfTheirOwn) {
  std::vector<Block> program{block({load(Kind::Vmem, vgpr(0)), store(Kind::Vmem, vgpr(1)), use(vgpr(0))})};
  EXPECT_EQ(at(program, 0, 2), vm(1));
}

TEST_F(Waits, OverwritingTheDestinationOfALoadWaits) {
  std::vector<Block> program{block({load(Kind::Vmem, vgpr(0, 4)), set(vgpr(3))})};
  EXPECT_EQ(at(program, 0, 1), vm(0));
}

TEST_F(Waits, ScalarLoadsReturnOutOfOrder) {
  std::vector<Block> program{block({load(Kind::Smem, sgpr(0)), load(Kind::Smem, sgpr(1)), use(sgpr(0))})};
  EXPECT_EQ(at(program, 0, 2), lgkm(0));
}

TEST_F(Waits, AScalarLoadInFlightMakesTheCounterLargerNotTheWaitStricter) {
  std::vector<Block> program{
      block({load(Kind::Lds, vgpr(0)), load(Kind::Lds, vgpr(1)), load(Kind::Smem, sgpr(0)), use(vgpr(0))})};
  EXPECT_EQ(at(program, 0, 3), lgkm(1));
}

TEST_F(Waits, ALoadAtTheEndOfALoopIsWaitedForAtItsStart) {
  std::vector<Block> program{block({}, {1}),
                             block({use(vgpr(0)), load(Kind::Vmem, vgpr(0)), load(Kind::Vmem, vgpr(1))}, {1, 2}),
                             block({use(vgpr(1))})};
  EXPECT_EQ(at(program, 1, 0), vm(1));
  EXPECT_EQ(at(program, 2, 0), vm(0));
}

TEST_F(Waits, AJoinTakesTheStricterSide) {
  std::vector<Block> program{block({load(Kind::Vmem, vgpr(0))}, {1, 2}),
                             block({load(Kind::Vmem, vgpr(1)), load(Kind::Vmem, vgpr(2))}, {3}),
                             block({load(Kind::Vmem, vgpr(3))}, {3}), block({use(vgpr(0))})};
  EXPECT_EQ(at(program, 3, 0), vm(1));
}

TEST_F(Waits, FullCountersStopIssue) {
  std::vector<Operation> loads{load(Kind::Vmem, vgpr(0))};
  for (unsigned i = 0; i < 70; ++i)
    loads.push_back(load(Kind::Vmem, vgpr(1 + i)));
  loads.push_back(use(vgpr(0)));
  EXPECT_EQ(at({block(loads)}, 0, 71), none()) << "64 younger loads: the first is done";
  std::vector<Operation> reads{load(Kind::Lds, vgpr(0))};
  for (unsigned i = 0; i < 20; ++i)
    reads.push_back(load(Kind::Lds, vgpr(1 + i)));
  reads.push_back(use(vgpr(0)));
  EXPECT_EQ(at({block(reads)}, 0, 21), none()) << "15 younger reads: the first is done";
  reads.back() = use(vgpr(6));
  EXPECT_EQ(at({block(reads)}, 0, 21), lgkm(14)) << "14 younger reads";
}

TEST_F(Waits, ReadingLdsWaitsForLdsDma) {
  Operation dma;
  dma.kind = Kind::LdsDma;
  dma.writesLds = true;
  Operation read = load(Kind::Lds, vgpr(0));
  read.readsLds = true;
  std::vector<Block> program{block({dma, load(Kind::Vmem, vgpr(1)), read})};
  EXPECT_EQ(at(program, 0, 2), vm(1));
}

TEST_F(Waits, ABarrierFencesLdsButNotLoads) {
  Operation fence;
  fence.fencesLds = true;
  std::vector<Block> program{block({load(Kind::Vmem, vgpr(0)), store(Kind::Lds, vgpr(1)), fence})};
  EXPECT_EQ(at(program, 0, 2), lgkm(0));
}

TEST_F(Waits, AFenceOfEverythingWaitsForWriteBacks) {
  Operation writeBack, fence;
  writeBack.kind = Kind::WriteBack;
  writeBack.writesBack = true;
  fence.fencesAll = true;
  EXPECT_EQ(at({block({writeBack, fence})}, 0, 1), vm(0));
  EXPECT_EQ(at({block({writeBack, load(Kind::Vmem, vgpr(0)), store(Kind::None, vgpr(1)), fence})}, 0, 3), vm(0));
}

TEST_F(Waits, AWaitOfTheSourceCounts) {
  Operation wait;
  wait.isWait = true;
  wait.counts[Counter::Vm] = WaitCount(0);
  std::vector<Block> program{block({load(Kind::Vmem, vgpr(0)), wait, use(vgpr(0))})};
  EXPECT_EQ(at(program, 0, 2), none());
}

TEST_F(Waits, FlatOperationsNeedBothCounters) {
  std::vector<Block> program{block({load(Kind::Flat, vgpr(0)), use(vgpr(0))})};
  EXPECT_EQ(at(program, 0, 1), (std::pair<unsigned, unsigned>(0, 0)));
}

} // namespace
