#include "trace/run/RunStatistics.h"

#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;
using namespace inflight::events;

namespace inflight::trace {

uint64_t LineStatistics::stalled() const {
  uint64_t sum = 0;
  for (uint64_t cycles : stalls)
    sum += cycles;
  return sum;
}

void RunStatistics::start(const RunInfo &given) {
  info = given;
  lines.assign(info.code.size(), {});
  inFlight.resize(info.counters.size());
  for (size_t i = 0; i < pipes.size(); ++i) {
    const bool isOfSimd = Pipe(i) == Pipe::Valu || Pipe(i) == Pipe::Matrix;
    pipes[i].units = info.cus * (isOfSimd ? info.simds : 1);
  }
}

void RunStatistics::waveBegin(const WaveBegin &record) {
  Wave &wave = waves.begin(record.wave);
  wave.begin = wave.done = record.time;
  wave.cu = record.cu;
}

void RunStatistics::instruction(const Instruction &record) {
  LineStatistics &line = lines[record.line];
  ++line.hits;
  line.taken += record.taken;
  line.issue += record.issue;
  for (size_t i = 0; i < record.stalls.size(); ++i)
    line.stalls[i] += record.stalls[i];
  Wave &wave = waves[record.wave];
  line.gap += record.arrived - std::min(record.arrived, wave.done);
  wave.done = record.issued + record.issue;
  wave.waitBegin = beginOf(Stall::Waitcnt, record);
  wave.waitEnd = wave.waitBegin + record.stalls[size_t(Stall::Waitcnt)];
  if (record.busy) {
    PipeStatistics &pipe = pipes[size_t(record.pipe)];
    pipe.busy += record.busy;
    pipe.bins.add(record.issued, record.issued + record.busy);
  }
}

void RunStatistics::operation(const Operation &record) {
  LineStatistics &line = lines[record.line];
  ++line.operations;
  line.isAtomic |= record.isAtomic;
  line.latency += record.returned - record.issued;
  line.busy += record.end - record.begin;
  line.conflicts += record.conflicts;
  line.requests += record.requests;
  line.bytes += record.bytes;
  for (size_t i = 0; i < record.hits.size(); ++i)
    line.levels[i] += record.hits[i];
  if (record.pipe == Pipe::Lds) {
    ldsConflicts += record.conflicts;
    ldsBusy += record.end - record.begin;
  }
  Wave &wave = waves[record.wave];
  // Where a pipe works on two at a time it isn't busier for that.
  const size_t place = wave.cu * size_t(Pipe::Count) + size_t(record.pipe);
  if (place >= pipeEnds.size())
    pipeEnds.resize(place + 1);
  const uint64_t begin = std::max(record.begin, pipeEnds[place]);
  if (record.end > begin) {
    PipeStatistics &pipe = pipes[size_t(record.pipe)];
    pipe.busy += record.end - begin;
    pipe.bins.add(begin, record.end);
    pipeEnds[place] = record.end;
  }
  wave.isLastAtomic = record.isAtomic;
  wave.operations.add(record);
  for (unsigned counter = 0; counter < inFlight.size(); ++counter) {
    if (!(record.counters >> counter & 1))
      continue;
    inFlight[counter].operations.add(record.issued, record.returned);
    inFlight[counter].most.atLeast(record.issued, wave.operations.inFlight(record.issued, counter));
  }
}

/// Each cycle is owed to the operation that was the next to return: one that returns right after another costs no more
/// than that. What the last has returned before the wave could go on - a SIMD has an issue slot every few cycles - is
/// owed to it.
void RunStatistics::wait(const Wait &record) {
  const Wave &wave = waves[record.wave];
  waited.clear();
  for (uint32_t number : record.operations)
    if (const OpenOperation *operation = wave.operations.find(number))
      waited.push_back(operation);
  stable_sort(waited, [](const OpenOperation *a, const OpenOperation *b) { return a->returned < b->returned; });
  uint64_t time = wave.waitBegin;
  auto &waits = lines[record.line].waits;
  for (const OpenOperation *operation : waited) {
    const uint64_t until =
        operation == waited.back() ? wave.waitEnd : std::clamp(operation->returned, time, wave.waitEnd);
    auto *entry = find_if(waits, [&](const WaitedFor &entry) { return entry.line == operation->line; });
    if (entry == waits.end()) {
      waits.push_back({operation->line, 0, 0});
      entry = &waits.back();
    }
    entry->cycles += until - time;
    ++entry->times;
    lines[operation->line].waitedFor += until - time;
    time = until;
  }
}

void RunStatistics::endAt(const Wave &wave, uint64_t time) {
  const uint64_t end = std::max(wave.begin, time);
  waveCycles += end - wave.begin;
  if (wave.isLastAtomic)
    atomicEnds += end - std::min(end, wave.done);
  residentWaves.add(wave.begin, end);
}

void RunStatistics::waveEnd(const WaveEnd &record) {
  endAt(waves[record.wave], record.time);
  waves.end(record.wave);
}

void RunStatistics::finish(const Summary &given) {
  summary = given;
  // Those that never ended were there until the run was.
  waves.forEach([&](uint32_t, const Wave &wave) { endAt(wave, std::max(wave.done, summary.cycles)); });
}

uint64_t RunStatistics::issue() const {
  uint64_t sum = 0;
  for (const LineStatistics &line : lines)
    sum += line.issue;
  return sum;
}

Stalls RunStatistics::stalls() const {
  Stalls sum = {};
  for (const LineStatistics &line : lines)
    for (size_t i = 0; i < sum.size(); ++i)
      sum[i] += line.stalls[i];
  return sum;
}

/// Compilers put a loop's condition last and enter there: what comes by a jump from before into the middle counts as
/// well.
uint64_t RunStatistics::entriesOf(const Loop &loop) const {
  uint64_t toFirst = 0, fromBefore = 0;
  for (uint32_t i = 0; i < lines.size(); ++i) {
    const uint32_t target = info.code[i].target;
    if (target == loop.first)
      toFirst += lines[i].taken;
    if (i < loop.first && target >= loop.first && target <= loop.last)
      fromBefore += lines[i].taken;
  }
  const uint64_t hits = lines[loop.first].hits;
  return hits - std::min(hits, toFirst) + fromBefore;
}

std::vector<Loop> RunStatistics::loops() const {
  std::map<uint32_t, uint32_t> lastByFirst;
  for (uint32_t i = 0; i < lines.size(); ++i) {
    const uint32_t target = info.code[i].target;
    if (target > i || !lines[i].taken)
      continue;
    uint32_t &last = lastByFirst[target];
    last = std::max(last, i);
  }
  std::vector<Loop> result;
  for (auto [first, last] : lastByFirst) {
    Loop loop;
    loop.first = first;
    loop.last = last;
    loop.iterations = lines[first].hits;
    loop.entries = entriesOf(loop);
    for (uint32_t i = loop.first; i <= loop.last; ++i) {
      loop.issue += lines[i].issue;
      loop.gap += lines[i].gap;
      loop.cycles += lines[i].cycles() + lines[i].gap;
      for (size_t cause = 0; cause < loop.stalls.size(); ++cause)
        loop.stalls[cause] += lines[i].stalls[cause];
    }
    loop.depth = unsigned(count_if(result, [&](const Loop &other) { return other.last >= loop.last; }));
    result.push_back(loop);
  }
  return result;
}

} // namespace inflight::trace
