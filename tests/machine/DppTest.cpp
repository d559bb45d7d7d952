// DPP and SDWA: which lane's value, or which part of it, each lane gets, against the definitions.
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {
Register move(const std::string &control) {
  Snippet s;
  s.body = "  v_mov_b32 v40, -1\n  s_nop 4\n  v_mov_b32_dpp v40, v10 " + control;
  s.in = {iota(100)};
  return runSnippet(s)[0];
}
} // namespace

TEST(Dpp, Controls) {
  Register shl = move("row_shl:3 row_mask:0xf bank_mask:0xf");
  Register ror = move("row_ror:3 row_mask:0xf bank_mask:0xf");
  Register perm = move("quad_perm:[3,0,2,1] row_mask:0xf bank_mask:0xf");
  Register bcast = move("row_bcast:15 row_mask:0xa bank_mask:0xf");
  Register zero = move("row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0");
  static const unsigned quad[] = {3, 0, 2, 1};
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(shl[i], i % 16 + 3 < 16 ? 103 + i : ~0u);
    EXPECT_EQ(ror[i], 100 + (i & ~15u) + (i + 13) % 16);
    EXPECT_EQ(perm[i], 100 + (i & ~3u) + quad[i % 4]);
    EXPECT_EQ(bcast[i], i / 16 % 2 ? 100 + (i & ~15u) - 1 : ~0u);
    EXPECT_EQ(zero[i], i % 16 ? 99 + i : 0);
  }
}

/// Lanes that are off are no source; pairs of registers move together.
TEST(Dpp, ExecAndPairs) {
  Snippet s;
  s.in = {iota(100), iota(100)};
  s.outputs = 3;
  s.body = "  v_mov_b32 v40, -1\n  s_mov_b64 exec, 0xffff\n  s_mov_b32 exec_hi, 0\n  s_nop 4\n  v_mov_b32_dpp v40, v10 row_shl:1 row_mask:0xf bank_mask:0xf\n"
           "  s_mov_b64 exec, -1\n  v_mov_b32 v12, v10\n  v_add_u32 v13, 1000, v10\n  s_nop 4\n  v_mov_b64_dpp v[42:43], v[12:13] row_newbcast:3 row_mask:0xf bank_mask:0xf\n"
           "  v_mov_b32 v41, v42\n  v_mov_b32 v42, v43";
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 64; ++i) {
    EXPECT_EQ(got[0][i], i < 15 ? 101 + i : ~0u);
    EXPECT_EQ(got[1][i], 103 + (i & ~15u));
    EXPECT_EQ(got[2][i], 1103 + (i & ~15u));
  }
}

TEST(Sdwa, PartsOfSourcesAndResult) {
  Snippet s;
  s.in = {lanes({0x80ff7f01, 0x12345678}), lanes({0x00028001, 0xfffe0003})};
  s.outputs = 4;
  s.body = "  v_mov_b32 v40, -1\n  v_mov_b32 v41, -1\n  v_mov_b32 v42, -1\n"
           "  v_add_u32_sdwa v40, v10, v11 dst_sel:DWORD src0_sel:BYTE_2 src1_sel:WORD_1\n"
           "  v_add_u32_sdwa v41, sext(v10), sext(v11) dst_sel:BYTE_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_3 src1_sel:WORD_0\n"
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
