// Lines that compute units share.
#include "TimedSnippet.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::machine;
using namespace inflight::machine::test;
using events::Level;

namespace {

/// 304 workgroups, one on each unit of an MI300X, that load 32 rows of 64 dwords from where s8 says.
TimedSnippet rows(const std::string &place) {
  std::string body = place;
  for (unsigned i = 0; i < 32; ++i)
    body += "global_load_dword v10, v1, s[2:3]\nv_add_u32 v1, 0x100, v1\n";
  TimedSnippet snippet{.body = body + "s_waitcnt vmcnt(0)", .workgroups = 304, .bytes = 8 << 20};
  snippet.options.cus = 8;
  return snippet;
}
/// The SGPR that has the workgroup's number first is overwritten by the argument; it is in ttmp9, too.
const char group[] = "s_mov_b32 s8, ttmp9\n";

const char sameRows[] = "";
const std::string ownRows = std::string(group) + "s_mul_i32 s8, s8, 0x2000\nv_add_u32 v1, s8, v1\n";
/// Units of an XCD want the same, those of different ones don't.
const std::string rowsOfTheXcd =
    std::string(group) + "s_and_b32 s8, s8, 7\ns_mul_i32 s8, s8, 0x2000\nv_add_u32 v1, s8, v1\n";

TEST(Sharing, RowsThatAllWantAreBroughtOnce) {
  Recording r = runTimed(rows(sameRows));
  EXPECT_NEAR(r.stats.sharing.unitsALine, 38, 0.5);
  EXPECT_NEAR(r.stats.sharing.slicesALine, 8, 0.1);
  // 64 lines of 38 units of 8 slices: a unit brings two of them to L2, and one in four of these from memory.
  const auto &lines = r.stats.simulated.lines;
  // The arguments' line comes from memory, too, for each of the eight units.
  EXPECT_LT(lines[size_t(Level::Memory)], 8 + 8u * 64 / 38);
  EXPECT_GT(lines[size_t(Level::L2)], 8u * 60 * 9 / 10);
}

TEST(Sharing, RowsThatOneWantsComeFromMemory) {
  Recording r = runTimed(rows(ownRows));
  EXPECT_EQ(r.stats.sharing.unitsALine, 1);
  EXPECT_EQ(r.stats.sharing.slicesALine, 1);
  EXPECT_GE(r.stats.simulated.lines[size_t(Level::Memory)], 8u * 64);
}

TEST(Sharing, RowsOfAnXcd) {
  Recording r = runTimed(rows(rowsOfTheXcd));
  EXPECT_NEAR(r.stats.sharing.unitsALine, 38, 0.5);
  EXPECT_EQ(r.stats.sharing.slicesALine, 1);
  EXPECT_NEAR(double(r.stats.simulated.lines[size_t(Level::Memory)] + r.stats.simulated.lines[size_t(Level::Mall)]),
              8 * 64 / 38.0 + 1, 15);
}

/// Workgroup i of 16 runs its loop `turns` times, the last one `last` times.
TimedSnippet loops(unsigned turns, unsigned last) {
  return {.body = group +
                  ("s_cmp_eq_u32 s8, 15\ns_cselect_b32 s8, " + std::to_string(last) + ", " + std::to_string(turns)) +
                  "\n.Lloop:\ns_nop 15\ns_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Lloop\n",
          .workgroups = 16};
}

TEST(Sharing, TheLongestWorkgroupIsTheDevicesTime) {
  const Recording alike = runTimed(loops(50, 50)), one = runTimed(loops(50, 60));
  EXPECT_EQ(alike.stats.firstUnit, 0u);
  EXPECT_EQ(one.stats.firstUnit, 15u);
  EXPECT_GT(double(one.stats.cycles), 1.1 * double(alike.stats.cycles));
  TimedSnippet all = loops(50, 60);
  all.options.cus = 0;
  EXPECT_EQ(runTimed(all).stats.cycles, one.stats.cycles);
  TimedSnippet sample = loops(50, 60);
  sample.options.sample = 1;
  EXPECT_EQ(runTimed(sample).stats.cycles, one.stats.cycles);
}

TEST(Sharing, WhatEndsAtOnceUsesNoBandwidth) {
  // All but every fourth of 304 workgroups end before their loads.
  const std::string few =
      std::string(group) + "s_and_b32 s8, s8, 3\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Lout\n.rept 200\ns_nop 0\n.endr\n";
  TimedSnippet some = rows(few + ownRows), every = rows(".rept 200\ns_nop 0\n.endr\n" + ownRows);
  some.body += "\n.Lout:";
  some.options.cus = every.options.cus = 1;
  const Recording quarter = runTimed(some), whole = runTimed(every);
  EXPECT_EQ(quarter.stats.sharing.users, 76u);
  EXPECT_EQ(whole.stats.sharing.users, 304u);
  EXPECT_LT(quarter.stats.cycles, whole.stats.cycles);
}

TEST(Sharing, OffMeansThatEachUnitBringsItsOwn) {
  TimedSnippet snippet = rows(sameRows);
  snippet.options.sharing = false;
  Recording r = runTimed(snippet);
  EXPECT_TRUE(r.stats.sharing.byLine.empty());
  EXPECT_GE(r.stats.simulated.lines[size_t(Level::Memory)], 8u * 64);
}

TEST(Sharing, ThreadsDontMatter) {
  TimedSnippet snippet = rows(rowsOfTheXcd);
  Recording one = runTimed(snippet);
  snippet.threads = 3;
  Recording three = runTimed(snippet);
  EXPECT_EQ(one.stats.cycles, three.stats.cycles);
  EXPECT_EQ(one.stats.sharing.unitsALine, three.stats.sharing.unitsALine);
  EXPECT_EQ(one.stats.sharing.instructions, three.stats.sharing.instructions);
}

TEST(Sharing, LongWorkgroupsAreLookedAtInPartIfFewAreTimed) {
  // 4,004 instructions of each of 304 waves; one wave is timed.
  TimedSnippet snippet{.body = "s_movk_i32 s8, 1000\n.Lloop:\ns_nop 0\ns_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\n"
                               "s_cbranch_scc1 .Lloop\n",
                       .workgroups = 304};
  EXPECT_LE(runTimed(snippet).stats.sharing.instructions, 304 * 1000 + 10000u);
  // All are timed: they may be looked at whole.
  snippet.options.cus = 0;
  EXPECT_GE(runTimed(snippet).stats.sharing.instructions, 304 * 4000u);
}

TEST(Sharing, WhatFewHaveComeToCountsAsTheRest) {
  // All load the same rows, then the others wait for longer than they are looked at, and load the same other rows.
  std::string body = std::string(group) + "s_lshl_b32 s8, s8, 6\ns_add_u32 s8, s8, 1\n";
  const std::string load = "global_load_dword v10, v1, s[2:3]\nv_add_u32 v1, 0x100, v1\n";
  for (unsigned i = 0; i < 64; ++i)
    body += load;
  body += ".Lloop:\ns_sub_u32 s8, s8, 1\ns_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Lloop\n";
  for (unsigned i = 0; i < 64; ++i)
    body += load;
  TimedSnippet snippet{.body = body + "s_waitcnt vmcnt(0)", .workgroups = 304, .bytes = 8 << 20};
  const auto &lines = runTimed(snippet).stats.simulated.lines;
  // A unit brings one of 38 to L2; what only the six first ones were seen to want wouldn't be shared.
  EXPECT_LT(lines[size_t(Level::Memory)] + lines[size_t(Level::Mall)], 256u / 8);
}

/// rmsnorm on MI350X (jhinpan/flydsl-kernel-profiling-lib): loads and stores together fill L2, and all loads hit it.
TEST(Sharing, WhatIsOnlyStoredTakesNoRoomOfWhatIsLoaded) {
  TimedSnippet snippet = rows(ownRows);
  snippet.options.cus = 1;
  snippet.options.caches = timed::CacheState::Warm;
  snippet.bytes = 40 << 20; // 5 MB for each of 8 slices of 4
  snippet.workgroups = snippet.bytes / 0x2000;
  const auto fromL2 = [](const Recording &r) { return r.stats.simulated.lines[size_t(Level::L2)]; };
  Recording loads = runTimed(snippet);
  EXPECT_EQ(loads.stats.sharing.loadedPart, 1);
  EXPECT_EQ(fromL2(loads), 0u);
  snippet.workgroups /= 2;
  snippet.body += "\nv_add_u32 v1, 0x13fe000, v1\n";
  for (unsigned i = 0; i < 32; ++i)
    snippet.body += "global_store_dword v1, v10, s[2:3]\nv_add_u32 v1, 0x100, v1\n";
  Recording both = runTimed(snippet);
  EXPECT_NEAR(both.stats.sharing.loadedPart, 0.5, 0.05);
  EXPECT_GE(fromL2(both), 64u);
}

TEST(Sharing, WhatALaunchDoesntTouchTakesNoRoomInCaches) {
  TimedSnippet snippet = rows(ownRows);
  snippet.options.cus = 1;
  snippet.options.caches = timed::CacheState::Warm;
  snippet.bytes = 64 << 20; // 8 MB for each slice of 4, of which 0.3 MB are loaded
  const timed::TimedStats stats = runTimed(snippet).stats;
  EXPECT_NEAR(stats.sharing.touchedPart, 304.0 * 0x2000 / (64 << 20), 0.01);
  EXPECT_EQ(stats.simulated.lines[size_t(Level::L2)], 64u);
  // Of copies in turn all bytes are given.
  snippet.options.rotatedBytes = snippet.bytes;
  EXPECT_LT(runTimed(snippet).stats.simulated.lines[size_t(Level::L2)], 32u);
}

TEST(Sharing, LooksAtMemoryWithoutChangingIt) {
  // Each workgroup adds one to a counter of its own lane and reads it back: twice would show.
  Recording r = runTimed(
      {.chip = "gfx90a",
       .body =
           "v_mov_b32 v5, 1\nglobal_atomic_add v6, v1, v5, s[2:3] glc\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s9, v6\n"
           "s_cmp_lt_u32 s9, 16\ns_cbranch_scc1 .Lfine\ns_trap 2\n.Lfine:\n",
       .workgroups = 16});
  EXPECT_GT(r.stats.sharing.instructions, 0u);
}

} // namespace
