// Time of a whole grid from a few of its workgroups.
#include "TimedSnippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine;
using namespace inflight::machine::test;

namespace {

/// Ten workgroups for each unit of an MI300X, one at a time on each, in code that the first one has to bring.
TimedSnippet tenEach(unsigned sample) {
  std::string body;
  for (unsigned i = 0; i < 1000; ++i)
    body += "v_mov_b32 v10, 1\n";
  return {.body = body,
          .workgroups = 3040,
          .options = {.cus = 1, .sample = sample, .caches = timed::CacheState::Cold},
          .directives = ".amdhsa_group_segment_fixed_size 65536\n"};
}

} // namespace

TEST(Sample, WhatTheFirstWorkgroupBringsIsCountedOnce) {
  const double whole = double(runTimed(tenEach(0)).stats.cycles);
  EXPECT_GT(runTimed(tenEach(1)).stats.deviceCycles, 1.2 * whole);
  EXPECT_NEAR(runTimed(tenEach(2)).stats.deviceCycles, whole, 0.01 * whole);
  EXPECT_NEAR(runTimed(tenEach(3)).stats.deviceCycles, whole, 0.01 * whole);
}

/// Four at a time: the first four say nothing of the others.
TEST(Sample, RoundsOfSeveral) {
  auto workgroups = [](unsigned sample) {
    TimedSnippet s = tenEach(sample);
    s.workgroups = 304 * 16;
    s.directives = ".amdhsa_group_segment_fixed_size 16384\n";
    return s;
  };
  const double whole = double(runTimed(workgroups(0)).stats.cycles);
  EXPECT_NEAR(runTimed(workgroups(8)).stats.deviceCycles, whole, 0.05 * whole);
}

/// Fewer than are resident at a time would have the compute unit to themselves.
TEST(Sample, IsAtLeastWhatAUnitHoldsAtATime) {
  TimedSnippet s = tenEach(1);
  s.workgroups = 304 * 16;
  s.directives = ".amdhsa_group_segment_fixed_size 16384\n";
  const timed::TimedStats raised = runTimed(s).stats;
  EXPECT_EQ(raised.sample, 4u);
  EXPECT_EQ(raised.simulated.workgroups, 4u);
  s.workgroups = 304 * 2; // a unit has no more
  EXPECT_EQ(runTimed(s).stats.sample, 2u);
}

/// L2 takes the first stores at its own rate; in the long run memory's counts.
TEST(Sample, OfStoresComesToTheRateOfMemory) {
  TimedSnippet fill{.body = "s_lshl_b32 s8, ttmp9, 12\nv_lshl_add_u32 v1, v0, 4, s8\n"
                            "global_store_dwordx4 v1, v[4:7], s[2:3]\n",
                    .waves = 4,
                    .workgroups = 1 << 18,
                    .bytes = 1 << 30,
                    .options = {.sample = 32, .sharing = false}};
  const timed::TimedStats stats = runTimed(fill).stats;
  const double most = 5.3e12 * 0.89; // MI300X
  EXPECT_GT(stats.deviceSeconds, (double(1 << 30) - 64e6) / most);
  EXPECT_LT(stats.deviceSeconds, 1.4 * double(1 << 30) / most);
  EXPECT_LT(stats.memoryBytesPerSecond, 5e12); // of the fabric, which takes the last stores
}

TEST(Sample, TheErrorIsThatOfTheRounds) {
  EXPECT_EQ(runTimed(tenEach(2)).stats.rounds, 1u);
  const timed::TimedStats equal = runTimed(tenEach(5)).stats;
  EXPECT_EQ(equal.rounds, 4u);
  EXPECT_NEAR(equal.cyclesError, 0, 0.01 * equal.deviceCycles);
  // Some workgroups end at once.
  TimedSnippet uneven = tenEach(7);
  uneven.body = "s_bitcmp1_b32 ttmp9, 5\ns_cbranch_scc1 .Lout\n" + uneven.body + ".Lout:\n";
  const timed::TimedStats stats = runTimed(uneven).stats;
  EXPECT_EQ(stats.rounds, 6u);
  EXPECT_GT(stats.cyclesError, 0.1 * stats.deviceCycles);
}
