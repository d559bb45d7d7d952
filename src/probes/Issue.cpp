// Issue: slots, branches, fetch, barriers, and how waves share a SIMD.
#include "probes/Probe.h"
#include "probes/Works.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace inflight::probes {

void measureClock(Bench &bench, Report &report) {
  Table table{"", {"", "MHz"}, {}};
  Work work;
  work.variant.probe = "clock";
  const Samples samples = bench.run(work.with("COUNT", 200));
  const Sample &sample = samples.at(0, 0, 1);
  constexpr double realMHz = 100; // ISA manuals, S_MEMREALTIME
  const double clockMHz = sample.extra[0] ? double(sample.end - sample.begin) * realMHz / double(sample.extra[0]) : 0;
  table.rows.push_back({"s_memrealtime, as documented", realMHz});
  table.rows.push_back({"s_memtime, by the other", clockMHz});
  report.tables.push_back(std::move(table));
  if (!bench.failed() && clockMHz < 2 * realMHz)
    report.notes.push_back("s_memtime doesn't count cycles of the shader clock here: no probe can be trusted");
}

void measureSlots(Bench &bench, Report &report) {
  Table table{"", {"instruction", "cycles"}, {}};
  for (const char *op : {"s_nop 0", "s_nop 1", "s_nop 3", "s_nop 7", "s_nop 15", "s_sleep 0", "s_sleep 1", "s_sleep 2",
                         "s_sleep 10", "s_sleep 50", "s_setprio 0", "s_waitcnt vmcnt(0)"})
    table.rows.push_back({op, bench.each(slotsWork(op), 8, 24)});
  report.tables.push_back(std::move(table));
}

namespace {
struct Op {
  const char *mnemonic, *text;
};
} // namespace

void measureValu(Bench &bench, Report &report) {
  static const Op ops[] = {
      {"v_mov_b32", "v_mov_b32 v[D], v[A]"},
      {"v_add_f32", "v_add_f32 v[D], v[A], v[A]"},
      {"v_mul_f32", "v_mul_f32 v[D], v[A], v[A]"},
      {"v_fma_f32", "v_fma_f32 v[D], v[A], v[A], v[A]"},
      {"v_pk_fma_f16", "v_pk_fma_f16 v[D], v[A], v[A], v[A]"},
      {"v_pk_add_f32", "v_pk_add_f32 v[D:D+1], v[A:A+1], v[A:A+1]"},
      {"v_pk_fma_f32", "v_pk_fma_f32 v[D:D+1], v[A:A+1], v[A:A+1], v[A:A+1]"},
      {"v_dot2_f32_f16", "v_dot2_f32_f16 v[D], v[A], v[A], v[A]"},
      {"v_add_f64", "v_add_f64 v[D:D+1], v[A:A+1], v[A:A+1]"},
      {"v_fma_f64", "v_fma_f64 v[D:D+1], v[A:A+1], v[A:A+1], v[A:A+1]"},
      {"v_add_u32", "v_add_u32 v[D], v[A], v[A]"},
      {"v_lshlrev_b64", "v_lshlrev_b64 v[D:D+1], 1, v[A:A+1]"},
      {"v_mul_u32_u24", "v_mul_u32_u24 v[D], v[A], v[A]"},
      {"v_mul_lo_u32", "v_mul_lo_u32 v[D], v[A], v[A]"},
      {"v_mul_hi_u32", "v_mul_hi_u32 v[D], v[A], v[A]"},
      {"v_mad_u64_u32", "v_mad_u64_u32 v[D:D+1], vcc, v[A], v[A], v[A:A+1]"},
      {"v_cvt_f32_u32", "v_cvt_f32_u32 v[D], v[A]"},
      {"v_cvt_f16_f32", "v_cvt_f16_f32 v[D], v[A]"},
      {"v_cvt_f64_f32", "v_cvt_f64_f32 v[D:D+1], v[A]"},
      {"v_cvt_pk_bf16_f32", "v_cvt_pk_bf16_f32 v[D], v[A], v[A]"},
      {"v_cvt_pk_fp8_f32", "v_cvt_pk_fp8_f32 v[D], v[A], v[A]"},
      {"v_cndmask_b32", "v_cndmask_b32 v[D], v[A], v[A], vcc"},
      {"v_perm_b32", "v_perm_b32 v[D], v[A], v[A], v[A]"},
      {"v_exp_f32", "v_exp_f32 v[D], v[A]"},
      {"v_log_f32", "v_log_f32 v[D], v[A]"},
      {"v_rcp_f32", "v_rcp_f32 v[D], v[A]"},
      {"v_rsq_f32", "v_rsq_f32 v[D], v[A]"},
      {"v_sqrt_f32", "v_sqrt_f32 v[D], v[A]"},
      {"v_sin_f32", "v_sin_f32 v[D], v[A]"},
      {"v_rcp_f64", "v_rcp_f64 v[D:D+1], v[A:A+1]"},
      {"v_permlane32_swap_b32", "v_permlane32_swap_b32 v[D], v[A+1]"},
  };
  Table table{"", {"instruction", "independent", "chained", "two waves per SIMD"}, {}};
  for (const Op &op : ops)
    if (hasInstruction(bench, op.mnemonic))
      table.rows.push_back({op.mnemonic, bench.each(valuWork(op.text, false)), bench.each(valuWork(op.text, true)),
                            bench.each(valuWork(op.text, false, 8)) / 2});
  report.tables.push_back(std::move(table));
}

void measureValuToScalar(Bench &bench, Report &report) {
  Table table{"", {"", "cycles"}, {}};
  table.rows.push_back({"s_nop, v_readfirstlane_b32, s_add_u32, v_mov_b32", bench.each(valuToScalarWork())});
  report.tables.push_back(std::move(table));
}

void measureSalu(Bench &bench, Report &report) {
  static const Op ops[] = {
      {"s_mov_b32", "s_mov_b32 s[D], s[A]"},
      {"s_add_u32", "s_add_u32 s[D], s[A], s[A]"},
      {"s_mul_i32", "s_mul_i32 s[D], s[A], s[A]"},
      {"s_mul_hi_u32", "s_mul_hi_u32 s[D], s[A], s[A]"},
      {"s_lshl_b64", "s_lshl_b64 s[D:D+1], s[A:A+1], 1"},
      {"s_and_b64", "s_and_b64 s[D:D+1], s[A:A+1], s[A:A+1]"},
      {"s_bcnt1_i32_b64", "s_bcnt1_i32_b64 s[D], s[A:A+1]"},
      {"s_ff1_i32_b32", "s_ff1_i32_b32 s[D], s[A]"},
      {"s_cselect_b32", "s_cselect_b32 s[D], s[A], s[A]"},
  };
  Table table{"", {"instruction", "independent", "chained"}, {}};
  for (const Op &op : ops)
    table.rows.push_back({op.mnemonic, bench.each(saluWork(op.text, false)), bench.each(saluWork(op.text, true))});
  report.tables.push_back(std::move(table));
}

void measureBranch(Bench &bench, Report &report) {
  Table table{"", {"branch", "cycles"}, {}};
  table.rows.push_back({"not taken", bench.each(branchWork(false, 0))});
  for (unsigned skipped : {0, 1, 3, 7, 15, 31})
    table.rows.push_back(
        {formatv("taken, over {0} instructions", skipped).str(), bench.each(branchWork(true, skipped))});
  report.tables.push_back(std::move(table));
}

void measureFetch(Bench &bench, Report &report) {
  Curve curve{"", "KiB of code", "cycles per line", {{"", {}}}, false};
  Table table{"", {"KiB of code", "cycles per line of 64 bytes"}, {}};
  for (unsigned kib : {4, 16, 24, 32, 40, 48, 64, 72, 80, 96}) {
    const double each = bench.cycles(fetchWork(kib * 1024)) / (kib * 16);
    table.rows.push_back({double(kib), each});
    curve.series[0].points.push_back({kib, each});
  }
  report.tables.push_back(std::move(table));
  report.curves.push_back(std::move(curve));
}

void measureBarrier(Bench &bench, Report &report) {
  Table table{"", {"waves", "cycles per barrier"}, {}};
  for (unsigned waves : {1, 2, 4, 8, 16})
    table.rows.push_back({double(waves), bench.each(barrierWork(waves), 8, 24)});
  report.tables.push_back(std::move(table));
}

void measureCoissue(Bench &bench, Report &report) {
  static const Op kinds[] = {{"VALU", "v_add_u32 v9, 1, v9"},
                             {"transcendental", "v_exp_f32 v9, v9"},
                             {"SALU", "s_add_u32 s20, s20, 1"},
                             {"LDS", "ds_read_b32 v10, v8"},
                             {"VMEM", "global_load_dword v10, v8, s[6:7]"},
                             {"branch", "s_branch 7f\n7:"},
                             {"s_nop", "s_nop 0"}};
  auto work = [](const Op &op, const Op &other, unsigned waves) {
    Work made;
    made.variant.probe = "coissue";
    made.variant.waves = waves;
    made.variant.ldsBytes = 1024;
    return made.with("OP", op.text).with("OTHER", other.text).with("SECOND", 1);
  };
  Table table{"cycles of a SIMD for one of each", {"", "alone"}, {}};
  for (const Op &kind : kinds)
    table.columns.push_back(formatv("with {0}", kind.mnemonic));
  for (const Op &kind : kinds) {
    std::vector<Cell> row = {kind.mnemonic, bench.each(work(kind, kind, 4), 16, 64)};
    for (const Op &other : kinds)
      row.push_back(bench.each(work(kind, other, 8), 16, 64));
    table.rows.push_back(std::move(row));
  }
  report.tables.push_back(std::move(table));
}

void measureFairness(Bench &bench, Report &report) {
  Work work;
  work.variant.probe = "fairness";
  work.variant.waves = 16;
  const Samples samples = bench.run(work.with("COUNT", 256));
  Table table{"the waves of one SIMD, cycles after the first begins", {"wave", "begin", "end"}, {}};
  uint64_t first = ~uint64_t(0);
  for (unsigned wave = 0; wave < 16; wave += 4)
    first = std::min(first, samples.at(0, wave, 1).begin);
  for (unsigned wave = 0; wave < 16; wave += 4)
    table.rows.push_back({double(wave), double(int64_t(samples.at(0, wave, 1).begin - first)),
                          double(int64_t(samples.at(0, wave, 1).end - first))});
  report.tables.push_back(std::move(table));
}

void measureWaves(Bench &bench, Report &report) {
  const std::vector<double> starts = waveStarts(bench, bench.run(wavesWork(bench, 16)));
  Table table{"", {"wave", "cycles after the first"}, {}};
  for (unsigned wave = 0; wave < starts.size(); ++wave)
    table.rows.push_back({double(wave), starts[wave]});
  report.tables.push_back(std::move(table));
}

/// Most workgroups that a compute unit had at the same time.
static double mostAtOnce(const Bench &bench, const Samples &samples, unsigned workgroups) {
  std::map<uint64_t, std::vector<std::pair<uint64_t, int>>> changes; // by compute unit: when one more or one less
  for (unsigned group = 0; group < workgroups; ++group) {
    if (!bench.on().hasTime(group, workgroups))
      continue;
    const Sample &sample = samples.at(group, 0, 0);
    constexpr uint64_t placeBits = 0xff00; // CU_ID, SH_ID and SE_ID of HW_ID
    const uint64_t unit = (sample.extra[0] & placeBits) | sample.extra[0] >> 32 << 16;
    changes[unit].push_back({sample.begin, 1});
    changes[unit].push_back({sample.end, -1});
  }
  int most = 0;
  for (auto &[unit, list] : changes) {
    llvm::sort(list);
    int now = 0;
    for (auto [time, change] : list)
      most = std::max(most, now += change);
  }
  return most;
}

void measureOccupancy(Bench &bench, Report &report) {
  auto most = [&](unsigned vgprs, unsigned ldsBytes) {
    Work work;
    work.variant.probe = "occupancy";
    work.variant.vgprs = vgprs;
    work.variant.ldsBytes = ldsBytes;
    work.workgroups = 40 * bench.on().computeUnits();
    return mostAtOnce(bench, bench.run(work.with("HAS_XCC", bench.target().hasXccId)), work.workgroups);
  };
  Table byRegisters{"", {"VGPRs", "waves of a compute unit"}, {}},
      byLds{"", {"bytes of LDS", "workgroups of a compute unit"}, {}};
  for (unsigned vgprs : {24, 64, 72, 80, 96, 128, 168, 256, 512})
    byRegisters.rows.push_back({double(vgprs), most(vgprs, 0)});
  for (unsigned bytes : {1024, 4096, 8192, 16384, 32768, 65536})
    byLds.rows.push_back({double(bytes), most(24, bytes)});
  report.tables = {std::move(byRegisters), std::move(byLds)};
}

} // namespace inflight::probes
