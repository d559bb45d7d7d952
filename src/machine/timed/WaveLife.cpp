// Workgroups come, their code is fetched, their waves end.
#include "machine/timed/ComputeUnitState.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::machine::timed {

/// The SIMD of each wave of a workgroup, or none if it doesn't fit: the one with the fewest waves, in the order in
/// which workgroups go round.
SmallVector<unsigned, 16> ComputeUnit::simdsOfGroup() const {
  SmallVector<unsigned, 8> order{0}, used;
  for (unsigned digits = data.simdOrder; digits && order.size() < simds.size(); digits /= 10)
    order.insert(order.begin() + 1, digits % 10);
  for (const Simd &simd : simds)
    used.push_back(simd.held);
  SmallVector<unsigned, 16> places;
  for (unsigned i = 0; i < work.wavesOfGroup; ++i) {
    unsigned best = order[(startedGroups + i) % order.size()];
    for (unsigned j = 1; j < order.size(); ++j)
      if (const unsigned simd = order[(startedGroups + i + j) % order.size()]; used[simd] < used[best])
        best = simd;
    if (used[best]++ >= work.wavesPerSimd)
      return {};
    places.push_back(best);
  }
  return places;
}

void ComputeUnit::noteLastRound() {
  if (!groups.empty() &&
      all_of(groups, [&](const std::unique_ptr<Group> &group) { return group->number >= lastGroups; }))
    memory.set(lastRound);
}

bool ComputeUnit::place(function_ref<std::optional<uint32_t>()> next) {
  if (!waiting && !noMoreGroups) {
    waiting = next();
    noMoreGroups = !waiting;
  }
  if (!waiting || groups.size() >= work.residentGroups)
    return false;
  const SmallVector<unsigned, 16> places = simdsOfGroup();
  if (places.empty())
    return false;
  if (spare.empty())
    spare.push_back(std::make_unique<Group>());
  std::unique_ptr<Group> group = std::move(spare.back());
  spare.pop_back();
  work.begin(group->run, *waiting);
  group->run.group.clock = &clock;
  group->number = *waiting;
  // A dispatcher starts wave after wave, and serves its units in turn.
  const uint64_t start = std::max(clock.cycles + (endedGroups ? data.workgroupReplace : 0), dispatcherFree);
  dispatcherFree = start + uint64_t(data.launchLatency) * places.size() * work.dispatchShare;
  group->states.resize(group->run.waves.size());
  group->live = group->held = group->run.waves.size();
  group->atBarrier = 0;
  group->lastArrival = 0;
  for (unsigned i = 0; i < group->run.waves.size(); ++i) {
    group->states[i] = std::make_unique<WaveState>();
    WaveState &wave = *group->states[i];
    wave.wave = &group->run.waves[i];
    wave.wave->observer = &capture;
    wave.group = group.get();
    wave.id = nextWave;
    nextWave += waveStep;
    wave.simd = places[i];
    Simd &simd = simds[wave.simd];
    wave.slot = countr_one(simd.slots);
    simd.slots |= 1u << wave.slot;
    simd.waves.push_back(&wave);
    ++simd.held;
    const uint64_t begin = nextSlot(wave.simd, start + uint64_t(data.launchLatency) * i);
    if (sink)
      sink->waveBegin({wave.id, begin, uint16_t(number), wave.simd, wave.slot, *waiting, uint16_t(i)});
    prepare(wave, begin, begin + data.waveStart);
  }
  groups.push_back(std::move(group));
  noteLastRound();
  ++startedGroups;
  ++counts.workgroups;
  counts.waves += places.size();
  waiting.reset();
  return true;
}

/// When a line of code that is asked for is in the wave's buffer.
uint64_t ComputeUnit::bringLine(uint64_t line, uint64_t asked) {
  const uint64_t lineBytes = work.target->instructionCacheLineBytes;
  // A line that another wave asked for may still be on its way.
  const bool isFirst = linesOfCode.insert(line).second;
  const bool isLeft = isFirst && work.caches != CacheState::Cold &&
                      linesOfCode.size() * lineBytes <= work.target->instructionCacheBytes;
  if (instructionCache.access(line) || isLeft)
    return std::max(asked + data.fetchHit, codeArrivals.of(line));
  // L2 gives all of its line.
  const bool isCold = work.caches == CacheState::Cold && linesOfCode.size() == 1;
  const uint64_t comes = asked + (isCold ? data.fetchCold : data.l2Latency + data.fetchMiss),
                 both = std::max<uint64_t>(1, data.l2Line / lineBytes);
  for (uint64_t other = line / both * both, end = other + both; other < end; ++other) {
    instructionCache.access(other);
    codeArrivals.set(other, comes);
  }
  return comes;
}

/// When the instruction at the wave's pc is in its buffer. Lines are asked for in advance along the straight path.
uint64_t ComputeUnit::fetched(WaveState &wave, uint64_t asked, uint64_t arrived) {
  const uint64_t lineBytes = work.target->instructionCacheLineBytes;
  const uint64_t address = wave.wave->codeAddress + 4 * uint64_t(wave.wave->plain(*wave.op) - wave.wave->plainCode);
  const uint64_t first = address / lineBytes, last = (address + 4 * uint64_t(wave.op->slots) - 1) / lineBytes;
  if (first == wave.line && last == first)
    return arrived;
  const unsigned ahead = std::min(data.fetchAhead, WaveState::mostAhead - 1);
  uint64_t here = arrived;
  for (uint64_t line = first; line <= last; ++line) {
    if (wave.line == never || line < wave.line || line > wave.ahead)
      wave.ahead = line - 1;
    while (wave.ahead < line + ahead) {
      ++wave.ahead;
      wave.here[wave.ahead % WaveState::mostAhead] = bringLine(wave.ahead, asked);
    }
    here = std::max(here, wave.here[line % WaveState::mostAhead]);
    wave.line = line;
  }
  return here;
}

/// The wave has issued its last instruction; it ends when its stores are acknowledged.
void ComputeUnit::leaveProgram(WaveState &wave, uint64_t time) {
  erase(simds[wave.simd].waves, &wave);
  wave.timing = nullptr;
  uint64_t end = time + data.waveEnd;
  if (wave.lastStore)
    end = std::max<uint64_t>(end, wave.lastStore + data.waveEndAfterStore);
  endings.push({end, &wave});
  if (--wave.group->live)
    releaseBarrier(*wave.group);
}

void ComputeUnit::endWave(WaveState &wave, uint64_t time) {
  Simd &simd = simds[wave.simd];
  simd.slots &= ~(1u << wave.slot);
  --simd.held;
  counts.cycles = std::max(counts.cycles, time);
  if (sink)
    sink->waveEnd({wave.id, time});
  Group &group = *wave.group;
  if (--group.held)
    return;
  counts.ends.push_back(time);
  if (++endedGroups == work.residentGroups)
    counts.firstRound = time;
  auto it = find_if(groups, [&](const std::unique_ptr<Group> &other) { return other.get() == &group; });
  spare.push_back(std::move(*it));
  groups.erase(it);
  noteLastRound();
  mayPlace = true;
}

} // namespace inflight::machine::timed
