// Tables of lanes as index arithmetic: what is emitted is evaluated again, for every lane.
#include "compiler/driver/Session.h"
#include "compiler/lanes/LaneExpression.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"
#include <random>

using namespace inflight;
using namespace inflight::lanes;
using namespace mlir;

namespace {
struct Kernel {
  explicit Kernel(unsigned lanes) : lanes(lanes) {
    const std::string text =
        llvm::formatv("gpu.module @m {{ gpu.func @k() kernel attributes {{known_block_size = array<i32: {0}, 1, 1>} "
                      "{{ gpu.return } }",
                      lanes);
    module = parseSourceString<ModuleOp>(text, &session->context());
    module->walk([&](gpu::GPUFuncOp op) { function = op; });
  }
  /// What the emitted arithmetic comes to in each lane.
  std::optional<LaneTable> emitted(const LaneTable &table) {
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    LaneExpressions expressions(builder, function.getLoc(), emitFlatId(builder, function.getLoc(), function), lanes);
    const std::optional<LaneForm> form = LaneForms(function).of(expressions.emit(table));
    return form && form->isTable() ? std::optional(form->constant) : std::nullopt;
  }

  unsigned lanes;
  Session::Handle session = Session::take();
  OwningOpRef<ModuleOp> module;
  gpu::GPUFuncOp function;
};

LaneTable tableOf(unsigned lanes, llvm::function_ref<int64_t(unsigned)> of) {
  std::vector<int64_t> values;
  for (unsigned lane = 0; lane < lanes; ++lane)
    values.push_back(of(lane));
  return LaneTable(std::move(values));
}

void expectEmitted(Kernel &kernel, const LaneTable &table, const std::string &what) {
  ASSERT_TRUE(LaneExpressions::canEmit(table, kernel.lanes)) << what;
  const std::optional<LaneTable> found = kernel.emitted(table);
  ASSERT_TRUE(found) << what;
  for (unsigned lane = 0; lane < kernel.lanes; ++lane)
    ASSERT_EQ((*found)[lane], table[lane]) << what << ", lane " << lane;
}
} // namespace

/// Rows of any length, in any round of the workgroup, with bits of the place exchanged.
TEST(LaneExpressions, SwizzledPlacesOfRows) {
  std::mt19937 random(3);
  for (unsigned lanes : {64u, 128u, 256u}) {
    Kernel kernel(lanes);
    ASSERT_TRUE(kernel.module);
    for (unsigned length : {3u, 5u, 6u, 8u, 10u, 12u, 16u, 20u, 24u, 28u, 36u, 52u})
      for (unsigned round : {0u, 1u, 2u, 5u}) {
        const unsigned rowBytes = 1u << (8 + random() % 3), piece = 2u << random() % 4;
        const unsigned from = 6 + random() % 5, to = 2 + random() % 3, mask = (2u << random() % 3) - 1;
        auto at = [&](unsigned lane) {
          const unsigned place = lane + round * lanes;
          const int64_t byte = place % length * rowBytes + place / length * piece;
          return byte ^ (byte >> from & mask) << to;
        };
        // Rows whose pieces reach into each other's bits are sums with carries, and nothing of the kind.
        if ((lanes * (round + 1) / length + 1) * piece <= rowBytes)
          expectEmitted(
              kernel, tableOf(lanes, at),
              llvm::formatv("{0} lanes, rows of {1}, round {2}, from {3} to {4}", lanes, length, round, from, to));
      }
  }
}

TEST(LaneExpressions, BitsAndDigits) {
  std::mt19937 random(5);
  constexpr unsigned lanes = 256;
  Kernel kernel(lanes);
  for (unsigned round = 0; round < 60; ++round) {
    int64_t ofBit[8], first = random() % 4096;
    for (int64_t &each : ofBit)
      each = random() % 4096;
    expectEmitted(kernel,
                  tableOf(lanes,
                          [&](unsigned lane) {
                            int64_t value = first;
                            for (unsigned bit = 0; bit < 8; ++bit)
                              value ^= lane >> bit & 1 ? ofBit[bit] : 0;
                            return value;
                          }),
                  "bits");
    const int64_t low = int64_t(random() % 99) - 50, high = int64_t(random() % 999) - 500;
    expectEmitted(kernel, tableOf(lanes, [&](unsigned lane) { return lane % 16 * low + lane / 16 * high; }), "digits");
  }
}

/// What can't be emitted is said to be so; nothing else is emitted in its place.
TEST(LaneExpressions, AnyTable) {
  std::mt19937 random(7);
  constexpr unsigned lanes = 64;
  Kernel kernel(lanes);
  unsigned refused = 0;
  for (unsigned round = 0; round < 200; ++round) {
    const unsigned changed = random() % lanes, by = 1 + random() % 64, length = 3 + random() % 20;
    const LaneTable table = tableOf(lanes, [&](unsigned lane) {
      const int64_t byte = lane % length * 512 + lane / length * 4;
      return (byte ^ (byte >> 7 & 7) << 4) + (lane == changed ? by : 0);
    });
    if (!LaneExpressions::canEmit(table, lanes))
      ++refused;
    else
      expectEmitted(kernel, table, "one lane's changed");
  }
  EXPECT_GT(refused, 150u);
}
