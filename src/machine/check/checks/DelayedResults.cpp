#include "machine/check/checks/DelayedResults.h"

#include "machine/check/inflight/LaneLoops.h"

using namespace llvm;

namespace inflight::machine::check {

/// The part of a wave's state that a unit names, of those that loads write.
static uint32_t *unitPlace(Wave &wave, RegUnit unit) {
  return unit >= regunit::Vgpr0 ? wave.vgpr(unit - regunit::Vgpr0) : &wave.s[unit];
}
/// Registers of a range follow each other.
static unsigned words(RegRange range) { return range.first >= regunit::Vgpr0 ? range.count * Lanes : range.count; }

/// The bytes of all lanes in order, in as few pieces as may be.
template <typename F> static void forEachRun(const AccessRecord &record, F &&run) {
  record.forEachRun([&](uint64_t at, size_t size) { run(hostMemory(at), size); });
}

void DelayedResults::begin(MutableArrayRef<Wave>) { context.looksAlways |= context.options.randomDelivery; }

void DelayedResults::step(Wave &wave, const Op &) {
  InFlight &flying = context.inFlight[wave.number];
  if (context.options.randomDelivery && !flying.operations().empty() && (context.random() & 3) == 0)
    flying.deliverOne(context.random(), [&](Pending &p) { deliver(wave, p); });
}

void DelayedResults::prepare(Wave &wave, const Op &, const OpFacts &f) {
  kept.clear();
  keptRanges.clear();
  ldsBefore.clear();
  for (RegRange range : context.facts.writes(f)) {
    if (!isDeliverable(range.first))
      continue;
    keptRanges.push_back(range);
    const uint32_t *place = unitPlace(wave, range.first);
    kept.insert(kept.end(), place, place + words(range));
  }
}

void DelayedResults::access(Wave &, const AccessRecord &record) {
  if (record.isLds && context.facts.of(*context.op).isLdsDma)
    forEachRun(record, [&](uint8_t *place, size_t size) { ldsBefore.insert(ldsBefore.end(), place, place + size); });
}

void DelayedResults::issued(Wave &wave, Pending &p) {
  p.registers.assign(keptRanges.begin(), keptRanges.end());
  std::swap(p.values, kept);
  size_t at = 0;
  for (RegRange range : keptRanges) {
    swapWords(unitPlace(wave, range.first), p.values.data() + at, words(range));
    at += words(range);
  }
  if (p.facts->isLdsDma)
    delayDma(p);
}

/// What the DMA wrote becomes what it will write.
void DelayedResults::delayDma(Pending &p) {
  for (const AccessRecord &record : context.accesses) {
    if (!record.isLds)
      continue;
    p.ldsBytes.resize(ldsBefore.size());
    size_t position = 0;
    forEachRun(record, [&](uint8_t *place, size_t bytes) {
      std::copy_n(place, bytes, p.ldsBytes.data() + position);
      std::copy_n(ldsBefore.data() + position, bytes, place);
      position += bytes;
    });
  }
}

void DelayedResults::retired(Wave &wave, Pending &p) {
  if (!p.delivered)
    deliver(wave, p);
}

void DelayedResults::deliver(Wave &wave, Pending &p) {
  if (wave.vectorEpoch)
    ++wave.vectorEpoch; // registers change between instructions
  const uint32_t keep = p.facts->halves == 1 ? 0xffff0000u : p.facts->halves == 2 ? 0xffffu : 0;
  size_t at = 0;
  for (RegRange range : p.registers) {
    uint32_t *place = unitPlace(wave, range.first);
    const uint32_t *values = p.values.data() + at;
    if (range.first < regunit::Vgpr0 || (p.exec == ~uint64_t(0) && !keep && p.replaced.empty()))
      std::memcpy(place, values, words(range) * sizeof *place);
    else
      for (unsigned i = 0; i < words(range); i += Lanes)
        deliverLanes(place + i, values + i, p.lanesOf(range.first + i / Lanes), keep);
    at += words(range);
  }
  if (!p.facts->isLdsDma || p.ldsBytes.empty())
    return;
  for (const AccessRecord &record : p.accesses) {
    if (!record.isLds)
      continue;
    const uint8_t *from = p.ldsBytes.data();
    forEachRun(record, [&](uint8_t *place, size_t bytes) {
      std::copy_n(from, bytes, place);
      from += bytes;
    });
  }
}

} // namespace inflight::machine::check
