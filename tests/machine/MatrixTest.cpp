// Matrix instructions against sums that the host makes from the matrices themselves.
//
// All inputs are small multiples of a power of two, so every sum is exact in any order.
#include "Snippet.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;
using llvm::APFloat;

namespace {
struct Element {
  const char *suffix; ///< in the mnemonic
  unsigned bits;
  const llvm::fltSemantics *format; ///< nullptr: an integer
};

/// The bits of `value` in a format, by LLVM's soft floats.
uint32_t encode(const Element &element, double value) {
  if (!element.format)
    return uint32_t(int32_t(value)) & 0xff;
  APFloat number(value);
  bool inexact;
  number.convert(*element.format, APFloat::rmNearestTiesToEven, &inexact);
  EXPECT_FALSE(inexact) << value;
  return uint32_t(number.bitcastToAPInt().getZExtValue());
}

struct Case {
  const char *chip, *mnemonic;
  unsigned size, depth, blocks;
  Element a, b;
};

const Element f32{"f32", 32, &APFloat::IEEEsingle()}, f16{"f16", 16, &APFloat::IEEEhalf()},
    bf16{"bf16", 16, &APFloat::BFloat()}, i8{"i8", 8, nullptr}, fp8{"fp8", 8, &APFloat::Float8E4M3FNUZ()},
    bf8{"bf8", 8, &APFloat::Float8E5M2FNUZ()}, fp8Ocp{"fp8", 8, &APFloat::Float8E4M3FN()},
    bf8Ocp{"bf8", 8, &APFloat::Float8E5M2()};

/// Small integers and quarters, both signs, zero among them; differs from block to block.
double valueOf(unsigned block, unsigned row, unsigned k, bool isB, bool isInt) {
  int n = int((row * 7 + k * 13 + block * 5 + isB * 3) % 15) - 7;
  return isInt ? n : n * 0.25;
}

class Dense : public testing::TestWithParam<Case> {};
} // namespace

TEST_P(Dense, MatchesTheSum) {
  const Case &c = GetParam();
  const unsigned lanesOfBlock = c.size, perLane = c.size * c.depth * c.blocks / 64;
  const bool isInt = !c.a.format;
  // An operand's registers: lane l has row l % size of block (l / size) % blocks, `perLane` consecutive k.
  auto operand = [&](const Element &element, bool isB) {
    unsigned perWord = 32 / element.bits;
    std::vector<Register> words(perLane / perWord, Register{});
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned e = 0; e < perLane; ++e) {
        unsigned block = lane / lanesOfBlock % c.blocks, k = lane / lanesOfBlock / c.blocks * perLane + e;
        words[e / perWord][lane] |= encode(element, valueOf(block, lane % c.size, k, isB, isInt))
                                    << (e % perWord * element.bits);
      }
    return words;
  };
  const unsigned registers = c.size * c.size * c.blocks / 64;
  Snippet s;
  s.chip = c.chip;
  s.in = operand(c.a, false);
  const unsigned aWords = s.in.size();
  for (const Register &r : operand(c.b, true))
    s.in.push_back(r);
  const unsigned bWords = s.in.size() - aWords;
  s.outputs = registers;
  auto range = [](unsigned first, unsigned count) {
    return count == 1 ? "v" + std::to_string(first)
                      : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
  };
  // Twice the product: the second one adds to the first.
  std::string d = range(40, registers), call = std::string("  ") + c.mnemonic + " " + d + ", " + range(10, aWords) +
                                               ", " + range(10 + aWords, bWords) + ", ";
  s.body = call + "1.0\n  s_nop 15\n  s_nop 15\n" + call + d + "\n  s_nop 15\n  s_nop 15";
  if (isInt)
    s.body.replace(s.body.find("1.0"), 3, "1");
  std::vector<Register> got = runSnippet(s);
  for (unsigned r = 0; r < registers; ++r)
    for (unsigned lane = 0; lane < 64; ++lane) {
      unsigned block, row, column = lane % c.size;
      if (c.size == 4) {
        block = lane / 4;
        row = r;
      } else {
        unsigned perBlock = registers / c.blocks, inBlock = r % perBlock;
        block = r / perBlock;
        row = c.size == 32 ? 8 * (inBlock / 4) + 4 * (lane / 32) + inBlock % 4 : 4 * (lane / 16) + inBlock;
      }
      double sum = 0;
      for (unsigned k = 0; k < c.depth; ++k)
        sum += valueOf(block, row, k, false, isInt) * valueOf(block, column, k, true, isInt);
      double expected = 1 + 2 * sum;
      if (isInt)
        ASSERT_EQ(int32_t(got[r][lane]), int32_t(expected)) << "register " << r << " lane " << lane;
      else
        ASSERT_EQ(llvm::bit_cast<float>(got[r][lane]), float(expected)) << "register " << r << " lane " << lane;
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Dense,
                         testing::Values(Case{"gfx942", "v_mfma_f32_32x32x1_2b_f32", 32, 1, 2, f32, f32},
                                         Case{"gfx942", "v_mfma_f32_16x16x1_4b_f32", 16, 1, 4, f32, f32},
                                         Case{"gfx942", "v_mfma_f32_4x4x1_16b_f32", 4, 1, 16, f32, f32},
                                         Case{"gfx942", "v_mfma_f32_32x32x2_f32", 32, 2, 1, f32, f32},
                                         Case{"gfx942", "v_mfma_f32_16x16x4_f32", 16, 4, 1, f32, f32},
                                         Case{"gfx942", "v_mfma_f32_16x16x8_xf32", 16, 8, 1, f32, f32},
                                         Case{"gfx942", "v_mfma_f32_32x32x4_2b_f16", 32, 4, 2, f16, f16},
                                         Case{"gfx942", "v_mfma_f32_4x4x4_16b_f16", 4, 4, 16, f16, f16},
                                         Case{"gfx90a", "v_mfma_f32_32x32x1f32", 32, 1, 2, f32, f32},
                                         Case{"gfx90a", "v_mfma_f32_16x16x1f32", 16, 1, 4, f32, f32},
                                         Case{"gfx90a", "v_mfma_f32_4x4x1f32", 4, 1, 16, f32, f32},
                                         Case{"gfx90a", "v_mfma_f32_32x32x2f32", 32, 2, 1, f32, f32},
                                         Case{"gfx90a", "v_mfma_f32_16x16x4f32", 16, 4, 1, f32, f32},
                                         Case{"gfx942", "v_mfma_f32_32x32x4_xf32", 32, 4, 1, f32, f32},
                                         Case{"gfx90a", "v_mfma_f32_32x32x4f16", 32, 4, 2, f16, f16},
                                         Case{"gfx90a", "v_mfma_f32_16x16x4f16", 16, 4, 4, f16, f16},
                                         Case{"gfx90a", "v_mfma_f32_4x4x4f16", 4, 4, 16, f16, f16},
                                         Case{"gfx90a", "v_mfma_f32_16x16x16f16", 16, 16, 1, f16, f16},
                                         Case{"gfx90a", "v_mfma_f32_32x32x2bf16", 32, 2, 2, bf16, bf16},
                                         Case{"gfx90a", "v_mfma_f32_32x32x4bf16", 32, 4, 1, bf16, bf16},
                                         Case{"gfx90a", "v_mfma_f32_16x16x8bf16", 16, 8, 1, bf16, bf16},
                                         Case{"gfx90a", "v_mfma_f32_4x4x2bf16", 4, 2, 16, bf16, bf16},
                                         Case{"gfx90a", "v_mfma_f32_32x32x4bf16_1k", 32, 4, 2, bf16, bf16},
                                         Case{"gfx90a", "v_mfma_f32_16x16x4bf16_1k", 16, 4, 4, bf16, bf16},
                                         Case{"gfx90a", "v_mfma_f32_16x16x16bf16_1k", 16, 16, 1, bf16, bf16},
                                         Case{"gfx942", "v_mfma_f32_16x16x4_4b_bf16", 16, 4, 4, bf16, bf16},
                                         Case{"gfx942", "v_mfma_f32_4x4x4_16b_bf16", 4, 4, 16, bf16, bf16},
                                         Case{"gfx942", "v_mfma_f32_32x32x8_bf16", 32, 8, 1, bf16, bf16},
                                         Case{"gfx90a", "v_mfma_i32_32x32x4i8", 32, 4, 2, i8, i8},
                                         Case{"gfx90a", "v_mfma_i32_16x16x4i8", 16, 4, 4, i8, i8},
                                         Case{"gfx90a", "v_mfma_i32_32x32x8i8", 32, 8, 1, i8, i8},
                                         Case{"gfx942", "v_mfma_i32_16x16x32_i8", 16, 32, 1, i8, i8},
                                         Case{"gfx942", "v_mfma_f32_16x16x32_bf8_fp8", 16, 32, 1, bf8, fp8},
                                         Case{"gfx942", "v_mfma_f32_32x32x16_fp8_fp8", 32, 16, 1, fp8, fp8},
                                         Case{"gfx942", "v_mfma_f32_32x32x16_fp8_bf8", 32, 16, 1, fp8, bf8},
                                         Case{"gfx950", "v_mfma_f32_16x16x32_f16", 16, 32, 1, f16, f16},
                                         Case{"gfx950", "v_mfma_f32_32x32x16_bf16", 32, 16, 1, bf16, bf16},
                                         Case{"gfx942", "v_mfma_f32_32x32x8_f16", 32, 8, 1, f16, f16},
                                         Case{"gfx942", "v_mfma_f32_16x16x16_f16", 16, 16, 1, f16, f16},
                                         Case{"gfx90a", "v_mfma_f32_32x32x8bf16_1k", 32, 8, 1, bf16, bf16},
                                         Case{"gfx942", "v_mfma_f32_16x16x16_bf16", 16, 16, 1, bf16, bf16},
                                         Case{"gfx90a", "v_mfma_i32_16x16x16i8", 16, 16, 1, i8, i8},
                                         Case{"gfx942", "v_mfma_i32_32x32x16_i8", 32, 16, 1, i8, i8},
                                         Case{"gfx942", "v_mfma_i32_4x4x4_16b_i8", 4, 4, 16, i8, i8},
                                         Case{"gfx942", "v_mfma_f32_16x16x32_fp8_fp8", 16, 32, 1, fp8, fp8},
                                         Case{"gfx942", "v_mfma_f32_32x32x16_bf8_fp8", 32, 16, 1, bf8, fp8},
                                         Case{"gfx942", "v_mfma_f32_16x16x32_fp8_bf8", 16, 32, 1, fp8, bf8},
                                         Case{"gfx950", "v_mfma_f32_32x32x16_f16", 32, 16, 1, f16, f16},
                                         Case{"gfx950", "v_mfma_f32_16x16x32_bf16", 16, 32, 1, bf16, bf16},
                                         Case{"gfx950", "v_mfma_i32_16x16x64_i8", 16, 64, 1, i8, i8},
                                         Case{"gfx950", "v_mfma_i32_32x32x32_i8", 32, 32, 1, i8, i8},
                                         Case{"gfx950", "v_mfma_f32_16x16x32_fp8_fp8", 16, 32, 1, fp8Ocp, fp8Ocp},
                                         Case{"gfx950", "v_mfma_f32_32x32x16_bf8_bf8", 32, 16, 1, bf8Ocp, bf8Ocp}),
                         [](const testing::TestParamInfo<Case> &info) {
                           return std::string(info.param.chip) + "_" + info.param.mnemonic;
                         });

/// All 256 values of each 8-bit format, NaNs and denormals among them, times one.
TEST(Matrix, Float8Values) {
  struct Format {
    const char *chip, *mnemonic;
    const llvm::fltSemantics *format;
  };
  for (const Format &f :
       {Format{"gfx942", "fp8_bf8", &APFloat::Float8E4M3FNUZ()},
        Format{"gfx942", "bf8_bf8", &APFloat::Float8E5M2FNUZ()}, Format{"gfx950", "fp8_bf8", &APFloat::Float8E4M3FN()},
        Format{"gfx950", "bf8_bf8", &APFloat::Float8E5M2()}})
    for (unsigned chunk = 0; chunk < 16; ++chunk) {
      Snippet s;
      s.chip = f.chip;
      s.body = std::string("  v_mfma_f32_16x16x32_") + f.mnemonic + " v[40:43], v[10:11], v[12:13], 0\n  s_nop 15";
      // Row i has the value 16 chunk + i at k = 0; B is one there.
      Register a{}, b{};
      for (unsigned i = 0; i < 16; ++i) {
        a[i] = 16 * chunk + i;
        b[i] = encode(f.chip == std::string("gfx942") ? bf8 : bf8Ocp, 1.0);
      }
      s.in = {a, Register{}, b, Register{}};
      s.outputs = 4;
      std::vector<Register> got = runSnippet(s);
      for (unsigned i = 0; i < 16; ++i) {
        float value = llvm::bit_cast<float>(got[i % 4][i / 4 * 16]);
        APFloat expected(*f.format, llvm::APInt(8, 16 * chunk + i));
        if (expected.isNaN())
          EXPECT_NE(value, value);
        else
          EXPECT_EQ(value, expected.convertToFloat()) << f.chip << " " << f.mnemonic << " " << 16 * chunk + i;
      }
    }
}

/// The destination may be where A is: all of A is read first.
TEST(Matrix, DestinationOverA) {
  Snippet s;
  s.body = "  v_mov_b32 v40, 1.0\n  v_mov_b32 v41, 1.0\n  s_nop 4\n  v_mfma_f32_16x16x8_xf32 v[40:43], v[40:41], "
           "v[10:11], 0\n  s_nop 15";
  s.in = {all(0x40000000), all(0x40000000)};
  s.outputs = 4;
  std::vector<Register> got = runSnippet(s);
  for (const Register &r : got)
    EXPECT_EQ(r, all(0x41800000)); // 8 × 1 × 2
}

/// The same registers as operands again after they changed: by a vector instruction, by a load, by a matrix
/// instruction.
TEST(Matrix, OperandsChangeInBetween) {
  Snippet s;
  s.in = {all(0x3f800000), all(0x40000000)}; // 1, 2
  s.outputs = 4;
  const std::string wait = "  s_nop 15\n", product = "v_mfma_f32_16x16x4_f32 v[60:63], v20, v21, 0\n";
  auto result = [&](unsigned i) { return wait + "  v_mov_b32 v" + std::to_string(40 + i) + ", v60\n"; };
  s.body = "  v_mov_b32 v20, v10\n  v_mov_b32 v21, v10\n  s_nop 4\n  " + product + result(0) +
           "  v_mov_b32 v20, v11\n  s_nop 4\n  " + product + result(1) +
           "  ds_write_b32 v1, v11\n  s_waitcnt lgkmcnt(0)\n  ds_read_b32 v21, v1\n  s_waitcnt lgkmcnt(0)\n  " +
           product + result(2) + "  v_mfma_f32_16x16x4_f32 v[20:23], v20, v21, 0\n" + wait +
           "  v_mov_b32 v24, v10\n" + // 4 × 2 × 2
           "  v_mfma_f32_16x16x4_f32 v[60:63], v20, v24, 0\n" + result(3);
  std::vector<Register> got = runSnippet(s);
  const float expected[] = {4, 8, 16, 64};
  for (unsigned i = 0; i < 4; ++i)
    EXPECT_EQ(got[i], all(llvm::bit_cast<uint32_t>(expected[i]))) << "product " << i;
}

/// A matrix instruction that writes over an operand of the one before.
TEST(Matrix, ResultOverAnOperand) {
  Snippet s;
  s.in = {all(0x3f800000), all(0x40000000)};
  s.body = "  v_mov_b32 v20, v10\n  v_mov_b32 v30, v11\n  s_nop 4\n  v_mfma_f32_16x16x4_f32 v[60:63], v20, v30, 0\n  "
           "s_nop 15\n"
           "  v_mfma_f32_16x16x4_f32 v[20:23], v30, v30, 0\n  s_nop 15\n  v_mfma_f32_16x16x4_f32 v[60:63], v20, v30, "
           "0\n  s_nop 15\n  v_mov_b32 v40, v60";
  EXPECT_EQ(runSnippet(s)[0], all(0x43000000)); // 4 × 16 × 2
}

/// v_accvgpr_mov copies between AGPRs and leaves the VGPRs of these numbers alone.
TEST(Matrix, MovesBetweenAccumulators) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"}) {
    Snippet s;
    s.chip = chip;
    s.in = {all(1), all(2)};
    s.outputs = 2;
    s.body = "  v_mov_b32 v40, 3\n  v_mov_b32 v20, 4\n  v_accvgpr_write_b32 a20, v10\n  v_accvgpr_write_b32 a40, v11\n"
             "  v_accvgpr_mov_b32 a40, a20\n  v_accvgpr_read_b32 v41, a40";
    std::vector<Register> got = runSnippet(s);
    EXPECT_EQ(got[0], all(3)) << chip;
    EXPECT_EQ(got[1], all(1)) << chip;
  }
}
