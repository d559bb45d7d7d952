// Missing wait states of programs, on every path.
#include "ProgramText.h"
#include "RuleCases.h"

namespace inflight::hazards::test {
namespace {

/// The program's analysis finds the same as the check of the machine, rule by rule.
class RulesOfPrograms : public testing::TestWithParam<Pair> {};

TEST_P(RulesOfPrograms, AreFoundAndSatisfied) {
  const Pair &pair = GetParam();
  for (const Expectation &expectation : pair.expected) {
    SCOPED_TRACE(expectation.chip);
    const std::string both = pair.first + "\n" + pair.second + "\n";
    auto program = read(both, expectation.chip);
    const std::vector<Finding> findings = verify(*program).findings;
    const Plan inserted = plan(*program, Goal::Insert);
    const bool hasNops = inserted.statesBefore; // which may be there for a third instruction
    if (expectation.states == 0) {
      EXPECT_TRUE(findings.empty()) << missing(both, expectation.chip);
      EXPECT_TRUE(hasNops || inserted.statesAfter == 0);
      continue;
    }
    ASSERT_FALSE(findings.empty());
    EXPECT_EQ(findings.front().rule->name, pair.rule);
    EXPECT_EQ(findings.front().required, expectation.states);
    EXPECT_EQ(findings.front().found, pair.statesInFirst);
    EXPECT_TRUE(hasNops || inserted.statesAfter == expectation.states - pair.statesInFirst) << inserted.statesAfter;
    EXPECT_EQ(missing(planned(both, Goal::Insert, expectation.chip), expectation.chip), "");
  }
}

INSTANTIATE_TEST_SUITE_P(All, RulesOfPrograms, testing::ValuesIn(pairs()), [](const auto &info) {
  return std::string(info.param.rule) + "_" + std::to_string(info.index);
});

TEST(Verify, AnyInstructionIsAWaitState) {
  EXPECT_EQ(missing("v_readfirstlane_b32 s0, v0\n"
                    "s_mov_b32 s9, 0\n"
                    "s_waitcnt vmcnt(0)\n"
                    "s_nop 0\n"
                    "buffer_load_dword v1, off, s[0:3], 0\n"
                    "s_endpgm\n"),
            "5 after 1: valu_sgpr_vmem 5 3\n");
}

TEST(Verify, EachProducerIsAFindingAndTheHintServesAll) {
  auto program = read("v_readfirstlane_b32 s0, v0\n"
                      "v_readfirstlane_b32 s1, v0\n"
                      "buffer_load_dword v1, off, s[0:3], 0\n"
                      "s_endpgm\n");
  const std::vector<Finding> findings = verify(*program).findings;
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].found, 1u);
  EXPECT_EQ(findings[1].found, 0u);
  EXPECT_EQ(findings[0].missing, 5u);
  EXPECT_EQ(findings[1].missing, 5u);
}

TEST(Verify, JumpsCountAndMayLeadAroundWaitStates) {
  EXPECT_EQ(missing("v_readfirstlane_b32 s0, v0\n"
                    "s_cbranch_scc1 use\n"
                    "s_nop 3\n"
                    "use:\n"
                    "buffer_load_dword v1, off, s[0:3], 0\n"
                    "s_endpgm\n"),
            "5 after 1: valu_sgpr_vmem 5 1\n");
}

TEST(Verify, TheEndOfALoopComesBeforeItsBeginning) {
  EXPECT_EQ(missing("s_mov_b32 s4, 8\n"
                    "loop:\n"
                    "v_readlane_b32 s5, v1, s4\n"
                    "s_nop 9\n"
                    "v_readfirstlane_b32 s4, v0\n"
                    "s_cbranch_scc1 loop\n"
                    "s_endpgm\n"),
            "3 after 5: valu_sgpr_lane_select 4 1\n");
}

TEST(Verify, AnInstructionMayComeTooEarlyForItself) {
  EXPECT_EQ(missing("loop:\n"
                    "v_mfma_f32_32x32x8_f16 v[0:15], v[0:1], v[2:3], v[16:31]\n"
                    "s_cbranch_scc1 loop\n"
                    "s_endpgm\n"),
            "2 after 2: xdl_factor 11 1\n");
}

TEST(Verify, CalleesReturnToTheirCallers) {
  // The first caller waits before it calls and after; the second doesn't.
  EXPECT_EQ(missing(".type f,@function\n"
                    "f:\n"
                    "buffer_load_dword v1, off, s[0:3], 0\n"
                    "v_readfirstlane_b32 s0, v0\n"
                    "s_setpc_b64 s[30:31]\n"
                    ".type k,@function\n"
                    ".globl k\n"
                    "k:\n"
                    "v_readfirstlane_b32 s1, v0\n"
                    "s_nop 4\n"
                    "s_call_b64 s[30:31], f\n"
                    "s_nop 3\n"
                    "buffer_load_dword v1, off, s[0:3], 0\n"
                    "v_readfirstlane_b32 s2, v0\n"
                    "s_call_b64 s[30:31], f\n"
                    "buffer_load_dword v1, off, s[0:3], 0\n"
                    "s_endpgm\n"),
            "3 after 14: valu_sgpr_vmem 5 1\n"
            "16 after 4: valu_sgpr_vmem 5 1\n"
            "16 after 14: valu_sgpr_vmem 5 4\n");
}

TEST(Verify, PathsComeBackOutOfAFunctionWhereTheyWentIn) {
  EXPECT_EQ(missing(".type f,@function\n"
                    "f:\n"
                    "s_setpc_b64 s[30:31]\n"
                    ".type k,@function\n"
                    ".globl k\n"
                    "k:\n"
                    "v_readfirstlane_b32 s0, v0\n"
                    "s_call_b64 s[30:31], f\n"
                    "s_nop 9\n"
                    "s_call_b64 s[30:31], f\n"
                    "buffer_load_dword v1, off, s[0:3], 0\n"
                    "s_endpgm\n"),
            "");
}

TEST(Verify, ANewerMatrixResultHidesAnOlderOneOnItsPathOnly) {
  const std::string older = "v_mfma_f32_32x32x8_f16 v[0:15], v[32:33], v[34:35], 0\n";
  const std::string newer = "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[32:33], v[34:35], v[0:3]\n";
  const std::string use = "s_nop 4\nv_add_f32 v40, v0, v0\ns_endpgm\n";
  // The second has waited for the first, so only it counts.
  EXPECT_EQ(missing(older + "s_nop 8\n" + newer + use), "");
  // By way of the jump there is only the first; that path is one state longer.
  EXPECT_EQ(missing(older + "s_nop 1\ns_cbranch_scc1 use\ns_nop 5\n" + newer + "use:\n" + use),
            "8 after 1: xdl_use 11 8\n");
}

TEST(Verify, ManyShortPathsAreNotAllTried) {
  // 2^40 paths; each stage takes one state at least.
  std::string text = "v_mfma_f32_32x32x8_f16 v[0:15], v[32:33], v[34:35], 0\n";
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    text += "s_cbranch_scc1 left" + n + "\ns_cbranch_scc0 right" + n + "\nleft" + n + ":\nright" + n + ":\n";
    if (i % 4 == 0)
      text += "v_add_f32 v40, v0, v0\n";
  }
  auto program = read(text + "s_endpgm\n");
  const std::vector<Finding> findings = verify(*program).findings;
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].found, 1u);
  EXPECT_EQ(findings[1].found, 6u);
}

TEST(Verify, ThousandsOfPathsIntoTwoPlacesEndSoon) {
  // A jump table's arms, each with a result that is read where they join, twice.
  constexpr int arms = 3000;
  std::string text;
  for (const char *join : {"first", "second"}) {
    for (int i = 0; i < arms; ++i)
      text += "s_cbranch_scc1 " + std::string(join) + "_arm" + std::to_string(i) + "\n";
    for (int i = 0; i < arms; ++i)
      text += std::string(join) + "_arm" + std::to_string(i) + ":\nv_readfirstlane_b32 s0, v0\ns_branch " + join + "\n";
    text += std::string(join) + ":\nv_readlane_b32 s5, v1, s0\n";
  }
  text += "s_endpgm\n";
  auto program = read(text);
  EXPECT_EQ(verify(*program).findings.size(), 2u * arms);
  const Plan inserted = plan(*program, Goal::Insert);
  EXPECT_EQ(inserted.added, 2u);
  EXPECT_EQ(inserted.statesAfter, 6u);
}

TEST(Verify, DataEndsAPath) {
  EXPECT_EQ(missing("v_readfirstlane_b32 s0, v0\n"
                    "s_branch over\n"
                    ".long 0\n"
                    "buffer_load_dword v1, off, s[0:3], 0\n"
                    "over:\n"
                    "s_endpgm\n"),
            "");
}

TEST(Verify, FindingsNameThePairTheRuleAndThePath) {
  auto program = read("v_mfma_f32_32x32x8_f16 v[0:15], v[16:17], v[18:19], 0\n"
                      "s_cbranch_scc1 far\n"
                      "s_endpgm\n"
                      "far:\n"
                      "v_mfma_f32_32x32x8_f16 v[20:35], v[0:1], v[18:19], 0\n"
                      "s_endpgm\n");
  const std::vector<Finding> findings = verify(*program).findings;
  ASSERT_EQ(findings.size(), 1u);
  const ReportItem item = describeFinding(*program, findings[0]);
  EXPECT_EQ(item.rule, "missing-wait-states");
  EXPECT_EQ(item.message, "1 wait state after v_mfma_f32_32x32x8_f16, which it must follow by 11 wait states "
                          "(matrix instruction's result, A, B, index or scale of another)");
  EXPECT_EQ(item.place.instruction, "v_mfma_f32_32x32x8_f16 v[20:35], v[0:1], v[18:19], 0");
  EXPECT_EQ(item.place.source.line, 5u);
  EXPECT_EQ(item.hint, "s_nop 9 before it");
  ASSERT_EQ(item.related.size(), 2u);
  EXPECT_EQ(item.related[0].second.source.line, 1u);
  EXPECT_EQ(item.related[1].first, "over this jump");
  EXPECT_EQ(item.related[1].second.source.line, 2u);
}

/// The findings that are errors, as missing() has them; then advice with the time between.
std::string judged(llvm::StringRef text, llvm::StringRef chip = "gfx942") {
  auto program = read(text, chip);
  std::string all;
  for (const Finding &f : verify(*program).findings)
    all += (f.gravity == Gravity::Error ? "error " : "advice ") + f.rule->name + " " + std::to_string(f.required) +
           " " + std::to_string(f.found) + " " + std::to_string(f.elapsed) + "\n";
  return all;
}

TEST(Gravity, RulesThatShippingKernelsDoWithoutAreAdvice) {
  EXPECT_EQ(judged("v_cmp_eq_u32 vcc, v0, v1\nv_cndmask_b32 v2, v3, v4, vcc\n"), "advice valu_sgpr_mask 2 0 0\n");
  EXPECT_EQ(judged("s_mov_b32 m0, 0\nbuffer_load_dword v4, s[0:3], 0 offen lds\n"), "advice salu_m0_lds 1 0 0\n");
  EXPECT_EQ(judged("v_readlane_b32 s4, v0, 1\nv_add_u32 v1, s4, v2\n"), "advice lane_sgpr_constant 2 0 0\n");
  EXPECT_EQ(judged("v_mov_b32 v4, 0\nv_add_u32_dpp v2, v3, v4 row_shr:1\n"), "advice valu_vgpr_dpp_other 2 0 0\n");
  // Others of the same kinds are not.
  EXPECT_EQ(judged("v_cmp_eq_u32 vcc, v0, v1\nv_mov_b32 v2, vcc_lo\n"), "error valu_sgpr_constant 2 0 0\n");
  EXPECT_EQ(judged("s_mov_b32 m0, 0\ns_movrels_b32 s0, s1\n"), "error salu_m0_movrel 1 0 0\n");
}

TEST(Gravity, SomeRulesAreAdviceFromSoManyWaitStatesOn) {
  EXPECT_EQ(judged("v_mov_b32 v3, 0\nv_mov_b32_dpp v2, v3 row_shr:1\n"), "error valu_vgpr_dpp 2 0 0\n");
  EXPECT_EQ(judged("v_mov_b32 v3, 0\ns_nop 0\nv_mov_b32_dpp v2, v3 row_shr:1\n"), "advice valu_vgpr_dpp 2 1 1\n");
  const std::string matrix = "v_mfma_f32_32x32x8_f16 v[0:15], v[16:17], v[18:19], 0\n", use = "v_mov_b32 v20, v0\n";
  EXPECT_EQ(judged(matrix + use), "error xdl_use 11 0 0\n");
  EXPECT_EQ(judged(matrix + "s_nop 5\n" + use), "error xdl_use 11 6 6\n");
  EXPECT_EQ(judged(matrix + "s_nop 6\n" + use), "advice xdl_use 11 7 7\n");
  // No shipping kernel was seen to use these early.
  EXPECT_EQ(judged(matrix + "s_nop 6\nv_mfma_f32_4x4x4f16 v[20:23], v[0:1], v[18:19], 0\n"),
            "error xdl_factor 11 7 7\n");
}

TEST(Gravity, TheMatrixCoreIsTakenForAllPasses) {
  const std::string matrix = "v_mfma_f32_32x32x8_f16 v[0:15], v[16:17], v[18:19], 0\n", use = "v_mov_b32 v40, v0\n";
  const std::string other = "v_mfma_f32_32x32x8_f16 v[20:35], v[16:17], v[18:19], 0\n";
  EXPECT_EQ(judged(matrix + other + use), "advice xdl_use 11 1 8\n");
  EXPECT_EQ(judged(matrix + "s_nop 7\ns_nop 1\n" + other + use), "");
  // Each waits for the one before.
  EXPECT_EQ(judged(matrix + other + other + use), "advice xdl_use 11 2 16\n");
  EXPECT_EQ(judged(matrix + "v_pk_mul_f32 v[50:51], v[52:53], v[54:55]\n" + use), "advice xdl_use 11 1 8\n");
  EXPECT_EQ(judged(matrix + "v_mul_f32 v50, v52, v54\n" + use), "error xdl_use 11 1 1\n");
}

TEST(Gravity, TakenJumpsTakeTime) {
  const std::string far = "v_readfirstlane_b32 s4, v0\ns_cbranch_scc1 far\n",
                    use = "v_readlane_b32 s5, v1, s4\ns_endpgm\n";
  EXPECT_EQ(judged(far + "s_endpgm\nfar:\n" + use), "advice valu_sgpr_lane_select 4 1 5\n");
  EXPECT_EQ(judged(far + use + "far:\ns_endpgm\n"), "error valu_sgpr_lane_select 4 1 1\n");
}

TEST(Gravity, TheGravestOfAPairAndOfItsPathsIsReported) {
  // The DPP rule wants more, but is advice.
  EXPECT_EQ(judged("v_exp_f32 v4, v0\nv_add_u32_dpp v2, v3, v4 row_shr:1\n"), "error trans_use 1 0 0\n");
  // One path jumps, the other doesn't.
  EXPECT_EQ(judged("v_readfirstlane_b32 s4, v0\n"
                   "s_cbranch_scc1 use\n"
                   "s_mov_b32 s9, 0\n"
                   "use:\n"
                   "v_readlane_b32 s5, v1, s4\n"
                   "s_endpgm\n"),
            "error valu_sgpr_lane_select 4 2 2\n");
}

TEST(Gravity, AdviceSaysWhy) {
  auto why = [](llvm::StringRef text) {
    auto program = read(text);
    const ReportItem item = describeFinding(*program, verify(*program).findings.at(0));
    EXPECT_EQ(item.rule, "wait-state-advice");
    return item.message.substr(item.message.find("; ") + 2);
  };
  EXPECT_EQ(
      why("v_mfma_f32_4x4x4f16 v[0:3], v[16:17], v[18:19], 0\nv_mfma_f32_32x32x8_f16 v[20:35], v[16:17], v[18:19], 0\n"
          "v_mfma_f32_32x32x8_f16 v[40:55], v[16:17], v[18:19], 0\nv_mov_b32 v60, v0\n"),
      "what stands between takes the time of 10 wait states");
  EXPECT_EQ(why("v_cmp_eq_u32 vcc, v0, v1\nv_cndmask_b32 v2, v3, v4, vcc\n"),
            "shipping kernels do without: AITER masks attention scores and selects top-k by v_cmp directly followed by "
            "v_cndmask");
}

} // namespace
} // namespace inflight::hazards::test
