// What hints say where the result in flight may not be what is meant, and which lanes a missing wait is about.
#include "Assembly.h"

namespace inflight::waits::test {
namespace {

using Lines = std::vector<std::string>;

TEST(Hints, NothingElseThanAFirstLoadCanBeMeant) {
  EXPECT_EQ(findings("  global_load_dword v4, v[2:3], off\n  v_add_f32_e32 v5, v4, v4\n  s_endpgm\n"),
            Lines{"2: missing-wait: s_waitcnt vmcnt(0) before it"});
}

TEST(Hints, AReusedRegisterMayBeMeantAsItWas) {
  const Lines either = {"3: missing-wait: s_waitcnt vmcnt(0) before it if the result is meant; else global_load_dword "
                        "after it, as it comes too early"};
  EXPECT_EQ(
      findings("  v_mov_b32_e32 v4, 1\n  global_load_dword v4, v[2:3], off\n  v_add_f32_e32 v5, v4, v4\n  s_endpgm\n"),
      either);
  // v0 holds the workitem's number when a kernel begins.
  EXPECT_EQ(
      findings("  v_mov_b32_e32 v2, 0\n  global_load_dword v0, v2, s[2:3]\n  v_add_f32_e32 v5, v0, v0\n  s_endpgm\n"),
      either);
}

TEST(Hints, InALoopTheIterationBeforeMayBeMeant) {
  EXPECT_EQ(findings(".Lloop:\n  global_load_dword v4, v[2:3], off\n  v_add_f32_e32 v5, v4, v4\n  s_cbranch_scc1 "
                     ".Lloop\n  s_endpgm\n"),
            Lines{"3: missing-wait: s_waitcnt vmcnt(0) before it if the result is meant; else global_load_dword after "
                  "it, as it comes too early"});
}

// The next tile is read over one that is still to be used: a wait would make the wrong tile of it.
TEST(Hints, ALoadedValueThatNothingElseReadsIsRatherMeant) {
  EXPECT_EQ(findings("  ds_read_b128 v[4:7], v0\n"
                     "  s_waitcnt lgkmcnt(0)\n"
                     "  ds_read_b128 v[4:7], v0 offset:512\n"
                     "  v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], 0\n"
                     "  s_waitcnt lgkmcnt(0)\n"
                     "  v_mfma_f32_16x16x16_f16 v[8:11], v[4:5], v[6:7], v[8:11]\n"
                     "  s_endpgm\n"),
            Lines{"4: missing-wait: ds_read_b128 seems to be issued too early: nothing but this reads what was there "
                  "before; move it after this, or "
                  "s_waitcnt lgkmcnt(0) before it if its result is meant"});
}

TEST(Hints, AnOverwrittenResultMayBeMeantToStay) {
  EXPECT_EQ(findings("  global_load_dword v4, v[2:3], off\n  v_mov_b32_e32 v4, 0\n  s_endpgm\n"),
            Lines{"2: missing-wait: s_waitcnt vmcnt(0) before it, or this before global_load_dword is issued if its "
                  "result is to stay"});
}

TEST(Hints, LdsBytesOfTheFirstDmaAreMeant) {
  const std::string dma = "  s_mov_b32 m0, 0\n  buffer_load_dword v0, s[8:11], 0 offen lds\n",
                    use = "  ds_read_b32 v3, v1\n  s_endpgm\n";
  EXPECT_EQ(findings(dma + "  v_mov_b32_e32 v1, 0\n" + use, 1024),
            Lines{"4: missing-wait: s_waitcnt vmcnt(0) before it"});
  EXPECT_EQ(findings("  v_mov_b32_e32 v1, 0\n  ds_write_b32 v1, v1\n" + dma + use, 1024),
            (Lines{"4: counts-on-latency: s_waitcnt lgkmcnt(0) before it",
                   "5: missing-wait: s_waitcnt vmcnt(0) before it if the result is meant; else buffer_load_dword "
                   "after it, as it comes too early"}));
}

const char *const split = "  s_and_saveexec_b64 s[12:13], vcc\n";
const char *const load = "  global_load_dword v4, v2, s[4:5]\n";
const char *const use = "  v_add_u32_e32 v4, 1, v4\n  s_endpgm\n";

TEST(Lanes, ThoseThatDontLoadNeedNoWait) {
  for (const char *flip :
       {"  s_xor_b64 exec, exec, s[12:13]\n", "  s_andn2_b64 exec, s[12:13], exec\n",
        "  s_not_b64 s[14:15], exec\n  s_and_b64 exec, s[14:15], s[12:13]\n", "  s_mov_b64 exec, 0\n"})
    EXPECT_EQ(findings(std::string(split) + load + flip + use), Lines{}) << flip;
  // As compilers have it, with a branch around the lanes that load.
  EXPECT_EQ(findings("  s_and_saveexec_b64 s[12:13], vcc\n"
                     "  s_xor_b64 s[12:13], exec, s[12:13]\n"
                     "  s_cbranch_execz .Lelse\n"
                     "  global_load_dword v4, v2, s[4:5]\n"
                     ".Lelse:\n"
                     "  s_andn2_saveexec_b64 s[12:13], s[12:13]\n"
                     "  v_mov_b32_e32 v4, 0\n"
                     "  s_or_b64 exec, exec, s[12:13]\n"
                     "  s_waitcnt vmcnt(0)\n"
                     "  v_mov_b32_e32 v5, v4\n"
                     "  s_endpgm\n"),
            Lines{});
  // Masks of several blocks before, which count in the order of the program.
  EXPECT_EQ(findings("  s_and_saveexec_b64 s[12:13], vcc\n"
                     "  s_cbranch_execz .Lout\n"
                     "  s_xor_b64 s[12:13], exec, s[12:13]\n"
                     "  s_cbranch_scc1 .Lout\n"
                     "  global_load_dword v4, v2, s[4:5]\n"
                     "  s_mov_b64 exec, s[12:13]\n"
                     "  v_add_u32_e32 v4, 1, v4\n"
                     ".Lout:\n"
                     "  s_endpgm\n"),
            Lines{});
}

TEST(Lanes, ThoseThatLoadNeedIt) {
  auto isFound = [](const std::string &body) { return findings(body).size() == 1; };
  EXPECT_TRUE(isFound(std::string(split) + load + use));
  EXPECT_TRUE(isFound(std::string(split) + load + "  s_mov_b64 exec, s[12:13]\n" + use));
  EXPECT_TRUE(isFound(std::string(split) + load + "  s_mov_b32 s13, 0\n  s_xor_b64 exec, exec, s[12:13]\n" + use));
  EXPECT_TRUE(isFound(std::string(split) + load + "  s_xor_b64 exec, exec, s[14:15]\n" + use));
  EXPECT_TRUE(
      isFound(std::string(split) + load + "  s_xor_b64 exec, exec, s[12:13]\n  s_or_b64 exec, exec, vcc\n" + use));
  // One path leads to the use with the lanes that load.
  EXPECT_TRUE(
      isFound(std::string(split) + load + "  s_cbranch_scc1 .Luse\n  s_xor_b64 exec, exec, s[12:13]\n.Luse:\n" + use));
}

// Masks that are numbers, EXEC written as two halves.
TEST(Lanes, ThatNumbersChoose) {
  auto isFound = [](const std::string &ofLoad, const std::string &ofUse) {
    return findings(ofLoad + load + ofUse + use).size() == 1;
  };
  auto halves = [](const std::string &low, const std::string &high) {
    return "  s_mov_b32 exec_lo, " + low + "\n  s_mov_b32 exec_hi, " + high + "\n";
  };
  EXPECT_FALSE(isFound(halves("0xffff", "0"), halves("0xffff0000", "0")));
  EXPECT_FALSE(isFound(halves("0xffff", "0"), halves("0", "-1")));
  EXPECT_FALSE(isFound("  s_mov_b64 exec, 15\n", "  s_not_b64 exec, exec\n"));
  EXPECT_FALSE(isFound("  s_mov_b32 s8, 1\n  s_mov_b32 s9, 0\n  s_mov_b64 exec, s[8:9]\n", "  s_mov_b64 exec, 2\n"));
  EXPECT_TRUE(isFound(halves("0xffff", "0"), halves("0xffff8000", "0")));
  EXPECT_TRUE(isFound(halves("0xffff", "0"), "  s_mov_b32 exec_lo, s8\n"));
  EXPECT_TRUE(isFound("  s_mov_b32 exec_lo, 0xffff\n", "  s_mov_b32 exec_lo, 0xffff0000\n")); // those above
}

TEST(Lanes, SomeInstructionsReadThemAll) {
  for (const char *user : {"  v_readfirstlane_b32 s3, v4\n", "  v_mov_b32_dpp v5, v4 row_shr:1\n",
                           "  ds_bpermute_b32 v5, v2, v4\n", "  v_mfma_f32_4x4x1f32 v[8:11], v4, v2, 0\n"})
    EXPECT_EQ(findings(std::string(split) + load + "  s_xor_b64 exec, exec, s[12:13]\n" + user + "  s_endpgm\n").size(),
              1u)
        << user;
}

} // namespace
// A kernel's argument loaded twice to the same register is the same whichever comes last.
TEST(LoadedAgain, AnArgumentIsTheSame) {
  const std::string used = "  s_waitcnt lgkmcnt(0)\n  s_mov_b32 s9, s8\n  s_endpgm\n";
  const auto tested = [&](const std::string &first, const std::string &second) {
    return findings("  " + first + "\n  " + second + "\n" + used).size();
  };
  const std::string load = "s_load_dword s8, s[0:1], 0x180";
  EXPECT_EQ(tested(load, load), 0u);
  EXPECT_EQ(tested("s_nop 0\n.Lagain:\n  " + load, "s_cmp_eq_u32 s5, 0\n  s_cbranch_scc1 .Lagain"), 0u);
  EXPECT_EQ(tested(load, "s_load_dword s8, s[0:1], 0x184"), 1u);
  EXPECT_EQ(tested(load, "s_load_dwordx2 s[8:9], s[0:1], 0x180"), 1u);
  EXPECT_EQ(tested(load, "s_load_dword s8, s[0:1], s5 offset:0x180"), 1u);
  // A register in it may have changed; memory of another pointer may, too.
  EXPECT_EQ(tested("s_load_dword s8, s[0:1], s5", "s_load_dword s8, s[0:1], s5"), 1u);
  EXPECT_EQ(tested("s_load_dword s8, s[2:3], 0x180", "s_load_dword s8, s[2:3], 0x180"), 1u);
  EXPECT_EQ(tested("s_add_u32 s0, s0, 64\n  " + load, load), 1u);
  EXPECT_EQ(tested(load, "s_add_u32 s0, s0, 64\n  " + load), 1u);
  EXPECT_EQ(tested("s_memtime s[8:9]", "s_memtime s[8:9]"), 1u);
  // A mask of the bits that addresses have leaves the pointer what it is.
  EXPECT_EQ(tested("s_and_b32 s1, s1, 0xffff\n  " + load, load), 0u);
  EXPECT_EQ(tested("s_and_b32 s1, s1, 0x7fff\n  " + load, load), 1u);
  EXPECT_EQ(tested("s_and_b32 s0, s0, 0xffff\n  " + load, load), 1u);
  EXPECT_EQ(tested("s_and_b32 s1, s2, 0xffff\n  " + load, load), 1u);
  // The wait before its use stays.
  EXPECT_EQ(findings("  " + load + "\n  " + load + "\n  s_mov_b32 s9, s8\n  s_endpgm\n").size(), 1u);
}

} // namespace inflight::waits::test
