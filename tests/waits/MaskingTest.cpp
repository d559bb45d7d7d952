// A finding is no wait: what was in flight before it is in flight after it, for all other findings.
#include "Assembly.h"

#include <map>

using namespace inflight::waits;
using namespace inflight::waits::test;

namespace {

using Findings = std::vector<std::string>;

/// How many findings of each rule there are in all, those that a wait for another one mends with them.
std::map<std::string, unsigned> rulesOf(const std::string &body, unsigned lanes = 64) {
  std::map<std::string, unsigned> rules;
  std::unique_ptr<inflight::Program> program = read(kernel(body, 4096, lanes));
  const Verified verified = verify(*program);
  for (const Finding &finding : verified.findings)
    ++rules[describeFinding(*program, verified, finding).rule];
  return rules;
}

const std::string lanes = "  v_lshlrev_b32_e32 v1, 2, v0\n  s_mov_b32 m0, 0\n";
const std::string dma = "  global_load_lds_dword v1, s[4:5]\n";

TEST(Masking, DmaOverAReadAndItsRegister) {
  // LDS DMA over bytes that a read may still fetch is a warning; that its result isn't waited for is an error.
  const std::string body = lanes + "  ds_read_b32 v7, v1\n" + dma + "  v_add_u32_e32 v8, 1, v7\n  s_endpgm\n";
  EXPECT_EQ(findings(body, 4096), (Findings{"4: counts-on-dma: s_waitcnt lgkmcnt(0) before it",
                                            "5: missing-wait: s_waitcnt lgkmcnt(0) before it"}));
}

TEST(Masking, DmaOverAReadAndAnotherRegister) {
  // The older read's bytes aren't overwritten. A wait for the younger one would finish it, too; nobody waits.
  const std::string body = lanes + "  ds_read_b32 v6, v1 offset:2048\n  ds_read_b32 v7, v1\n" + dma +
                           "  v_add_u32_e32 v8, 1, v6\n  s_endpgm\n";
  EXPECT_EQ(findings(body, 4096), (Findings{"5: counts-on-dma: s_waitcnt lgkmcnt(0) before it",
                                            "6: missing-wait: s_waitcnt lgkmcnt(1) before it"}));
}

TEST(Masking, AtOneInstruction) {
  // The DMA's own address is still on its way, and what it overwrites is read: two findings of one instruction.
  const std::string body = "  s_mov_b32 m0, 0\n  v_mov_b32_e32 v2, 0\n  ds_read_b32 v1, v2 offset:2048\n"
                           "  ds_read_b32 v7, v2\n" +
                           dma + "  s_endpgm\n";
  EXPECT_EQ(rulesOf(body), (std::map<std::string, unsigned>{{"counts-on-dma", 1}, {"missing-wait", 1}}));
}

TEST(Masking, WriteBehindARead) {
  // What is written and what is read before the same DMA are two needs: the read alone is excused by memory's latency.
  const std::string body = lanes + "  ds_write_b32 v1, v0\n  ds_read_b32 v7, v1\n" + dma + "  s_endpgm\n";
  EXPECT_EQ(rulesOf(body), (std::map<std::string, unsigned>{{"counts-on-dma", 1}, {"counts-on-latency", 1}}));
}

TEST(Masking, OneMistakeIsOneFinding) {
  // The wait for the first use would finish all: what comes after it is no mistake of its own.
  const std::string body = "  ds_read_b32 v4, v0\n  ds_read_b32 v5, v0 offset:64\n  ds_read_b32 v6, v0 offset:128\n"
                           "  v_add_u32_e32 v8, v6, v6\n  v_add_u32_e32 v8, v5, v5\n  v_add_u32_e32 v8, v4, v4\n"
                           "  v_add_u32_e32 v9, v6, v6\n  s_endpgm\n";
  EXPECT_EQ(findings(body), (Findings{"4: missing-wait: s_waitcnt lgkmcnt(0) before it"}));
  EXPECT_EQ(rulesOf(body), (std::map<std::string, unsigned>{{"missing-wait", 4}}));
}

TEST(Masking, YoungerOperationsAreTheirOwnMistakes) {
  const std::string body = "  ds_read_b32 v4, v0\n  ds_read_b32 v5, v0 offset:64\n  v_add_u32_e32 v8, v4, v4\n"
                           "  v_add_u32_e32 v8, v5, v5\n  s_endpgm\n";
  EXPECT_EQ(findings(body), (Findings{"3: missing-wait: s_waitcnt lgkmcnt(1) before it",
                                      "4: missing-wait: s_waitcnt lgkmcnt(0) before it"}));
}

TEST(Masking, UndecidedDoesNotHide) {
  // Whether the read's bytes are the DMA's isn't known; that its result isn't waited for is.
  const std::string body = "  s_load_dword s9, s[2:3], 0x0\n  s_waitcnt lgkmcnt(0)\n  s_mov_b32 m0, 0\n"
                           "  v_mov_b32_e32 v2, s9\n  ds_read_b32 v7, v2\n" +
                           dma + "  v_add_u32_e32 v8, 1, v7\n  s_endpgm\n";
  EXPECT_EQ(rulesOf(body), (std::map<std::string, unsigned>{{"undecided", 1}, {"missing-wait", 1}}));
}

TEST(Masking, BehindABarrier) {
  // Another wave's DMA over what this one reads, and this one's use of it.
  const std::string body = "  v_lshlrev_b32_e32 v1, 2, v0\n  v_lshrrev_b32_e32 v3, 6, v0\n  s_nop 3\n"
                           "  v_readfirstlane_b32 s6, v3\n  s_lshl_b32 s6, s6, 8\n  s_mov_b32 m0, s6\n"
                           "  v_xor_b32_e32 v9, 0x100, v1\n  ds_read_b32 v7, v9\n  s_barrier\n" +
                           dma + "  v_add_u32_e32 v8, 1, v7\n  s_endpgm\n";
  const auto rules = rulesOf(body, 128);
  EXPECT_EQ(rules.at("counts-on-dma"), 1u);
  EXPECT_EQ(rules.at("missing-wait"), 1u);
}

} // namespace
