// What the checks of a run find, and what they don't.
#include "Snippet.h"

#include "gtest/gtest.h"

namespace inflight::machine::test {
namespace {

struct Case {
  const char *name;
  const char *body;
  std::vector<std::string> expected; ///< "rule: instruction", in the order of the code
  unsigned waves = 1;
  const char *chip = "gfx942";
};

void PrintTo(const Case &c, std::ostream *os) { *os << c.name; }

class Checked : public testing::TestWithParam<Case> {};

TEST_P(Checked, FindsWhatIsWrong) {
  const Case &c = GetParam();
  Snippet snippet;
  snippet.chip = c.chip;
  snippet.body = c.body;
  snippet.waves = c.waves;
  snippet.checks = "all";
  snippet.in = {all(1), all(2)};
  snippet.outputs = 0;
  std::vector<std::string> found;
  for (const ReportedFinding &finding : findingsOf(snippet))
    found.push_back(check::kindName(finding.kind).str() + ": " + finding.instruction);
  EXPECT_EQ(found, c.expected);
}

// s[2:3] is a buffer of 512 bytes, v1 an offset for each lane in it.
#define TWO_DMAS(SECOND)                                                                                 \
  "s_mov_b32 m0, 0\n s_nop 0\n global_load_lds_dword v1, s[2:3]\n s_mov_b32 m0, " SECOND "\n s_nop 0\n " \
  "global_load_lds_dword v1, s[2:3] offset:0\n "
#define FLAT_LOAD "v_mov_b32 v4, s2\n v_mov_b32 v5, s3\n flat_load_dwordx2 v[20:21], v[4:5]\n "
const Case inFlight[] = {
    {"LoadThenWait", "global_load_dword v20, v1, s[2:3]\n s_waitcnt vmcnt(0)\n v_add_u32 v21, v20, v20", {}},
    {"LoadWithoutWait",
     "global_load_dword v20, v1, s[2:3]\n v_add_u32 v21, v20, v10",
     {"in-flight: v_add_u32_e32 v21, v20, v10"}},
    {"OneMissingWaitIsOneFinding",
     "global_load_dword v20, v1, s[2:3]\n v_add_u32 v20, v20, v10\n v_add_u32 v21, v20, v10\n global_store_dword v1, "
     "v20, s[2:3] offset:256\n s_waitcnt vmcnt(0)",
     {"in-flight: v_add_u32_e32 v20, v20, v10"}},
    {"OverwritingAResultOnItsWay",
     "global_load_dword v20, v1, s[2:3]\n v_mov_b32 v20, 0",
     {"in-flight: v_mov_b32_e32 v20, 0"}},
    {"WaitThatAllowsTheLastOne",
     "global_load_dword v20, v1, s[2:3]\n global_load_dword v21, v1, s[2:3]\n s_waitcnt vmcnt(1)\n"
     "v_mov_b32 v30, v20\n v_mov_b32 v31, v21",
     {"in-flight: v_mov_b32_e32 v31, v21"}},
    {"StoresCountOnVmcnt",
     "global_load_dword v20, v1, s[2:3]\n global_store_dword v1, v10, s[2:3] offset:256\n s_waitcnt vmcnt(1)\n "
     "v_mov_b32 v30, v20",
     {}},
    {"LoadsIntoOneRegisterArriveInOrder",
     "global_load_dword v20, v1, s[2:3]\n global_load_dword v20, v1, s[2:3]\n s_waitcnt vmcnt(0)",
     {}},
    {"LdsReadOverAVmemLoad",
     "v_mov_b32 v9, 0\n ds_write_b32 v1, v10\n global_load_dword v20, v1, s[2:3]\n ds_read_b32 v20, v1\n s_waitcnt "
     "vmcnt(0) lgkmcnt(0)",
     {"in-flight: ds_read_b32 v20, v1"}},
    {"ScalarLoadsComeInAnyOrder",
     "s_load_dword s20, s[2:3], 0x0\n s_load_dword s21, s[2:3], 0x4\n s_waitcnt lgkmcnt(1)\n s_add_u32 s22, s20, 0\n "
     "s_waitcnt lgkmcnt(0)",
     {"in-flight: s_add_u32 s22, s20, 0"}},
    {"LdsIsInOrderBesideScalarLoads",
     "ds_write_b32 v1, v10\n ds_read_b32 v20, v1\n ds_read_b32 v21, v1\n s_load_dword s20, s[2:3], 0x0\n s_waitcnt "
     "lgkmcnt(1)\n"
     "v_mov_b32 v30, v20\n s_waitcnt lgkmcnt(0)",
     {}},
    {"FlatNeedsBothCounters",
     "v_mov_b32 v4, s2\n v_mov_b32 v5, s3\n flat_load_dword v20, v[4:5]\n s_waitcnt vmcnt(0)\n v_mov_b32 v30, v20\n "
     "s_waitcnt lgkmcnt(0)",
     {"in-flight: v_mov_b32_e32 v30, v20"}},
    // What a FLAT load does in LDS is over; the rest is in order with other vector memory, which may arrive in any of
    // the lanes and registers.
    {"LoadsAfterFlatWaitedForInLds",
     FLAT_LOAD "s_waitcnt lgkmcnt(0)\n global_load_dword v21, v1, s[2:3]\n s_waitcnt vmcnt(0)\n v_mov_b32 v30, v20\n "
               "v_mov_b32 v31, v21",
     {}},
    {"LoadsAfterFlat",
     FLAT_LOAD "global_load_dword v21, v1, s[2:3]\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"in-flight: global_load_dword v21, v1, s[2:3]"}},
    {"FlatAfterFlatMayBeFaster",
     FLAT_LOAD "s_waitcnt lgkmcnt(0)\n flat_load_dword v21, v[4:5]\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"in-flight: flat_load_dword v21, v[4:5]"}},
    {"LdsLoadsAfterFlat",
     FLAT_LOAD "s_waitcnt lgkmcnt(0)\n ds_read_b32 v21, v1\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"in-flight: ds_read_b32 v21, v1"}},
    {"RestOfAFlatLoad",
     FLAT_LOAD "s_waitcnt lgkmcnt(0)\n s_mov_b64 exec, 0xff\n global_load_dword v21, v1, s[2:3]\n global_load_dword "
               "v40, v1, s[2:3]\n s_waitcnt vmcnt(1)\n"
               "v_mov_b32 v30, v21\n v_mov_b32 v31, v20\n s_mov_b64 exec, 0xff00\n v_mov_b32 v32, v21\n s_mov_b64 "
               "exec, -1\n s_waitcnt vmcnt(0)",
     {"in-flight: v_mov_b32_e32 v31, v20", "in-flight: v_mov_b32_e32 v32, v21"}},
    {"OtherLanesMayWrite",
     "s_mov_b64 exec, 0xff\n global_load_dword v20, v1, s[2:3]\n s_mov_b64 exec, 0xff00\n v_mov_b32 v20, 0\n s_mov_b64 "
     "exec, -1\n s_waitcnt vmcnt(0)",
     {}},
    {"HalvesOfARegister",
     "global_load_short_d16 v20, v1, s[2:3]\n global_load_short_d16_hi v20, v1, s[2:3] offset:2\n s_waitcnt vmcnt(0)\n "
     "v_mov_b32 v30, v20",
     {}},
    {"ShuffleNeedsItsWait",
     "ds_bpermute_b32 v20, v1, v10\n v_mov_b32 v30, v20\n s_waitcnt lgkmcnt(0)",
     {"in-flight: v_mov_b32_e32 v30, v20"}},
    {"LdsDmaReadTooEarly",
     "s_mov_b32 m0, 0\n s_nop 0\n global_load_lds_dword v1, s[2:3]\n ds_read_b32 v20, v1\n s_waitcnt vmcnt(0) "
     "lgkmcnt(0)\n v_mov_b32 v30, v20",
     {"in-flight: ds_read_b32 v20, v1"}},
    {"LdsDmaWaitedFor",
     "s_mov_b32 m0, 0\n s_nop 0\n global_load_lds_dword v1, s[2:3]\n s_waitcnt vmcnt(0)\n ds_read_b32 v20, v1\n "
     "s_waitcnt lgkmcnt(0)\n v_mov_b32 v30, v20",
     {}},
    {"LdsDmaOverAReadInFlight",
     "ds_write_b32 v1, v10\n s_waitcnt lgkmcnt(0)\n s_mov_b32 m0, 0\n ds_read_b32 v20, v1\n global_load_lds_dword v1, "
     "s[2:3]\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"write-after-read: global_load_lds_dword v1, s[2:3]"}},
    // Several on their way to one place.
    {"TwoLdsDmasOneWaitedFor",
     TWO_DMAS("0") "s_waitcnt vmcnt(1)\n ds_read_b32 v20, v1\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"in-flight: ds_read_b32 v20, v1"}},
    {"TwoLdsDmasToSomeOfTheBytes",
     TWO_DMAS("128") "s_waitcnt vmcnt(1)\n ds_read_b32 v20, v1\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"in-flight: ds_read_b32 v20, v1"}},
    {"TwoLdsDmasSideBySide",
     TWO_DMAS("256") "s_waitcnt vmcnt(1)\n ds_read_b32 v20, v1\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {}},
    {"TwoLdsDmasOverwritten",
     TWO_DMAS("0") "s_waitcnt vmcnt(1)\n ds_write_b32 v1, v10\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"in-flight: ds_write_b32 v1, v10"}},
    {"TwoLdsDmasAndALoad",
     TWO_DMAS("0") "global_load_dword v21, v1, s[2:3]\n s_waitcnt vmcnt(2)\n ds_read_b32 v20, v1\n s_waitcnt "
                   "vmcnt(0) lgkmcnt(0)",
     {"in-flight: ds_read_b32 v20, v1"}},
    {"TwoLdsDmasWaitedFor", TWO_DMAS("0") "s_waitcnt vmcnt(0)\n ds_read_b32 v20, v1\n s_waitcnt lgkmcnt(0)", {}},
    {"LoadsOfTwoKindsIntoNeighbours",
     "v_mov_b32 v9, 0\n ds_write_b32 v1, v10\n ds_read_b32 v20, v1\n global_load_dword v21, v1, s[2:3]\n "
     "global_load_dwordx2 v[20:21], v1, s[2:3]\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"in-flight: global_load_dwordx2 v[20:21], v1, s[2:3]"}},
    {"LoadsOfTwoKindsIntoLanes",
     "ds_write_b32 v1, v10\n s_mov_b64 exec, 0xff\n ds_read_b32 v20, v1\n s_mov_b64 exec, 0xff00\n "
     "global_load_dword v20, v1, s[2:3]\n s_mov_b64 exec, -1\n global_load_dword v20, v1, s[2:3]\n "
     "s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"in-flight: global_load_dword v20, v1, s[2:3]"}},
    {"LoadsOfTwoKindsReadTogether",
     "ds_write_b32 v1, v10\n ds_read_b32 v20, v1\n global_load_dword v21, v1, s[2:3]\n v_pk_add_f32 v[30:31], "
     "v[20:21], v[10:11]\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"in-flight: v_pk_add_f32 v[30:31], v[20:21], v[10:11]", "in-flight: v_pk_add_f32 v[30:31], v[20:21], v[10:11]"}},
    // A full counter says that something has returned, not that FLAT has.
    {"FlatBeforeManyLoads",
     FLAT_LOAD ".rept 70\n global_load_dword v40, v1, s[2:3]\n .endr\n v_mov_b32 v30, v20\n s_waitcnt vmcnt(0) "
               "lgkmcnt(0)",
     {"in-flight: v_mov_b32_e32 v30, v20"}},
    {"LoadBeforeManyLoads",
     "global_load_dword v20, v1, s[2:3]\n .rept 70\n global_load_dword v40, v1, s[2:3]\n .endr\n v_mov_b32 v30, "
     "v20\n s_waitcnt vmcnt(0)",
     {}},
};
INSTANTIATE_TEST_SUITE_P(InFlight, Checked, testing::ValuesIn(inFlight),
                         [](const auto &info) { return info.param.name; });

// GPR indexing by 2: it is the registers used that count, not those in the code. v20 and v30 are in the code, v22 and
// v32 used.
#define INDEXED(OPERANDS, INSTRUCTION) \
  "s_mov_b32 s20, 2\n s_set_gpr_idx_on s20, gpr_idx(" OPERANDS ")\n " INSTRUCTION "\n s_set_gpr_idx_off\n"
#define STORE(REGISTER) "global_store_dword v1, " REGISTER ", s[2:3]\n"
const Case indexed[] = {
    {"SourceOnItsWay",
     "global_load_dword v22, v1, s[2:3]\n" INDEXED("SRC0", "v_mov_b32 v30, v20") "s_waitcnt vmcnt(0)",
     {"in-flight: v_mov_b32_e32 v30, v20"}},
    {"SourceOfTheCodeOnItsWay",
     "v_mov_b32 v22, 0\n global_load_dword v20, v1, s[2:3]\n" INDEXED("SRC0",
                                                                      "v_mov_b32 v30, v20") "s_waitcnt vmcnt(0)",
     {}},
    {"ResultOverALoad",
     "global_load_dword v32, v1, s[2:3]\n" INDEXED("DST", "v_mov_b32 v30, v10") "s_waitcnt vmcnt(0)",
     {"in-flight: v_mov_b32_e32 v30, v10"}},
    {"ResultOfTheCodeOverALoad",
     "global_load_dword v30, v1, s[2:3]\n" INDEXED("DST", "v_mov_b32 v30, v10") "s_waitcnt vmcnt(0)",
     {}},
    {"OtherSourcesStay",
     "v_mov_b32 v22, 0\n global_load_dword v20, v1, s[2:3]\n" INDEXED("SRC0",
                                                                      "v_add_u32 v30, v20, v20") "s_waitcnt vmcnt(0)",
     {"in-flight: v_add_u32_e32 v30, v20, v20"}},
    {"LanesOfOthers",
     "global_load_dword v22, v1, s[2:3]\n" INDEXED(
         "SRC0", "s_nop 1\n v_mov_b32_dpp v30, v20 row_ror:1 row_mask:0xf bank_mask:0xf") "s_waitcnt vmcnt(0)",
     {"in-flight: v_mov_b32_dpp v30, v20 row_ror:1 row_mask:0xf bank_mask:0xf"}},
    {"SourceWithoutAValue",
     "v_mov_b32 v20, 0\n" INDEXED("SRC0", "v_mov_b32 v30, v20") STORE("v30"),
     {"uninitialised: global_store_dword v1, v30, s[2:3]"}},
    {"SourceOfTheCodeWithoutAValue", "v_mov_b32 v22, 0\n" INDEXED("SRC0", "v_mov_b32 v30, v20") STORE("v30"), {}},
    {"ResultGetsAValue", INDEXED("DST", "v_mov_b32 v30, v10") STORE("v32"), {}},
    {"ResultOfTheCodeGetsNone",
     INDEXED("DST", "v_mov_b32 v30, v10") STORE("v30"),
     {"uninitialised: global_store_dword v1, v30, s[2:3]"}},
    {"SumOfAnAccumulation",
     "v_mov_b32 v30, 0\n" INDEXED("DST", "v_fmac_f32 v30, v10, v10") STORE("v32"),
     {"uninitialised: global_store_dword v1, v32, s[2:3]"}},
    {"ScalarSourceOnItsWay",
     "s_load_dword s22, s[2:3], 0x0\n s_mov_b32 m0, 2\n s_nop 1\n s_movrels_b32 s30, s20\n s_waitcnt lgkmcnt(0)",
     {"in-flight: s_movrels_b32 s30, s20"}},
    {"ScalarSourceOfTheCodeOnItsWay",
     "s_load_dword s20, s[2:3], 0x0\n s_mov_b32 m0, 2\n s_nop 1\n s_movrels_b32 s30, s20\n s_waitcnt lgkmcnt(0)",
     {}},
    {"ScalarResultOverALoad",
     "s_load_dwordx2 s[32:33], s[2:3], 0x0\n s_mov_b32 m0, 2\n s_nop 1\n s_movreld_b64 s[30:31], 0\n s_waitcnt "
     "lgkmcnt(0)",
     {"in-flight: s_movreld_b64 s[30:31], 0"}},
    {"ScalarResultOfTheCodeOverALoad",
     "s_load_dwordx2 s[30:31], s[2:3], 0x0\n s_mov_b32 m0, 2\n s_nop 1\n s_movreld_b64 s[30:31], 0\n s_waitcnt "
     "lgkmcnt(0)",
     {}},
    {"ScalarSourceWithoutAValue",
     "s_mov_b32 s20, 0\n s_mov_b32 m0, 2\n s_nop 1\n s_movrels_b32 s30, s20\n v_mov_b32 v30, s30\n" STORE("v30"),
     {"uninitialised: global_store_dword v1, v30, s[2:3]"}},
    {"ScalarResultGetsAValue",
     "s_mov_b32 m0, 2\n s_nop 1\n s_movreld_b32 s30, 0\n v_mov_b32 v30, s32\n" STORE("v30"),
     {}},
    {"SkippedStoreDoesNotCount",
     "s_mov_b32 s20, 1\n global_load_dword v20, v1, s[2:3]\n s_setvskip s20, 0\n" STORE(
         "v10") "s_setvskip s20, 1\n s_waitcnt vmcnt(1)\n v_mov_b32 v30, v20",
     {"in-flight: v_mov_b32_e32 v30, v20"}},
    {"SkippedLoadIsNone",
     "v_mov_b32 v20, 0\n s_mov_b32 s20, 1\n s_setvskip s20, 0\n global_load_dword v20, v1, s[2:3]\n s_setvskip s20, "
     "1\n v_mov_b32 v30, v20",
     {}},
    {"SkippedMoveGivesNothing",
     "s_mov_b32 s20, 1\n s_setvskip s20, 0\n v_mov_b32 v30, v10\n s_setvskip s20, 1\n" STORE("v30"),
     {"uninitialised: global_store_dword v1, v30, s[2:3]"}},
};
INSTANTIATE_TEST_SUITE_P(Indexing, Checked, testing::ValuesIn(indexed),
                         [](const auto &info) { return info.param.name; });

// The rules themselves are tested in tests/hazards; here, what paths through the code lead from one instruction to
// another. On gfx90a, where nobody measured that taken jumps take the time of wait states.
#define LOOP(LAST)                                                                                                     \
  "s_mov_b32 s8, 3\n s_mov_b32 s9, 0\n.Lloop:\n v_readlane_b32 s10, v10, s9\n s_sub_u32 s8, s8, 1\n s_cmp_lg_u32 s8, " \
  "0\n"                                                                                                                \
  "v_readfirstlane_b32 s9, v1\n" LAST "s_cbranch_scc1 .Lloop\n"
const Case missingStates[] = {
    {"StatesMissing",
     "v_readfirstlane_b32 s9, v1\n s_nop 2\n v_readlane_b32 s10, v10, s9",
     {"hazard: v_readlane_b32 s10, v10, s9"}},
    {"EnoughStates", "v_readfirstlane_b32 s9, v1\n s_nop 3\n v_readlane_b32 s10, v10, s9", {}},
    {"OtherInstructionsCount",
     "v_readfirstlane_b32 s9, v1\n v_mov_b32 v20, 0\n s_nop 1\n s_waitcnt vmcnt(0)\n v_readlane_b32 s10, v10, s9",
     {}},
    {"OverTheBackEdge", LOOP(""), {"hazard: v_readlane_b32 s10, v10, s9"}, 1, "gfx90a"},
    {"OverTheBackEdgeTheBranchCounts", LOOP("s_nop 2\n"), {}, 1, "gfx90a"},
    {"OverTheBackEdgeTheJumpTakesTime", LOOP(""), {}},
    {"ThePathThatSkipsTheNop",
     "v_readfirstlane_b32 s9, v1\n s_cmp_eq_u32 s9, 0\n s_cbranch_scc1 .Lend1\n s_nop 3\n.Lend1:\n v_readlane_b32 s10, "
     "v10, s9",
     {"hazard: v_readlane_b32 s10, v10, s9"},
     1,
     "gfx90a"},
    {"OnlyPathsTaken",
     "v_readfirstlane_b32 s9, v1\n s_cmp_eq_u32 s9, 1\n s_cbranch_scc1 .Lend1\n s_nop 3\n.Lend1:\n v_readlane_b32 s10, "
     "v10, s9",
     {}},
    {"SeveralSidesOfOne",
     "v_readfirstlane_b32 s9, v1\n v_mov_b32 v20, v10\n v_readlane_b32 s10, v20, s9",
     {"hazard: v_readlane_b32 s10, v20, s9", "hazard: v_readlane_b32 s10, v20, s9"}},
    {"IntoAFunction",
     "s_getpc_b64 s[20:21]\n.Lhere:\n s_add_u32 s20, s20, .Lf-.Lhere\n  s_addc_u32 s21, s21, 0\n v_readfirstlane_b32 "
     "s9, v1\n"
     "s_swappc_b64 s[22:23], s[20:21]\n s_branch .Lend1\n.Lf:\n v_readlane_b32 s10, v10, s9\n s_setpc_b64 "
     "s[22:23]\n.Lend1:\n",
     {"hazard: v_readlane_b32 s10, v10, s9"},
     1,
     "gfx90a"},
};
INSTANTIATE_TEST_SUITE_P(Hazards, Checked, testing::ValuesIn(missingStates),
                         [](const auto &info) { return info.param.name; });

// Two waves: v2 is 0 to 127. v3 and v4 are the LDS places of the lane itself and of the same lane of the other wave.
#define PLACES "v_lshlrev_b32 v3, 2, v2\n v_xor_b32 v4, 0x100, v3\n v_mov_b32 v5, 1\n"
// s8 is the number of the wave's first lane; SCC says that it isn't 0.
#define ROLE "v_readfirstlane_b32 s8, v2\n s_nop 4\n s_cmp_lg_u32 s8, 0\n "
const Case races[] = {
    {"BarrierBetween",
     PLACES "ds_write_b32 v3, v5\n s_waitcnt lgkmcnt(0)\n s_barrier\n ds_read_b32 v20, v4\n s_waitcnt lgkmcnt(0)",
     {},
     2},
    {"NoBarrier",
     PLACES "ds_write_b32 v3, v5\n s_waitcnt lgkmcnt(0)\n ds_read_b32 v20, v4\n s_waitcnt lgkmcnt(0)",
     // Each wave reads what the other one writes: one pair of instructions, one finding.
     {"race: ds_read_b32 v20, v4"},
     2},
    {"NoWaitBeforeTheBarrier",
     PLACES "ds_write_b32 v3, v5\n s_barrier\n ds_read_b32 v20, v4\n s_waitcnt lgkmcnt(0)",
     {"race: ds_read_b32 v20, v4"},
     2},
    {"SecondWriteWithoutBarrier",
     PLACES "ds_write_b32 v3, v5\n s_waitcnt lgkmcnt(0)\n s_barrier\n ds_read_b32 v20, v4\n s_waitcnt lgkmcnt(0)\n "
            "ds_write_b32 v3, v5",
     {"race: ds_read_b32 v20, v4"},
     2},
    // Without the race the value would be there.
    {"UndefinedValueOfARace",
     PLACES "s_barrier\n v_readfirstlane_b32 s8, v2\n s_cmp_eq_u32 s8, 0\n s_cbranch_scc1 .Lreader\n ds_write_b32 v3, "
            "v5\n s_endpgm\n.Lreader:\n ds_read_b32 v20, v4\n s_waitcnt lgkmcnt(0)\n"
            "v_add_u32 v20, 1, v20\n global_store_dword v1, v20, s[2:3]",
     {"race: ds_write_b32 v3, v5"},
     2},
    {"UndefinedValueBesideARace",
     PLACES "s_barrier\n v_readfirstlane_b32 s8, v2\n s_cmp_eq_u32 s8, 0\n s_cbranch_scc1 .Lreader\n ds_write_b32 v3, "
            "v5\n s_endpgm\n.Lreader:\n ds_read_b32 v20, v4\n s_waitcnt lgkmcnt(0)\n"
            "global_store_dword v1, v90, s[2:3]",
     {"race: ds_write_b32 v3, v5", "uninitialised: global_store_dword v1, v90, s[2:3]"},
     2},
    {"BytesOfOneWord", PLACES "v_lshrrev_b32 v6, 6, v2\n ds_write_b8 v6, v5\n s_waitcnt lgkmcnt(0)", {}, 2},
    {"AtomicsAreNoRace", PLACES "v_mov_b32 v6, 0\n ds_add_u32 v6, v5\n s_waitcnt lgkmcnt(0)", {}, 2},
    {"AtomicAndPlainRead",
     PLACES "v_mov_b32 v6, 0\n ds_add_u32 v6, v5\n ds_read_b32 v20, v6\n s_waitcnt lgkmcnt(0)",
     {"race: ds_add_u32 v6, v5"},
     2},
    {"CompareAndExchangeLoop",
     PLACES "v_mov_b32 v6, 0\n ds_read_b32 v20, v6\n s_waitcnt lgkmcnt(0)\n v_add_u32 v21, 1, v20\n ds_cmpst_rtn_b32 "
            "v22, v6, v20, v21\n s_waitcnt lgkmcnt(0)",
     {},
     2},
    {"MaximumOfWhatWasLower",
     PLACES "v_mov_b32 v6, 0\n ds_read_b32 v20, v6\n s_waitcnt lgkmcnt(0)\n ds_max_u32 v6, v2\n s_waitcnt lgkmcnt(0)",
     {},
     2},
    {"ReadBeforeTheWaveItselfAdds",
     PLACES "v_mov_b32 v6, 0\n ds_read_b32 v20, v6\n s_waitcnt lgkmcnt(0)\n ds_add_u32 v6, v5\n s_waitcnt lgkmcnt(0)",
     {"race: ds_read_b32 v20, v6"},
     2},
    {"PollingWhatOthersChangeAtomically",
     PLACES "s_barrier\n v_mov_b32 v6, 0\n global_load_dword v20, v6, s[2:3]\n s_waitcnt vmcnt(0)\n global_atomic_add "
            "v6, v5, s[2:3]",
     {},
     2},
    {"AtomicsOnWhatOthersWrite",
     PLACES "s_barrier\n v_mov_b32 v6, 0\n global_store_dword v6, v5, s[2:3]\n global_atomic_add v6, v5, s[2:3]",
     {"race: global_store_dword v6, v5, s[2:3]", "race: global_atomic_add v6, v5, s[2:3]"},
     2},
    {"AtomicAfterAPlainWrite",
     PLACES ROLE "s_barrier\n v_mov_b32 v6, 0\n s_cbranch_scc1 .Lother\n global_store_dword v6, v5, s[2:3]\n "
                 "global_atomic_add v6, v5, s[2:3]\n s_endpgm\n.Lother:\n global_atomic_add v6, v11, s[2:3]",
     {"race: global_atomic_add v6, v11, s[2:3]"},
     2},
    // Bytes of one word, by three waves.
    {"BytesOfAWordInGlobalMemory",
     PLACES ROLE "s_barrier\n v_mov_b32 v6, 0\n s_cbranch_scc1 .Lother\n global_store_byte v6, v5, s[2:3]\n "
                 "s_endpgm\n.Lother:\n s_cmp_eq_u32 s8, 64\n s_cbranch_scc0 .Lthird\n global_store_byte v6, v5, "
                 "s[2:3] offset:1\n s_endpgm\n.Lthird:\n global_load_ubyte v20, v6, s[2:3]\n s_waitcnt vmcnt(0)\n "
                 "ds_write_b32 v20, v5",
     {"race: global_load_ubyte v20, v6, s[2:3]"},
     3},
    {"BytesOfAWordReadInGlobalMemory",
     PLACES ROLE "s_barrier\n v_mov_b32 v6, 0\n s_cbranch_scc1 .Lother\n global_load_ubyte v20, v6, s[2:3]\n "
                 "s_waitcnt vmcnt(0)\n s_endpgm\n.Lother:\n s_cmp_eq_u32 s8, 64\n s_cbranch_scc0 .Lthird\n "
                 "global_load_ubyte v20, v6, s[2:3] offset:1\n s_waitcnt vmcnt(0)\n s_endpgm\n.Lthird:\n "
                 "global_store_byte v6, v5, s[2:3]",
     {"race: global_store_byte v6, v5, s[2:3]"},
     3},
    {"OtherBytesOfAWordInGlobalMemory",
     PLACES ROLE "s_barrier\n v_mov_b32 v6, 0\n s_cbranch_scc1 .Lother\n global_store_byte v6, v5, s[2:3]\n "
                 "s_endpgm\n.Lother:\n global_store_byte v6, v5, s[2:3] offset:1\n global_load_ubyte v20, v6, s[2:3] "
                 "offset:1\n s_waitcnt vmcnt(0)",
     {},
     2},
    // A read before a compare-and-exchange is harmless; what else happens in the same 64 bytes isn't.
    {"RaceBesideALock",
     PLACES ROLE "v_mov_b32 v6, 0\n v_mov_b32 v7, 0\n ds_write_b64 v6, v[6:7]\n s_waitcnt lgkmcnt(0)\n s_barrier\n "
                 "ds_read_b32 v20, v6\n s_waitcnt lgkmcnt(0)\n ds_cmpst_b32 v6, v20, v5\n s_cbranch_scc1 .Lother\n "
                 "ds_read_b32 v21, v6 offset:4\n s_waitcnt lgkmcnt(0)\n s_endpgm\n.Lother:\n ds_add_u32 v6, v5 "
                 "offset:4\n s_waitcnt lgkmcnt(0)",
     {"race: ds_add_u32 v6, v5 offset:4"},
     2},
    // The places differ each time, so the accesses are too many to be kept one by one.
    {"RaceWithOneOfManyAccesses",
     PLACES ROLE "v_mov_b32 v6, 0\n ds_write_b32 v3, v5\n s_waitcnt lgkmcnt(0)\n s_barrier\n s_cbranch_scc1 "
                 ".Lother\n s_mov_b32 s9, 80000\n.Lloop:\n v_xor_b32 v6, 64, v6\n ds_read_b32 v20, v6\n s_waitcnt "
                 "lgkmcnt(0)\n s_sub_u32 s9, s9, 1\n s_cbranch_scc0 .Lloop\n s_endpgm\n.Lother:\n ds_write_b32 v6, "
                 "v5 offset:64\n s_waitcnt lgkmcnt(0)",
     {"race: ds_write_b32 v6, v5 offset:64"},
     2},
    {"FlatStoresToLdsNotWaitedFor",
     PLACES "s_mov_b64 s[20:21], src_shared_base\n v_mov_b32 v7, s21\n v_mov_b32 v6, v3\n flat_store_dword v[6:7], "
            "v5\n s_waitcnt vmcnt(0)\n s_barrier\n"
            "ds_read_b32 v20, v4\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"race: ds_read_b32 v20, v4"},
     2},
    {"FlatStoresToLds",
     PLACES "s_mov_b64 s[20:21], src_shared_base\n v_mov_b32 v7, s21\n v_mov_b32 v6, v3\n flat_store_dword v[6:7], "
            "v5\n s_waitcnt lgkmcnt(0)\n s_barrier\n"
            "ds_read_b32 v20, v4\n s_waitcnt vmcnt(0) lgkmcnt(0)",
     {},
     2},
    // Even lanes store to LDS, odd ones to memory.
    {"FlatLanesInLdsAndMemory",
     PLACES "s_mov_b64 s[20:21], src_shared_base\n s_mov_b32 s22, 0x55555555\n s_mov_b32 s23, s22\n v_mov_b32 v7, s3\n "
            "v_add_co_u32 v6, vcc, s2, v3\n"
            "v_addc_co_u32 v7, vcc, 0, v7, vcc\n v_mov_b32 v8, s21\n v_cndmask_b32 v7, v7, v8, s[22:23]\n "
            "v_cndmask_b32 v6, v6, v3, s[22:23]\n s_barrier\n flat_store_dword v[6:7], v5\n"
            "s_waitcnt vmcnt(0)\n s_barrier\n s_mov_b64 exec, s[22:23]\n ds_read_b32 v20, v4\n s_mov_b64 exec, -1\n "
            "s_waitcnt vmcnt(0) lgkmcnt(0)",
     {"race: ds_read_b32 v20, v4"},
     2},
    {"LdsDmaWaitAfterTheBarrier",
     PLACES "s_mov_b32 m0, 0\n v_readfirstlane_b32 s8, v3\n s_nop 4\n s_mov_b32 m0, s8\n s_nop 0\n "
            "global_load_lds_dword v1, s[2:3]\n s_barrier\n"
            "s_waitcnt vmcnt(0)\n ds_read_b32 v20, v4\n s_waitcnt lgkmcnt(0)",
     {"race: ds_read_b32 v20, v4"},
     2},
    {"LdsDmaWaitBeforeTheBarrier",
     PLACES "v_readfirstlane_b32 s8, v3\n s_nop 4\n s_mov_b32 m0, s8\n s_nop 0\n global_load_lds_dword v1, s[2:3]\n "
            "s_waitcnt vmcnt(0)\n s_barrier\n"
            "ds_read_b32 v20, v4\n s_waitcnt lgkmcnt(0)",
     {},
     2},
    {"GlobalMemory",
     PLACES "s_barrier\n global_store_dword v3, v5, s[2:3]\n s_waitcnt vmcnt(0)\n s_barrier\n global_load_dword v20, "
            "v4, s[2:3]\n s_waitcnt vmcnt(0)",
     {},
     2},
    {"GlobalMemoryWithoutBarrier",
     PLACES "s_barrier\n global_store_dword v3, v5, s[2:3]\n s_waitcnt vmcnt(0)\n global_load_dword v20, v4, s[2:3]\n "
            "s_waitcnt vmcnt(0)",
     {"race: global_store_dword v3, v5, s[2:3]"},
     2},
    // Values that all waves hold, stored by all of them.
    {"SameValueByTheSameInstruction",
     PLACES "v_mov_b32 v6, 0\n ds_write2_b32 v6, v5, v6 offset1:1\n s_waitcnt lgkmcnt(0)",
     {},
     3},
    {"SameValueInSomeOfTheBytes",
     PLACES "v_and_b32 v6, 0xfc, v3\n v_lshrrev_b32 v7, 6, v2\n v_lshl_add_u32 v6, v7, 5, v6\n ds_write_b32 v6, v5\n "
            "s_waitcnt lgkmcnt(0)",
     {},
     3},
    {"SameValuesSideBySide",
     PLACES "v_mov_b32 v6, 0\n ds_write_b16 v6, v5\n ds_write_b16 v6, v5 offset:4\n ds_write_b32 v6, v5 offset:8\n "
            "s_waitcnt lgkmcnt(0)",
     {},
     3},
    {"SameValuesOfTwoInstructions",
     PLACES "v_mov_b32 v6, 0\n ds_write_b32 v6, v5\n ds_write_b16 v6, v5 offset:2\n s_waitcnt lgkmcnt(0)",
     {"race: ds_write_b32 v6, v5"},
     2},
    {"OtherValueByTheSameInstruction",
     PLACES "v_mov_b32 v6, 0\n ds_write_b32 v6, v2\n s_waitcnt lgkmcnt(0)",
     {"race: ds_write_b32 v6, v2"},
     2},
    {"OtherValueInOneOfTheLanes",
     PLACES "v_and_b32 v6, 0xfc, v3\n v_max_u32 v7, 64, v2\n v_min_u32 v7, 66, v7\n s_mov_b64 exec, 3\n ds_write_b32 "
            "v6, v7\n s_waitcnt lgkmcnt(0)",
     {"race: ds_write_b32 v6, v7"},
     2},
    {"AnotherValueAfterTheSame",
     PLACES ROLE "v_mov_b32 v6, 0\n v_mov_b32 v7, v5\n s_mov_b32 s9, 0\n s_cselect_b32 s9, 1, 0\n.Lloop:\n "
                 "ds_write_b32 v6, v7\n s_waitcnt lgkmcnt(0)\n v_mov_b32 v7, 2\n s_sub_u32 s9, s9, 1\n s_cbranch_scc0 "
                 ".Lloop",
     {"race: ds_write_b32 v6, v7"},
     2},
    {"SameValueByAnotherInstruction",
     PLACES "v_mov_b32 v6, 0\n v_readfirstlane_b32 s8, v2\n s_cmp_eq_u32 s8, 0\n s_cbranch_scc1 .Lother\n ds_write_b32 "
            "v6, v5\n s_endpgm\n.Lother:\n ds_write_b32 v6, v5 offset:0",
     {"race: ds_write_b32 v6, v5"},
     2},
    {"SameValueThatAnotherWaveReads",
     PLACES "v_mov_b32 v6, 0\n v_readfirstlane_b32 s8, v2\n s_cmp_ge_u32 s8, 128\n s_cbranch_scc1 .Lother\n "
            "ds_write_b32 v6, v5\n s_endpgm\n.Lother:\n ds_read_b32 v20, v6\n s_waitcnt lgkmcnt(0)",
     {"race: ds_read_b32 v20, v6"},
     3},
    {"SameValueInGlobalMemory", PLACES "v_mov_b32 v6, 0\n s_barrier\n global_store_dword v6, v5, s[2:3]", {}, 3},
    {"OtherValueInGlobalMemory",
     PLACES "v_mov_b32 v6, 0\n s_barrier\n global_store_dword v6, v2, s[2:3]",
     {"race: global_store_dword v6, v2, s[2:3]"},
     2},
};
INSTANTIATE_TEST_SUITE_P(Races, Checked, testing::ValuesIn(races), [](const auto &info) { return info.param.name; });

/// Stores of the same value are told on request.
TEST(Races, SameValuesAreInformation) {
  Snippet snippet;
  snippet.waves = 2;
  snippet.outputs = 0;
  snippet.in = {all(0)};
  snippet.checks = "race,same-value";
  snippet.body = PLACES
      "v_mov_b32 v6, 0\n s_barrier\n ds_write_b32 v6, v5\n s_waitcnt lgkmcnt(0)\n global_store_dword v6, v5, s[2:3]";
  std::vector<std::string> found;
  for (const ReportedFinding &finding : findingsOf(snippet))
    found.push_back(check::kindName(finding.kind).str() + ": " + finding.instruction);
  EXPECT_EQ(found, (std::vector<std::string>{"same-value: ds_write_b32 v6, v5",
                                             "same-value: global_store_dword v6, v5, s[2:3]"}));
}

const Case barriers[] = {
    {"AWaveEndsBefore",
     PLACES "v_readfirstlane_b32 s8, v2\n s_cmp_eq_u32 s8, 0\n s_cbranch_scc1 .Lall\n s_endpgm\n.Lall:\n s_barrier",
     {"barrier: s_barrier"},
     2},
    {"AWaveEndsAfter",
     PLACES "v_readfirstlane_b32 s8, v2\n s_barrier\n s_cmp_eq_u32 s8, 0\n s_cbranch_scc1 .Lall\n s_endpgm\n.Lall:",
     {},
     2},
    // Waves a phase apart meet at different barriers on purpose.
    {"DifferentBarriers",
     PLACES "v_readfirstlane_b32 s8, v2\n s_cmp_eq_u32 s8, 0\n s_cbranch_scc1 .Lfirst\n s_barrier\n s_branch "
            ".Lboth\n.Lfirst:\n s_barrier\n.Lboth:",
     {},
     2},
};
INSTANTIATE_TEST_SUITE_P(Barriers, Checked, testing::ValuesIn(barriers),
                         [](const auto &info) { return info.param.name; });

TEST(Endless, SaysWhereEachWaveIs) {
  Snippet snippet;
  snippet.waves = 2;
  snippet.outputs = 0;
  snippet.body = "v_readfirstlane_b32 s8, v2\n s_cmp_eq_u32 s8, 0\n s_cbranch_scc1 .Lwait\n.Lloop:\n s_branch "
                 ".Lloop\n.Lwait:\n s_barrier";
  std::string message;
  runSnippet(snippet, &message);
  EXPECT_NE(message.find("the wave does not end: it repeats itself, and nothing changes the memory that it reads"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("wave 0 waiting for the others at"), std::string::npos) << message;
  EXPECT_NE(message.find("s_barrier"), std::string::npos) << message;
}

/// Waves that come to a barrier in every iteration have a limit, too.
TEST(Endless, LoopsWithBarriers) {
  Snippet snippet;
  snippet.waves = 2;
  snippet.outputs = 0;
  snippet.body = ".Lloop:\n s_nop 0\n s_barrier\n s_branch .Lloop";
  std::string message;
  runSnippet(snippet, &message);
  EXPECT_NE(message.find("the wave does not end: step limit reached"), std::string::npos) << message;
}

/// A wave that waits for another one's store must let it run.
TEST(Waiting, SpinningOnMemoryLetsOthersRun) {
  Snippet snippet;
  snippet.waves = 2;
  snippet.in = {all(0)};
  snippet.outputs = 0;
  snippet.body = "v_readfirstlane_b32 s8, v2\n v_mov_b32 v5, 1\n s_cmp_eq_u32 s8, 0\n s_cbranch_scc1 .Lspin\n "
                 "global_atomic_add v1, v5, s[2:3]\n s_endpgm\n"
                 ".Lspin:\n global_load_dword v20, v1, s[2:3] sc1\n s_waitcnt vmcnt(0)\n v_cmp_eq_u32 vcc, 0, v20\n "
                 "s_cbranch_vccnz .Lspin";
  runSnippet(snippet);
}

const Case memory[] = {
    {"OutsideEveryAllocation",
     "v_mov_b32 v4, 0\n v_mov_b32 v5, 16\n global_load_dword v20, v[4:5], off\n s_waitcnt vmcnt(0)",
     {"memory: global_load_dword v20, v[4:5], off"}},
    {"BeyondTheLds",
     "v_mov_b32 v4, 0x10000\n ds_read_b32 v20, v4\n s_waitcnt lgkmcnt(0)",
     {"memory: ds_read_b32 v20, v4"}},
    {"LdsDmaBeyondTheLds",
     "s_mov_b32 m0, 0xf80\n s_nop 0\n global_load_lds_dword v1, s[2:3]\n s_waitcnt vmcnt(0)",
     {"memory: global_load_lds_dword v1, s[2:3]"}},
    {"MisalignedAtomic",
     "v_mov_b32 v4, 2\n v_mov_b32 v5, 1\n global_atomic_add v4, v5, s[2:3]\n s_waitcnt vmcnt(0)",
     {"memory: global_atomic_add v4, v5, s[2:3]"}},
};
INSTANTIATE_TEST_SUITE_P(Memory, Checked, testing::ValuesIn(memory), [](const auto &info) { return info.param.name; });

/// LDS is allocated in granules; what a kernel has is what it states.
TEST(Memory, TheStatedLdsCounts) {
  for (unsigned place : {96, 100}) {
    Snippet snippet;
    snippet.checks = "memory";
    snippet.outputs = 0;
    snippet.directives = "  .amdhsa_group_segment_fixed_size 100";
    snippet.body = "v_mov_b32 v4, " + std::to_string(place) + "\n ds_write_b32 v4, v1";
    EXPECT_EQ(findingsOf(snippet).size(), place == 96 ? 0u : 1u) << place;
  }
}

// v10 and v11 are defined, v90 and above and s90 are not.
const Case uninitialised[] = {
    {"CachesAsAWhole", "buffer_wbl2 sc1\n buffer_inv sc1\n s_waitcnt vmcnt(0)", {}},
    {"StoredValue", "global_store_dword v1, v90, s[2:3]", {"uninitialised: global_store_dword v1, v90, s[2:3]"}},
    {"StoredSum",
     "v_add_u32 v20, v10, v90\n global_store_dword v1, v20, s[2:3]",
     {"uninitialised: global_store_dword v1, v20, s[2:3]"}},
    {"Address",
     "v_and_b32 v20, 0xfc, v90\n global_load_dword v21, v20, s[2:3]\n s_waitcnt vmcnt(0)",
     {"uninitialised: global_load_dword v21, v20, s[2:3]"}},
    {"ScalarAddress",
     "s_and_b32 s20, s90, 0\n s_and_b32 s21, s90, 4\n s_add_u32 s22, s2, s20\n s_load_dword s23, s[2:3], s21\n "
     "s_waitcnt lgkmcnt(0)",
     {"uninitialised: s_load_dword s23, s[2:3], s21"}},
    {"BranchOnScc", "s_cmp_eq_u32 s90, 0\n s_cbranch_scc1 .Lnext\n.Lnext:", {"uninitialised: s_cbranch_scc1 0"}},
    {"BranchOnVcc", "v_cmp_eq_u32 vcc, v90, v90\n s_cbranch_vccz .Lnext\n.Lnext:", {"uninitialised: s_cbranch_vccz 0"}},
    {"VccWithAKnownBit", "v_mov_b32 v90, v10\n v_cmp_eq_u32 vcc, v90, v10\n s_cbranch_vccz .Lnext\n.Lnext:", {}},
    {"ExecFromUndefinedLanes",
     "v_cmp_eq_u32 vcc, 0, v90\n s_and_saveexec_b64 s[20:21], vcc\n s_mov_b64 exec, s[20:21]",
     {"uninitialised: s_and_saveexec_b64 s[20:21], vcc"}},
    {"OnlyActiveLanesCount",
     "s_mov_b64 exec, 0xff\n v_mov_b32 v90, 0\n global_store_dword v1, v90, s[2:3]\n s_mov_b64 exec, -1",
     {}},
    {"AndWithZeros", "v_and_b32 v20, 0, v90\n global_store_dword v1, v20, s[2:3]", {}},
    {"HalvesOfARegister",
     "v_lshlrev_b32 v20, 16, v90\n v_and_b32 v21, 0xffff, v20\n global_store_dword v1, v21, s[2:3]",
     {}},
    {"PackedLowHalf",
     "v_pk_add_f16 v20, v90, v10 op_sel:[0,0] op_sel_hi:[1,1]\n v_mov_b32 v90, v10\n s_mov_b32 s20, 0x03020100\n "
     "v_perm_b32 v21, v20, v90, s20\n global_store_dword v1, v21, s[2:3]",
     {}},
    {"BroadcastOfTheLowRegister",
     "v_mov_b32 v90, 1.0\n v_pk_mul_f32 v[20:21], v[10:11], v[90:91] op_sel_hi:[1,0]\n global_store_dwordx2 v1, "
     "v[20:21], s[2:3]",
     {}},
    {"LowerHalfLoads",
     "global_load_short_d16 v90, v1, s[2:3]\n s_waitcnt vmcnt(0)\n global_store_short v1, v90, s[2:3]",
     {}},
    {"UpperHalfNeverLoaded",
     "global_load_short_d16 v90, v1, s[2:3]\n s_waitcnt vmcnt(0)\n global_store_dword v1, v90, s[2:3]",
     {"uninitialised: global_store_dword v1, v90, s[2:3]"}},
    {"LdsNeverWritten",
     "ds_read_b32 v20, v1 offset:1024\n s_waitcnt lgkmcnt(0)\n global_store_dword v1, v20, s[2:3]",
     {"uninitialised: global_store_dword v1, v20, s[2:3]"}},
    {"LdsWritten",
     "ds_write_b32 v1, v10\n ds_read_b32 v20, v1\n s_waitcnt lgkmcnt(0)\n global_store_dword v1, v20, s[2:3]",
     {}},
    {"OneByteOfTwoLoaded",
     "ds_write_b8 v1, v10 offset:1024\n ds_read_u16 v20, v1 offset:1024\n s_waitcnt lgkmcnt(0)\n global_store_byte v1, "
     "v20, s[2:3]",
     {}},
    {"UndefinedThroughLds",
     "ds_write_b32 v1, v90\n ds_read_b32 v20, v1\n s_waitcnt lgkmcnt(0)\n global_store_dword v1, v20, s[2:3]",
     {"uninitialised: global_store_dword v1, v20, s[2:3]"}},
    {"LdsDmaDefines",
     "s_mov_b32 m0, 0\n s_nop 0\n global_load_lds_dword v1, s[2:3]\n s_waitcnt vmcnt(0)\n ds_read_b32 v20, v1\n "
     "s_waitcnt lgkmcnt(0)\n"
     "global_store_dword v1, v20, s[2:3]",
     {}},
    {"MatrixSum",
     "v_mfma_f32_4x4x1_16b_f32 v[20:23], v10, v11, v[92:95]\n s_nop 7\n global_store_dword v1, v20, s[2:3]",
     {"uninitialised: global_store_dword v1, v20, s[2:3]"}},
    {"MatrixFactor",
     "v_mfma_f32_4x4x1_16b_f32 v[20:23], v10, v90, 0\n s_nop 7\n global_store_dword v1, v20, s[2:3]",
     {"uninitialised: global_store_dword v1, v20, s[2:3]"}},
    {"LowHalfOfAWideSum",
     "v_mov_b32 v90, v10\n v_mad_u64_u32 v[20:21], s[20:21], v10, v11, v[90:91]\n global_store_dword v1, v20, s[2:3]",
     {}},
    {"HighHalfOfAWideSum",
     "v_mov_b32 v90, v10\n v_mad_u64_u32 v[20:21], s[20:21], v10, v11, v[90:91]\n global_store_dword v1, v21, s[2:3]",
     {"uninitialised: global_store_dword v1, v21, s[2:3]"}},
    {"WideShift", "v_mov_b32 v91, v10\n v_lshrrev_b64 v[20:21], 32, v[90:91]\n global_store_dword v1, v20, s[2:3]", {}},
    {"CacheControlHasNoAddress", "buffer_inv sc1\n s_waitcnt vmcnt(0)", {}},
    {"DppSumThatWritesAllLanes",
     "s_nop 1\n v_add_u32_dpp v90, v10, v10 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1\n global_store_dword v1, "
     "v90, s[2:3]",
     {}},
    {"DppWithoutAnOldValue",
     "s_nop 1\n v_mov_b32_dpp v90, v10 row_shr:2 row_mask:0xf bank_mask:0xf bound_ctrl:0\n global_store_dword v1, v90, "
     "s[2:3]",
     {}},
    {"DppSumThatLeavesLanes",
     "s_nop 1\n v_add_u32_dpp v90, v10, v10 row_shr:1 row_mask:0x5 bank_mask:0xf bound_ctrl:0\n global_store_dword v1, "
     "v90, s[2:3]",
     {"uninitialised: global_store_dword v1, v90, s[2:3]"}},
    {"HalvesOfMixedWidths",
     "v_fma_mixlo_f16 v90, v10, v11, 0\n v_and_b32 v20, 0x7fff, v90\n v_cvt_f32_f16 v21, v90\n global_store_dwordx2 "
     "v1, v[20:21], s[2:3]",
     {}},
    {"PairOfFloat8", "v_cvt_pk_fp8_f32 v90, v10, v11\n global_store_short v1, v90, s[2:3]", {}},
    {"UpperPairOfFloat8",
     "v_cvt_pk_bf8_f32 v90, v10, v11 op_sel:[0,0,1]\n global_store_short_d16_hi v1, v90, s[2:3]",
     {}},
    {"OtherHalfOfAPairOfFloat8",
     "v_cvt_pk_fp8_f32 v90, v10, v11\n global_store_dword v1, v90, s[2:3]",
     {"uninitialised: global_store_dword v1, v90, s[2:3]"}},
    {"PairFromItsHalf",
     "v_cvt_pk_fp8_f32 v90, v10, v11\n v_cvt_pk_f32_fp8 v[20:21], v90\n v_cvt_f32_fp8 v22, v90\n global_store_dwordx3 "
     "v1, v[20:22], s[2:3]",
     {}},
    {"PairFromTheOtherHalf",
     "v_cvt_pk_fp8_f32 v90, v10, v11\n s_nop 1\n v_cvt_pk_f32_fp8_sdwa v[20:21], v90 src0_sel:WORD_1\n "
     "global_store_dwordx2 v1, v[20:21], s[2:3]",
     {"uninitialised: global_store_dwordx2 v1, v[20:21], s[2:3]"}},
    {"ScaledFromItsByte",
     "v_cvt_scalef32_pk_fp4_f32 v90, v10, v11, v10 op_sel:[0,0,1,0]\n s_nop 1\n v_cvt_scalef32_pk_f32_fp4 v[20:21], "
     "v90, v10 op_sel:[1,0,0]\n global_store_dwordx2 v1, v[20:21], s[2:3]",
     {},
     1,
     "gfx950"},
    {"ScaledFromAnotherByte",
     "v_cvt_scalef32_pk_fp4_f32 v90, v10, v11, v10 op_sel:[0,0,1,0]\n s_nop 1\n v_cvt_scalef32_pk_f32_fp4 v[20:21], "
     "v90, v10 op_sel:[0,1,0]\n global_store_dwordx2 v1, v[20:21], s[2:3]",
     {"uninitialised: global_store_dwordx2 v1, v[20:21], s[2:3]"},
     1,
     "gfx950"},
    {"RoundedByteIsOne",
     "v_cvt_sr_fp8_f32 v90, v10, v11\n global_store_byte v1, v90, s[2:3]\n global_store_short v1, v90, s[2:3]",
     {"uninitialised: global_store_short v1, v90, s[2:3]"}},
    {"SdwaPart",
     "v_lshlrev_b32 v20, 16, v90\n s_nop 1\n v_add_u32_sdwa v21, v20, v10 dst_sel:DWORD src0_sel:WORD_0 "
     "src1_sel:DWORD\n global_store_dword v1, v21, s[2:3]",
     {}},
    {"SdwaPartThatIsKept",
     "s_nop 0\n v_add_u32_sdwa v90, v10, v10 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:WORD_0 "
     "src1_sel:WORD_1\n s_nop 1\n global_store_dword v1, v90, s[2:3]",
     {"uninitialised: global_store_dword v1, v90, s[2:3]"}},
    {"SdwaSignThatIsExtended",
     "v_lshlrev_b32 v20, 7, v90\n s_nop 1\n v_add_u32_sdwa v21, v20, v10 dst_sel:BYTE_1 dst_unused:UNUSED_SEXT "
     "src0_sel:BYTE_0 src1_sel:WORD_1\n s_nop 1\n v_and_b32 v21, 0x10000, v21\n global_store_dword v1, v21, s[2:3]",
     {"uninitialised: global_store_dword v1, v21, s[2:3]"}},
    {"ShiftOf16BitsByMoreThan15",
     "v_lshlrev_b16 v20, 20, v90\n global_store_dword v1, v20, s[2:3]",
     {"uninitialised: global_store_dword v1, v20, s[2:3]"}},
    {"SignOf16Bits",
     "v_and_b32 v20, 0x8000, v90\n v_ashrrev_i16 v20, 15, v20\n v_and_b32 v20, 0x100, v20\n global_store_dword v1, "
     "v20, s[2:3]",
     {"uninitialised: global_store_dword v1, v20, s[2:3]"}},
    {"HalfThatIsKept",
     "v_mad_u16 v90, v10, v10, v11\n global_store_dword v1, v90, s[2:3]",
     {"uninitialised: global_store_dword v1, v90, s[2:3]"}},
    {"DppIntoItsSource",
     "s_nop 1\n v_mov_b32_dpp v90, v90 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:0\n s_mov_b64 exec, 4\n "
     "global_store_dword v1, v90, s[2:3]",
     {"uninitialised: global_store_dword v1, v90, s[2:3]"}},
    {"SdwaSumBelowUndefinedBits",
     "v_lshlrev_b32 v20, 24, v90\n s_nop 1\n v_add_u16_sdwa v21, v20, v10 dst_sel:DWORD src0_sel:WORD_1 "
     "src1_sel:DWORD\n global_store_byte v1, v21, s[2:3]",
     {}},
    {"NarrowSumIsNarrow",
     "v_lshlrev_b32 v20, 8, v90\n v_add_u16 v20, v20, v10\n v_and_b32 v21, 0xffff00ff, v20\n global_store_dword v1, "
     "v21, s[2:3]",
     {}},
    {"NarrowSumAboveUndefinedBits",
     "v_and_b32 v20, 0x80, v90\n v_add_u16 v21, v20, v10\n v_lshrrev_b32 v21, 15, v21\n global_store_dword v1, v21, "
     "s[2:3]",
     {"uninitialised: global_store_dword v1, v21, s[2:3]"}},
    {"SumThatIsClamped",
     "v_lshlrev_b32 v20, 8, v90\n v_add_u32 v21, v20, v10 clamp\n global_store_byte v1, v21, s[2:3]",
     {"uninitialised: global_store_byte v1, v21, s[2:3]"}},
    {"LowestOneBelowUndefinedBits",
     "v_lshlrev_b32 v20, 8, v90\n v_or_b32 v20, 0x80, v20\n v_ffbl_b32 v21, v20\n global_store_dword v1, v21, s[2:3]",
     {}},
    {"LowestOneMayBeUndefined",
     "v_lshlrev_b32 v20, 7, v90\n v_or_b32 v20, 0x100, v20\n v_ffbl_b32 v21, v20\n global_store_dword v1, v21, s[2:3]",
     {"uninitialised: global_store_dword v1, v21, s[2:3]"}},
    {"HighestOneAboveUndefinedBits",
     "v_and_b32 v20, 0xff, v90\n v_or_b32 v20, 0x100, v20\n v_ffbh_u32 v21, v20\n global_store_dword v1, v21, s[2:3]",
     {}},
    // v20 & ~v22, by its truth table.
    {"TableThatMasks",
     "v_lshlrev_b32 v20, 8, v90\n v_mov_b32 v22, 0xffffff00\n v_bitop3_b32 v21, v20, v22, v10 bitop3:0x30\n "
     "global_store_dword v1, v21, s[2:3]",
     {},
     1,
     "gfx950"},
    {"TableThatMasksTooLittle",
     "v_lshlrev_b32 v20, 7, v90\n v_mov_b32 v22, 0xffffff00\n v_bitop3_b32 v21, v20, v22, v10 bitop3:0x30\n "
     "global_store_dword v1, v21, s[2:3]",
     {"uninitialised: global_store_dword v1, v21, s[2:3]"},
     1,
     "gfx950"},
    {"SelectedSide",
     "v_cmp_eq_u32 vcc, v10, v10\n s_nop 1\n v_cndmask_b32 v20, v90, v11, vcc\n global_store_dword v1, v20, s[2:3]",
     {}},
    {"HalfOfAPackedConversion",
     "v_cvt_pkrtz_f16_f32 v20, v10, v90\n v_and_b32 v20, 0xffff, v20\n global_store_dword v1, v20, s[2:3]",
     {}},
    {"OtherHalfOfAPackedConversion",
     "v_cvt_pkrtz_f16_f32 v20, v10, v90\n global_store_dword v1, v20, s[2:3]",
     {"uninitialised: global_store_dword v1, v20, s[2:3]"}},
    {"ComparedParts",
     "v_lshlrev_b32 v20, 16, v90\n v_cmp_gt_i16_sdwa vcc, sext(v20), v20 src0_sel:BYTE_0 src1_sel:DWORD\n "
     "s_and_saveexec_b64 s[20:21], vcc\n"
     "s_mov_b64 exec, s[20:21]",
     {}},
    {"ComparedPartsOfActiveLanes",
     "s_mov_b64 exec, 0xf\n v_mov_b32 v90, 1\n v_cmp_gt_i16_sdwa s[22:23], sext(v90), v90 src0_sel:BYTE_0 "
     "src1_sel:DWORD\n"
     "s_and_saveexec_b64 s[20:21], s[22:23]\n s_mov_b64 exec, -1",
     {}},
    {"FourthOfAVectorOfThree",
     "v_mov_b32 v20, 0\n v_mov_b32 v21, 0\n v_mov_b32 v22, 0\n v_lshlrev_b32 v5, 2, v1\n v_and_b32 v5, 0xf0, v5\n"
     "global_store_dwordx4 v5, v[20:23], s[2:3]",
     {}},
};
INSTANTIATE_TEST_SUITE_P(Uninitialised, Checked, testing::ValuesIn(uninitialised),
                         [](const auto &info) { return info.param.name; });

/// A load that isn't waited for leaves the old value as long as it may.
TEST(Delivery, LatestLeavesTheOldValue) {
  Snippet snippet;
  snippet.in = {all(7)};
  snippet.checks = "in-flight";
  snippet.body = "v_mov_b32 v20, 3\n global_load_dword v20, v1, s[2:3]\n v_mov_b32 v40, v20\n s_waitcnt vmcnt(0)";
  EXPECT_EQ(runSnippet(snippet)[0], all(3));
}

/// Random moments give either value, the same for one seed.
TEST(Delivery, RandomIsSeeded) {
  Snippet snippet;
  snippet.in = {all(7)};
  snippet.checks = "in-flight";
  snippet.body = "v_mov_b32 v20, 3\n global_load_dword v20, v1, s[2:3]\n s_nop 0\n s_nop 0\n v_mov_b32 v40, v20\n "
                 "s_waitcnt vmcnt(0)";
  unsigned sevens = 0;
  for (unsigned seed = 0; seed < 32; ++seed) {
    snippet.delivery = "random:" + std::to_string(seed);
    std::vector<Register> first = runSnippet(snippet);
    EXPECT_EQ(first, runSnippet(snippet));
    sevens += first[0] == all(7);
  }
  EXPECT_GT(sevens, 0u);
  EXPECT_LT(sevens, 32u);
}

/// What may be in flight is judged by the counters, whenever the results arrive.
TEST(Delivery, FindingsDoNotDependOnIt) {
  Snippet snippet;
  snippet.checks = "all";
  snippet.waves = 2;
  snippet.outputs = 0;
  snippet.in = {all(7)};
  snippet.body = "v_readfirstlane_b32 s8, v2\n global_load_dword v20, v1, s[2:3]\n s_cmp_eq_u32 s8, 0\n s_cbranch_scc1 "
                 ".Lnowait\n s_waitcnt vmcnt(0)\n.Lnowait:\n"
                 "s_nop 0\n s_nop 0\n s_nop 0\n s_nop 0\n v_add_u32 v21, v20, v10\n s_waitcnt vmcnt(0)";
  for (unsigned seed = 0; seed < 32; ++seed) {
    snippet.delivery = "random:" + std::to_string(seed);
    std::vector<ReportedFinding> findings = findingsOf(snippet);
    ASSERT_EQ(findings.size(), 1u) << seed;
    EXPECT_EQ(findings[0].instruction, "v_add_u32_e32 v21, v20, v10");
  }
}

/// Both sides of a race are named, with their waves.
TEST(Findings, NameBothSides) {
  Snippet snippet;
  snippet.checks = "race";
  snippet.waves = 2;
  snippet.outputs = 0;
  snippet.body = PLACES "ds_write_b32 v3, v5\n s_barrier\n ds_read_b32 v20, v4\n s_waitcnt lgkmcnt(0)";
  std::vector<ReportedFinding> findings = findingsOf(snippet);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].otherInstruction, "ds_write_b32 v3, v5");
  EXPECT_EQ(findings[0].wave, 1);
  EXPECT_EQ(findings[0].otherWave, 0);
  EXPECT_EQ(findings[0].message,
            "reads LDS byte 0 while wave 0's write of it may be in flight: no wait before the barrier");
}

/// The hint is the weakest wait that would do, from what was issued since.
TEST(Findings, SayWhichWaitWouldDo) {
  Snippet snippet;
  snippet.checks = "in-flight";
  snippet.in = {all(1), all(2)};
  snippet.outputs = 0;
  auto hint = [&](const char *body) {
    snippet.body = body;
    std::vector<ReportedFinding> findings = findingsOf(snippet);
    return findings.size() == 1 ? findings[0].hint : std::to_string(findings.size()) + " findings";
  };
  EXPECT_EQ(hint("global_load_dword v20, v1, s[2:3]\n global_load_dword v21, v1, s[2:3]\n global_store_dword v1, v1, "
                 "s[2:3]\n v_mov_b32 v30, v20"),
            "s_waitcnt vmcnt(2) before it");
  EXPECT_EQ(hint("ds_read_b32 v20, v1\n ds_read_b32 v21, v1\n s_load_dword s20, s[2:3], 0x0\n v_mov_b32 v30, v20\n "
                 "s_waitcnt lgkmcnt(0)"),
            "s_waitcnt lgkmcnt(1) before it");
  EXPECT_EQ(
      hint("s_load_dword s20, s[2:3], 0x0\n s_load_dword s21, s[2:3], 0x0\n s_mov_b32 s22, s20\n s_waitcnt lgkmcnt(0)"),
      "s_waitcnt lgkmcnt(0) before it");
}

} // namespace
} // namespace inflight::machine::test
