// The scheduler: who issues when, and what is said of the cycles in which nobody does.
#include "TimedSnippet.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace inflight;
using namespace inflight::machine;
using namespace inflight::machine::test;
using events::Stall;

namespace {

/// The first run through a loop brings its code into the instruction cache; `body` is timed in the second.
std::string warm(const std::string &body) {
  return "s_mov_b32 s20, 0\n.Lloop:\ns_nop 0\n" + body +
         "\ns_add_u32 s20, s20, 1\ns_cmp_lt_u32 s20, 2\ns_cbranch_scc1 .Lloop\n";
}

timed::TimedOptions allUnits() {
  timed::TimedOptions options;
  options.cus = 0;
  return options;
}

/// Of the second run through the loop of warm().
std::vector<events::Instruction> secondRun(const Recording &recording, llvm::StringRef text, int wave = 0) {
  std::vector<events::Instruction> all = recording.of(text, wave);
  return {all.begin() + all.size() / 2, all.end()};
}

double period(const std::vector<events::Instruction> &list) {
  return double(list.back().issued - list.front().issued) / double(list.size() - 1);
}

TEST(Issue, AWaveIssuesOneValuInstructionEveryFourCycles) {
  Recording r = runTimed({.body = warm(repeat(32, "v_add_f32 v2, v2, v2"))});
  EXPECT_EQ(period(secondRun(r, "v_add_f32")), 4);
}

TEST(Issue, TwoWavesOfOneSimdShareItsValu) {
  // Waves 0 and 4 are on SIMD 0, and both have 32 instructions at the barrier.
  Recording r = runTimed({.body = warm("s_barrier\n" + repeat(32, "v_add_f32 v2, v2, v2")), .waves = 8});
  EXPECT_EQ(r.begins[0].simd, r.begins[4].simd);
  const auto old = secondRun(r, "v_add_f32", 0), young = secondRun(r, "v_add_f32", 4);
  const uint64_t begin = std::min(old.front().issued, young.front().issued),
                 end = std::max(old.back().issued, young.back().issued);
  EXPECT_NEAR(double(end - begin), 63 * 4, 8);
}

TEST(Issue, WavesOfDifferentSimdsDont) {
  Recording r = runTimed({.body = warm(repeat(32, "v_add_f32 v2, v2, v2")), .waves = 4});
  for (int wave = 0; wave < 4; ++wave)
    EXPECT_EQ(period(secondRun(r, "v_add_f32", wave)), 4) << wave;
}

TEST(Issue, DifferentCategoriesGoTogether) {
  // One wave adds, the other one counts: neither waits for the other.
  Recording r = runTimed({.body = "v_readfirstlane_b32 s30, v0\ns_cmp_lt_u32 s30, 256\ns_cbranch_scc1 .Lscalar\n" +
                                  warm(repeat(32, "v_add_f32 v2, v2, v2")) + "s_endpgm\n.Lscalar:\n" +
                                  repeat(200, "s_add_u32 s9, s9, s9"),
                          .waves = 8});
  EXPECT_EQ(period(secondRun(r, "v_add_f32", 4)), 4);
}

TEST(Issue, TheOldestOfACategoryGoesFirst) {
  Recording r = runTimed({.body = warm("s_barrier\n" + repeat(64, "v_add_f32 v2, v2, v2")), .waves = 8});
  EXPECT_LT(secondRun(r, "v_add_f32", 0).back().issued, secondRun(r, "v_add_f32", 4).back().issued);
  uint64_t lost = 0;
  for (const events::Instruction &i : r.of("v_add_f32", 4))
    lost += i.stalls[size_t(Stall::Arbiter)];
  EXPECT_GT(lost, 0u);
}

TEST(Issue, PriorityGoesBeforeAge) {
  const std::string adds = repeat(64, "v_add_f32 v2, v2, v2");
  Recording r = runTimed(
      {.body = "v_readfirstlane_b32 s30, v0\ns_cmp_lt_u32 s30, 256\ns_cbranch_scc1 .Lbegin\ns_setprio 3\n.Lbegin:\n" +
               warm("s_barrier\n" + adds),
       .waves = 8});
  EXPECT_LT(secondRun(r, "v_add_f32", 4).back().issued, secondRun(r, "v_add_f32", 0).back().issued);
}

TEST(Issue, NopsAndSleepTakeTheirTime) {
  Recording r = runTimed({.body = warm(repeat(8, "s_nop 3") + repeat(8, "s_nop 0") + repeat(4, "s_sleep 2"))});
  EXPECT_EQ(period(secondRun(r, "s_nop 3")), 16);
  EXPECT_EQ(period(secondRun(r, "s_sleep 2")), 128 + 4);
  EXPECT_EQ(secondRun(r, "s_nop 3")[1].stalls[size_t(Stall::Sleep)], 12u);
}

TEST(Issue, TranscendentalResultsComeLate) {
  Recording r = runTimed({.body = warm(repeat(16, "v_rcp_f32 v2, v2"))});
  EXPECT_EQ(period(secondRun(r, "v_rcp_f32")), 20);
  Recording independent = runTimed({.body = warm(repeat(8, "v_rcp_f32 v2, v8\nv_rcp_f32 v3, v8"))});
  EXPECT_EQ(period(secondRun(independent, "v_rcp_f32")), 16);
}

TEST(Issue, ABarrierWaitsForTheSlowest) {
  Recording r = runTimed({.body = "v_readfirstlane_b32 s30, v0\ns_cmp_lg_u32 s30, 64\ns_cbranch_scc1 .Lmeet\ns_sleep "
                                  "10\n.Lmeet:\ns_barrier\ns_nop 0",
                          .waves = 4});
  const auto barriers = r.of("s_barrier");
  ASSERT_EQ(barriers.size(), 4u);
  uint64_t latest = 0;
  for (const auto &b : barriers)
    latest = std::max(latest, b.arrived);
  for (const auto &b : barriers) {
    EXPECT_GE(b.issued, latest);
    EXPECT_LE(b.issued, latest + 64);
  }
  for (const auto &b : barriers)
    EXPECT_EQ(b.stalls[size_t(Stall::Barrier)] > 600, b.wave != 1);
}

TEST(Issue, AWaitNamesWhatItWaitedFor) {
  Recording r =
      runTimed({.body = "global_load_dword v10, v1, s[2:3]\nglobal_load_dword v11, v1, s[2:3] "
                        "offset:1024\ns_nop 15\ns_nop 15\ns_nop 15\nglobal_load_dword v12, v1, s[2:3] offset:2048\n"
                        "s_waitcnt vmcnt(1)\ns_waitcnt vmcnt(0)"});
  // Operation 0 is the kernel argument.
  ASSERT_EQ(r.waits.size(), 3u);
  EXPECT_EQ(r.waits[0].numbers, std::vector<uint32_t>({0}));
  EXPECT_EQ(r.waits[1].numbers, std::vector<uint32_t>({1, 2}));
  EXPECT_EQ(r.waits[2].numbers, std::vector<uint32_t>({3}));
  for (const auto &w : r.waits)
    for (uint32_t n : w.numbers) {
      EXPECT_GT(r.operations[n].returned, w.arrived);
      EXPECT_LE(r.operations[n].returned, w.done);
    }
}

TEST(Issue, NoMoreThan64LoadsAreInFlight) {
  std::string loads;
  for (unsigned i = 0; i < 128; ++i)
    loads += "global_load_dword v" + std::to_string(10 + i % 100) + ", v1, s[2:3]\nv_add_u32 v1, 0x1000, v1\n";
  Recording r = runTimed({.body = loads});
  for (size_t i = 65; i < r.operations.size(); ++i)
    EXPECT_GE(r.operations[i].issued, r.operations[i - 64].returned);
}

TEST(Issue, EveryCycleBetweenArrivalAndIssueHasACause) {
  Recording r =
      runTimed({.body = warm("global_load_dword v10, v1, s[2:3]\nds_write_b32 v1, v1\ns_waitcnt vmcnt(0) "
                             "lgkmcnt(0)\ns_barrier\nv_rcp_f32 v3, v10\n"
                             "v_mfma_f32_32x32x8_f16 a[0:15], v[4:5], v[6:7], a[0:15]\nv_mfma_f32_32x32x8_f16 "
                             "a[16:31], v[4:5], v[6:7], a[16:31]\nv_add_f32 v9, v3, v3"),
                .waves = 8,
                .workgroups = 3});
  for (const events::Instruction &i : r.instructions) {
    EXPECT_EQ(i.issued - i.arrived, std::accumulate(i.stalls.begin(), i.stalls.end(), uint64_t(0)));
    EXPECT_EQ(i.issued % 4, r.begins[i.wave].simd);
  }
}

TEST(Issue, WavesAreRecordedFromBeginToEnd) {
  Recording r = runTimed({.body = "s_nop 0", .waves = 3, .workgroups = 5, .options = allUnits()});
  EXPECT_EQ(r.begins.size(), 15u);
  EXPECT_EQ(r.ends.size(), 15u);
  EXPECT_EQ(r.summary.waves, 15u);
  EXPECT_EQ(r.summary.workgroups, 5u);
  EXPECT_TRUE(r.summary.whole);
}

TEST(Issue, ThreadsDontMatter) {
  TimedSnippet snippet{
      .body = warm(
          "global_load_dword v10, v1, s[2:3]\ns_waitcnt vmcnt(0)\ns_barrier\nv_rcp_f32 v3, v10\nds_read_b32 v4, v1"),
      .waves = 2,
      .workgroups = 40};
  snippet.options.cus = 7;
  Recording one = runTimed(snippet);
  for (unsigned threads : {2u, 3u, 4u, 8u}) {
    snippet.threads = threads;
    Recording several = runTimed(snippet);
    ASSERT_EQ(one.instructions.size(), several.instructions.size());
    for (size_t i = 0; i < one.instructions.size(); ++i) {
      ASSERT_EQ(one.instructions[i].wave, several.instructions[i].wave);
      ASSERT_EQ(one.instructions[i].issued, several.instructions[i].issued);
    }
  }
}

TEST(Issue, MemtimeReadsTheClock) {
  // v40 and v41: the low words of the clock around 100 nops.
  Recording r = runTimed({.body = warm("s_memtime s[8:9]\ns_waitcnt lgkmcnt(0)\n" + repeat(100, "s_nop 0") +
                                       "s_memtime s[10:11]\ns_waitcnt lgkmcnt(0)\ns_sub_u32 s12, s10, s8")});
  const auto times = secondRun(r, "s_memtime");
  EXPECT_GE(times[1].issued - times[0].issued, 400u);
}

TEST(Issue, AnEndlessWaveIsAnError) {
  std::string message;
  runTimed({.body = ".Lforever:\ns_branch .Lforever", .maxInstructions = 1000}, &message);
  EXPECT_NE(message.find("does not end"), std::string::npos) << message;
}

TEST(Issue, AWaveThatWaitsForAnotherUnitIsToldHowToGoOn) {
  // Each workgroup waits for the next one's mark.
  TimedSnippet snippet{.body = "v_mov_b32 v2, 1\nv_mov_b32 v3, 0\ns_lshl_b32 s9, ttmp9, 6\ns_xor_b32 s10, s9, "
                               "64\nv_mov_b32 v4, s9\nv_mov_b32 v5, s10\n"
                               "global_store_dword v4, v2, s[2:3]\n.Lagain:\nglobal_load_dword v3, v5, s[2:3] sc0 "
                               "sc1\ns_waitcnt vmcnt(0)\nv_readfirstlane_b32 s11, v3\n"
                               "s_cmp_eq_u32 s11, 0\ns_cbranch_scc1 .Lagain\n",
                       .workgroups = 2,
                       .maxInstructions = 10000};
  std::string message;
  runTimed(snippet, &message);
  EXPECT_NE(message.find("1 of 2 compute units are simulated"), std::string::npos) << message;
  snippet.options.cus = 0;
  EXPECT_EQ(runTimed(snippet).summary.workgroups, 2u);
}

} // namespace
