// What becomes of s_nop, and what each is said to be for.
#include "ProgramText.h"
#include "RuleCases.h"
#include "rewrite/Rewrite.h"

namespace inflight::hazards::test {
namespace {

const std::string read5 = "v_readfirstlane_b32 s0, v0\n";
const std::string load5 = "buffer_load_dword v1, off, s[0:3], 0\n";

TEST(Strip, LeavesPaddingAfterTheProgram) {
  EXPECT_EQ(
      planned(".globl k\n.type k,@function\nk:\ns_nop 3\nv_mov_b32 v0, 0\ns_endpgm\ns_nop 0\ns_nop 0\n", Goal::Strip),
      ".globl k\n.type k,@function\nk:\nv_mov_b32 v0, 0\ns_endpgm\ns_nop 0\ns_nop 0\n");
}

TEST(Strip, LeavesWhatMacrosMake) {
  const std::string text = ".macro two\ns_nop 1\n.endm\ntwo\ns_endpgm\n";
  EXPECT_EQ(planned(text, Goal::Strip), text);
}

TEST(Insert, PutsOneNopBeforeTheSecondInstruction) {
  EXPECT_EQ(planned(read5 + "s_mov_b32 s9, 0\n" + load5 + "s_endpgm\n", Goal::Insert),
            read5 + "s_mov_b32 s9, 0\ns_nop 3\n" + load5 + "s_endpgm\n");
}

TEST(Insert, ServesSeveralPairsAtOnce) {
  // v2's conversion wants 1 before the addition, s0 5 before the load: the 1 is among the 5.
  const std::string text = read5 + "v_rcp_f32 v2, v3\nv_add_f32 v4, v2, v2\n" + load5 + "s_endpgm\n";
  auto program = read(text);
  EXPECT_EQ(plan(*program, Goal::Insert).statesAfter, 3u);
  EXPECT_EQ(missing(planned(text, Goal::Insert)), "");
}

TEST(Insert, KeepsWhatIsRight) {
  const std::string text = read5 + "s_nop 2\ns_nop 1\n" + load5 + "s_endpgm\n";
  EXPECT_EQ(planned(text, Goal::Insert), text);
  // Where in a row of waits it stands is all the same.
  const std::string withWait = read5 + "s_nop 3\ns_waitcnt vmcnt(0)\n" + load5 + "s_endpgm\n";
  EXPECT_EQ(planned(withWait, Goal::Insert), withWait);
}

TEST(Insert, MoreThanOneNopGives) {
  auto program =
      read("v_mfma_f64_16x16x4_f64 v[0:7], v[8:9], v[10:11], v[0:7]\nv_add_f32 v20, v0, v0\ns_endpgm\n", "gfx950");
  const Plan inserted = plan(*program, Goal::Insert);
  EXPECT_EQ(inserted.added, 2u);
  EXPECT_EQ(inserted.statesAfter, 19u);
}

TEST(Insert, ANeedOfOneEntryIsMetOnThatPath) {
  // Before the jump, as nothing else goes there.
  EXPECT_EQ(planned("s_cbranch_scc1 other\n" + read5 +
                        "s_branch use\n"
                        "other:\ns_mov_b32 s0, 0\nuse:\n" +
                        load5 + "s_endpgm\n",
                    Goal::Insert),
            "s_cbranch_scc1 other\n" + read5 +
                "s_nop 3\ns_branch use\n"
                "other:\ns_mov_b32 s0, 0\nuse:\n" +
                load5 + "s_endpgm\n");
}

TEST(Insert, WhatOnlyTheFirstIterationWantsStandsBeforeTheLoop) {
  EXPECT_EQ(planned(read5 + "loop:\n" + load5 + "s_cbranch_scc1 loop\ns_endpgm\n", Goal::Insert),
            "v_readfirstlane_b32 s0, v0\ns_nop 4\nloop:\n" + load5 + "s_cbranch_scc1 loop\ns_endpgm\n");
}

TEST(Insert, WhatOnlyLaterIterationsWantStandsAtTheLoopsEnd) {
  const std::string head = "s_mov_b32 s0, 0\nloop:\n" + load5, tail = read5 + "s_cbranch_scc0 out\n";
  EXPECT_EQ(planned(head + tail + "s_branch loop\nout:\ns_endpgm\n", Goal::Insert),
            head + tail + "s_nop 2\ns_branch loop\nout:\ns_endpgm\n");
  // Where a conditional jump goes back nothing can stand on that path alone.
  EXPECT_EQ(planned(head + read5 + "s_cbranch_scc1 loop\ns_endpgm\n", Goal::Insert),
            "s_mov_b32 s0, 0\nloop:\ns_nop 3\n" + load5 + read5 + "s_cbranch_scc1 loop\ns_endpgm\n");
}

TEST(Insert, PathsThatWantDifferentNumbersShareTheSmaller) {
  // 5 by falling in, 4 - 1 by the jump back.
  const std::string text =
      "v_mov_b32 v9, 0\n" + read5 + "loop:\n" + load5 + read5 + "s_mov_b32 s9, 0\ns_cbranch_scc1 loop\ns_endpgm\n";
  EXPECT_EQ(planned(text, Goal::Insert), "v_mov_b32 v9, 0\nv_readfirstlane_b32 s0, v0\ns_nop 1\nloop:\ns_nop 2\n" +
                                             load5 + read5 + "s_mov_b32 s9, 0\ns_cbranch_scc1 loop\ns_endpgm\n");
}

TEST(Insert, CountsWaitsThatAreAboutToChange) {
  const std::string text = read5 + "s_waitcnt vmcnt(0)\n" + load5 + "s_endpgm\n";
  auto program = read(text);
  EXPECT_EQ(plan(*program, Goal::Insert).statesAfter, 4u);
  const Edit removed{1, Edit::Action::Remove, Edit::What::Waitcnt, 0};
  EXPECT_EQ(plan(*program, Goal::Insert, {removed}).statesAfter, 5u);
  const Edit another{2, Edit::Action::InsertBefore, Edit::What::Waitcnt, 0};
  EXPECT_EQ(plan(*program, Goal::Insert, {another}).statesAfter, 3u);
}

TEST(Relax, ShortensToWhatIsWantedAndAddsNothing) {
  EXPECT_EQ(planned("s_nop 7\n" + read5 + "s_nop 7\n" + load5 + "s_nop 0\ns_endpgm\n", Goal::Relax),
            read5 + "s_nop 4\n" + load5 + "s_endpgm\n");
  // Of two that serve one pair the later stays.
  EXPECT_EQ(planned(read5 + "s_nop 3\ns_mov_b32 s9, 0\ns_nop 3\n" + load5 + "s_endpgm\n", Goal::Relax),
            read5 + "s_mov_b32 s9, 0\ns_nop 3\n" + load5 + "s_endpgm\n");
  // Too few wait states stay what they are.
  const std::string tooFew = read5 + "s_nop 1\n" + load5 + "s_endpgm\n";
  EXPECT_EQ(planned(tooFew, Goal::Relax), tooFew);
}

TEST(Relax, KeepsWhatAnyPathWants) {
  const std::string text = "s_cbranch_scc1 use\n" + read5 + "s_nop 4\nuse:\n" + load5 + "s_endpgm\n";
  EXPECT_EQ(planned(text, Goal::Relax), text);
}

TEST(Report, SaysWhichPairsWantHowMuch) {
  EXPECT_EQ(reported(read5 + "s_mov_b32 s9, 0\ns_nop 5\n" + load5 + "s_nop 0\ns_endpgm\n"),
            "3: 4 of 6 valu_sgpr_vmem 1-4\n"
            "5: 0 of 1\n");
  // A second s_nop has done its part.
  EXPECT_EQ(reported(read5 + "s_nop 1\ns_nop 3\n" + load5 + "s_endpgm\n"), "2: 1 of 2 valu_sgpr_vmem 1-4\n"
                                                                           "3: 3 of 4 valu_sgpr_vmem 1-4\n");
}

TEST(Report, FollowsPathsThroughTheNop) {
  EXPECT_EQ(reported("loop:\n" + load5 + read5 + "s_nop 3\ns_cbranch_scc1 loop\ns_endpgm\ns_nop 0\n"),
            "4: 4 of 4 valu_sgpr_vmem 3-2\n"
            "7: 0 of 1 padding\n");
}

/// Chains as people write them into inline assembly: the same accumulator again, results as factors, results read at
/// once, and a next tile in between. The numbers are those of the manuals (gfx90a: LLVM's) for 16, 8 or 4 passes.
struct Chain {
  const char *chip;
  const char *matrix; ///< 32x32
  unsigned toSame, toFactor, toAccumulator, toUse;
};

void PrintTo(const Chain &chain, std::ostream *os) { *os << chain.matrix; }

class MatrixChains : public testing::TestWithParam<Chain> {};

std::string matrix(const std::string &name, int d, int a, int c) {
  auto range = [](int first, int count) {
    return "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
  };
  return name + " " + range(d, 16) + ", " + range(a, 2) + ", v[102:103], " + range(c, 16) + "\n";
}

TEST_P(MatrixChains, GetTheWaitStatesOfTheManual) {
  const Chain &chain = GetParam();
  const std::string first = matrix(chain.matrix, 0, 100, 0);
  auto states = [&](const std::string &text) {
    auto program = read(text + "s_endpgm\n", chain.chip);
    EXPECT_EQ(missing(planned(text + "s_endpgm\n", Goal::Insert, chain.chip), chain.chip), "");
    return plan(*program, Goal::Insert).statesAfter;
  };
  EXPECT_EQ(states(first + first), chain.toSame);
  EXPECT_EQ(states(first + matrix(chain.matrix, 32, 100, 2)), chain.toAccumulator);
  EXPECT_EQ(states(first + matrix(chain.matrix, 32, 0, 32)), chain.toFactor);
  EXPECT_EQ(states(first + "v_cvt_f16_f32 v64, v0\n"), chain.toUse);
  EXPECT_EQ(states(first + "global_store_dwordx4 v[64:65], v[0:3], off\n"), chain.toUse);
  // Another tile's instruction is a wait state.
  EXPECT_EQ(states(first + matrix(chain.matrix, 32, 100, 32) + "v_cvt_f16_f32 v64, v0\n"), chain.toUse - 1);
  // The last use of the first tile comes after all that the second wants.
  EXPECT_EQ(states(first + matrix(chain.matrix, 32, 100, 32) + "v_cvt_f16_f32 v64, v32\nv_cvt_f16_f32 v65, v0\n"),
            chain.toUse);
  // Four tiles and their epilogue: the first result is read when the last instruction has issued three states before.
  EXPECT_EQ(states(first + matrix(chain.matrix, 16, 100, 16) + matrix(chain.matrix, 32, 100, 32) +
                   matrix(chain.matrix, 48, 100, 48) + "v_cvt_f16_f32 v64, v0\n"),
            chain.toUse - 3);
}

TEST_P(MatrixChains, InLoopsWaitForWhatTheLastIterationLeft) {
  const Chain &chain = GetParam();
  // Accumulates over the loop and converts after it; the factors are the results of a conversion in the loop.
  const std::string loop =
      "loop:\nv_cvt_pkrtz_f16_f32 v100, v104, v105\n" + matrix(chain.matrix, 0, 100, 0) + "s_cbranch_scc1 loop\n";
  const std::string text = planned(loop + "v_cvt_f16_f32 v64, v0\ns_endpgm\n", Goal::Insert, chain.chip);
  EXPECT_EQ(missing(text, chain.chip), "");
  // VALU to matrix: 2; after the loop one less for the jump.
  EXPECT_EQ(text, "loop:\nv_cvt_pkrtz_f16_f32 v100, v104, v105\ns_nop 1\n" + matrix(chain.matrix, 0, 100, 0) +
                      "s_cbranch_scc1 loop\n" +
                      (chain.toUse - 1 > 16 ? "s_nop 15\ns_nop " + std::to_string(chain.toUse - 18)
                                            : "s_nop " + std::to_string(chain.toUse - 2)) +
                      "\nv_cvt_f16_f32 v64, v0\ns_endpgm\n");
}

INSTANTIATE_TEST_SUITE_P(Chips, MatrixChains,
                         testing::Values(Chain{"gfx90a", "v_mfma_f32_32x32x8f16", 0, 19, 16, 19}, // 16 passes
                                         Chain{"gfx942", "v_mfma_f32_32x32x8_f16", 0, 11, 9, 11}, // 8
                                         Chain{"gfx950", "v_mfma_f32_32x32x8_f16", 0, 12, 10, 12}),
                         [](const auto &info) { return std::string(info.param.chip); });

/// The text when instruction `removed`, a wait, goes and the plan for that is carried out.
std::string repaired(llvm::StringRef text, uint32_t removed) {
  auto program = read(text);
  std::vector<Edit> edits = {{removed, Edit::Action::Remove, Edit::What::Waitcnt, 0}};
  llvm::append_range(edits, plan(*program, Goal::Repair, edits).edits);
  llvm::stable_sort(edits, [](const Edit &a, const Edit &b) { return a.at < b.at; });
  return llvm::cantFail(editAssembly(*program, text, edits));
}

TEST(Repair, GivesBackWhatAWaitGave) {
  const std::string producer = "v_readfirstlane_b32 s4, v0\n", use = "v_readlane_b32 s5, v1, s4\n";
  EXPECT_EQ(repaired(producer + "s_nop 2\ns_waitcnt vmcnt(0)\n" + use, 2), producer + "s_nop 2\ns_nop 0\n" + use);
  EXPECT_EQ(repaired(producer + "s_nop 3\ns_waitcnt vmcnt(0)\n" + use, 2), producer + "s_nop 3\n" + use);
}

TEST(Repair, LeavesWhatTheProgramLacksItself) {
  const std::string producer = "v_readfirstlane_b32 s4, v0\n", use = "v_readlane_b32 s5, v1, s4\n";
  EXPECT_EQ(repaired("s_waitcnt vmcnt(0)\n" + producer + use, 0), producer + use);
  EXPECT_EQ(repaired(producer + "s_waitcnt vmcnt(0)\n" + use, 1), producer + "s_nop 0\n" + use);
}

TEST(Repair, JudgesEachPathByItself) {
  // The path by the jump has less than the rule wants, the other just enough.
  const std::string text = "v_readfirstlane_b32 s4, v0\n"
                           "s_cbranch_scc1 use\n"
                           "s_nop 1\n"
                           "s_waitcnt vmcnt(0)\n"
                           "use:\n"
                           "v_readlane_b32 s5, v1, s4\n"
                           "s_endpgm\n";
  EXPECT_EQ(missing(text), "6 after 1: valu_sgpr_lane_select 4 1\n");
  auto program = read(repaired(text, 3));
  const std::vector<Finding> findings = verify(*program).findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_FALSE(findings[0].path.empty());
  EXPECT_GE(plan(*program, Goal::Strip).statesBefore, 3u);
}

} // namespace
} // namespace inflight::hazards::test
