// What --relax does with a program's own waits, rule by rule.
#include "Assembly.h"

using namespace inflight::waits::test;
using inflight::waits::Goal;

namespace {

std::string relax(const std::string &body, unsigned ldsBytes = 0, const char *chip = "gfx942") {
  return replanned(body, Goal::Relax, ldsBytes, chip);
}

const std::string twoLoads = "  global_load_dword v4, v[0:1], off\n  global_load_dword v5, v[0:1], off offset:4\n";
const std::string mfma = "  v_mfma_f32_32x32x8_f16 v[16:31], v[12:13], v[12:13], v[16:31]\n";

// One wait more would let a single addition run earlier.
TEST(Relax, AWaitIsNotSplit) {
  const std::string body =
      twoLoads + "  s_waitcnt vmcnt(0)\n  v_add_u32_e32 v8, v4, v8\n  v_add_u32_e32 v8, v5, v8\n  s_endpgm\n";
  EXPECT_EQ(relax(body), body);
}

TEST(Relax, AWaitIsAsWeakAsItsUsesAllow) {
  const std::string uses[] = {"  v_add_u32_e32 v8, v4, v8\n",
                              "  s_waitcnt vmcnt(0)\n  v_add_u32_e32 v8, v5, v8\n  s_endpgm\n"};
  EXPECT_EQ(relax(twoLoads + "  s_waitcnt vmcnt(0)\n" + uses[0] + uses[1]),
            twoLoads + "  s_waitcnt vmcnt(1)\n" + uses[0] + uses[1]);
}

// Of two that finish the same loads before any use the later one stays.
TEST(Relax, WhatALaterWaitFinishesInTimeIsLeftToIt) {
  const std::string rest = mfma + "  s_waitcnt vmcnt(0)\n  v_add_u32_e32 v8, v4, v5\n  s_endpgm\n";
  EXPECT_EQ(relax(twoLoads + "  s_waitcnt vmcnt(0)\n" + rest), twoLoads + rest);
}

TEST(Relax, AWaitMovesAfterWhatItHoldsUpForNothing) {
  const std::string wait = "  s_waitcnt vmcnt(0)\n", use = "  v_add_u32_e32 v8, v4, v5\n  s_endpgm\n";
  EXPECT_EQ(relax(twoLoads + wait + mfma + use), twoLoads + mfma + wait + use);
  // The count grows by what is issued on the way.
  const std::string third = "  global_load_dword v6, v[0:1], off offset:8\n";
  EXPECT_EQ(relax(twoLoads + wait + third + use), twoLoads + third + "  s_waitcnt vmcnt(1)\n" + use);
  const std::string read = "  ds_read_b32 v6, v0\n";
  EXPECT_EQ(relax(twoLoads + wait + read + use), twoLoads + read + wait + use);
}

TEST(Relax, AWaitStaysInFrontOfAFewCheapInstructions) {
  const std::string body = twoLoads + "  s_waitcnt vmcnt(0)\n  v_add_u32_e32 v9, v9, v9\n  s_add_i32 s0, s0, 1\n  "
                                      "v_add_u32_e32 v8, v4, v5\n  s_endpgm\n";
  EXPECT_EQ(relax(body), body);
}

// What others may observe or what tells the time comes after the wait as before.
TEST(Relax, AWaitDoesNotMoveOverStoresBarriersAndClocks) {
  for (const char *stop : {"  global_store_dword v[0:1], v6, off\n", "  ds_write_b32 v0, v6\n", "  s_barrier\n",
                           "  s_memtime s[8:9]\n", "  s_setprio 1\n"}) {
    const std::string body =
        twoLoads + "  s_waitcnt vmcnt(0)\n" + stop + mfma + "  v_add_u32_e32 v8, v4, v5\n  s_endpgm\n";
    EXPECT_EQ(relax(body), body);
  }
}

// A scalar load on the path would have to be waited for, too.
TEST(Relax, AWaitDoesNotMoveOverWhatItWouldWaitFor) {
  const std::string body =
      "  ds_read_b32 v4, v0\n  ds_read_b32 v5, v0 offset:4\n  s_waitcnt lgkmcnt(1)\n  s_load_dword s8, s[0:1], 0x0\n" +
      mfma + "  v_add_u32_e32 v8, v4, v4\n  s_waitcnt lgkmcnt(0)\n  v_add_u32_e32 v8, s8, v5\n  s_endpgm\n";
  EXPECT_EQ(relax(body), body);
}

TEST(Relax, TwoWaitsWithNoUseBetweenBecomeOne) {
  const std::string loads = "  ds_read_b32 v6, v0\n" + twoLoads,
                    use = "  v_add_u32_e32 v8, v4, v5\n  v_add_u32_e32 v8, v6, v8\n  s_endpgm\n";
  EXPECT_EQ(relax(loads + "  s_waitcnt vmcnt(0)\n  v_add_u32_e32 v9, v9, v9\n  s_waitcnt lgkmcnt(0)\n" + use),
            loads + "  v_add_u32_e32 v9, v9, v9\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n" + use);
}

// The loop's wait is strict for what comes from in front of it alone: as in docs/wait-analysis.md.
TEST(Relax, WhatTheFirstIterationAloneNeedsIsWaitedForBeforeTheLoop) {
  auto loop = [](const std::string &before, const char *count) {
    return "  global_load_dword v5, v[0:1], off\n  global_load_dword v4, v[0:1], off offset:4\n" + before +
           ".Lloop:\n  s_waitcnt vmcnt(" + count +
           ")\n  v_add_u32_e32 v8, v4, v8\n  global_load_dword v4, v[0:1], off\n  s_waitcnt vmcnt(" + count +
           ")\n  v_add_u32_e32 v8, v5, v8\n  global_load_dword v5, v[0:1], off\n  s_cbranch_scc1 .Lloop\n  s_endpgm\n";
  };
  EXPECT_EQ(relax(loop("", "0")), loop("  s_waitcnt vmcnt(0)\n", "1"));
  // As it is waited for there already, nothing is added.
  EXPECT_EQ(relax(loop("  s_waitcnt vmcnt(0)\n", "0")), loop("  s_waitcnt vmcnt(0)\n", "1"));
}

// Three buffers, filled two steps ahead: what a step waits for was in flight at the waits of the steps before, too.
TEST(Relax, AWaitThatItselfMadeEarlierOperationsDone) {
  auto step = [](unsigned read, unsigned fill, const char *count) {
    return std::string("  s_waitcnt vmcnt(") + count + ")\n  ds_read_b32 v4, v1 offset:" + std::to_string(256 * read) +
           "\n  s_waitcnt lgkmcnt(0)\n  v_add_u32_e32 v8, v4, v8\n  s_mov_b32 m0, " + std::to_string(256 * fill) +
           "\n  s_nop 0\n  buffer_load_dword v0, s[8:11], 0 offen lds\n";
  };
  auto ring = [&](const char *count) {
    return "  v_mbcnt_lo_u32_b32 v1, -1, 0\n  v_mbcnt_hi_u32_b32 v1, -1, v1\n  v_lshlrev_b32_e32 v1, 2, v1\n  "
           "s_mov_b32 m0, 0\n  s_nop 0\n  buffer_load_dword v0, s[8:11], 0 offen lds\n  s_mov_b32 m0, 256\n  s_nop 0\n"
           "  buffer_load_dword v0, s[8:11], 0 offen lds\n.Lloop:\n" +
           step(0, 2, count) + step(1, 0, count) + step(2, 1, count) + "  s_cbranch_scc1 .Lloop\n  s_endpgm\n";
  };
  EXPECT_EQ(findings(ring("1"), 768), std::vector<std::string>{});
  EXPECT_EQ(relax(ring("0"), 768), ring("1"));
  EXPECT_EQ(relax(ring("1"), 768), ring("1"));
}

// One access in the loop can't be told from the DMA: no wait in it changes, not even one without use.
TEST(Relax, ALoopInWhichSomethingIsUndecidedStaysAsItIs) {
  auto loop = [](const char *read) {
    return std::string(
               "  s_mov_b32 m0, 0\n.Lloop:\n  buffer_load_dword v0, s[8:11], 0 offen lds\n  ds_read_b32 v4, v") +
           read +
           "\n  s_waitcnt lgkmcnt(0)\n  v_add_u32_e32 v8, v4, v8\n  s_waitcnt lgkmcnt(0)\n  s_cbranch_scc1 .Lloop\n  "
           "s_endpgm\n";
  };
  EXPECT_EQ(findings(loop("3"), 4096).size(), 1u);
  EXPECT_EQ(relax(loop("3"), 4096), loop("3"));
}

// Hardware with preloading begins after the jump; the wait moved there would be one more for all waves.
TEST(Relax, ThePrologueForKernelArgumentsThatAreNotPreloadedStays) {
  const std::string body =
      "  s_load_dwordx2 s[8:9], s[4:5], 0x0\n  s_waitcnt lgkmcnt(0)\n  s_branch .Lbegin\n  .p2align 8\n.Lbegin:\n" +
      mfma + "  s_load_dword s10, s[8:9], 0x0\n  s_waitcnt lgkmcnt(0)\n  v_add_u32_e32 v8, s10, v8\n  s_endpgm\n";
  EXPECT_EQ(relax(body), body);
  EXPECT_EQ(replanned(body, Goal::Insert), body);
}

} // namespace
