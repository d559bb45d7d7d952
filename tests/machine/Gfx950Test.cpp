// What gfx950 added besides matrices: BITOP3, conversions with scales, transposing LDS reads, lane swaps.
#include "Snippet.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace inflight::machine::test;
using llvm::APFloat;

namespace {
Snippet gfx950(std::string body, std::vector<Register> in, unsigned outputs = 1) {
  Snippet s;
  s.chip = "gfx950";
  s.body = std::move(body);
  s.in = std::move(in);
  s.outputs = outputs;
  return s;
}
uint32_t bits(float x) { return llvm::bit_cast<uint32_t>(x); }
/// `value` in a format, rounded to nearest even, by LLVM's soft floats.
uint32_t rounded(const llvm::fltSemantics &format, double value) {
  APFloat number(value);
  bool inexact;
  number.convert(format, APFloat::rmNearestTiesToEven, &inexact);
  return uint32_t(number.bitcastToAPInt().getZExtValue());
}
double valueIn(const llvm::fltSemantics &format, unsigned width, uint32_t code) {
  return APFloat(format, llvm::APInt(width, code)).convertToDouble();
}
} // namespace

TEST(Gfx950, Bitop3) {
  uint32_t a = 0xf0f0f0f0, b = 0xcccccccc, c = 0xaaaaaaaa;
  std::vector<Register> in = {all(a), all(b), all(c)};
  auto run = [&](const std::string &table) {
    return runSnippet(gfx950("  v_bitop3_b32 v40, v10, v11, v12 bitop3:" + table, in))[0][7];
  };
  EXPECT_EQ(run("0x96"), a ^ b ^ c);
  EXPECT_EQ(run("0xe8"), (a & b) | (a & c) | (b & c));
  EXPECT_EQ(run("0x20"), a & ~b & c);
  EXPECT_EQ(run("1"), ~(a | b | c));
}

TEST(Gfx950, LaneSwaps) {
  for (unsigned width : {16u, 32u}) {
    std::vector<Register> got =
        runSnippet(gfx950("  v_mov_b32 v40, v10\n  v_mov_b32 v41, v11\n  s_nop 4\n  v_permlane" +
                              std::to_string(width) + "_swap_b32 v40, v41",
                          {iota(0), iota(100)}, 2));
    for (unsigned i = 0; i < 64; ++i) {
      bool odd = i / width % 2;
      EXPECT_EQ(got[0][i], odd ? 100 + i - width : i);
      EXPECT_EQ(got[1][i], odd ? 100 + i : i + width);
    }
  }
}

/// As with DPP, a lane that is off isn't written, and is no source without `fi`; `bound_ctrl` makes zero of it.
TEST(Gfx950, LaneSwapsOfSomeLanes) {
  const uint64_t exec = 0x00ff0ff0f0f0aaaa;
  for (unsigned width : {16u, 32u})
    for (bool fetches : {false, true})
      for (bool zeroes : {false, true}) {
        const std::string modifiers = std::string(zeroes ? " bound_ctrl:1" : "") + (fetches ? " fi:1" : "");
        std::vector<Register> got =
            runSnippet(gfx950("  v_mov_b32 v40, v10\n  v_mov_b32 v41, v11\n  s_mov_b32 exec_lo, 0xf0f0aaaa\n  "
                              "s_mov_b32 exec_hi, 0x00ff0ff0\n  s_nop 4\n  v_permlane" +
                                  std::to_string(width) + "_swap_b32_e64 v40, v41" + modifiers,
                              {iota(1), iota(100)}, 2));
        for (unsigned i = 0; i < 64; ++i) {
          // Odd rows of the first come from even rows of the second, and the other way round.
          const bool odd = i / width % 2, isOn = exec >> i & 1;
          const unsigned other = odd ? i - width : i + width;
          const bool sourceOn = exec >> other & 1;
          const uint32_t moved = sourceOn || fetches ? (odd ? 100 : 1) + other : 0;
          const bool writes = isOn && (sourceOn || fetches || zeroes);
          EXPECT_EQ(got[0][i], odd && writes ? moved : 1 + i) << width << modifiers << " lane " << i;
          EXPECT_EQ(got[1][i], !odd && writes ? moved : 100 + i) << width << modifiers << " lane " << i;
        }
      }
}

TEST(Gfx950, PackedConversions) {
  std::vector<Register> in = {all(bits(1.0009765f)), all(bits(-65519.0f))};
  EXPECT_EQ(runSnippet(gfx950("  v_cvt_pk_f16_f32 v40, v10, -v11", in))[0][0],
            rounded(APFloat::IEEEhalf(), 1.0009765f) | rounded(APFloat::IEEEhalf(), 65519.0) << 16);
  EXPECT_EQ(runSnippet(gfx950("  v_cvt_pk_bf16_f32 v40, v10, v11", in))[0][0],
            rounded(APFloat::BFloat(), 1.0009765f) | rounded(APFloat::BFloat(), -65519.0) << 16);
}

/// Matrix rows of 16 elements in LDS, lane by lane; each lane gets its column's first elements.
TEST(Gfx950, TransposingReads) {
  struct Form {
    const char *mnemonic;
    unsigned elementBits, bytes;
  };
  for (const Form &form : {Form{"ds_read_b64_tr_b16", 16, 8}, Form{"ds_read_b64_tr_b8", 8, 8},
                           Form{"ds_read_b96_tr_b6", 6, 12}, Form{"ds_read_b64_tr_b4", 4, 8}}) {
    const unsigned elements = form.bytes * 8 / form.elementBits, words = form.bytes / 4,
                   mask = (1u << form.elementBits) - 1;
    auto value = [&](unsigned group, unsigned row, unsigned column) {
      return (group * 83 + row * 29 + column * 7 + row * column) & mask;
    };
    std::vector<Register> in(4, Register{});
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned e = 0; e < elements; ++e) {
        unsigned number = lane % 16 * elements + e, at = e * form.elementBits;
        uint32_t v = value(lane / 16, number / 16, number % 16);
        in[at / 32][lane] |= v << (at % 32);
        if (at % 32 + form.elementBits > 32)
          in[at / 32 + 1][lane] |= v >> (32 - at % 32);
      }
    std::string to = "v[40:" + std::to_string(39 + words) + "]";
    std::vector<Register> got = runSnippet(
        gfx950("  v_lshlrev_b32 v2, 2, v1\n  ds_write_b128 v2, v[10:13] offset:16\n  s_waitcnt lgkmcnt(0)\n  " +
                   std::string(form.mnemonic) + " " + to + ", v2 offset:16\n  s_waitcnt lgkmcnt(0)",
               in, words));
    for (unsigned lane = 0; lane < 64; ++lane)
      for (unsigned n = 0; n < elements; ++n) {
        unsigned at = n * form.elementBits;
        uint64_t pair = got[at / 32][lane] | (at / 32 + 1 < words ? uint64_t(got[at / 32 + 1][lane]) << 32 : 0);
        EXPECT_EQ(uint32_t(pair >> (at % 32)) & mask, value(lane / 16, n, lane % 16))
            << form.mnemonic << " lane " << lane << " element " << n;
      }
  }
}

namespace {
struct SmallFormat {
  const char *name;
  unsigned width;
  const llvm::fltSemantics &format;
};
const SmallFormat fp8{"fp8", 8, APFloat::Float8E4M3FN()}, bf8{"bf8", 8, APFloat::Float8E5M2()},
    fp6{"fp6", 6, APFloat::Float6E2M3FN()}, bf6{"bf6", 6, APFloat::Float6E3M2FN()},
    fp4{"fp4", 4, APFloat::Float4E2M1FN()};
const float scale = 4.0f;
} // namespace

/// From 8 bits: every code, times the scale, of which only the exponent counts.
TEST(Gfx950, ScaledFromFloat8) {
  for (const SmallFormat &f : {fp8, bf8})
    for (unsigned chunk = 0; chunk < 4; ++chunk) {
      Register codes = iota(64 * chunk), packed;
      for (unsigned i = 0; i < 64; ++i)
        packed[i] = codes[i] << 16 | (255 - codes[i]) << 24;
      std::string name = f.name;
      std::vector<Register> got = runSnippet(
          gfx950("  v_cvt_scalef32_f32_" + name + " v40, v10, v11 op_sel:[0,1,0]\n  v_cvt_scalef32_pk_f32_" + name +
                     " v[42:43], v10, v11 op_sel:[1,0,0]\n"
                     "  v_cvt_scalef32_pk_f16_" +
                     name + " v41, v10, v11 op_sel:[1,0,0]\n  v_cvt_scalef32_pk_bf16_" + name +
                     " v44, v10, v11 op_sel:[1,0,0]",
                 {packed, all(bits(scale * 1.75f))}, 5));
      for (unsigned i = 0; i < 64; ++i) {
        double first = valueIn(f.format, 8, codes[i]), second = valueIn(f.format, 8, 255 - codes[i]);
        if (std::isfinite(first)) {
          EXPECT_EQ(got[0][i], bits(float(first * scale)));
          EXPECT_EQ(got[2][i], bits(float(first * scale)));
          EXPECT_EQ(got[1][i] & 0xffff, rounded(APFloat::IEEEhalf(), first * scale));
          EXPECT_EQ(got[4][i] & 0xffff, rounded(APFloat::BFloat(), first * scale));
        }
        if (std::isfinite(second))
          EXPECT_EQ(got[3][i], bits(float(second * scale)));
      }
    }
}

/// To 8 and 4 bits: divided by the scale, into the chosen part; the rest stays.
TEST(Gfx950, ScaledToPacked) {
  Register a, b;
  for (unsigned i = 0; i < 64; ++i) {
    a[i] = bits((float(i) - 31.7f) * 0.37f);
    b[i] = bits((float(i) - 20.0f) * -0.51f);
  }
  for (const SmallFormat &f : {fp8, bf8, fp4}) {
    const unsigned shift = f.width == 4 ? 24 : 16, mask = f.width == 4 ? 0xff : 0xffff;
    std::vector<Register> got =
        runSnippet(gfx950(std::string("  v_mov_b32 v40, -1\n  v_cvt_scalef32_pk_") + f.name +
                              "_f32 v40, v10, v11, v12" + (f.width == 4 ? " op_sel:[0,0,1,1]" : " op_sel:[0,0,0,1]"),
                          {a, b, all(bits(scale))}));
    for (unsigned i = 0; i < 64; ++i) {
      uint32_t expected = rounded(f.format, llvm::bit_cast<float>(a[i]) / scale) |
                          rounded(f.format, llvm::bit_cast<float>(b[i]) / scale) << f.width;
      EXPECT_EQ(got[0][i], expected << shift | (~0u & ~(mask << shift))) << f.name << " lane " << i;
    }
  }
}

/// 32 elements of 6 bits there and back; 2XPK16 interleaves its sources.
TEST(Gfx950, Scaled32) {
  for (const SmallFormat &f : {fp6, bf6}) {
    std::string body;
    for (unsigned i = 0; i < 32; ++i) // element i of a lane: lane + 64 i, reduced to a code's value
      body += "  v_mov_b32 v" + std::to_string(60 + i) + ", v" + std::to_string(10 + i % 8) + "\n";
    std::vector<Register> in(9);
    auto code = [](unsigned i, unsigned lane) { return (lane * 5 + i * 11) % 64; };
    for (unsigned i = 0; i < 8; ++i)
      for (unsigned lane = 0; lane < 64; ++lane)
        in[i][lane] = bits(float(valueIn(f.format, 6, code(i, lane)) * scale));
    in[8] = all(bits(scale));
    std::string name = f.name;
    body += "  v_cvt_scalef32_2xpk16_" + name + "_f32 v[40:45], v[60:75], v[76:91], v18\n  v_cvt_scalef32_pk32_f32_" +
            name + " v[96:127], v[40:45], v18\n";
    for (unsigned i = 0; i < 32; ++i)
      body += "  v_mov_b32 v" + std::to_string(40 + i) + ", v" + std::to_string(96 + i) + "\n";
    std::vector<Register> got = runSnippet(gfx950(body, in, 32));
    for (unsigned i = 0; i < 32; ++i)
      for (unsigned lane = 0; lane < 64; ++lane)
        EXPECT_EQ(got[i][lane], in[(i / 2 + i % 2 * 16) % 8][lane]) << f.name << " element " << i;
  }
}

/// Stochastic rounding: 1 + 1/32 lies a quarter of the path from 1 to 1 1/8 in E4M3.
TEST(Gfx950, StochasticRounding) {
  std::vector<Register> in = {all(bits(1.03125f)), lanes({0, 0xbfffffff, 0xc0000000, 0xffffffff}), all(bits(1.0f))};
  for (const char *text : {"  v_mov_b32 v40, 0\n  v_cvt_sr_fp8_f32 v40, v10, v11 op_sel:[0,0,1,0]",
                           "  v_mov_b32 v40, 0\n  v_cvt_scalef32_sr_fp8_f32 v40, v10, v11, v12 op_sel:[0,0,1,0]"}) {
    Register got = runSnippet(gfx950(text, in))[0];
    for (unsigned i = 0; i < 64; ++i)
      EXPECT_EQ(got[i], (i % 4 < 2 ? 0x38u : 0x39u) << 8);
  }
}

TEST(Gfx950, MinimumPropagatesNan) {
  std::vector<Register> in = {all(bits(2.0f)), lanes({bits(NAN), bits(-0.0f)}), all(0)};
  Register least = runSnippet(gfx950("  v_minimum3_f32 v40, v10, v11, v12", in))[0];
  EXPECT_TRUE(std::isnan(llvm::bit_cast<float>(least[0])));
  EXPECT_EQ(least[1], 0x80000000u);
}
