// Registers beyond those a kernel allocates, operands that don't exist, and FLAT addresses of LDS and scratch.
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {
Snippet snippet(const std::string &body, unsigned outputs = 1, const std::string &chip = "gfx942") {
  Snippet s;
  s.chip = chip;
  s.body = body;
  s.in = {iota(100), iota(200)};
  s.outputs = outputs;
  return s;
}
/// The kernel has v0 to v127 and nothing else.
Snippet without(Snippet s) {
  s.directives = "  .amdhsa_next_free_vgpr 128\n";
  return s;
}
std::string error(const Snippet &s) {
  std::string message;
  runSnippet(s, &message);
  return message;
}
} // namespace

/// The kernel has v0 to v127 and a0 to a127.
TEST(RegisterLimits, Vectors) {
  std::vector<Register> got = runSnippet(snippet(
      "  v_mov_b32 v0, 7\n  v_mov_b32 v1, v1\n  v_mov_b32 v40, 1\n  v_mov_b32 v41, 1\n  v_mov_b32 v200, 5\n" // ignored
      "  v_mov_b32 v40, v200\n"                                                                              // reads v0
      "  v_mov_b32 v2, 8\n  v_lshlrev_b64 v[126:127], 0, v[2:3]\n  v_lshlrev_b64 v[128:129], 0, v[2:3]\n  v_mov_b32 "
      "v41, v126\n"
      "  v_accvgpr_write_b32 a127, v2\n  v_accvgpr_write_b32 a128, v0\n  v_accvgpr_read_b32 v42, a127\n  "
      "v_accvgpr_read_b32 v43, a128\n"
      "  v_mov_b32_dpp v44, v201 quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf",
      5));
  EXPECT_EQ(got[0], all(7));
  EXPECT_EQ(got[1], all(8));
  EXPECT_EQ(got[2], all(8));
  EXPECT_EQ(got[3], all(7));
  EXPECT_EQ(got[4], all(7));
}

/// Accumulation registers start at v128, but the kernel names none: it has v0 to v255, also tuples across the offset.
TEST(RegisterLimits, VectorsAfterTheOffset) {
  std::vector<Register> got =
      runSnippet(snippet("  global_load_dwordx4 v[126:129], v1, s[2:3]\n  v_mov_b32 v255, 5\n  s_waitcnt vmcnt(0)\n"
                         "  v_mov_b32 v40, v127\n  v_add_u32 v41, v128, v255",
                         2, "gfx950"));
  for (unsigned lane = 0; lane < 62; ++lane) {
    EXPECT_EQ(got[0][lane], 101 + lane);
    EXPECT_EQ(got[1][lane], 107 + lane);
  }
}

/// With a carry or a mask as second result nothing at all is written.
TEST(RegisterLimits, AllResultsOrNone) {
  std::vector<Register> got = runSnippet(without(
      snippet("  s_mov_b64 s[20:21], 0\n  v_add_co_u32 v130, s[20:21], -1, v10\n  v_cndmask_b32 v40, 3, 4, s[20:21]")));
  EXPECT_EQ(got[0], all(3));
}

/// A load to registers that don't exist does nothing; a store from such is an error that names them.
TEST(RegisterLimits, Memory) {
  EXPECT_EQ(runSnippet(without(snippet("  v_mov_b32 v40, 4\n  global_load_dword v128, v1, s[2:3]\n  ds_read_b64 "
                                       "v[128:129], v1\n  s_waitcnt vmcnt(0) lgkmcnt(0)")))[0],
            all(4));
  EXPECT_NE(
      error(without(snippet("  global_store_dword v1, v130, s[2:3]"))).find("v130: the kernel allocates 128 VGPRs"),
      std::string::npos);
  EXPECT_EQ(runSnippet(without(snippet("  v_mov_b32 v0, 9\n  ds_write_b32 v1, v130\n  s_waitcnt lgkmcnt(0)\n  "
                                       "ds_read_b32 v40, v1\n  s_waitcnt lgkmcnt(0)")))[0],
            all(9));
}

/// With 32 SGPRs: reads of others give s0, writes go nowhere.
TEST(RegisterLimits, Scalars) {
  Snippet s =
      snippet("  s_mov_b32 s0, 6\n  s_mov_b32 s60, 9\n  s_mov_b32 s20, s60\n  v_mov_b32 v40, s20\n  v_cmp_eq_u32 "
              "s[60:61], v0, v0\n  v_readfirstlane_b32 s62, v10\n  s_add_u32 s60, s60, s60\n  v_mov_b32 v41, s62\n"
              "  s_movk_i32 s70, 3\n  s_mov_b32 s21, s70\n  v_mov_b32 v42, s21",
              3);
  s.directives = "  .amdhsa_next_free_sgpr 24\n";
  std::vector<Register> got = runSnippet(s);
  for (const Register &r : got)
    EXPECT_EQ(r, all(6));
}

/// Only trap handlers write the trap temporaries.
TEST(RegisterLimits, TrapTemporaries) {
  EXPECT_EQ(runSnippet(snippet("  s_mov_b32 ttmp3, 5\n  s_mov_b32 s20, ttmp3\n  v_mov_b32 v40, s20"))[0], all(0));
}

/// s[3:4] as bytes: the assembler doesn't write it.
TEST(RegisterLimits, MisalignedScalarsAreErrors) {
  EXPECT_NE(error(snippet("  .long 0xbe940103 ; s_mov_b64 s[20:21], s[3:4]")).find("isn't aligned"), std::string::npos);
  EXPECT_NE(error(snippet("  .long 0xbe950102 ; s_mov_b64 s[21:22], s[2:3]")).find("isn't aligned"), std::string::npos);
}

/// The upper half of a 64-bit aperture is where it begins; 32-bit instructions see the lower half (LLVM's
/// SITargetLowering works around that). The limit has all ones below.
/// v_cmp_eq_f32 and v_readlane_b32 whose destination field is 239.
TEST(RegisterLimits, DestinationsThatAreNoScalarRegisterAreErrors) {
  EXPECT_NE(error(snippet("  .long 0xd04200ef, 0x0002170a")), "");
  EXPECT_NE(error(snippet("  .long 0xd28900ef, 0x0001010a")), "");
}

TEST(RegisterLimits, ApertureOperands) {
  std::vector<Register> got =
      runSnippet(snippet("  s_mov_b64 s[20:21], src_shared_base\n  v_mov_b32 v40, s20\n  v_mov_b32 v41, s21\n  "
                         "s_mov_b64 s[20:21], src_private_limit\n  v_mov_b32 v42, s20\n  v_mov_b32 v43, s21\n"
                         "  v_mov_b32 v44, src_shared_base\n  v_mov_b32 v45, src_pops_exiting_wave_id\n  v_lshlrev_b64 "
                         "v[46:47], 0, src_private_base",
                         8));
  const uint32_t expected[] = {0, 0x10000, 0xffffffff, 0x20000, 0, 0, 0, 0x20000};
  for (unsigned i = 0; i < 8; ++i)
    EXPECT_EQ(got[i], all(expected[i])) << i;
}

/// One FLAT instruction: lanes in memory, in LDS and in scratch.
TEST(RegisterLimits, FlatApertures) {
  for (const char *chip : {"gfx942", "gfx950"}) {
    Snippet s = snippet(
        "  ds_write_b32 v1, v11\n  s_mov_b64 s[20:21], src_shared_base\n  s_mov_b64 s[22:23], src_private_base\n"
        "  v_add_u32 v2, s2, v1\n  v_mov_b32 v3, s3\n"                                                       // memory
        "  v_mov_b32 v4, 4\n  v_mov_b32 v5, s23\n  v_lshlrev_b32 v6, 1, v1\n  flat_store_dword v[4:5], v6\n" // scratch:
                                                                                                             // 8 × lane
        "  s_mov_b64 vcc, 0xf0\n  v_mov_b32 v7, s21\n  v_cndmask_b32 v2, v2, v1, vcc\n  v_cndmask_b32 v3, v3, v7, vcc\n"
        "  s_mov_b64 vcc, 0xf00\n  v_cndmask_b32 v2, v2, v4, vcc\n  v_cndmask_b32 v3, v3, v5, vcc\n  s_waitcnt "
        "vmcnt(0) lgkmcnt(0)\n"
        "  flat_load_dword v40, v[2:3]\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n  v_mov_b32 v8, 1\n  flat_atomic_add v41, "
        "v[2:3], v8 sc0\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n  flat_load_dword v42, v[2:3]\n  s_waitcnt vmcnt(0) "
        "lgkmcnt(0)",
        3, chip);
    s.directives = "  .amdhsa_private_segment_fixed_size 16\n";
    std::vector<Register> got = runSnippet(s);
    for (unsigned lane = 0; lane < 64; ++lane) {
      const uint32_t expected = lane / 4 == 1 ? 200 + lane : lane / 4 == 2 ? 8 * lane : 100 + lane;
      EXPECT_EQ(got[0][lane], expected) << chip << " lane " << lane;
      EXPECT_EQ(got[1][lane], expected);
      EXPECT_EQ(got[2][lane], expected + 1);
    }
  }
}

TEST(RegisterLimits, BeyondAnApertureIsAnError) {
  EXPECT_NE(error(snippet("  s_mov_b64 s[20:21], src_shared_base\n  v_mov_b32 v2, 0x1000\n  v_mov_b32 v3, s21\n  "
                          "flat_load_dword v40, v[2:3]\n  s_waitcnt vmcnt(0)"))
                .find("LDS beyond its 4096 bytes"),
            std::string::npos);
}

/// COMPUTE_TMPRING_SIZE holds 8191 KiB a wave: 131056 bytes a lane.
TEST(RegisterLimits, Scratch) {
  Snippet s = snippet("  v_mov_b32 v40, 7");
  s.directives = "  .amdhsa_private_segment_fixed_size 131056\n";
  EXPECT_EQ(runSnippet(s)[0], all(7));
  for (const char *bytes : {"131060", "0x7fffffff", "0xffffffff"}) {
    s.directives = std::string("  .amdhsa_private_segment_fixed_size ") + bytes + "\n";
    EXPECT_NE(error(s).find("kernel 'k': " + std::to_string(std::stoul(bytes, nullptr, 0)) +
                            " bytes of scratch a lane; the chip has at most 131056"),
              std::string::npos)
        << error(s);
  }
}
