// Races in kernels whose waves wait for each other by flags and atomics, in LDS and in global memory.
#include "Snippet.h"

#include "gtest/gtest.h"

namespace inflight::machine::test {
namespace {

struct Case {
  const char *name;
  const char *producer, *consumer;   ///< what wave 0 and wave 1 execute
  std::vector<std::string> expected; ///< "rule: instruction"
};

void PrintTo(const Case &c, std::ostream *os) { *os << c.name; }

class Ordered : public testing::TestWithParam<Case> {};

// v3 and v4 are the LDS places of the lane itself and of the same lane of the other wave, v8 that of a flag that is
// zero, v5 one. v1 is an offset in the buffer s[2:3], 256 bytes further there is a flag, too. v6 is zero.
constexpr const char *prologue = "v_lshlrev_b32 v3, 2, v2\n v_xor_b32 v4, 0x100, v3\n v_mov_b32 v5, 1\n v_mov_b32 v6, "
                                 "0\n v_mov_b32 v7, 0x100\n v_mov_b32 v8, 0x400\n v_mov_b32 v40, 7\n"
                                 "ds_write_b32 v8, v6\n s_waitcnt lgkmcnt(0)\n s_barrier\n v_readfirstlane_b32 s8, "
                                 "v2\n s_cmp_lg_u32 s8, 0\n s_cbranch_scc1 .Lconsumer\n";

TEST_P(Ordered, FindsWhatIsNotOrdered) {
  const Case &c = GetParam();
  for (const char *delivery : {"latest", "random:3"}) {
    Snippet snippet;
    snippet.body = std::string(prologue) + c.producer + "\n s_endpgm\n.Lconsumer:\n" + c.consumer +
                   "\n s_waitcnt vmcnt(0) lgkmcnt(0)";
    snippet.waves = 2;
    snippet.checks = "all";
    snippet.delivery = delivery;
    snippet.in = {all(0), all(0)};
    snippet.outputs = 0;
    std::vector<std::string> found;
    for (const ReportedFinding &finding : findingsOf(snippet))
      found.push_back(check::kindName(finding.kind).str() + ": " + finding.instruction);
    EXPECT_EQ(found, c.expected) << delivery;
  }
}

#define WAIT_LDS "s_waitcnt lgkmcnt(0)\n"
#define WAIT_MEMORY "s_waitcnt vmcnt(0)\n"
#define WRITE_DATA "ds_write_b32 v3, v40\n"
#define SET_FLAG "ds_write_b32 v8, v5\n"
#define SET_FAR_FLAG "global_store_dword v7, v5, s[2:3] sc1\n"
#define DMA "s_mov_b32 m0, 0\n s_nop 0\n global_load_lds_dword v1, s[2:3]\n"
#define POLL(LABEL, VALUE)                                                                                     \
  LABEL ":\n ds_read_b32 v9, v8\n s_waitcnt lgkmcnt(0)\n v_readfirstlane_b32 s9, v9\n s_cmp_lg_u32 s9, " VALUE \
        "\n s_cbranch_scc1 " LABEL "\n"
#define POLL_BY_LANES                                                                                        \
  ".Lspin:\n ds_read_b32 v9, v8\n s_waitcnt lgkmcnt(0)\n v_cmp_ne_u32 vcc, 0, v9\n s_or_b64 s[20:21], vcc, " \
  "s[20:21]\n s_andn2_b64 exec, exec, s[20:21]\n"                                                            \
  "s_cbranch_execnz .Lspin\n s_mov_b64 exec, -1\n"
#define POLL_FAR                                                                                                     \
  ".Lspin:\n global_load_dword v9, v7, s[2:3] sc1\n s_waitcnt vmcnt(0)\n v_cmp_eq_u32 vcc, 0, v9\n s_cbranch_vccnz " \
  ".Lspin\n"
#define POLL_BY_SCALARS                                                                                    \
  ".Lspin:\n s_dcache_inv\n s_load_dword s9, s[2:3], 0x100\n s_waitcnt lgkmcnt(0)\n s_cmp_eq_u32 s9, 0\n " \
  "s_cbranch_scc1 .Lspin\n"
#define READ_DATA "ds_read_b32 v20, v4\n"
// Of global memory a load is a race if something depends on it.
#define READ_FAR_DATA                                                                                      \
  "v_xor_b32 v10, 0, v1\n global_load_dword v20, v10, s[2:3]\n s_waitcnt vmcnt(0)\n v_cmp_eq_u32 vcc, 7, " \
  "v20\n s_cbranch_vccnz 0\n"

const Case flags[] = {
    {"FlagBehindTheData", WRITE_DATA SET_FLAG, POLL(".Lspin", "1") READ_DATA, {}},
    {"FlagPolledByLanes", WRITE_DATA SET_FLAG, "s_mov_b64 s[20:21], 0\n" POLL_BY_LANES READ_DATA, {}},
    {"FlagBeforeTheData", SET_FLAG WRITE_DATA, POLL(".Lspin", "1") READ_DATA, {"race: ds_read_b32 v20, v4"}},
    {"FlagReadOnceIsData",
     WRITE_DATA SET_FLAG,
     "ds_read_b32 v9, v8\n" WAIT_LDS
     "v_readfirstlane_b32 s9, v9\n s_cmp_eq_u32 s9, 0\n s_cbranch_scc1 .Lnothing\n" READ_DATA ".Lnothing:",
     {"race: ds_read_b32 v9, v8", "race: ds_read_b32 v20, v4"}},
    {"DataReadBeforeTheFlag",
     WRITE_DATA SET_FLAG,
     READ_DATA WAIT_LDS POLL(".Lspin", "1"),
     {"race: ds_read_b32 v20, v4"}},
    {"CounterBehindTheData", WRITE_DATA "s_mov_b64 exec, 1\n ds_add_u32 v8, v5\n", POLL(".Lspin", "1") READ_DATA, {}},
    {"CounterBeforeTheData",
     "s_mov_b64 exec, 1\n ds_add_u32 v8, v5\n s_mov_b64 exec, -1\n" WRITE_DATA,
     POLL(".Lspin", "1") READ_DATA,
     {"race: ds_read_b32 v20, v4"}},
    {"LdsDmaWaitedFor", DMA WAIT_MEMORY SET_FLAG, POLL(".Lspin", "1") READ_DATA, {}},
    {"LdsDmaNotWaitedFor", DMA SET_FLAG, POLL(".Lspin", "1") READ_DATA, {"race: ds_read_b32 v20, v4"}},
    {"FlagInMemoryForLds", WRITE_DATA WAIT_LDS SET_FAR_FLAG, POLL_FAR READ_DATA, {}},
    {"FlagInMemoryForLdsNotWaitedFor", WRITE_DATA SET_FAR_FLAG, POLL_FAR READ_DATA, {"race: ds_read_b32 v20, v4"}},
    {"FlagInLdsForMemory",
     "global_store_dword v1, v40, s[2:3]\n" WAIT_MEMORY SET_FLAG,
     POLL(".Lspin", "1") READ_FAR_DATA,
     {}},
    // The compute unit's accesses to memory are in order.
    {"FlagInLdsForMemoryNotWaitedFor",
     "global_store_dword v1, v40, s[2:3]\n" SET_FLAG,
     POLL(".Lspin", "1") READ_FAR_DATA,
     {}},
    {"FlagInLdsBeforeTheMemory",
     SET_FLAG "global_store_dword v1, v40, s[2:3]\n",
     POLL(".Lspin", "1") READ_FAR_DATA,
     {"race: global_load_dword v20, v10, s[2:3]"}},
    {"FlagInMemoryForMemory", "global_store_dword v1, v40, s[2:3]\n" SET_FAR_FLAG, POLL_FAR READ_FAR_DATA, {}},
    {"FlagInMemoryBeforeTheData",
     SET_FAR_FLAG "global_store_dword v1, v40, s[2:3]\n",
     POLL_FAR READ_FAR_DATA,
     {"race: global_load_dword v20, v10, s[2:3]"}},
    {"FlagPolledByScalarLoads", "global_store_dword v1, v40, s[2:3]\n" SET_FAR_FLAG, POLL_BY_SCALARS READ_FAR_DATA, {}},
    {"FlagPolledByScalarLoadsForLds", WRITE_DATA WAIT_LDS SET_FAR_FLAG, POLL_BY_SCALARS READ_DATA, {}},
    {"FlagPolledByScalarLoadsForLdsNotWaitedFor",
     WRITE_DATA SET_FAR_FLAG,
     POLL_BY_SCALARS READ_DATA,
     {"race: ds_read_b32 v20, v4"}},
    {"FlagPolledByScalarLoadsBeforeTheData",
     SET_FAR_FLAG "global_store_dword v1, v40, s[2:3]\n",
     POLL_BY_SCALARS READ_FAR_DATA,
     {"race: global_load_dword v20, v10, s[2:3]"}},
    // The value decides nothing: a sum that several waves add to orders nobody.
    {"AtomicWithoutABranch",
     WRITE_DATA "ds_add_u32 v8, v5\n",
     "ds_add_rtn_u32 v9, v8, v5\n" WAIT_LDS READ_DATA,
     {"race: ds_read_b32 v20, v4"}},
    {"LastToArriveReads",
     WRITE_DATA "s_mov_b64 exec, 1\n ds_add_u32 v8, v5\n",
     "s_mov_b64 exec, 1\n ds_add_rtn_u32 v9, v8, v5\n" WAIT_LDS
     "s_mov_b64 exec, -1\n v_readfirstlane_b32 s9, v9\n s_cmp_eq_u32 s9, 0\n s_cbranch_scc1 .Lfirst\n" READ_DATA
     ".Lfirst:",
     {}},
};
INSTANTIATE_TEST_SUITE_P(Flags, Ordered, testing::ValuesIn(flags), [](const auto &info) { return info.param.name; });

// A slot that the producer fills and the consumer empties, three times. The consumer's flag says that it has read.
#define FILL(LABEL, FREE, FULL) \
  POLL(LABEL, FREE) "ds_write_b32 v3, v40\n v_mov_b32 v11, " FULL "\n ds_write_b32 v8, v11\n"
#define EMPTY(LABEL, FULL, FREE) \
  POLL(LABEL, FULL) "ds_read_b32 v20, v4\n v_mov_b32 v11, " FREE "\n ds_write_b32 v8, v11\n" WAIT_LDS
#define EMPTY_TOO_EARLY(LABEL, FULL, FREE) \
  POLL(LABEL, FULL) "v_mov_b32 v11, " FREE "\n ds_write_b32 v8, v11\n ds_read_b32 v20, v4\n" WAIT_LDS
// Taken by compare and exchange, given back by a plain write.
#define LOCK(LABEL)                                                                                                   \
  "s_mov_b64 exec, 1\n" LABEL ":\n ds_cmpst_rtn_b32 v9, v8, v6, v5\n s_waitcnt lgkmcnt(0)\n v_readfirstlane_b32 s9, " \
  "v9\n s_cmp_lg_u32 s9, 0\n s_cbranch_scc1 " LABEL "\n"
#define UNLOCK "ds_write_b32 v8, v6\n"
#define ADD "v_mov_b32 v12, 0x500\n ds_read_b32 v20, v12\n s_waitcnt lgkmcnt(0)\n v_add_u32 v20, 1, v20\n"

const Case loops[] = {
    {"Ring",
     FILL(".La", "0", "1") FILL(".Lb", "2", "3") FILL(".Lc", "4", "5"),
     EMPTY(".Ld", "1", "2") EMPTY(".Le", "3", "4") EMPTY(".Lf", "5", "6"),
     {}},
    {"RingGivenBackTooEarly",
     FILL(".La", "0", "1") FILL(".Lb", "2", "3") FILL(".Lc", "4", "5"),
     EMPTY(".Ld", "1", "2") EMPTY_TOO_EARLY(".Le", "3", "4") EMPTY(".Lf", "5", "6"),
     {"race: ds_write_b32 v3, v40"}},
};
INSTANTIATE_TEST_SUITE_P(Loops, Ordered, testing::ValuesIn(loops), [](const auto &info) { return info.param.name; });

// Waves 0 and 1 do the same, only wave 1 tells of it, and wave 2 waits for that.
struct OneOfTwo {
  const char *name, *first, *last;
  const char *expected;
};
void PrintTo(const OneOfTwo &c, std::ostream *os) { *os << c.name; }

class OrderedByOneOfTwo : public testing::TestWithParam<OneOfTwo> {};

TEST_P(OrderedByOneOfTwo, FindsTheOther) {
  const OneOfTwo &c = GetParam();
  for (bool both : {false, true}) {
    Snippet snippet;
    snippet.body = std::string(prologue) + (both ? "" : "s_endpgm\n") + ".Lfirst:\n" + c.first +
                   "s_cmp_eq_u32 s8, 0\n s_cbranch_scc1 .Ltold\n" SET_FLAG WAIT_LDS
                   ".Ltold:\n s_endpgm\n.Lconsumer:\n s_cmp_eq_u32 s8, 64\n s_cbranch_scc1 .Lfirst\n" +
                   POLL(".Lspin", "1") + c.last + WAIT_LDS WAIT_MEMORY;
    snippet.waves = 3;
    snippet.checks = "race";
    snippet.in = {all(0), all(0)};
    snippet.outputs = 0;
    std::vector<std::string> found;
    for (const ReportedFinding &finding : findingsOf(snippet))
      found.push_back(finding.instruction);
    EXPECT_EQ(found, both ? std::vector<std::string>{c.expected} : std::vector<std::string>());
  }
}

const OneOfTwo onesOfTwo[] = {
    {"ReadsOfMemory", "global_load_dword v20, v1, s[2:3]\n" WAIT_MEMORY, "global_store_dword v1, v40, s[2:3]\n",
     "global_store_dword v1, v40, s[2:3]"},
    {"AtomicsInMemory", "global_atomic_add v1, v5, s[2:3]\n" WAIT_MEMORY, "global_store_dword v1, v40, s[2:3]\n",
     "global_store_dword v1, v40, s[2:3]"},
    {"SameValuesInLds", "v_mov_b32 v12, 0x500\n ds_write_b32 v12, v5\n" WAIT_LDS,
     "v_mov_b32 v12, 0x500\n ds_write_b32 v12, v40\n", "ds_write_b32 v12, v40"},
    {"ReadsOfLds", "v_mov_b32 v12, 0x500\n ds_read_b32 v20, v12\n" WAIT_LDS,
     "v_mov_b32 v12, 0x500\n ds_write_b32 v12, v40\n", "ds_write_b32 v12, v40"},
};
INSTANTIATE_TEST_SUITE_P(OnesOfTwo, OrderedByOneOfTwo, testing::ValuesIn(onesOfTwo),
                         [](const auto &info) { return info.param.name; });

/// Only order is asked for: what the lock protects has no first value.
TEST(Ordering, LocksOrderWhatTheyProtect) {
  for (bool early : {false, true}) {
    Snippet snippet;
    const std::string write = "ds_write_b32 v12, v20\n", giveBack = UNLOCK;
    const std::string rest = std::string(ADD) + (early ? giveBack + write : write + giveBack);
    snippet.body =
        std::string(prologue) + LOCK(".La") + rest + "\n s_endpgm\n.Lconsumer:\n" + LOCK(".Lb") + rest + WAIT_LDS;
    snippet.waves = 2;
    snippet.checks = "race";
    snippet.in = {all(0)};
    snippet.outputs = 0;
    EXPECT_EQ(findingsOf(snippet).empty(), !early);
  }
}

} // namespace
} // namespace inflight::machine::test
