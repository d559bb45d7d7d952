// Cube maps, sums of differences, unfused multiply-adds and the other instructions that compilers for compute rarely
// emit, each against its definition.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <bit>
#include <cmath>

using namespace inflight::machine::test;

namespace {
uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
uint32_t half(float x) { return std::bit_cast<uint16_t>(_Float16(x)); }
std::vector<Register> run(const std::string &body, std::vector<Register> in, unsigned outputs = 1,
                          const std::string &chip = "gfx942") {
  Snippet s;
  s.chip = chip;
  s.body = body;
  s.in = std::move(in);
  s.outputs = outputs;
  return runSnippet(s);
}
uint32_t byteOf(uint64_t x, unsigned i) { return x >> (8 * i) & 0xff; }
} // namespace

/// Faces +X, -X, +Y, -Y, +Z, -Z, and who wins when two are as large.
TEST(Legacy, CubeMaps) {
  struct Row {
    float x, y, z, id, major, s, t;
  };
  const Row rows[] = {{3, 1, 2, 0, 6, -2, -1},  {-3, 1, 2, 1, -6, 2, -1}, {1, 3, 2, 2, 6, 1, 2},
                      {1, -3, 2, 3, -6, 1, -2}, {1, 2, 3, 4, 6, 1, -2},   {1, 2, -3, 5, -6, -1, -2},
                      {2, 2, 2, 4, 4, 2, -2},   {2, 2, 1, 2, 4, 2, 1}};
  Register x, y, z;
  for (unsigned i = 0; i < 64; ++i)
    x[i] = bits(rows[i % 8].x), y[i] = bits(rows[i % 8].y), z[i] = bits(rows[i % 8].z);
  std::vector<Register> got = run("  v_cubeid_f32 v40, v10, v11, v12\n  v_cubema_f32 v41, v10, v11, v12\n  "
                                  "v_cubesc_f32 v42, v10, v11, v12\n  v_cubetc_f32 v43, v10, v11, v12",
                                  {x, y, z}, 4);
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT_EQ(got[0][i], bits(rows[i].id)) << i;
    EXPECT_EQ(got[1][i], bits(rows[i].major)) << i;
    EXPECT_EQ(got[2][i], bits(rows[i].s)) << i;
    EXPECT_EQ(got[3][i], bits(rows[i].t)) << i;
  }
}

TEST(Legacy, Conversions) {
  std::vector<Register> got =
      run("  v_cvt_off_f32_i4 v40, v10\n  v_cvt_norm_i16_f16 v41, v11\n  v_cvt_norm_u16_f16 v42, v11\n  "
          "v_cvt_pknorm_i16_f16 v43, v11, -v11\n  v_sat_pk_u8_i16 v44, v12",
          {lanes({0, 1, 7, 8, 15, 0xf8}), lanes({half(1), half(-1), half(0.5f), half(2), half(-0.0f), 0x7e00}),
           lanes({0x01000080, 0x0005fffe, 0x8000007f, 0x00ff0100, 0, 0x00010002})},
          5);
  const float offsets[] = {0, 1 / 16.0f, 7 / 16.0f, -0.5f, -1 / 16.0f, -0.5f};
  const uint32_t snorm[] = {0x7fff, 0x8001, 0x4000, 0x7fff, 0, 0}, unorm[] = {0xffff, 0, 0x8000, 0xffff, 0, 0},
                 negated[] = {0x8001, 0x7fff, 0xc000, 0x8001, 0, 0};
  const uint32_t packed[] = {0xff80, 0x0500, 0x007f, 0xffff, 0, 0x0102};
  for (unsigned i = 0; i < 6; ++i) {
    EXPECT_EQ(got[0][i], bits(offsets[i]));
    EXPECT_EQ(got[1][i], snorm[i]) << i;
    EXPECT_EQ(got[2][i], unorm[i]) << i;
    EXPECT_EQ(got[3][i], snorm[i] | negated[i] << 16) << i;
    EXPECT_EQ(got[4][i], packed[i]) << i;
  }
  got = run("  v_mov_b32 v40, 0x11223344\n  v_cvt_pkaccum_u8_f32 v40, v10, v11",
            {lanes({bits(7.0f), bits(300.0f), bits(-1.0f), bits(2.5f)}), lanes({0, 1, 2, 7})});
  EXPECT_EQ(got[0], lanes({0x11223307, 0x1122ff44, 0x11003344, 0x02223344}));
}

/// Windows of four bytes at bytes 0 to 3 of the first source.
TEST(Legacy, QuadDifferences) {
  const Register low = lanes({0x12f05680, 0, 0xffffffff, 0x01020304}),
                 high = lanes({0x009abcde, 0x80ff, 0xffffffff, 0x05060708});
  const Register reference = lanes({0x00ff1080, 0, 0, 0x04000001}), c = lanes({0xfff00001, 7, 0xffff0000}),
                 d = lanes({5, 0xfffffff0, 1});
  std::vector<Register> got = run("  v_qsad_pk_u16_u8 v[40:41], v[10:11], v12, v[14:15]\n  v_mqsad_pk_u16_u8 v[42:43], "
                                  "v[10:11], v12, v[14:15]\n  v_mqsad_u32_u8 v[44:47], v[10:11], v12, v[14:17]\n"
                                  "  v_qsad_pk_u16_u8 v[48:49], v[10:11], v12, v[14:15] clamp",
                                  {low, high, reference, all(0), c, d, d, c}, 10);
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint64_t window = low[lane] | uint64_t(high[lane]) << 32, sums = c[lane] | uint64_t(d[lane]) << 32;
    const uint32_t start[] = {c[lane], d[lane], d[lane], c[lane]};
    for (unsigned k = 0; k < 4; ++k) {
      uint32_t plain = 0, masked = 0;
      for (unsigned i = 0; i < 4; ++i) {
        const uint32_t r = byteOf(reference[lane], i),
                       difference = uint32_t(std::abs(int(byteOf(window, i + k)) - int(r)));
        plain += difference;
        masked += r ? difference : 0;
      }
      const uint32_t in = sums >> (16 * k) & 0xffff;
      EXPECT_EQ(got[k / 2][lane] >> (k % 2 * 16) & 0xffff, (in + plain) & 0xffff);
      EXPECT_EQ(got[2 + k / 2][lane] >> (k % 2 * 16) & 0xffff, (in + masked) & 0xffff);
      EXPECT_EQ(got[4 + k][lane], start[k] + masked);
      EXPECT_EQ(got[8 + k / 2][lane] >> (k % 2 * 16) & 0xffff, std::min(in + plain, 0xffffu));
    }
  }
}

TEST(Legacy, UnfusedMultiplyAdds) {
  // (1 + 2^-12)^2 - 1: the product's last bit is lost before the sum.
  const float x = 1 + 0x1p-12f;
  std::vector<Register> got = run("  v_mad_legacy_f32 v40, v10, v10, v11\n  v_madmk_f32 v41, v10, 0x3f800800, v11\n  "
                                  "v_madak_f32 v42, v10, v10, 0xbf800000\n  v_mad_legacy_f32 v43, v12, v13, v10",
                                  {all(bits(x)), all(bits(-1.0f)), all(0), all(bits(INFINITY))}, 4, "gfx90a");
  volatile float product = x * x;
  for (unsigned k = 0; k < 3; ++k)
    EXPECT_EQ(got[k], all(bits(product - 1))) << k;
  EXPECT_EQ(got[3], all(bits(x))) << "zero times infinity is zero";
  const _Float16 h = _Float16(1 + 0x1p-6f), hh = h * h;
  got = run("  v_mov_b32 v40, v11\n  v_mac_f16 v40, v10, v10\n  v_madmk_f16 v41, v10, 0x3c10, v11\n  v_madak_f16 v42, "
            "v10, v10, 0xbc00\n  v_mad_legacy_f16 v43, v10, v10, v11\n  v_fma_legacy_f16 v44, v10, v10, v11\n"
            "  v_mov_b32 v45, v13\n  v_pk_fmac_f16 v45, v12, v12",
            {all(half(float(h))), all(half(-1)), all(half(3) | half(2) << 16), all(half(1) | half(-1) << 16)}, 6);
  for (unsigned k = 0; k < 4; ++k)
    EXPECT_EQ(got[k], all(half(float(_Float16(hh - _Float16(1)))))) << k;
  EXPECT_EQ(got[4], all(half(float(double(h) * double(h) - 1))));
  EXPECT_EQ(got[5], all(half(10) | half(3) << 16));
}

/// Pieces of 53 bits of 2/pi: together they give 2/pi to any precision; for large angles, those that matter.
TEST(Legacy, TrigPreop) {
  std::vector<Register> got = run("  v_mov_b32 v10, 0\n  v_mov_b32 v11, 0x3ff00000\n  v_trig_preop_f64 v[40:41], "
                                  "v[10:11], 0\n  v_trig_preop_f64 v[42:43], v[10:11], 1\n"
                                  "  v_mov_b32 v11, 0x43f00000\n  v_trig_preop_f64 v[44:45], v[10:11], v12",
                                  {all(0), all(0), lanes({0, 1, 2, 31})}, 6);
  auto value = [&](unsigned r, unsigned lane) {
    return std::bit_cast<double>(got[r][lane] | uint64_t(got[r + 1][lane]) << 32);
  };
  // 2/pi = 0.A2F9836E4E4415 29FC2757D1F534 … in hexadecimal.
  EXPECT_EQ(value(0, 0), std::ldexp(double(0xA2F9836E4E4415 >> 3), -53));
  EXPECT_EQ(value(2, 0), std::ldexp(double((uint64_t(0xA2F9836E4E4415 & 7) << 50) | 0x29FC2757D1F534 >> 6), -106));
  // An exponent of 1087 skips ten bits more.
  EXPECT_EQ(value(4, 0), std::ldexp(double((0xA2F9836E4E441529 << 10) >> 11), -63));
  EXPECT_EQ(value(4, 3), 0.0) << "beyond the table";
}

TEST(Legacy, SameAsTheirNewerForms) {
  std::vector<Register> got =
      run("  v_exp_legacy_f32 v40, v10\n  v_log_legacy_f32 v41, v11\n  v_div_fixup_legacy_f16 v42, v12, v13, v14",
          {all(bits(3.0f)), all(bits(8.0f)), all(half(1)), all(0), all(half(-2))}, 3);
  EXPECT_EQ(got[0], all(bits(8.0f)));
  EXPECT_EQ(got[1], all(bits(3.0f)));
  EXPECT_EQ(got[2], all(half(-INFINITY)));
}
