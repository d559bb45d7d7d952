// The wait analysis on a chip that doesn't exist: its counters are those of gfx12, its programs are written as
// operations.
#include "waits/EdgeWaits.h"
#include "waits/WaitReport.h"
#include "waits/flow/Search.h"
#include "waits/graph/OrderState.h"

#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::waits;

namespace {

constexpr Counter loadcnt{0}, storecnt{1}, samplecnt{2}, dscnt{4}, kmcnt{5};
constexpr Kind storeKind = Kind::Store, sampleKind = Kind::Sample, bvhKind = Kind::Bvh;

CounterTable sixCounters() {
  CounterTable table;
  auto add = [&](const char *name, unsigned maximum, std::initializer_list<Kind> inOrder,
                 std::initializer_list<Kind> outOfOrder = {}) {
    CounterInfo &info = table.counters.emplace_back();
    info.name = name;
    info.maximum = maximum;
    for (Kind kind : inOrder)
      info.completion[unsigned(kind)] = Completion::InOrder;
    for (Kind kind : outOfOrder)
      info.completion[unsigned(kind)] = Completion::OutOfOrder;
  };
  add("loadcnt", 63, {Kind::Vmem, Kind::LdsDma}, {Kind::Flat});
  add("storecnt", 63, {storeKind});
  add("samplecnt", 63, {sampleKind});
  add("bvhcnt", 7, {bvhKind});
  add("dscnt", 63, {Kind::Lds}, {Kind::Flat});
  add("kmcnt", 31, {}, {Kind::Smem, Kind::Message});
  table.counters[unsigned(storecnt)].completion[unsigned(Kind::WriteBack)] = Completion::AfterOlder;
  table.counters[unsigned(loadcnt)].stopsIssue = true;
  return table;
}

RegRange vgpr(unsigned number) { return {RegUnit(regunit::Vgpr0 + number), 1}; }
RegRange sgpr(unsigned number) { return {RegUnit(number), 1}; }

class SixCounters : public ::testing::Test {
protected:
  SixCounters() {
    graph.counters = &table;
    graph.unitLimit = regunit::Vgpr0 + 32;
    block();
    graph.blocks[0].isEntry = true;
  }

  /// A new block; operations are added to the last one.
  uint32_t block(std::initializer_list<uint32_t> predecessors = {}) {
    GraphBlock &b = graph.blocks.emplace_back();
    b.begin = b.end = graph.ops.size();
    b.origin = graph.blocks.size() - 1;
    for (uint32_t from : predecessors)
      edge(from, b.origin);
    return b.origin;
  }
  void edge(uint32_t from, uint32_t to) {
    graph.blocks[from].successors.push_back(to);
    graph.blocks[from].exitCount = graph.blocks[from].successors.size();
    graph.blocks[to].predecessors.push_back(from);
  }

  Op &operation(Kind kind, std::initializer_list<RegRange> reads, std::initializer_list<RegRange> writes) {
    Op &op = graph.ops.emplace_back();
    op.kind = kind;
    op.instruction = graph.ops.size() - 1;
    op.firstRange = graph.ownRanges.size();
    op.readCount = reads.size();
    op.writeCount = writes.size();
    graph.ownRanges.insert(graph.ownRanges.end(), reads);
    graph.ownRanges.insert(graph.ownRanges.end(), writes);
    graph.ranges = graph.ownRanges;
    graph.blocks.back().end = graph.ops.size();
    return op;
  }
  uint32_t load(Kind kind, RegRange into) {
    operation(kind, {}, {into});
    return graph.ops.size() - 1;
  }
  uint32_t use(RegRange read) {
    operation(Kind::None, {read}, {});
    return graph.ops.size() - 1;
  }
  void wait(Counter counter, unsigned count) {
    Op &op = operation(Kind::None, {}, {});
    graph.makeWait(op, WaitCounts::of(counter, WaitCount(count)));
  }

  /// The wait that is missing before an operation.
  std::string before(uint32_t op, const EngineOptions &options = {}) const {
    for (const Need &need : findNeeds(graph, options))
      if (need.op == op)
        return table.text(need.counts);
    return "";
  }

  const CounterTable table = sixCounters();
  Graph graph;
};

TEST_F(SixCounters, EachHasItsOwn) {
  load(Kind::Vmem, vgpr(0));
  load(sampleKind, vgpr(1));
  load(bvhKind, vgpr(2));
  load(Kind::Lds, vgpr(3));
  load(Kind::Smem, sgpr(0));
  operation(storeKind, {vgpr(4)}, {});
  EXPECT_EQ(before(use(vgpr(2))), "bvhcnt(0)");
  EXPECT_EQ(before(use(vgpr(1))), "samplecnt(0)");
  EXPECT_EQ(before(use(sgpr(0))), "kmcnt(0)");
  EXPECT_EQ(before(use(vgpr(0))), "loadcnt(0)");
  EXPECT_EQ(before(use(vgpr(3))), "dscnt(0)");
  EXPECT_EQ(before(use(vgpr(0))), "") << "waited for already";
}

TEST_F(SixCounters, AgesAreThoseOfTheCounter) {
  load(Kind::Vmem, vgpr(0));
  load(sampleKind, vgpr(1));
  load(Kind::Vmem, vgpr(2));
  operation(storeKind, {vgpr(4)}, {});
  load(Kind::Vmem, vgpr(3));
  load(sampleKind, vgpr(5));
  EXPECT_EQ(before(use(vgpr(0))), "loadcnt(2)");
  EXPECT_EQ(before(use(vgpr(1))), "samplecnt(1)");
  EXPECT_EQ(before(use(vgpr(2))), "loadcnt(1)");
}

TEST_F(SixCounters, OutOfOrderIsDoneAtZero) {
  load(Kind::Smem, sgpr(0));
  load(Kind::Smem, sgpr(1));
  EXPECT_EQ(before(use(sgpr(0))), "kmcnt(0)");
  load(Kind::Flat, vgpr(0));
  load(Kind::Vmem, vgpr(1));
  EXPECT_EQ(before(use(vgpr(0))), "loadcnt(0) dscnt(0)");
}

TEST_F(SixCounters, OverwritesAreInOrderOnOneCounter) {
  load(Kind::Vmem, vgpr(0));
  EXPECT_EQ(before(load(Kind::Vmem, vgpr(0))), "");
  EXPECT_EQ(before(load(sampleKind, vgpr(0))), "loadcnt(0)");
  EXPECT_EQ(before(load(bvhKind, vgpr(0))), "samplecnt(0)");
  EXPECT_EQ(before(load(Kind::Lds, vgpr(0))), "bvhcnt(0)");
}

TEST_F(SixCounters, WaitsFinishTheirCounterAlone) {
  load(Kind::Vmem, vgpr(0));
  load(Kind::Vmem, vgpr(1));
  load(Kind::Lds, vgpr(2));
  load(Kind::Smem, sgpr(0));
  wait(loadcnt, 1);
  wait(kmcnt, 0);
  EXPECT_EQ(before(use(vgpr(0))), "");
  EXPECT_EQ(before(use(sgpr(0))), "");
  EXPECT_EQ(before(use(vgpr(1))), "loadcnt(0)");
  EXPECT_EQ(before(use(vgpr(2))), "dscnt(0)");
}

TEST_F(SixCounters, FullCounters) {
  for (unsigned i = 0; i < 9; ++i)
    load(bvhKind, vgpr(i));
  EXPECT_EQ(before(use(vgpr(0))), "bvhcnt(6)") << "whether issue stops isn't known";
  load(Kind::Vmem, vgpr(10));
  for (unsigned i = 0; i < 63; ++i)
    load(Kind::Vmem, vgpr(11));
  EXPECT_EQ(before(use(vgpr(10))), "") << "issue stops";
}

TEST_F(SixCounters, FencesWaitForWhatIsInFlight) {
  load(sampleKind, vgpr(0));
  load(Kind::Smem, sgpr(0));
  operation(storeKind, {vgpr(4)}, {});
  operation(Kind::None, {}, {}).fencesAll = true;
  EXPECT_EQ(before(3), "samplecnt(0) kmcnt(0)") << "stores leave nothing that code there may use";
}

TEST_F(SixCounters, WriteBackComesAfterStores) {
  operation(storeKind, {vgpr(4)}, {});
  operation(Kind::WriteBack, {}, {}).writesBack = true;
  Op &publishing = operation(storeKind, {vgpr(4)}, {});
  publishing.isStore = true;
  EXPECT_EQ(before(2), "storecnt(0)");
}

TEST_F(SixCounters, LoopsTakeTheLeastAge) {
  load(sampleKind, vgpr(0));
  load(sampleKind, vgpr(1));
  const uint32_t loop = block({0});
  const uint32_t user = use(vgpr(0));
  load(sampleKind, vgpr(0));
  load(sampleKind, vgpr(2));
  load(sampleKind, vgpr(3));
  load(Kind::Vmem, vgpr(4));
  edge(loop, loop);
  EXPECT_EQ(before(user), "samplecnt(1)") << "the first iteration";
  const std::vector<EdgeWait> edges = findEdgeWaits(graph, {}).waits;
  ASSERT_EQ(edges.size(), 1u);
  EXPECT_EQ(table.text(edges[0].counts), "samplecnt(1)");
  EngineOptions options;
  options.edgeWaits = edges;
  EXPECT_EQ(before(user, options), "samplecnt(2)") << "all others";
}

TEST_F(SixCounters, OrderOfMemoryIsKeptOnEachCounter) {
  operation(storeKind, {vgpr(4)}, {}).does = access::Store;
  operation(sampleKind, {}, {vgpr(0)}).does = access::Load;
  operation(storeKind, {vgpr(4)}, {}).does = access::Store;
  wait(storecnt, 1);
  wait(samplecnt, 0);
  operation(Kind::Message, {}, {}).follows = access::Store | access::Load;
  EngineOptions options;
  options.keepWaits = false;
  EXPECT_EQ(before(5, options), "storecnt(1) samplecnt(0)");
}

TEST_F(SixCounters, OutstandingAndProducers) {
  const uint32_t first = load(sampleKind, vgpr(0));
  load(Kind::Vmem, vgpr(1));
  load(sampleKind, vgpr(2));
  const uint32_t scalar = load(Kind::Smem, sgpr(0));
  const uint32_t user = use(vgpr(0));
  const std::vector<Outstanding> outstanding = findOutstanding(graph);
  EXPECT_EQ(outstanding[user].inOrder[samplecnt], 2);
  EXPECT_EQ(outstanding[user].inOrder[loadcnt], 1);
  EXPECT_EQ(outstanding[user].inOrder[kmcnt], 0);
  EXPECT_TRUE(outstanding[user].isPending[kmcnt]);
  EXPECT_FALSE(outstanding[user].isPending[dscnt]);

  const std::vector<InFlight> samples = inFlightBefore(graph, outstanding, 0, user, samplecnt);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].op, first);
  EXPECT_EQ(samples[0].age, 1u);
  const std::vector<InFlight> scalars = inFlightBefore(graph, outstanding, 0, user, kmcnt);
  ASSERT_EQ(scalars.size(), 1u);
  EXPECT_EQ(scalars[0].op, scalar);
  EXPECT_FALSE(scalars[0].inOrder);

  const Need need = findNeeds(graph).front();
  const Found found = PathSearch(graph).findProducer({need, samplecnt});
  ASSERT_TRUE(found.producer);
  EXPECT_EQ(found.producer->op, first);
  EXPECT_EQ(found.producer->age, 1u);
}

TEST_F(SixCounters, CallersMayLeaveAnythingInFlight) {
  graph.blocks[0].hasUnknownCaller = true;
  EXPECT_EQ(before(use(vgpr(0))), "loadcnt(0) samplecnt(0) bvhcnt(0) dscnt(0)") << "stores write none";
  EXPECT_EQ(before(use(sgpr(0))), "kmcnt(0)");
}

TEST_F(SixCounters, HowWeakAWaitCouldBe) {
  load(Kind::Lds, vgpr(0));
  load(Kind::Lds, vgpr(1));
  load(bvhKind, vgpr(2));
  wait(dscnt, 0);
  use(vgpr(0));
  const CountReport report = reportPlace(graph, findOutstanding(graph), graph, {}, 0, 3, dscnt, 0);
  EXPECT_EQ(report.waitsFor.size(), 2u);
  EXPECT_EQ(report.weakest, 1u);
}

} // namespace
