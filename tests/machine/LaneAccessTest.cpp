// Instructions between one lane and a scalar: v_readlane, v_readfirstlane and v_writelane.
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {
Register tens() {
  Register r;
  for (unsigned i = 0; i < 64; ++i)
    r[i] = 10 * i;
  return r;
}
/// s20 after the body, which finds 10 × lane in v10. What comes after runs with all lanes.
uint32_t scalar(const std::string &body) {
  Snippet s;
  s.in = {tens()};
  s.body = body + "\n  s_mov_b64 exec, -1\n  v_mov_b32 v40, s20";
  return runSnippet(s)[0][0];
}
/// v40, all 7 before the body.
Register vector(const std::string &body) {
  Snippet s;
  s.in = {tens()};
  s.body = "  v_mov_b32 v40, 7\n" + body;
  return runSnippet(s)[0];
}
Register sevensBut(unsigned lane, uint32_t value) {
  Register r = all(7);
  r[lane] = value;
  return r;
}
const std::string noLanes = "  s_mov_b64 exec, 0\n  s_nop 4\n";
} // namespace

/// Constants, SGPRs, M0 and VCC name the lane; six bits count.
TEST(LaneAccess, ReadlaneNamesALane) {
  EXPECT_EQ(scalar("  v_readlane_b32 s20, v10, 5"), 50u);
  EXPECT_EQ(scalar("  v_readlane_b32 s20, v10, 63"), 630u);
  EXPECT_EQ(scalar("  v_readlane_b32 s20, v10, 64"), 0u);
  EXPECT_EQ(scalar("  v_readlane_b32 s20, v10, -1"), 630u);
  EXPECT_EQ(scalar("  s_movk_i32 s21, 0x105\n  v_readlane_b32 s20, v10, s21"), 50u);
  EXPECT_EQ(scalar("  s_mov_b32 m0, 0xffffff83\n  v_readlane_b32 s20, v10, m0"), 30u);
  EXPECT_EQ(scalar("  s_mov_b32 vcc_lo, 9\n  v_readlane_b32 s20, v10, vcc_lo"), 90u);
  EXPECT_EQ(scalar("  v_readlane_b32 vcc_hi, v10, 4\n  s_mov_b32 s20, vcc_hi"), 40u);
}

/// EXEC doesn't count for a lane that is named; where none is on, the first one is lane 0.
TEST(LaneAccess, Exec) {
  EXPECT_EQ(scalar(noLanes + "  v_readlane_b32 s20, v10, 5"), 50u);
  EXPECT_EQ(scalar("  s_mov_b64 exec, 0xf0\n  v_readlane_b32 s20, v10, 63"), 630u);
  EXPECT_EQ(scalar("  v_readfirstlane_b32 s20, v10"), 0u);
  EXPECT_EQ(scalar("  s_mov_b64 exec, 0x60\n  v_readfirstlane_b32 s20, v10"), 50u);
  EXPECT_EQ(scalar("  s_mov_b32 exec_lo, 0\n  s_mov_b32 exec_hi, 0x80000000\n  v_readfirstlane_b32 s20, v10"), 630u);
  EXPECT_EQ(scalar("  v_add_u32 v10, 3, v10\n" + noLanes + "  v_readfirstlane_b32 s20, v10"), 3u);
}

TEST(LaneAccess, WritelaneNamesALane) {
  EXPECT_EQ(vector("  s_mov_b32 s20, 99\n  v_writelane_b32 v40, s20, 5"), sevensBut(5, 99));
  EXPECT_EQ(vector("  s_movk_i32 s21, 0xc3\n  v_writelane_b32 v40, 44, s21"), sevensBut(3, 44));
  EXPECT_EQ(vector("  s_mov_b32 m0, 66\n  s_mov_b32 s20, 12\n  v_writelane_b32 v40, s20, m0"), sevensBut(2, 12));
  EXPECT_EQ(vector("  s_mov_b32 m0, 66\n  v_writelane_b32 v40, m0, 3"), sevensBut(3, 66));
  EXPECT_EQ(vector("  v_writelane_b32 v40, -4, -1"), sevensBut(63, uint32_t(-4)));
  EXPECT_EQ(vector(noLanes + "  v_writelane_b32 v40, 1, 9\n  s_mov_b64 exec, -1"), sevensBut(9, 1));
  EXPECT_EQ(vector("  v_writelane_b32 v40, exec_lo, 9"), sevensBut(9, ~0u));
}

/// A float constant is its bits.
TEST(LaneAccess, Constants) { EXPECT_EQ(vector("  v_writelane_b32 v40, 1.0, 0"), sevensBut(0, 0x3f800000)); }
