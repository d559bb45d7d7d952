// DPP and SDWA: which lane's value, or which part of it, each lane gets, against the definitions.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <bit>
#include <cmath>

using namespace inflight::machine::test;

namespace {
const std::string allRows = " row_mask:0xf bank_mask:0xf";
Register moved(const std::string &control, const std::string &chip = "gfx942") {
  Snippet s;
  s.chip = chip;
  s.body = "  v_mov_b32 v40, -1\n  s_nop 4\n  v_mov_b32_dpp v40, v10 " + control;
  s.in = {iota(100)};
  return runSnippet(s)[0];
}
} // namespace

TEST(Dpp, Controls) {
  Register shl = moved("row_shl:3 row_mask:0xf bank_mask:0xf");
  Register ror = moved("row_ror:3 row_mask:0xf bank_mask:0xf");
  Register perm = moved("quad_perm:[3,0,2,1] row_mask:0xf bank_mask:0xf");
  Register bcast = moved("row_bcast:15 row_mask:0xa bank_mask:0xf");
  Register zero = moved("row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0");
  static const unsigned quad[] = {3, 0, 2, 1};
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(shl[i], i % 16 + 3 < 16 ? 103 + i : ~0u);
    EXPECT_EQ(ror[i], 100 + (i & ~15u) + (i + 13) % 16);
    EXPECT_EQ(perm[i], 100 + (i & ~3u) + quad[i % 4]);
    EXPECT_EQ(bcast[i], i / 16 % 2 ? 100 + (i & ~15u) - 1 : ~0u);
    EXPECT_EQ(zero[i], i % 16 ? 99 + i : 0);
  }
}

/// Shifts leave the lane at their end alone, rotations go round; mirrors reverse a row or half of one.
TEST(Dpp, WholeWave) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"}) {
    const Register shl = moved("wave_shl:1" + allRows, chip), rol = moved("wave_rol:1" + allRows, chip),
                   shr = moved("wave_shr:1" + allRows, chip), ror = moved("wave_ror:1" + allRows, chip);
    const Register mirror = moved("row_mirror" + allRows, chip), halfMirror = moved("row_half_mirror" + allRows, chip);
    for (unsigned i = 0; i < 64; ++i) {
      EXPECT_EQ(shl[i], i < 63 ? 101 + i : ~0u);
      EXPECT_EQ(rol[i], 100 + (i + 1) % 64);
      EXPECT_EQ(shr[i], i ? 99 + i : ~0u);
      EXPECT_EQ(ror[i], 100 + (i + 63) % 64);
      EXPECT_EQ(mirror[i], 100 + (i & ~15u) + 15 - i % 16);
      EXPECT_EQ(halfMirror[i], 100 + (i & ~7u) + 7 - i % 8);
    }
  }
}

/// The last lane of each row goes to all of the next one; lane 31 to the upper half.
TEST(Dpp, RowBroadcasts) {
  const Register rows = moved("row_bcast:15" + allRows), half = moved("row_bcast:31" + allRows),
                 zeros = moved("row_bcast:31" + allRows + " bound_ctrl:0");
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(rows[i], i < 16 ? ~0u : 100 + i / 16 * 16 - 1);
    EXPECT_EQ(half[i], i < 32 ? ~0u : 131);
    EXPECT_EQ(zeros[i], i < 32 ? 0u : 131);
  }
}

/// The masks switch off lanes of the result, by rows of 16 and by fours of each row; what they switch off is still a
/// source, and isn't written even where BOUND_CTRL gives zeros.
TEST(Dpp, Masks) {
  const Register rows = moved("wave_rol:1 row_mask:0x5 bank_mask:0xf"),
                 banks = moved("row_ror:4 row_mask:0xf bank_mask:0x6"),
                 both = moved("row_shr:4 row_mask:0x8 bank_mask:0x9 bound_ctrl:0");
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned bank = i / 4 % 4;
    EXPECT_EQ(rows[i], i / 16 % 2 == 0 ? 100 + (i + 1) % 64 : ~0u);
    EXPECT_EQ(banks[i], bank == 1 || bank == 2 ? 100 + i - 4 : ~0u);
    EXPECT_EQ(both[i], i >= 48 && bank == 0 ? 0u : i >= 60 ? 100 + i - 4 : ~0u);
  }
}

/// With BOUND_CTRL a source that is switched off counts as zero; without, the lane keeps what it has.
TEST(Dpp, SourcesSwitchedOff) {
  for (bool zeros : {false, true}) {
    Snippet s;
    s.in = {iota(100), all(1000)};
    s.outputs = 2;
    s.body = "  v_mov_b32 v40, -1\n  v_mov_b32 v41, -1\n  s_mov_b32 exec_lo, 0x0ff0ff0f\n  s_mov_b32 exec_hi, "
             "0x7fffffff\n  s_nop 4\n"
             "  v_mov_b32_dpp v40, v10 wave_ror:1" +
             allRows + (zeros ? " bound_ctrl:0" : "") + "\n  v_add_u32_dpp v41, v10, v11 quad_perm:[3,3,3,3]" +
             allRows + (zeros ? " bound_ctrl:0" : "");
    const uint64_t exec = 0x7fffffff0ff0ff0f;
    std::vector<Register> got = runSnippet(s);
    for (unsigned i = 0; i < 64; ++i) {
      const unsigned from = (i + 63) % 64, last = i | 3;
      auto expected = [&](unsigned source, uint32_t added) {
        return !(exec >> i & 1) ? ~0u : exec >> source & 1 ? 100 + source + added : zeros ? added : ~0u;
      };
      EXPECT_EQ(got[0][i], expected(from, 0)) << i;
      EXPECT_EQ(got[1][i], expected(last, 1000)) << i;
    }
  }
}

/// Modifiers apply to what came from the other lane.
TEST(Dpp, FloatModifiers) {
  Snippet s;
  s.in = {lanes({0x3f800000, 0xc0000000}), all(0x40400000)}; // 1, -2; 3
  s.body = "  v_add_f32_dpp v40, -|v10|, v11 quad_perm:[1,0,3,2]" + allRows;
  EXPECT_EQ(runSnippet(s)[0], lanes({0x3f800000, 0x40000000})); // 3 - 2, 3 - 1
}

/// Lanes that are off are no source; pairs of registers move together.
TEST(Dpp, ExecAndPairs) {
  Snippet s;
  s.in = {iota(100), iota(100)};
  s.outputs = 3;
  s.body = "  v_mov_b32 v40, -1\n  s_mov_b64 exec, 0xffff\n  s_mov_b32 exec_hi, 0\n  s_nop 4\n  v_mov_b32_dpp v40, v10 "
           "row_shl:1 row_mask:0xf bank_mask:0xf\n"
           "  s_mov_b64 exec, -1\n  v_mov_b32 v12, v10\n  v_add_u32 v13, 1000, v10\n  s_nop 4\n  v_mov_b64_dpp "
           "v[42:43], v[12:13] row_newbcast:3 row_mask:0xf bank_mask:0xf\n"
           "  v_mov_b32 v41, v42\n  v_mov_b32 v42, v43";
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(got[0][i], i < 15 ? 101 + i : ~0u);
    EXPECT_EQ(got[1][i], 103 + (i & ~15u));
    EXPECT_EQ(got[2][i], 1103 + (i & ~15u));
  }
}

/// Pairs as sources, as results or as both: ROW_NEWBCAST is the only control that these have. Rows that are masked keep
/// what they had.
TEST(Dpp, WideForms) {
  auto low = [](double x) { return uint32_t(std::bit_cast<uint64_t>(x)); };
  auto high = [](double x) { return uint32_t(std::bit_cast<uint64_t>(x) >> 32); };
  Snippet s;
  s.in.assign(3, Register());
  auto wide = [](unsigned lane) { return (lane + 0.75) * (lane % 2 ? -1 : 1); };
  auto narrow = [](unsigned lane) { return float(lane) + 0.5f; };
  for (unsigned lane = 0; lane < 64; ++lane) {
    s.in[0][lane] = low(wide(lane));
    s.in[1][lane] = high(wide(lane));
    s.in[2][lane] = std::bit_cast<uint32_t>(narrow(lane));
  }
  const std::string from = " row_newbcast:5 row_mask:0xd bank_mask:0xf\n";
  s.outputs = 9;
  for (unsigned i = 0; i < 9; ++i)
    s.body += "  v_mov_b32 v" + std::to_string(40 + i) + ", 0\n";
  s.body += "  s_nop 4\n  v_ceil_f64_dpp v[40:41], v[10:11]" + from + "  v_cvt_f64_f32_dpp v[42:43], v12" + from +
            "  v_cvt_i32_f64_dpp v44, v[10:11]" + from + "  v_cvt_f32_f64_dpp v45, -v[10:11]" + from +
            "  v_fmac_f64_dpp v[46:47], v[10:11], v[10:11]" + from + "  v_frexp_exp_i32_f64_dpp v48, v[10:11]" + from;
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 64; ++i) {
    if (i / 16 == 1) {
      for (const Register &r : got)
        EXPECT_EQ(r[i], 0u) << "a row that is masked";
      continue;
    }
    const double x = wide((i & ~15u) + 5);
    auto pair = [&](unsigned k) { return std::bit_cast<double>(got[k][i] | uint64_t(got[k + 1][i]) << 32); };
    EXPECT_EQ(pair(0), std::ceil(x));
    EXPECT_EQ(pair(2), double(narrow((i & ~15u) + 5)));
    EXPECT_EQ(int32_t(got[4][i]), int32_t(x));
    EXPECT_EQ(std::bit_cast<float>(got[5][i]), float(-x));
    EXPECT_EQ(pair(6), x * wide(i));
    EXPECT_EQ(int32_t(got[8][i]), std::ilogb(x) + 1);
  }
}

TEST(Sdwa, PartsOfSourcesAndResult) {
  Snippet s;
  s.in = {lanes({0x80ff7f01, 0x12345678}), lanes({0x00028001, 0xfffe0003})};
  s.outputs = 4;
  s.body = "  v_mov_b32 v40, -1\n  v_mov_b32 v41, -1\n  v_mov_b32 v42, -1\n"
           "  v_add_u32_sdwa v40, v10, v11 dst_sel:DWORD src0_sel:BYTE_2 src1_sel:WORD_1\n"
           "  v_add_u32_sdwa v41, sext(v10), sext(v11) dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 "
           "src1_sel:WORD_0\n"
           "  v_add_u32_sdwa v42, v10, v11 dst_sel:WORD_0 dst_unused:UNUSED_SEXT src0_sel:WORD_1 src1_sel:WORD_1\n"
           "  v_cmp_gt_u32_sdwa vcc, v10, v11 src0_sel:BYTE_0 src1_sel:WORD_1\n  v_cndmask_b32 v43, 0, 1, vcc";
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 64; ++i) {
    uint32_t a = s.in[0][i], b = s.in[1][i];
    EXPECT_EQ(got[0][i], (a >> 16 & 0xff) + (b >> 16));
    EXPECT_EQ(got[1][i], 0xffff00ffu | (uint32_t(int8_t(a >> 24)) + uint32_t(int16_t(b)) & 0xff) << 8);
    EXPECT_EQ(got[2][i], uint32_t(int16_t((a >> 16) + (b >> 16))));
    EXPECT_EQ(got[3][i], uint32_t((a & 0xff) > b >> 16));
  }
}

/// Comparisons have a scalar destination of their own in SDWA; lanes that are off give zeros there.
TEST(Sdwa, ScalarDestinationOfComparisons) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"}) {
    Snippet s;
    s.chip = chip;
    s.in = {lanes({0x11223344, 0x55660000, 0x80}), lanes({0x00440000, 0x00010000, 0xff800000})};
    s.outputs = 6;
    s.body = "  s_mov_b64 vcc, 0x1234\n  s_mov_b32 exec_hi, 0xff00ff\n  s_mov_b64 s[22:23], -1\n"
             "  v_cmp_eq_u32_sdwa s[20:21], v10, v11 src0_sel:BYTE_0 src1_sel:WORD_1\n  v_cmp_lt_i32_sdwa s[22:23], "
             "sext(v10), sext(v11) src0_sel:BYTE_0 src1_sel:WORD_1\n"
             "  v_cmpx_ne_u32_sdwa s[24:25], v10, v11 src0_sel:BYTE_0 src1_sel:WORD_1\n  s_mov_b64 s[26:27], exec\n  "
             "s_mov_b64 exec, -1\n";
    const char *const results[] = {"s20", "s21", "s23", "s25", "s27", "vcc_lo"};
    for (unsigned i = 0; i < 6; ++i)
      s.body += "  v_mov_b32 v" + std::to_string(40 + i) + ", " + results[i] + "\n";
    uint64_t equal = 0, less = 0;
    const uint64_t exec = 0x00ff00ffffffffff;
    for (unsigned i = 0; i < 64; ++i) {
      const uint32_t a = s.in[0][i] & 0xff, b = s.in[1][i] >> 16;
      equal |= uint64_t(a == b) << i;
      less |= uint64_t(int8_t(a) < int16_t(b)) << i;
    }
    std::vector<Register> got = runSnippet(s);
    const uint32_t expected[] = {uint32_t(equal & exec),          uint32_t((equal & exec) >> 32),
                                 uint32_t((less & exec) >> 32),   uint32_t((~equal & exec) >> 32),
                                 uint32_t((~equal & exec) >> 32), 0x1234};
    for (unsigned i = 0; i < 6; ++i)
      EXPECT_EQ(got[i][0], expected[i]) << chip << " " << results[i];
  }
}
