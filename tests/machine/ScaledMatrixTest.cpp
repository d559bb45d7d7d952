// Block-scaled and sparse matrix instructions against sums over the matrices, values exact in any order.
#include "Snippet.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace inflight::machine::test;
using llvm::APFloat;

namespace {
std::string range(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}
uint32_t encode(const llvm::fltSemantics &format, double value) {
  APFloat number(value);
  bool inexact;
  number.convert(format, APFloat::rmNearestTiesToEven, &inexact);
  EXPECT_FALSE(inexact) << value;
  return uint32_t(number.bitcastToAPInt().getZExtValue());
}
/// Sets `bits` bits at bit `at` of a lane's registers.
void put(std::vector<Register> &words, unsigned lane, unsigned at, unsigned bits, uint32_t value) {
  words[at / 32][lane] |= value << (at % 32);
  if (at % 32 + bits > 32)
    words[at / 32 + 1][lane] |= value >> (32 - at % 32);
}
/// Row and column of register r, lane l of a result.
unsigned rowOf(unsigned size, unsigned r, unsigned lane) {
  return size == 32 ? 8 * (r / 4) + 4 * (lane / 32) + r % 4 : 4 * (lane / 16) + r;
}

struct SmallFormat {
  const char *name;
  unsigned code, bits;
  const llvm::fltSemantics &format;
};
const SmallFormat formats[] = {{"fp8", 0, 8, APFloat::Float8E4M3FN()},
                               {"bf8", 1, 8, APFloat::Float8E5M2()},
                               {"fp6", 2, 6, APFloat::Float6E2M3FN()},
                               {"bf6", 3, 6, APFloat::Float6E3M2FN()},
                               {"fp4", 4, 4, APFloat::Float4E2M1FN()}};

/// All of the formats have these.
double valueOf(unsigned row, unsigned k, bool isB) {
  static const double values[] = {0, 0.5, 1, -1.5, 2, -3, 4, -0.5, 1.5, -6};
  return values[(row * 7 + k * 3 + isB * 5) % 10];
}
/// An E8M0 exponent for each row and 32 elements of K, from 1/8 to 8.
int exponentOf(unsigned row, unsigned block, bool isB) { return int((row * 5 + block * 3 + isB) % 7) - 3; }

class Scaled : public testing::TestWithParam<std::tuple<unsigned, unsigned, unsigned, bool>> {};
} // namespace

TEST_P(Scaled, MatchesTheSum) {
  auto [size, formatA, formatB, isScaled] = GetParam();
  const unsigned depth = 2048 / size, results = size * size / 64;
  auto operand = [&](const SmallFormat &f, bool isB) {
    std::vector<Register> words(f.bits, Register{}); // 32 elements a lane
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned e = 0; e < 32; ++e) {
        unsigned group = lane / size, k = f.bits == 8 ? e / 16 * (depth / 2) + group * 16 + e % 16 : group * 32 + e;
        put(words, lane, e * f.bits, f.bits, encode(f.format, valueOf(lane % size, k, isB)));
      }
    return words;
  };
  Snippet s;
  s.chip = "gfx950";
  s.in = operand(formats[formatA], false);
  const unsigned countA = s.in.size();
  for (const Register &r : operand(formats[formatB], true))
    s.in.push_back(r);
  const unsigned countB = s.in.size() - countA;
  // The scales are byte 2 for A and byte 1 for B; the other bytes hold nonsense.
  for (bool isB : {false, true}) {
    Register scales;
    for (unsigned lane = 0; lane < 64; ++lane)
      scales[lane] = (0x11111111u & ~(0xffu << (isB ? 8 : 16))) |
                     uint32_t(127 + exponentOf(lane % size, lane / size, isB)) << (isB ? 8 : 16);
    s.in.push_back(scales);
  }
  s.outputs = results;
  const unsigned scaleA = 10 + countA + countB;
  s.body = std::string("  v_mfma_") + (isScaled ? "scale_" : "") + "f32_" + (size == 16 ? "16x16x128" : "32x32x64") +
           "_f8f6f4 " + range(40, results) + ", " + range(10, countA) + ", " + range(10 + countA, countB) + ", 1.0" +
           (isScaled ? ", v" + std::to_string(scaleA) + ", v" + std::to_string(scaleA + 1) +
                           " op_sel:[0,1,0] op_sel_hi:[1,0,0]"
                     : "") +
           " cbsz:" + std::to_string(formats[formatA].code) + " blgp:" + std::to_string(formats[formatB].code) +
           "\n  s_nop 15\n  s_nop 15";
  std::vector<Register> got = runSnippet(s);
  for (unsigned r = 0; r < results; ++r)
    for (unsigned lane = 0; lane < 64; ++lane) {
      unsigned row = rowOf(size, r, lane), column = lane % size;
      double sum = 1;
      for (unsigned k = 0; k < depth; ++k) {
        int exponent = isScaled ? exponentOf(row, k / 32, false) + exponentOf(column, k / 32, true) : 0;
        sum += std::ldexp(valueOf(row, k, false) * valueOf(column, k, true), exponent);
      }
      ASSERT_EQ(llvm::bit_cast<float>(got[r][lane]), float(sum)) << "row " << row << " column " << column;
    }
}

INSTANTIATE_TEST_SUITE_P(Formats, Scaled,
                         testing::Combine(testing::Values(16u, 32u), testing::Range(0u, 5u), testing::Range(0u, 5u),
                                          testing::Bool()),
                         [](const auto &info) {
                           return std::string(std::get<0>(info.param) == 16 ? "Size16" : "Size32") +
                                  formats[std::get<1>(info.param)].name + "_" + formats[std::get<2>(info.param)].name +
                                  (std::get<3>(info.param) ? "Scaled" : "");
                         });

/// The byte 255 is NaN, and scales beyond what a float holds cancel.
TEST(Scaled, ExtremeScales) {
  Snippet s;
  s.chip = "gfx950";
  s.in = std::vector<Register>(8, all(0x38383838)); // ones
  s.in.push_back(lanes({254, 255}));
  s.in.push_back(all(0));
  s.outputs = 4;
  s.body =
      "  v_mfma_scale_f32_16x16x128_f8f6f4 v[40:43], v[10:17], v[10:17], 0, v18, v19 op_sel_hi:[0,0,0]\n  s_nop 15";
  std::vector<Register> got = runSnippet(s);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(llvm::bit_cast<float>(got[0][lane]), 128.0f); // row 0: 2^127 × 2^-127
    EXPECT_TRUE(std::isnan(llvm::bit_cast<float>(got[1][lane])));
  }
}

namespace {
struct SparseCase {
  const char *chip, *mnemonic;
  unsigned size, depth, bits;
  const llvm::fltSemantics *a, *b; ///< nullptr: i8
  unsigned set;                    ///< ABID
};
class Sparse : public testing::TestWithParam<SparseCase> {};
/// Which two of each four elements row `row` keeps.
std::pair<unsigned, unsigned> kept(unsigned row, unsigned quad) {
  static const std::pair<unsigned, unsigned> pairs[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  return pairs[(row + quad * 5) % 6];
}
} // namespace

TEST_P(Sparse, MatchesTheSum) {
  const SparseCase &c = GetParam();
  const unsigned perLane = c.size * c.depth / 2 / 64, results = c.size * c.size / 64, perWord = 32 / c.bits;
  auto bitsOf = [&](const llvm::fltSemantics *format, double value) {
    return format ? encode(*format, value) : uint32_t(int32_t(2 * value)) & 0xff;
  };
  std::vector<Register> a(perLane / perWord, Register{}), b(2 * perLane / perWord, Register{});
  Register indices = all(0);
  for (unsigned lane = 0; lane < 64; ++lane) {
    const unsigned row = lane % c.size, first = lane / c.size * 2 * perLane;
    for (unsigned e = 0; e < perLane; ++e) {
      unsigned quad = first / 4 + e / 2, within = e % 2 ? kept(row, quad).second : kept(row, quad).first;
      put(a, lane, e * c.bits, c.bits, bitsOf(c.a, valueOf(row, quad * 4 + within, false)));
      indices[lane] |= within << (c.set * 2 * perLane + 2 * e);
    }
    for (unsigned e = 0; e < 2 * perLane; ++e)
      put(b, lane, e * c.bits, c.bits, bitsOf(c.b, valueOf(row, first + e, true)));
  }
  Snippet s;
  s.chip = c.chip;
  s.in = a;
  s.in.insert(s.in.end(), b.begin(), b.end());
  s.in.push_back(indices);
  s.outputs = results;
  for (unsigned r = 0; r < results; ++r)
    s.body += "  v_mov_b32 v" + std::to_string(40 + r) + (c.a ? ", 1.0\n" : ", 1\n");
  s.body += "  s_nop 4\n  " + std::string(c.mnemonic) + " " + range(40, results) + ", " + range(10, a.size()) + ", " +
            range(10 + a.size(), b.size()) + ", v" + std::to_string(10 + a.size() + b.size()) +
            " abid:" + std::to_string(c.set) + "\n  s_nop 15\n  s_nop 15";
  std::vector<Register> got = runSnippet(s);
  for (unsigned r = 0; r < results; ++r)
    for (unsigned lane = 0; lane < 64; ++lane) {
      unsigned row = rowOf(c.size, r, lane), column = lane % c.size;
      double sum = 0;
      for (unsigned quad = 0; quad < c.depth / 4; ++quad)
        for (unsigned within : {kept(row, quad).first, kept(row, quad).second})
          sum += valueOf(row, quad * 4 + within, false) * valueOf(column, quad * 4 + within, true);
      if (c.a)
        ASSERT_EQ(llvm::bit_cast<float>(got[r][lane]), float(1 + sum)) << "row " << row << " column " << column;
      else
        ASSERT_EQ(int32_t(got[r][lane]), int32_t(1 + 4 * sum)) << "row " << row << " column " << column;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, Sparse,
    testing::Values(
        SparseCase{"gfx942", "v_smfmac_f32_16x16x32_f16", 16, 32, 16, &APFloat::IEEEhalf(), &APFloat::IEEEhalf(), 3},
        SparseCase{"gfx942", "v_smfmac_f32_32x32x16_bf16", 32, 16, 16, &APFloat::BFloat(), &APFloat::BFloat(), 0},
        SparseCase{"gfx942", "v_smfmac_i32_16x16x64_i8", 16, 64, 8, nullptr, nullptr, 1},
        SparseCase{"gfx942", "v_smfmac_f32_32x32x32_fp8_bf8", 32, 32, 8, &APFloat::Float8E4M3FNUZ(),
                   &APFloat::Float8E5M2FNUZ(), 0},
        SparseCase{"gfx950", "v_smfmac_f32_16x16x64_f16", 16, 64, 16, &APFloat::IEEEhalf(), &APFloat::IEEEhalf(), 1},
        SparseCase{"gfx950", "v_smfmac_i32_32x32x64_i8", 32, 64, 8, nullptr, nullptr, 0},
        SparseCase{"gfx950", "v_smfmac_f32_16x16x128_fp8_fp8", 16, 128, 8, &APFloat::Float8E4M3FN(),
                   &APFloat::Float8E4M3FN(), 0},
        SparseCase{"gfx942", "v_smfmac_f32_16x16x32_bf16", 16, 32, 16, &APFloat::BFloat(), &APFloat::BFloat(), 2},
        SparseCase{"gfx942", "v_smfmac_f32_32x32x16_f16", 32, 16, 16, &APFloat::IEEEhalf(), &APFloat::IEEEhalf(), 1},
        SparseCase{"gfx942", "v_smfmac_i32_32x32x32_i8", 32, 32, 8, nullptr, nullptr, 1},
        SparseCase{"gfx950", "v_smfmac_f32_16x16x64_bf16", 16, 64, 16, &APFloat::BFloat(), &APFloat::BFloat(), 0},
        SparseCase{"gfx950", "v_smfmac_f32_32x32x32_f16", 32, 32, 16, &APFloat::IEEEhalf(), &APFloat::IEEEhalf(), 1},
        SparseCase{"gfx950", "v_smfmac_f32_32x32x32_bf16", 32, 32, 16, &APFloat::BFloat(), &APFloat::BFloat(), 0},
        SparseCase{"gfx950", "v_smfmac_i32_16x16x128_i8", 16, 128, 8, nullptr, nullptr, 0},
        SparseCase{"gfx942", "v_smfmac_f32_16x16x64_fp8_fp8", 16, 64, 8, &APFloat::Float8E4M3FNUZ(),
                   &APFloat::Float8E4M3FNUZ(), 1},
        SparseCase{"gfx942", "v_smfmac_f32_32x32x32_fp8_fp8", 32, 32, 8, &APFloat::Float8E4M3FNUZ(),
                   &APFloat::Float8E4M3FNUZ(), 0},
        SparseCase{"gfx950", "v_smfmac_f32_32x32x64_fp8_fp8", 32, 64, 8, &APFloat::Float8E4M3FN(),
                   &APFloat::Float8E4M3FN(), 0},
        SparseCase{"gfx942", "v_smfmac_f32_16x16x64_fp8_bf8", 16, 64, 8, &APFloat::Float8E4M3FNUZ(),
                   &APFloat::Float8E5M2FNUZ(), 1},
        SparseCase{"gfx950", "v_smfmac_f32_16x16x128_fp8_bf8", 16, 128, 8, &APFloat::Float8E4M3FN(),
                   &APFloat::Float8E5M2(), 0},
        SparseCase{"gfx950", "v_smfmac_f32_32x32x64_fp8_bf8", 32, 64, 8, &APFloat::Float8E4M3FN(),
                   &APFloat::Float8E5M2(), 0},
        SparseCase{"gfx942", "v_smfmac_f32_16x16x64_bf8_fp8", 16, 64, 8, &APFloat::Float8E5M2FNUZ(),
                   &APFloat::Float8E4M3FNUZ(), 1},
        SparseCase{"gfx942", "v_smfmac_f32_32x32x32_bf8_fp8", 32, 32, 8, &APFloat::Float8E5M2FNUZ(),
                   &APFloat::Float8E4M3FNUZ(), 0},
        SparseCase{"gfx950", "v_smfmac_f32_16x16x128_bf8_fp8", 16, 128, 8, &APFloat::Float8E5M2(),
                   &APFloat::Float8E4M3FN(), 0},
        SparseCase{"gfx950", "v_smfmac_f32_32x32x64_bf8_fp8", 32, 64, 8, &APFloat::Float8E5M2(),
                   &APFloat::Float8E4M3FN(), 0},
        SparseCase{"gfx942", "v_smfmac_f32_16x16x64_bf8_bf8", 16, 64, 8, &APFloat::Float8E5M2FNUZ(),
                   &APFloat::Float8E5M2FNUZ(), 1},
        SparseCase{"gfx942", "v_smfmac_f32_32x32x32_bf8_bf8", 32, 32, 8, &APFloat::Float8E5M2FNUZ(),
                   &APFloat::Float8E5M2FNUZ(), 0},
        SparseCase{"gfx950", "v_smfmac_f32_16x16x128_bf8_bf8", 16, 128, 8, &APFloat::Float8E5M2(),
                   &APFloat::Float8E5M2(), 0},
        SparseCase{"gfx950", "v_smfmac_f32_32x32x64_bf8_bf8", 32, 64, 8, &APFloat::Float8E5M2(), &APFloat::Float8E5M2(),
                   0}),
    [](const auto &info) { return std::string(info.param.chip) + "_" + info.param.mnemonic; });
