#include "machine/check/checks/LdsDmaCheck.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

void LdsDmaCheck::begin(MutableArrayRef<Wave> waves) {
  pending.resize(waves.size());
  for (std::vector<uint64_t> &bits : pending)
    bits.assign(divideCeil(context.group->lds.size(), 64) + 1, 0); // an access may straddle the last word
}

void LdsDmaCheck::executed(Wave &wave, const Op &op, const OpFacts &f) {
  for (const AccessRecord &record : context.accesses) {
    if (!record.isLds)
      continue;
    if (f.isLdsDma) {
      checkOverwritten(wave, op, record);
      addPending(wave.number, record);
    } else {
      checkPending(wave, op, record);
    }
  }
}

/// A wave's own unfinished LDS accesses count too. The newest is named: a wait for it makes sure of those before it.
void LdsDmaCheck::checkOverwritten(const Wave &wave, const Op &op, const AccessRecord &write) {
  if (!context.options.has(Kind::WriteAfterRead))
    return;
  for (const Pending *p : reverse(context.inFlight[wave.number].operations())) {
    if (p->facts->isLdsDma || !p->mayTouchLds())
      continue;
    for (const AccessRecord &record : p->accesses) {
      if (!record.isLds)
        continue;
      const std::optional<AccessRecord::Shared> shared = write.sharedWith(record);
      if (!shared)
        continue;
      if (context.isNew(Kind::WriteAfterRead, op, p->op))
        context.report(
            Kind::WriteAfterRead, wave.number, op, p->op, wave.number, shared->lane,
            formatv("writes LDS byte {0} while the wave's own {1} of it may be in flight: no {2} wait in between",
                    shared->byte, record.kind == AccessKind::Read ? "read" : "write",
                    context.facts.counters.names(p->facts->ofLds)),
            context.waitFor(wave.number, *p) + " before it");
      return;
    }
  }
}

/// LDS DMA of the wave itself that may not have arrived. Of several on their way to a byte the newest is named.
void LdsDmaCheck::checkPending(const Wave &wave, const Op &op, const AccessRecord &record) {
  const InFlight &flying = context.inFlight[wave.number];
  if (!context.options.has(Kind::InFlight) || !flying.anyLdsDma())
    return;
  uint64_t some = 0;
  forEachPiece(wave.number, record, [&](uint64_t bits, uint64_t bytes) { some |= bits & bytes; });
  if (!some)
    return;
  for (Pending *p : reverse(flying.operations()))
    for (const AccessRecord &dma : p->accesses) {
      if (!p->facts->isLdsDma || !dma.isLds)
        continue;
      const std::optional<AccessRecord::Shared> shared = record.sharedWith(dma);
      if (!shared)
        continue;
      if (!std::exchange(p->isLdsReported, true) && context.isNew(Kind::InFlight, op, p->op))
        context.report(Kind::InFlight, wave.number, op, p->op, wave.number, shared->lane,
                       formatv("{0} LDS byte {1} while LDS DMA to it may be in flight: no {2} wait in between",
                               record.kind == AccessKind::Read ? "reads" : "writes", shared->byte,
                               context.facts.counters.names(p->facts->ofLds)),
                       context.waitFor(wave.number, *p) + " before it");
      return;
    }
}

/// Another one may be on its way to the same bytes.
void LdsDmaCheck::retired(Wave &wave, Pending &arrived) {
  if (!arrived.facts->isLdsDma)
    return;
  for (const AccessRecord &record : arrived.accesses)
    if (record.isLds)
      forEachPiece(wave.number, record, [](uint64_t &bits, uint64_t bytes) { bits &= ~bytes; });
  const InFlight &flying = context.inFlight[wave.number];
  if (!flying.anyLdsDma())
    return;
  for (const Pending *p : flying.operations()) {
    if (!p->facts->isLdsDma || !p->awaits || p == &arrived)
      continue;
    for (const AccessRecord &record : p->accesses)
      if (record.isLds && any_of(arrived.accesses, [&](const AccessRecord &old) { return record.mayOverlap(old); }))
        addPending(wave.number, record);
  }
}

} // namespace inflight::machine::check
