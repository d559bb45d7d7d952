// Vector and scalar memory: latency and rate by place, issue against what is in flight, order of arrival.
#include "isa/timing/TimingData.h"
#include "probes/Probe.h"
#include "probes/Works.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::probes {

void measureVmem(Bench &bench, Report &report) {
  struct Op {
    const char *name, *text;
    unsigned bytes;
  };
  static const Op ops[] = {
      {"global_load_ubyte", "global_load_ubyte v[D], v[A], s[6:7]", 1},
      {"global_load_dword", "global_load_dword v[D], v[A], s[6:7]", 4},
      {"global_load_dwordx2", "global_load_dwordx2 v[D:D+1], v[A], s[6:7]", 8},
      {"global_load_dwordx4", "global_load_dwordx4 v[D:D+3], v[A], s[6:7]", 16},
      {"global_store_dword", "global_store_dword v[A], v[D], s[6:7]", 4},
      {"global_store_dwordx4", "global_store_dwordx4 v[A], v[D:D+3], s[6:7]", 16},
      {"global_atomic_add", "global_atomic_add v[A], v9, s[6:7]", 4},
  };
  constexpr unsigned waves = 16;
  Table table{"16 waves, cycles each of the compute unit, and bytes per cycle",
              {"instruction", "L1", "bytes", "L2", "bytes", "memory", "bytes"},
              {}};
  for (const Op &op : ops) {
    const unsigned waveBytes = 64 * op.bytes, shift = Log2_32(op.bytes);
    // L1: all waves the same lines. L2: the second time that all of it is read, which is more than L1 holds. Memory:
    // each line once.
    const Work l1 = vmemWork(op.text, waves, shift, 1 << 16, 0, true);
    Work l2 = vmemWork(op.text, waves, shift, uint64_t(waves) * 96 * waveBytes, waveBytes, true);
    l2.variant.values["WAVE_BYTES"] = std::to_string(96 * waveBytes);
    const Work memory = vmemWork(op.text, waves, shift, uint64_t(1) << 28, waveBytes, false);
    std::vector<Cell> row = {op.name};
    for (const Work &work : {l1, l2, memory}) {
      const double each = bench.each(work, 48, 96) / waves;
      row.push_back(each);
      row.push_back(each > 0 ? waveBytes / each : 0);
    }
    table.rows.push_back(std::move(row));
  }
  report.tables.push_back(std::move(table));
}

void measureChase(Bench &bench, Report &report) {
  Curve curve{"", "footprint in KiB", "cycles per load", {{"", {}}}, true};
  Table table{"", {"footprint in KiB", "cycles per load"}, {}};
  for (uint64_t kib = 4; kib <= uint64_t(512) * 1024; kib *= 2) {
    // Lines are of 64 bytes in gfx90a's L1; a larger footprint takes long enough as it is.
    const double each = bench.each(chaseWork(kib * 1024, kib <= 1024 ? 64 : 128, true));
    table.rows.push_back({double(kib), each});
    curve.series[0].points.push_back({double(kib), each});
  }
  table.rows.push_back({"never touched before", bench.each(chaseWork(uint64_t(1) << 30, 4096, false))});
  report.tables.push_back(std::move(table));
  report.curves.push_back(std::move(curve));
}

/// The first load whose issue took clearly longer than that of the first ones; 0 if there is none.
static unsigned firstStall(ArrayRef<std::pair<double, double>> points) {
  for (size_t i = 3; i < points.size(); ++i) {
    const double usual = (points[2].second - points[0].second) / (points[2].first - points[0].first);
    if ((points[i].second - points[i - 1].second) / (points[i].first - points[i - 1].first) > 1.5 * usual + 1)
      return unsigned(points[i].first);
  }
  return 0;
}

void measureVmemIssue(Bench &bench, Report &report) {
  static const std::pair<Pattern, const char *> patterns[] = {
      {Pattern::Sequential, "sequential"}, {Pattern::Random, "random"}, {Pattern::Scattered, "scattered"}};
  Table stalls{"first load that waited longer than the first ones", {"waves"}, {}};
  for (const auto &[pattern, name] : patterns)
    stalls.columns.push_back(name);
  Curve curve{"one wave", "N", "cycles until the N-th has issued", {}};
  for (unsigned waves : {1, 2, 4, 8}) {
    std::vector<Cell> row = {double(waves)};
    for (const auto &[pattern, name] : patterns) {
      const Work work = vmemIssueWork(pattern, waves);
      const double empty = bench.cycles(work.with("COUNT", 0));
      Series series{name, {}};
      // Every number for one wave; with more, those at which something has been seen.
      for (unsigned count = 1; count <= 72; count += waves > 1 && count > 6 ? 3 : 1)
        series.points.push_back({count, bench.cycles(work.with("COUNT", count)) - empty});
      const unsigned stall = firstStall(series.points);
      row.push_back(stall ? Cell(double(stall)) : Cell("none"));
      if (waves == 1)
        curve.series.push_back(std::move(series));
    }
    stalls.rows.push_back(std::move(row));
  }
  report.tables.push_back(std::move(stalls));
  report.curves.push_back(std::move(curve));
}

void measureVmemArrival(Bench &bench, Report &report) {
  Curve curve{"", "Q", "cycles until vmcnt(Q)", {{"", {}}}};
  Table table{"", {"Q", "cycles", "data"}, {}};
  for (unsigned left = 0; left < 64; left += left < 8 ? 1 : left < 60 ? 4 : 1) {
    const Work work = vmemArrivalWork(left);
    const Samples samples = bench.run(work);
    bool isRight = true;
    for (unsigned sample = 0; sample < samplesPerWave; ++sample)
      isRight &= uint32_t(samples.at(0, 0, sample).extra[0]) == (sample * 64 + 63 - left) * 64;
    table.rows.push_back({double(left), samples.span(1), isRight ? "there" : "WRONG"});
    curve.series[0].points.push_back({left, samples.span(1)});
  }
  report.tables.push_back(std::move(table));
  report.curves.push_back(std::move(curve));
}

void measureSmem(Bench &bench, Report &report) {
  Curve curve{"", "footprint in KiB", "cycles per load", {{"", {}}}, true};
  Table table{"", {"footprint in KiB", "cycles per load"}, {}};
  for (uint64_t kib : {1, 2, 4, 8, 12, 16, 20, 24, 32, 64, 128}) {
    const double each = bench.each(smemWork(kib * 1024, 64, true));
    table.rows.push_back({double(kib), each});
    curve.series[0].points.push_back({double(kib), each});
  }
  report.tables.push_back(std::move(table));
  report.curves.push_back(std::move(curve));
}

void measureSmemIssue(Bench &bench, Report &report) {
  Curve curve{"", "N", "cycles until the N-th has issued", {}};
  Table table{"", {"N", "s_load_dword", "s_load_dwordx4"}, {}};
  const std::string ops[] = {"s_load_dword s[24+4*(I%16)], s[6:7], 64*I",
                             "s_load_dwordx4 s[24+4*(I%16):27+4*(I%16)], s[6:7], 64*I"};
  const char *const names[] = {"s_load_dword", "s_load_dwordx4"};
  double empty[2];
  for (unsigned i = 0; i < 2; ++i) {
    curve.series.push_back({names[i], {}});
    empty[i] = bench.cycles(smemIssueWork(ops[i]).with("COUNT", 0));
  }
  for (unsigned count = 1; count <= 24; ++count) {
    std::vector<Cell> row = {double(count)};
    for (unsigned i = 0; i < 2; ++i) {
      const double now = bench.cycles(smemIssueWork(ops[i]).with("COUNT", count)) - empty[i];
      row.push_back(now);
      curve.series[i].points.push_back({count, now});
    }
    table.rows.push_back(std::move(row));
  }
  report.tables.push_back(std::move(table));
  report.curves.push_back(std::move(curve));
}

} // namespace inflight::probes
