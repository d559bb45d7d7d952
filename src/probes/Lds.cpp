// LDS: latency, throughput, bank conflicts, queue, DMA.
#include "probes/Probe.h"
#include "probes/Works.h"

using namespace llvm;

namespace inflight::probes {

namespace {
struct Op {
  const char *name, *text;
  unsigned bytes;     ///< of a lane
  bool chains = true; ///< returns what the next address can be
};
} // namespace

void measureLds(Bench &bench, Report &report) {
  static const Op ops[] = {
      {"ds_read_b32", "ds_read_b32 v[D], v[A]", 4},
      {"ds_read_b64", "ds_read_b64 v[D:D+1], v[A]", 8},
      {"ds_read_b96", "ds_read_b96 v[D:D+2], v[A]", 12},
      {"ds_read_b128", "ds_read_b128 v[D:D+3], v[A]", 16},
      {"ds_read2_b32", "ds_read2_b32 v[D:D+1], v[A] offset1:1", 8},
      {"ds_read2_b64", "ds_read2_b64 v[D:D+3], v[A] offset1:1", 16},
      {"ds_read_u8", "ds_read_u8 v[D], v[A]", 4, false},
      {"ds_write_b32", "ds_write_b32 v[A], v[D]", 4, false},
      {"ds_write_b64", "ds_write_b64 v[A], v[D:D+1]", 8, false},
      {"ds_write_b96", "ds_write_b96 v[A], v[D:D+2]", 12, false},
      {"ds_write_b128", "ds_write_b128 v[A], v[D:D+3]", 16, false},
      {"ds_add_u32", "ds_add_u32 v[A], v9", 4, false},
      {"ds_add_rtn_u32", "ds_add_rtn_u32 v[D], v[A], v10", 4},
      {"ds_bpermute_b32", "ds_bpermute_b32 v[D], v[A], v9", 4},
      {"ds_permute_b32", "ds_permute_b32 v[D], v[A], v9", 4},
      {"ds_swizzle_b32", "ds_swizzle_b32 v[D], v[A] offset:0x041f", 4},
  };
  Table table{"", {"instruction", "latency", "one wave", "four SIMDs, each", "bytes per cycle"}, {}};
  for (const Op &op : ops) {
    const double full = bench.each(ldsWork(op.text, false, op.bytes, 8), 32, 96) / 8;
    table.rows.push_back({op.name, op.chains ? Cell(bench.each(ldsWork(op.text, true, op.bytes))) : Cell("-"),
                          bench.each(ldsWork(op.text, false, op.bytes), 32, 96), full,
                          full > 0 ? 64 * op.bytes / full : 0});
  }
  report.tables.push_back(std::move(table));
}

void measureLdsStride(Bench &bench, Report &report) {
  static const Op ops[] = {
      {"read b32", "ds_read_b32 v[D], v[A]", 4},        {"read b64", "ds_read_b64 v[D:D+1], v[A]", 8},
      {"read b96", "ds_read_b96 v[D:D+2], v[A]", 12},   {"read b128", "ds_read_b128 v[D:D+3], v[A]", 16},
      {"write b32", "ds_write_b32 v[A], v[D]", 4},      {"write b64", "ds_write_b64 v[A], v[D:D+1]", 8},
      {"write b96", "ds_write_b96 v[A], v[D:D+2]", 12}, {"write b128", "ds_write_b128 v[A], v[D:D+3]", 16},
  };
  Table table{"cycles each, one wave", {"stride in bytes"}, {}};
  for (const Op &op : ops)
    table.columns.push_back(op.name);
  for (unsigned stride : {0, 4, 8, 12, 16, 20, 24, 32, 48, 64, 68, 80, 128, 132, 144, 256, 260, 272, 512}) {
    std::vector<Cell> row = {double(stride)};
    for (const Op &op : ops)
      // Alignment: 8 for two registers, 16 for more.
      row.push_back(stride % (op.bytes == 12 ? 16 : op.bytes)
                        ? Cell("-")
                        : Cell(bench.each(ldsStrideWork(op.text, stride), 32, 64)));
    table.rows.push_back(std::move(row));
  }
  report.tables.push_back(std::move(table));
}

void measureLdsQueue(Bench &bench, Report &report) {
  constexpr unsigned stride = 256; // one bank for all lanes, with 32 banks or 64
  Curve curve{"", "N", "cycles", {{"", {}}}};
  Table table{"", {"N", "cycles until it has issued", "more than the one before"}, {}};
  double before = bench.cycles(ldsQueueWork(stride).with("COUNT", 0));
  const double empty = before;
  for (unsigned count = 1; count <= 20; ++count) {
    const double now = bench.cycles(ldsQueueWork(stride).with("COUNT", count));
    table.rows.push_back({double(count), now - empty, now - before});
    curve.series[0].points.push_back({count, now - empty});
    before = now;
  }
  report.tables.push_back(std::move(table));
  report.curves.push_back(std::move(curve));
}

void measureLdsDma(Bench &bench, Report &report) {
  Table table{"", {"instruction", "latency", "cycles each"}, {}};
  for (auto [name, text, bytes] :
       {std::tuple("buffer_load_dword lds", "buffer_load_dword v8, s[20:23], 0 offen lds", 4u),
        {"buffer_load_dwordx4 lds", "buffer_load_dwordx4 v8, s[20:23], 0 offen lds", 16u}})
    if (bytes <= bench.target().maxLdsDmaBytes)
      table.rows.push_back(
          {name, bench.each(ldsDmaWork(text, true, bytes)), bench.each(ldsDmaWork(text, false, bytes))});
  report.tables.push_back(std::move(table));
}

} // namespace inflight::probes
