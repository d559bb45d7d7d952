#include "machine/check/checks/RaceCheck.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

RaceCheck::RaceCheck(Context &context)
    : Check(context), raced(context.options.has(Kind::Race) ? &*context.code.flows : nullptr, context.codeBegin) {
  if (context.facts.anyAcquires())
    ordering.emplace();
}

void RaceCheck::begin(MutableArrayRef<Wave> waves) {
  if (ordering)
    ordering->begin();
  beginEpoch();
  const size_t ldsBytes = context.group->lds.size();
  lds.begin(context.ldsBegin(), ldsBytes, waves.size(), order());
  raced.begin(waves.size(), context.ldsBegin(), ldsBytes);
}

void RaceCheck::access(Wave &wave, const AccessRecord &record) {
  if (record.kind == AccessKind::Write && context.waveCount > 1 && !context.facts.of(*context.op).isLdsDma)
    sameValues.keep(context, lds, wave);
}

static Unit unitOf(const AccessRecord &record, const OpFacts &f) {
  return !record.isLds ? Unit::Global : f.isLdsDma ? Unit::Dma : Unit::Lds;
}

void RaceCheck::executed(Wave &wave, const Op &op, const OpFacts &f) {
  if (raced.any() && raced.memory(wave, op, context.accesses, f.halves))
    reportRacedLoads();
  sameValues.find(context, lds, wave);
  number = ordering ? ordering->next() : 0;
  seen.reset();
  if (ordering && f.acquires) {
    Known known;
    bool sees = false;
    for (const AccessRecord &record : context.accesses)
      sees |= record.isLds ? lds.findPublished(record, &op - context.codeBegin, wave.number, known)
                           : global.findPublished(record, wave.number, known);
    if (sees)
      seen = known;
  }
  for (const AccessRecord &record : context.accesses)
    enter(wave, op, f, record);
  if (ordering && lds.isFull())
    lds.makeRoom([&](const auto &...race) { reportLds(race...); });
}

void RaceCheck::enter(Wave &wave, const Op &op, const OpFacts &f, const AccessRecord &record) {
  const uint32_t index = &op - context.codeBegin;
  Moment moment;
  moment.wave = wave.number;
  if (ordering)
    moment = ordering->moment(wave.number, unitOf(record, f), number, record.kind != AccessKind::Read,
                              context.inFlight[wave.number], context.tgSplit);
  if (!record.isLds) {
    if (!f.acquires)
      enterGlobal(wave, op, f, record, moment);
    else if (record.kind != AccessKind::Read)
      global.addAcquiring(record, index, moment);
  } else if (!f.acquires || record.kind != AccessKind::Read) {
    lds.enter(record, index, wave.number, f, moment, false);
  }
}

/// What it loads is followed if the load races.
void RaceCheck::enterGlobal(Wave &wave, const Op &op, const OpFacts &f, const AccessRecord &record,
                            const Moment &moment) {
  if (!isShared(record))
    return;
  const uint32_t index = &op - context.codeBegin;
  Conflict conflict;
  if (record.kind != AccessKind::Read || !raced.follows(op)) {
    global.add(record, index, moment, false, globalReport());
  } else if (global.addRead(record, index, moment, globalReport(), conflict)) {
    raced.add(wave, op, f.halves, conflict);
    context.looksAlways = context.followsFlow = true;
  }
}

void RaceCheck::issued(Wave &, Pending &p) {
  p.number = number;
  if (seen)
    p.acquired.push_back(*seen);
}

void RaceCheck::retired(Wave &wave, Pending &p) {
  if (!p.acquired.empty())
    ordering->acquire(wave.number, p.acquired[0]);
}

void RaceCheck::barrier(ArrayRef<Wave> waves) {
  endEpoch();
  if (ordering)
    ordering->barrier();
  beginEpoch();
  for (const Wave &wave : waves)
    for (Pending *p : context.inFlight[wave.number].operations())
      enterLate(wave, *p);
}

/// Global memory is ordered by the compute unit's cache, which all waves of a workgroup share unless it is split.
void RaceCheck::enterLate(const Wave &wave, Pending &p) {
  const uint32_t index = p.op - context.codeBegin;
  if (ordering)
    p.number = ordering->next();
  for (const AccessRecord &record : p.accesses) {
    Moment moment;
    moment.wave = wave.number;
    moment.number = p.number;
    moment.unit = unitOf(record, *p.facts);
    if (record.isLds && p.mayTouchLds())
      lds.enter(record, index, wave.number, *p.facts, moment, true, context.waitFor(wave.number, p));
    else if (!record.isLds && context.tgSplit && (!p.facts->isFlat() || p.mayTouchMemory()) && isShared(record))
      global.add(record, index, moment, true, globalReport());
  }
}

void RaceCheck::endEpoch() {
  global.endEpoch(globalReport());
  lds.endEpoch([&](const auto &...race) { reportLds(race...); });
}

/// What a racing load has brought decides something.
void RaceCheck::reportRacedLoads() {
  for (const RacedLoads::Race &race : raced.take())
    reportGlobal(race.wave, race.op, AccessKind::Read, race.conflict);
}

void RaceCheck::reportLds(const LdsRaces::Access &access, const LdsRaces::Access &earlier, uint32_t byte, int lane) {
  // The one that was in flight over the barrier is the other side.
  const bool swapped = access.isLate && !earlier.isLate;
  const LdsRaces::Access &mine = swapped ? earlier : access, &other = swapped ? access : earlier;
  const bool overwrites = (mine.isDma || other.isLate) && other.kind == AccessKind::Read;
  auto sideOf = [&](const LdsRaces::Access &of) { return Side{context.codeBegin[of.op], of.wave, of.kind, of.isLate}; };
  report(overwrites ? Kind::WriteAfterRead : Kind::Race, sideOf(mine), sideOf(other), lane,
         formatv("LDS byte {0}", byte), other.wait);
}

void RaceCheck::reportGlobal(unsigned wave, uint32_t index, AccessKind kind, const Conflict &conflict) {
  const Op &op = context.codeBegin[index];
  const Touch &other = conflict.other;
  auto place = [&] { return "global memory at " + context.memory.describe(conflict.address); };
  if (!conflict.isSameValue)
    report(Kind::Race, {op, wave, kind},
           {context.codeBegin[other.op], other.wave, AccessKind(other.kind), bool(other.isLate)}, conflict.lane,
           place(), "s_waitcnt");
  else if (context.isNew(Kind::SameValue, op, &op))
    context.report(Kind::SameValue, wave, op, &op, other.wave, conflict.lane,
                   "writes what another wave has written by the same instruction, to " + place() +
                       ": no barrier in between");
}

void RaceCheck::report(Kind rule, const Side &mine, const Side &other, int lane, const std::string &place,
                       const std::string &wait) {
  if (!context.isNew(rule, mine.op, &other.op))
    return;
  const char *verb = mine.kind == AccessKind::Read ? "reads " : mine.kind == AccessKind::Write ? "writes " : "changes ";
  const std::string access = other.kind == AccessKind::Read ? "read" : "write";
  const std::string why =
      other.isLate
          ? formatv(" while wave {0}'s {1} of it may be in flight: no wait before the barrier", other.wave, access)
          : formatv(", which wave {0} {1}s: no barrier in between", other.wave, access);
  context.report(rule, mine.wave, mine.op, &other.op, other.wave, lane, verb + place + why,
                 other.isLate ? wait + " between the " + access + " and the barrier"
                              : "an s_barrier between them, and a wait for the first before it");
}

} // namespace inflight::machine::check
