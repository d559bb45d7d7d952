// Workgroups that wait for each other, and what never ends.
#include "Snippet.h"

#include "gtest/gtest.h"

using namespace llvm;

namespace inflight::machine::test {
namespace {

struct Outcome {
  std::string error;
  uint64_t instructions = 0;
  std::vector<uint32_t> words;
};

/// Runs `body` on workgroups of a wave each. It finds the workgroup's number in s8 and 64 KiB of zeros at s[2:3].
Outcome runGrid(StringRef body, uint32_t workgroups, unsigned threads = 1, StringRef checks = "") {
  const std::string prologue = "  s_load_dwordx2 s[4:5], s[0:1], 0x0\n s_mov_b32 s8, s2\n s_waitcnt lgkmcnt(0)\n "
                               "s_mov_b64 s[2:3], s[4:5]\n v_mov_b32 v1, 0\n v_mov_b32 v2, 1\n"
                               "  s_mov_b64 exec, 1\n";
  Expected<CodeObject> object = assembleKernel("gfx942", prologue + body.str(),
                                               "  .amdhsa_next_free_vgpr 32\n  .amdhsa_accum_offset 32\n  "
                                               ".amdhsa_user_sgpr_count 2\n  .amdhsa_system_sgpr_workgroup_id_x 1\n");
  if (!object)
    return {toString(object.takeError()), 0, std::vector<uint32_t>(1)};
  Memory memory;
  const uint64_t bytes = 1 << 16, buffer = cantFail(memory.allocate(bytes));
  std::memset(memory.pointer(buffer), 0, bytes);
  LaunchConfig config;
  config.grid = {workgroups, 1, 1};
  config.block = {64, 1, 1};
  config.threads = threads;
  config.maxInstructions = 1 << 24;
  config.checks = cantFail(check::parseOptions(checks));
  Outcome outcome;
  Expected<RunStats> stats =
      run(*object, object->kernels()[0], config, ArrayRef(reinterpret_cast<const uint8_t *>(&buffer), 8), memory);
  if (!stats) {
    outcome.error = toString(stats.takeError());
    return outcome;
  }
  outcome.instructions = stats->instructions();
  EXPECT_TRUE(stats->findings.empty());
  outcome.words.resize(bytes / 4);
  std::memcpy(outcome.words.data(), memory.pointer(buffer), bytes);
  return outcome;
}

/// Each adds one to the first word and waits until all have, with or without a pause; then it adds one to the second
/// word.
std::string gridBarrier(uint32_t workgroups, const char *pause = "") {
  return "global_atomic_add v1, v2, s[2:3] sc1\n s_waitcnt vmcnt(0)\n.Lspin:\n " + std::string(pause) +
         "\n global_load_dword v3, v1, s[2:3] sc1\n s_waitcnt vmcnt(0)\n"
         "v_readfirstlane_b32 s9, v3\n s_cmp_lt_u32 s9, " +
         std::to_string(workgroups) + "\n s_cbranch_scc1 .Lspin\n global_atomic_add v1, v2, s[2:3] offset:4 sc1\n";
}

TEST(Progress, BarrierOfTheGrid) {
  for (uint32_t workgroups : {1u, 257u, 304u, 1216u})
    for (const char *pause : {"", "s_sleep 2"})
      for (unsigned threads : {1u, 2u}) {
        const Outcome outcome = runGrid(gridBarrier(workgroups, pause), workgroups, threads);
        ASSERT_EQ(outcome.error, "");
        EXPECT_EQ(outcome.words[1], workgroups);
        // Each looks for a while before it rests, a few times at most.
        EXPECT_LT(outcome.instructions, workgroups * 50000ull);
      }
}

TEST(Progress, BarrierOfTheGridWithChecks) { EXPECT_EQ(runGrid(gridBarrier(304), 304, 2, "all").words[1], 304u); }

TEST(Progress, BarrierOfTheGridThatScalarLoadsWatch) {
  const uint32_t workgroups = 1216;
  for (const char *pause : {"", "s_sleep 2"}) {
    const Outcome outcome = runGrid(
        "global_atomic_add v1, v2, s[2:3] sc1\n s_waitcnt vmcnt(0)\n.Lspin:\n " + std::string(pause) +
            "\n s_dcache_inv\n s_load_dword s9, s[2:3], 0x0\n s_waitcnt lgkmcnt(0)\n"
            "s_cmp_lt_u32 s9, " +
            std::to_string(workgroups) + "\n s_cbranch_scc1 .Lspin\n global_atomic_add v1, v2, s[2:3] offset:4 sc1\n",
        workgroups);
    ASSERT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.words[1], workgroups);
    EXPECT_LT(outcome.instructions, workgroups * 50000ull);
  }
}

/// Each waits for the one before it, many more than the chip holds at once.
TEST(Progress, ChainOfTenThousand) {
  const uint32_t workgroups = 10000;
  const Outcome outcome = runGrid(
      "s_lshl_b32 s9, s8, 2\n s_add_u32 s2, s2, s9\n s_addc_u32 s3, s3, 0\n s_cmp_eq_u32 s8, 0\n s_cbranch_scc1 .Lgo\n"
      ".Lspin:\n s_dcache_inv\n s_load_dword s10, s[2:3], -4\n s_waitcnt lgkmcnt(0)\n s_cmp_eq_u32 s10, 0\n "
      "s_cbranch_scc1 .Lspin\n v_add_u32 v2, s10, v2\n"
      ".Lgo:\n global_store_dword v1, v2, s[2:3] sc1\n",
      workgroups);
  ASSERT_EQ(outcome.error, "");
  for (uint32_t i = 0; i < workgroups; ++i)
    ASSERT_EQ(outcome.words[i], i + 1);
  EXPECT_LT(outcome.instructions, workgroups * 5000ull);
}

/// Each waits for the next one: the last goes first.
TEST(Progress, ChainTakesLinearTime) {
  const uint32_t workgroups = 1200;
  const Outcome outcome =
      runGrid("s_lshl_b32 s9, s8, 2\n s_add_u32 s2, s2, s9\n s_addc_u32 s3, s3, 0\n s_cmp_eq_u32 s8, " +
                  std::to_string(workgroups - 1) +
                  "\n s_cbranch_scc1 .Lgo\n"
                  ".Lspin:\n global_load_dword v3, v1, s[2:3] offset:4 sc1\n s_waitcnt vmcnt(0)\n v_cmp_eq_u32 vcc, 0, "
                  "v3\n s_cbranch_vccnz .Lspin\n"
                  ".Lgo:\n global_store_dword v1, v2, s[2:3] sc1\n",
              workgroups);
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(std::count(outcome.words.begin(), outcome.words.end(), 1u), workgroups);
  EXPECT_LT(outcome.instructions, workgroups * 50000ull);
}

/// Each adds one to the second word, under a lock that all take in turn by compare and exchange.
const char addUnderLock[] =
    "v_mov_b32 v4, 1\n v_mov_b32 v5, 0\n.Ltake:\n global_atomic_cmpswap v3, v1, v[4:5], s[2:3] sc0 sc1\n s_waitcnt "
    "vmcnt(0)\n v_readfirstlane_b32 s9, v3\n"
    "s_cmp_lg_u32 s9, 0\n s_cbranch_scc1 .Ltake\n global_load_dword v3, v1, s[2:3] offset:4 sc1\n s_waitcnt "
    "vmcnt(0)\n v_add_u32 v3, 1, v3\n"
    "global_store_dword v1, v3, s[2:3] offset:4 sc1\n s_waitcnt vmcnt(0)\n global_store_dword v1, v5, s[2:3] sc1\n";

TEST(Progress, Lock) {
  const Outcome outcome = runGrid(addUnderLock, 500, 2);
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.words[1], 500u);
}

/// More threads than the host may have share what one has to do, and what the checks remember.
TEST(Progress, ThreadsShareAGrid) {
  for (unsigned threads : {2u, 4u, 8u})
    for (const char *checks : {"", "all"}) {
      const Outcome barrier = runGrid(gridBarrier(300, "s_sleep 2"), 300, threads, checks);
      ASSERT_EQ(barrier.error, "");
      EXPECT_EQ(barrier.words[1], 300u);
      const Outcome locked = runGrid(addUnderLock, 100, threads, checks);
      ASSERT_EQ(locked.error, "");
      EXPECT_EQ(locked.words[1], 100u);
    }
}

/// Loops that change something never rest, and have a limit.
TEST(Progress, LoopsThatChangeSomethingGoOn) {
  const Outcome outcome = runGrid(".Lloop:\n global_atomic_add v1, v2, s[2:3]\n s_branch .Lloop", 1);
  EXPECT_NE(outcome.error.find("step limit reached"), std::string::npos) << outcome.error;
}
TEST(Progress, ALoopThatEndsByItselfIsNoWait) {
  const Outcome outcome = runGrid("v_mov_b32 v3, 0\n.Lloop:\n v_add_u32 v3, 1, v3\n v_cmp_gt_u32 vcc, 0x10000, v3\n "
                                  "s_cbranch_vccnz .Lloop\n global_store_dword v1, v3, s[2:3]",
                                  1);
  EXPECT_EQ(outcome.words[0], 0x10000u);
}

TEST(Progress, WaitingForNothingIsAnError) {
  const std::string spin = ".Lspin:\n global_load_dword v3, v1, s[2:3] sc1\n s_waitcnt vmcnt(0)\n v_cmp_eq_u32 vcc, 0, "
                           "v3\n s_cbranch_vccnz .Lspin\n";
  for (const char *checks : {"", "all"})
    for (unsigned threads : {1u, 2u}) {
      const std::string error = runGrid(spin, 3, threads, checks).error;
      EXPECT_NE(error.find("the wave does not end: it repeats itself, and nothing changes the memory that it reads"),
                std::string::npos)
          << error;
      EXPECT_NE(error.find("wave 0 waiting for memory to change at"), std::string::npos) << error;
    }
}

/// A chip holds so many waves: a barrier of more workgroups hangs there, too.
TEST(Progress, MoreThanTheChipHolds) {
  const uint32_t most = 304 * 16; // compute units of MI300X, workgroups with 4 KiB of LDS in each
  EXPECT_EQ(runGrid(gridBarrier(most), most, 2).words[1], most);
  const std::string error = runGrid(gridBarrier(most + 2), most + 2, 2).error;
  EXPECT_NE(error.find("; 2 workgroups have not begun, because no more than 4864 can be there at once"),
            std::string::npos)
      << error;
}

} // namespace
} // namespace inflight::machine::test
