// Named barriers of gfx12: which waves go on after one, and to where, isn't known. What a wave has in flight to LDS
// when it signals one, others may meet anywhere.
#include "Assembly.h"

#include "gtest/gtest.h"

using namespace inflight::waits::test;

namespace {

const std::vector<std::string> nothing;
constexpr const char *rdna4 = "gfx1201", *cdna5 = "gfx1250";

/// Four waves.
std::vector<std::string> found(const std::string &body, const char *chip = cdna5, unsigned lanes = 128) {
  std::vector<std::string> short_;
  for (const std::string &finding : findings(body, 4096, chip, lanes))
    short_.push_back(finding.substr(0, finding.find(" before it")));
  return short_;
}
std::string inserted(const std::string &body, const char *chip = cdna5) {
  return replanned(body, inflight::waits::Goal::Insert, 4096, chip, 128);
}
std::string relaxed(const std::string &body, const char *chip = cdna5) {
  return replanned(body, inflight::waits::Goal::Relax, 4096, chip, 128);
}

const std::string store = "  v_lshlrev_b32_e32 v1, 2, v0\n  ds_store_b32 v1, v0\n", wait = "  s_wait_dscnt 0x0\n",
                  load = "  s_barrier_wait 1\n  ds_load_b32 v4, v2\n  s_wait_dscnt 0x0\n  v_mov_b32_e32 v5, v4\n",
                  end = "  s_endpgm\n";

TEST(NamedBarriers, WhatIsInFlightAtASignalOthersMayMeetAnywhere) {
  const std::string m0 = "  s_mov_b32 m0, 0x40001\n";
  for (const char *chip : {rdna4, cdna5})
    for (const std::string signal : {"  s_barrier_signal 1\n", "  s_barrier_signal_isfirst 1\n",
                                     "  s_barrier_signal m0\n", "  s_barrier_leave\n"}) {
      const std::string after = signal + load + end;
      EXPECT_EQ(found(m0 + store + wait + after, chip), nothing) << signal;
      const std::vector<std::string> some = found(m0 + store + after, chip);
      ASSERT_EQ(some.size(), 1u) << signal;
      EXPECT_NE(some[0].find("undecided: s_wait_dscnt 0x0"), std::string::npos) << some[0];
      EXPECT_EQ(inserted(m0 + store + after, chip), m0 + store + wait + after);
      EXPECT_EQ(relaxed(m0 + store + wait + after, chip), m0 + store + wait + after);
    }
}

// The access stands before the signal in the code: another wave that has joined may come to it all the same.
TEST(NamedBarriers, EarlierCodeIsMetAsWell) {
  const std::string loop = "l:\n  ds_load_b32 v4, v2\n  s_wait_dscnt 0x0\n" + store;
  const std::string back = "  s_barrier_signal 1\n  s_barrier_wait 1\n  s_cbranch_scc0 l\n";
  EXPECT_EQ(found(loop + back + end).size(), 1u);
  EXPECT_EQ(found(loop + wait + back + end), nothing);
}

TEST(NamedBarriers, LoadsAloneMeetNothing) {
  EXPECT_EQ(found("  ds_load_b32 v4, v2\n  s_barrier_signal 1\n  s_barrier_wait 1\n  s_wait_dscnt 0x0\n"
                  "  v_mov_b32_e32 v5, v4\n" +
                  end),
            nothing);
  // Another wave may write what it still reads.
  EXPECT_EQ(found("  ds_load_b32 v4, v2\n  s_barrier_signal 1\n  s_barrier_wait 1\n  s_wait_dscnt 0x0\n"
                  "  v_mov_b32_e32 v5, v4\n" +
                  store + end)
                .size(),
            1u);
}

TEST(NamedBarriers, OneWaveMeetsNobody) {
  EXPECT_EQ(found(store + "  s_barrier_signal 1\n" + load + end, cdna5, 32), nothing);
}

TEST(NamedBarriers, OtherBytesAreApart) {
  // This wave writes the first 512 bytes, and the only other access is beyond them.
  const std::string others = "  s_barrier_wait 1\n  v_add_nc_u32_e32 v3, 0x400, v1\n  ds_load_b32 v4, v3\n"
                             "  s_wait_dscnt 0x0\n  v_mov_b32_e32 v5, v4\n";
  EXPECT_EQ(found(store + "  s_barrier_signal 1\n" + others + end).size(), 0u);
}

// A wait at a named barrier isn't one at the workgroup's, and its signal isn't the next barrier that others come to:
// what is in flight at the workgroup's is met behind it.
TEST(NamedBarriers, TheWorkgroupsBarrierIsNotAnotherOnesNext) {
  const std::string all = "  s_barrier_signal -1\n  s_barrier_wait -1\n";
  const std::vector<std::string> some = found(store + all + wait + "  s_barrier_signal 1\n" + load + end);
  ASSERT_EQ(some.size(), 1u);
  EXPECT_NE(some[0].find("s_wait_dscnt 0x0"), std::string::npos) << some[0];
  EXPECT_EQ(some[0].substr(0, 2), "3:") << some[0];
}

TEST(NamedBarriers, CopiesToLdsAreDoneBeforeThem) {
  const std::string copy = "  global_load_async_to_lds_b32 v1, v[2:3], off\n", done = "  s_wait_asynccnt 0x0\n";
  EXPECT_EQ(found(copy + done + "  s_barrier_signal 1\n" + load + end), nothing);
  EXPECT_EQ(inserted(copy + "  s_barrier_signal 1\n" + load + end),
            copy + done + "  s_barrier_signal 1\n" + load + end);
}

} // namespace
