// Waits of chips on which each counter has its own: gfx12, gfx1250, and gfx11, where stores have.
#include "Assembly.h"
#include "isa/counters/Counters.h"
#include "program/assemble/Assembler.h"
#include "rewrite/Rewrite.h"

#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::waits;
using namespace inflight::waits::test;

namespace {

const std::vector<std::string> nothing;
constexpr const char *rdna4 = "gfx1201", *rdna35 = "gfx1151", *cdna5 = "gfx1250";

std::string inserted(const std::string &body, const char *chip, unsigned lds = 0, unsigned lanes = 32) {
  return replanned(body, Goal::Insert, lds, chip, lanes);
}

/// What the encoding makes of these counts, and that it reads it again.
std::string written(const char *chip, std::initializer_list<std::pair<const char *, unsigned>> counts) {
  const CounterTable *table = cantFail(CounterTable::get(chip));
  WaitOperands wait;
  for (auto [name, count] : counts)
    for (Counter counter : table->all())
      if ((*table)[counter].name == name)
        wait.counts[counter] = WaitCount(count);
  WaitOperands again;
  for (WaitInstruction instruction : table->encoding.instructions(wait))
    again.counts.tighten(table->encoding.decode(instruction.mnemonic, instruction.immediate).counts);
  EXPECT_EQ(again, wait);
  return table->encoding.text(wait);
}

TEST(SplitCounters, Encoding) {
  EXPECT_EQ(written(rdna4, {{"loadcnt", 3}}), "s_wait_loadcnt 0x3");
  EXPECT_EQ(written(rdna4, {{"loadcnt", 3}, {"dscnt", 1}}), "s_wait_loadcnt_dscnt 0x301");
  EXPECT_EQ(written(rdna4, {{"storecnt", 2}, {"dscnt", 0}}), "s_wait_storecnt_dscnt 0x200");
  EXPECT_EQ(written(rdna4, {{"loadcnt", 0}, {"storecnt", 0}, {"dscnt", 0}, {"kmcnt", 0}}),
            "s_wait_loadcnt_dscnt 0x0, s_wait_storecnt 0x0, s_wait_kmcnt 0x0");
  EXPECT_EQ(written(cdna5, {{"asynccnt", 1}, {"tensorcnt", 0}, {"xcnt", 2}}),
            "s_wait_xcnt 0x2, s_wait_asynccnt 0x1, s_wait_tensorcnt 0x0");
  EXPECT_EQ(written(rdna35, {{"vmcnt", 62}, {"lgkmcnt", 0}}), "s_waitcnt vmcnt(62) lgkmcnt(0)");
  EXPECT_EQ(written(rdna35, {{"vmcnt", 1}, {"vscnt", 0}}), "s_waitcnt vmcnt(1), s_waitcnt_vscnt null, 0x0");
}

TEST(SplitCounters, EachUseWaitsForItsCounter) {
  const std::string body = "  s_load_b32 s4, s[0:1], 0x0\n  global_load_b32 v2, v[0:1], off\n"
                           "  global_load_b32 v3, v[0:1], off\n  ds_load_b32 v4, v0\n"
                           "  global_store_b32 v[0:1], v5, off\n";
  EXPECT_EQ(
      inserted(body + "  v_mov_b32_e32 v6, v2\n  v_add_f32_e32 v7, v3, v4\n  s_mov_b32 s5, s4\n  s_endpgm\n", rdna4),
      body + "  s_wait_loadcnt 0x1\n  v_mov_b32_e32 v6, v2\n  s_wait_loadcnt_dscnt 0x0\n"
             "  v_add_f32_e32 v7, v3, v4\n  s_wait_kmcnt 0x0\n  s_mov_b32 s5, s4\n  s_endpgm\n");
  EXPECT_EQ(
      inserted(body + "  v_mov_b32_e32 v6, v2\n  v_add_f32_e32 v7, v3, v4\n  s_mov_b32 s5, s4\n  s_endpgm\n", rdna35),
      body + "  s_waitcnt vmcnt(1)\n  v_mov_b32_e32 v6, v2\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n"
             "  v_add_f32_e32 v7, v3, v4\n  s_mov_b32 s5, s4\n  s_endpgm\n");
}

TEST(SplitCounters, VerifyNamesTheWait) {
  const std::string load = "  global_load_b32 v2, v[0:1], off\n  global_load_b32 v3, v[0:1], off\n";
  EXPECT_EQ(findings(load + "  v_mov_b32_e32 v6, v2\n  s_endpgm\n", 0, rdna4, 32),
            (std::vector<std::string>{"3: missing-wait: s_wait_loadcnt 0x1 before it if the result is meant; else "
                                      "global_load_b32 after it, as it comes too early"}));
  EXPECT_EQ(findings(load + "  s_wait_loadcnt_dscnt 0x13f\n  v_mov_b32_e32 v6, v2\n  s_endpgm\n", 0, rdna4, 32),
            nothing);
  EXPECT_EQ(findings(load + "  s_wait_loadcnt 0x2\n  v_mov_b32_e32 v6, v2\n  s_endpgm\n", 0, rdna4, 32).size(), 1u);
  EXPECT_EQ(findings(load + "  s_wait_dscnt 0x0\n  v_mov_b32_e32 v6, v2\n  s_endpgm\n", 0, rdna4, 32).size(), 1u);
}

// What stands in a row says one thing together.
TEST(SplitCounters, WaitsThatAreRightStay) {
  const std::string body = "  s_load_b32 s4, s[0:1], 0x0\n  global_load_b32 v2, v[0:1], off\n  s_wait_kmcnt 0x0\n"
                           "  s_wait_loadcnt 0x0\n  v_add_f32_e32 v6, s4, v2\n  s_endpgm\n";
  EXPECT_EQ(inserted(body, rdna4), body);
  EXPECT_EQ(replanned(body, Goal::Relax, 0, rdna4, 32), body);
}

// Clang's code for two bytes or halves that come into one register: the second keeps what the first brings.
TEST(SplitCounters, HalvesOfOneRegister) {
  const std::string both = "  ds_load_u16_d16 v2, v0\n  ds_load_u16_d16_hi v2, v1\n";
  const std::string use = "  s_wait_dscnt 0x0\n  v_mov_b32_e32 v3, v2\n  s_endpgm\n";
  EXPECT_EQ(findings(both + use, 64, rdna4, 32), nothing);
  EXPECT_EQ(inserted(both + use, rdna4, 64), both + use);
  // They come back in any order, or one is the other's address.
  EXPECT_EQ(findings("  global_load_d16_b16 v2, v[4:5], off\n  ds_load_u16_d16_hi v2, v1\n  s_wait_loadcnt 0x0\n" + use,
                     64, rdna4, 32)
                .size(),
            1u);
  EXPECT_EQ(findings("  ds_load_u16_d16 v2, v0\n  ds_load_u16_d16_hi v2, v2\n" + use, 64, rdna4, 32).size(), 1u);
}

// A write-back that does nothing at its scope has nothing that a store could come too early for.
TEST(SplitCounters, WriteBacksOfLowScopes) {
  auto stored = [](const char *scope, const char *chip) {
    return findings("  global_wb scope:" + std::string(scope) + "\n  global_store_b32 v[0:1], v2, off\n  s_endpgm\n", 0,
                    chip, 32)
        .size();
  };
  EXPECT_EQ(stored("SCOPE_SE", rdna4), 0u);
  EXPECT_EQ(stored("SCOPE_DEV", rdna4), 0u);
  EXPECT_EQ(stored("SCOPE_SYS", rdna4), 1u);
  EXPECT_EQ(stored("SCOPE_SE", cdna5), 0u);
  EXPECT_EQ(stored("SCOPE_DEV", cdna5), 1u);
}

TEST(SplitCounters, RelaxWeakensEach) {
  const std::string before = "  global_load_b32 v2, v[0:1], off\n  ds_load_b32 v4, v0\n"
                             "  global_load_b32 v3, v[0:1], off\n",
                    after = "  v_mov_b32_e32 v6, v2\n  s_endpgm\n";
  EXPECT_EQ(replanned(before + "  s_wait_loadcnt_dscnt 0x0\n" + after, Goal::Relax, 0, rdna4, 32),
            before + "  s_wait_loadcnt 0x1\n" + after);
}

TEST(SplitCounters, FlatIsInOrderOnBoth) {
  const std::string load = "  flat_load_b32 v2, v[0:1]\n  global_load_b32 v3, v[0:1], off\n  ds_load_b32 v4, v0\n";
  EXPECT_EQ(findings(load + "  s_wait_loadcnt_dscnt 0x101\n  v_mov_b32_e32 v6, v2\n  s_endpgm\n", 0, rdna4, 32),
            nothing);
  EXPECT_EQ(findings(load + "  s_wait_loadcnt_dscnt 0x102\n  v_mov_b32_e32 v6, v2\n  s_endpgm\n", 0, rdna4, 32),
            (std::vector<std::string>{"5: missing-wait: s_wait_dscnt 0x1 before it if the result is meant; else "
                                      "flat_load_b32 after it, as it comes too early"}));
}

// The signal says that what comes before it is done; the wait, that others have said so.
TEST(SplitCounters, BarriersInTwoHalves) {
  auto barrier = [](const char *before, const char *between) {
    return std::string("  ds_store_b32 v0, v1\n") + before + "  s_barrier_signal -1\n" + between +
           "  s_barrier_wait -1\n  ds_load_b32 v2, v3\n  s_wait_dscnt 0x0\n  v_mov_b32_e32 v4, v2\n  s_endpgm\n";
  };
  auto found = [](const std::string &body) { return findings(body, 4096, rdna4, 256); };
  EXPECT_EQ(found(barrier("  s_wait_dscnt 0x0\n", "")), nothing);
  EXPECT_EQ(found(barrier("", "")).size(), 1u);
  EXPECT_EQ(found(barrier("", "  s_wait_dscnt 0x0\n")).size(), 1u) << "too late: the others may have gone on";
  EXPECT_EQ(inserted(barrier("", ""), rdna4, 4096, 256), barrier("  s_wait_dscnt 0x0\n", ""));
  // What is done between the halves is before the others' signal or after it: no wait orders it.
  EXPECT_EQ(found(barrier("  s_wait_dscnt 0x0\n", "  ds_load_b32 v5, v3\n")), nothing);
}

TEST(SplitCounters, CopiesToLds) {
  const std::string async = "  global_load_async_to_lds_b32 v0, v[2:3], off\n",
                    tensor = "  tensor_load_to_lds s[0:3], s[4:11]\n", read = "  ds_load_b32 v4, v5\n  s_endpgm\n";
  auto found = [](const std::string &body) { return findings(body, 4096, cdna5, 32); };
  EXPECT_EQ(found(async + read).size(), 1u);
  EXPECT_EQ(found(async + "  s_wait_asynccnt 0x0\n" + read), nothing);
  EXPECT_EQ(found(async + "  s_wait_loadcnt 0x0\n" + read).size(), 1u);
  EXPECT_EQ(found(tensor + read).size(), 1u);
  EXPECT_EQ(found(tensor + "  s_wait_tensorcnt 0x0\n" + read), nothing);
  EXPECT_EQ(found(tensor + tensor + "  s_wait_tensorcnt 0x1\n" + read).size(), 1u);
  EXPECT_EQ(inserted(async + tensor + read, cdna5, 4096).find("s_wait_tensorcnt 0x0") != std::string::npos, true);
}

std::string ruleOf(const std::vector<std::string> &all) {
  const std::string first = all.empty() ? ": none:" : all.front();
  const size_t begin = first.find(": ") + 2;
  return first.substr(begin, first.find(':', begin) - begin);
}

// LLVM takes the barrier's wait for enough, for SCC of a signal of that barrier; nobody else says so.
TEST(SplitCounters, WhatASignalLeavesInScc) {
  for (const char *chip : {rdna4, cdna5}) {
    auto rule = [&](const std::string &between) {
      return ruleOf(findings("  s_barrier_signal_isfirst -1\n" + between + "  s_cselect_b32 s2, 0, 1\n  s_endpgm\n", 0,
                             chip, 64));
    };
    EXPECT_EQ(rule("  s_wait_kmcnt 0x0\n  s_barrier_wait -1\n"), "none");
    EXPECT_EQ(rule("  s_barrier_wait -1\n  s_wait_kmcnt 0x0\n"), "none");
    EXPECT_EQ(rule("  s_barrier_wait -1\n"), "undecided");
    EXPECT_EQ(rule("  s_nop 0\n"), "missing-wait");
    EXPECT_EQ(rule("  s_barrier_wait -2\n"), "missing-wait") << "another barrier";
  }
}

// Arrivals at a barrier in LDS need no order among each other; with who sets it up they do.
TEST(SplitCounters, ArrivalsInLds) {
  const std::string place = "  v_mov_b32_e32 v2, 64\n", late = "  ds_atomic_async_barrier_arrive_b64 v2\n",
                    now = "  ds_atomic_barrier_arrive_rtn_b64 v[4:5], v2, v[6:7]\n", end = "  s_endpgm\n";
  auto rule = [&](const std::string &body) { return ruleOf(findings(place + body + end, 4096, cdna5, 32)); };
  EXPECT_EQ(rule(late + now), "none");
  EXPECT_EQ(rule(late + "  ds_store_b64 v2, v[6:7]\n"), "missing-wait");
  EXPECT_EQ(rule(now + "  s_wait_dscnt 0x0\n" + late), "none");
}

// A tile's descriptor says where it is and how large: then who reads other bytes needs no wait.
TEST(SplitCounters, TilesSayWhereTheyAre) {
  // 128 by 16 bytes at 4096: 2048; with 16 bytes of padding after each 128, 2304.
  const std::string place = "  s_mov_b32 s0, 1\n  s_mov_b32 s1, 4096\n",
                    tile = "  s_mov_b32 s4, 0\n  s_mov_b32 s7, 0x800000\n  s_mov_b32 s8, 16\n",
                    padded = "  s_or_b32 s4, s4, 0x7100000\n", load = "  tensor_load_to_lds s[0:3], s[4:11]\n";
  auto rule = [&](const std::string &setUp, unsigned from, const std::string &copy) {
    const std::vector<std::string> all = findings(setUp + "  v_mov_b32_e32 v5, " + std::to_string(from) + "\n" + copy +
                                                      "  ds_load_b32 v4, v5\n  s_endpgm\n",
                                                  16384, cdna5, 32);
    return all.empty() ? std::string("none") : all.front().substr(all.front().find(": ") + 2, 9);
  };
  const std::string known = place + tile;
  EXPECT_EQ(rule(known, 4092, load), "none");
  EXPECT_EQ(rule(known, 4096, load), "undecided") << "which of them it writes isn't known";
  EXPECT_EQ(rule(known, 4096 + 2044, load), "undecided");
  EXPECT_EQ(rule(known, 4096 + 2048, load), "none");
  EXPECT_EQ(rule(known + padded, 4096 + 2300, load), "undecided");
  EXPECT_EQ(rule(known + padded, 4096 + 2304, load), "none");
  EXPECT_EQ(rule(known + "  s_or_b32 s4, s4, 0x20000\n", 4096 + 8188, load), "undecided") << "elements of 4 bytes";
  EXPECT_EQ(rule(known + "  s_or_b32 s4, s4, 0x20000\n", 4096 + 8192, load), "none");
  EXPECT_EQ(rule(known + "  s_or_b32 s8, s8, 0x20000\n", 4096 + 4092, load), "undecided") << "a third dimension";
  EXPECT_EQ(rule(known + "  s_or_b32 s8, s8, 0x20000\n", 4096 + 4096, load), "none");
  // The extents of those outside of the tensor may be 0, and the tensor's share their registers.
  EXPECT_EQ(rule(known + "  s_cmp_eq_u32 s20, 0\n  s_cselect_b32 s7, s7, 0\n", 4096 + 2048, load), "none");
  EXPECT_EQ(rule(known + "  s_lshr_b32 s21, s20, 16\n  s_or_b32 s7, s7, s21\n", 4096 + 2048, load), "none");
  // These can't be told: rows that are gathered, a barrier, a tile that repeats, other workgroups' LDS, what isn't
  // known.
  for (const char *more :
       {"s_or_b32 s0, s0, 0x80000000", "s_or_b32 s4, s4, 0x40000", "s_or_b32 s4, s4, 0x80000", "s_or_b32 s4, s4, 2",
        "s_mov_b32 s0, s20", "s_mov_b32 s1, s20", "s_mov_b32 s4, s20", "s_mov_b32 s7, s20", "s_mov_b32 s8, s20",
        "s_load_b32 s8, s[12:13], 0x0\n  s_wait_kmcnt 0x0"})
    EXPECT_EQ(rule(known + "  " + more + "\n", 12000, load), "undecided") << more;
  EXPECT_EQ(rule(known, 12000, "  tensor_load_to_lds s[0:3], s[4:11], s[12:15], s[16:19]\n"), "undecided");
  // Stores read the bytes: who overwrites them waits, who reads them needn't.
  auto afterStore = [&](unsigned to) {
    return findings(known + "  v_mov_b32_e32 v5, " + std::to_string(to) +
                        "\n  tensor_store_from_lds s[0:3], s[4:11]\n  ds_store_b32 v5, v4\n  s_endpgm\n",
                    16384, cdna5, 32)
        .size();
  };
  EXPECT_EQ(afterStore(4096), 1u);
  EXPECT_EQ(afterStore(4096 + 2048), 0u);
}

// A copy writes where its first register says, with the offset; M0 has nothing to do with it.
TEST(SplitCounters, CopiesSayWhereTheyWrite) {
  auto found = [](unsigned to, unsigned offset, unsigned from) {
    return findings("  s_mov_b32 m0, 0\n  v_mov_b32_e32 v0, " + std::to_string(to) + "\n  v_mov_b32_e32 v5, " +
                        std::to_string(from) + "\n  global_load_async_to_lds_b128 v0, v[2:3], off offset:" +
                        std::to_string(offset) + "\n  ds_load_b32 v4, v5\n  s_endpgm\n",
                    16384, cdna5, 32)
        .size();
  };
  EXPECT_EQ(found(4096, 0, 4096), 1u);
  EXPECT_EQ(found(4096, 0, 0), 0u);
  EXPECT_EQ(found(4096, 0, 4112), 0u);
  EXPECT_EQ(found(4096, 16, 4112), 1u);
}

// On gfx11 loads and images with a sampler count on one counter, in no order with each other. That images are in order
// with each other LLVM and Mesa say, and nobody else.
TEST(SplitCounters, ImagesOfOneKind) {
  const std::string first = "  image_sample v4, [v0, v1], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D\n",
                    second = "  image_sample v5, [v0, v1], s[0:7], s[8:11] dmask:0x1 dim:SQ_RSRC_IMG_2D\n",
                    load = "  global_load_b32 v10, v2, s[12:13]\n", use = "  v_mov_b32_e32 v6, v4\n  s_endpgm\n";
  auto rule = [](const std::string &body) { return ruleOf(findings(body, 0, rdna35, 32)); };
  EXPECT_EQ(rule(first + second + "  s_waitcnt vmcnt(0)\n" + use), "none");
  EXPECT_EQ(rule(first + second + "  s_waitcnt vmcnt(1)\n" + use), "undecided");
  EXPECT_EQ(rule(first + second + "  s_waitcnt vmcnt(2)\n" + use), "missing-wait");
  EXPECT_EQ(rule(first + load + "  s_waitcnt vmcnt(1)\n" + use), "missing-wait");
}

// A copy from LDS reads where its last register says; that its offset is of that place, too, nobody says.
TEST(SplitCounters, CopiesSayWhereTheyRead) {
  const std::string begin = "  v_mov_b32_e32 v1, 4096\n  v_mov_b32_e32 v5, 0\n",
                    store = "  ds_store_b128 v1, v[8:11]\n", other = "  ds_store_b128 v5, v[8:11]\n",
                    copy = "  global_store_async_from_lds_b128 v[2:3], v1, off\n", done = "  s_wait_dscnt 0x0\n",
                    end = "  s_endpgm\n";
  auto found = [&](const std::string &body) { return ruleOf(findings(begin + body + end, 16384, cdna5, 32)); };
  EXPECT_EQ(found(store + copy), "missing-wait");
  EXPECT_EQ(found(store + done + copy), "none");
  EXPECT_EQ(found(other + copy), "none");
  EXPECT_EQ(found(copy + store), "missing-wait");
  EXPECT_EQ(found(copy + "  s_wait_asynccnt 0x0\n" + store), "none");
  EXPECT_EQ(found(copy + other), "none");
  EXPECT_EQ(found(copy + "  ds_load_b128 v[12:15], v1\n"), "none");
  EXPECT_EQ(found("  global_store_async_from_lds_b128 v2, v1, s[2:3]\n" + store), "missing-wait");
  EXPECT_EQ(found("  global_store_async_from_lds_b128 v2, v1, s[2:3] offset:16\n" + other), "undecided");
}

// Addresses are read again when they have to be translated again.
TEST(SplitCounters, SourcesOfMemoryOperations) {
  const std::string scalar = "  s_load_b32 s4, s[0:1], 0x0\n", vector = "  global_load_b32 v2, v[0:1], off\n",
                    store = "  global_store_b32 v[4:5], v6, off\n";
  EXPECT_EQ(inserted(scalar + "  s_mov_b32 s0, 0\n  s_endpgm\n", cdna5),
            scalar + "  s_wait_xcnt 0x0\n  s_mov_b32 s0, 0\n  s_endpgm\n");
  EXPECT_EQ(inserted(vector + store + "  v_mov_b32_e32 v0, 0\n  s_endpgm\n", cdna5),
            vector + store + "  s_wait_xcnt 0x1\n  v_mov_b32_e32 v0, 0\n  s_endpgm\n");
  // Where the result is waited for at the same place, that is enough: one of four registers may be where the address
  // was.
  const std::string four = "  s_load_b128 s[0:3], s[4:5], 0x0\n", use = "  s_add_u32 s4, s2, s3\n  s_endpgm\n";
  EXPECT_EQ(inserted(four + use, cdna5), four + "  s_wait_kmcnt 0x0\n" + use);
  EXPECT_EQ(inserted(vector + "  v_add_f32_e32 v0, v2, v2\n  s_endpgm\n", cdna5),
            vector + "  s_wait_loadcnt 0x0\n  v_add_f32_e32 v0, v2, v2\n  s_endpgm\n");
  // But not the result of an older one.
  EXPECT_EQ(inserted("  global_load_b32 v3, v[8:9], off\n" + vector + "  v_mov_b32_e32 v0, v3\n  s_endpgm\n", cdna5),
            "  global_load_b32 v3, v[8:9], off\n" + vector +
                "  s_wait_loadcnt 0x1\n  s_wait_xcnt 0x0\n  v_mov_b32_e32 v0, v3\n  s_endpgm\n");
  // Who has its result has read its address; vector memory operations are translated one after the other, and never
  // beside scalar ones.
  EXPECT_EQ(
      inserted(vector + "  s_wait_loadcnt 0x0\n  v_mov_b32_e32 v3, v2\n  v_mov_b32_e32 v0, 0\n  s_endpgm\n", cdna5),
      vector + "  s_wait_loadcnt 0x0\n  v_mov_b32_e32 v3, v2\n  v_mov_b32_e32 v0, 0\n  s_endpgm\n");
  EXPECT_EQ(inserted(vector + "  global_load_b32 v0, v[8:9], off\n  s_endpgm\n", cdna5),
            vector + "  global_load_b32 v0, v[8:9], off\n  s_endpgm\n");
  EXPECT_EQ(inserted(scalar + vector + "  s_mov_b32 s0, 0\n  s_endpgm\n", cdna5),
            scalar + vector + "  s_mov_b32 s0, 0\n  s_endpgm\n");
  EXPECT_EQ(inserted(vector + "  s_mov_b32 exec_lo, -1\n  s_endpgm\n", cdna5),
            vector + "  s_mov_b32 exec_lo, -1\n  s_endpgm\n");
  EXPECT_EQ(inserted(scalar + "  s_mov_b32 s0, 0\n  s_endpgm\n", rdna4), scalar + "  s_mov_b32 s0, 0\n  s_endpgm\n")
      << "the chip has no such counter";
}

// A store that is done has its address translated, and so has what came before it.
TEST(SplitCounters, SourcesOfStoresThatAreDone) {
  const std::string store = "  global_store_b32 v[4:5], v6, off\n", load = "  global_load_b32 v2, v[0:1], off\n",
                    flat = "  flat_store_b32 v[8:9], v6\n", storesDone = "  s_wait_storecnt 0x0\n",
                    overStore = "  v_mov_b32_e32 v4, 0\n  s_endpgm\n", overLoad = "  v_mov_b32_e32 v0, 0\n  s_endpgm\n",
                    overFlat = "  v_mov_b32_e32 v8, 0\n  s_endpgm\n";
  auto count = [](const std::string &body) { return findings(body, 4096, cdna5, 32).size(); };
  EXPECT_EQ(count(store + overStore), 1u);
  EXPECT_EQ(count(store + storesDone + overStore), 0u);
  EXPECT_EQ(count(store + storesDone + "  ds_load_b32 v4, v7\n  s_endpgm\n"), 0u);
  EXPECT_EQ(count(store + store + "  s_wait_storecnt 0x1\n" + overStore), 1u);
  EXPECT_EQ(count(store + "  global_store_b32 v[8:9], v6, off\n  s_wait_storecnt 0x1\n" + overStore), 0u);
  // Another wait says nothing of it.
  EXPECT_EQ(count(store + "  s_wait_loadcnt 0x0\n" + overStore), 1u);
  EXPECT_EQ(count(store + "  s_wait_dscnt 0x0\n" + overStore), 1u);
  // Nor does it of later loads; of earlier ones it does, as translations are in order. Both together do.
  EXPECT_EQ(count(store + load + storesDone + overLoad), 1u);
  EXPECT_EQ(count(load + store + storesDone + overLoad), 0u);
  EXPECT_EQ(count(load + store + "  s_wait_storecnt 0x1\n" + overLoad), 1u);
  EXPECT_EQ(count(load + store + storesDone + "  s_wait_loadcnt 0x0\n" + overLoad), 0u);
  EXPECT_EQ(count(load + store + "  s_wait_loadcnt 0x0\n" + storesDone + overLoad), 0u);
  // FLAT that is done with LDS isn't done with memory.
  EXPECT_EQ(count(flat + "  s_wait_dscnt 0x0\n" + overFlat), 1u);
  EXPECT_EQ(count(flat + storesDone + overFlat), 0u);
  // The one that makes it so doesn't go.
  EXPECT_EQ(replanned(store + storesDone + overStore, Goal::Relax, 4096, cdna5, 32), store + storesDone + overStore);
}

// In a copy loads and stores take turns: a load's result tells of the stores before it, whichever way control came.
TEST(SplitCounters, SourcesInTurns) {
  auto copy = [](const std::string &to, const std::string &kind) {
    return "  " + kind + "_load_b32 v2, v[0:1]" + (kind == "flat" ? "\n" : ", off\n") + "  " + kind + "_store_b32 " +
           to + ", v9" + (kind == "flat" ? "\n" : ", off\n");
  };
  auto count = [](const std::string &body) { return findings(body, 4096, cdna5, 32).size(); };
  const std::string overFirst = "  v_mov_b32_e32 v4, 0\n", end = "  s_endpgm\n", oneLoadLeft = "  s_wait_loadcnt 0x0\n",
                    load = "  global_load_b32 v12, v[10:11], off\n";
  for (const char *kind : {"global", "flat"}) {
    const std::string two = copy("v[4:5]", kind) + copy("v[6:7]", kind);
    EXPECT_EQ(count(two + oneLoadLeft + overFirst + end), 0u) << kind;
    EXPECT_EQ(count(two + oneLoadLeft + "  v_mov_b32_e32 v6, 0\n" + end), 1u) << kind << ": the last store's";
    EXPECT_EQ(count(two + "  s_wait_loadcnt 0x1\n" + overFirst + end), 1u) << kind << ": of the load before it";
    EXPECT_EQ(count(copy("v[4:5]", kind) + oneLoadLeft + overFirst + end), 1u) << kind;
    // On both ways a load comes after the store, on one of them with another store after that.
    const std::string branch = "  s_cbranch_scc0 L\n", join = "L:\n";
    EXPECT_EQ(count(copy("v[4:5]", kind) + load + branch + copy("v[6:7]", kind) + join + oneLoadLeft + overFirst + end),
              0u);
    // On one way there is none.
    EXPECT_EQ(count(copy("v[4:5]", kind) + branch + load + join + oneLoadLeft + overFirst + end), 1u);
    EXPECT_EQ(count(copy("v[4:5]", kind) + branch + "  s_wait_storecnt 0x0\n" + join + oneLoadLeft + overFirst + end),
              1u);
    // Around a loop, where each iteration writes the address that the one before stored to.
    const std::string loop =
        "M:\n" + load + "  s_wait_loadcnt 0x0\n" + overFirst + copy("v[4:5]", kind) + "  s_cbranch_scc0 M\n";
    EXPECT_EQ(count(loop + end), 0u) << kind;
    EXPECT_EQ(count("M:\n" + overFirst + load + "  s_wait_loadcnt 0x0\n" + copy("v[4:5]", kind) +
                    "  s_cbranch_scc0 M\n" + end),
              1u)
        << kind;
  }
}

/// The waits of the code object that becomes of a body without any, as their text.
std::vector<std::string> insertedInObject(const std::string &body, const char *chip) {
  const Isa &isa = *cantFail(Isa::get(chip));
  const std::string text = kernel(body, 4096, 32, chip);
  const std::string object = cantFail(assembleObject(isa, text, "test.s", TextFrom::User));
  const std::vector<std::unique_ptr<Program>> before = cantFail(readPrograms(object, "test.o", chip));
  const std::string edited =
      cantFail(editCodeObject(*before.front(), object, plan(*before.front(), Goal::Insert).edits));
  const std::vector<std::unique_ptr<Program>> after = cantFail(readPrograms(edited, "test.o", chip));
  EXPECT_EQ(verify(*after.front()).findings.size(), 0u);
  std::vector<std::string> waits;
  for (uint32_t i = 0; i < after.front()->instructions().size(); ++i)
    if (const InstrDesc *desc = after.front()->instructions()[i].desc; desc && desc->isWaitcnt)
      waits.push_back(after.front()->text(i));
  return waits;
}

TEST(SplitCounters, CodeObjects) {
  EXPECT_EQ(insertedInObject("  s_load_b32 s4, s[0:1], 0x0\n  global_load_b32 v2, v[0:1], off\n  ds_load_b32 v3, v0\n"
                             "  v_add_f32_e32 v4, v2, v3\n  s_mov_b32 s5, s4\n  s_endpgm\n",
                             rdna4),
            (std::vector<std::string>{"s_wait_loadcnt_dscnt 0x0", "s_wait_kmcnt 0x0"}));
  // The second wait becomes that of the first, which has a register besides its number.
  EXPECT_EQ(insertedInObject("  global_store_b32 v[0:1], v2, off\n  s_waitcnt_vscnt null, 0x0\n  s_waitcnt vmcnt(0)\n"
                             "  s_barrier\n  s_endpgm\n",
                             rdna35),
            std::vector<std::string>{"s_waitcnt_vscnt null, 0x0"});
}

// What the second half of a pair adds to is its destination, in code objects as in assembly.
TEST(SplitCounters, SecondHalvesOfPairs) {
  EXPECT_EQ(insertedInObject("  ds_load_b32 v2, v0\n  v_dual_mul_f32 v6, v6, v6 :: v_dual_fmac_f32 v3, s12, v9\n"
                             "  v_mov_b32_e32 v7, v2\n  s_endpgm\n",
                             rdna4),
            std::vector<std::string>{"s_wait_dscnt 0x0"});
  EXPECT_EQ(
      insertedInObject("  ds_load_b32 v2, v0\n  v_dual_mul_f32 v6, v6, v6 :: v_dual_fmac_f32 v3, s12, v9\n  s_endpgm\n",
                       rdna4),
      nothing);
  EXPECT_EQ(
      insertedInObject("  ds_load_b32 v3, v0\n  v_dual_mul_f32 v6, v6, v6 :: v_dual_fmac_f32 v3, s12, v9\n  s_endpgm\n",
                       rdna4),
      std::vector<std::string>{"s_wait_dscnt 0x0"});
}

// Lanes of waves of 32: as compilers have it, with EXEC as one register.
TEST(SplitCounters, LanesThatDontLoadNeedNoWait) {
  const std::string split = "  s_and_saveexec_b32 s12, vcc_lo\n", load = "  global_load_b32 v4, v2, s[4:5]\n",
                    flip = "  s_xor_b32 exec_lo, exec_lo, s12\n", use = "  v_mov_b32_e32 v4, 1\n  s_endpgm\n";
  auto found = [](const std::string &body) { return findings(body, 4096, cdna5, 32).size(); };
  EXPECT_EQ(found(split + load + flip + use), 0u);
  EXPECT_EQ(found(split + load + use), 1u);
  EXPECT_EQ(found(split + load + "  s_xor_b32 exec_hi, exec_hi, s12\n" + use), 1u) << "of no lane";
  EXPECT_EQ(found(split + load + "  s_xor_b32 exec_lo, exec_lo, s13\n" + use), 1u);
  EXPECT_EQ(found("  v_cmp_eq_u32_e64 s12, v0, v1\n  s_mov_b32 exec_lo, s12\n" + load +
                  "  s_not_b32 exec_lo, exec_lo\n" + use),
            0u);
  // These read and write registers of all lanes.
  const std::string none = "  s_mov_b32 exec_lo, 1\n", others = "  s_mov_b32 exec_lo, 2\n";
  EXPECT_EQ(found(none + load + others + "  v_wmma_f32_16x16x32_f16 v[8:15], v[4:11], v[16:23], v[8:15]\n  s_endpgm\n"),
            1u);
  EXPECT_EQ(found(none + "  ds_load_tr16_b128 v[4:7], v8\n" + others + use), 1u);
  EXPECT_EQ(found(none + "  ds_load_b128 v[4:7], v8\n" + others + use), 0u);
}

// In waves of 32 the low half of a mask counts up to each lane's number.
TEST(SplitCounters, LanesCountThemselves) {
  auto found = [](const char *chip, unsigned from) {
    return findings("  v_mbcnt_lo_u32_b32 v0, -1, 0\n  v_lshlrev_b32_e32 v0, 4, v0\n  v_mov_b32_e32 v5, " +
                        std::to_string(from) +
                        "\n  global_load_async_to_lds_b128 v0, v[2:3], off\n"
                        "  ds_load_b32 v4, v5\n  s_endpgm\n",
                    16384, chip, 32)
        .size();
  };
  EXPECT_EQ(found(cdna5, 16 * 30), 1u);
  EXPECT_EQ(found(cdna5, 16 * 31), 1u);
  EXPECT_EQ(found(cdna5, 16 * 32), 0u);
}

// A mask of 32 lanes is one register, and what is in the next one stays: addresses, say.
TEST(SplitCounters, MasksLeaveTheNextRegister) {
  auto found = [](const std::string &mask, const std::string &held) {
    return findings("  s_mov_b32 " + held + ", 4096\n" + mask + "  v_mov_b32_e32 v0, " + held +
                        "\n  v_mov_b32_e32 v5, 4096\n  v_mov_b32_e32 v6, 0\n"
                        "  global_load_async_to_lds_b128 v0, v[2:3], off\n  ds_load_b32 v4, v5\n  s_wait_asynccnt 0x0\n"
                        "  ds_load_b32 v4, v6\n  s_endpgm\n",
                    16384, cdna5, 32)
        .size();
  };
  EXPECT_EQ(found("  s_and_saveexec_b32 s12, s20\n  s_mov_b32 exec_lo, s12\n", "s13"), 1u);
  EXPECT_EQ(found("  v_cmp_eq_u32_e32 vcc_lo, v8, v9\n", "vcc_hi"), 1u);
  EXPECT_EQ(found("  v_cmp_eq_u32_e64 s12, v8, v9\n", "s13"), 1u);
}

std::vector<std::string> problemsOf(const std::vector<std::unique_ptr<Program>> &programs) {
  return verify(*programs.front()).problems;
}

// Without a kernel nothing says how many lanes waves have: what depends on it is undecided, in both readings' code.
TEST(SplitCounters, WavesOfUnknownSize) {
  auto inText = [](const std::string &body, const char *chip) {
    return problemsOf(cantFail(readPrograms(".text\n.globl f\n.type f,@function\nf:\n" + body, "test.s", chip)));
  };
  auto inObject = [](const std::string &body, const char *chip) {
    const std::string object = cantFail(assembleObject(*cantFail(Isa::get(chip)),
                                                       ".text\n.globl f\n.type "
                                                       "f,@function\nf:\n" +
                                                           body,
                                                       "test.s", TextFrom::User));
    return problemsOf(cantFail(readPrograms(object, "test.o", chip)));
  };
  const std::string end = "  s_setpc_b64 s[30:31]\n";
  for (const char *body :
       {"  v_cmp_eq_u32_e64 s4, v0, v1\n", "  v_cndmask_b32_e64 v0, v1, v2, s4\n", "  v_add_co_u32 v0, s4, v1, v2\n",
        "  v_cndmask_b32_e32 v0, v1, v2, vcc_lo\n", "  s_mov_b32 exec_lo, 1\n", "  s_and_saveexec_b32 s0, s1\n",
        "  v_cmpx_eq_u32_e32 v0, v1\n", "  v_mbcnt_lo_u32_b32 v0, -1, 0\n"}) {
    EXPECT_EQ(inObject(body + end, rdna4).size(), 1u) << body;
    EXPECT_EQ(inObject(body + end, cdna5), nothing) << "all its waves have 32";
  }
  // Text has less that means something in both.
  EXPECT_EQ(inText("  v_cmp_eq_u32_e64 s4, v0, v1\n" + end, rdna4), nothing);
  EXPECT_EQ(inText("  v_add_co_ci_u32 v0, v1, v2\n" + end, rdna4).size(), 1u);
  EXPECT_EQ(inText("  s_mov_b32 exec_lo, 1\n" + end, rdna4).size(), 1u);
  const std::string same = "  global_load_b32 v2, v[0:1], off\n  s_wait_loadcnt 0x0\n  v_add_f32_e32 v2, v2, v3\n";
  EXPECT_EQ(inText(same + end, rdna4), nothing);
  EXPECT_EQ(inObject(same + end, rdna4), nothing);
  // A kernel says it.
  EXPECT_EQ(verify(*read(kernel("  v_add_co_ci_u32 v0, v1, v2\n  s_endpgm\n", 0, 32, rdna4), rdna4)).problems, nothing);
}

// LLVM has found that a load of one half of a register may write the other; older code doesn't wait for it.
TEST(SplitCounters, HalvesOfARegisterAreApartForAllButLlvm) {
  auto found = [](const std::string &use, const char *chip) {
    const std::vector<std::string> all = findings("  global_load_d16_b16 v1, v[2:3], off\n  s_nop 0\n"
                                                  "  global_load_d16_hi_b16 v1, v[4:5], off\n" +
                                                      use + "  s_endpgm\n",
                                                  0, chip, 32);
    return all.empty() ? std::string() : all.back().substr(3, all.back().find(':', 3) - 3);
  };
  for (const char *chip : {rdna4, cdna5}) {
    EXPECT_EQ(found("  s_wait_loadcnt 0x1\n  global_store_b16 v[6:7], v1, off\n", chip), "undecided");
    EXPECT_EQ(found("  s_wait_loadcnt 0x1\n  global_store_d16_hi_b16 v[6:7], v1, off\n", chip), "missing-wait");
    EXPECT_EQ(found("  s_wait_loadcnt 0x0\n  global_store_b16 v[6:7], v1, off\n", chip), "");
    EXPECT_EQ(found("  s_wait_loadcnt 0x1\n  global_store_b32 v[6:7], v1, off\n", chip), "missing-wait");
  }
}

// Of gfx9 it is known that a full counter lets nothing be issued. LLVM waits for one less than the most.
TEST(SplitCounters, MoreThanACounterCountsIsUndecided) {
  auto rule = [](unsigned later, const char *chip) {
    std::string body = "  ds_load_b32 v1, v0\n";
    while (later-- > 0)
      body += "  ds_load_b32 v2, v0\n";
    const std::vector<std::string> all = findings(body + "  v_mov_b32_e32 v3, v1\n  s_endpgm\n", 0, chip, 32);
    return all.empty() ? std::string()
                       : all[0].substr(all[0].find(' ') + 1, all[0].find(':', 5) - all[0].find(' ') - 1);
  };
  for (const char *chip : {rdna35, rdna4, cdna5}) {
    EXPECT_EQ(rule(62, chip), "missing-wait") << chip;
    EXPECT_EQ(rule(63, chip), "undecided") << chip;
  }
}

// Zeros between functions are v_illegal. A jump to anywhere leads to code that nothing else leads to, but not there.
TEST(SplitCounters, WhatPadsFunctionsIsNoCode) {
  const std::string jump = "  s_load_b32 s6, s[2:3], 0x0\n  s_setpc_b64 s[4:5]\n";
  for (const char *chip : {rdna35, rdna4, cdna5}) {
    const std::vector<std::string> without = findings(jump, 0, chip, 32);
    EXPECT_EQ(findings(jump + "  v_illegal\n  v_illegal\n  s_code_end\n", 0, chip, 32), without) << chip;
    EXPECT_NE(findings(jump + "  s_mov_b32 s7, s6\n  s_endpgm\n", 0, chip, 32), without) << chip;
  }
}

TEST(SplitCounters, WhatIsNotFollowedIsSaid) {
  auto problems = [](const std::string &body, const char *chip) {
    std::unique_ptr<Program> program = read(kernel(body, 0, 32, chip), chip);
    return program ? verify(*program).problems : std::vector<std::string>();
  };
  auto first = [&](const std::string &body, const char *chip) {
    const std::vector<std::string> all = problems(body, chip);
    return all.size() == 1 ? all.front() : std::to_string(all.size()) + " problems";
  };
  EXPECT_NE(
      first("  s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 1\n  v_mov_b32_e32 v0, 0\n  s_endpgm\n", cdna5)
          .find("SCHED_MODE"),
      std::string::npos);
  for (const char *chip : {rdna4, cdna5})
    for (const char *named : {"s_barrier_signal m0", "s_mov_b32 m0, s4\n  s_barrier_signal_isfirst m0",
                              "s_barrier_signal 0", "s_mov_b32 m0, 63\n  s_barrier_signal m0"})
      EXPECT_NE(first("  " + std::string(named) + "\n  s_endpgm\n", chip).find("a barrier that M0 names"),
                std::string::npos)
          << named;
  for (const char *chip : {rdna4, cdna5})
    for (const char *named :
         {"s_barrier_signal 3", "s_mov_b32 m0, 0x40003\n  s_barrier_signal m0", "s_barrier_signal_isfirst 1",
          "s_barrier_wait 3", "s_barrier_init 1", "s_barrier_init m0", "s_barrier_join 1", "s_barrier_join m0",
          "s_barrier_leave", "s_get_barrier_state s0, 1", "s_get_barrier_state s0, m0"})
      EXPECT_EQ(problems("  " + std::string(named) + "\n  s_endpgm\n", chip), nothing) << named;
  EXPECT_EQ(problems("  s_wakeup_barrier 1\n  s_endpgm\n", cdna5), nothing);
  EXPECT_NE(first("  ds_atomic_async_barrier_arrive_b64 v1\n  s_endpgm\n", cdna5).find("barriers in LDS"),
            std::string::npos);
  EXPECT_NE(first("  exp mrt0 v0, v1, v2, v3 done\n  s_endpgm\n", rdna4).find("exports"), std::string::npos);
  EXPECT_EQ(problems("  s_barrier_signal -1\n  s_barrier_wait -1\n  s_endpgm\n", rdna4), nothing);
  EXPECT_EQ(problems("  s_barrier_signal_isfirst -3\n  s_barrier_wait -3\n  s_endpgm\n", cdna5), nothing);
  EXPECT_EQ(problems("  s_barrier\n  s_endpgm\n", rdna35), nothing);
}

} // namespace
