// Loads that race with an earlier write: told where their value matters, and only there.
#include "Snippet.h"

#include "gtest/gtest.h"

namespace inflight::machine::test {
namespace {

struct Case {
  const char *name;
  std::string body;
  std::vector<std::string> expected; ///< "rule: instruction", in the order of the code
};

void PrintTo(const Case &c, std::ostream *os) { *os << c.name; }

std::vector<std::string> foundIn(const std::string &body, const char *checks) {
  Snippet snippet;
  snippet.body = body;
  snippet.waves = 2;
  snippet.checks = checks;
  snippet.in = {all(1), all(2)};
  snippet.outputs = 0;
  std::vector<std::string> found;
  for (const ReportedFinding &finding : findingsOf(snippet))
    found.push_back(check::kindName(finding.kind).str() + ": " + finding.instruction);
  return found;
}

class RacedLoads : public testing::TestWithParam<Case> {};

TEST_P(RacedLoads, AreToldWhereTheyMatter) { EXPECT_EQ(foundIn(GetParam().body, "all"), GetParam().expected); }

/// Whether undefined values are looked for makes no difference.
TEST_P(RacedLoads, AreToldWithoutOtherChecks) {
  std::vector<std::string> expected;
  for (const std::string &one : GetParam().expected)
    if (one.starts_with("race"))
      expected.push_back(one);
  EXPECT_EQ(foundIn(GetParam().body, "race"), expected);
}

// Both waves load the first row and add one; the first wave stores, the second one, which the machine runs afterwards,
// does as `then` says. `load`: into v20.
std::string second(const std::string &then,
                   const std::string &load = "global_load_dword v20, v1, s[2:3]\n s_waitcnt vmcnt(0)\n") {
  return "v_readfirstlane_b32 s8, v2\n s_nop 4\n s_cmp_lg_u32 s8, 0\n v_mov_b32 v20, 0\n s_barrier\n " + load +
         "v_add_u32 v21, 1, v20\n s_cbranch_scc1 .Lsecond\n global_store_dword v1, v21, s[2:3]\n s_endpgm\n"
         ".Lsecond:\n " +
         then;
}
const char *const store = "global_store_dword v1, v22, s[2:3] offset:256\n ";
const std::vector<std::string> isRace = {"race: global_load_dword v20, v1, s[2:3]"};
// Of the second wave's lanes the first one only.
const char *const oneLane =
    "v_lshrrev_b32 v24, 6, v2\n v_sub_u32 v24, 0, v24\n s_nop 0\n v_readfirstlane_b32 s10, v24\n s_nop 4\n "
    "s_andn2_b32 s11, -1, s10\n s_mov_b32 s9, s11\n s_or_b32 s8, s11, 1\n s_mov_b64 exec, "
    "s[8:9]\n global_load_dword v20, v1, s[2:3]\n s_mov_b64 exec, -1\n s_waitcnt vmcnt(0)\n "
    "s_cmp_lg_u32 s10, 0\n ";

const Case cases[] = {
    {"Unused", second(""), {}},
    {"Overwritten", second(std::string("v_mov_b32 v22, v21\n v_mov_b32 v22, 0\n ") + store), {}},
    {"Stored", second(std::string("v_mov_b32 v22, v21\n ") + store), isRace},
    {"Masked", second(std::string("v_and_b32 v22, 0, v21\n ") + store), {}},
    {"StoredByNoLane", second(std::string("v_mov_b32 v22, v21\n s_mov_b64 exec, 0\n ") + store), {}},
    {"Address", second("v_and_b32 v22, 0xfc, v21\n global_load_dword v23, v22, s[2:3] offset:256\n s_waitcnt vmcnt(0)"),
     isRace},
    {"Branch", second("v_cmp_eq_u32 vcc, 2, v21\n s_cbranch_vccnz .Lnext\n.Lnext:\n"), isRace},
    {"Exec", second("v_cmp_eq_u32 s[10:11], 2, v21\n s_and_saveexec_b64 s[12:13], s[10:11]"), isRace},
    {"Scalar", second("v_readfirstlane_b32 s8, v21\n s_add_u32 s8, s8, 1\n"), {}},
    {"StoredScalar",
     second(std::string("v_readfirstlane_b32 s8, v21\n s_add_u32 s8, s8, 1\n v_mov_b32 v22, s8\n ") + store), isRace},
    {"M0", second("v_readfirstlane_b32 s8, v21\n s_mov_b32 m0, s8"), isRace},
    {"M0Summed", second("v_readfirstlane_b32 s8, v21\n s_add_u32 m0, s8, 1"), isRace},
    {"Mode", second("v_readfirstlane_b32 s8, v21\n s_setreg_b32 hwreg(HW_REG_MODE, 0, 4), s8"), isRace},
    {"ImpliedCondition",
     second(std::string("v_div_scale_f32 v23, vcc, v10, v21, v10\n s_nop 4\n v_div_fmas_f32 v22, v10, v10, v10\n ") +
            store),
     isRace},
    {"Lds", second("ds_write_b32 v1, v21\n s_waitcnt lgkmcnt(0)\n ds_read_b32 v22, v1\n s_waitcnt lgkmcnt(0)\n "), {}},
    {"StoredThroughLds",
     second(std::string("ds_write_b32 v1, v21\n s_waitcnt lgkmcnt(0)\n ds_read_b32 v22, v1\n s_waitcnt lgkmcnt(0)\n ") +
            store),
     isRace},
    {"FourthOfFour",
     second("v_mov_b32 v24, 0\n v_mov_b32 v25, 0\n v_mov_b32 v26, 0\n v_mov_b32 v27, v21\n s_mov_b64 exec, 1\n "
            "global_store_dwordx4 v1, v[24:27], s[2:3] offset:256"),
     isRace},
    // What crosses lanes may bring them anywhere.
    {"OneLaneOfAFactor",
     second(std::string("v_mfma_f32_4x4x1_16b_f32 v[40:43], v20, v10, 0\n s_nop 15\n v_mov_b32 v22, v41\n ") + store,
            oneLane),
     isRace},
    {"OneLaneShuffled", second(std::string("ds_bpermute_b32 v22, v1, v20\n s_waitcnt lgkmcnt(0)\n ") + store, oneLane),
     isRace},
    {"OtherLanes", second(std::string("s_mov_b64 exec, 2\n v_mov_b32 v22, v20\n ") + store, oneLane), {}},
    {"HalfOfARegister",
     second(std::string("v_lshrrev_b32 v22, 16, v20\n ") + store,
            "global_load_short_d16 v20, v1, s[2:3]\n s_waitcnt vmcnt(0)\n"),
     {}},
    {"OtherHalfOfARegister",
     second(std::string("v_and_b32 v22, 1, v20\n ") + store,
            "global_load_short_d16 v20, v1, s[2:3]\n s_waitcnt vmcnt(0)\n"),
     {"race: global_load_short_d16 v20, v1, s[2:3]"}},
    {"IntoLds",
     second("",
            "s_lshl_b32 m0, s8, 2\n s_nop 0\n global_load_lds_dword v1, s[2:3]\n s_waitcnt vmcnt(0)\n s_cmp_lg_u32 s8, "
            "0\n"),
     {"race: global_load_lds_dword v1, s[2:3]"}},
    {"BesideAnUndefinedValue",
     second("global_store_dword v1, v90, s[2:3] offset:256"),
     {"uninitialised: global_store_dword v1, v90, s[2:3] offset:256"}},
    {"Reversed",
     "v_lshlrev_b32 v3, 2, v2\n v_xor_b32 v4, 0x100, v3\n s_barrier\n global_load_dword v20, v4, s[2:3]\n s_waitcnt "
     "vmcnt(0)\n global_store_dword v3, v20, s[2:3]",
     {"race: global_load_dword v20, v4, s[2:3]"}},
    // The wave that stores comes last here: what has become of the earlier value isn't known any more.
    {"UnusedBeforeTheStore",
     "v_readfirstlane_b32 s8, v2\n s_nop 4\n s_cmp_lg_u32 s8, 0\n s_barrier\n s_cbranch_scc1 .Lstores\n "
     "global_load_dword v20, v1, s[2:3]\n s_waitcnt vmcnt(0)\n s_endpgm\n.Lstores:\n global_store_dword v1, v10, "
     "s[2:3]",
     {"race: global_store_dword v1, v10, s[2:3]"}},
};
INSTANTIATE_TEST_SUITE_P(Global, RacedLoads, testing::ValuesIn(cases),
                         [](const auto &info) { return info.param.name; });

} // namespace
} // namespace inflight::machine::test
