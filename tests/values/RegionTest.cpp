// Which bytes instructions touch, and which accesses are noalias.
#include "Listing.h"

#include <gtest/gtest.h>

namespace inflight::values {
namespace {

constexpr Overlap No = Overlap::No, Unknown = Overlap::Unknown, Yes = Overlap::Yes;

TEST(Constants, DmaWritesSixtyFourLanesFromM0) {
  Listing k = Listing::ofKernel(R"(
    s_mov_b32 m0, 0x400
    buffer_load_dword v1, s[4:7], 0 offen offset:16 lds
    v_mov_b32 v2, 0x500
    ds_read_b32 v3, v2
    ds_read_b32 v4, v2 offset:16
    ds_read2st64_b32 v[4:5], v2 offset0:2 offset1:3
  )");
  EXPECT_EQ(k.bytes("buffer_load"), "bytes 1040..1295");
  EXPECT_EQ(k.bytes("ds_read_b32 v3"), "bytes 1280..1283");
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v3"), Yes);
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v4"), No);
  EXPECT_EQ(k.bytes("ds_read2st64"), "bytes 1792..1795 and bytes 2048..2051");
}

TEST(Constants, DmaOfThreeDwordsLeavesHoles) {
  Listing k = Listing::ofKernel(
      "s_mov_b32 m0, 0\nbuffer_load_dwordx3 v1, s[4:7], 0 offen lds\nglobal_load_lds_dwordx4 v[2:3], off offset:-16",
      256, "gfx950");
  EXPECT_EQ(k.bytes("buffer_load"), "bytes 0..1019");
  EXPECT_EQ(k.bytes("global_load"), "bytes 4294967280..4294968303");
}

TEST(Lanes, AffineInTheLane) {
  Listing k = Listing::ofKernel(R"(
    v_lshlrev_b32 v1, 2, v0
    s_mov_b32 m0, 0x400
    buffer_load_dword v1, s[4:7], 0 offen lds
    ds_read_b32 v3, v1
    ds_read_b32 v4, v1 offset:1024
    ds_read_b32 v5, v1 offset:1280
  )");
  EXPECT_EQ(k.bytes("ds_read_b32 v3"), "4 of bytes 0..1023 (from wave*256 + lane*4)");
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v3"), No);
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v4"), Yes);
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v5"), No);
}

// What is computed for its own sake isn't looked at; what decides lanes or branches is.
TEST(Lanes, ARegisterHoldsDataBetweenTwoAddresses) {
  Listing k = Listing::ofKernel(R"(
    v_lshlrev_b32 v1, 2, v0
    ds_read_b32 v3, v1
    v_add_u32 v1, v3, v3
    v_mul_lo_u32 v1, v1, v3
    global_store_dword v[6:7], v1, off
    v_lshlrev_b32 v1, 2, v0
    ds_read_b32 v4, v1 offset:1024
  )");
  EXPECT_EQ(k.bytes("ds_read_b32 v3"), "4 of bytes 0..1023 (from wave*256 + lane*4)");
  EXPECT_EQ(k.overlap("ds_read_b32 v3", "ds_read_b32 v4"), No);
}

TEST(Lanes, DataDecidesInWhichLanesAnAddressIsWritten) {
  Listing k = Listing::ofKernel(R"(
    v_lshlrev_b32 v1, 2, v0
    ds_read_b32 v3, v1
    v_add_u32 v5, v3, v3
    v_cmp_gt_u32 vcc, v5, v3
    s_and_saveexec_b64 s[2:3], vcc
    v_mov_b32 v1, 0x800
    s_mov_b64 exec, s[2:3]
    ds_read_b32 v4, v1
  )");
  EXPECT_NE(k.bytes("ds_read_b32 v4"), "bytes 2048..2051");
}

TEST(Lanes, XorSwizzleStaysInItsTile) {
  Listing k = Listing::ofKernel(R"(
    v_and_b32 v1, 7, v0
    v_lshrrev_b32 v2, 3, v0
    v_and_b32 v3, 7, v2
    v_xor_b32 v3, v1, v3
    v_lshlrev_b32 v3, 4, v3
    v_lshl_or_b32 v3, v2, 7, v3
    s_movk_i32 m0, 0x1000
    buffer_load_dword v1, s[4:7], 0 offen lds
    ds_read_b128 v[4:7], v3
    ds_read_b128 v[8:11], v3 offset:4352
    v_xor_b32 v3, 64, v3
    ds_read_b128 v[12:15], v3
  )");
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b128 v[4:7]"), No);
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b128 v[8:11]"), No);
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b128 v[12:15]"), No);
}

// Two addresses for all lanes, 0x980 and 0x1590, which as bounds would take in what lies between.
TEST(Lanes, XorsOfOneLaneBit) {
  Listing k = Listing::ofKernel(R"(
    v_and_b32 v1, 1, v0
    v_xor_b32 v2, 0x159, v1
    v_lshlrev_b32 v3, 6, v1
    v_xor_b32 v2, v2, v3
    v_lshlrev_b32 v3, 7, v1
    v_xor_b32 v2, v2, v3
    v_lshlrev_b32 v3, 8, v1
    v_xor_b32 v2, v2, v3
    v_lshlrev_b32 v2, 4, v2
    ds_read_b32 v4, v2
    s_movk_i32 m0, 0x1000
    buffer_load_dword v1, s[4:7], 0 offen lds
    s_movk_i32 m0, 0x1500
    buffer_load_dword v5, s[4:7], 0 offen lds
    s_and_b32 s8, s8, 1
    s_lshl_b32 s8, s8, 13
    v_add_u32 v6, s8, v2
    ds_read_b32 v7, v6
    s_movk_i32 m0, 0x1600
    buffer_load_dword v8, s[4:7], 0 offen lds
  )");
  EXPECT_EQ(k.overlap("buffer_load_dword v1", "ds_read_b32 v4"), No);
  EXPECT_EQ(k.overlap("buffer_load_dword v5", "ds_read_b32 v4"), Yes);
  EXPECT_EQ(k.overlap("buffer_load_dword v5", "ds_read_b32 v4", Between::OtherWave), Yes);
  EXPECT_EQ(k.overlap("buffer_load_dword v5", "ds_read_b32 v7"), Unknown);
  EXPECT_EQ(k.overlap("buffer_load_dword v8", "ds_read_b32 v7"), No);
}

TEST(Waves, OthersHaveOtherParts) {
  Listing k = Listing::ofKernel(R"(
    v_readfirstlane_b32 s8, v0
    s_lshl_b32 s8, s8, 2
    s_mov_b32 m0, s8
    buffer_load_dword v1, s[4:7], 0 offen lds
    v_mbcnt_lo_u32_b32 v1, -1, 0
    v_mbcnt_hi_u32_b32 v1, -1, v1
    v_lshl_add_u32 v2, v1, 2, s8
    ds_read_b32 v3, v2
    v_lshlrev_b32 v1, 4, v0
    ds_read_b32 v4, v1
  )");
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v3"), Yes);
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v3", Between::OtherWave), No);
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v4", Between::OtherWave), Yes);
}

TEST(Waves, EachWaveHasItsPart) {
  Listing k = Listing::ofKernel(R"(
    v_readfirstlane_b32 s8, v0
    s_lshl_b32 s8, s8, 2
    s_and_b32 s8, s8, 0xffffff00
    s_mov_b32 m0, s8
    buffer_load_dword v1, s[4:7], 0 offen lds
    s_add_i32 m0, s8, 0x400
    buffer_load_dword v2, s[4:7], 0 offen lds
    v_lshlrev_b32 v1, 2, v0
    ds_read_b32 v3, v1
    v_xor_b32 v1, 0x100, v1
    ds_read_b32 v4, v1
  )");
  EXPECT_EQ(k.overlap("buffer_load_dword v1", "ds_read_b32 v3"), Yes);
  EXPECT_EQ(k.overlap("buffer_load_dword v2", "ds_read_b32 v3"), No);
  EXPECT_EQ(k.overlap("buffer_load_dword v1", "ds_read_b32 v3", Between::OtherWave), No);
  EXPECT_NE(k.overlap("buffer_load_dword v1", "ds_read_b32 v4", Between::OtherWave), No); // the neighbour's
  EXPECT_EQ(k.overlap("buffer_load_dword v1", "buffer_load_dword v2", Between::OtherWave), No);
}

/// DMA and ds_read of an iteration are apart, and the DMA is met by the read `iterations` iterations later, not before.
void expectRing(const Listing &k, unsigned phases, unsigned iterations, const char *dma = "buffer_load",
                const char *read = "ds_read") {
  EXPECT_EQ(k.phases(dma), phases);
  for (Listing::Place from : k.find(dma))
    for (Listing::Place to : k.find(read))
      for (unsigned t = 0; t <= iterations; ++t)
        if (t < iterations)
          EXPECT_EQ(k.later(from, to, t), No)
              << "iterations " << t << ": " << k.map->describe(k.at(from)) << " / " << k.map->describe(k.at(to));
  bool meets = false;
  for (Listing::Place from : k.find(dma))
    for (Listing::Place to : k.find(read))
      meets |= k.later(from, to, iterations) == Yes;
  EXPECT_TRUE(meets);
}

TEST(Phases, DoubleBufferByTheLowestBit) {
  Listing k = Listing::ofKernel(loop("", R"(
    s_and_b32 s6, s5, 1
    s_lshl_b32 s6, s6, 12
    s_xor_b32 m0, s6, 0x1000
    buffer_load_dword v1, s[4:7], 0 offen lds
    v_add_u32 v2, s6, v1
    ds_read_b32 v3, v2
  )"));
  expectRing(k, 2, 1);
}

TEST(Phases, DoubleBufferFromAnUnknownStart) {
  Listing k = Listing::ofKernel("s_load_dword s8, s[0:1], 0x14\ns_waitcnt lgkmcnt(0)\n" + loop("", R"(
    s_add_i32 s7, s5, s8
    s_and_b32 s6, s7, 1
    s_lshl_b32 s6, s6, 12
    s_xor_b32 m0, s6, 0x1000
    buffer_load_dword v1, s[12:15], 0 offen lds
    v_add_u32 v2, s6, v1
    ds_read_b32 v3, v2
  )"));
  expectRing(k, k.phases("buffer_load"), 1);
}

TEST(Phases, RingOfThreeByCompareAndSelect) {
  Listing k = Listing::ofKernel(loop("s_mov_b32 s6, 0\ns_mov_b32 s7, 2\n", R"(
    s_lshl_b32 m0, s7, 12
    buffer_load_dword v1, s[12:15], 0 offen lds
    s_lshl_b32 s9, s6, 12
    v_add_u32 v2, s9, v1
    ds_read_b32 v3, v2
    s_add_i32 s9, s6, 1
    s_cmp_lg_u32 s6, 2
    s_cselect_b32 s6, s9, 0
    s_add_i32 s9, s7, 1
    s_cmp_lg_u32 s7, 2
    s_cselect_b32 s7, s9, 0
  )"));
  expectRing(k, 3, 2);
}

TEST(Phases, RingOfThreeByBranch) {
  Listing k = Listing::ofKernel(loop("s_mov_b32 s6, 0\n", R"(
    s_add_i32 s7, s6, 2
    s_cmp_lt_u32 s7, 3
    s_cbranch_scc1 write
    s_sub_i32 s7, s7, 3
  write:
    s_lshl_b32 m0, s7, 12
    buffer_load_dword v1, s[12:15], 0 offen lds
    s_lshl_b32 s9, s6, 12
    v_add_u32 v2, s9, v1
    ds_read_b32 v3, v2
    s_add_i32 s6, s6, 1
    s_cmp_lg_u32 s6, 3
    s_cbranch_scc1 next
    s_mov_b32 s6, 0
  next:
  )"));
  expectRing(k, 3, 2);
}

TEST(Phases, RingOfThreeByRemainder) {
  // k % 3 as compilers write it: k - 3 * (k * 0xaaaaaaab >> 33).
  Listing k = Listing::ofKernel(loop("s_mov_b32 s8, 2\n", R"(
    s_mul_hi_u32 s6, s8, 0xaaaaaaab
    s_lshr_b32 s6, s6, 1
    s_mul_i32 s6, s6, 3
    s_sub_i32 s6, s8, s6
    s_lshl_b32 m0, s6, 12
    buffer_load_dword v1, s[12:15], 0 offen lds
    s_mul_hi_u32 s6, s5, 0xaaaaaaab
    s_lshr_b32 s6, s6, 1
    s_mul_i32 s6, s6, 3
    s_sub_i32 s6, s5, s6
    s_lshl_b32 s6, s6, 12
    v_add_u32 v2, s6, v1
    ds_read_b32 v3, v2
    s_add_i32 s8, s8, 1
  )"));
  expectRing(k, 3, 2);
}

TEST(Phases, ToggledBit) {
  Listing k = Listing::ofKernel(loop("s_mov_b32 s6, 0\n", R"(
    s_xor_b32 m0, s6, 0x1000
    buffer_load_dword v1, s[12:15], 0 offen lds
    v_add_u32 v2, s6, v1
    ds_read_b32 v3, v2
    s_xor_b32 s6, s6, 0x1000
  )"));
  expectRing(k, 2, 1);
}

TEST(Phases, SwappedRegisters) {
  Listing k = Listing::ofKernel(loop("s_mov_b32 s6, 0\ns_mov_b32 s7, 0x1000\n", R"(
    s_mov_b32 m0, s7
    buffer_load_dword v1, s[12:15], 0 offen lds
    v_add_u32 v2, s6, v1
    ds_read_b32 v3, v2
    s_mov_b32 s8, s6
    s_mov_b32 s6, s7
    s_mov_b32 s7, s8
  )"));
  expectRing(k, 2, 1);
}

TEST(Phases, AddressMaskedOutOfACounterOfBytes) {
  // A ring of two by bit 11 of a counter that grows by 0x800 (document 001, as clang compiles it).
  Listing k = Listing::ofKernel(
      "s_load_dword s10, s[0:1], 0x10\nv_lshlrev_b32 v2, 2, v0\ns_movk_i32 s3, 0x800\ns_waitcnt lgkmcnt(0)\nloop:\n"
      R"(
    s_and_b32 s4, s3, 0x800
    s_lshl_b32 s4, s4, 2
    s_mov_b32 m0, s4
    buffer_load_dword v2, s[12:15], 0 offen lds
    s_add_i32 m0, s4, 0x1c00
    global_load_lds_dword v[4:5], off
    s_add_i32 s5, s3, 0xfffff800
    s_and_b32 s5, s5, 0x800
    s_lshl_b32 s5, s5, 2
    v_add_u32 v3, s5, v2
    ds_read_b32 v6, v3
    ds_read_b32 v7, v3 offset:7168
    s_addk_i32 s3, 0x800
    s_sub_i32 s10, s10, 1
    s_cmp_lg_u32 s10, 0
    s_cbranch_scc1 loop)");
  expectRing(k, 2, 1, "buffer_load", "ds_read_b32 v6");
  expectRing(k, 2, 1, "global_load_lds", "ds_read_b32 v7");
}

TEST(Loops, AddressesThatGrowAreAnIterationOlder) {
  // Each iteration reads what the iteration before asked for.
  Listing k = Listing::ofKernel(loop("", R"(
    s_lshl_b32 s6, s5, 10
    s_mov_b32 m0, s6
    buffer_load_dword v1, s[12:15], 0 offen lds
    s_sub_i32 s7, s6, 0x400
    v_add_u32 v2, s7, v1
    ds_read_b32 v3, v2
  )"));
  Listing::Place dma = k.find("buffer_load")[0], read = k.find("ds_read")[0];
  EXPECT_EQ(k.later(dma, read, 0), No);
  EXPECT_NE(k.later(dma, read, 1), No);
  EXPECT_EQ(k.later(dma, read, 2), No);
  EXPECT_EQ(k.later(dma, read, 9), Unknown); // so many iterations aren't counted
}

TEST(Loops, WhatIsNotProvedIsUnknown) {
  // The address looks like one that is toggled every iteration, but lanes that aren't active keep theirs.
  Listing k = Listing::ofKernel(loop("s_mov_b32 s6, 0\nv_mov_b32 v2, 0x100\n", R"(
    s_mov_b32 m0, s6
    buffer_load_dword v1, s[12:15], 0 offen lds
    ds_read_b32 v3, v2
    v_cmp_gt_u32 vcc, s5, v0
    s_and_saveexec_b64 s[8:9], vcc
    v_xor_b32 v2, 0x100, v2
    s_or_b64 exec, exec, s[8:9]
    s_xor_b32 s6, s6, 0x100
  )"));
  auto dmas = k.find("buffer_load"), reads = k.find("ds_read");
  for (unsigned phase = 0; phase < dmas.size(); ++phase)
    EXPECT_EQ(k.map->overlap(k.at(dmas[phase]), k.at(reads[phase])), Unknown);
}

TEST(Paths, AConditionComesBackAsAMaskOfLanes) {
  // How LLVM leaves an if: what was chosen is told again by VCC.
  Listing k = Listing::ofKernel(R"(
    s_load_dword s8, s[0:1], 0x10
    s_waitcnt lgkmcnt(0)
    s_cmp_lt_i32 s8, 4
    s_mov_b64 s[4:5], -1
    s_cbranch_scc1 join
    s_movk_i32 s6, 0x1000
    s_mov_b64 s[4:5], 0
  join:
    s_andn2_b64 vcc, exec, s[4:5]
    s_cbranch_vccnz out
    s_movk_i32 s6, 0x2000
  out:
    s_mov_b32 m0, s6
    buffer_load_dword v1, s[12:15], 0 offen lds
    v_lshlrev_b32 v2, 2, v0
    ds_read_b32 v3, v2
  )");
  EXPECT_EQ(k.overlap("buffer_load", "ds_read"), No);
}

TEST(Loops, IrreducibleOnesAreUnknown) {
  Listing k = Listing::ofKernel(R"(
    s_load_dwordx2 s[8:9], s[0:1], 0x10
    s_mov_b32 s6, 0
    s_waitcnt lgkmcnt(0)
    s_cmp_eq_u32 s8, 0
    s_cbranch_scc1 second
  first:
    s_mov_b32 m0, s6
    buffer_load_dword v1, s[12:15], 0 offen lds
  second:
    s_add_i32 s7, s6, 0x1000
    v_mov_b32 v2, s7
    ds_read_b32 v3, v2
    s_add_i32 s6, s6, 0x400
    s_sub_i32 s9, s9, 1
    s_cmp_lg_u32 s9, 0
    s_cbranch_scc1 first
  )");
  EXPECT_EQ(k.later(k.find("buffer_load")[0], k.find("ds_read")[0], 1), Unknown);
}

/// A loop whose first iteration begins in its middle for some arguments: a persistent kernel that has nothing to store
/// yet.
std::string enteredInTheMiddle(const std::string &before, const std::string &otherwise, const std::string &inside) {
  return "s_load_dwordx2 s[8:9], s[0:1], 0x10\nv_lshlrev_b32 v1, 2, v0\n" + before +
         "s_waitcnt lgkmcnt(0)\ns_cmp_eq_u32 s8, 0\ns_cbranch_scc1 middle\n" + otherwise +
         "first:\nds_read_b32 v3, v1\nmiddle:\ns_mov_b32 m0, s6\nbuffer_load_dword v1, s[12:15], 0 offen lds\n" +
         inside + "s_sub_i32 s9, s9, 1\ns_cmp_lg_u32 s9, 0\ns_cbranch_scc1 first\n";
}

TEST(Loops, IrreducibleOnesForgetWhatTheyWrite) {
  auto iterationsLater = [](const Listing &k) { return k.later(k.find("buffer_load")[0], k.find("ds_read")[0], 1); };
  EXPECT_EQ(iterationsLater(Listing::ofKernel(enteredInTheMiddle("s_movk_i32 s6, 0x400\n", "", ""))), No);
  EXPECT_EQ(
      iterationsLater(Listing::ofKernel(enteredInTheMiddle("s_movk_i32 s6, 0x400\n", "", "s_add_i32 s6, s6, 0x400\n"))),
      Unknown);
  // What it holds depends on how the loop was entered.
  EXPECT_EQ(
      iterationsLater(Listing::ofKernel(enteredInTheMiddle("s_movk_i32 s6, 0x400\n", "s_movk_i32 s6, 0x800\n", ""))),
      No);
  EXPECT_NE(iterationsLater(Listing::ofKernel(enteredInTheMiddle("s_movk_i32 s6, 0x400\n", "s_mov_b32 s6, 0\n", ""))),
            No);
  // An index from outside is the same in each iteration, one from inside is another one.
  const std::string index = "s_load_dword s6, s[0:1], 0x20\n",
                    use = "v_mov_b32 v4, s6\nds_read_b32 v5, v4 offset:256\n";
  auto sameIndex = [](const Listing &k) { return k.later(k.find("buffer_load")[0], k.find("ds_read_b32 v5")[0], 1); };
  EXPECT_EQ(sameIndex(Listing::ofKernel(enteredInTheMiddle(index, "", use))), No);
  EXPECT_EQ(sameIndex(Listing::ofKernel(enteredInTheMiddle(index, "", index + "s_waitcnt lgkmcnt(0)\n" + use))),
            Unknown);
}

TEST(Loops, NestedLoopsHavePhasesOfTheirOwn) {
  Listing k = Listing::ofKernel(R"(
    s_load_dwordx2 s[10:11], s[0:1], 0x10
    v_lshlrev_b32 v1, 2, v0
    s_mov_b32 s6, 0
    s_mov_b32 s5, 0
    s_waitcnt lgkmcnt(0)
  outer:
    s_mov_b32 s7, s10
    s_mov_b32 s5, 0
  inner:
    s_and_b32 s8, s5, 1
    s_lshl_b32 s8, s8, 12
    s_xor_b32 s9, s8, 0x1000
    s_add_i32 m0, s9, s6
    buffer_load_dword v1, s[12:15], 0 offen lds
    s_add_i32 s8, s8, s6
    v_add_u32 v2, s8, v1
    ds_read_b32 v3, v2
    s_add_i32 s5, s5, 1
    s_sub_i32 s7, s7, 1
    s_cmp_lg_u32 s7, 0
    s_cbranch_scc1 inner
    s_xor_b32 s6, s6, 0x2000
    v_add_u32 v2, s6, v1
    ds_read_b32 v4, v2
    ds_read_b32 v5, v2 offset:4096
    s_sub_i32 s11, s11, 1
    s_cmp_lg_u32 s11, 0
    s_cbranch_scc1 outer)");
  EXPECT_EQ(k.phases("buffer_load"), 4u);
  // In each phase of the outer loop the inner one is left in either of its own.
  EXPECT_EQ(k.phases("ds_read_b32 v4"), 4u);
  // What the outer loop reads is the other half.
  for (Listing::Place from : k.find("buffer_load"))
    for (const char *read : {"ds_read_b32 v4", "ds_read_b32 v5"})
      for (Listing::Place to : k.find(read))
        EXPECT_EQ(k.later(from, to, 0), No);
}

TEST(Unknown, LoadedIndexIsNamed) {
  Listing k = Listing::ofKernel(R"(
    s_load_dword s8, s[0:1], 0x10
    s_mov_b32 m0, 0
    buffer_load_dword v1, s[4:7], 0 offen lds
    v_lshlrev_b32 v1, 2, v0
    s_waitcnt lgkmcnt(0)
    v_lshl_add_u32 v2, s8, 2, v1
    ds_read_b32 v3, v2
  )");
  EXPECT_EQ(k.overlap("buffer_load", "ds_read"), Unknown);
  EXPECT_EQ(k.map->missingFact(k.at(k.find("buffer_load")[0]), k.at(k.find("ds_read")[0])),
            "s8 is loaded from memory at k.s:8");
}

TEST(Unknown, TheSameUnknownBaseCancelsOut) {
  Listing k = Listing::ofKernel(R"(
    s_load_dword s8, s[0:1], 0x10
    s_waitcnt lgkmcnt(0)
    s_lshl_b32 s8, s8, 8
    s_add_i32 m0, s8, 0x400
    buffer_load_dword v1, s[4:7], 0 offen lds
    v_mov_b32 v2, s8
    ds_read_b32 v3, v2
    ds_read_b32 v4, v2 offset:1024
  )");
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v3"), No);
  EXPECT_NE(k.overlap("buffer_load", "ds_read_b32 v4"), No);
}

TEST(Unknown, LanesThatWereNotActiveKeepWhatTheyHad) {
  Listing k = Listing::ofKernel(R"(
    v_mov_b32 v2, 0x400
    v_cmp_gt_u32 vcc, 7, v0
    s_and_saveexec_b64 s[8:9], vcc
    v_mov_b32 v2, 0
    ds_read_b32 v3, v2
    s_or_b64 exec, exec, s[8:9]
    s_movk_i32 m0, 0x400
    buffer_load_dword v1, s[4:7], 0 offen lds
    ds_read_b32 v4, v2
  )");
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v3"), No);
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v4"), Unknown);
}

TEST(Unknown, LanesThatAWaveDidNotBeginWith) {
  const std::string body = R"(
    v_lshlrev_b32 v1, 2, v0
    s_mov_b64 exec, -1
    s_movk_i32 m0, 0x400
    buffer_load_dword v2, s[4:7], 0 offen lds
    ds_read_b32 v4, v1
  )";
  EXPECT_EQ(Listing::ofKernel(body, 256).overlap("buffer_load", "ds_read"), Unknown);
  EXPECT_EQ(Listing::ofKernel(body, 256, "gfx942", true).overlap("buffer_load", "ds_read"), No);
  EXPECT_EQ(Listing::ofKernel(body, 200, "gfx942", true).overlap("buffer_load", "ds_read"), Unknown);
}

TEST(Unknown, ValuesOfAnEarlierIterationAreOthers) {
  Listing k = Listing::ofKernel(loop("", R"(
    s_load_dword s8, s[0:1], s5
    s_waitcnt lgkmcnt(0)
    s_mov_b32 m0, s8
    buffer_load_dword v1, s[12:15], 0 offen lds
    s_add_i32 s9, s8, 0x1000
    v_mov_b32 v2, s9
    ds_read_b32 v3, v2
  )"));
  EXPECT_EQ(k.later(k.find("buffer_load")[0], k.find("ds_read")[0], 0), No);
  EXPECT_EQ(k.later(k.find("buffer_load")[0], k.find("ds_read")[0], 1), Unknown);
}

TEST(Unknown, AnotherExecMayHaveAnotherFirstLane) {
  Listing k = Listing::ofKernel(R"(
    v_lshlrev_b32 v1, 8, v0
    v_cmp_lt_u32 vcc, 3, v0
    s_and_saveexec_b64 s[8:9], vcc
    s_cbranch_execz out
    v_readfirstlane_b32 s16, v1
    v_cmp_lt_u32 vcc, 7, v0
    s_and_saveexec_b64 s[10:11], vcc
    s_cbranch_execz out
    v_readfirstlane_b32 s17, v1
    s_add_i32 m0, s16, 0x400
    buffer_load_dword v2, s[12:15], 0 offen lds
    s_mov_b32 m0, s17
    buffer_load_dword v3, s[12:15], 0 offen lds
  out:)");
  // Lanes 4 and 8; that isn't known.
  EXPECT_EQ(k.overlap("buffer_load_dword v2", "buffer_load_dword v3"), Unknown);
}

TEST(Unknown, WithoutActiveLanesTheFirstIsLaneZero) {
  const char *text = R"(
    s_load_dword s7, s[0:1], 0x10
    v_mov_b32 v2, 0
    s_waitcnt lgkmcnt(0)
    v_cmp_gt_u32 vcc, s7, v0
    s_and_saveexec_b64 s[8:9], vcc
    %s
    v_mov_b32 v2, 0x1000
    v_readfirstlane_b32 s6, v2
    s_mov_b32 m0, s6
  out:
    s_or_b64 exec, exec, s[8:9]
    buffer_load_dword v1, s[12:15], 0 offen lds
    v_mov_b32 v3, 0
    ds_read_b32 v3, v3)";
  std::string without = text;
  without.replace(without.find("%s"), 2, "");
  Listing k = Listing::ofKernel(without);
  EXPECT_EQ(k.overlap("buffer_load", "ds_read"), Unknown);
  // A wave without active lanes goes around.
  std::string with = text;
  with.replace(with.find("%s"), 2, "s_mov_b32 m0, 0x2000\ns_cbranch_execz out");
  Listing around = Listing::ofKernel(with);
  EXPECT_EQ(around.overlap("buffer_load", "ds_read"), No);
}

TEST(Unknown, RemaindersOfNumbersThatMayWrap) {
  Listing k = Listing::ofKernel("s_load_dword s8, s[0:1], 0x14\ns_waitcnt lgkmcnt(0)\n" + loop("", R"(
    s_add_i32 s9, s8, 2
    s_mul_hi_u32 s6, s9, 0xaaaaaaab
    s_lshr_b32 s6, s6, 1
    s_mul_i32 s6, s6, 3
    s_sub_i32 s6, s9, s6
    s_lshl_b32 m0, s6, 12
    buffer_load_dword v1, s[12:15], 0 offen lds
    s_mul_hi_u32 s6, s8, 0xaaaaaaab
    s_lshr_b32 s6, s6, 1
    s_mul_i32 s6, s6, 3
    s_sub_i32 s6, s8, s6
    s_lshl_b32 s6, s6, 12
    v_add_u32 v2, s6, v1
    ds_read_b32 v3, v2
    s_add_i32 s8, s8, 1
  )"));
  // From 2^32 - 1 to 0 the remainder stays 0.
  for (Listing::Place from : k.find("buffer_load"))
    for (Listing::Place to : k.find("ds_read"))
      EXPECT_NE(k.later(from, to, 1), No);
}

TEST(Programs, CallsForgetRegisters) {
  Listing k = Listing::ofKernel(R"(
    s_mov_b32 m0, 0
    buffer_load_dword v1, s[4:7], 0 offen lds
    v_mov_b32 v2, 0x1000
    ds_read_b32 v3, v2
    s_getpc_b64 s[16:17]
    s_swappc_b64 s[30:31], s[18:19]
    ds_read_b32 v4, v2
  )");
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v3"), No);
  EXPECT_EQ(k.overlap("buffer_load", "ds_read_b32 v4"), Unknown);
}

TEST(Programs, NeedNoDma) {
  Listing k = Listing::ofKernel("v_mov_b32 v1, 0\nds_read_b32 v2, v1\nds_bpermute_b32 v2, v1, v3");
  EXPECT_EQ(k.bytes("ds_read"), "bytes 0..3");
  EXPECT_EQ(k.bytes("ds_bpermute"), "no byte");
}

TEST(Programs, EveryBlockIsThere) {
  Listing k = Listing::ofKernel(R"(
    s_mov_b32 m0, 0
    buffer_load_dword v1, s[4:7], 0 offen lds
    s_cmp_eq_u32 0, 0
    s_cbranch_scc1 behind
    ds_read_b32 v2, v3
  behind:
    s_branch out
    ds_read_b32 v4, v5
  out:)");
  EXPECT_EQ(k.bytes("ds_read_b32 v2"), "any byte");
  EXPECT_EQ(k.bytes("ds_read_b32 v4"), "any byte");
}

// A workgroup's waves are all on one compute unit.
TEST(Waves, AreAsManyAsRegistersLeaveRoomFor) {
  auto meet = [](unsigned vgprs, unsigned wave) {
    const std::string body = "v_lshlrev_b32 v1, 2, v0\nds_write_b32 v1, v0\nv_mov_b32 v2, 0\nds_read_b32 v3, v2 "
                             "offset:" +
                             std::to_string(wave * 256);
    return Listing::ofKernel(body, 1024, "gfx942", false, vgprs).overlap("ds_write", "ds_read");
  };
  EXPECT_EQ(meet(64, 15), Yes);
  EXPECT_EQ(meet(256, 7), Yes);
  EXPECT_EQ(meet(256, 8), No);
  EXPECT_EQ(meet(257, 3), Yes);
  EXPECT_EQ(meet(257, 4), No);
}

} // namespace
} // namespace inflight::values
