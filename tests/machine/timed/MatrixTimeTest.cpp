// Every matrix instruction takes the cycles that the manuals and AMD's calculator state.
#include "MatrixLoops.h"
#include "TimedSnippet.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::machine;
using namespace inflight::machine::test;

namespace {

class MatrixTime : public testing::TestWithParam<std::string> {};

TEST_P(MatrixTime, IsThatOfTheTable) {
  unsigned count = 0;
  for (const MatrixRow &row : matrixRows(GetParam())) {
    Recording r = runTimed({.chip = GetParam(), .body = matrixLoop(row, 8)});
    EXPECT_EQ(periodOfLastRound(r, row.name, 8), row.cycles) << row.name;
    ++count;
  }
  EXPECT_GE(count, 27u);
}
INSTANTIATE_TEST_SUITE_P(Chips, MatrixTime, testing::Values("gfx90a", "gfx942", "gfx950"));

/// Measured on gfx942 (tingqli/pyhip, mfma-valu-coissue.md): beside 16 cycles of a matrix instruction 28.0, 32.0, 36.0
/// and 40.0.
TEST(MatrixTime, PackedSinglesDont) {
  for (unsigned packed = 1; packed <= 4; ++packed) {
    std::string text = "s_mov_b32 s20, 0\n.Lloop:\n";
    for (unsigned iteration = 0; iteration < 8; ++iteration) {
      text += "v_mfma_f32_16x16x16_f16 a[0:3], v[4:5], v[6:7], a[0:3]\n";
      for (unsigned i = 0; i < packed; ++i)
        text +=
            "v_pk_mul_f32 v[" + std::to_string(20 + 2 * i) + ":" + std::to_string(21 + 2 * i) + "], v[2:3], v[2:3]\n";
    }
    const auto all =
        runTimed({.body = text + "s_add_u32 s20, s20, 1\ns_cmp_lt_u32 s20, 3\ns_cbranch_scc1 .Lloop\n"}).of("v_mfma");
    EXPECT_EQ(all[23].issued - all[22].issued, 24u + 4 * packed);
  }
}

TEST(MatrixTime, ValuInstructionsGoInItsShadow) {
  // Of 32 cycles 4 are the matrix instruction's own issue: seven others fit.
  auto with = [&](unsigned adds) {
    std::string text = "v_mfma_f32_32x32x8_f16 a[0:15], v[4:5], v[6:7], a[0:15]\n";
    for (unsigned i = 0; i < adds; ++i)
      text += "v_add_f32 v" + std::to_string(20 + i) + ", v2, v3\n";
    const auto all = runTimed({.body = repeat(10, text)}).of("v_mfma");
    return all[9].issued - all[8].issued;
  };
  EXPECT_EQ(with(0), 32u);
  EXPECT_EQ(with(7), 32u);
  EXPECT_GT(with(12), 32u);
}

TEST(MatrixTime, TwoWavesOfASimdShareItsMatrixCore) {
  std::string body = "s_mov_b32 s20, 0\n.Lloop:\n";
  for (unsigned i = 0; i < 4; ++i)
    body += "v_mfma_f32_16x16x16_f16 a[" + std::to_string(4 * i) + ":" + std::to_string(4 * i + 3) +
            "], v[4:5], v[6:7], 0\n";
  body += "s_add_u32 s20, s20, 1\ns_cmp_lt_u32 s20, 40\ns_cbranch_scc1 .Lloop\n";
  Recording r = runTimed({.body = body, .waves = 8});
  // As long as both have some: the older one ends first.
  const uint64_t end = r.of("v_mfma", 0).back().issued;
  std::vector<uint64_t> issued;
  for (const auto &i : r.of("v_mfma"))
    if (r.begins[i.wave].simd == 0 && i.issued <= end)
      issued.push_back(i.issued);
  for (size_t i = 1; i < issued.size(); ++i)
    EXPECT_GE(issued[i] - issued[i - 1], 16u);
  EXPECT_NEAR(double(issued.back() - issued[40]) / double(issued.size() - 41), 16, 0.1);
  // One unit of the 304 was busy for most of the time.
  EXPECT_GT(r.stats.matrixShare, 0.75 / 304);
  EXPECT_LT(r.stats.matrixShare, 1.0 / 304);
}

} // namespace
