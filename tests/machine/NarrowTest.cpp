// Instructions on parts of registers, classes of floats, and 64-bit scalar operations, each against its definition.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

using namespace inflight::machine::test;

namespace {
uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }

/// Words with all kinds of bytes, signs and nibbles.
Register mixed(uint32_t seed) {
  Register r;
  for (unsigned i = 0; i < 64; ++i)
    r[i] = (seed + i) * 0x9e3779b1u ^ (i % 7 == 0 ? 0xffff0000u : i % 5 == 0 ? 0x8000u : 0);
  return r;
}

struct Three {
  const char *mnemonic;
  std::function<uint32_t(uint32_t, uint32_t, uint32_t)> expected;
  bool accumulates = false; ///< the third operand is the destination
  const char *chip = "gfx942";
};

template <typename F> uint32_t sumOver(unsigned width, uint32_t start, F product) {
  for (unsigned at = 0; at < 32; at += width)
    start += product(at);
  return start;
}
int32_t piece(uint32_t x, unsigned at, unsigned width) { return int32_t(x << (32 - width - at)) >> (32 - width); }
uint32_t upiece(uint32_t x, unsigned at, unsigned width) { return x >> at & ((1u << width) - 1); }

/// Instructions with op_sel write half a register and leave the other as it is: the test puts the third operand there.
uint32_t lowHalf(uint32_t result, uint32_t before) { return (result & 0xffff) | (before & 0xffff0000); }

const Three threes[] = {
    {"v_mad_i16", [](uint32_t a, uint32_t b, uint32_t c) { return lowHalf(a * b + c, c); }},
    {"v_mad_u32_u16", [](uint32_t a, uint32_t b, uint32_t c) { return upiece(a, 0, 16) * upiece(b, 0, 16) + c; }},
    {"v_mad_i32_i16",
     [](uint32_t a, uint32_t b, uint32_t c) { return uint32_t(piece(a, 0, 16) * piece(b, 0, 16)) + c; }},
    {"v_min3_i16",
     [](uint32_t a, uint32_t b, uint32_t c) {
       return lowHalf(uint32_t(std::min({piece(a, 0, 16), piece(b, 0, 16), piece(c, 0, 16)})), c);
     }},
    {"v_max3_u16",
     [](uint32_t a, uint32_t b, uint32_t c) {
       return lowHalf(std::max({upiece(a, 0, 16), upiece(b, 0, 16), upiece(c, 0, 16)}), c);
     }},
    {"v_med3_i16",
     [](uint32_t a, uint32_t b, uint32_t c) {
       int32_t v[] = {piece(a, 0, 16), piece(b, 0, 16), piece(c, 0, 16)};
       std::sort(v, v + 3);
       return lowHalf(uint32_t(v[1]), c);
     }},
    {"v_dot2_u32_u16",
     [](uint32_t a, uint32_t b, uint32_t c) {
       return sumOver(16, c, [&](unsigned at) { return upiece(a, at, 16) * upiece(b, at, 16); });
     }},
    {"v_dot2_i32_i16",
     [](uint32_t a, uint32_t b, uint32_t c) {
       return sumOver(16, c, [&](unsigned at) { return uint32_t(piece(a, at, 16) * piece(b, at, 16)); });
     }},
    {"v_dot4_u32_u8",
     [](uint32_t a, uint32_t b, uint32_t c) {
       return sumOver(8, c, [&](unsigned at) { return upiece(a, at, 8) * upiece(b, at, 8); });
     }},
    {"v_dot8_i32_i4",
     [](uint32_t a, uint32_t b, uint32_t c) {
       return sumOver(4, c, [&](unsigned at) { return uint32_t(piece(a, at, 4) * piece(b, at, 4)); });
     }},
    {"v_dot4c_i32_i8",
     [](uint32_t a, uint32_t b, uint32_t c) {
       return sumOver(8, c, [&](unsigned at) { return uint32_t(piece(a, at, 8) * piece(b, at, 8)); });
     },
     true},
    {"v_sad_u8",
     [](uint32_t a, uint32_t b, uint32_t c) {
       return sumOver(8, c,
                      [&](unsigned at) { return uint32_t(std::abs(int(upiece(a, at, 8)) - int(upiece(b, at, 8)))); });
     }},
    {"v_msad_u8",
     [](uint32_t a, uint32_t b, uint32_t c) {
       return sumOver(8, c, [&](unsigned at) {
         return upiece(b, at, 8) ? uint32_t(std::abs(int(upiece(a, at, 8)) - int(upiece(b, at, 8)))) : 0;
       });
     }},
    {"v_cvt_pk_u8_f32",
     [](uint32_t a, uint32_t b, uint32_t c) {
       const float x = std::bit_cast<float>(a);
       const uint32_t byte = std::isnan(x) || x <= 0 ? 0
                             : x >= 255              ? 255
                                                     : uint32_t(std::nearbyint(x)),
                      shift = 8 * (b & 3);
       return (c & ~(0xffu << shift)) | byte << shift;
     }},
    {"v_bitop3_b16", [](uint32_t, uint32_t, uint32_t c) { return c & 0xffff0000; }, false,
     "gfx950"}, // the table that is zero
    {"v_ashr_pk_i8_i32",
     [](uint32_t a, uint32_t b, uint32_t c) {
       auto byte = [&](uint32_t x) { return uint32_t(std::clamp(int32_t(x) >> (c % 32), -128, 127)) & 0xff; };
       return byte(a) | byte(b) << 8;
     },
     false, "gfx950"},
    {"v_ashr_pk_u8_i32",
     [](uint32_t a, uint32_t b, uint32_t c) {
       auto byte = [&](uint32_t x) { return uint32_t(std::clamp(int32_t(x) >> (c % 32), 0, 255)); };
       return byte(a) | byte(b) << 8;
     },
     false, "gfx950"},
};
/// Inline constants of 64-bit operands. 1/(2π) is not the nearest double but what the ISA manuals list.
TEST(InlineConstants, Doubles) {
  Snippet s;
  s.in = {all(0), all(0x3ff00000)}; // 1.0
  s.body = "v_mul_f64 v[40:41], 0.15915494309189532, v[10:11]\nv_mul_f64 v[42:43], -4.0, v[10:11]\nv_mul_f32 v44, "
           "0.15915494, 1.0\n";
  s.outputs = 5;
  const std::vector<Register> out = runSnippet(s);
  EXPECT_EQ(out[1][0], 0x3fc45f30u);
  EXPECT_EQ(out[0][0], 0x6dc9c882u);
  EXPECT_EQ(out[3][0], 0xc0100000u);
  EXPECT_EQ(out[4][0], 0x3e22f983u);
}

} // namespace

TEST(Narrow, ThreeOperands) {
  for (const Three &t : threes) {
    Snippet s;
    s.chip = t.chip;
    s.in = {mixed(1), mixed(100), mixed(10000)};
    s.body = std::string("  v_mov_b32 v40, v12\n  ") + t.mnemonic + " v40, v10, v11" + (t.accumulates ? "" : ", v12");
    Register got = runSnippet(s)[0];
    for (unsigned i = 0; i < 64; ++i)
      ASSERT_EQ(got[i], t.expected(s.in[0][i], s.in[1][i], s.in[2][i])) << t.mnemonic << " lane " << i;
  }
}

TEST(Narrow, PackedConversions) {
  Snippet s;
  s.in = {lanes({0x12345678, 70000, 5, uint32_t(-70000), uint32_t(-5)}),
          lanes({bits(-1.0f), bits(0.5f), bits(2.0f), bits(NAN)})};
  s.outputs = 3;
  s.body = "  v_cvt_pk_u16_u32 v40, v10, v10\n  v_cvt_pk_i16_i32 v41, v10, v10\n  v_cvt_pknorm_i16_f32 v42, v11, v11";
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 64; ++i) {
    uint32_t u = std::min(s.in[0][i], 65535u), v = uint32_t(std::clamp(int32_t(s.in[0][i]), -32768, 32767)) & 0xffff;
    EXPECT_EQ(got[0][i], u | u << 16);
    EXPECT_EQ(got[1][i], v | v << 16);
    static const uint32_t norm[] = {0x8001, 0x4000, 0x7fff, 0}; // 0.5 × 32767 = 16383.5 goes to the even 16384
    EXPECT_EQ(got[2][i], norm[i % 4] * 0x10001u);
  }
}

/// To nearest, halves to even; modifiers of floats come first.
TEST(Narrow, BytesFromFloats) {
  Snippet s;
  const float values[] = {0.5f,        1.5f,       2.5f,     254.5f,    255.5f, 1e10f, -1, -2.5f,
                          0.49999997f, 254.50002f, INFINITY, -INFINITY, NAN,    -0.0f, 7,  128.75f};
  const uint32_t nearest[] = {0, 2, 2, 254, 255, 255, 0, 0, 0, 255, 255, 0, 0, 0, 7, 129},
                 ofNegated[] = {0, 0, 0, 0, 0, 0, 1, 2, 0, 0, 0, 255, 0, 0, 0, 0},
                 ofMagnitude[] = {0, 2, 2, 254, 255, 255, 1, 2, 0, 255, 255, 255, 0, 0, 7, 129};
  s.in = {Register()};
  for (unsigned i = 0; i < 64; ++i)
    s.in[0][i] = bits(values[i % 16]);
  s.outputs = 3;
  s.body = "  v_mov_b32 v20, 0x11223344\n  v_cvt_pk_u8_f32 v40, v10, 2, v20\n  v_cvt_pk_u8_f32 v41, -v10, 5, v20\n  "
           "v_cvt_pk_u8_f32 v42, |v10|, 3, 0";
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 16; ++i) {
    EXPECT_EQ(got[0][i], 0x11003344 | nearest[i] << 16) << values[i];
    EXPECT_EQ(got[1][i], 0x11220044 | ofNegated[i] << 8) << values[i];
    EXPECT_EQ(got[2][i], ofMagnitude[i] << 24) << values[i];
  }
}

/// MODE's rounding of singles, and its flushing, which leaves the number of the byte alone.
TEST(Narrow, BytesInMode) {
  const float values[] = {2.5f, 2.25f, 2.75f, 3.5f, -0.5f, 254.5f, 0.25f, 255.25f};
  const uint32_t expected[4][8] = {{2, 2, 3, 4, 0, 254, 0, 255},
                                   {3, 3, 3, 4, 0, 255, 1, 255},
                                   {2, 2, 2, 3, 0, 254, 0, 255},
                                   {2, 2, 2, 3, 0, 254, 0, 255}}; // nearest, up, down, towards zero
  for (unsigned rounding = 0; rounding < 4; ++rounding) {
    Snippet s;
    s.in = {Register()};
    for (unsigned i = 0; i < 64; ++i)
      s.in[0][i] = bits(values[i % 8]);
    s.outputs = 2;
    s.body = "  v_mov_b32 v20, 0x11223344\n  v_mov_b32 v21, 2\n  v_mov_b32 v41, v20\n  s_setreg_imm32_b32 "
             "hwreg(HW_REG_MODE, 0, 8), " +
             std::to_string(rounding) + "\n  v_cvt_pk_u8_f32 v40, v10, v21, v20\n  v_cvt_pkaccum_u8_f32 v41, v10, v21";
    std::vector<Register> got = runSnippet(s);
    for (unsigned i = 0; i < 8; ++i) {
      EXPECT_EQ(got[0][i], 0x11003344 | expected[rounding][i] << 16) << values[i] << " rounding " << rounding;
      EXPECT_EQ(got[1][i], got[0][i]) << values[i] << " rounding " << rounding;
    }
  }
}

/// V_PACK_B32_F16 passes halves on as float operations do.
TEST(Narrow, PackedHalvesInMode) {
  for (const auto &[mode, low, high] : {std::tuple("0x3f0", 0x7e01u, 0x8001u),
                                        {"0x330", 0x7e01u, 0x8000u},
                                        {"0x1f0", 0x7c01u, 0x8001u}}) { // plain, flushing, no IEEE
    Snippet s;
    s.in = {all(0x7c011234), all(0x80013c00)}; // a signalling NaN, a denormal
    s.body = std::string("  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 10), ") + mode +
             "\n  v_pack_b32_f16 v40, v10, v11 op_sel:[1,1,0]";
    EXPECT_EQ(runSnippet(s)[0], all(low | high << 16)) << mode;
  }
}

/// Fractions of 0 … 1 in 16 bits; halves to even, what is below or no number is zero.
TEST(Narrow, UnsignedFractions) {
  auto half = [](float x) { return uint32_t(std::bit_cast<uint16_t>(_Float16(x))); };
  const float values[] = {0, 1, 0.5f, 0.25f, 2, -1, NAN, 1.0f / 1024, 0.75f, 1.5f / 65536};
  Snippet s;
  s.in = {Register(), Register()};
  for (unsigned i = 0; i < 64; ++i) {
    s.in[0][i] = bits(values[i % 10]);
    s.in[1][i] = half(values[i % 10]) | half(values[(i + 1) % 10]) << 16;
  }
  s.outputs = 3;
  s.body = "  v_cvt_pknorm_u16_f32 v40, v10, -v10\n  v_cvt_pknorm_u16_f16 v41, v11, v11 op_sel:[1,0,0]\n  "
           "v_cvt_pknorm_u16_f16 v42, -v11, |v11|";
  std::vector<Register> got = runSnippet(s);
  auto fraction = [](float x) {
    return std::isnan(x) || x < 0 ? 0u : uint32_t(std::nearbyint(std::min(double(x), 1.0) * 65535));
  };
  for (unsigned i = 0; i < 60; ++i) {
    const float x = values[i % 10], next = values[(i + 1) % 10];
    auto asHalf = [](float v) { return float(_Float16(v)); };
    EXPECT_EQ(got[0][i], fraction(x) | fraction(-x) << 16) << x;
    EXPECT_EQ(got[1][i], fraction(asHalf(next)) | fraction(asHalf(x)) << 16) << x;
    EXPECT_EQ(got[2][i], fraction(asHalf(-x)) | fraction(std::fabs(asHalf(x))) << 16) << x;
  }
}

/// Any function of three bits, of the halves that OP_SEL names; the other half of the result stays.
TEST(Narrow, BitwiseOnHalves) {
  Snippet s;
  s.chip = "gfx950";
  s.in = {mixed(1), mixed(100), mixed(10000)};
  s.outputs = 3;
  s.body = "  v_mov_b32 v40, 0x12345678\n  v_mov_b32 v41, 0x12345678\n  v_mov_b32 v42, 0x12345678\n  v_bitop3_b16 v40, "
           "v10, v11, v12 bitop3:0x96\n"
           "  v_bitop3_b16 v41, v10, v11, v12 bitop3:0xe8 op_sel:[1,0,1,1]\n  v_bitop3_b16 v42, v10, v11, v12 "
           "bitop3:0x20 op_sel:[0,1,0,0]";
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 64; ++i) {
    const uint32_t a = s.in[0][i], b = s.in[1][i], c = s.in[2][i], a1 = a >> 16, b1 = b >> 16, c1 = c >> 16;
    EXPECT_EQ(got[0][i], 0x12340000 | ((a ^ b ^ c) & 0xffff));
    EXPECT_EQ(got[1][i], 0x5678 | ((a1 & b) | (a1 & c1) | (b & c1)) << 16);
    EXPECT_EQ(got[2][i], 0x12340000 | (a & ~b1 & c & 0xffff));
  }
}

/// Every bfloat is a single; signalling NaNs become quiet.
TEST(Narrow, SinglesFromBfloats) {
  for (unsigned base : {0u, 0x3f80u, 0x7f70u, 0x8000u, 0xff70u}) {
    Snippet s;
    s.chip = "gfx950";
    s.in = {iota(base)};
    s.outputs = 3;
    s.body = "  v_cvt_f32_bf16 v40, v10\n  v_lshlrev_b32 v20, 16, v10\n  v_or_b32 v20, 0x55, v20\n  s_nop 1\n  "
             "v_cvt_f32_bf16_sdwa v41, v20 src0_sel:WORD_1\n  v_cvt_f32_bf16_e64 v42, -v10";
    std::vector<Register> got = runSnippet(s);
    for (unsigned i = 0; i < 64; ++i) {
      const uint32_t wide = (base + i) << 16, expected = (wide & 0x7fffffff) > 0x7f800000 ? wide | 0x400000 : wide;
      EXPECT_EQ(got[0][i], expected);
      EXPECT_EQ(got[1][i], expected);
      EXPECT_EQ(got[2][i], expected ^ 0x80000000);
    }
  }
}

/// One float of each class, tested against each class.
TEST(Narrow, Classes) {
  const std::vector<uint32_t> ofClass = {0x7f800001, 0x7fc00000,    bits(-INFINITY), bits(-1.0f),
                                         0x80000001, bits(-0.0f),   bits(0.0f),      1,
                                         bits(1.0f), bits(INFINITY)};
  const std::vector<uint32_t> halves = {0x7c01, 0x7e00, 0xfc00, 0xbc00, 0x8001, 0x8000, 0, 1, 0x3c00, 0x7c00};
  const std::vector<uint32_t> doubles = {0x7ff00001, 0x7ff80000, 0xfff00000, 0xbff00000, 0x80000001,
                                         0x80000000, 0,          1,          0x3ff00000, 0x7ff00000};
  for (unsigned c = 0; c < 10; ++c) {
    Snippet s;
    s.in = {lanes(ofClass), lanes(halves), lanes(doubles), all(1u << c), all(0)};
    s.outputs = 4;
    s.body = "  v_mov_b32 v14, 0\n  v_mov_b32 v15, v12\n";
    const char *tests[] = {"v_cmp_class_f32 vcc, v10, v13", "v_cmp_class_f16 vcc, v11, v13",
                           "v_cmp_class_f64 vcc, v[14:15], v13", "v_cmp_class_f32 vcc, |v10|, v13"};
    for (unsigned i = 0; i < 4; ++i)
      s.body += std::string("  ") + tests[i] + "\n  v_cndmask_b32 v" + std::to_string(40 + i) + ", 0, 1, vcc\n";
    std::vector<Register> got = runSnippet(s);
    for (unsigned lane = 0; lane < 64; ++lane) {
      unsigned k = lane % 10, magnitude = k < 2 ? k : k < 6 ? 11 - k : k;
      for (unsigned i = 0; i < 3; ++i)
        EXPECT_EQ(got[i][lane], uint32_t(k == c)) << tests[i] << " class " << c << " lane " << lane;
      EXPECT_EQ(got[3][lane], uint32_t(magnitude == c)) << "class " << c << " lane " << lane;
    }
  }
}

/// 64-bit scalars, and moves that leave the destination alone when SCC is clear.
TEST(Narrow, Scalars) {
  Snippet s;
  s.outputs = 8;
  s.body = "  s_mov_b32 s8, 0xf0\n  s_mov_b32 s9, 0x80000000\n  s_bfe_i64 s[10:11], s[8:9], 0x40004\n  v_mov_b32 v40, "
           "s10\n  v_mov_b32 v41, s11\n"
           "  s_bcnt0_i32_b64 s10, s[8:9]\n  v_mov_b32 v42, s10\n  s_bitcmp1_b64 s[8:9], 63\n  s_cselect_b32 s10, 1, "
           "2\n  v_mov_b32 v43, s10\n"
           "  s_mov_b32 s12, 7\n  s_cmp_eq_u32 s12, 8\n  s_cmov_b32 s12, 9\n  v_mov_b32 v44, s12\n  s_cmp_eq_u32 s12, "
           "7\n  s_cmov_b32 s12, 9\n  v_mov_b32 v45, s12\n"
           "  s_bfm_b64 s[10:11], 4, 30\n  v_mov_b32 v46, s10\n  v_mov_b32 v47, s11";
  std::vector<Register> got = runSnippet(s);
  const uint32_t expected[] = {0xffffffff, 0xffffffff, 59, 1, 7, 9, 0xc0000000, 3};
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(got[i][0], expected[i]) << "result " << i;
}

TEST(Narrow, FusedDoubles) {
  Snippet s;
  s.in = {all(0), all(0x3ff80000), all(0), all(0x40000000)}; // 1.5, 2.0
  s.outputs = 2;
  s.body = "  v_mov_b32 v40, 0\n  v_mov_b32 v41, 0x3ff00000\n  v_fmac_f64 v[40:41], v[10:11], v[12:13]";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(0));
  EXPECT_EQ(got[1], all(0x40100000)); // 4.0
}

/// Halves are fused with one rounding: the product's tail decides a tie.
TEST(Narrow, FusedHalvesRoundOnce) {
  // 1 + 2^-10 squared is 1 + 2^-9 + 2^-20; added to 2^12, 12 bits above, just over half a step of 4.
  auto fma = [](float a, float b, float c) {
    Snippet s;
    auto half = [](float x) { return uint32_t(std::bit_cast<uint16_t>(_Float16(x))); };
    s.in = {all(half(a) * 0x10001u), all(half(b) * 0x10001u), all(half(c) * 0x10001u)};
    s.outputs = 2;
    s.body = "  v_fma_f16 v40, v10, v11, v12\n  v_pk_fma_f16 v41, v10, v11, v12";
    std::vector<Register> got = runSnippet(s);
    EXPECT_EQ(got[1][3], got[0][3] * 0x10001u);
    return float(std::bit_cast<_Float16>(uint16_t(got[0][3])));
  };
  EXPECT_EQ(fma(1.0009765625f, 1.0009765625f, 1.0f), 2.001953125f);
  EXPECT_EQ(fma(2048, 1, 0.0009765625f), 2048.0f);
  // 2049 is a tie between 2048 and 2050 unless something is added, however small.
  EXPECT_EQ(fma(683, 3, 0), 2048.0f);
  EXPECT_EQ(fma(683, 3, 0x1p-24f), 2050.0f);
}
