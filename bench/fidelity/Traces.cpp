// One wave of an MI350X against thread traces of it, and what waves wait for at their begin and end.
#include "Kernels.h"

using namespace inflight::machine::test;
using namespace inflight;

namespace inflight::fidelity {

namespace {

const char att[] = "jhinpan/flydsl-kernel-profiling-lib, 22 thread traces of MI350X",
           sqtt[] = "tinygrad, SQTT traces of MI350X";

TimedSnippet mi350x(const std::string &body, unsigned waves = 1) {
  TimedSnippet snippet{.chip = "gfx950", .body = body, .waves = waves};
  snippet.options.device = "MI350X";
  snippet.directives = ".amdhsa_group_segment_fixed_size 65536\n";
  return snippet;
}

/// Cycles from the issue of the last instruction before `until` to the issue of that one.
double step(const std::string &before, const std::string &until) {
  const Recording r = runTimed(mi350x("v_mov_b32 v5, 0\nv_mov_b32 v6, 0\ns_nop 7\n" + before + "\n" + until));
  const auto &all = r.instructions;
  // The last instruction is s_endpgm.
  return double(all[all.size() - 2].issued - all[all.size() - 3].issued);
}

/// From the issue of an operation to the end of the wait for it.
double waitedFor(const std::string &operation) {
  const Recording r = runTimed(
      mi350x("v_lshlrev_b32 v5, 4, v0\nv_lshlrev_b32 v4, 2, v0\ns_nop 7\n" + operation + "\ns_waitcnt lgkmcnt(0)"));
  const auto &all = r.instructions;
  return double(all.back().issued - all[all.size() - 3].issued);
}

double scalarHit() {
  const Recording r = runTimed(mi350x("s_load_dword s4, s[0:1], 0x0\ns_waitcnt lgkmcnt(0)"));
  const auto &all = r.instructions;
  return double(all.back().issued - all[all.size() - 3].issued);
}

double takenBranch() {
  const Recording r = runTimed(mi350x("s_nop 7\ns_branch .Lnext\ns_nop 0\n.Lnext:\nv_mov_b32 v5, 0"));
  const auto &all = r.instructions;
  return double(all[all.size() - 2].issued - all[all.size() - 3].issued);
}

double lastAtBarrier() {
  const Recording r = runTimed(mi350x("s_barrier\ns_nop 0", 4));
  double least = 1e9;
  for (int wave = 0; wave < 4; ++wave) {
    const auto barriers = r.of("s_barrier", wave), after = r.of("s_nop", wave);
    least = std::min(least, double(after[0].issued - barriers[0].arrived));
  }
  return least;
}

double firstIssue(machine::timed::CacheState caches) {
  TimedSnippet snippet = mi350x("");
  snippet.options.caches = caches;
  const Recording r = runTimed(snippet);
  return double(r.instructions[0].issued - r.begins[0].time);
}

double afterEnd(const std::string &body) {
  const Recording r = runTimed(mi350x(body));
  return double(r.ends[0].time - r.instructions.back().issued);
}

/// Between the begins of waves `first` and `second` of a grid that fills the device.
double launchSpacing(unsigned first, unsigned second) {
  TimedSnippet snippet = mi350x("s_nop 0", 4);
  snippet.workgroups = 256 * 4;
  const Recording r = runTimed(snippet);
  return double(r.begins[second].time - r.begins[first].time);
}

std::vector<Row> transitions() {
  const char valu[] = "v_add_f32 v7, v5, v6", lds[] = "ds_read_b32 v8, v5", load[] = "global_load_dword v8, v5, s[2:3]";
  const char mfma32[] = "v_mfma_f32_32x32x16_f16 v[16:31], v[32:35], v[36:39], v[16:31]",
             mfma16[] = "v_mfma_f32_16x16x32_f16 v[16:19], v[32:35], v[36:39], v[16:19]";
  constexpr auto fit = Origin::Input, heldOut = Origin::Prediction;
  return {
      {"VALU, then LDS", step(valu, lds), 12, "clk", fit, att},
      {"VALU, then VMEM", step(valu, load), 12, "clk", fit, att},
      {"packed singles, then LDS", step("v_pk_mul_f32 v[6:7], v[6:7], v[6:7]", lds), 12, "clk", heldOut, att},
      {"transcendental, then LDS", step("v_exp_f32 v7, v6", lds), 16, "clk", heldOut, att},
      {"transcendental, then VALU", step("v_exp_f32 v7, v6", valu), 8, "clk", fit, att},
      {"v_cmp, then SALU", step("v_cmp_eq_u32 vcc, v5, v6", "s_mov_b32 s8, 0"), 20, "clk", fit, att},
      {"v_readfirstlane, then SALU", step("v_readfirstlane_b32 s9, v5", "s_mov_b32 s8, 0"), 20, "clk", fit, att},
      {"v_cmp, then a branch", step("v_cmp_eq_u32 vcc, v5, v6", "s_cbranch_vccz .Lnext\n.Lnext:"), 24, "clk", fit, att},
      {"v_cmp, then VALU", step("v_cmp_eq_u32 vcc, v5, v6", "v_cndmask_b32 v7, v5, v6, vcc"), 4, "clk", heldOut, att},
      {"s_cmp, then a branch", step("s_cmp_eq_u32 s8, 0", "s_cbranch_scc1 .Lnext\n.Lnext:"), 8, "clk", fit, att},
      {"SALU, then VMEM", step("s_mov_b32 s8, 0", load), 8, "clk", fit, att},
      {"SALU, then VALU", step("s_mov_b32 s8, 0", valu), 4, "clk", heldOut, att},
      {"MFMA 32x32x16, then LDS", step(mfma32, lds), 8, "clk", fit, att},
      {"MFMA 16x16x32, then VMEM", step(mfma16, load), 8, "clk", fit, att},
      {"MFMA 32x32x16, then VALU", step(mfma32, valu), 8, "clk", fit, att},
      {"MFMA 16x16x32, then another one",
       step(mfma16, "v_mfma_f32_16x16x32_f16 v[20:23], v[32:35], v[36:39], v[20:23]"), 16, "clk", fit, att},
      {"v_permlane32_swap, then VALU", step("v_permlane32_swap_b32 v5, v6", valu), 8, "clk", fit, att},
      {"LDS, then VMEM", step(lds, load), 4, "clk", heldOut, att},
      {"VMEM, then VALU", step(load, valu), 4, "clk", heldOut, att},
      {"8-byte VALU, then VALU", step("v_fma_f32 v7, v5, v6, v6", valu), 4, "clk", heldOut, att},
      {"ds_bpermute, then VALU", step("ds_bpermute_b32 v8, v5, v6", valu), 8, "clk", heldOut, att},
      {"s_nop 3, then VALU", step("s_nop 3", valu), 4, "clk", heldOut, att},
      {"taken branch", takenBranch(), 20, "clk", fit, att},
  };
}

std::vector<Row> results() {
  constexpr auto fit = Origin::Input, heldOut = Origin::Prediction;
  return {
      {"s_load, scalar cache hit", scalarHit(), 40, "clk", fit, att},
      {"ds_read_b32", waitedFor("ds_read_b32 v8, v4"), 52, "clk", fit, att},
      {"ds_read_b128", waitedFor("ds_read_b128 v[8:11], v5"), 52, "clk", fit, att, 8, "52 to 56 there"},
      {"ds_swizzle_b32", waitedFor("ds_swizzle_b32 v8, v5 offset:0x1f"), 52, "clk", heldOut, att},
      {"ds_bpermute_b32", waitedFor("ds_bpermute_b32 v8, v5, v5"), 56, "clk", heldOut, att, 8, "56 to 60 there"},
      {"ds_write_b32", waitedFor("ds_write_b32 v4, v6"), 56, "clk", fit, att},
      {"ds_write_b64", waitedFor("ds_write_b64 v4, v[6:7]"), 60, "clk", fit, att},
      {"ds_write_b128", waitedFor("ds_write_b128 v5, v[8:11]"), 72, "clk", fit, att},
  };
}

std::vector<Row> waves() {
  using machine::timed::CacheState;
  constexpr auto fit = Origin::Input, heldOut = Origin::Prediction;
  return {
      {"first issue, code in the instruction cache", firstIssue(CacheState::Code), 32, "clk", fit, att},
      {"first issue, first launch", firstIssue(CacheState::Cold), 716, "clk", fit, sqtt},
      {"end of a wave without stores", afterEnd("s_nop 0"), 20, "clk", fit, att, 25, "16 to 24 there"},
      {"end of a wave after a store, L2 idle", afterEnd("v_mov_b32 v5, 0\nglobal_store_dword v5, v5, s[2:3]"), 240,
       "clk", heldOut, sqtt, 24, "184 to 280 there"},
      {"waves of a workgroup", launchSpacing(0, 1), 4, "clk", fit, att, 100, "0 to 8 there"},
      {"workgroups of a unit at the kernel's begin", launchSpacing(0, 4), 128, "clk", fit, att, 5, "124 to 132 there"},
      {"s_barrier of the last of four waves", lastAtBarrier(), 8, "clk", fit, att},
  };
}

const Topic one("Thread traces: from one instruction's issue to the next one's", transitions);
const Topic two("Thread traces: from issue to the wait's end", results);
const Topic three("Thread traces: begin and end of waves", waves);

} // namespace

} // namespace inflight::fidelity
