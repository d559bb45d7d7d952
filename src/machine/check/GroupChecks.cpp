#include "machine/check/GroupChecks.h"

#include "isa/RegUnit.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

GroupChecks::GroupChecks(const Facts &facts, const Options &options, const Op *codeBegin, uint64_t dataBegin, uint64_t dataBytes, unsigned vmcntMaximum, bool tgSplit)
    : facts(facts), options(options), codeBegin(codeBegin), vmcntMaximum(vmcntMaximum), tgSplit(tgSplit), globalShadow(dataBegin, dataBytes),
      raceCheck(options.has(check::Kind::Race) || options.has(check::Kind::WriteAfterRead)), inFlightCheck(options.has(check::Kind::InFlight)) {}

GroupChecks::~GroupChecks() = default;

void GroupChecks::begin(Workgroup &g, MutableArrayRef<Wave> waves) {
  group = &g;
  waveCount = waves.size();
  ++epoch;
  const uint64_t lds = reinterpret_cast<uint64_t>(g.lds.data());
  if (!ldsShadow || ldsShadow->beginAddress() != lds || !ldsShadow->covers(lds, g.lds.size()))
    ldsShadow = std::make_unique<Shadow>(lds, g.lds.size());
  inFlight.resize(waves.size());
  for (Wave &wave : waves) {
    wave.observer = this;
    inFlight[wave.number].reset();
  }
  random.seed(options.seed ^ (g.id[0] + uint64_t(g.id[1]) * 0x9e3779b97f4a7c15u + uint64_t(g.id[2]) * 0xbf58476d1ce4e5b9u));
}

bool GroupChecks::inLds(uint64_t address) const {
  const uint64_t begin = reinterpret_cast<uint64_t>(group->lds.data());
  return address - begin < group->lds.size();
}

void GroupChecks::report(check::Kind kind, const Wave &wave, const Op &op, const Op *other, int otherWave, int lane, std::string message) {
  Finding finding;
  finding.kind = kind;
  finding.op = &op;
  finding.other = other;
  finding.message = std::move(message);
  std::copy_n(group->id, 3, finding.group);
  finding.wave = wave.number;
  finding.otherWave = otherWave;
  finding.lane = lane;
  findings.add(std::move(finding));
}

void GroupChecks::checkRegisters(Wave &wave, const Op &op, const OpFacts &f) {
  const InFlight &flying = inFlight[wave.number];
  const uint64_t lanes = f.laneWise ? wave.exec() : ~uint64_t(0);
  auto check = [&](RegRange range, bool isWrite) {
    const Pending *p = flying.writing(range, lanes);
    if (!p)
      return;
    // Results of one kind arrive in order, so the later one stays.
    if (isWrite && f.resultsLater && f.inOrder && p->facts->inOrder && f.raisesVmcnt == p->facts->raisesVmcnt && f.isLds == p->facts->isLds)
      return;
    if (!findings.isNew(check::Kind::InFlight, &op, p->op))
      return;
    RegRange common = range;
    for (RegRange written : p->registers)
      if (written.overlaps(range)) {
        unsigned first = std::max(written.first, range.first), last = std::min(written.first + written.count, range.first + range.count);
        common = {RegUnit(first), uint16_t(last - first)};
      }
    const char *counter = p->facts->raisesVmcnt ? (p->facts->raisesLgkmcnt ? "vmcnt and lgkmcnt" : "vmcnt") : "lgkmcnt";
    report(check::Kind::InFlight, wave, op, p->op, wave.number, -1,
           formatv("{0} {1}, which may still be on its way: no wait on {2} since", isWrite ? "overwrites" : "reads", regName(common), counter));
  };
  for (RegRange range : facts.reads(f))
    check(range, false);
  for (RegRange range : facts.writes(f))
    check(range, true);
}

/// The part of a wave's state that a unit names; null for those that no load writes.
static uint32_t *unitPlace(Wave &wave, RegUnit unit) {
  if (unit >= regunit::Vgpr0)
    return wave.vgpr(unit - regunit::Vgpr0);
  return unit <= regunit::ExecHi ? &wave.s[unit] : nullptr;
}
static unsigned unitWords(RegUnit unit) { return unit >= regunit::Vgpr0 ? Lanes : 1; }

void GroupChecks::keepRegisters(Wave &wave, const OpFacts &f) {
  kept.clear();
  keptRanges.clear();
  for (RegRange range : facts.writes(f)) {
    if (!isDeliverable(range.first))
      continue;
    keptRanges.push_back(range);
    for (unsigned i = 0; i < range.count; ++i) {
      const uint32_t *place = unitPlace(wave, range.first + i);
      kept.insert(kept.end(), place, place + unitWords(range.first + i));
    }
  }
}

void GroupChecks::before(Wave &wave, const Op &op) {
  currentOp = &op;
  accesses.clear();
  ldsBefore.clear();
  const OpFacts &f = facts.of(op);
  InFlight &flying = inFlight[wave.number];
  if (options.randomDelivery && !flying.operations().empty() && (random() & 3) == 0)
    flying.returnOne(random(), [&](Pending &p) { retire(wave, p); });
  if (f.isWait) {
    flying.wait(f.waitVmcnt, f.waitLgkmcnt, [&](Pending &p) { retire(wave, p); });
    return;
  }
  if (flying.anyRegisters())
    checkRegisters(wave, op, f);
  if (f.resultsLater)
    keepRegisters(wave, f);
}

void GroupChecks::delayResults(Wave &wave, const OpFacts &f, Pending &p) {
  p.registers.assign(keptRanges.begin(), keptRanges.end());
  p.values.resize(kept.size());
  size_t at = 0;
  for (RegRange range : keptRanges)
    for (unsigned i = 0; i < range.count; ++i) {
      uint32_t *place = unitPlace(wave, range.first + i);
      const unsigned words = unitWords(range.first + i);
      std::copy_n(place, words, p.values.data() + at);
      std::copy_n(kept.data() + at, words, place);
      at += words;
    }
  if (!f.isLdsDma)
    return;
  // What the DMA wrote becomes what it will write.
  for (const AccessRecord &record : accesses) {
    if (!record.isLds)
      continue;
    size_t position = 0;
    p.ldsBytes.resize(ldsBefore.size());
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (record.at[lane]) {
        auto *place = reinterpret_cast<uint8_t *>(record.at[lane]);
        std::copy_n(place, record.bytes, p.ldsBytes.data() + position);
        std::copy_n(ldsBefore.data() + position, record.bytes, place);
        position += record.bytes;
      }
  }
}

void GroupChecks::after(Wave &wave, const Op &op) {
  const OpFacts &f = facts.of(op);
  if (!f.resultsLater || wave.status == Status::Faulted)
    return;
  for (const AccessRecord &record : accesses) {
    if (f.isLdsDma && record.isLds)
      checkOverwrittenReads(wave, record);
    enterShadow(wave, op, record, f.isLdsDma && record.isLds);
  }
  InFlight &flying = inFlight[wave.number];
  Pending &p = flying.issue();
  p.op = &op;
  p.facts = &f;
  p.exec = wave.exec();
  p.awaitsVmcnt = f.raisesVmcnt;
  p.awaitsLgkmcnt = f.raisesLgkmcnt;
  if (inFlightCheck)
    delayResults(wave, f, p);
  std::swap(p.accesses, accesses);
  flying.issued(p);
  // A counter at its maximum lets no further operation go.
  flying.wait(vmcntMaximum, ~0u, [&](Pending &done) { retire(wave, done); });
}

void GroupChecks::retire(Wave &wave, Pending &p) {
  const uint32_t keep = p.facts->halves == 1 ? 0xffff0000u : p.facts->halves == 2 ? 0xffffu : 0;
  size_t at = 0;
  for (RegRange range : p.registers)
    for (unsigned i = 0; i < range.count; ++i) {
      uint32_t *place = unitPlace(wave, range.first + i);
      if (unitWords(range.first + i) == 1) {
        *place = p.values[at++];
        continue;
      }
      for (unsigned lane = 0; lane < Lanes; ++lane, ++at)
        if (p.exec >> lane & 1)
          place[lane] = (place[lane] & keep) | (p.values[at] & ~keep);
    }
  if (!p.facts->isLdsDma)
    return;
  for (const AccessRecord &record : p.accesses) {
    if (!record.isLds)
      continue;
    const uint8_t *from = p.ldsBytes.data();
    const unsigned index = std::min<unsigned>(p.op - codeBegin, (1u << 20) - 1);
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      if (!record.at[lane])
        continue;
      if (!p.ldsBytes.empty())
        std::copy_n(from, record.bytes, reinterpret_cast<uint8_t *>(record.at[lane]));
      from += record.bytes;
      if (raceCheck)
        for (uint64_t word = record.at[lane] & ~uint64_t(3); word < record.at[lane] + record.bytes; word += 4) {
          Touch &write = ldsShadow->cell(word).write;
          if (write.op == index && write.wave == wave.number)
            write.isPending = false;
        }
    }
  }
}

void GroupChecks::barrier(MutableArrayRef<Wave> waves) {
  ++epoch;
  if (!raceCheck)
    return;
  // What is still in flight may happen in the new epoch. Global memory is ordered by the compute unit's cache, which
  // all waves of a workgroup share unless it is split.
  for (Wave &wave : waves)
    for (const std::unique_ptr<Pending> &p : inFlight[wave.number].operations())
      for (const AccessRecord &record : p->accesses) {
        if (!record.isLds && !tgSplit)
          continue;
        Conflict ignored;
        Shadow &shadow = record.isLds ? *ldsShadow : globalShadow;
        enter(shadow, {record, epoch, uint32_t(p->op - codeBegin), wave.number, p->facts->isLdsDma && record.isLds, true}, ignored);
      }
}

void GroupChecks::memoryFault(const Wave &wave) {
  if (options.has(check::Kind::Memory) && findings.isNew(check::Kind::Memory, group->faultOp, nullptr))
    report(check::Kind::Memory, wave, *group->faultOp, nullptr, -1, -1, group->fault);
}

void GroupChecks::lanes(Wave &wave, const uint64_t *addresses, unsigned bytes, Kind kind) {
  const OpFacts &f = facts.of(*currentOp);
  AccessRecord &record = accesses.emplace_back();
  record.bytes = bytes;
  record.kind = kind;
  record.low = ~uint64_t(0);
  record.high = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    record.at[lane] = addresses[lane];
    record.low = std::min(record.low, addresses[lane] - 1);
    record.high = std::max(record.high, addresses[lane]);
  }
  ++record.low;
  record.high += bytes;
  record.isLds = record.low != 0 && inLds(record.low);
  if (kind == Kind::Atomic && options.has(check::Kind::Memory))
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (addresses[lane] % bytes && findings.isNew(check::Kind::Memory, currentOp, nullptr))
        report(check::Kind::Memory, wave, *currentOp, nullptr, -1, lane, formatv("an atomic of {0} bytes at an address that is no multiple of them", bytes));
  if (inFlightCheck && f.isLdsDma && record.isLds)
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (addresses[lane]) {
        auto *place = reinterpret_cast<const uint8_t *>(addresses[lane]);
        ldsBefore.insert(ldsBefore.end(), place, place + bytes);
      }
}

void GroupChecks::scalar(Wave &, uint64_t, unsigned, Kind) {}

void GroupChecks::outOfLds(Wave &wave, uint64_t lanes) {
  if (options.has(check::Kind::Memory) && findings.isNew(check::Kind::Memory, currentOp, nullptr))
    report(check::Kind::Memory, wave, *currentOp, nullptr, -1, countr_zero(lanes),
           formatv("LDS access beyond the {0} bytes that the workgroup has", group->lds.size()));
}

void GroupChecks::outOfBuffer(Wave &wave, uint64_t lanes) {
  if (options.has(check::Kind::BufferRange) && findings.isNew(check::Kind::BufferRange, currentOp, nullptr))
    report(check::Kind::BufferRange, wave, *currentOp, nullptr, -1, countr_zero(lanes), "out of the buffer's range: loads give zero, stores are dropped");
}

/// LDS DMA and the LDS unit don't wait for each other, so a wave's own unfinished LDS accesses count too.
void GroupChecks::checkOverwrittenReads(Wave &wave, const AccessRecord &write) {
  if (!options.has(check::Kind::WriteAfterRead))
    return;
  for (const std::unique_ptr<Pending> &p : inFlight[wave.number].operations()) {
    if (p->facts->isLdsDma)
      continue;
    for (const AccessRecord &record : p->accesses) {
      if (!record.isLds || record.low >= write.high || write.low >= record.high)
        continue;
      for (unsigned i = 0; i < Lanes; ++i)
        for (unsigned j = 0; j < Lanes; ++j)
          if (record.at[i] && write.at[j] && record.at[i] < write.at[j] + write.bytes && write.at[j] < record.at[i] + record.bytes) {
            if (findings.isNew(check::Kind::WriteAfterRead, currentOp, p->op))
              report(check::Kind::WriteAfterRead, wave, *currentOp, p->op, wave.number, j,
                     formatv("writes LDS byte {0} while the same wave may still be {1} it: no wait on lgkmcnt since",
                             std::max(record.at[i], write.at[j]) - reinterpret_cast<uint64_t>(group->lds.data()),
                             record.kind == Kind::Read ? "reading" : "writing"));
            return;
          }
    }
  }
}

void GroupChecks::enterShadow(Wave &wave, const Op &op, const AccessRecord &record, bool isDma) {
  if (!raceCheck || !record.high || record.low >= record.high)
    return;
  // A single wave races with none, but its LDS DMA may not have arrived.
  if (waveCount == 1 && !record.isLds)
    return;
  Shadow &shadow = record.isLds ? *ldsShadow : globalShadow;
  if (!shadow.covers(record.low, record.high - record.low))
    return; // scratch belongs to one lane
  Conflict conflict;
  if (!enter(shadow, {record, epoch, uint32_t(&op - codeBegin), wave.number, isDma, false}, conflict))
    return;
  const bool ownDma = conflict.otherWrote && conflict.other.isPending && conflict.other.wave == wave.number;
  const bool overwrites = !conflict.otherWrote && (isDma || conflict.other.isLate);
  check::Kind kind = ownDma ? check::Kind::InFlight : overwrites ? check::Kind::WriteAfterRead : check::Kind::Race;
  if (options.has(kind) && findings.isNew(kind, &op, codeBegin + conflict.other.op))
    describe(kind, wave, op, conflict, record);
}

void GroupChecks::describe(check::Kind kind, const Wave &wave, const Op &op, const Conflict &conflict, const AccessRecord &record) {
  const char *verb = record.kind == Kind::Read ? "reads" : record.kind == Kind::Write ? "writes" : "changes";
  std::string place = record.isLds ? formatv("LDS byte {0}", conflict.address - reinterpret_cast<uint64_t>(group->lds.data())).str()
                                   : formatv("global address 0x{0:x-}", conflict.address).str();
  const bool known = conflict.other.wave != wave.number || kind == check::Kind::InFlight;
  std::string who = known ? formatv("wave {0}", unsigned(conflict.other.wave)).str() : "another wave";
  std::string why;
  if (kind == check::Kind::InFlight)
    why = "which LDS DMA may still be writing: no wait on vmcnt since";
  else if (conflict.otherWrote && conflict.other.isLate)
    why = who + " may still be writing it: no wait before the barrier";
  else if (conflict.other.isLate)
    why = who + " may still be reading it: no wait before the barrier";
  else
    why = who + (conflict.otherWrote ? " writes" : " reads") + " it, too: no barrier between";
  report(kind, wave, op, codeBegin + conflict.other.op, kind == check::Kind::InFlight ? int(wave.number) : known ? int(conflict.other.wave) : -1,
         conflict.lane, formatv("{0} {1}, {2}{3}", verb, place, kind == check::Kind::InFlight ? "" : "and ", why));
}

} // namespace inflight::machine::check
