// Flat addresses of LDS and scratch, and the sources that say where they begin.
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

/// A flat address with the upper half of src_shared_base is in LDS: what flat_store writes, ds_read finds, and the
/// other path round with an atomic.
TEST(Apertures, FlatReachesLds) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"}) {
    Snippet s;
    s.chip = chip;
    s.outputs = 2;
    s.in = {lanes({11, 22, 33})};
    s.body =
        "  s_mov_b64 s[8:9], src_shared_base\n  v_mov_b32 v3, s9\n  v_add_u32 v2, 16, v1\n  flat_store_dword v[2:3], "
        "v10 offset:16\n"
        "  s_waitcnt vmcnt(0) lgkmcnt(0)\n  ds_read_b32 v40, v1 offset:32\n  v_mov_b32 v4, 5\n  s_waitcnt lgkmcnt(0)\n"
        "  flat_atomic_add v41, v[2:3], v4 offset:16 " +
        std::string(s.chip == "gfx90a" ? "glc" : "sc0") +
        "\n"
        "  s_waitcnt vmcnt(0) lgkmcnt(0)\n  ds_read_b32 v41, v1 offset:32\n  s_waitcnt lgkmcnt(0)";
    std::vector<Register> got = runSnippet(s);
    EXPECT_EQ(got[0], lanes({11, 22, 33})) << chip;
    EXPECT_EQ(got[1], lanes({16, 27, 38})) << chip;
  }
}

/// Lanes of one instruction may lie in different apertures; each lane has scratch of its own.
TEST(Apertures, LanesInDifferentPlaces) {
  Snippet s;
  s.chip = "gfx942";
  s.directives = "  .amdhsa_enable_private_segment 1\n  .amdhsa_private_segment_fixed_size 64\n";
  s.in = {lanes({1, 2, 3, 4})};
  s.outputs = 2;
  s.body =
      "  s_mov_b64 s[8:9], src_shared_base\n  s_mov_b64 s[10:11], src_private_base\n  v_mov_b32 v2, 8\n  v_mov_b32 v3, "
      "s11\n"
      "  s_mov_b64 vcc, 0x5555\n  v_mov_b32 v4, s9\n  v_cndmask_b32 v3, v3, v4, vcc\n  v_cndmask_b32 v2, v2, v1, vcc\n"
      "  flat_store_dword v[2:3], v10\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n  flat_load_dword v40, v[2:3]\n"
      "  scratch_load_dword v41, off, off offset:8\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n  v_cndmask_b32 v41, v41, 0, vcc";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], lanes({1, 2, 3, 4}));
  Register scratch = lanes({1, 2, 3, 4});
  for (unsigned lane = 0; lane < 16; lane += 2)
    scratch[lane] = 0;
  EXPECT_EQ(got[1], scratch);
}

TEST(Apertures, Bounds) {
  Snippet s;
  s.outputs = 1;
  std::string message;
  s.body =
      "  s_mov_b64 s[8:9], src_shared_base\n  v_mov_b32 v3, s9\n  v_mov_b32 v2, 0x1000\n  flat_load_dword v40, v[2:3]";
  runSnippet(s, &message);
  EXPECT_NE(message.find("flat access to LDS beyond its 4096 bytes, at 4096, lane 0"), std::string::npos) << message;
  // gfx90a looks for the address of scratch in SGPRs that the kernel must fill.
  s.chip = "gfx90a";
  s.body = "  scratch_load_dword v40, off, s8";
  message.clear();
  runSnippet(s, &message);
  EXPECT_NE(message.find("FLAT_SCRATCH is not the wave's scratch address"), std::string::npos) << message;
}

/// 32-bit operands see the lower half of a base, which is zero; s_getreg gives bits 63:48 of both.
TEST(Apertures, OtherWaysToRead) {
  Snippet s;
  s.outputs = 3;
  s.body = "  s_mov_b32 s8, src_shared_base\n  v_mov_b32 v40, s8\n  s_mov_b64 s[8:9], src_private_limit\n  v_mov_b32 "
           "v41, s8\n"
           "  s_getreg_b32 s10, hwreg(HW_REG_SH_MEM_BASES, 0, 16)\n  s_lshl_b32 s10, s10, 16\n  s_xor_b32 s10, s10, "
           "s9\n  v_mov_b32 v42, s10";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(0));
  EXPECT_EQ(got[1], all(~0u));
  EXPECT_EQ(got[2], all(0));
}
