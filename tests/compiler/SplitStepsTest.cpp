// Iterations that become two of half the step: what has to be the same in both halves, and what the new loop does.
#include "compiler/loops/copies/SplitSteps.h"
#include "compiler/driver/Session.h"
#include "compiler/lanes/LaneForms.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::loops;

namespace {
class SplitSteps : public testing::Test {
protected:
  struct Text {
    std::string type = "16x32xf16";
    std::string load = "%a[%t4, %at]";         ///< lane t brings 8 halves
    std::string column = "%part";              ///< to here, of row t / 4
    std::string first = "%x0", second = "%x1"; ///< what the two products are of
    std::string later = "%far";                ///< where the second half is read
    std::string between = "";                  ///< more in the loop
    std::string sums = "%s0", result = "%s1";  ///< what the second product adds to, and what the loop carries
    std::string end = "256";
  };
  /// A loop of 64 lanes that copies 16 rows of 32 halves of K in each iteration and multiplies them by themselves.
  std::optional<Halves> parse(const Text &text) {
    const std::string code = llvm::formatv(R"(
      #lds = #gpu.address_space<workgroup>
      gpu.module @m {{
        gpu.func @f(%a: memref<?x1024xf16>, %o: memref<64xvector<4xf32>>) kernel attributes {{known_block_size = array<i32: 64, 1, 1>} {{
          %c0 = arith.constant 0 : index
          %c2 = arith.constant 2 : index
          %c4 = arith.constant 4 : index
          %c8 = arith.constant 8 : index
          %c16 = arith.constant 16 : index
          %step = arith.constant 32 : index
          %end = arith.constant {8} : index
          %zero = arith.constant dense<0.0> : vector<4xf32>
          %tile = memref.alloc() : memref<{0}, #lds>
          %t = gpu.thread_id x
          %t4 = arith.divui %t, %c4 : index
          %rest = arith.remui %t, %c4 : index
          %part = arith.muli %rest, %c8 : index
          %row = arith.remui %t, %c16 : index
          %t16 = arith.divui %t, %c16 : index
          %near = arith.muli %t16, %c4 : index
          %far = arith.addi %near, %c16 : index
          %t2 = arith.divui %t, %c2 : index
          %side = arith.remui %t, %c2 : index
          %along = arith.muli %side, %c8 : index
          %r = scf.for %k = %c0 to %end step %step iter_args(%sum = %zero) -> (vector<4xf32>) {{
            %at = arith.addi %k, %part : index
            %down = arith.addi %k, %t2 : index
            %l = vector.load {1} : memref<?x1024xf16>, vector<8xf16>
            vector.store %l, %tile[{2}] : memref<{0}, #lds>, vector<8xf16>
            gpu.barrier
            {3}
            {4}
            {5}
            %s0 = amdgpu.mfma 16x16x16 %x0 * {6} + %sum blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
            %s1 = amdgpu.mfma 16x16x16 %x1 * {7} blgp = none : vector<4xf16>, vector<4xf16>, vector<4xf32>
            gpu.barrier
            scf.yield {9} : vector<4xf32>
          }
          memref.store %r, %o[%t] : memref<64xvector<4xf32>>
          gpu.return
        }
      })",
                                           text.type, text.load, text.column == "%part" ? "%t4, %part" : text.column,
                                           read(text, "0", "%near"), read(text, "1", text.later), text.between,
                                           text.first, text.second + " + " + text.sums, text.end, text.result);
    module = mlir::parseSourceString<mlir::ModuleOp>(code, &session->context());
    EXPECT_TRUE(module);
    if (!module)
      return std::nullopt;
    module->walk([&](mlir::gpu::GPUFuncOp op) { kernel = op; });
    module->walk([&](mlir::scf::ForOp op) { loop = op; });
    LaneForms forms(kernel);
    tiles = findTiles(kernel, loop, forms);
    EXPECT_TRUE(tiles && tiles->obstacle.empty()) << (tiles ? tiles->obstacle : "");
    return tiles && tiles->obstacle.empty() ? findHalves(*tiles, forms) : std::nullopt;
  }
  /// Four elements of a row, or one, where K is along rows.
  static std::string read(const Text &text, llvm::StringRef number, llvm::StringRef k) {
    const llvm::StringRef form = text.type == "16x32xf16"
                                     ? "%x{0} = vector.load %tile[%row, {1}] : memref<{2}, #lds>, vector<4xf16>"
                                     : "%e{0} = memref.load %tile[{1}, %row] : memref<{2}, #lds>\n"
                                       "%x{0} = vector.broadcast %e{0} : f16 to vector<4xf16>";
    return llvm::formatv(false, form.data(), number, k, text.type);
  }

  Session::Handle session = Session::take();
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::gpu::GPUFuncOp kernel;
  mlir::scf::ForOp loop;
  std::optional<TileLoop> tiles;
};
} // namespace

TEST_F(SplitSteps, AnIterationBecomesTwo) {
  const std::optional<Halves> halves = parse({});
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->dims[0], 1u);
  loop = splitSteps(*tiles, *halves);
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
  EXPECT_EQ(mlir::getConstantIntValue(loop.getStep()), 16);
  EXPECT_EQ(mlir::getConstantIntValue(loop.getUpperBound()), 256);
  unsigned products = 0;
  loop.walk([&](mlir::amdgpu::MFMAOp op) {
    EXPECT_EQ(op.getDestC(), loop.getRegionIterArg(0));
    EXPECT_EQ(loop.getYieldedValues()[0], op.getResult());
    ++products;
  });
  EXPECT_EQ(products, 1u);
  LaneForms forms(kernel);
  tiles = findTiles(kernel, loop, forms);
  ASSERT_TRUE(tiles && tiles->obstacle.empty()) << "all that is read is stored";
  // Lane 1 had columns 8 to 15 of the step.
  const TileStore &store = tiles->tiles[0].stores[0];
  EXPECT_EQ(store.address[1], 8);
  EXPECT_EQ(store.bytes, 8u);
  EXPECT_EQ(store.indices[1].constant[1], 4);
  EXPECT_EQ(store.indices[0].constant[4], 1);
}

TEST_F(SplitSteps, KAlongRows) {
  Text text;
  text.type = "32x16xf16";
  text.load = "%a[%down, %along]";
  text.column = "%t2, %along";
  const std::optional<Halves> halves = parse(text);
  ASSERT_TRUE(halves);
  EXPECT_EQ(halves->dims[0], 0u);
  loop = splitSteps(*tiles, *halves);
  EXPECT_TRUE(mlir::succeeded(mlir::verify(*module)));
  LaneForms forms(kernel);
  tiles = findTiles(kernel, loop, forms);
  ASSERT_TRUE(tiles && tiles->obstacle.empty()) << "all that is read is stored";
  // Lanes 2 and 3 had row 1.
  const TileStore &store = tiles->tiles[0].stores[0];
  EXPECT_EQ(store.indices[0].constant[2], 0);
  EXPECT_EQ(store.indices[1].constant[2], 4) << "the second half of the first eight";
  EXPECT_EQ(store.address[2], 8);
  EXPECT_EQ(store.indices[1].constant[3], 12);
}

TEST_F(SplitSteps, TheLastIterationIsWhole) {
  Text text;
  text.end = "250";
  const std::optional<Halves> halves = parse(text);
  ASSERT_TRUE(halves);
  loop = splitSteps(*tiles, *halves);
  EXPECT_EQ(mlir::getConstantIntValue(loop.getUpperBound()), 256) << "what it brought beyond the end, it still brings";
}

TEST_F(SplitSteps, HalvesThatDiffer) {
  Text text;
  text.first = "%x1";
  EXPECT_FALSE(parse(text)) << "the first half asks for the second one's elements";
  text = {};
  text.second = "%x0";
  EXPECT_FALSE(parse(text)) << "the second half asks for the first one's";
  text = {};
  text.later = "%near";
  EXPECT_FALSE(parse(text)) << "both are of the same elements";
  text = {};
  text.between = "%n = arith.negf %x1 : vector<4xf16>";
  text.second = "%n";
  EXPECT_FALSE(parse(text)) << "one half does more";
  text = {};
  text.sums = "%sum";
  EXPECT_FALSE(parse(text)) << "the second product isn't added to the first";
}

TEST_F(SplitSteps, TheCounterIsForStores) {
  Text text;
  text.between = "%i = arith.index_cast %k : index to i16\n%h = arith.uitofp %i : i16 to f16\n"
                 "%y0 = vector.broadcast %h : f16 to vector<4xf16>";
  text.first = text.second = "%y0";
  EXPECT_FALSE(parse(text)) << "iterations are numbered otherwise";
}

TEST_F(SplitSteps, ColumnsAreMemorys) {
  Text text;
  text.load = "%a[%t4, %down]";
  EXPECT_FALSE(parse(text)) << "what a lane stores isn't as far along K in the tile as in memory";
}
