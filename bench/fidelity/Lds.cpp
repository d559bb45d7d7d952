// LDS: latencies, throughputs, bank conflicts.
#include "Kernels.h"

#include "llvm/Support/FormatVariadic.h"

using namespace inflight::machine::test;
using llvm::formatv;

namespace inflight::fidelity {

namespace {

const char pyhip[] = "tingqli/pyhip, docs/mem_latency.md, MI308X",
           rocm[] = "ROCm Compute Profiler, pipeline descriptions, LDS";
const char traces[] = "thread traces of MI350X say 52, see below: such tests, of 24 copies, are too long";
const char bench[] = "stored measurements of gfx950 instructions",
           rocRoller[] = "ROCm/rocm-libraries, rocRoller LDS model, checked there against gfx950 thread traces";

TimedSnippet withLds(const char *chip, unsigned waves = 1) {
  TimedSnippet snippet{.chip = chip, .waves = waves};
  snippet.directives =
      std::string(".amdhsa_group_segment_fixed_size ") + (std::string(chip) == "gfx950" ? "163840" : "65536") + "\n";
  return snippet;
}

/// v5: the lane's number times so many bytes.
std::string stride(unsigned bytes) {
  return formatv("v_mbcnt_lo_u32_b32 v5, -1, 0\nv_mbcnt_hi_u32_b32 v5, -1, v5\nv_mul_u32_u24 v5, {0}, v5\n", bytes);
}

const char wait[] = "s_waitcnt lgkmcnt(0)";

/// The shape of pyhip's test: one read, or eleven, between two reads of the clock.
std::vector<Row> clockedReads() {
  const TimedSnippet one = withLds("gfx942");
  auto latency = [&](const char *instruction, unsigned bytes) {
    return clocked(one, stride(bytes), std::string(instruction) + "\n" + wait);
  };
  auto rate = [&](const char *instruction, unsigned bytes) {
    return throughput(one, stride(bytes), 11, instruction, wait);
  };
  const char b32[] = "ds_read_b32 v10, v5", b128[] = "ds_read_b128 v[12:15], v5";
  return {
      {"gfx942 ds_read_b32, latency, one wave", latency(b32, 4), 52, "clk", Origin::Input, pyhip},
      {"gfx942 ds_read_b128, latency, one wave", latency(b128, 16), 64, "clk", Origin::Input, pyhip},
      {"gfx942 ds_read_b32, throughput, one wave", rate(b32, 4), 4, "clk", Origin::Prediction, pyhip},
      {"gfx942 ds_read_b128, throughput, one wave", rate(b128, 16), 16, "clk", Origin::Prediction, pyhip},
      {"gfx942 ds_read_b32, stride 8 dwords, throughput", rate(b32, 32), 16, "clk", Origin::Prediction, pyhip},
      {"gfx942 ds_read_b32, stride 32 dwords, throughput", rate(b32, 128), 64, "clk", Origin::Prediction, pyhip},
      {"gfx942 ds_read_b32, stride 32 dwords, latency", latency(b32, 128), 119, "clk", Origin::Input, pyhip},
      {"gfx942 ds_read_b32, stride 8 dwords, latency", latency(b32, 32), 120, "clk", Origin::Prediction, pyhip, 45,
       "as long as 64 lanes on one bank, which take 48 cycles more of the banks: not LDS alone; ten runs with cold "
       "code in the first"},
  };
}

/// Four waves on four SIMDs read at the same time.
std::vector<Row> allSimds() {
  std::vector<Row> rows;
  auto perInstruction = [](const char *chip, const char *instruction, unsigned bytes) {
    return throughput(withLds(chip, 4), stride(bytes), 32, instruction, wait) / 4;
  };
  rows.push_back({"gfx942 ds_read_b128, four SIMDs, a CU", perInstruction("gfx942", "ds_read_b128 v[12:15], v5", 16), 8,
                  "clk", Origin::Prediction, pyhip});
  const char geak[] = "AMD-AGI/GEAK hardware notes";
  rows.push_back({"gfx950 ds_read_b128, four SIMDs, a SIMD",
                  4 * perInstruction("gfx950", "ds_read_b128 v[12:15], v5", 16), 16, "clk", Origin::Prediction, geak});
  rows.push_back({"gfx950 ds_read_b64, four SIMDs, a SIMD", 4 * perInstruction("gfx950", "ds_read_b64 v[12:13], v5", 8),
                  8, "clk", Origin::Prediction, geak});
  return rows;
}

std::vector<Row> stores() {
  std::vector<Row> rows;
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"}) {
    rows.push_back({std::string(chip) + " store of 64 x 4 B",
                    throughput(withLds(chip), stride(4), 11, "ds_write_b32 v5, v10", wait), 8, "clk",
                    Origin::Prediction, rocm, 0});
    rows.push_back({std::string(chip) + " store of 64 x 16 B",
                    throughput(withLds(chip), stride(16), 11, "ds_write_b128 v5, v[12:15]", wait), 20, "clk",
                    Origin::Prediction, rocm, 0});
  }
  return rows;
}

/// Chains of reads whose result is the next address.
std::vector<Row> chains() {
  const TimedSnippet one = withLds("gfx950");
  auto chain = [&](const char *instruction) {
    return chained(one, "v_mov_b32 v5, 0\n", std::string(instruction) + "\n" + wait);
  };
  return {
      {"gfx950 ds_read_b32, chained", chain("ds_read_b32 v5, v5"), 84, "clk", Origin::Contradicted, bench, 5, traces},
      {"gfx950 ds_read_b64, chained", chain("ds_read_b64 v[4:5], v5"), 84, "clk", Origin::Contradicted, bench, 5,
       traces},
      {"gfx950 ds_read_b64_tr_b16, chained", chain("ds_read_b64_tr_b16 v[4:5], v5"), 84, "clk", Origin::Contradicted,
       bench, 5, traces},
      {"gfx950 ds_read_b128, chained", chain("ds_read_b128 v[4:7], v5"), 72, "clk", Origin::Contradicted, bench, 5,
       traces},
  };
}

/// Cycles of an instruction in a long row of its kind, as rocRoller's model has them: the larger of what its port takes
/// in, four cycles a dword of 64 lanes, and of what the lanes that go together want of one bank.
unsigned rocRollerCycles(bool isWrite, unsigned dwords, unsigned strideDwords) {
  const bool isWide = !isWrite && (dwords == 2 || dwords == 4);
  const unsigned banks = isWide ? 64 : 32, together = isWrite ? (dwords == 1   ? 16
                                                                 : dwords == 2 ? 8
                                                                               : 4)
                                                              : (dwords == 4 ? 8 : 16);
  unsigned cycles = 0;
  for (unsigned first = 0; first < 64; first += together) {
    std::vector<unsigned> count(banks);
    unsigned most = 0;
    for (unsigned lane = first; lane < first + together; ++lane)
      for (unsigned i = 0; i < dwords; ++i)
        most = std::max(most, ++count[(lane * strideDwords + i) % banks]);
    cycles += most;
  }
  return std::max(cycles, 4 + (isWrite ? 4 * dwords : 0));
}

std::vector<Row> strides() {
  std::vector<Row> rows;
  for (bool isWrite : {false, true})
    for (unsigned dwords : {1, 2, 4})
      for (unsigned factor : {1, 2, 4, 8, 16, 32, 64}) {
        const unsigned strideDwords = dwords * factor;
        const unsigned cycles = rocRollerCycles(isWrite, dwords, strideDwords);
        const std::string registers = dwords == 1 ? "v12" : formatv("v[12:{0}]", 11 + dwords).str();
        const std::string name = formatv("{0}_b{1}", isWrite ? "ds_write" : "ds_read", 32 * dwords);
        const std::string instruction = name + (isWrite ? " v5, " + registers : " " + registers + ", v5");
        rows.push_back({formatv("gfx950 {0}, stride {1} B", name, 4 * strideDwords),
                        throughput(withLds("gfx950"), stride(4 * strideDwords), 12, instruction, wait), double(cycles),
                        "clk", Origin::Prediction, rocRoller, 0});
      }
  return rows;
}

const Topic a("LDS, one access and eleven", clockedReads), b("LDS, all SIMDs", allSimds), c("LDS, stores", stores),
    d("LDS, chains", chains), e("LDS, strides", strides);

} // namespace

} // namespace inflight::fidelity
