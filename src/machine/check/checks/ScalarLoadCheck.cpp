#include "machine/check/checks/ScalarLoadCheck.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

void ScalarLoadCheck::begin(MutableArrayRef<Wave> waves) { inFlight.assign(waves.size(), {}); }

void ScalarLoadCheck::scalarLoad(Wave &, uint64_t address, unsigned bytes) {
  if (!bytes || !context.memory.contains(address, bytes))
    return;
  read.low = reinterpret_cast<uint64_t>(context.memory.pointer(address));
  read.high = read.low + bytes;
}

void ScalarLoadCheck::executed(Wave &wave, const Op &op, const OpFacts &) {
  if (inFlight[wave.number].empty())
    return;
  for (const AccessRecord &record : context.accesses) {
    if (record.isLds || record.kind == AccessKind::Read)
      continue;
    for (const Read &load : reverse(inFlight[wave.number])) {
      if (record.high <= load.low || load.high <= record.low)
        continue;
      const auto lanes = seq(0u, unsigned(Lanes));
      const auto lane = find_if(lanes, [&](unsigned lane) {
        const uint64_t at = record.address(lane);
        return at && at < load.high && load.low < at + record.bytes;
      });
      if (lane == lanes.end() || !context.isNew(Kind::WriteAfterRead, op, load.pending->op))
        continue;
      context.report(Kind::WriteAfterRead, wave.number, op, load.pending->op, wave.number, *lane,
                     formatv("writes memory while the wave's own scalar load of it may be in flight: no {0} wait in "
                             "between",
                             context.facts.counters.names(load.pending->facts->raises)),
                     context.waitFor(wave.number, *load.pending) + " before it");
      return;
    }
  }
}

void ScalarLoadCheck::issued(Wave &wave, Pending &p) {
  if (!read.high)
    return;
  read.pending = &p;
  inFlight[wave.number].push_back(std::exchange(read, {}));
}

void ScalarLoadCheck::retired(Wave &wave, Pending &p) {
  erase_if(inFlight[wave.number], [&](const Read &load) { return load.pending == &p; });
}

} // namespace inflight::machine::check
