// Program control: forks and joins, indexed registers, skipped vector instructions, hardware registers.
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {
/// One scalar result: s20 after the body.
uint32_t scalar(const std::string &body, const std::string &chip = "gfx942", const std::string &directives = "") {
  Snippet s;
  s.chip = chip;
  s.body = body + "\n  v_mov_b32 v40, s20";
  s.directives = directives;
  return runSnippet(s)[0][0];
}
} // namespace

/// The first 20 lanes go one path, the others the other, and both come to the join: every lane is counted once, and
/// the smaller group, the one that passes, comes first.
TEST(Control, ForkTakesTheSmallerGroupFirst) {
  for (bool general : {false, true}) {
    Snippet s;
    s.outputs = 2;
    const std::string start = "  v_mov_b32 v40, 0\n  v_mov_b32 v41, 0\n  s_mov_b32 s30, 0\n  s_mov_b32 s31, 0\n  "
                              "s_mov_b64 s[32:33], 0xfffff\n"
                              "  s_mov_b64 s[34:35], s[0:1]\n  s_mov_b64 s[36:37], s[2:3]\n";
    const std::string fork = general ? "  s_getpc_b64 s[38:39]\nhere:\n  s_add_u32 s38, s38, pass-here\n  s_addc_u32 "
                                       "s39, s39, 0\n  s_cbranch_g_fork s[32:33], s[38:39]\n"
                                     : "  s_cbranch_i_fork s[32:33], pass\n";
    s.body = start + fork +
             "  v_mov_b32 v40, 1\n  s_branch meet\n" // those that fail
             "pass:\n  v_mov_b32 v40, 2\n"
             "meet:\n  s_add_u32 s30, s30, 1\n  v_mov_b32 v41, s30\n  s_cbranch_join s31\n"
             "  s_mov_b64 s[0:1], s[34:35]\n  s_mov_b64 s[2:3], s[36:37]";
    std::vector<Register> got = runSnippet(s);
    for (unsigned lane = 0; lane < 64; ++lane) {
      EXPECT_EQ(got[0][lane], lane < 20 ? 2u : 1u);
      EXPECT_EQ(got[1][lane], lane < 20 ? 1u : 2u);
    }
  }
}

/// All lanes one path: nothing goes on the stack, one pass through the join.
TEST(Control, ForkOfAllLanes) {
  EXPECT_EQ(scalar("  s_mov_b32 s20, 0\n  s_mov_b32 s21, 0\n  s_mov_b64 s[32:33], -1\n  s_cbranch_i_fork s[32:33], "
                   "pass\n  s_mov_b32 s20, 100\npass:\n  s_add_u32 s20, s20, 1\n  s_cbranch_join s21"),
            1u);
}

TEST(Control, JoinWithoutForkIsAnError) {
  Snippet s;
  s.body = "  s_mov_b32 s21, 3\n  s_cbranch_join s21";
  std::string message;
  runSnippet(s, &message);
  EXPECT_NE(message.find("a join without a fork"), std::string::npos) << message;
}

/// Sources and destination by the bits of the mask; scalars, constants and instructions after the end of the mode
/// are not indexed.
TEST(Control, GprIndexing) {
  Snippet s;
  s.in = {iota(100), iota(200), iota(300), iota(400)};
  s.outputs = 5;
  s.body =
      "  s_mov_b32 s20, 2\n  v_mov_b32 v42, 0\n  v_mov_b32 v43, 0\n"
      "  s_set_gpr_idx_on s20, gpr_idx(SRC0)\n  v_mov_b32 v40, v10\n  s_set_gpr_idx_off\n"          // v12
      "  s_set_gpr_idx_on s20, gpr_idx(SRC1,DST)\n  v_sub_u32 v40, v11, v11\n  s_set_gpr_idx_off\n" // v42 = v11 - v13
      "  s_set_gpr_idx_on s20, gpr_idx(SRC0)\n  s_set_gpr_idx_idx 1\n  s_set_gpr_idx_mode gpr_idx(DST)\n  v_mov_b32 "
      "v42, 7\n  s_set_gpr_idx_off\n" // v43
      "  v_mov_b32 v41, v10\n"
      "  s_set_gpr_idx_on 1, gpr_idx(SRC0)\n  s_nop 1\n  v_mov_b32_dpp v44, v10 row_ror:1 row_mask:0xf bank_mask:0xf\n "
      " s_set_gpr_idx_off";
  std::vector<Register> got = runSnippet(s);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(got[0][lane], 300 + lane);
    EXPECT_EQ(got[1][lane], 100 + lane);
    EXPECT_EQ(got[2][lane], uint32_t(-200));
    EXPECT_EQ(got[3][lane], 7u);
    EXPECT_EQ(got[4][lane], 200 + (lane & ~15u) + (lane + 15) % 16);
  }
}

/// A loop inside the mode, and jumps by address, stay in it.
TEST(Control, GprIndexingInALoop) {
  Snippet s;
  s.in = {iota(1), iota(10), iota(100), iota(1000)};
  s.body = "  v_mov_b32 v40, 0\n  s_mov_b32 s20, 0\n  s_set_gpr_idx_on s20, gpr_idx(SRC0)\n"
           "again:\n  v_add_u32 v40, v10, v40\n  s_getpc_b64 s[22:23]\nafter:\n  s_add_u32 s22, s22, next-after\n  "
           "s_addc_u32 s23, s23, 0\n  s_setpc_b64 s[22:23]\n  v_mov_b32 v40, 0\n"
           "next:\n  s_add_u32 s20, s20, 1\n  s_set_gpr_idx_idx s20\n  s_cmp_lt_u32 s20, 4\n  s_cbranch_scc1 again\n  "
           "s_set_gpr_idx_off";
  Register got = runSnippet(s)[0];
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(got[lane], 1111 + 4 * lane);
}

/// An index beyond the 128 VGPRs of the kernel reads v0 and writes nothing.
TEST(Control, GprIndexOutOfRange) {
  Snippet s;
  s.outputs = 2;
  s.body = "  v_mov_b32 v40, 5\n  v_mov_b32 v41, 5\n  s_set_gpr_idx_on 0xff, gpr_idx(SRC0)\n  v_mov_b32 v40, v10\n  "
           "s_set_gpr_idx_mode gpr_idx(DST)\n  v_mov_b32 v41, 9\n  s_set_gpr_idx_off";
  s.body.replace(s.body.find("0xff,"), 4, "s20");
  s.body = "  s_movk_i32 s20, 0xff\n  v_mov_b32 v0, 77\n" + s.body;
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(77));
  EXPECT_EQ(got[1], all(5));
}

/// VSKIP: vector instructions of every kind do nothing, scalar ones go on.
TEST(Control, VectorSkip) {
  Snippet s;
  s.outputs = 2;
  s.body = "  v_mov_b32 v40, 1\n  v_mov_b32 v41, 1\n  s_mov_b32 s20, 0x10\n  s_setvskip s20, 4\n  v_mov_b32 v40, 2\n  "
           "global_load_dword v41, v[100:101], off\n  s_mov_b32 s21, 3\n"
           "  s_setvskip s20, 3\n  v_add_u32 v40, s21, v40\n  s_waitcnt vmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(4));
  EXPECT_EQ(got[1], all(1));
  s.body = "  v_mov_b32 v40, 1\n  v_mov_b32 v41, 1\n  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 1\n  v_mov_b32 "
           "v40, 2\n  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 0\n  v_mov_b32 v41, 2";
  got = runSnippet(s);
  EXPECT_EQ(got[0], all(1));
  EXPECT_EQ(got[1], all(2));
}

TEST(Control, IndexedScalars) {
  EXPECT_EQ(scalar("  s_mov_b32 s30, 7\n  s_mov_b32 s31, 8\n  s_mov_b32 m0, 3\n  s_nop 0\n  s_movrels_b32 s20, s28"),
            8u);
  EXPECT_EQ(scalar("  s_mov_b32 s20, 0\n  s_mov_b32 m0, 2\n  s_nop 0\n  s_movreld_b32 s18, 9"), 9u);
  EXPECT_EQ(scalar("  s_mov_b64 s[30:31], 5\n  s_mov_b32 m0, 4\n  s_nop 0\n  s_movrels_b64 s[20:21], s[26:27]"), 5u);
  EXPECT_EQ(scalar("  s_mov_b32 m0, 6\n  s_nop 0\n  s_movreld_b64 s[14:15], -1"), ~0u);
  // Beyond the allocation: s0 is read, nothing is written.
  EXPECT_EQ(scalar("  s_mov_b32 s22, s0\n  s_mov_b32 m0, 0x100\n  s_nop 0\n  s_movrels_b32 s21, s20\n  s_cmp_eq_u32 "
                   "s21, s22\n  s_cselect_b32 s20, 1, 0"),
            1u);
  EXPECT_EQ(scalar("  s_mov_b32 s20, 4\n  s_mov_b32 m0, -1\n  s_nop 0\n  s_movreld_b32 s20, 9"), 4u);
}

TEST(Control, QuadMasks) {
  EXPECT_EQ(scalar("  s_quadmask_b32 s20, 0x10f00204"), 0b10100101u);
  EXPECT_EQ(scalar("  s_wqm_b32 s20, 0x10f00204"), 0xf0f00f0fu);
  EXPECT_EQ(scalar("  s_mov_b32 s30, 0x1000\n  s_mov_b32 s31, 0x80000000\n  s_quadmask_b64 s[20:21], s[30:31]"),
            0x8008u);
  EXPECT_EQ(
      scalar("  s_mov_b32 s30, 0\n  s_mov_b32 s31, 0x80000001\n  s_wqm_b64 s[18:19], s[30:31]\n  s_mov_b32 s20, s19"),
      0xf000000fu);
  EXPECT_EQ(scalar("  s_wqm_b32 s20, 0\n  s_cselect_b32 s20, 1, 2"), 2u);
}

/// What compute kernels read: MODE and STATUS follow the wave, GPR_ALLOC the descriptor, SH_MEM_BASES the apertures.
TEST(Control, HardwareRegisters) {
  EXPECT_EQ(scalar("  s_getreg_b32 s20, hwreg(HW_REG_MODE, 4, 2)"), 3u);
  EXPECT_EQ(
      scalar(
          "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 4), 5\n  s_nop 2\n  s_getreg_b32 s20, hwreg(HW_REG_MODE, 0, 8)"),
      0xf5u);
  EXPECT_EQ(scalar("  s_cmp_eq_u32 s0, s0\n  s_mov_b64 vcc, 0\n  s_getreg_b32 s20, hwreg(HW_REG_STATUS)"),
            1u << 16 | 1u << 10 | 2);
  EXPECT_EQ(scalar("  s_cmp_lg_u32 s0, s0\n  s_mov_b64 vcc, 1\n  s_mov_b64 exec, 0\n  s_getreg_b32 s20, "
                   "hwreg(HW_REG_STATUS, 9, 2)\n  s_mov_b64 exec, -1"),
            1u);
  EXPECT_EQ(scalar("  s_getreg_b32 s20, hwreg(HW_REG_GPR_ALLOC, 8, 6)"), 256 / 8 - 1u);
  EXPECT_EQ(scalar("  s_getreg_b32 s20, hwreg(HW_REG_SH_MEM_BASES)"), 0x00010002u);
  EXPECT_EQ(scalar("  s_getreg_b32 s20, hwreg(HW_REG_LDS_ALLOC, 12, 9)"), 4096u / 512);
  for (const char *zero : {"HW_REG_TRAPSTS", "HW_REG_HW_ID", "HW_REG_IB_STS", "HW_REG_XCC_ID"})
    EXPECT_EQ(scalar(std::string("  s_mov_b32 s20, 5\n  s_getreg_b32 s20, hwreg(") + zero + ")"), 0u) << zero;
}

/// A field of MODE from a register; what doesn't name MODE changes nothing. A message tells a host that isn't there.
TEST(Control, SetRegister) {
  EXPECT_EQ(scalar("  s_mov_b32 s20, 0xfffffff6\n  s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s20\n  s_nop 2\n  "
                   "s_getreg_b32 s20, hwreg(HW_REG_MODE, 0, 8)"),
            0xf6u);
  EXPECT_EQ(scalar("  s_mov_b32 s20, 1\n  s_setreg_b32 hwreg(HW_REG_MODE, 4, 2), s20\n  s_nop 2\n  s_getreg_b32 s20, "
                   "hwreg(HW_REG_MODE, 0, 8)"),
            0xd0u);
  EXPECT_EQ(scalar("  s_mov_b32 s20, 0\n  s_setreg_b32 hwreg(HW_REG_TRAPSTS, 0, 8), s20\n  s_nop 2\n  s_sendmsg "
                   "sendmsg(MSG_INTERRUPT)\n  s_getreg_b32 s20, hwreg(HW_REG_MODE, 0, 8)"),
            0xf0u);
  // Rounding upwards from here on: 1 + 2^-30.
  EXPECT_EQ(scalar("  s_mov_b32 s20, 1\n  s_setreg_b32 hwreg(HW_REG_MODE, 0, 2), s20\n  s_nop 2\n  v_mov_b32 v4, "
                   "0x30800000\n  v_add_f32 v4, 1.0, v4\n  s_nop 1\n  v_readfirstlane_b32 s20, v4"),
            0x3f800001u);
}

TEST(Control, TrapIsAnError) {
  Snippet s;
  s.body = "  s_trap 2";
  std::string message;
  runSnippet(s, &message);
  EXPECT_NE(message.find("trap"), std::string::npos) << message;
}

TEST(Control, EndsAndHalts) {
  for (const char *end : {"s_endpgm_saved", "s_endpgm_ordered_ps_done", "s_setkill 1"}) {
    Snippet s;
    s.body = std::string("  ") + end;
    EXPECT_EQ(runSnippet(s)[0], all(0)) << end; // no result was stored
  }
  EXPECT_EQ(
      scalar("  s_mov_b32 s20, 1\n  s_setkill 0\n  s_sethalt 0\n  s_cbranch_cdbgsys skip\n  s_cbranch_cdbguser skip\n  "
             "s_cbranch_cdbgsys_or_user skip\n  s_cbranch_cdbgsys_and_user skip\n  s_mov_b32 s20, 2\nskip:"),
      2u);
  for (const char *halt : {"s_sethalt 1", "s_sendmsghalt sendmsg(MSG_INTERRUPT)"}) {
    Snippet s;
    s.body = std::string("  ") + halt;
    std::string message;
    runSnippet(s, &message);
    EXPECT_NE(message.find("the wave halts"), std::string::npos) << message;
  }
}

/// Instructions that need what no compute kernel has say so.
TEST(Control, RefusedInstructionsSayWhy) {
  for (auto [text, reason] : {std::pair("s_rfe_b64 s[4:5]", "trap handler"),
                              {"image_load v[40:43], v[10:11], s[8:15] dmask:0xf unorm", "images"},
                              {"ds_gws_barrier v2 gds", "global wave sync"}}) {
    Snippet s;
    s.chip = "gfx90a";
    s.body = std::string("  ") + text;
    std::string message;
    runSnippet(s, &message);
    EXPECT_NE(message.find(reason), std::string::npos) << message;
  }
}

/// VCCZ, EXECZ and SCC as operands, of 32 and 64 bits.
TEST(Control, FlagsAsOperands) {
  EXPECT_EQ(scalar("  s_mov_b64 vcc, 0\n  s_nop 4\n  s_mov_b32 s20, src_vccz"), 1u);
  EXPECT_EQ(scalar("  s_mov_b64 vcc, 1\n  s_nop 4\n  s_mov_b32 s20, src_vccz"), 0u);
  EXPECT_EQ(
      scalar("  s_cmp_eq_u32 s0, s0\n  s_mov_b32 s21, 7\n  s_mov_b64 s[20:21], src_scc\n  s_add_u32 s20, s20, s21"),
      1u);
  Snippet s;
  s.outputs = 2;
  s.body = "  s_mov_b64 vcc, 0\n  s_nop 4\n  v_mov_b32 v40, src_vccz\n  v_add_u32 v41, src_execz, v40";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(1));
  EXPECT_EQ(got[1], all(1));
}
