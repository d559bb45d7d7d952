// What follows a loop that has phases.
#include "Listing.h"

#include <gtest/gtest.h>

namespace inflight::values {
namespace {

constexpr Overlap No = Overlap::No, Yes = Overlap::Yes;

/// What is read after a loop is `iterations` iterations younger than the DMA that wrote it, and apart from that of
/// later iterations.
void expectDrained(const Listing &k, const char *read, unsigned iterations) {
  bool meets = false;
  for (Listing::Place from : k.find("buffer_load"))
    for (Listing::Place to : k.find(read)) {
      for (unsigned t = 0; t < iterations; ++t)
        EXPECT_EQ(k.later(from, to, t), No)
            << read << " iterations " << t << ": " << k.map->describe(k.at(from)) << " / " << k.map->describe(k.at(to));
      meets |= k.later(from, to, iterations) == Yes;
    }
  EXPECT_TRUE(meets) << read;
}

const std::string rotation = R"(
    s_mov_b32 m0, s8
    buffer_load_dword v1, s[12:15], 0 offen lds
    v_add_u32 v2, s6, v1
    ds_read_b32 v3, v2
    s_mov_b32 s9, s6
    s_mov_b32 s6, s7
    s_mov_b32 s7, s8
    s_mov_b32 s8, s9
  )",
                  threeBuffers = "s_mov_b32 s6, 0\ns_mov_b32 s7, 0x1000\ns_mov_b32 s8, 0x2000\n", twoLeft = R"(
    v_add_u32 v2, s6, v1
    ds_read_b32 v4, v2
    v_add_u32 v2, s7, v1
    ds_read_b32 v5, v2
  )";

TEST(Epilogues, RingOfThreeByRotation) {
  Listing k = Listing::ofKernel(threeBuffers + loop("", rotation) + twoLeft);
  EXPECT_EQ(k.phases("buffer_load"), 3u);
  EXPECT_EQ(k.phases("ds_read_b32 v4"), 3u);
  expectDrained(k, "ds_read_b32 v4", 1);
  expectDrained(k, "ds_read_b32 v5", 0);
}

TEST(Epilogues, DoubleBufferByXor) {
  Listing k = Listing::ofKernel(loop("s_mov_b32 s6, 0\n", R"(
    s_xor_b32 m0, s6, 0x1000
    buffer_load_dword v1, s[12:15], 0 offen lds
    v_add_u32 v2, s6, v1
    ds_read_b32 v3, v2
    s_xor_b32 s6, s6, 0x1000
  )") + R"(
    s_cmp_lg_u32 s11, 0
    s_cbranch_scc1 last
    v_mov_b32 v9, 0
  last:
    s_xor_b32 s7, s6, 0x1000
    v_add_u32 v2, s7, v1
    ds_read_b32 v4, v2
    v_add_u32 v2, s6, v1
    ds_read_b32 v5, v2
  )");
  expectDrained(k, "ds_read_b32 v4", 1);
  expectDrained(k, "ds_read_b32 v5", 0);
}

TEST(Epilogues, OnlyPhasesInWhichTheLoopCanEnd) {
  // Of five iterations the last is in the second phase.
  Listing k = Listing::ofKernel(threeBuffers + "v_lshlrev_b32 v1, 2, v0\ns_mov_b32 s10, 5\nloop:\n" + rotation +
                                "s_sub_i32 s10, s10, 1\ns_cmp_lg_u32 s10, 0\ns_cbranch_scc1 loop\n" + twoLeft);
  EXPECT_EQ(k.phases("buffer_load"), 3u);
  ASSERT_EQ(k.phases("ds_read_b32 v4"), 1u);
  EXPECT_EQ(k.bytes("ds_read_b32 v4"), "4 of bytes 8192..9215 (from wave*256 + lane*4 + 0x2000)");
}

TEST(Epilogues, APathAroundTheLoopStandsForItself) {
  auto guarded = [](std::string guard) {
    return Listing::ofKernel(
        threeBuffers + "s_load_dword s10, s[0:1], 0x10\nv_lshlrev_b32 v1, 2, v0\ns_waitcnt lgkmcnt(0)\n" + guard +
        "s_cbranch_scc1 behind\nloop:\ns_barrier\n" + rotation +
        "s_sub_i32 s10, s10, 1\ns_cmp_lg_u32 s10, 0\ns_cbranch_scc1 loop\nbehind:\ns_barrier\n" + twoLeft);
  };
  Listing k = guarded("s_cmp_eq_u32 s10, 0\n");
  EXPECT_EQ(k.phases("ds_read_b32 v4"), 4u);
  expectDrained(k, "ds_read_b32 v4", 1);
  // When some waves go around, they meet the others at the barrier.
  EXPECT_EQ(guarded("v_readfirstlane_b32 s11, v0\ns_cmp_eq_u32 s11, 0\n").phases("ds_read_b32 v4"), 1u);
}

TEST(Epilogues, WavesThatLeaveInOtherIterationsMeetInOnePhase) {
  // As many iterations as the wave's number says: at the barrier, waves come from other phases.
  const std::string iterations = threeBuffers + "v_lshlrev_b32 v1, 2, v0\nv_readfirstlane_b32 s10, v0\nloop:\n",
                    count = R"(
    s_sub_i32 s10, s10, 64
    s_cmp_gt_i32 s10, 0
    s_cbranch_scc1 loop
  )";
  Listing disjoint = Listing::ofKernel(iterations + rotation + count + twoLeft + "s_barrier\nds_read_b32 v6, v1");
  EXPECT_EQ(disjoint.phases("ds_read_b32 v4"), 1u);
  Listing alone = Listing::ofKernel(iterations + rotation + count + twoLeft);
  EXPECT_EQ(alone.phases("ds_read_b32 v4"), 3u);
  // A barrier in each iteration keeps them together.
  Listing together =
      Listing::ofKernel(iterations + "s_barrier\n" + rotation + count + twoLeft + "s_barrier\nds_read_b32 v6, v1");
  EXPECT_EQ(together.phases("ds_read_b32 v4"), 3u);
}

TEST(Epilogues, LongOnesJoinAgain) {
  // Each step down is a block: after some of them the phases are one.
  std::string steps;
  for (unsigned i = 0; i < 400; ++i)
    steps += "s_cmp_eq_u32 s11, " + std::to_string(i % 60) + "\ns_cbranch_scc1 l" + std::to_string(i) +
             "\nds_read_b32 v6, v1\nl" + std::to_string(i) + ":\n";
  Listing k = Listing::ofKernel(threeBuffers + loop("", rotation) + twoLeft + steps + "ds_read_b32 v7, v1\n");
  EXPECT_EQ(k.phases("ds_read_b32 v4"), 3u);
  EXPECT_EQ(k.phases("ds_read_b32 v7"), 1u);
  EXPECT_LE(k.map->blocks().size(), 2 * k.program->blocks().size() + 256);
}

} // namespace
} // namespace inflight::values
