// Instructions that may not execute, and those that touch other registers than they name.
#include "Assembly.h"

using namespace inflight::waits;
using namespace inflight::waits::test;

namespace {

using Findings = std::vector<std::string>;

// A store that is skipped isn't counted: after it the load may still be the youngest operation.
TEST(Skip, SkippedStoreMakesNothingOlder) {
  EXPECT_EQ(findings("  global_load_dword v10, v[0:1], off\n  s_setvskip 1, 0\n  global_store_dword v[2:3], v4, off\n  "
                     "s_setvskip 0, 0\n  s_waitcnt vmcnt(1)\n"
                     "  v_mov_b32_e32 v3, v10\n  s_endpgm\n"),
            Findings{"6: missing-wait: s_waitcnt vmcnt(0) before it"});
}

TEST(Skip, WhatMayBeSkippedIsUndecided) {
  EXPECT_EQ(findings("  global_load_dword v10, v[0:1], off\n  s_setvskip s20, 0\n  global_store_dword v[2:3], v4, "
                     "off\n  s_setvskip 0, 0\n  s_waitcnt vmcnt(1)\n"
                     "  v_mov_b32_e32 v3, v10\n  s_endpgm\n"),
            Findings{"6: undecided: s_waitcnt vmcnt(0) before it"});
}

TEST(Skip, MissingWhetherSkippedOrNot) {
  EXPECT_EQ(findings("  s_setvskip s20, 0\n  global_store_dword v[2:3], v4, off\n  s_setvskip 0, 0\n  "
                     "global_load_dword v10, v[0:1], off\n"
                     "  v_mov_b32_e32 v3, v10\n  s_endpgm\n"),
            Findings{"5: missing-wait: s_waitcnt vmcnt(0) before it"});
}

TEST(Skip, OfLds) {
  EXPECT_EQ(findings("  ds_read_b32 v10, v0\n  s_setvskip s20, 0\n  ds_write_b32 v1, v4\n  s_setvskip 0, 0\n  "
                     "s_waitcnt lgkmcnt(1)\n  v_mov_b32_e32 v3, v10\n  s_endpgm\n",
                     1024),
            Findings{"6: undecided: s_waitcnt lgkmcnt(0) before it"});
}

// It may be in flight all the same.
TEST(Skip, LoadThatMayBeSkippedMayBeInFlight) {
  EXPECT_EQ(findings("  s_setvskip s20, 0\n  global_load_dword v10, v[0:1], off\n  s_setvskip 0, 0\n  v_mov_b32_e32 "
                     "v3, v10\n  s_endpgm\n"),
            Findings{"4: missing-wait: s_waitcnt vmcnt(0) before it"});
  EXPECT_EQ(findings("  s_setvskip 1, 0\n  global_load_dword v10, v[0:1], off\n  s_setvskip 0, 0\n  v_mov_b32_e32 v3, "
                     "v10\n  s_endpgm\n"),
            Findings{});
}

// As mixture-of-experts kernels leave out the atomics of rows that are padding: three loads, up to two atomics, the
// first two loads' results.
TEST(Skip, RelaxCountsWhatIsIssuedForCertain) {
  const char *body = R"(
  global_load_dword v10, v[0:1], off
  global_load_dword v11, v[0:1], off offset:4
  global_load_dword v12, v[0:1], off offset:8
  s_setvskip s20, 0
  global_atomic_pk_add_bf16 v2, v4, s[8:9]
  s_setvskip 0, 0
  s_setvskip s20, 1
  global_atomic_pk_add_bf16 v3, v4, s[8:9]
  s_setvskip 0, 0
  s_waitcnt vmcnt(1)
  v_add_f32_e32 v5, v10, v11
  s_endpgm
)";
  EXPECT_EQ(replanned(body, Goal::Relax), body);
  EXPECT_EQ(replanned(body, Goal::Insert), body);
}

// In a loop of which one path skips: what holds at its head is both.
TEST(Skip, ModeOfSeveralPaths) {
  EXPECT_EQ(findings(R"(  s_cbranch_scc0 on
  s_setvskip 1, 0
on:
  global_load_dword v10, v[0:1], off
  s_setvskip 0, 0
  v_mov_b32_e32 v3, v10
  s_endpgm
)"),
            Findings{"6: missing-wait: s_waitcnt vmcnt(0) before it"});
}

TEST(Index, SourceAtAConstantDistance) {
  EXPECT_EQ(findings("  global_load_dword v12, v[0:1], off\n  s_set_gpr_idx_on 2, gpr_idx(SRC0)\n  v_mov_b32_e32 v3, "
                     "v10\n  s_set_gpr_idx_off\n  s_waitcnt vmcnt(0)\n"
                     "  v_mov_b32_e32 v4, v12\n  s_endpgm\n"),
            Findings{"3: undecided: s_waitcnt vmcnt(0) before it"});
  EXPECT_EQ(findings("  global_load_dword v13, v[0:1], off\n  s_set_gpr_idx_on 2, gpr_idx(SRC0)\n  v_mov_b32_e32 v3, "
                     "v10\n  s_set_gpr_idx_off\n  s_waitcnt vmcnt(0)\n"
                     "  v_mov_b32_e32 v4, v13\n  s_endpgm\n"),
            Findings{});
}

TEST(Index, SourceAnywhereAfter) {
  EXPECT_EQ(findings("  global_load_dword v13, v[0:1], off\n  s_set_gpr_idx_on s20, gpr_idx(SRC0)\n  v_mov_b32_e32 v3, "
                     "v10\n  s_set_gpr_idx_off\n  s_endpgm\n"),
            Findings{"3: undecided: s_waitcnt vmcnt(0) before it"});
  EXPECT_EQ(findings("  global_load_dword v9, v[0:1], off\n  s_set_gpr_idx_on s20, gpr_idx(SRC0)\n  v_mov_b32_e32 v3, "
                     "v10\n  s_set_gpr_idx_off\n  s_endpgm\n"),
            Findings{});
}

/// v10 and as many registers on as `index` says, which leaves s20; a load to `loaded` is in flight.
std::string readsBy(const std::string &index, const std::string &loaded) {
  return index + "  global_load_dword " + loaded +
         ", v[4:5], off\n  s_set_gpr_idx_on s20, gpr_idx(SRC0)\n  v_mov_b32_e32 v3, v10\n  s_set_gpr_idx_off\n"
         "  s_endpgm\n";
}

// The wave's number times 4: the greatest workgroup says how far that goes.
TEST(Index, NoFurtherThanTheLastWave) {
  const std::string byWave = "  v_lshrrev_b32_e32 v3, 6, v0\n  v_readfirstlane_b32 s7, v3\n  s_lshl_b32 s20, s7, 2\n";
  auto found = [&](const std::string &index, const char *loaded, unsigned lanes) {
    return !findings(readsBy(index, loaded), 0, "gfx942", lanes).empty();
  };
  EXPECT_TRUE(found(byWave, "v22", 256));
  EXPECT_FALSE(found(byWave, "v23", 256));
  EXPECT_FALSE(found(byWave, "v9", 256));
  EXPECT_TRUE(found(byWave, "v23", 512));
  EXPECT_TRUE(found("  s_and_b32 s20, s6, 12\n", "v22", 256));
  EXPECT_FALSE(found("  s_and_b32 s20, s6, 12\n", "v23", 256));
}

TEST(Index, WhatMayGoFurther) {
  for (const char *index :
       {"  s_lshl_b32 s20, s6, 2\n",                                               // an argument
        "  s_load_dword s20, s[0:1], 0x0\n  s_waitcnt lgkmcnt(0)\n",               // of memory
        "  s_and_b32 s20, s6, 12\n  s_add_u32 s20, s20, 1\n",                      // one more
        "  s_and_b32 s20, s6, 12\n  s_addk_i32 s20, 0x100\n  s_addk_i32 s20, 1\n", // the lower eight bits count
        // counted in a loop
        "  s_mov_b32 s20, 0\n.Lagain:\n  s_add_u32 s20, s20, 1\n  s_cmp_lt_u32 s20, s6\n  s_cbranch_scc1 .Lagain\n",
        // on one of two paths
        "  s_and_b32 s20, s6, 12\n  s_cbranch_vccz .Lon\n  s_add_u32 s20, s6, 4\n.Lon:\n",
        // which lanes have the wave's number isn't known
        "  s_mov_b64 exec, s[8:9]\n  v_lshrrev_b32_e32 v6, 6, v0\n  s_mov_b64 exec, s[10:11]\n"
        "  v_readfirstlane_b32 s7, v6\n  s_lshl_b32 s20, s7, 2\n"})
    EXPECT_EQ(findings(readsBy(index, "v23"), 0, "gfx942", 256).size(), 1u) << index;
}

// The index is in M0: whoever writes that changes it.
TEST(Index, ChangedByM0) {
  EXPECT_EQ(findings("  global_load_dword v13, v[0:1], off\n  s_set_gpr_idx_on 2, gpr_idx(DST)\n  s_mov_b32 m0, s20\n  "
                     "v_mov_b32_e32 v3, v10\n  s_set_gpr_idx_off\n  s_endpgm\n"),
            Findings{"4: undecided: s_waitcnt vmcnt(0) before it"});
}

// What the program has waited for before an index that isn't known stays waited for.
TEST(Index, RelaxKeepsWhatMayBeRead) {
  const char *body = R"(
  global_load_dword v12, v[0:1], off
  s_waitcnt vmcnt(0)
  s_set_gpr_idx_on s20, gpr_idx(SRC0)
  v_mov_b32_e32 v3, v10
  s_set_gpr_idx_off
  s_endpgm
)";
  const std::string relaxed = replanned(body, Goal::Relax);
  EXPECT_LT(relaxed.find("s_waitcnt vmcnt(0)"), relaxed.find("v_mov_b32_e32 v3, v10")) << relaxed;
}

// The write may go to the address of the read: which bytes it reads isn't known any more.
TEST(Index, DestinationMayBeAnAddress) {
  const char *body = "  v_mov_b32_e32 v9, 0x400\n  s_mov_b32 m0, 0\n%s  s_mov_b32 m0, 0\n  global_load_lds_dword "
                     "v[0:1], off\n  ds_read_b32 v10, v9\n  s_endpgm\n";
  auto with = [&](const char *between) {
    std::string text = body;
    return text.replace(text.find("%s"), 2, between);
  };
  EXPECT_EQ(findings(with(""), 4096), Findings{});
  EXPECT_EQ(
      findings(with("  s_set_gpr_idx_on s20, gpr_idx(DST)\n  v_mov_b32_e32 v4, 0\n  s_set_gpr_idx_off\n"), 4096).size(),
      1u);
}

TEST(Move, SourceAtM0) {
  EXPECT_EQ(
      findings("  s_load_dword s9, s[0:1], 0x0\n  s_mov_b32 m0, 5\n  s_nop 0\n  s_movrels_b32 s3, s4\n  s_endpgm\n"),
      Findings{"4: undecided: s_waitcnt lgkmcnt(0) before it if the result is meant; else s_load_dword after it, as "
               "it comes too early"});
  EXPECT_EQ(
      findings("  s_load_dword s9, s[0:1], 0x0\n  s_mov_b32 m0, 4\n  s_nop 0\n  s_movrels_b32 s3, s4\n  s_endpgm\n"),
      Findings{});
}

TEST(Move, DestinationMayBeAnAddress) {
  const char *body = "  s_mov_b32 s5, 0x400\n  s_mov_b32 m0, s20\n  s_nop 0\n%s  v_mov_b32_e32 v9, s5\n  s_mov_b32 m0, "
                     "0\n  global_load_lds_dword v[0:1], off\n"
                     "  ds_read_b32 v10, v9\n  s_endpgm\n";
  auto with = [&](const char *between) {
    std::string text = body;
    return text.replace(text.find("%s"), 2, between);
  };
  EXPECT_EQ(findings(with(""), 4096), Findings{});
  EXPECT_EQ(findings(with("  s_movreld_b32 s4, 0\n"), 4096).size(), 1u);
}

} // namespace
