#include "trace/ProfilerMetrics.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <numeric>

using namespace llvm;
using namespace inflight::events;

namespace inflight::trace {

ProfilerMetrics::MatrixType ProfilerMetrics::matrixType(StringRef instruction) {
  const StringRef name = instruction.split(' ').first;
  if (name.contains("_i32_"))
    return MatrixType::I8;
  if (name.contains("f8f6f4") || name.contains("fp8") || name.contains("bf8"))
    return MatrixType::F8;
  if (name.contains("bf16"))
    return MatrixType::Bf16;
  if (name.contains("f16"))
    return MatrixType::F16;
  if (name.contains("xf32"))
    return MatrixType::Xf32;
  return name.contains("f64") ? MatrixType::F64 : MatrixType::F32;
}

void ProfilerMetrics::start(const RunInfo &given) {
  info = given;
  for (const CodeLine &line : info.code)
    matrixTypes.push_back(matrixType(line.text));
}

void ProfilerMetrics::waveBegin(const WaveBegin &record) {
  Wave &wave = waves.begin(record.wave);
  wave.begin = wave.done = record.time;
  wave.cu = record.cu;
  Cu &cu = cus[record.cu];
  if (cu.waves++ == 0)
    cu.busySince = record.time;
  ++begunWaves;
}

void ProfilerMetrics::instruction(const Instruction &record) {
  const size_t kind = size_t(record.category);
  ++count[kind];
  const uint32_t cycles = record.category == Category::Valu && record.busy ? record.busy : record.issue;
  constexpr uint32_t quad = 4;
  const uint64_t quads = std::max<uint64_t>(1, (uint64_t(cycles) + quad - 1) / quad);
  // What a wave waits after a branch or a scalar instruction keeps it, not the unit that others issue to.
  const bool isScalar =
      record.category == Category::Branch || record.category == Category::Salu || record.category == Category::Smem;
  activeQuads[kind] += isScalar ? 1 : quads;
  constexpr unsigned allLanes = 64;
  if (record.category == Category::Valu)
    valuThreadQuads += quads * record.lanes;
  else if (record.category == Category::Matrix) // they don't look at EXEC
    valuThreadQuads += quads * allLanes;
  if (record.category == Category::Matrix) {
    matrixBusy += record.busy;
    matrixOperations[size_t(matrixTypes[record.line])] += info.code[record.line].flops;
  }
  for (size_t i = 0; i < stalls.size(); ++i)
    stalls[i] += record.stalls[i];
  waves[record.wave].done = record.issued + record.issue;
}

void ProfilerMetrics::operation(const Operation &record) {
  const Category category = info.code[record.line].category;
  const bool isVector = category == Category::Vmem || category == Category::Flat;
  Latency &latency = isVector ? vmem : record.pipe == Pipe::Lds ? lds : smem;
  if (isVector || record.pipe == Pipe::Lds || record.pipe == Pipe::ScalarCache) {
    ++latency.operations;
    latency.cycles += record.returned - record.issued;
  }
  Cu &cu = cus[waves[record.wave].cu];
  if (record.pipe == Pipe::Lds) {
    ldsCycles += record.end - record.begin;
    ldsConflicts += record.conflicts;
    // Its two ports may work at a time.
    const uint64_t begin = std::max(record.begin, cu.ldsEnd);
    if (record.end > begin) {
      ldsActive += record.end - begin;
      cu.ldsEnd = record.end;
    }
  }
  if (record.pipe == Pipe::Texture)
    vectorRequests += record.requests;
  auto &lines = record.pipe == Pipe::ScalarCache ? scalarLines : vectorLines;
  for (size_t i = 0; i < lines.size(); ++i)
    lines[i] += record.hits[i];
}

void ProfilerMetrics::endWave(const Wave &wave, uint64_t time) {
  time = std::max(time, wave.begin);
  waveCycles += time - wave.begin;
  Cu &cu = cus[wave.cu];
  if (--cu.waves == 0)
    busyCuCycles += time - std::min(time, cu.busySince);
}

void ProfilerMetrics::waveEnd(const WaveEnd &record) {
  endWave(waves[record.wave], record.time);
  waves.end(record.wave);
}

void ProfilerMetrics::finish(const Summary &given) {
  summary = given;
  waves.forEach([&](uint32_t, const Wave &wave) { endWave(wave, std::max(wave.done, summary.cycles)); });
}

// NOLINTNEXTLINE(readability-function-size): a table, and the sums in it
std::vector<Metric> ProfilerMetrics::metrics() const {
  const auto over = [](double part, double whole) { return whole > 0 ? std::optional(part / whole) : std::nullopt; };
  const auto of = [](const auto &counts, auto kind) { return double(counts[size_t(kind)]); };
  const auto sum = [](const auto &counts) {
    return double(std::accumulate(counts.begin(), counts.end(), uint64_t(0)));
  };
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

  const auto beyond = [&](const auto &lines, Level level) {
    double result = 0;
    for (size_t i = size_t(level) + 1; i < lines.size(); ++i)
      result += double(lines[i]);
    return result;
  };
  const double l1Accesses = of(vectorLines, Level::L1) + beyond(vectorLines, Level::L1);
  const double l2Hits = of(vectorLines, Level::L2) + of(scalarLines, Level::L2);
  const double l2Misses = beyond(vectorLines, Level::L2) + beyond(scalarLines, Level::L2);
  const double scalarAccesses = of(scalarLines, Level::Scalar) + beyond(scalarLines, Level::Scalar);
  const double uncontended = double(ldsCycles) - double(ldsConflicts);

  const StringRef launch = "7.1 Wavefront Launch Stats", runtime = "7.2 Wavefront Runtime Stats",
                  mix = "10.1 Overall Instruction Mix", pipeline = "11.2 Pipeline Stats",
                  ldsLight = "12.1 LDS Speed-of-Light", ldsStats = "12.2 LDS Stats", l1 = "16.1 vL1D Speed-of-Light",
                  l1Accessed = "16.3 L1D Cache Accesses", light = "2.1 System Speed-of-Light";
  const double nanoseconds = info.clockMHz > 0 ? cycles * 1e3 / info.clockMHz : 0;
  const auto rate = [&](MatrixType type) { return over(of(matrixOperations, type), nanoseconds); };
  const auto percent = [&](double part, double whole) { return over(100 * part, whole); };
  std::vector<Metric> result = {
      {light, "MFMA FLOPs (F8)", "GFLOP", rate(MatrixType::F8)},
      {light, "MFMA FLOPs (BF16)", "GFLOP", rate(MatrixType::Bf16)},
      {light, "MFMA FLOPs (F16)", "GFLOP", rate(MatrixType::F16)},
      {light, "MFMA FLOPs (XF32)", "GFLOP", rate(MatrixType::Xf32)},
      {light, "MFMA FLOPs (F32)", "GFLOP", rate(MatrixType::F32)},
      {light, "MFMA FLOPs (F64)", "GFLOP", rate(MatrixType::F64)},
      {light, "MFMA IOPs (Int8)", "GIOP", rate(MatrixType::I8)},
      {light, "VALU Utilization", "pct", percent(valuQuads, quadsOfCu)},
      {light, "MFMA Utilization", "pct", percent(double(matrixBusy), simdCycles)},
      {light, "SALU Utilization", "pct",
       percent(of(activeQuads, Category::Salu) + of(activeQuads, Category::Smem), quadsOfCu)},
      {light, "VMEM Utilization", "pct",
       percent(of(activeQuads, Category::Vmem) + of(activeQuads, Category::Flat), quadsOfCu)},
      {light, "Branch Utilization", "pct", percent(of(activeQuads, Category::Branch), quadsOfCu)},
      {light, "VALU Active Threads", "Threads", over(double(valuThreadQuads), valuQuads)},
      {light, "IPC", "Instr/cycle", over(allInstructions, double(busyCuCycles))},
      {light, "Wavefront Occupancy", "Wavefronts", over(double(waveCycles), cycles)},
      {light, "LDS Bank Conflicts/Access", "Conflicts/access", over(double(ldsConflicts), uncontended)},
      {light, "vL1D Cache Hit Rate", "pct", percent(of(vectorLines, Level::L1), l1Accesses)},
      {light, "L2 Cache Hit Rate", "pct", percent(l2Hits, l2Hits + l2Misses)},
      {light, "sL1D Cache Hit Rate", "pct", percent(of(scalarLines, Level::Scalar), scalarAccesses)},
      {launch, "Grid Size", "Work Items",
       double(info.grid[0]) * info.grid[1] * info.grid[2] * info.block[0] * info.block[1] * info.block[2]},
      {launch, "Workgroup Size", "Work Items", double(info.block[0]) * info.block[1] * info.block[2]},
      {launch, "Total Wavefronts", "Wavefronts", perWave},
      {launch, "VGPRs", "Registers", double(info.vgprs)},
      {launch, "AGPRs", "Registers", double(info.agprs)},
      {launch, "SGPRs", "Registers", double(info.sgprs)},
      {launch, "LDS Allocation", "Bytes", double(info.ldsBytes)},
      {launch, "Scratch Allocation", "Bytes/Workitem", double(info.scratchBytes)},
      {runtime, "Kernel Time (Nanosec)", "ns", nanoseconds > 0 ? std::optional(nanoseconds) : std::nullopt},
      {runtime, "Kernel Time (Cycles)", "Cycle", cycles},
      {runtime, "Instructions per wavefront", "Instr/wavefront", over(allInstructions, perWave)},
      {runtime, "Wave Cycles", "Cycles per wave", over(double(waveCycles), perWave)},
      {runtime, "Dependency Wait Cycles", "Cycles per wave", over(dependencyWait, perWave)},
      {runtime, "Issue Wait Cycles", "Cycles per wave", over(issueWait, perWave)},
      {runtime, "Active Cycles", "Cycles per wave", over(double(waveCycles) - dependencyWait - issueWait, perWave)},
      {mix, "VALU", "Instr per wave", over(instructions(Category::Valu), perWave)},
      {mix, "VMEM", "Instr per wave", over(instructions(Category::Vmem) + instructions(Category::Flat), perWave)},
      {mix, "LDS", "Instr per wave", over(instructions(Category::Lds), perWave)},
      {mix, "MFMA", "Instr per wave", over(instructions(Category::Matrix), perWave)},
      {mix, "SALU", "Instr per wave", over(instructions(Category::Salu), perWave)},
      {mix, "SMEM", "Instr per wave", over(instructions(Category::Smem), perWave)},
      {mix, "Branch", "Instr per wave", over(instructions(Category::Branch), perWave)},
      {pipeline, "IPC", "Instr/cycle", over(allInstructions, double(busyCuCycles))},
      {pipeline, "IPC (Issued)", "Instr/cycle", over(issuedInstructions, issuedQuads)},
      {pipeline, "MFMA Instr Cycles", "cycles/instr", over(double(matrixBusy), instructions(Category::Matrix))},
      {pipeline, "VMEM Latency", "Cycles", over(double(vmem.cycles), double(vmem.operations))},
      {pipeline, "SMEM Latency", "Cycles", over(double(smem.cycles), double(smem.operations))},
      {ldsLight, "Utilization", "Pct of Peak", percent(double(ldsActive), cuCycles)},
      {ldsLight, "Access Rate", "Pct of Peak", over(200 * of(activeQuads, Category::Lds), quadsOfCu)},
      {ldsLight, "Bank Conflict Rate", "Pct of Peak", over(3.125 * double(ldsConflicts), uncontended)},
      {ldsStats, "LDS Instrs", "Instr per wave", over(instructions(Category::Lds), perWave)},
      {ldsStats, "LDS Latency", "Cycles", over(double(lds.cycles), double(lds.operations))},
      {ldsStats, "Bank Conflicts/Access", "Conflicts/Access", over(double(ldsConflicts), uncontended)},
      {ldsStats, "Index Accesses", "Cycles per wave", over(double(ldsCycles), perWave)},
      {ldsStats, "Bank Conflict", "Cycles per wave", over(double(ldsConflicts), perWave)},
      {l1, "Hit rate", "Pct of Peak", percent(of(vectorLines, Level::L1), l1Accesses)},
      {l1Accessed, "Cache Accesses", "Req per wave", over(double(vectorRequests), perWave)},
      {l1Accessed, "Cache Hits", "Req per wave",
       l1Accesses > 0 ? over(double(vectorRequests) * of(vectorLines, Level::L1) / l1Accesses, perWave) : std::nullopt},
  };
  return result;
}

void ProfilerMetrics::print(raw_ostream &os) const {
  os << "ROCm Compute Profiler's metrics of the "
     << (info.cus == 1 ? "simulated CU" : std::to_string(info.cus) + " simulated CUs") << '\n';
  StringRef table;
  for (const Metric &metric : metrics()) {
    if (metric.table != table)
      os << '\n' << metric.table << '\n';
    table = metric.table;
    os << formatv("  {0,-28} {1,16}  {2}\n", metric.name, metric.value ? formatv("{0:f2}", *metric.value).str() : "-",
                  metric.unit);
  }
}

json::Object ProfilerMetrics::object() const {
  json::Object tables;
  for (const Metric &metric : metrics()) {
    json::Value &table = tables[metric.table];
    if (!table.getAsObject())
      table = json::Object();
    table.getAsObject()->insert(
        {metric.name, json::Object{{"value", metric.value ? json::Value(*metric.value) : json::Value(nullptr)},
                                   {"unit", metric.unit}}});
  }
  return tables;
}

} // namespace inflight::trace
