// Memory and LDS operations, from issue to return.
#include "machine/timed/ComputeUnitState.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::machine::timed {

using events::Category;

/// When the unit that serves the operation begins, ends and returns.
void ComputeUnit::serve(WaveState &wave, const OpTiming &t, uint64_t time, events::Operation &record) {
  const uint64_t ldsBegin = reinterpret_cast<uint64_t>(wave.group->run.group.lds.data()),
                 ldsEnd = ldsBegin + wave.group->run.group.lds.size();
  auto isInLds = [&](const Capture::Access &access) {
    for (uint64_t at : access.address)
      if (at)
        return at >= ldsBegin && at < ldsEnd;
    return false;
  };
  auto take = [&](const VmemTiming &done) {
    record.begin = done.begin;
    record.end = done.end;
    record.returned = done.returned;
    record.level = done.level;
    record.hits = done.hits;
    record.requests = done.requests;
  };
  const bool isLds = t.category == Category::Lds ||
                     (t.isGenericFlat && !capture.accesses().empty() && isInLds(capture.accesses().front()));
  if (isLds) {
    const LdsTiming done = lds.issue(wave.simd, time, capture.accesses(), std::max<unsigned>(1, t.ldsDwordsIn));
    record.begin = done.begin;
    record.end = done.end;
    record.returned = wave.lastLds = std::max(wave.lastLds, done.returned);
    record.conflicts = done.conflicts;
    record.requests = done.phases;
    record.level = events::Level::Lds;
    record.pipe = events::Pipe::Lds;
  } else if (t.isVmem()) {
    ArrayRef<Capture::Access> accesses = capture.accesses();
    if (t.isLdsDma && !accesses.empty())
      accesses = accesses.take_front(1);
    take(memory.issue(time, {accesses, t.returnsData, t.bypassesL1, t.isLdsDma, sharingOf(t)}));
    if (t.isLdsDma && capture.accesses().size() > 1)
      record.returned = std::max(record.returned, lds.write(time, record.returned, capture.accesses()[1]));
    record.returned = wave.lastVm = std::max(wave.lastVm, record.returned);
    if (t.bringsData)
      wave.lastStore = std::max(wave.lastStore, record.returned);
  } else if (t.category == Category::Smem) {
    take(memory.scalar(time, capture.accesses(), sharingOf(t)));
  } else {
    record.begin = record.end = time;
    record.returned = time + data.smemLatency;
  }
}

void ComputeUnit::startOperation(WaveState &wave, const OpTiming &t, uint64_t time) {
  events::Operation record;
  record.wave = wave.id;
  record.line = t.line;
  record.number = wave.operations++;
  for (unsigned counter = 0; counter < maximumCounters; ++counter)
    record.counters |= uint8_t(t.adds.values[counter] != 0) << counter;
  record.isStore = t.isStore;
  record.isLdsDma = t.isLdsDma;
  record.isAtomic = t.isAtomic;
  record.pipe = t.pipe;
  record.issued = time;
  for (const Capture::Access &access : capture.accesses())
    if (!(t.isLdsDma && access.kind == AccessObserver::Kind::Write))
      record.bytes += access.bytes * count_if(access.address, [](uint64_t at) { return at != 0; });
  if (work.instant.empty() || !work.instant[t.line]) {
    serve(wave, t, time, record);
  } else {
    const uint64_t lastLds = wave.lastLds, lastVm = wave.lastVm;
    serve(wave, t, time, record);
    record.returned = std::max(time + 1, t.isVmem() ? lastVm : lastLds);
    wave.lastLds = lastLds;
    wave.lastVm = lastVm;
  }
  for (size_t i = 0; i < record.hits.size(); ++i)
    counts.lines[i] += record.hits[i];
  for (auto [operations, adds] : zip(wave.inFlight.values, t.adds.values)) {
    if (!adds)
      continue;
    const InFlight operation{record.returned, record.number, adds};
    operations.insert(upper_bound(operations, operation,
                                  [](const InFlight &a, const InFlight &b) { return a.returned < b.returned; }),
                      operation);
  }
  if (sink)
    sink->operation(record);
}

} // namespace inflight::machine::timed
