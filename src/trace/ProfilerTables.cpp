// What ProfilerMetrics has counted, as the panels of ROCm Compute Profiler.
#include "trace/ProfilerMetrics.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;
using namespace inflight::events;

namespace inflight::trace {

static constexpr double lanesOfWave = 64;

static std::optional<double> over(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}
static std::optional<double> percent(double part, double whole) { return over(100 * part, whole); }

template <typename Counts, typename Kind> static double of(const Counts &counts, Kind kind) {
  return double(counts[size_t(kind)]);
}

template <typename Counts> static double sum(const Counts &counts) {
  return double(std::accumulate(counts.begin(), counts.end(), uint64_t(0)));
}

/// Lines that were found farther away.
template <typename Counts> static double beyond(const Counts &lines, Level level) {
  return double(std::accumulate(lines.begin() + size_t(level) + 1, lines.end(), uint64_t(0)));
}

/// Operations as the profiler counts them: those of all lanes, also of those that EXEC masks; a packed instruction is
/// one.
template <typename Counts> static double operations(const Counts &computing, Arithmetic add) {
  const size_t first = size_t(add);
  return lanesOfWave * (double(computing[first]) + double(computing[first + 1]) + 2 * double(computing[first + 2]) +
                        double(computing[first + 3]));
}

// NOLINTNEXTLINE(readability-function-size): a table, and the sums in it
std::vector<Metric> ProfilerMetrics::metrics() const {
  const auto instructions = [&](Category category) { return of(count, category); };
  const double cycles = double(summary.cycles), cuCycles = cycles * std::max(1u, info.cus),
               simdCycles = cuCycles * std::max(1u, info.simds);
  const double perWave = double(begunWaves);
  const double quadsOfCu = cuCycles; // a CU's SIMDs have as many quad-cycles together as it has cycles, with four SIMDs
  const double allInstructions = sum(count), issuedInstructions = allInstructions - instructions(Category::Internal);
  const double issuedQuads = sum(activeQuads) - of(activeQuads, Category::Internal);
  const double valuQuads = of(activeQuads, Category::Valu) + of(activeQuads, Category::Matrix);

  const double dependencyWait =
      of(stalls, Stall::Fetch) + of(stalls, Stall::Waitcnt) + of(stalls, Stall::Barrier) + of(stalls, Stall::Sleep);
  const double issueWait = sum(stalls) - dependencyWait;

  const double l1Accesses = of(vectorLines, Level::L1) + beyond(vectorLines, Level::L1);
  const double l2Hits = of(vectorLines, Level::L2) + of(scalarLines, Level::L2);
  const double l2Misses = beyond(vectorLines, Level::L2) + beyond(scalarLines, Level::L2);
  const double scalarAccesses = of(scalarLines, Level::Scalar) + beyond(scalarLines, Level::Scalar);
  const double memoryLines = of(vectorLines, Level::Memory) + of(scalarLines, Level::Memory);
  const double uncontended = double(ldsCycles) - double(ldsConflicts);
  const double requestBytes = double(vectorRequests) * info.requestBytes;
  const double l2Bytes = (l2Hits + l2Misses) * info.lineBytes, fabricBytes = l2Misses * info.l2LineBytes;

  const double nanoseconds = info.clockMHz > 0 ? cycles * 1e3 / info.clockMHz : 0;
  const auto rate = [&](double part) { return over(part, nanoseconds); };
  const auto bytesRate = [&](double bytes, uint32_t known) { return known ? rate(bytes) : std::nullopt; };
  const double f16 = operations(computing, Arithmetic::F16Add), f32 = operations(computing, Arithmetic::F32Add),
               f64 = operations(computing, Arithmetic::F64Add);
  const double integers = lanesOfWave * (of(computing, Arithmetic::Int32) + of(computing, Arithmetic::Int64));
  const auto matrix = [&](Arithmetic type) { return of(matrixOperations, type); };
  const double matrixFlops = sum(matrixOperations) - matrix(Arithmetic::MatrixI8);
  // A lane of each SIMD's 16 a cycle, and two operations of a multiply-add.
  const std::optional<double> vectorPeak = rate(cuCycles * lanesOfWave * 2);

  std::vector<Metric> result;
  StringRef table;
  const auto add = [&](StringRef name, StringRef unit, std::optional<double> value,
                       std::optional<double> peak = std::nullopt, std::optional<double> model = std::nullopt) {
    result.push_back({table, name, unit, value, peak, model});
  };
  const auto addRate = [&](StringRef name, StringRef unit, Arithmetic type) {
    // What the kernel's own instructions reach in matrix cores that are never idle.
    add(name, unit, rate(matrix(type)), over(matrix(type) * simdCycles, of(matrixCycles, type) * nanoseconds));
  };
  const auto addRates = [&](StringRef integerMatrix) {
    add("VALU FLOPs", "GFLOP", rate(f16 + f32 + f64), vectorPeak, rate(double(laneFlops)));
    add("VALU IOPs", "GIOP", rate(integers), vectorPeak, rate(double(laneIops)));
    addRate("MFMA FLOPs (F8)", "GFLOP", Arithmetic::MatrixF8);
    addRate("MFMA FLOPs (BF16)", "GFLOP", Arithmetic::MatrixBf16);
    addRate("MFMA FLOPs (F16)", "GFLOP", Arithmetic::MatrixF16);
    addRate("MFMA FLOPs (XF32)", "GFLOP", Arithmetic::MatrixXf32);
    addRate("MFMA FLOPs (F32)", "GFLOP", Arithmetic::MatrixF32);
    addRate("MFMA FLOPs (F64)", "GFLOP", Arithmetic::MatrixF64);
    addRate(integerMatrix, "GIOP", Arithmetic::MatrixI8);
  };
  const auto addUtilizations = [&] {
    constexpr double all = 100;
    add("SALU Utilization", "pct",
        percent(of(activeQuads, Category::Salu) + of(activeQuads, Category::Smem), quadsOfCu), all);
    add("VALU Utilization", "pct", percent(valuQuads, quadsOfCu), all);
    add("MFMA Utilization", "pct", percent(double(matrixBusy), simdCycles), all);
    add("VMEM Utilization", "pct",
        percent(of(activeQuads, Category::Vmem) + of(activeQuads, Category::Flat), quadsOfCu), all);
    add("Branch Utilization", "pct", percent(of(activeQuads, Category::Branch), quadsOfCu), all);
    add("VALU Active Threads", "Threads", over(double(valuThreadQuads), valuQuads), lanesOfWave);
  };
  const auto perWaveOf = [&](double part) { return over(part, perWave); };
  const std::optional<double> l1HitRate = percent(of(vectorLines, Level::L1), l1Accesses),
                              l2HitRate = percent(l2Hits, l2Hits + l2Misses),
                              scalarHitRate = percent(of(scalarLines, Level::Scalar), scalarAccesses);

  table = "2.1 System Speed-of-Light";
  addRates("MFMA IOPs (Int8)");
  add("Active CUs", "CUs", double(cus.size()), double(info.cus));
  addUtilizations();
  add("IPC", "Instr/cycle", over(allInstructions, double(busyCuCycles)));
  add("Wavefront Occupancy", "Wavefronts", over(double(waveCycles), cycles),
      double(info.cus) * info.simds * info.slotsPerSimd);
  add("LDS Bank Conflicts/Access", "Conflicts/access", over(double(ldsConflicts), uncontended));
  add("vL1D Cache Hit Rate", "pct", l1HitRate, 100.0);
  add("vL1D Cache BW", "GB/s", bytesRate(requestBytes, info.requestBytes), std::nullopt, rate(double(vectorBytes)));
  add("L2 Cache Hit Rate", "pct", l2HitRate, 100.0);
  add("L2 Cache BW", "GB/s", bytesRate(l2Bytes, info.lineBytes));
  add("L2-Fabric Read BW", "GB/s", bytesRate(fabricBytes, info.l2LineBytes), std::nullopt,
      bytesRate(memoryLines * info.l2LineBytes, info.l2LineBytes));
  add("sL1D Cache Hit Rate", "pct", scalarHitRate, 100.0);

  table = "6.1 Workgroup Manager Utilizations";
  add("SIMD Utilization", "Pct", percent(double(busyCuCycles), cuCycles), 100.0);
  add("Dispatched Workgroups", "Workgroups", double(summary.workgroups));
  add("Dispatched Wavefronts", "Wavefronts", perWave);

  table = "6.2 Workgroup Manager - Resource Allocation";
  static constexpr std::pair<StringLiteral, StringLiteral> resources[] = {{"Insufficient SIMD Waveslots", "wave slots"},
                                                                          {"Insufficient SIMD VGPRs", "VGPRs"},
                                                                          {"Insufficient SIMD SGPRs", "SGPRs"},
                                                                          {"Insufficient CU LDS", "LDS"},
                                                                          {"Insufficient CU Barriers", "barriers"}};
  for (const auto &[name, resource] : resources) {
    const bool isLimit = any_of(info.limits, [&](const OccupancyLimit &limit) { return limit.resource == resource; });
    add(name, "Pct", std::nullopt, std::nullopt, percent(isLimit ? double(noRoomCycles) : 0, cuCycles));
  }

  table = "7.1 Wavefront Launch Stats";
  add("Grid Size", "Work Items",
      double(info.grid[0]) * info.grid[1] * info.grid[2] * info.block[0] * info.block[1] * info.block[2]);
  add("Workgroup Size", "Work Items", double(info.block[0]) * info.block[1] * info.block[2]);
  add("Total Wavefronts", "Wavefronts", perWave);
  add("VGPRs", "Registers", double(info.vgprs));
  add("AGPRs", "Registers", double(info.agprs));
  add("SGPRs", "Registers", double(info.sgprs));
  add("LDS Allocation", "Bytes", double(info.ldsBytes));
  add("Scratch Allocation", "Bytes/Workitem", double(info.scratchBytes));

  table = "7.2 Wavefront Runtime Stats";
  add("Kernel Time (Nanosec)", "ns", nanoseconds > 0 ? std::optional(nanoseconds) : std::nullopt, std::nullopt,
      summary.microseconds > 0 ? std::optional(1e3 * summary.microseconds) : std::nullopt);
  add("Kernel Time (Cycles)", "Cycle", cycles);
  add("Instructions per wavefront", "Instr/wavefront", perWaveOf(allInstructions));
  add("Wave Cycles", "Cycles per wave", perWaveOf(double(waveCycles)));
  add("Dependency Wait Cycles", "Cycles per wave", perWaveOf(dependencyWait));
  add("Issue Wait Cycles", "Cycles per wave", perWaveOf(issueWait));
  add("Active Cycles", "Cycles per wave", perWaveOf(double(waveCycles) - dependencyWait - issueWait));
  add("Wavefront Occupancy", "Wavefronts", over(double(waveCycles), cycles));

  table = "10.1 Overall Instruction Mix";
  add("VALU", "Instr per wave", perWaveOf(instructions(Category::Valu)));
  add("VMEM", "Instr per wave", perWaveOf(instructions(Category::Vmem) + instructions(Category::Flat)));
  add("LDS", "Instr per wave", perWaveOf(instructions(Category::Lds)));
  add("MFMA", "Instr per wave", perWaveOf(instructions(Category::Matrix)));
  add("SALU", "Instr per wave", perWaveOf(instructions(Category::Salu)));
  add("SMEM", "Instr per wave", perWaveOf(instructions(Category::Smem)));
  add("Branch", "Instr per wave", perWaveOf(instructions(Category::Branch)));

  table = "10.2 VALU Arithmetic Instr Mix";
  static constexpr StringLiteral vectorKinds[] = {"INT32",     "INT64",   "F16-ADD", "F16-MUL",   "F16-FMA",
                                                  "F16-Trans", "F32-ADD", "F32-MUL", "F32-FMA",   "F32-Trans",
                                                  "F64-ADD",   "F64-MUL", "F64-FMA", "F64-Trans", "Conversion"};
  for (size_t i = 0; i < std::size(vectorKinds); ++i)
    add(vectorKinds[i], "Instr per wave", perWaveOf(double(computing[size_t(Arithmetic::Int32) + i])));

  table = "10.3 VMEM Instr Mix";
  const auto addMemory = [&](StringRef all, StringRef read, StringRef write, StringRef atomic,
                             const MemoryKinds &kinds) {
    add(all, "Instr per wave", perWaveOf(double(kinds.reads + kinds.writes + kinds.atomics)));
    add(read, "Instr per wave", perWaveOf(double(kinds.reads)));
    add(write, "Instr per wave", perWaveOf(double(kinds.writes)));
    add(atomic, "Instr per wave", perWaveOf(double(kinds.atomics)));
  };
  addMemory("Global/Generic Instr", "Global/Generic Read", "Global/Generic Write", "Global/Generic Atomic", flatMemory);
  addMemory("Spill/Stack Instr", "Spill/Stack Read", "Spill/Stack Write", "Spill/Stack Atomic", bufferMemory);

  table = "10.4 MFMA Arithmetic Instr Mix";
  static constexpr std::pair<StringLiteral, Arithmetic> matrixKinds[] = {
      {"MFMA-I8", Arithmetic::MatrixI8},     {"MFMA-F8", Arithmetic::MatrixF8},     {"MFMA-F16", Arithmetic::MatrixF16},
      {"MFMA-BF16", Arithmetic::MatrixBf16}, {"MFMA-XF32", Arithmetic::MatrixXf32}, {"MFMA-F32", Arithmetic::MatrixF32},
      {"MFMA-F64", Arithmetic::MatrixF64}};
  for (const auto &[name, kind] : matrixKinds)
    add(name, "Instr per wave", perWaveOf(of(computing, kind)));

  table = "11.1 Compute Speed-of-Light";
  addRates("MFMA IOPs (INT8)");

  table = "11.2 Pipeline Stats";
  add("IPC", "Instr/cycle", over(allInstructions, double(busyCuCycles)));
  add("IPC (Issued)", "Instr/cycle", over(issuedInstructions, issuedQuads));
  addUtilizations();
  add("MFMA Instr Cycles", "cycles/instr", over(double(matrixBusy), instructions(Category::Matrix)));
  add("VMEM Latency", "Cycles", over(double(vmem.cycles), double(vmem.operations)));
  add("SMEM Latency", "Cycles", over(double(smem.cycles), double(smem.operations)));

  table = "11.3 Arithmetic Operations";
  add("FLOPs (Total)", "OPs per wave", perWaveOf(f16 + f32 + f64 + matrixFlops), std::nullopt,
      perWaveOf(double(laneFlops) + matrixFlops));
  add("IOPs (Total)", "OPs per wave", perWaveOf(integers + matrix(Arithmetic::MatrixI8)), std::nullopt,
      perWaveOf(double(laneIops) + matrix(Arithmetic::MatrixI8)));
  add("F8 OPs", "OPs per wave", perWaveOf(matrix(Arithmetic::MatrixF8)));
  add("F16 OPs", "OPs per wave", perWaveOf(f16 + matrix(Arithmetic::MatrixF16)));
  add("BF16 OPs", "OPs per wave", perWaveOf(matrix(Arithmetic::MatrixBf16)));
  add("F32 OPs", "OPs per wave", perWaveOf(f32 + matrix(Arithmetic::MatrixF32) + matrix(Arithmetic::MatrixXf32)));
  add("F64 OPs", "OPs per wave", perWaveOf(f64 + matrix(Arithmetic::MatrixF64)));
  add("INT8 OPs", "OPs per wave", perWaveOf(matrix(Arithmetic::MatrixI8)));

  table = "12.1 LDS Speed-of-Light";
  add("Utilization", "Pct of Peak", percent(double(ldsActive), cuCycles));
  add("Access Rate", "Pct of Peak", over(200 * of(activeQuads, Category::Lds), quadsOfCu));
  add("Theoretical Bandwidth (% of Peak)", "Pct of Peak", percent(uncontended, cuCycles));
  add("Bank Conflict Rate", "Pct of Peak", over(3.125 * double(ldsConflicts), uncontended));

  table = "12.2 LDS Stats";
  add("LDS Instrs", "Instr per wave", perWaveOf(instructions(Category::Lds)));
  add("Theoretical Bandwidth", "Bytes per wave", std::nullopt, std::nullopt, perWaveOf(double(ldsBytes)));
  add("LDS Latency", "Cycles", over(double(lds.cycles), double(lds.operations)));
  add("Bank Conflicts/Access", "Conflicts/Access", over(double(ldsConflicts), uncontended));
  add("Index Accesses", "Cycles per wave", perWaveOf(double(ldsCycles)));
  add("Bank Conflict", "Cycles per wave", perWaveOf(double(ldsConflicts)));

  table = "14.2 Scalar L1D Cache Accesses";
  add("Req", "Req per wave", perWaveOf(scalarAccesses));
  add("Hits", "Req per wave", perWaveOf(of(scalarLines, Level::Scalar)));
  add("Misses - Non Duplicated", "Req per wave", perWaveOf(scalarAccesses - of(scalarLines, Level::Scalar)));
  add("Cache Hit Rate", "pct", scalarHitRate, 100.0);

  table = "16.1 vL1D Speed-of-Light";
  add("Hit rate", "Pct of Peak", l1HitRate);

  table = "16.3 L1D Cache Accesses";
  add("Cache BW", "Bytes per wave", info.requestBytes ? perWaveOf(requestBytes) : std::nullopt, std::nullopt,
      perWaveOf(double(vectorBytes)));
  add("Cache Hit Rate", "pct", l1HitRate, 100.0);
  add("Cache Accesses", "Req per wave", perWaveOf(double(vectorRequests)));
  add("Cache Hits", "Req per wave", l1HitRate ? perWaveOf(double(vectorRequests) * *l1HitRate / 100) : std::nullopt);
  add("L1-L2 Read", "Req per wave", perWaveOf(beyond(vectorLines, Level::L1)));

  table = "17.1 L2 Speed-of-Light";
  add("Hit Rate", "pct", l2HitRate, 100.0);
  add("L2-Fabric Read BW", "GB/s", bytesRate(fabricBytes, info.l2LineBytes), std::nullopt,
      bytesRate(memoryLines * info.l2LineBytes, info.l2LineBytes));

  table = "17.3 L2 Cache Accesses";
  add("Bandwidth", "Bytes per wave", info.lineBytes ? perWaveOf(l2Bytes) : std::nullopt);
  add("Req", "Req per wave", perWaveOf(l2Hits + l2Misses));
  add("Cache Hit", "pct", l2HitRate, 100.0);
  add("Hits", "Hits per wave", perWaveOf(l2Hits));
  add("Misses", "Misses per wave", perWaveOf(l2Misses));

  // Stall reasons of stochastic PC sampling. The model counts every cycle of every wave.
  table = "21.1 PC Sampling";
  const auto addStall = [&](StringRef name, double part) { add(name, "pct", percent(part, double(waveCycles))); };
  addStall("ISSUED", double(waveCycles) - sum(stalls));
  addStall("NO_INSTRUCTION_AVAILABLE", of(stalls, Stall::Fetch));
  addStall("ALU_DEPENDENCY", of(stalls, Stall::Dependency));
  addStall("WAITCNT", of(stalls, Stall::Waitcnt));
  addStall("BARRIER_WAIT", of(stalls, Stall::Barrier));
  addStall("SLEEP_WAIT", of(stalls, Stall::Sleep));
  addStall("ARBITER_NOT_WIN", of(stalls, Stall::Arbiter));
  addStall("ARBITER_WIN_EX_STALL",
           of(stalls, Stall::QueueFull) + of(stalls, Stall::PipeBusy) + of(stalls, Stall::LdsBusy));
  return result;
}

static std::string text(std::optional<double> value) { return value ? formatv("{0:f2}", *value).str() : "-"; }

/// Of `value` in its peak, in percent.
static std::optional<double> percentOfPeak(const Metric &metric) {
  return metric.value && metric.peak ? percent(*metric.value, *metric.peak) : std::nullopt;
}

void ProfilerMetrics::print(raw_ostream &os) const {
  os << "ROCm Compute Profiler's metrics of the "
     << (info.cus == 1 ? "simulated CU" : std::to_string(info.cus) + " simulated CUs") << '\n';
  StringRef table;
  for (const Metric &metric : metrics()) {
    if (metric.table != table)
      os << formatv("\n{0,-46} {1,14} {2,9} {3,16}\n", metric.table, "", "% of peak", "by the model");
    table = metric.table;
    std::string line = formatv("  {0,-36} {1,16}  {2,-16} {3,9}", metric.name, text(metric.value), metric.unit,
                               metric.peak ? text(percentOfPeak(metric)) : "");
    if (metric.model)
      line += formatv(" {0,16}", text(metric.model));
    os << StringRef(line).rtrim();
    os << '\n';
  }
}

void ProfilerMetrics::printCsv(raw_ostream &os) const {
  os << "table,metric,value,unit,peak,percent_of_peak,model\n";
  const auto number = [](std::optional<double> value) {
    return value ? formatv("{0}", json::Value(*value)).str() : "";
  };
  for (const Metric &metric : metrics())
    os << metric.table << ',' << metric.name << ',' << number(metric.value) << ',' << metric.unit << ','
       << number(metric.peak) << ',' << number(percentOfPeak(metric)) << ',' << number(metric.model) << '\n';
}

json::Object ProfilerMetrics::object() const {
  json::Object tables;
  for (const Metric &metric : metrics()) {
    json::Value &table = tables[metric.table];
    if (!table.getAsObject())
      table = json::Object();
    json::Object facts{{"value", metric.value ? json::Value(*metric.value) : json::Value(nullptr)},
                       {"unit", metric.unit}};
    if (metric.peak)
      facts["peak"] = *metric.peak;
    if (const std::optional<double> share = percentOfPeak(metric))
      facts["percent_of_peak"] = *share;
    if (metric.model)
      facts["model"] = *metric.model;
    table.getAsObject()->insert({metric.name, std::move(facts)});
  }
  return tables;
}

} // namespace inflight::trace
