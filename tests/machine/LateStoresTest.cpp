// Stores that other workgroups see as late as they may: what orders data and the flag that tells of it.
#include "Snippet.h"

#include "machine/check/inflight/LateStores.h"
#include "gtest/gtest.h"

using namespace llvm;

namespace inflight::machine::test {
namespace {

struct Publication {
  const char *name;
  const char *before; ///< between the data's store and the wait
  const char *after;  ///< between the wait and the end of the producer: tells of the data
};
void PrintTo(const Publication &p, std::ostream *os) { *os << p.name; }

struct Outcome {
  uint32_t seen = 0; ///< what the consumer has read
  std::vector<std::string> findings;
};

// The buffer at s[2:3]: data, 256 bytes further the flag, 512 bytes further what the consumer saw. v1 is 0, v2 one, v3
// seven.
Outcome runPublication(const Publication &publication, bool waits, const char *delivery, bool lateStores,
                       const char *chip = "gfx942") {
  const std::string body =
      std::string("s_load_dwordx2 s[4:5], s[0:1], 0x0\n s_mov_b32 s8, s2\n v_mov_b32 v4, v0\n s_waitcnt lgkmcnt(0)\n "
                  "s_mov_b64 s[2:3], s[4:5]\n v_mov_b32 v1, 0\n"
                  "v_mov_b32 v2, 1\n v_mov_b32 v3, 7\n v_mov_b32 v9, 0x100\n v_readfirstlane_b32 s9, v4\n s_mov_b64 "
                  "exec, 1\n ds_write_b32 v1, v1\n s_cmp_lg_u32 s8, 0\n s_cbranch_scc1 .Lconsumer\n"
                  "global_store_dword v1, v3, s[2:3]\n ") +
      publication.before + "\n" + (waits ? "s_waitcnt vmcnt(0)\n" : "") + publication.after +
      "\n s_endpgm\n"
      ".Lconsumer:\n s_cmp_lg_u32 s9, 0\n s_cbranch_scc1 .Ldone\n.Lspin:\n global_load_dword v5, v9, s[2:3] " +
      (StringRef(chip) == "gfx90a" ? "glc" : "sc1") +
      "\n s_waitcnt vmcnt(0)\n v_cmp_eq_u32 vcc, 0, v5\n s_cbranch_vccnz .Lspin\n"
      "global_load_dword v6, v1, s[2:3]\n s_waitcnt vmcnt(0)\n global_store_dword v1, v6, s[2:3] offset:512\n.Ldone:";
  Expected<CodeObject> object = assembleKernel(chip, body,
                                               "  .amdhsa_next_free_vgpr 32\n  .amdhsa_accum_offset 32\n  "
                                               ".amdhsa_user_sgpr_count 2\n  .amdhsa_system_sgpr_workgroup_id_x 1\n");
  Outcome outcome;
  if (!object) {
    ADD_FAILURE() << toString(object.takeError());
    return outcome;
  }
  Memory memory;
  const uint64_t buffer = cantFail(memory.allocate(1024));
  std::memset(memory.pointer(buffer), 0, 1024);
  LaunchConfig config;
  config.grid = {2, 1, 1};
  config.block = {64, 1, 1};
  config.threads = 2;
  config.maxInstructions = 1 << 20;
  config.checks = cantFail(check::parseOptions("race,in-flight", delivery));
  config.checks.lateStores = lateStores;
  Expected<RunStats> stats =
      run(*object, object->kernels()[0], config, ArrayRef(reinterpret_cast<const uint8_t *>(&buffer), 8), memory);
  if (!stats) {
    ADD_FAILURE() << toString(stats.takeError());
    return outcome;
  }
  for (const ReportedFinding &finding : stats->findings)
    outcome.findings.push_back(check::kindName(finding.kind).str() + ": " + finding.instruction);
  std::memcpy(&outcome.seen, memory.pointer(buffer) + 512, 4);
  return outcome;
}

class LateStores : public testing::TestWithParam<Publication> {};

TEST_P(LateStores, TellWhetherThePublicationWaits) {
  const Outcome waited = runPublication(GetParam(), true, "latest", true);
  EXPECT_EQ(waited.seen, 7u);
  EXPECT_EQ(waited.findings, std::vector<std::string>());
  const Outcome late = runPublication(GetParam(), false, "latest", true);
  EXPECT_EQ(late.seen, 0u);
  EXPECT_EQ(late.findings, std::vector<std::string>{"race: global_load_dword v6, v1, s[2:3]"});
  // Stores that are visible at once hide it.
  EXPECT_EQ(runPublication(GetParam(), false, "latest", false).seen, 7u);
}

#define FLAG "global_store_dword v9, v2, s[2:3]"
const Publication publications[] = {
    {"PlainFlag", "", FLAG},
    {"FlagWithScope", "", FLAG " sc0 sc1"},
    {"Atomic", "", "global_atomic_add v9, v2, s[2:3] sc1"},
    {"LdsBetween", "", "ds_read_b32 v10, v1\n s_waitcnt lgkmcnt(0)\n global_atomic_add v9, v2, s[2:3] sc1"},
    {"LdsBefore", "ds_read_b32 v10, v1\n s_waitcnt lgkmcnt(0)", FLAG},
    {"ScalarLoadBetween", "", "s_load_dword s20, s[2:3], 0x300\n s_waitcnt lgkmcnt(0)\n" FLAG},
    {"OtherStoreBetween", "", "global_store_dword v1, v2, s[2:3] offset:768\n" FLAG},
    {"BarrierBetween", "", "s_barrier\n" FLAG " sc1"},

    {"BarrierAndLdsBetween", "",
     "ds_read_b32 v10, v1\n s_waitcnt lgkmcnt(0)\n s_barrier\n global_atomic_add v9, v2, s[2:3] sc1"},
};
INSTANTIATE_TEST_SUITE_P(Publications, LateStores, testing::ValuesIn(publications),
                         [](const auto &info) { return info.param.name; });

/// A wave's own accesses, and those of its workgroup, are in order with its stores.
TEST(LateStoresOfOthers, OwnStoresAreSeen) {
  Snippet snippet;
  snippet.waves = 2;
  snippet.in = {all(3)};
  snippet.checks = "in-flight";
  snippet.lateStores = true;
  snippet.body = "v_mov_b32 v20, 5\n global_store_dword v1, v20, s[2:3]\n v_mov_b32 v21, 1\n global_atomic_add v1, "
                 "v21, s[2:3]\n global_load_dword v40, v1, s[2:3]\n s_waitcnt vmcnt(0)";
  const Register seen = runSnippet(snippet)[0];
  EXPECT_TRUE(seen == all(6) || seen == all(7));
}

/// Random moments show a flag before its data for some seeds, and after it for others.
TEST(LateStoresOfOthers, RandomMoments) {
  unsigned wrong = 0, right = 0;
  for (unsigned seed = 0; seed < 24; ++seed) {
    const Outcome outcome = runPublication(publications[0], false, ("random:" + std::to_string(seed)).c_str(), true);
    wrong += outcome.seen == 0;
    right += outcome.seen == 7;
  }
  EXPECT_GT(wrong, 0u);
  EXPECT_EQ(wrong + right, 24u);
}

// The stores of one owner to the same bytes keep their order, also where they lie in two lines of a cache.
TEST(LateStoresOfOthers, StoresAcrossLinesKeepTheirOrder) {
  alignas(64) uint8_t memory[128] = {};
  check::LateStores late;
  auto store = [&](unsigned at, unsigned count, uint8_t value) {
    auto added = std::make_unique<check::LateStores::Store>();
    added->owner = 1;
    added->bytes.push_back({reinterpret_cast<uint64_t>(memory) + at, uint8_t(count), {}});
    std::fill_n(added->bytes[0].values, count, value);
    return late.add(std::move(added));
  };
  const uint64_t older = store(64, 4, 1), newer = store(56, 16, 2);
  late.deliverNumber(newer);
  EXPECT_EQ(memory[64], 2);
  EXPECT_TRUE(late.empty());
  // What has been delivered is not another one, whose memory it may be.
  const uint64_t another = store(0, 4, 3);
  late.deliverNumber(older);
  EXPECT_EQ(memory[0], 0);
  late.deliverNumber(another);
  EXPECT_EQ(memory[0], 3);
}

} // namespace
} // namespace inflight::machine::test
