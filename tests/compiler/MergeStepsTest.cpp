// Iterations that use a part of each line of memory: how many make one, and what they are then.
#include "compiler/loops/copies/MergeSteps.h"
#include "compiler/driver/Session.h"
#include "compiler/lanes/LaneForms.h"
#include "compiler/loops/copies/CostModel.h"
#include "compiler/loops/copies/PipelineLoop.h"
#include "isa/Isa.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::loops;

namespace {
constexpr unsigned lineBytes = 128, laneCount = 64;

class MergeSteps : public testing::Test {
protected:
  /// A loop of 64 lanes that copies 16 rows of `step` halves each iteration, up to `end`, by lanes of 8 halves a row.
  /// `column`: where a lane's part of a row begins.
  void parse(unsigned step, unsigned end, llvm::StringRef column = "%part") {
    const std::string text = llvm::formatv(R"(
      #lds = #gpu.address_space<workgroup>
      gpu.module @m {{
        gpu.func @f(%a: memref<?x1024xf16>, %o: memref<64xf16>) kernel attributes {{known_block_size = array<i32: 64, 1, 1>} {{
          %c0 = arith.constant 0 : index
          %c8 = arith.constant 8 : index
          %c1024 = arith.constant 1024 : index
          %step = arith.constant {0} : index
          %end = arith.constant {1} : index
          %lanes = arith.constant {2} : index
          %zero = arith.constant 0.0 : f16
          %tile = memref.alloc() : memref<{3}x{0}xf16, #lds>
          %t = gpu.thread_id x
          %row = arith.divui %t, %lanes : index
          %rest = arith.remui %t, %lanes : index
          %part = arith.muli %rest, %c8 : index
          %far = arith.muli %row, %c8 : index
          %r = scf.for %k = %c0 to %end step %step iter_args(%sum = %zero) -> (f16) {{
            %column = arith.addi %k, {4} : index
            %l = vector.load %a[%row, %column] : memref<?x1024xf16>, vector<8xf16>
            vector.store %l, %tile[%row, %part] : memref<{3}x{0}xf16, #lds>, vector<8xf16>
            gpu.barrier
            %x = memref.load %tile[%row, %part] : memref<{3}x{0}xf16, #lds>
            %next = arith.addf %sum, %x : f16
            gpu.barrier
            scf.yield %next : f16
          }
          memref.store %r, %o[%t] : memref<64xf16>
          gpu.return
        }
      })",
                                           step, end, step / 8, laneCount * 8 / step, column);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &session->context());
    ASSERT_TRUE(module);
    module->walk([&](mlir::gpu::GPUFuncOp op) { kernel = op; });
    module->walk([&](mlir::scf::ForOp op) { loop = op; });
  }
  unsigned factor(unsigned line = lineBytes) {
    LaneForms forms(kernel);
    std::optional<TileLoop> tiles = findTiles(kernel, loop, forms);
    EXPECT_TRUE(tiles && tiles->obstacle.empty());
    return mergeFactor(*tiles, laneCount, line);
  }

  Session::Handle session = Session::take();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::gpu::GPUFuncOp kernel;
  mlir::scf::ForOp loop;
};
} // namespace

TEST_F(MergeSteps, AsManyAsALineHas) {
  parse(32, 256);
  EXPECT_EQ(factor(), 2u);
  EXPECT_EQ(factor(256), 4u) << "lines are the data's";
  EXPECT_EQ(factor(64), 1u) << "64 bytes of a row are a line";
  parse(16, 256);
  EXPECT_EQ(factor(), 4u);
  parse(64, 256);
  EXPECT_EQ(factor(), 1u);
}

TEST_F(MergeSteps, OneIsNoLoop) {
  parse(32, 64);
  EXPECT_EQ(factor(), 1u) << "one would be left, and no copy ahead";
}

TEST_F(MergeSteps, WhatIsLeftOverStaysAsItIs) {
  parse(32, 224);
  EXPECT_EQ(factor(), 2u) << "seven iterations";
  mlir::scf::ForOp rest = loop;
  {
    LaneForms forms(kernel);
    loop = mergeSteps(*findTiles(kernel, loop, forms), laneCount, 2);
  }
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
  EXPECT_EQ(mlir::getConstantIntValue(loop.getUpperBound()), 192);
  EXPECT_EQ(mlir::getConstantIntValue(rest.getLowerBound()), 192);
  EXPECT_EQ(mlir::getConstantIntValue(rest.getUpperBound()), 224);
  EXPECT_EQ(rest.getInitArgs()[0], loop.getResult(0)) << "sums go on";
}

TEST_F(MergeSteps, TheNextIterationHasToGoOnInTheSameLines) {
  parse(32, 256, "%far");
  EXPECT_EQ(factor(), 1u) << "each row begins elsewhere";
}

TEST_F(MergeSteps, TilesLieSideBySideAndSumsKeepTheirOrder) {
  parse(32, 256);
  {
    LaneForms forms(kernel);
    loop = mergeSteps(*findTiles(kernel, loop, forms), laneCount, 2);
  }
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
  unsigned barriers = 0, stores = 0;
  mlir::Value sum;
  for (mlir::Operation &op : *loop.getBody()) {
    barriers += isFullBarrier(&op);
    if (auto store = mlir::dyn_cast<mlir::vector::StoreOp>(op)) {
      EXPECT_EQ(barriers, 0u) << "both are stored before any is read";
      EXPECT_EQ(store.getMemRefType().getShape().vec(), (std::vector<int64_t>{16, 64}));
      ++stores;
    }
    if (auto add = mlir::dyn_cast<mlir::arith::AddFOp>(op)) {
      EXPECT_EQ(add.getLhs(), sum ? sum : mlir::Value(loop.getRegionIterArg(0)));
      sum = add;
    }
  }
  EXPECT_EQ(stores, 2u);
  EXPECT_EQ(barriers, 2u);
  EXPECT_EQ(loop.getBody()->getTerminator()->getOperand(0), sum);
  LaneForms forms(kernel);
  const std::optional<TileLoop> merged = findTiles(kernel, loop, forms);
  ASSERT_TRUE(merged && merged->obstacle.empty());
  EXPECT_EQ(bytesOfRow(*merged, merged->tiles.front(), laneCount), lineBytes);
}

TEST_F(MergeSteps, PartsOfLinesCostTheWholeUnlessL1KeepsThem) {
  const Isa &isa = *cantFail(Isa::get("gfx950"));
  timing::Device device = cantFail(timing::Device::get("gfx950", ""));
  timing::TimingData data = cantFail(timing::TimingData::load(device, device.clockMHz));
  parse(32, 256);
  LaneForms forms(kernel);
  LoopPlan plan{.loop = *findTiles(kernel, loop, forms), .lanes = laneCount};
  TileLayout layout;
  layout.dmaBytes = 16;
  layout.copies.resize(1);
  layout.bytes = 1024;
  plan.layouts.push_back(layout);
  auto l2 = [&](unsigned workgroups, unsigned merged) {
    return CostModel(isa.target(), device, data).of(plan, workgroups, merged).l2;
  };
  data.l1Bytes = 2048;
  const unsigned whole = l2(1, 1);
  EXPECT_GT(l2(2, 1), whole + whole / 2) << "two workgroups' lines don't fit L1";
  EXPECT_EQ(l2(2, 2), 2 * whole) << "two iterations in one use whole lines";
  data.l1Bytes = 4096;
  EXPECT_EQ(l2(2, 1), whole);
}
