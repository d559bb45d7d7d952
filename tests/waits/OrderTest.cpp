// What other waves can observe stays in order, whatever stands between the wait and what tells them
// (docs/wait-analysis.md, "What other waves can observe"). Each body is edited by --relax, --insert and --strip; the
// wait stays in force where it is expected.
#include "Assembly.h"

using namespace llvm;
using namespace inflight::waits;
using namespace inflight::waits::test;

namespace {

struct Case {
  const char *name;
  const char *body;
  const char
      *publication; ///< the instruction that other waves see; its last occurrence. The access before it is marked /*A*/
  const char *wait; ///< that has to be in force there; null: none is needed
};

/// Whether the wait stands after the access and before the publication.
bool isInForce(StringRef edited, StringRef access, StringRef publication, StringRef wait) {
  const size_t to = edited.rfind(publication), from = edited.take_front(to).rfind(access);
  if (to == StringRef::npos || from == StringRef::npos)
    return false;
  return edited.slice(from, to).contains(wait);
}

class Order : public testing::TestWithParam<Case> {};

TEST_P(Order, IsKept) {
  const Case &c = GetParam();
  const StringRef body = c.body;
  const StringRef access = body.slice(body.find("/*A*/") + 5, body.find('\n', body.find("/*A*/")));
  for (Goal goal : {Goal::Relax, Goal::Insert, Goal::Strip}) {
    const std::string edited = replanned(body, goal, 8192, "gfx942", 128);
    if (c.wait)
      EXPECT_TRUE(isInForce(edited, access, c.publication, c.wait)) << edited;
    else
      EXPECT_FALSE(isInForce(edited, access, c.publication, "vmcnt")) << edited;
  }
}

/// Another wave polls LDS: it goes on when what it reads says so.
#define POLL                                                                                                           \
  "  s_endpgm\npoll:\n  ds_read_b32 v20, v21\n  s_waitcnt lgkmcnt(0)\n  v_readfirstlane_b32 s20, v20\n  s_cmp_eq_u32 " \
  "s20, 0\n  s_cbranch_scc1 poll\n  s_endpgm\n"
/// The same of global memory.
#define POLL_GLOBAL                                                                                                  \
  "  s_endpgm\npoll:\n  global_load_dword v20, v[22:23], off sc1\n  s_waitcnt vmcnt(0)\n  v_readfirstlane_b32 s20, " \
  "v20\n  s_cmp_eq_u32 s20, 0\n"                                                                                     \
  "  s_cbranch_scc1 poll\n  s_endpgm\n"

INSTANTIATE_TEST_SUITE_P(
    Publication, Order,
    testing::Values(
        // Between the wait and the publication.
        Case{"Atomic",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  global_atomic_add v[2:3], v5, off "
             "sc1\n  s_endpgm\n",
             "global_atomic_add", "vmcnt(0)"},
        Case{"LdsReadBetween",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  ds_read_b32 v9, v6\n  s_waitcnt "
             "lgkmcnt(0)\n"
             "  global_atomic_add v[2:3], v9, off sc1\n  s_endpgm\n",
             "global_atomic_add", "vmcnt(0)"},
        Case{"LoadBetween",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  global_load_dword v9, v[6:7], off\n"
             "  global_store_dword v[2:3], v5, off sc1\n  s_endpgm\n",
             "global_store_dword v[2:3]", "vmcnt(1)"},
        Case{"ScalarLoadBetween",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  s_load_dword s4, s[2:3], 0x0\n  "
             "s_waitcnt lgkmcnt(0)\n"
             "  global_atomic_add v[2:3], v5, off sc1\n  s_endpgm\n",
             "global_atomic_add", "vmcnt(0)"},
        // The publication itself.
        Case{"PlainFlag",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  global_store_dword v[2:3], v5, off\n  "
             "s_endpgm\n",
             "global_store_dword v[2:3]", "vmcnt(0)"},
        Case{"StreamedFlag",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  global_store_dword v[2:3], v5, off "
             "nt\n  s_endpgm\n",
             "global_store_dword v[2:3]", "vmcnt(0)"},
        Case{"Message",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  ds_read_b32 v9, v6\n  s_sendmsg "
             "sendmsg(MSG_INTERRUPT)\n  s_endpgm\n",
             "s_sendmsg", "vmcnt(0)"},
        Case{"ScalarWriteBack",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  ds_read_b32 v9, v6\n  s_dcache_wb\n  "
             "s_endpgm\n",
             "s_dcache_wb", "vmcnt(0)"},
        // Barriers: another wave publishes after.
        Case{"BarrierBehindLdsRead",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  ds_read_b32 v9, v6\n  s_waitcnt "
             "lgkmcnt(0)\n  s_barrier\n"
             "  global_atomic_add v[2:3], v9, off sc1\n  s_endpgm\n",
             "s_barrier", "vmcnt(0)"},
        Case{"BarrierFarAway",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  .rept 300\n  v_add_u32_e32 v9, v9, "
             "v9\n  .endr\n  s_barrier\n"
             "  global_atomic_add v[2:3], v9, off sc1\n  s_endpgm\n",
             "s_barrier", "vmcnt(0)"},
        Case{"BarrierBehindTheReadOfWhatASignalFrees",
             "/*A*/  global_load_dword v9, v[0:1], off\n  s_waitcnt vmcnt(0)\n  s_barrier\n  global_atomic_inc v[2:3], "
             "v5, off\n  v_mov_b32_e32 v10, v9\n  s_endpgm\n",
             "s_barrier", "vmcnt(0)"},
        // Flags in LDS.
        Case{"DmaThenLdsFlag",
             "/*A*/  global_load_lds_dword v[0:1], off\n  s_waitcnt vmcnt(0)\n  ds_write_b32 v21, v5\n" POLL,
             "ds_write_b32", "vmcnt(0)"},
        Case{"DmaThenLdsAtomic",
             "/*A*/  global_load_lds_dword v[0:1], off\n  s_waitcnt vmcnt(0)\n  ds_add_u32 v21, v5\n" POLL,
             "ds_add_u32", "vmcnt(0)"},
        Case{"DmaThenLdsFlagBehindABranch",
             "/*A*/  global_load_lds_dword v[0:1], off\n  s_waitcnt vmcnt(0)\n  s_cbranch_scc0 poll\n  s_nop "
             "0\nnext:\n  ds_write_b32 v21, v5\n" POLL,
             "ds_write_b32", "vmcnt(0)"},
        Case{"StoreThenLdsFlag",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  ds_write_b32 v21, v5\n" POLL,
             "ds_write_b32", "vmcnt(0)"},
        Case{"LdsDataThenGlobalFlag",
             "/*A*/  ds_write_b32 v6, v4\n  s_waitcnt lgkmcnt(0)\n  global_store_dword v[2:3], v5, off\n" POLL_GLOBAL,
             "global_store_dword v[2:3]", "lgkmcnt(0)"},
        Case{"DmaThenGlobalFlag",
             "/*A*/  global_load_lds_dword v[0:1], off\n  s_waitcnt vmcnt(0)\n  global_store_dword v[2:3], v5, "
             "off\n" POLL_GLOBAL,
             "global_store_dword v[2:3]", "vmcnt(0)"},
        // Scalar memory.
        Case{"ScalarLoadOfWhatIsOverwritten",
             "/*A*/  s_load_dword s12, s[6:7], 0x400\n  s_waitcnt lgkmcnt(0)\n  global_store_dword v1, v2, s[8:9]\n  "
             "v_mov_b32_e32 v9, s12\n  s_endpgm\n",
             "global_store_dword", "lgkmcnt(0)"},
        Case{"ScalarCacheDroppedBeforeTheLoad",
             "/*A*/  s_dcache_inv\n  s_waitcnt lgkmcnt(0)\n  s_load_dword s12, s[6:7], 0x0\n  s_waitcnt lgkmcnt(0)\n  "
             "v_mov_b32_e32 v9, s12\n  s_endpgm\n",
             "s_load_dword", "lgkmcnt(0)"},
        // Acquire: what is read after a flag is read after it, though the flag's value is used later.
        Case{"FlagThenData",
             "/*A*/  global_load_dword v9, v[0:1], off sc1\n  s_waitcnt vmcnt(0)\n  global_load_dword v10, v[2:3], "
             "off\n  v_readfirstlane_b32 s9, v9\n"
             "  s_cmp_eq_u32 s9, 0\n  s_cbranch_scc1 none\n  s_waitcnt vmcnt(0)\n  global_store_dword v[4:5], v10, "
             "off\nnone:\n  s_endpgm\n",
             "global_load_dword v10", "vmcnt(0)"},
        Case{"LdsFlagThenGlobalData",
             "/*A*/  ds_read_b32 v9, v6\n  s_waitcnt lgkmcnt(0)\n  global_load_dword v10, v[2:3], off\n  "
             "v_readfirstlane_b32 s9, v9\n"
             "  s_cmp_eq_u32 s9, 0\n  s_cbranch_scc1 none\n  s_waitcnt vmcnt(0)\n  global_store_dword v[4:5], v10, "
             "off\nnone:\n  s_endpgm\n",
             "global_load_dword v10", "lgkmcnt(0)"},
        // Every path of the program's: only one waits.
        Case{"OnOneWay",
             "  s_cbranch_scc1 other\n/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\nother:\n  "
             "ds_read_b32 v9, v6\n"
             "  global_store_dword v[2:3], v5, off sc1\n  s_endpgm\n",
             "global_store_dword v[2:3]", "vmcnt(0)"}),
    [](const auto &info) { return std::string(info.param.name); });

// Where nobody can look the wait may go.
INSTANTIATE_TEST_SUITE_P(
    NoPublication, Order,
    testing::Values(
        // No wave looks at LDS but after a barrier.
        Case{"LdsWriteThatNobodyPolls",
             "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  ds_write_b32 v21, v5\n  s_endpgm\n",
             "ds_write_b32", nullptr},
        // Scratch is its lane's own.
        Case{"Scratch",
             "/*A*/  scratch_store_dword off, v4, s0\n  s_waitcnt vmcnt(0)\n  global_store_dword v[2:3], v5, off\n  "
             "s_endpgm\n",
             "global_store_dword", nullptr},
        // The end of the program waits for stores by itself.
        Case{"End", "/*A*/  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  s_endpgm\n", "s_endpgm",
             nullptr},
        // What has not been waited for isn't in order.
        Case{"NotWaitedFor",
             "/*A*/  global_store_dword v[0:1], v4, off\n  global_store_dword v[2:3], v5, off\n  s_endpgm\n",
             "global_store_dword v[2:3]", nullptr}),
    [](const auto &info) { return std::string(info.param.name); });

// From nothing: what a loop of another wave waits for is a flag, and what it tells about has to be there.
#define POLLED(BETWEEN)                                                                                    \
  "  v_mov_b32_e32 v21, 0x400\n  s_cbranch_scc1 poll\n  s_mov_b32 m0, 0\n  global_load_lds_dword v[0:1], " \
  "off\n" BETWEEN "  ds_write_b32 v21, v5\n" POLL
TEST(Polls, FindsTheFlag) {
  EXPECT_EQ(findings(POLLED(""), 8192, "gfx942", 128),
            std::vector<std::string>{"5: missing-wait: s_waitcnt vmcnt(0) before it"});
  EXPECT_EQ(findings(POLLED("  s_waitcnt vmcnt(0)\n"), 8192, "gfx942", 128), std::vector<std::string>{});
  const std::string inserted = replanned(POLLED(""), Goal::Insert, 8192, "gfx942", 128);
  EXPECT_TRUE(isInForce(inserted, "global_load_lds_dword", "ds_write_b32", "vmcnt(0)")) << inserted;
}

// A ring of buffers: the flag of one is set while the next one is being filled. Which loads it tells about isn't known.
TEST(Polls, WhoWaitsForSomeOfSeveralIsUndecided) {
  EXPECT_EQ(
      findings(POLLED("  global_load_lds_dword v[0:1], off offset:64\n  s_waitcnt vmcnt(1)\n"), 8192, "gfx942", 128),
      std::vector<std::string>{"7: undecided: s_waitcnt vmcnt(0) before it, or '; inflight: noalias' after the access "
                               "if the bytes are others"});
}

// Nobody waits in a loop for other bytes, and after a barrier nobody has to.
TEST(Polls, OtherBytesAndBarriers) {
  EXPECT_EQ(findings("  v_mov_b32_e32 v21, 0x400\n  v_mov_b32_e32 v22, 0x800\n  s_cbranch_scc1 poll\n  s_mov_b32 m0, "
                     "0\n  global_load_lds_dword v[0:1], off\n"
                     "  ds_write_b32 v22, v5\n" POLL,
                     8192, "gfx942", 128),
            std::vector<std::string>{});
}

// In iteration t a wave sets the flag that others wait for in iteration t + 1: nothing keeps these in the same
// iteration.
TEST(Polls, WavesInOtherIterations) {
  auto body = [](const std::string &flag) {
    return "  s_mov_b32 s8, 0\n.Louter:\n  s_and_b32 s10, s8, 0x3fc\n  v_mov_b32_e32 v22, s10\n  s_mov_b32 m0, 0\n  "
           "global_load_lds_dword v[0:1], off\n"
           "  ds_write_b32 v22, v5 offset:" +
           flag +
           "\n.Lpoll:\n  ds_read_b32 v20, v22 offset:1024\n  s_waitcnt lgkmcnt(0)\n  v_readfirstlane_b32 s20, v20\n  "
           "s_cmp_eq_u32 s20, 0\n"
           "  s_cbranch_scc1 .Lpoll\n  s_waitcnt vmcnt(0)\n  s_add_i32 s8, s8, 4\n  s_sub_i32 s9, s9, 1\n  "
           "s_cmp_lg_u32 s9, 0\n  s_cbranch_scc1 .Louter\n"
           "  s_endpgm\n";
  };
  EXPECT_EQ(findings(body("1028"), 8192, "gfx942", 128).size(), 1u);
  EXPECT_EQ(findings(body("4096"), 8192, "gfx942", 128).size(), 0u);
}

TEST(Polls, GlobalFlag) {
  const std::string inserted = replanned(
      "  s_cbranch_scc1 poll\n  global_store_dword v[0:1], v4, off\n  global_atomic_inc v[2:3], v5, off\n" POLL_GLOBAL,
      Goal::Insert);
  EXPECT_TRUE(isInForce(inserted, "global_store_dword", "global_atomic_inc", "vmcnt(0)")) << inserted;
}

/// A counted loop around `inside`.
std::string looped(const std::string &before, const std::string &inside, const std::string &after) {
  return before + "loop:\n" + inside + "  s_sub_u32 s4, s4, 1\n  s_cmp_lg_u32 s4, 0\n  s_cbranch_scc1 loop\n" + after +
         "  s_endpgm\n";
}

// The wait moves after the loop to the publication; inside nothing waits for the prefetch.
TEST(OrderInLoops, PrefetchIsWaitedForAfterTheLoop) {
  const std::string load = "  global_load_lds_dword v[0:1], off\n", wait = "  s_waitcnt vmcnt(0)\n",
                    publish = "  global_store_dword v[2:3], v5, off sc1\n";
  EXPECT_EQ(replanned(looped("", load + wait, publish), Goal::Relax), looped("", load, wait + publish));
}

// A wait before the loop isn't paid for in each of its iterations.
TEST(OrderInLoops, WaitedForBeforeTheLoop) {
  const std::string body = looped("  global_store_dword v[0:1], v4, off\n  s_waitcnt vmcnt(0)\n  v_mov_b32_e32 v5, 0\n",
                                  "  global_atomic_add v[2:3], v5, off\n", "");
  EXPECT_EQ(replanned(body, Goal::Relax), body);
}

} // namespace
