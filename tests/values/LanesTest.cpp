// Values that are other lanes' and those of a pattern of lanes.
#include "Listing.h"

#include <gtest/gtest.h>

namespace inflight::values {
namespace {

/// v1 is 256 times the number of the row of 16 lanes, in whole waves where `isRequired`.
Listing rows(std::string body, bool isRequired = true) {
  return Listing::ofKernel(
      "v_and_b32 v1, 63, v0\n v_lshrrev_b32 v1, 4, v1\n v_lshlrev_b32 v1, 8, v1\n v_mov_b32 v9, 0\n" + body, 256,
      "gfx950", isRequired);
}

TEST(LaneMasks, APatternIsAFunctionOfTheLane) {
  Listing k = rows(R"(
    s_mov_b32 s4, 0xff00ff00
    s_mov_b32 s5, 0xff00ff00
    v_mov_b32 v2, 0x400
    v_cndmask_b32_e64 v3, 0, v2, s[4:5]
    ds_read_b32 v20, v3
    ds_read_b32 v21, v9
    ds_read_b32 v22, v9 offset:512
    ds_read_b32 v23, v9 offset:1024)");
  EXPECT_EQ(k.overlap("ds_read_b32 v20", "ds_read_b32 v21"), Overlap::Yes);
  EXPECT_EQ(k.overlap("ds_read_b32 v20", "ds_read_b32 v22"), Overlap::No);
  EXPECT_EQ(k.overlap("ds_read_b32 v20", "ds_read_b32 v23"), Overlap::Yes);
}

TEST(LaneMasks, OnesWithoutAPatternAreUnknown) {
  Listing k = rows(R"(
    s_mov_b32 s4, 0x12345678
    s_mov_b32 s5, 0x9abcdef0
    v_mov_b32 v2, 0x400
    v_cndmask_b32_e64 v3, v1, v2, s[4:5]
    ds_read_b32 v20, v3
    ds_read_b32 v21, v9 offset:512)");
  EXPECT_EQ(k.overlap("ds_read_b32 v20", "ds_read_b32 v21"), Overlap::Unknown);
}

TEST(LaneSwaps, RowsGoToTheirNeighbours) {
  Listing k = rows(R"(
    v_mov_b32 v2, v1
    v_permlane16_swap_b32 v1, v2
    ds_read_b32 v20, v1
    ds_read_b32 v21, v2
    ds_read_b32 v22, v9
    ds_read_b32 v23, v9 offset:256
    ds_read_b32 v24, v9 offset:512
    ds_read_b32 v25, v9 offset:768)");
  // The first has rows 0, 0, 2, 2 now, the second 1, 1, 3, 3.
  for (auto [at, first] : {std::pair("ds_read_b32 v22", true),
                           {"ds_read_b32 v23", false},
                           {"ds_read_b32 v24", true},
                           {"ds_read_b32 v25", false}}) {
    EXPECT_EQ(k.overlap("ds_read_b32 v20", at), first ? Overlap::Yes : Overlap::No) << at;
    EXPECT_EQ(k.overlap("ds_read_b32 v21", at), first ? Overlap::No : Overlap::Yes) << at;
  }
}

TEST(LaneSwaps, HalvesGoToTheOtherRegister) {
  Listing k = rows(R"(
    v_mov_b32 v2, 0x1000
    v_permlane32_swap_b32 v1, v2
    ds_read_b32 v20, v1
    ds_read_b32 v21, v2
    ds_read_b32 v22, v9 offset:256
    ds_read_b32 v23, v9 offset:768
    ds_read_b32 v24, v9 offset:4096)");
  EXPECT_EQ(k.overlap("ds_read_b32 v20", "ds_read_b32 v22"), Overlap::Yes);
  EXPECT_EQ(k.overlap("ds_read_b32 v20", "ds_read_b32 v23"), Overlap::No);
  EXPECT_EQ(k.overlap("ds_read_b32 v20", "ds_read_b32 v24"), Overlap::Yes);
  EXPECT_EQ(k.overlap("ds_read_b32 v21", "ds_read_b32 v22"), Overlap::No);
  EXPECT_EQ(k.overlap("ds_read_b32 v21", "ds_read_b32 v23"), Overlap::Yes);
}

/// Lanes that a wave began without keep what they have, and give nothing.
TEST(LaneSwaps, WavesThatMayNotBeWholeAreUnknown) {
  Listing k = rows(
      "v_mov_b32 v2, v1\n v_permlane16_swap_b32 v1, v2\n ds_read_b32 v20, v1\n ds_read_b32 v21, v9 offset:256", false);
  EXPECT_EQ(k.overlap("ds_read_b32 v20", "ds_read_b32 v21"), Overlap::Unknown);
}

/// A mask is of all lanes, not of the one that reads it.
TEST(LaneSwaps, MasksAreTheSameForAllLanes) {
  Listing k = rows(R"(
    v_cmp_gt_u32 vcc, 32, v0
    v_and_b32 v2, 0x100, v1
    s_and_b32 s4, vcc_lo, 0x100
    v_add_u32 v2, s4, v2
    v_mov_b32 v3, v2
    v_permlane16_swap_b32 v2, v3
    ds_read_b32 v20, v2
    ds_read_b32 v21, v9 offset:512)");
  EXPECT_EQ(k.overlap("ds_read_b32 v20", "ds_read_b32 v21"), Overlap::Unknown);
}

/// Clang's if and else, one in the other: afterwards EXEC is what it was.
TEST(LaneMasks, AnElseGivesAllLanesBack) {
  for (bool isRequired : {true, false}) {
    Listing k = rows(R"(
      v_cmp_gt_u32 vcc, 32, v0
      s_and_saveexec_b64 s[8:9], vcc
      s_xor_b64 s[6:7], exec, s[8:9]
      s_cbranch_execz else
      v_cmp_gt_u32 vcc, 8, v0
      s_and_saveexec_b64 s[12:13], vcc
      s_xor_b64 s[10:11], exec, s[12:13]
      v_mov_b32 v2, 1
      s_andn2_saveexec_b64 s[10:11], s[10:11]
      v_mov_b32 v2, 2
      s_or_b64 exec, exec, s[10:11]
    else:
      s_andn2_saveexec_b64 s[6:7], s[6:7]
      v_mov_b32 v2, 3
      s_or_b64 exec, exec, s[6:7]
      ds_read_b32 v20, v1
      ds_read_b32 v21, v9 offset:128
      ds_read_b32 v22, v9 offset:256)",
                     isRequired);
    EXPECT_EQ(k.overlap("ds_read_b32 v20", "ds_read_b32 v21"), Overlap::No);
    EXPECT_NE(k.overlap("ds_read_b32 v20", "ds_read_b32 v22"), Overlap::No);
  }
}

} // namespace
} // namespace inflight::values
