// Searches that end before everything was looked at: what they would have ruled out is undecided then, and nothing that
// is missing becomes clean.
#include "Assembly.h"

#include "waits/graph/BuildGraph.h"

using namespace inflight;
using namespace inflight::waits;
using namespace inflight::waits::test;

namespace {

/// "LINE: RULE", with " (paths)" where the message says that there are too many; lines counted in the body from 1.
std::vector<std::string> findingsWithin(const Limits &limits, llvm::StringRef body, unsigned ldsBytes = 0,
                                        unsigned lanes = 64) {
  std::vector<std::string> result;
  std::unique_ptr<Program> program = read(kernel(body, ldsBytes, lanes));
  if (!program)
    return result;
  const unsigned before = program->location(0).line - 1;
  const Verified verified = verify(*program, std::make_shared<Graph>(describe(*program, limits)));
  for (uint32_t i : verified.mistakes()) {
    const ReportItem item = describeFinding(*program, verified, verified.findings[i]);
    const bool saysSo = llvm::StringRef(item.message).contains("there are too many paths");
    result.push_back(std::to_string(item.place.source.line - before) + ": " + item.rule + (saysSo ? " (paths)" : ""));
  }
  return result;
}

const std::vector<std::string> nothing;
const std::string wait = "  s_waitcnt lgkmcnt(0)\n";

// Loaded on one path, used on the other.
const std::string load =
    "  s_cmp_lt_i32 s5, 3\n  s_cbranch_scc0 .Lnone\n  global_load_dword v4, v[0:1], off\n.Lnone:\n";
const std::string use = "  s_cmp_lt_i32 s5, 3\n  s_cbranch_scc1 .Lloaded\n  v_mov_b32_e32 v6, v4\n  s_endpgm\n"
                        ".Lloaded:\n  s_waitcnt vmcnt(0)\n  v_mov_b32_e32 v6, v4\n  s_endpgm\n";
const std::string impossible = load + use, missing = load + "  s_add_i32 s5, s5, 1\n" + use;

TEST(SearchLimits, OfAllPaths) {
  Limits limits;
  EXPECT_EQ(findingsWithin(limits, impossible), nothing);
  EXPECT_EQ(findingsWithin(limits, missing), std::vector<std::string>{"8: missing-wait"});
  for (int64_t *limit : {&limits.onAllPaths, &limits.onPathsOfOne}) {
    limits = {};
    *limit = 0;
    EXPECT_EQ(findingsWithin(limits, impossible), std::vector<std::string>{"7: undecided (paths)"});
    EXPECT_EQ(findingsWithin(limits, missing), std::vector<std::string>{"8: undecided (paths)"});
  }
}

// Where the shortest path isn't found the search over all of them still is, until that ends as well.
TEST(SearchLimits, OfShortestPaths) {
  Limits limits;
  limits.onShortestPaths = 0;
  EXPECT_EQ(findingsWithin(limits, impossible), nothing);
  EXPECT_EQ(findingsWithin(limits, missing), std::vector<std::string>{"8: missing-wait"});
  limits.onAllPaths = 0;
  EXPECT_EQ(findingsWithin(limits, impossible), std::vector<std::string>{"7: undecided (paths)"});
  EXPECT_EQ(findingsWithin(limits, missing), std::vector<std::string>{"8: undecided (paths)"});
}

// The second kind of finding of a program whose first one has taken all that there is: a limit is the program's.
TEST(SearchLimits, AreAWholeProgramsTogether) {
  std::string many;
  for (unsigned i = 0; i < 8; ++i) {
    const std::string n = std::to_string(i);
    many += "  s_cmp_lt_i32 s" + n + ", 3\n  s_cbranch_scc0 .Lnone" + n +
            "\n  global_load_dword v4, v[0:1], off\n.Lnone" + n + ":\n  s_cmp_lt_i32 s" + n +
            ", 3\n  s_cbranch_scc1 .Lloaded" + n + "\n  v_mov_b32_e32 v6, v4\n.Lloaded" + n +
            ":\n  s_waitcnt vmcnt(0)\n";
  }
  many += "  s_endpgm\n";
  Limits limits;
  EXPECT_EQ(findingsWithin(limits, many), nothing);
  limits.onAllPaths = 1000;
  const size_t undecided = findingsWithin(limits, many).size();
  EXPECT_GT(undecided, 0u);
  EXPECT_LT(undecided, 8u);
}

// What a loop of another wave waits for in LDS, and what a DMA brings there.
std::string flagAt(const std::string &flag, const std::string &between) {
  return "  v_mov_b32_e32 v21, 0x400\n  v_mov_b32_e32 v22, " + flag +
         "\n  s_cbranch_scc1 poll\n  s_mov_b32 m0, 0\n  global_load_lds_dword v[0:1], off\n" + between +
         "  ds_write_b32 v22, v5\n  s_endpgm\npoll:\n  ds_read_b32 v20, v21\n  s_waitcnt lgkmcnt(0)\n"
         "  v_readfirstlane_b32 s20, v20\n  s_cmp_eq_u32 s20, 0\n  s_cbranch_scc1 poll\n  s_endpgm\n";
}

TEST(SearchLimits, OfPolledBytes) {
  Limits limits;
  EXPECT_EQ(findingsWithin(limits, flagAt("0x400", ""), 8192, 128), std::vector<std::string>{"6: missing-wait"});
  EXPECT_EQ(findingsWithin(limits, flagAt("0x800", ""), 8192, 128), nothing);
  limits.pollQuestions = 0;
  EXPECT_EQ(findingsWithin(limits, flagAt("0x400", ""), 8192, 128), std::vector<std::string>{"6: undecided"});
  EXPECT_EQ(findingsWithin(limits, flagAt("0x800", ""), 8192, 128), std::vector<std::string>{"6: undecided"});
  EXPECT_EQ(findingsWithin(limits, flagAt("0x400", "  s_waitcnt vmcnt(0)\n"), 8192, 128), nothing);
}

/// Wave 0 reads at the time that wave 1 is between A and B; what it wrote before A is done there, if `beforeA` waits.
std::string aBarrierApart(const std::string &beforeA, const std::string &read = "v_add_u32_e32 v2, 0x400, v1") {
  return "  v_lshlrev_b32_e32 v1, 2, v0\n  " + read +
         "\n  v_readfirstlane_b32 s6, v0\n"
         "  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc1 .Lfirst\n  s_barrier\n.Lfirst:\n  ds_write_b32 v1, v0\n" +
         beforeA +
         "  s_barrier\n  s_nop 0\n  s_barrier\n  ds_read_b32 v4, v2\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32_e32 v5, v4\n"
         "  s_cmp_lt_u32 s6, 64\n  s_cbranch_scc0 .Llast\n  s_barrier\n.Llast:\n  s_endpgm\n";
}

// Then a write to bytes that aren't known, or one access of each kind, stands for all: what is found is still found.
TEST(SearchLimits, OfWhatComesBehindBarriers) {
  Limits limits;
  EXPECT_EQ(findingsWithin(limits, aBarrierApart(""), 2048, 128), nothing);
  const std::string same = "v_xor_b32_e32 v2, 0x100, v1";
  const std::vector<std::string> found = findingsWithin(limits, aBarrierApart("", same), 2048, 128);
  EXPECT_FALSE(found.empty());
  limits.blocksBehindBarriers = 0;
  EXPECT_EQ(findingsWithin(limits, aBarrierApart("", same), 2048, 128), found);
  EXPECT_EQ(findingsWithin(limits, aBarrierApart(wait, same), 2048, 128), nothing);
}

/// Two states, and a register that says which one was left: the constants that meet in s6 tell which paths there are.
std::string twoStates(const std::string &first, const std::string &second) {
  return "  s_cmp_eq_u32 s5, 0\n  s_cbranch_scc1 .Lsecond\n.Lfirst:\n  global_load_dword v4, v[0:1], off\n  s_mov_b32 "
         "s6, " +
         first + "\n  s_branch .Lboth\n.Lsecond:\n  s_waitcnt vmcnt(0)\n  s_mov_b32 s6, " + second +
         "\n.Lboth:\n  s_sub_u32 s7, s7, 1\n  s_cmp_eq_u32 s7, 0\n  s_cbranch_scc1 .Lout\n  s_cmp_eq_u32 s6, 1\n"
         "  s_cbranch_scc1 .Lfirst\n  v_mov_b32_e32 v6, v4\n  s_cmp_eq_u32 s6, 0\n  s_cbranch_scc1 .Lsecond\n.Lout:\n";
}
/// Calls of two functions, and these. They compute something else, in loops whose values are forgotten once each is
/// done.
const std::string others = [] {
  std::string calls, functions;
  for (const std::string n : {"a", "b"}) {
    calls += "  s_getpc_b64 s[20:21]\n  s_add_u32 s20, s20, f" + n + "@rel32@lo+4\n  s_addc_u32 s21, s21, f" + n +
             "@rel32@hi+12\n  s_swappc_b64 s[30:31], s[20:21]\n";
    functions += ".type f" + n + ",@function\nf" + n + ":\n  s_mov_b32 s9, s20\n.L" + n +
                 ":\n  s_add_u32 s9, s9, s21\n  s_xor_b32 s11, s9, s22\n  s_cmp_lt_u32 s9, s11\n  s_cbranch_scc1 .L" +
                 n + "\n  s_cmp_eq_u32 s11, 1\n  s_cbranch_scc1 .Lo" + n + "\n  s_mov_b32 s9, 0\n.Lo" + n +
                 ":\n  s_cmp_eq_u32 s9, s11\n  s_setpc_b64 s[30:31]\n";
  }
  return "  s_waitcnt vmcnt(0)\n" + calls + "  s_endpgm\n" + functions;
}();

// What no expression's number says any more is forgotten after each function; what constants meet in a register isn't.
TEST(ForgottenExpressions, ConstantsThatMeetStay) {
  Limits limits;
  for (size_t expressions : {size_t(0), limits.expressions}) {
    limits.expressions = expressions;
    EXPECT_EQ(findingsWithin(limits, twoStates("1", "0") + others), nothing) << expressions;
    EXPECT_EQ(findingsWithin(limits, twoStates("0", "1") + others), std::vector<std::string>{"16: missing-wait"})
        << expressions;
    EXPECT_EQ(findingsWithin(limits, twoStates("2", "0") + others), std::vector<std::string>{"16: missing-wait"})
        << expressions;
  }
}

} // namespace
