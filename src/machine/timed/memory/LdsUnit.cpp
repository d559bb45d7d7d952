#include "machine/timed/memory/LdsUnit.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace inflight::machine::timed {

/// When a queue of `size` has room for so many more; entries are in the order in which they leave.
static uint64_t hasRoom(std::deque<uint64_t> &queue, size_t size, size_t more, uint64_t now) {
  while (!queue.empty() && queue.front() <= now)
    queue.pop_front();
  more = std::min(more, size);
  return queue.size() + more <= size ? now : queue[queue.size() + more - size - 1];
}

uint64_t LdsUnit::accepts(unsigned simd, uint64_t now, unsigned dwordsIn) {
  Port &port = ports[simd / 2];
  // What comes in may wait for less than an issue slot of the SIMD.
  uint64_t time = std::max(now, port.inFree - std::min<uint64_t>(port.inFree, data.issueSlot - 1));
  time =
      std::max(hasRoom(port.commands, data.ldsQueue, 1, time), hasRoom(port.slots, data.ldsDataQueue, dwordsIn, time));
  uint64_t &mine = port.waitsSince[simd % 2], other = port.waitsSince[1 - simd % 2];
  if (time == now && other < mine)
    time += data.issueSlot;
  if (time > now)
    mine = std::min(mine, now);
  return time;
}

BankCycles LdsUnit::cyclesOf(const Capture::Access &access, const LdsRule &rule) {
  BankCycles cycles = banks.of(access, rule);
  if (hasNoConflicts)
    cycles.cycles = cycles.groups;
  return cycles;
}

LdsTiming LdsUnit::issue(unsigned simd, uint64_t now, ArrayRef<Capture::Access> accesses, unsigned dwordsIn) {
  LdsTiming timing;
  Port &port = ports[simd / 2];
  // Cycles of the banks; of the port if nobody else wants the banks, and if no lanes conflict.
  unsigned bankCycles = 0, hindered = 0, unhindered = 0;
  int latency = data.ldsLatency;
  for (const Capture::Access &access : accesses) {
    const LdsRule &rule = data.lds->of(access.kind == AccessObserver::Kind::Write, access.bytes);
    const BankCycles of = cyclesOf(access, rule);
    const unsigned lanes = divideCeil(Lanes, rule.lanesPerCycle);
    bankCycles += of.cycles;
    hindered += std::max(lanes, of.cycles);
    unhindered += std::max(lanes, of.groups);
    timing.phases += of.groups;
    timing.conflicts += of.cycles - of.groups;
    latency = std::max<int>(data.ldsLatency + rule.extraLatency, accesses.size() > 1 ? latency : 0);
    if (access.kind == AccessObserver::Kind::Atomic)
      latency += data.ldsAtomicExtra;
  }
  if (accesses.empty()) {
    // Lanes are exchanged when all that comes in is here.
    const unsigned one = divideCeil(Lanes * 4, data.ldsPortBytes);
    hindered = unhindered = one;
    latency += int((dwordsIn - 1) * one);
  }
  port.waitsSince[simd % 2] = never;
  port.inFree = std::max(now, port.inFree) + divideCeil(dwordsIn * Lanes * 4, data.ldsPortBytes);
  timing.begin = std::max(now, port.serves);
  const uint64_t served = std::max(timing.begin + hindered, bankTime.take(now, timing.begin, bankCycles));
  timing.end = port.serves = std::max(served, port.inFree);
  timing.returned = served + latency - unhindered + (hindered > unhindered ? data.ldsConflictLatency : 0);
  port.commands.push_back(timing.end);
  for (unsigned i = 0; i < dwordsIn; ++i)
    port.slots.push_back(timing.begin + i * (timing.end - timing.begin) / dwordsIn);
  return timing;
}

uint64_t LdsUnit::write(uint64_t now, uint64_t time, const Capture::Access &access) {
  return bankTime.take(now, time, cyclesOf(access, data.lds->of(true, access.bytes)).cycles);
}

} // namespace inflight::machine::timed
