#include "trace/ProfilerMetrics.h"

#include <utility>

using namespace llvm;
using namespace inflight::events;

namespace inflight::trace {

void ProfilerMetrics::start(const RunInfo &given) {
  info = given;
  for (const CodeLine &line : info.code)
    arithmetic.push_back(line.category == Category::Matrix ? matrixArithmetic(line.text)
                         : line.category == Category::Valu ? vectorArithmetic(line.text)
                                                           : Arithmetic::None);
}

void ProfilerMetrics::waveBegin(const WaveBegin &record) {
  Wave &wave = waves.begin(record.wave);
  wave.begin = wave.done = record.time;
  wave.workgroup = record.workgroup;
  wave.cu = record.cu;
  Cu &cu = cus[record.cu];
  if (cu.waves++ == 0)
    cu.busySince = record.time;
  if (cu.groups[record.workgroup]++ == 0) {
    noRoomCycles += std::exchange(cu.fullCycles, 0);
    if (cu.groups.size() == info.workgroupsPerCu)
      cu.fullSince = record.time;
  }
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
  const Arithmetic computes = arithmetic[record.line];
  ++computing[size_t(computes)];
  if (record.category == Category::Matrix) {
    matrixBusy += record.busy;
    matrixCycles[size_t(computes)] += record.busy;
    matrixOperations[size_t(computes)] += info.code[record.line].flops;
  } else {
    laneFlops += uint64_t(info.code[record.line].flops) * record.lanes;
    if (computes == Arithmetic::Int32 || computes == Arithmetic::Int64)
      laneIops += record.lanes;
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
    ldsBytes += record.bytes;
    // Its two ports may work at a time.
    const uint64_t begin = std::max(record.begin, cu.ldsEnd);
    if (record.end > begin) {
      ldsActive += record.end - begin;
      cu.ldsEnd = record.end;
    }
  }
  if (record.pipe == Pipe::Texture) {
    vectorRequests += record.requests;
    vectorBytes += record.bytes;
    MemoryKinds &kinds = isBufferInstruction(info.code[record.line].text) ? bufferMemory : flatMemory;
    ++(record.isAtomic ? kinds.atomics : record.isStore ? kinds.writes : kinds.reads);
  }
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
  const auto group = cu.groups.find(wave.workgroup);
  if (group == cu.groups.end() || --group->second) // a damaged file may have begun a wave twice
    return;
  if (cu.groups.size() == info.workgroupsPerCu)
    cu.fullCycles += time - std::min(time, cu.fullSince);
  cu.groups.erase(group);
}

void ProfilerMetrics::waveEnd(const WaveEnd &record) {
  endWave(waves[record.wave], record.time);
  waves.end(record.wave);
}

void ProfilerMetrics::finish(const Summary &given) {
  summary = given;
  waves.forEach([&](uint32_t, const Wave &wave) { endWave(wave, std::max(wave.done, summary.cycles)); });
}

} // namespace inflight::trace
