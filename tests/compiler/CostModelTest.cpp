// Decisions by the data of the timed model: with other data they are other ones.
#include "compiler/loops/copies/CostModel.h"
#include "compiler/driver/Session.h"
#include "compiler/loops/copies/PipelineLoop.h"
#include "isa/Isa.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::loops;

namespace {
class CostModelTest : public testing::Test {
protected:
  void SetUp() override {
    module = mlir::parseSourceString<mlir::ModuleOp>(
        "func.func @f(%a: index, %b: index, %c: index) { scf.for %i = %a to %b step %c { } return }",
        &session->context());
    ASSERT_TRUE(module);
    module->walk([&](mlir::scf::ForOp loop) { plan.loop.loop = loop; });
    TileLayout layout;
    layout.dmaBytes = 16;
    layout.copies.resize(4);
    plan.layouts.push_back(std::move(layout));
    plan.lanes = 256;
  }

  CostModel model() { return {isa.target(), device, data}; }

  /// With so many workgroups for 1, 2, 3 and 4 buffers.
  unsigned buffers(std::array<unsigned, 4> workgroups) {
    return model().chooseBuffers(plan, cost, [&](unsigned stages) { return workgroups[stages - 1]; });
  }

  Session::Handle session = Session::take();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  LoopPlan plan;
  const Isa &isa = *cantFail(Isa::get("gfx950"));
  timing::Device device = cantFail(timing::Device::get("gfx950", ""));
  timing::TimingData data = cantFail(timing::TimingData::load(device, device.clockMHz));
  IterationCost cost{.matrix = 1024, .valu = 0, .lds = 700, .l2 = 600};
};
} // namespace

TEST_F(CostModelTest, TheBusiestPipeIsTheBound) {
  EXPECT_EQ(cost.bound(), std::pair(llvm::StringRef("MFMA"), 1024u));
  cost.l2 = 1025;
  EXPECT_EQ(cost.bound(), std::pair(llvm::StringRef("L2"), 1025u));
}

TEST_F(CostModelTest, CopiesThatComeLateGetAThirdBuffer) {
  data.vmemLatency = data.memoryLatency = 500;
  EXPECT_EQ(buffers({1, 1, 1, 1}), 2u) << "half of the bytes and the latency are less than an iteration";
  data.memoryLatency = 1500;
  EXPECT_EQ(buffers({1, 1, 1, 1}), 3u);
  EXPECT_EQ(buffers({2, 2, 2, 2}), 2u) << "another workgroup computes while one waits for memory";
  data.vmemLatency = 1800;
  EXPECT_EQ(buffers({2, 2, 2, 2}), 3u);
  EXPECT_EQ(buffers({3, 3, 3, 3}), 2u) << "two other workgroups' iterations lie between";
}

TEST_F(CostModelTest, FunctionsOfAnotherWorkgroupDoNotHideLatencyAndAreWorthMoreThanCopiesInTime) {
  data.vmemLatency = 500;
  data.memoryLatency = 2500;
  EXPECT_EQ(buffers({2, 2, 2, 2}), 2u);
  module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%a: index, %b: index, %c: index, %x: f32) { scf.for %i = %a to %b step %c {"
      " %y = math.exp2 %x : f32 } return }",
      &session->context());
  ASSERT_TRUE(module);
  module->walk([&](mlir::scf::ForOp loop) { plan.loop.loop = loop; });
  EXPECT_EQ(buffers({2, 2, 2, 2}), 3u);
  EXPECT_EQ(buffers({2, 2, 1, 1}), 2u);
}

TEST_F(CostModelTest, WhatABranchComputesIsNoLeastCost) {
  module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%a: index, %b: index, %c: index, %is: i1, %x: vector<4xf32>) { scf.for %i = %a to %b step %c {"
      " %y = arith.addf %x, %x : vector<4xf32>"
      " scf.if %is { %z = arith.addf %x, %x : vector<4xf32> } } return }",
      &session->context());
  ASSERT_TRUE(module);
  module->walk([&](mlir::scf::ForOp loop) { EXPECT_EQ(model().of(loop, 4).valu, 4 * data.issueSlot); });
}

TEST_F(CostModelTest, MaskedLoadsTakeAsLongAsOthers) {
  module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @f(%a: index, %b: index, %c: index, %m: memref<64x100xf16>, %mask: vector<8xi1>) {"
      " %zero = arith.constant 0.0 : f16 %none = arith.constant dense<0.0> : vector<8xf16>"
      " scf.for %i = %a to %b step %c { %x = vector.load %m[%i, %i] : memref<64x100xf16>, vector<8xf16> }"
      " scf.for %i = %a to %b step %c { %x = vector.transfer_read %m[%i, %i], %zero : memref<64x100xf16>, "
      "vector<8xf16> }"
      " scf.for %i = %a to %b step %c { %x = vector.maskedload %m[%i, %i], %mask, %none : memref<64x100xf16>,"
      " vector<8xi1>, vector<8xf16> into vector<8xf16> } return }",
      &session->context());
  ASSERT_TRUE(module);
  std::vector<unsigned> l2;
  module->walk([&](mlir::scf::ForOp loop) { l2.push_back(model().of(loop, 4).l2); });
  ASSERT_EQ(l2.size(), 3u);
  EXPECT_GT(l2[0], 0u);
  EXPECT_EQ(l2[1], l2[0]);
  EXPECT_EQ(l2[2], l2[0]);
}

TEST_F(CostModelTest, WhatDoesNotFitIsNotChosen) {
  data.memoryLatency = 1500;
  EXPECT_EQ(buffers({1, 1, 0, 0}), 2u);
  EXPECT_EQ(buffers({1, 0, 0, 0}), 1u);
  EXPECT_EQ(buffers({0, 0, 0, 0}), 0u);
}

TEST_F(CostModelTest, AWaveHasOneSimd) {
  // The same work, by four waves of a workgroup or by one of them: only more workgroups keep the other SIMDs busy.
  plan.asWritten = IterationCost{.matrix = 1000, .valu = 0, .lds = 100, .l2 = 100};
  plan.layouts.clear();
  plan.stages = 2;
  data.memoryLatency = data.vmemLatency = 0;
  EXPECT_EQ(model().cyclesOf(plan, 2), 1000u);
  plan.lanes = 64;
  EXPECT_EQ(model().cyclesOf(plan, 2), 2050u);
  EXPECT_EQ(model().cyclesOf(plan, 4), 1025u);
  data.memoryLatency = 900;
  data.vmemLatency = 700;
  EXPECT_EQ(model().cyclesAsWritten(plan, 1), 4000u + 100 + 100 + 900) << "one after the other, behind a load";
  EXPECT_EQ(model().cyclesAsWritten(plan, 4), (4000u + 100 + 100 + 700) / 4);
}

TEST_F(CostModelTest, SlowerL2TakesLonger) {
  const unsigned usual = cost.l2;
  plan.schedule = takingTurns(plan);
  const int64_t early = model().early(plan, plan.schedule, cost, 1);
  cost.l2 = 2 * usual;
  EXPECT_EQ(model().early(plan, plan.schedule, cost, 1), early - usual);
}

TEST_F(CostModelTest, LinesThatIterationsShareAreAskedForOnceUnlessWorkgroupsGo) {
  plan.stages = 2;
  plan.asWritten = IterationCost{.matrix = 1000, .valu = 0, .lds = 900, .l2 = 500};
  const SharedLines shared{.loads = {}, .apart = 512, .together = 256};
  EXPECT_TRUE(model().paysTogether(plan, shared, 2, 2));
  EXPECT_FALSE(model().paysTogether(plan, shared, 2, 1)) << "registers take the place of a workgroup";
  data.l2Line = 1;
  EXPECT_FALSE(model().paysTogether(plan, shared, 2, 2)) << "lines of no length cost nothing";
}
