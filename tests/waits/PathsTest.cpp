// Paths that control can't take: what is in flight on them alone needs no wait.
#include "Assembly.h"

using namespace inflight::waits::test;

namespace {

const std::vector<std::string> nothing;

TEST(Paths, TheSameConditionTwice) {
  const std::string load =
      "  s_cmp_lt_i32 s5, 3\n  s_cbranch_scc0 .Lnone\n  global_load_dword v4, v[0:1], off\n.Lnone:\n";
  const std::string use = "  s_cmp_lt_i32 s5, 3\n  s_cbranch_scc1 .Lloaded\n  v_mov_b32_e32 v6, v4\n  s_endpgm\n"
                          ".Lloaded:\n  s_waitcnt vmcnt(0)\n  v_mov_b32_e32 v6, v4\n  s_endpgm\n";
  EXPECT_EQ(findings(load + use), nothing);
  EXPECT_EQ(findings(load + "  s_add_i32 s5, s5, 1\n" + use),
            std::vector<std::string>{"8: missing-wait: s_waitcnt vmcnt(0) before it"});
}

// The first load is in flight on a path that can't be; the second isn't waited for after the use of the first.
TEST(Paths, AnotherOperationInFlightThereIsStillFound) {
  EXPECT_EQ(findings(R"(  s_cmp_lt_i32 s5, 3
  s_cbranch_scc0 .Lnone
  global_load_dword v4, v[0:1], off
.Lnone:
  global_load_dword v5, v[0:1], off
  s_cmp_lt_i32 s5, 3
  s_cbranch_scc1 .Lloaded
  v_mov_b32_e32 v6, v4
  v_mov_b32_e32 v6, v5
.Lloaded:
  s_endpgm
)"),
            std::vector<std::string>{"9: missing-wait: s_waitcnt vmcnt(0) before it"});
}

// Clang keeps a condition as a mask of lanes and as a number in each lane, and asks for it again by VCC.
TEST(Paths, TheSameConditionAsAMaskAndANumber) {
  auto count = [](const std::string &mask, const std::string &again) {
    return findings(
               mask +
                   "  v_cndmask_b32_e64 v5, 0, 1, s6\n  s_and_not1_b32 vcc_lo, exec_lo, s6\n  s_cbranch_vccnz .Lnone\n"
                   "  global_load_b32 v4, v[0:1], off\n.Lnone:\n" +
                   again +
                   "  s_cbranch_vccnz .Lother\n  s_waitcnt vmcnt(0)\n.Lother:\n  v_mov_b32_e32 v6, v4\n  s_endpgm\n",
               0, "gfx1151", 32)
        .size();
  };
  const std::string one = "  s_cmp_lt_i32 s5, 3\n  s_cselect_b32 s6, -1, 0\n",
                    both = one + "  s_cmp_gt_i32 s10, 7\n  s_cselect_b32 s8, -1, 0\n  s_and_b32 s6, s6, s8\n",
                    again = "  v_cmp_ne_u32_e32 vcc_lo, 1, v5\n";
  EXPECT_EQ(count(one, again), 0u);
  EXPECT_EQ(count(both, again), 0u);
  EXPECT_EQ(count(both, "  s_and_not1_b32 vcc_lo, exec_lo, s6\n"), 0u);
  // Where both hold, each of them does.
  EXPECT_EQ(count(both, "  s_and_not1_b32 vcc_lo, exec_lo, s8\n"), 0u);
  // The other way round, and another number.
  EXPECT_EQ(count(one, "  v_cmp_eq_u32_e32 vcc_lo, 1, v5\n"), 1u);
  EXPECT_EQ(count(one, "  v_cmp_ne_u32_e32 vcc_lo, 2, v5\n"), 1u);
  EXPECT_EQ(count(both, "  s_and_not1_b32 vcc_lo, exec_lo, s9\n"), 1u);
  // Of some lanes it may be another one than of others.
  EXPECT_EQ(count("  v_cmp_lt_u32_e64 s6, v0, v9\n", again), 1u);
  // Fewer lanes had it written.
  EXPECT_EQ(count(one, "  s_mov_b32 exec_lo, s12\n" + again), 1u);
}

// Two states: a register keeps which one was left, while the path is the same for both. Entered between the two it is
// no natural loop.
std::string twoStates(const std::string &first, const std::string &second, const std::string &between) {
  return R"(  s_cmp_eq_u32 s5, 0
  s_cbranch_scc1 .Lsecond
.Lfirst:
  global_load_dword v4, v[0:1], off
  s_mov_b32 s6, )" +
         first + R"(
  s_branch .Lboth
.Lsecond:
  s_waitcnt vmcnt(0)
  s_mov_b32 s6, )" +
         second + R"(
.Lboth:
  s_sub_u32 s7, s7, 1
)" + between +
         R"(  s_cmp_eq_u32 s7, 0
  s_cbranch_scc1 .Lout
  s_cmp_eq_u32 s6, 1
  s_cbranch_scc1 .Lfirst
  v_mov_b32_e32 v6, v4
  s_cmp_eq_u32 s6, 0
  s_cbranch_scc1 .Lsecond
.Lout:
  s_endpgm
)";
}

TEST(Paths, TheConstantThatARegisterKeepsOverAJoin) {
  const std::string late = "missing-wait: s_waitcnt vmcnt(0) before it if the result is meant; else global_load_dword "
                           "after it, as it comes too early";
  const std::vector<std::string> missing{"16: " + late};
  EXPECT_EQ(findings(twoStates("1", "0", "")), nothing);
  EXPECT_EQ(findings(twoStates("0", "1", "")), missing);
  EXPECT_EQ(findings(twoStates("2", "0", "")), missing);
  EXPECT_EQ(findings(twoStates("1", "s8", "")), nothing);
  EXPECT_EQ(findings(twoStates("s8", "0", "")), missing);
  // Another number after the join.
  EXPECT_EQ(findings(twoStates("1", "0", "  s_xor_b32 s6, s6, 1\n")), std::vector<std::string>{"17: " + late});
}

// A loop over tiles: a register, `first` in the first turn and `later` in the others, says whether the tile has to be
// waited for. What a turn loads for the one after it is in `next`.
std::string tiles(const std::string &first, const std::string &later, const std::string &next) {
  return "  s_mov_b32 s6, " + first + R"(
  s_cmp_eq_u32 s5, 0
  s_cbranch_scc1 .Ltile
  global_load_dword v4, v[0:1], off
.Ltile:
  s_cmp_eq_u32 s6, 1
  s_cbranch_scc1 .Lwaits
  v_mov_b32_e32 v6, v4
  s_branch .Lused
.Lwaits:
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v6, v4
.Lused:
)" + next +
         "  s_mov_b32 s6, " + later + R"(
  s_sub_u32 s7, s7, 1
  s_cmp_eq_u32 s7, 0
  s_cbranch_scc0 .Ltile
  s_endpgm
)";
}

TEST(Paths, TheConstantThatARegisterBeginsALoopWith) {
  const std::vector<std::string> missing{"8: missing-wait: s_waitcnt vmcnt(0) before it"};
  EXPECT_EQ(findings(tiles("1", "2", "")), nothing);
  EXPECT_EQ(findings(tiles("1", "s8", "")), nothing);
  EXPECT_EQ(findings(tiles("2", "1", "")), missing);
  EXPECT_EQ(findings(tiles("2", "2", "")), missing);
  EXPECT_EQ(findings(tiles("s8", "2", "")), missing);
}

TEST(Paths, TheConstantThatARegisterBringsToTheNextTurn) {
  const std::string load = "  global_load_dword v4, v[0:1], off\n";
  const std::vector<std::string> missing{"8: missing-wait: s_waitcnt vmcnt(0) before it if the result is meant; else "
                                         "global_load_dword after it, as it comes too early"};
  EXPECT_EQ(findings(tiles("1", "1", load)), nothing);
  EXPECT_EQ(findings(tiles("1", "2", load)), missing);
  EXPECT_EQ(findings(tiles("1", "s8", load)), missing);
  // Of two turns' ends one leads to the wait.
  const std::string two = load + "  s_mov_b32 s6, 1\n  s_cmp_lt_u32 s7, 9\n  s_cbranch_scc1 .Ltile\n";
  EXPECT_EQ(findings(tiles("1", "1", two)), nothing);
  EXPECT_EQ(findings(tiles("1", "2", two)), missing);
}

// After as many other conditions as are kept of a path.
TEST(Paths, OneConditionOfMany) {
  auto tested = [](const std::string &first) {
    std::string between;
    for (unsigned i = 10; i < 24; ++i)
      between += "  s_cmp_lt_u32 s" + std::to_string(i) + ", 9\n  s_cbranch_scc1 .Lout\n";
    return findings("  s_cmp_eq_u32 s5, " + first + "\n  s_cbranch_scc0 .Lout\n" + between +
                    "  global_load_dword v4, v[0:1], off\n" + between +
                    "  s_cmp_eq_u32 s5, 1\n  s_cbranch_scc0 .Lout\n  v_mov_b32_e32 v6, v4\n.Lout:\n  s_endpgm\n");
  };
  EXPECT_EQ(tested("0"), nothing);
  EXPECT_EQ(tested("1"), std::vector<std::string>{"62: missing-wait: s_waitcnt vmcnt(0) before it"});
}

// A loop unrolled by two is left in the half that the number of tiles names. The tile loaded last is waited for, the
// other one has been.
std::string twoHalves(const std::string &branch) {
  return R"(  s_mov_b32 s4, 0
  s_mov_b32 m0, 0
  s_cmp_lt_i32 s4, s5
  s_cbranch_scc0 .Lout
.Lloop:
  s_waitcnt vmcnt(0)
  buffer_load_dword v0, s[8:11], 0 offen lds
  global_load_dword v4, v[0:1], off
  s_add_i32 s4, s4, 64
  s_cmp_lt_i32 s4, s5
  s_cbranch_scc0 .Lleft
  s_waitcnt vmcnt(0)
  global_load_dword v5, v[0:1], off
  s_add_i32 s4, s4, 64
  s_cmp_lt_i32 s4, s5
  s_cbranch_scc1 .Lloop
.Lleft:
  s_add_u32 s6, s5, 63
  s_lshr_b32 s6, s6, 6
  s_and_b32 s6, 1, s6
  s_cmp_lt_i32 s6, 1
  )" + branch +
         R"( .Lodd
  v_mov_b32_e32 v6, v4
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v7, v5
  s_endpgm
.Lodd:
  v_mov_b32_e32 v6, v5
  s_waitcnt vmcnt(0)
  v_mov_b32_e32 v7, v4
.Lout:
  s_endpgm
)";
}

// The branch is always taken. What is after gets its waits all the same.
TEST(Paths, CodeThatIsNeverReached) {
  const std::string written = replanned("  ds_write_b32 v0, v1\n  s_barrier\n  s_mov_b32 s4, 1\n  s_cmp_eq_u32 s4, 1\n "
                                        " s_cbranch_scc1 .Lout\n  global_load_dword v4, v[0:1], off\n"
                                        "  v_mov_b32_e32 v5, v4\n.Lout:\n  ds_read_b32 v6, v0\n  s_endpgm\n",
                                        inflight::waits::Goal::Insert, 4096);
  EXPECT_NE(written.find("  s_waitcnt vmcnt(0)\n  v_mov_b32_e32 v5, v4"), std::string::npos) << written;
  EXPECT_EQ(findings(written, 4096), nothing);
}

TEST(Paths, TheHalfALoopIsLeftIn) {
  EXPECT_EQ(findings(twoHalves("s_cbranch_scc0"), 4096), nothing);
  EXPECT_EQ(findings(twoHalves("s_cbranch_scc1"), 4096),
            (std::vector<std::string>{"23: missing-wait: s_waitcnt vmcnt(0) before it if the result is meant; else "
                                      "global_load_dword after it, as it comes too early",
                                      "28: missing-wait: s_waitcnt vmcnt(0) before it if the result is meant; else "
                                      "global_load_dword after it, as it comes too early"}));
}

// One bit of an argument, asked for in either way.
TEST(Paths, TheSameBitTwice) {
  auto tested = [](const std::string &second) {
    return findings("  s_bitcmp1_b32 s5, 3\n  s_cbranch_scc0 .Lnone\n  global_load_dword v4, v[0:1], off\n.Lnone:\n" +
                    second +
                    " .Lloaded\n  v_mov_b32_e32 v6, v4\n  s_endpgm\n"
                    ".Lloaded:\n  s_waitcnt vmcnt(0)\n  v_mov_b32_e32 v6, v4\n  s_endpgm\n");
  };
  EXPECT_EQ(tested("  s_bitcmp1_b32 s5, 3\n  s_cbranch_scc1"), nothing);
  EXPECT_EQ(tested("  s_bitcmp0_b32 s5, 3\n  s_cbranch_scc0"), nothing);
  const std::vector<std::string> missing{"7: missing-wait: s_waitcnt vmcnt(0) before it"};
  EXPECT_EQ(tested("  s_bitcmp1_b32 s5, 3\n  s_cbranch_scc0"), missing);
  EXPECT_EQ(tested("  s_bitcmp1_b32 s5, 2\n  s_cbranch_scc1"), missing);
}

// Less than 1 is 0, which isn't odd.
TEST(Paths, ConditionsThatNoValueMeets) {
  auto tested = [](unsigned limit) {
    return findings("  s_bitcmp1_b32 s5, 0\n  s_cbranch_scc0 .Lnone\n  global_load_dword v4, v[0:1], off\n.Lnone:\n"
                    "  s_cmp_lt_u32 s5, " +
                    std::to_string(limit) +
                    "\n  s_cbranch_scc0 .Lother\n  v_mov_b32_e32 v6, v4\n  s_endpgm\n"
                    ".Lother:\n  s_waitcnt vmcnt(0)\n  v_mov_b32_e32 v6, v4\n  s_endpgm\n");
  };
  EXPECT_EQ(tested(1), nothing);
  EXPECT_EQ(tested(2), std::vector<std::string>{"7: missing-wait: s_waitcnt vmcnt(0) before it"});
}

// The loop loads twice before it is left, so the load before it is done.
std::string afterLoop(unsigned trips) {
  return "  global_load_dword v4, v[0:1], off\n  s_mov_b32 s6, 0\n"
         ".Lloop:\n  global_load_dword v5, v[0:1], off\n  s_add_u32 s6, s6, 1\n  s_cmp_lt_u32 s6, " +
         std::to_string(trips) +
         "\n  s_cbranch_scc1 .Lloop\n  s_waitcnt vmcnt(2)\n  v_mov_b32_e32 v6, v4\n  s_endpgm\n";
}

TEST(Paths, ALoopIsNotLeftBeforeItsLastIteration) {
  EXPECT_EQ(findings(afterLoop(2)), nothing);
  EXPECT_EQ(findings(afterLoop(9)), nothing);
  EXPECT_EQ(findings(afterLoop(1)), std::vector<std::string>{"9: missing-wait: s_waitcnt vmcnt(1) before it"});
}

// A wait that is enough only for the paths that control takes stays.
TEST(Paths, RelaxLeavesWaitsThatRestOnThem) {
  EXPECT_EQ(replanned(afterLoop(2), inflight::waits::Goal::Relax), afterLoop(2));
}

// Wave 1 alone has the DMA in flight where control joins, to bytes that it doesn't read.
TEST(Paths, OnlySomeWavesTakeThem) {
  auto tested = [](unsigned wave) {
    return findings("  v_lshrrev_b32_e32 v4, 6, v0\n  v_lshlrev_b32_e32 v2, 2, v0\n  s_nop 0\n"
                    "  v_readfirstlane_b32 s21, v4\n  s_nop 0\n  s_cmp_eq_u32 s21, " +
                        std::to_string(wave) +
                        "\n  s_cbranch_scc0 .Lother\n  s_mov_b32 m0, 0\n  s_nop 0\n  global_load_lds_dword v2, s[4:5]\n"
                        ".Lother:\n  ds_read_b32 v5, v2\n  s_endpgm\n",
                    4096, "gfx942", 128);
  };
  EXPECT_EQ(tested(1), nothing);
  EXPECT_EQ(tested(0).size(), 1u);
}

// v4 is loaded unless s5 is 0, and read where `used` is, behind as many other conditions; with others about the same
// registers before it all.
std::string beforeConditions(unsigned count, const std::string &used, bool areAskedBefore = false) {
  auto ask = [&](unsigned from) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
      text += "  s_cmp_eq_u32 s" + std::to_string(20 + i / 2) + ", " + std::to_string(from + i % 2) +
              "\n  s_cbranch_scc1 .Lout\n";
    return text;
  };
  return (areAskedBefore ? ask(2) : "") +
         "  s_cmp_eq_u32 s5, 0\n  s_cbranch_scc1 .Lnone\n  global_load_dword v4, v[0:1], off\n.Lnone:\n"
         "  s_cmp_eq_u32 " +
         used + ", 0\n  s_cbranch_scc0 .Lout\n" + ask(0) + "  v_mov_b32_e32 v6, v4\n.Lout:\n  s_endpgm\n";
}

TEST(Paths, ManyConditionsBetween) {
  EXPECT_EQ(findings(beforeConditions(20, "s5")), nothing);
  EXPECT_EQ(findings(beforeConditions(20, "s6")),
            std::vector<std::string>{"47: missing-wait: s_waitcnt vmcnt(0) before it"});
}

// More than are kept, but nothing before the load asks about what they are about.
TEST(Paths, ManyConditionsThatNothingAsksAboutBefore) {
  EXPECT_EQ(findings(beforeConditions(70, "s5")), nothing);
  EXPECT_EQ(findings(beforeConditions(70, "s6")),
            std::vector<std::string>{"147: counts-on-latency: s_waitcnt vmcnt(0) before it"});
}

// More than are kept: neither that they contradict each other nor that they don't.
TEST(Paths, TooManyConditionsBetween) {
  const std::vector<std::string> undecided = {"287: undecided: s_waitcnt vmcnt(0) before it"};
  EXPECT_EQ(findings(beforeConditions(70, "s5", true)), undecided);
  EXPECT_EQ(findings(beforeConditions(70, "s6", true)), undecided);
}

// v4 is loaded unless s5 is 0, and read where `used` is. Before the load control goes two ways 24 times, and behind it
// again: by registers from s20 on, and by those from `behind` on.
std::string overDiamonds(const std::string &used, unsigned behind) {
  unsigned label = 0;
  auto diamonds = [&](unsigned first) {
    std::string text;
    for (unsigned i = 0; i < 24; ++i) {
      const std::string to = ".Lskip" + std::to_string(label++);
      text += "  s_cmp_eq_u32 s" + std::to_string(first + i) + ", 0\n  s_cbranch_scc1 " + to +
              "\n  v_mov_b32_e32 v8, 0\n" + to + ":\n";
    }
    return text;
  };
  return diamonds(20) +
         "  s_cmp_eq_u32 s5, 0\n  s_cbranch_scc1 .Lnone\n  global_load_dword v4, v[0:1], off\n.Lnone:\n" +
         diamonds(behind) + "  s_cmp_eq_u32 " + used +
         ", 0\n  s_cbranch_scc0 .Lout\n  v_mov_b32_e32 v6, v4\n.Lout:\n  s_endpgm\n";
}

TEST(Paths, TwoToThe24) {
  EXPECT_EQ(findings(overDiamonds("s5", 50)), nothing);
  EXPECT_EQ(findings(overDiamonds("s6", 50)),
            std::vector<std::string>{"199: missing-wait: s_waitcnt vmcnt(0) before it"});
  // Each way behind the load may be one that conditions before it rule out.
  EXPECT_EQ(findings(overDiamonds("s5", 20)), std::vector<std::string>{"199: undecided: s_waitcnt vmcnt(0) before it"});
}

// How many parts a sum is split in: with more than two of them each adds its own, else one does less. What is loaded
// isn't waited for where the count is 1, which more than two aren't.
TEST(Paths, ACountThatABranchChanges) {
  auto parts = [](const std::string &alone) {
    return findings("  s_and_b32 s6, s5, 0xff\n  s_cmp_gt_i32 s6, 2\n  s_cbranch_scc1 .Lmany\n  s_sub_i32 s6, s6, 1\n"
                    ".Lmany:\n  global_load_dword v4, v[0:1], off\n  s_cmp_eq_i32 s6, " +
                    alone +
                    "\n  s_cbranch_scc1 .Lalone\n  s_waitcnt vmcnt(0)\n.Lalone:\n  s_and_b32 s7, s5, 0xff\n"
                    "  s_cmp_gt_i32 s7, 2\n  s_cbranch_scc1 .Luse\n  s_waitcnt vmcnt(0)\n.Luse:\n"
                    "  v_mov_b32_e32 v6, v4\n  s_endpgm\n");
  };
  EXPECT_EQ(parts("1"), nothing);
  EXPECT_EQ(parts("3"), std::vector<std::string>{"16: missing-wait: s_waitcnt vmcnt(0) before it"});
}

// A loop that writes LDS, has the lanes in `mask` read it, which are to wait for that, and goes on to a barrier.
std::string guardedReads(const std::string &mask, const std::string &wait = "  s_waitcnt lgkmcnt(0)\n") {
  return R"(  v_lshlrev_b32_e32 v1, 2, v0
  v_mov_b32_e32 v3, 0
.Lloop:
  s_barrier
  ds_read_b32 v5, v3
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_write_b32 v1, v2
)" + mask +
         R"(  s_and_saveexec_b64 s[6:7], vcc
  s_cbranch_execz .Lskip
  ds_read_b32 v4, v1
)" + wait +
         R"(.Lskip:
  s_or_b64 exec, exec, s[6:7]
  s_sub_i32 s11, s11, s10
  s_cmp_gt_i32 s11, 0
  s_cbranch_scc1 .Lloop
  s_endpgm
)";
}

// Waves without an element skip the wait: perhaps in the last turn alone, behind which there is no barrier. With a
// block's elements a turn that is so; with fewer it isn't.
TEST(Paths, WithoutActiveLanesInTheLastTurnPerhaps) {
  const std::vector<std::string> undecided = {
      "4: undecided: s_waitcnt lgkmcnt(0) before it if the waves after it mean what ds_write_b32 writes; else that "
      "comes too early"};
  EXPECT_EQ(
      findings(guardedReads("  s_min_i32 s28, s11, 0x100\n  v_cmp_gt_u32_e32 vcc, s28, v0\n"), 1024, "gfx942", 256),
      undecided);
}

// The same lanes in each turn: whole waves skip the wait, and come to the barrier.
TEST(Paths, WithoutActiveLanesInEachTurn) {
  const std::vector<std::string> missing = {
      "4: missing-wait: s_waitcnt lgkmcnt(0) before it if the waves after it mean what ds_write_b32 writes; else that "
      "comes too early"};
  EXPECT_EQ(findings(guardedReads("  v_cmp_gt_u32_e32 vcc, 64, v0\n"), 1024, "gfx942", 256), missing);
  EXPECT_EQ(findings(guardedReads("  v_cmp_gt_u32_e32 vcc, s12, v0\n"), 1024, "gfx942", 256), missing);
}

// Who has active lanes doesn't wait either.
TEST(Paths, WithActiveLanesTheWaitIsMissingToo) {
  EXPECT_EQ(
      findings(guardedReads("  s_min_i32 s28, s11, 0x100\n  v_cmp_gt_u32_e32 vcc, s28, v0\n", ""), 1024, "gfx942", 256),
      std::vector<std::string>{
          "4: missing-wait: s_waitcnt lgkmcnt(0) before it if the waves after it mean what ds_write_b32 writes; "
          "else that comes too early"});
}

} // namespace
