// The wait engine on small programs written as operations: what must be waited for, and how little.
#include "waits/Waits.h"

#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::waits;

namespace {

RegRange vgpr(unsigned number, unsigned count = 1) { return {RegUnit(regunit::Vgpr0 + number), uint8_t(count)}; }
RegRange sgpr(unsigned number, unsigned count = 1) { return {RegUnit(number), uint8_t(count)}; }

Operation load(Kind kind, RegRange into) {
  Operation op;
  op.kind = kind;
  op.writes = {into};
  return op;
}
Operation store(Kind kind, RegRange from) {
  Operation op;
  op.kind = kind;
  op.reads = {from};
  return op;
}
Operation use(RegRange read) {
  Operation op;
  op.reads = {read};
  return op;
}
Operation set(RegRange written) {
  Operation op;
  op.writes = {written};
  return op;
}

class Waits : public ::testing::Test {
protected:
  const TargetInfo &target = **TargetInfo::get("gfx942");
  static constexpr unsigned any = ~0u;

  Block block(std::vector<Operation> operations, std::initializer_list<unsigned> successors = {}) {
    Block result;
    result.operations = std::move(operations);
    result.successors.assign(successors);
    return result;
  }
  /// The wait before one operation of one block; `any` for counters that are not waited for.
  std::pair<unsigned, unsigned> at(const std::vector<Block> &blocks, unsigned b, unsigned operation) {
    for (const Placement &placement : computeWaits(target, blocks))
      if (placement.block == b && placement.operation == operation)
        return {placement.wait.vmcnt < target.vmcntMax ? placement.wait.vmcnt : any,
                placement.wait.lgkmcnt < target.lgkmcntMax ? placement.wait.lgkmcnt : any};
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

TEST_F(Waits, FullCountersStopIssueForVmcntOnly) {
  std::vector<Operation> loads{load(Kind::Vmem, vgpr(0))};
  for (unsigned i = 0; i < 70; ++i)
    loads.push_back(load(Kind::Vmem, vgpr(1 + i)));
  loads.push_back(use(vgpr(0)));
  EXPECT_EQ(at({block(loads)}, 0, 71), none()) << "64 younger loads: the first is done";
  std::vector<Operation> reads{load(Kind::Lds, vgpr(0))};
  for (unsigned i = 0; i < 20; ++i)
    reads.push_back(load(Kind::Lds, vgpr(1 + i)));
  reads.push_back(use(vgpr(0)));
  EXPECT_EQ(at({block(reads)}, 0, 21), lgkm(14)) << "the largest value that waits";
}

TEST_F(Waits, ReadingLdsWaitsForLdsDma) {
  Operation dma;
  dma.kind = Kind::LdsDma;
  Operation read = load(Kind::Lds, vgpr(0));
  read.readsLds = true;
  std::vector<Block> program{block({dma, load(Kind::Vmem, vgpr(1)), read})};
  EXPECT_EQ(at(program, 0, 2), vm(1));
}

TEST_F(Waits, LdsDmaToOtherBytesStaysInFlight) {
  auto dma = [](uint32_t begin, uint32_t end) {
    Operation op;
    op.kind = Kind::LdsDma;
    op.ldsBegin = begin;
    op.ldsEnd = end;
    return op;
  };
  Operation read = load(Kind::Lds, vgpr(0));
  read.readsLds = true;
  read.ldsBegin = 0;
  read.ldsEnd = 4096;
  Operation readAll = load(Kind::Lds, vgpr(1));
  readAll.readsLds = true;
  // Two buffers; the first is read while the second fills.
  std::vector<Block> program{block({dma(0, 4096), dma(4096, 8192), dma(4096, 8192), read, readAll})};
  EXPECT_EQ(at(program, 0, 3), vm(2));
  EXPECT_EQ(at(program, 0, 4), vm(0)) << "an unknown place may be any";
}

TEST_F(Waits, ABarrierFencesLdsButNotLoads) {
  Operation fence;
  fence.fencesLds = true;
  std::vector<Block> program{block({load(Kind::Vmem, vgpr(0)), store(Kind::Lds, vgpr(1)), fence})};
  EXPECT_EQ(at(program, 0, 2), lgkm(0));
}

TEST_F(Waits, AWaitOfTheSourceCounts) {
  Operation wait;
  wait.isWait = true;
  wait.wait = {0, target.expcntMax, target.lgkmcntMax};
  std::vector<Block> program{block({load(Kind::Vmem, vgpr(0)), wait, use(vgpr(0))})};
  EXPECT_EQ(at(program, 0, 2), none());
}

TEST_F(Waits, FlatOperationsNeedBothCounters) {
  std::vector<Block> program{block({load(Kind::Flat, vgpr(0)), use(vgpr(0))})};
  EXPECT_EQ(at(program, 0, 1), (std::pair<unsigned, unsigned>(0, 0)));
}

} // namespace
