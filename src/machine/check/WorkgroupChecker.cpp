#include "machine/check/WorkgroupChecker.h"

#include "isa/chip/RegUnit.h"
#include "machine/check/inflight/LaneLoops.h"
#include "machine/check/races/Acquires.h"
#include "machine/memory/Unwritten.h"
#include "machine/wave/KernelBytes.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

Expected<CodeFacts> CodeFacts::find(const CodeObject &object, const Code &code, const Options &options) {
  Expected<const Isa *> isa = Isa::get(object.chip());
  if (!isa)
    return isa.takeError();
  CodeFacts result{Facts(code), std::nullopt, std::nullopt, object.textAddress()};
  if (options.has(check::Kind::Uninitialised) || options.has(check::Kind::Race))
    result.flows.emplace(code);
  const hazards::HazardTable *table = nullptr;
  if (options.has(check::Kind::Hazard) || options.has(check::Kind::HazardAdvice)) {
    if (Error error = hazards::HazardTable::get(**isa).moveInto(table))
      return std::move(error);
    result.hazards.emplace(*table, code);
  }
  Acquires acquires(code);
  const bool findsRaces = options.has(check::Kind::Race) || options.has(check::Kind::WriteAfterRead);
  code.forEachInstruction([&](const Op &op, const Isa &isa, const MCInst &inst) {
    const InstrDesc &desc = isa.desc(inst.getOpcode());
    const RegAccess access = isa.regAccess(inst);
    result.facts.add(op, desc, access);
    if (findsRaces)
      acquires.add(op, desc, access);
    if (result.flows)
      result.flows->add(op, desc, access);
    if (result.hazards)
      result.hazards->place(&op - code.begin(), op.slots, table->accessOf(isa, inst));
  });
  result.facts.setAcquires(acquires.find());
  return result;
}

/// The arena and what is registered, by address, without what the device library shares out.
static std::vector<Allocation> rangesOf(const Memory &memory) {
  std::vector<Allocation> ranges(memory.registeredRanges());
  ranges.push_back({memory.usedBegin(), memory.usedBegin() + memory.usedBytes()});
  for (const Allocation &shared : memory.sharedRanges())
    for (size_t i = 0, count = ranges.size(); i < count; ++i)
      if (Allocation &range = ranges[i]; range.contains(shared.begin, shared.end - shared.begin)) {
        const Allocation after{shared.end, range.end};
        range.end = shared.begin;
        ranges.push_back(after);
        break;
      }
  llvm::erase_if(ranges, [](const Allocation &range) { return range.begin == range.end; });
  llvm::sort(ranges, [](const Allocation &a, const Allocation &b) { return a.begin < b.begin; });
  return ranges;
}

/// Of a vector memory instruction: the encoding's SC0 and SC1, or GLC.
static CachePolicy scopeOf(const Op &op) {
  constexpr uint32_t flat = 0x37;
  const uint32_t word = op.word[0], sc0 = word >> 26 == flat ? 16 : 14, sc1 = word >> 26 == flat ? 25 : 15;
  return {.sc0 = (word >> sc0 & 1) != 0, .sc1 = (word >> sc1 & 1) != 0};
}

/// Loads, stores and fences that others than the device may see before the kernel has ended, and atomics that return
/// what was there; SC0 of atomics says that they do.
static bool hasSystemScope(const Op &op) {
  constexpr uint32_t flat = 0x37, buffer = 0x38;
  const uint32_t encoding = op.word[0] >> 26;
  const CachePolicy scope = scopeOf(op);
  return (encoding == flat || encoding == buffer) && scope.sc0 && scope.sc1;
}

WorkgroupChecker::WorkgroupChecker(const CodeFacts &code, const Options &options, const Op *codeBegin,
                                   const Memory &memory, const TargetInfo &target, bool tgSplit, LateStores *late)
    : facts(code.facts),
      codeFlows(code.flows ? &*code.flows : nullptr),
      flows(options.has(check::Kind::Uninitialised) ? codeFlows : nullptr),
      options(options),
      codeBegin(codeBegin),
      memory(memory),
      tgSplit(tgSplit),
      late(late),
      global(rangesOf(memory)),
      raced(options.has(check::Kind::Race) ? codeFlows : nullptr, codeBegin),
      raceCheck(options.has(check::Kind::Race) || options.has(check::Kind::WriteAfterRead)),
      inFlightCheck(options.has(check::Kind::InFlight)),
      random(options.seed) {
  if (code.hazards)
    hazards.emplace(*code.hazards);
  if (facts.anyAcquires())
    ordering.emplace();
  if (flows && !memory.unwritten().empty())
    undefinedMemory.global = &memory.unwritten();
  // Without bits for scopes nobody knows whether the host may look while a kernel runs.
  if (target.hasScopeBits && !memory.unwritten().noted.empty())
    noted = &memory.unwritten().noted;
  if (options.trace)
    trace.emplace(*options.trace, codeBegin, code.textAddress);
}

WorkgroupChecker::~WorkgroupChecker() = default;

void WorkgroupChecker::begin(Workgroup &g, MutableArrayRef<Wave> waves) {
  group = &g;
  waveCount = waves.size();
  if (ordering)
    ordering->begin();
  global.beginEpoch(++epoch, ordering ? &*ordering : nullptr);
  lds.begin(reinterpret_cast<uint64_t>(g.lds.data()), g.lds.size(), waves.size(), ordering ? &*ordering : nullptr);
  raced.begin(waves.size(), reinterpret_cast<uint64_t>(g.lds.data()), g.lds.size());
  looksAlways = options.randomDelivery || options.trace;
  inFlight.resize(waves.size());
  if (late)
    owner = late->newOwners(waves.size());
  if (hazards)
    hazards->begin(waves.size());
  if (flows) {
    undefined.resize(waves.size());
    undefinedMemory.lds.begin(reinterpret_cast<uint64_t>(g.lds.data()), g.lds.size());
    undefinedMemory.loads.clear();
  }
  for (Wave &wave : waves) {
    wave.observer = this;
    inFlight[wave.number].reset();
    if (flows)
      undefined[wave.number].begin(wave, wave.definedScalars);
  }
  random.seed(options.seed ^
              (g.id[0] + uint64_t(g.id[1]) * 0x9e3779b97f4a7c15u + uint64_t(g.id[2]) * 0xbf58476d1ce4e5b9u));
}

uint64_t WorkgroupChecker::ldsByte(uint64_t address) const {
  return address - reinterpret_cast<uint64_t>(group->lds.data());
}

bool WorkgroupChecker::isNew(check::Kind kind, const Op &op, const Op *other) {
  return options.has(kind) && findings.isNew(kind, &op, other);
}

void WorkgroupChecker::report(check::Kind kind, unsigned wave, const Op &op, const Op *other, int otherWave, int lane,
                              std::string message, std::string hint, const Op *cause) {
  Finding finding;
  finding.cause = cause;
  finding.kind = kind;
  finding.op = &op;
  finding.other = other;
  finding.message = std::move(message);
  finding.hint = std::move(hint);
  std::copy_n(group->id, 3, finding.group);
  finding.wave = wave;
  finding.otherWave = otherWave;
  finding.lane = lane;
  findings.add(std::move(finding));
}

namespace {
/// Which operations a wait for some others makes sure of as well.
class Covered {
public:
  bool covers(const Pending &p) const { return !(p.awaits & ~(p.facts->inOrder ? newer : all)); }
  /// A wait for `p`, where only older operations will be asked about.
  void add(const Pending &p) {
    newer |= p.awaits;
    if (!p.facts->inOrder)
      all |= p.awaits;
  }

private:
  CounterSet newer = 0; ///< waited for as far as some operation
  CounterSet all = 0;   ///< waited for until it was 0
};
} // namespace

void WorkgroupChecker::checkRegisters(Wave &wave, const Op &op, const OpFacts &f, ArrayRef<RegRange> reads,
                                      ArrayRef<RegRange> writes) {
  const InFlight &flying = inFlight[wave.number];
  const uint64_t lanes = f.laneWise ? wave.exec() : ~uint64_t(0);
  auto check = [&](RegRange range, bool isWrite) {
    if (!flying.mayWrite(range))
      return;
    Covered reported;
    flying.forEachWriting(range, lanes, [&](Pending &p, RegRange common) {
      if (reported.covers(p))
        return;
      if (any_of(p.reported, [&](RegRange earlier) { return earlier.overlaps(range); }))
        return reported.add(p);
      // Results of one kind arrive in order, so the later one stays.
      if (isWrite && f.resultsLater && f.inOrder && p.facts->inOrder && f.raises == p.facts->raises &&
          f.isLds == p.facts->isLds)
        return;
      if (isWrite && p.arrivesBefore(f))
        return;
      reported.add(p);
      if (options.has(check::Kind::InFlight))
        p.reported.push_back(range);
      if (isNew(check::Kind::InFlight, op, p.op))
        reportRegister(wave, op, p, common, isWrite);
    });
  };
  for (RegRange range : reads)
    check(range, false);
  for (RegRange range : writes)
    check(range, true);
}

void WorkgroupChecker::reportRegister(const Wave &wave, const Op &op, const Pending &p, RegRange range, bool isWrite) {
  report(check::Kind::InFlight, wave.number, op, p.op, wave.number, -1,
         formatv("{0} {1} while its load may be in flight: no {2} wait in between", isWrite ? "overwrites" : "reads",
                 regName(range), facts.counters.names(p.facts->raises)),
         waitFor(wave, p) + " before it");
}

/// What an instruction reads and writes once indexing has moved its operands. `Range`: a first register and a count;
/// v0 is `vgpr0`.
template <typename Range> struct IndexedRegisters {
  SmallVector<Range, 8> reads, writes;
  IndexedRegisters(const IndexableOp &info, const Op &indexed, unsigned vgpr0, ArrayRef<Range> plainReads,
                   ArrayRef<Range> plainWrites) {
    auto sourceOf = [&](const Op &op, unsigned i) {
      return vgpr0 + (info.isDpp && i == 0 ? op.word[1] & 0xff : op.source[i].index);
    };
    auto moveResult = [&](Range range) {
      if (info.words[3] && range.first == vgpr0 + info.plain->destination)
        range.first = vgpr0 + indexed.destination;
      return range;
    };
    for (Range range : plainReads) {
      bool isSource = false;
      for (unsigned i = 0; i < 3; ++i)
        if (info.words[i] && range.first == sourceOf(*info.plain, i)) {
          isSource = true;
          reads.push_back(range);
          reads.back().first = sourceOf(indexed, i);
        }
      if (!isSource) // scalars, and the sum of an accumulation
        reads.push_back(moveResult(range));
    }
    for (Range range : plainWrites)
      writes.push_back(moveResult(range));
  }
};

/// An s_movrel* whose registers are those that M0 chose. `Range`: as above, scalars by operand number. A register
/// beyond the allocation isn't written, and s0 read in its place.
template <typename Range> struct RelativeRegisters {
  Op moved;
  SmallVector<Range, 4> reads, writes;
  RelativeRegisters(const Wave &wave, const Op &op, bool isResult, ArrayRef<Range> plainReads,
                    ArrayRef<Range> plainWrites)
      : moved(op) {
    const unsigned plain = isResult ? op.destination : op.source[0].index;
    reads.assign(plainReads.begin(), plainReads.end());
    writes.assign(plainWrites.begin(), plainWrites.end());
    // LLVM lists the register before the one that is written as read.
    const bool readsPlain = op.source[0].kind == Source::Scalar && op.source[0].index == plain;
    auto listed = find_if(reads, [&](Range range) { return range.first == plain; });
    if (isResult && !readsPlain && listed != reads.end()) {
      writes.push_back(*listed);
      reads.erase(listed);
    }
    for (Range &range : isResult ? writes : reads)
      if (range.first == plain) {
        const uint32_t first = range.first + wave.s[regunit::M0];
        const bool exists = uint64_t(first) + range.count <= wave.sgprs;
        if (isResult)
          moved.destination = first;
        else
          moved.source[0].index = exists ? first : 0;
        range = exists     ? Range{decltype(range.first)(first), range.count}
                : isResult ? Range{}
                           : Range{decltype(range.first)(0), range.count};
        break;
      }
    erase_if(writes, [](Range range) { return !range.count; });
  }
};

/// The part of a wave's state that a unit names; null for those that no load writes.
static uint32_t *unitPlace(Wave &wave, RegUnit unit) {
  if (unit >= regunit::Vgpr0)
    return wave.vgpr(unit - regunit::Vgpr0);
  return unit <= regunit::ExecHi ? &wave.s[unit] : nullptr;
}
/// Registers of a range follow each other.
static unsigned words(RegRange range) { return range.first >= regunit::Vgpr0 ? range.count * Lanes : range.count; }

/// The bytes of all lanes in order, in as few pieces as may be.
template <typename F> static void forEachRun(const AccessRecord &record, F &&run) {
  if (record.isContiguous()) {
    run(hostMemory(record.address(0)), size_t(Lanes) * record.bytes);
    return;
  }
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (const uint64_t at = record.address(lane))
      run(hostMemory(at), record.bytes);
}

void WorkgroupChecker::keepRegisters(Wave &wave, const OpFacts &f) {
  kept.clear();
  keptRanges.clear();
  for (RegRange range : facts.writes(f)) {
    if (!isDeliverable(range.first))
      continue;
    keptRanges.push_back(range);
    const uint32_t *place = unitPlace(wave, range.first);
    kept.insert(kept.end(), place, place + words(range));
  }
}

void WorkgroupChecker::reportHazard(const Wave &wave, const MissingStates &missing) {
  const Op *op = codeBegin + missing.consumer, *other = codeBegin + missing.producer;
  const check::Kind kind = missing.gravity == hazards::Gravity::Error ? check::Kind::Hazard : check::Kind::HazardAdvice;
  if (!options.has(kind) || !isNew(kind, *op, other))
    return;
  auto states = [](unsigned count) { return formatv("{0} wait state{1}", count, count == 1 ? "" : "s").str(); };
  report(kind, wave.number, *op, other, wave.number, -1,
         formatv("issues too early: {0} of {1} ({2})", missing.found, states(missing.required), missing.rule->text),
         formatv("s_nop {0} before it", missing.required - missing.found - 1));
}

void WorkgroupChecker::checkHazards(const Wave &wave, const Op &op) {
  hazards->before(wave.number, &op - codeBegin, op.slots,
                  [&](const MissingStates &missing) { reportHazard(wave, missing); });
}

void WorkgroupChecker::followUndefined(Wave &wave, const Op &op, const Op &executed, const Flow &flow) {
  if (flows)
    if (const UndefinedUse use = undefined[wave.number].before(wave, executed, flow); use.what)
      reportUndefined(wave, op, use);
  if (raced.any() && raced.before(wave, executed, flow))
    reportRacedLoads();
}

void WorkgroupChecker::checkUndefined(Wave &wave, const Op &op) {
  if (const OpFacts &f = facts.of(op); f.movesRelative) {
    Flow flow = codeFlows->of(op);
    const RelativeRegisters<Flow::Run> registers(wave, op, f.relativeResult, flow.scalarReads, flow.scalarWrites);
    flow.scalarReads.assign(registers.reads.begin(), registers.reads.end());
    flow.scalarWrites.assign(registers.writes.begin(), registers.writes.end());
    return followUndefined(wave, op, registers.moved, flow);
  }
  followUndefined(wave, op, op, codeFlows->of(op));
}

void WorkgroupChecker::beginInstruction(Wave &wave, const Op &op) {
  if (trace)
    trace->instruction(wave, op);
  InFlight &flying = inFlight[wave.number];
  if (options.randomDelivery && !flying.operations().empty() && (random() & 3) == 0)
    flying.deliverOne(random(), [&](Pending &p) { deliver(wave, p); });
  if (late && options.randomDelivery && (random() & 7) == 0)
    late->deliverSome(ownerOf(wave), random());
}

const IndexableOp *WorkgroupChecker::vectorInMode(const Wave &wave, const Op &op) const {
  const Op &copy = wave.codeBegin[&op - codeBegin];
  return copy.handler != op.handler ? static_cast<const IndexableOp *>(copy.extra) : nullptr;
}

bool WorkgroupChecker::beforeInMode(Wave &wave, const Op &op) {
  const IndexableOp *info = vectorInMode(wave, op);
  if (!info)
    return false;
  IndexedOp indexed;
  if (wave.mode & VectorSkip)
    return true;
  if (!(wave.mode & GprIndex) || !info->indexable)
    return false;
  if (!applyIndex(wave, *info, indexed))
    return true;
  beginInstruction(wave, op);
  const OpFacts &f = facts.of(op);
  if (inFlight[wave.number].anyRegisters()) {
    const IndexedRegisters<RegRange> registers(*info, indexed.op, regunit::Vgpr0, facts.reads(f), facts.writes(f));
    checkRegisters(wave, op, f, registers.reads, registers.writes);
  }
  if (!flows && !raced.any())
    return true;
  Flow flow = codeFlows->of(op);
  const IndexedRegisters<Flow::Run> registers(*info, indexed.op, 0, flow.vectorReads, flow.vectorWrites);
  flow.vectorReads.assign(registers.reads.begin(), registers.reads.end());
  flow.vectorWrites.assign(registers.writes.begin(), registers.writes.end());
  followUndefined(wave, op, indexed.op, flow);
  return true;
}

void WorkgroupChecker::look(Wave &wave, const Op &op, const OpFacts &f, bool onlyFlow) {
  if (onlyFlow)
    return checkUndefined(wave, op);
  beginInstruction(wave, op);
  InFlight &flying = inFlight[wave.number];
  if (f.isWait) {
    flying.wait(f.wait, [&](Pending &p) { retire(wave, p); });
    return;
  }
  if (flying.anyRegisters() && f.movesRelative) {
    const RelativeRegisters<RegRange> registers(wave, op, f.relativeResult, facts.reads(f), facts.writes(f));
    checkRegisters(wave, op, f, registers.reads, registers.writes);
  } else if (flying.anyRegisters()) {
    checkRegisters(wave, op, f, facts.reads(f), facts.writes(f));
  }
  if (flows || raced.any())
    checkUndefined(wave, op);
  if (f.resultsLater) {
    currentOp = &op;
    accesses.clear();
    undefinedMemory.scalarWords.clear();
    parts = 0;
    ldsBefore.clear();
    storedOver.clear();
    overwritten.clear();
    overwrittenBytes.clear();
    keepRegisters(wave, f);
    if (noted && hasSystemScope(op))
      noted->noteSystemScope();
  }
}

void WorkgroupChecker::delayResults(Wave &wave, const OpFacts &f, Pending &p) {
  p.registers.assign(keptRanges.begin(), keptRanges.end());
  std::swap(p.values, kept);
  size_t at = 0;
  for (RegRange range : keptRanges) {
    swapWords(unitPlace(wave, range.first), p.values.data() + at, words(range));
    at += words(range);
  }
  if (!f.isLdsDma)
    return;
  // What the DMA wrote becomes what it will write.
  for (const AccessRecord &record : accesses) {
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

void WorkgroupChecker::enterAccesses(Wave &wave, const Op &op, const OpFacts &f, uint32_t number) {
  const uint32_t index = &op - codeBegin;
  Moment moment;
  moment.wave = wave.number;
  for (const AccessRecord &record : accesses) {
    if (ordering)
      moment = ordering->moment(wave.number,
                                !record.isLds ? Unit::Global
                                : f.isLdsDma  ? Unit::Dma
                                              : Unit::Lds,
                                number, record.kind != Kind::Read, inFlight[wave.number], tgSplit);
    if (!record.isLds) {
      if (!f.acquires)
        issueGlobal(wave, op, f, record, moment);
      else if (record.kind != Kind::Read)
        global.addAcquiring(record, index, moment);
      continue;
    }
    if (f.isLdsDma) {
      checkOverwrittenReads(wave, record);
      lds.addPending(wave.number, record);
    } else {
      checkPendingDma(wave, op, record);
    }
    if (raceCheck && !(f.acquires && record.kind == Kind::Read))
      lds.enter(record, index, wave.number, f, moment, false);
  }
}

void WorkgroupChecker::issue(Wave &wave, const Op &op, const OpFacts &f) {
  if (flows)
    if (const Flow &flow = flows->of(op); flow.rule == Rule::Memory)
      if (const UndefinedUse use = undefined[wave.number].memory(wave, op, flow, accesses, undefinedMemory, f.halves);
          use.what)
        reportUndefined(wave, op, use);
  if (raced.any() && raced.memory(wave, op, accesses, f.halves))
    reportRacedLoads();
  if (!overwritten.empty())
    findSameValues(wave, op);
  const uint32_t number = ordering ? ordering->next() : 0;
  Known seen;
  bool sees = false;
  if (ordering && f.acquires)
    findAcquired(wave, op, f, seen, sees);
  enterAccesses(wave, op, f, number);
  if (ordering && lds.isFull())
    lds.makeRoom([&](const auto &...race) { reportLdsRace(race...); });
  InFlight &flying = inFlight[wave.number];
  Pending &p = flying.issue();
  p.op = &op;
  p.facts = &f;
  p.exec = wave.exec();
  p.number = number;
  if (sees)
    p.acquired.push_back(seen);
  p.awaits = f.raises;
  if (inFlightCheck)
    delayResults(wave, f, p);
  if (!storedOver.empty())
    holdBackStores(wave, op, p);
  std::swap(p.accesses, accesses);
  flying.issued(p);
  flying.limit(facts.counters, [&](Pending &done) { retire(wave, done); });
}

void WorkgroupChecker::retire(Wave &wave, Pending &p) {
  if (!p.delivered)
    deliver(wave, p);
  if (p.late)
    late->deliverNumber(p.late);
  if (!p.acquired.empty())
    ordering->acquire(wave.number, p.acquired[0]);
  if (p.facts->isLdsDma)
    dmaArrived(wave.number, p);
}

void WorkgroupChecker::deliver(Wave &wave, Pending &p) {
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
  if (!p.facts->isLdsDma)
    return;
  for (const AccessRecord &record : p.accesses) {
    if (!record.isLds)
      continue;
    const uint8_t *from = p.ldsBytes.data();
    if (!p.ldsBytes.empty())
      forEachRun(record, [&](uint8_t *place, size_t bytes) {
        std::copy_n(from, bytes, place);
        from += bytes;
      });
  }
}

/// Waves that have ended no longer count at a barrier, so the hardware goes on; the source meant all to come.
void WorkgroupChecker::checkMeeting(ArrayRef<Wave> waves) {
  const auto *waiting = find_if(waves, [](const Wave &wave) { return wave.status == Status::AtBarrier; });
  const Op *barrier = waiting->pc - 1; // s_barrier and s_endpgm have four bytes
  for (const Wave &wave : waves) {
    const Op *place = wave.pc - 1;
    if (wave.status == Status::Ended) {
      if (isNew(check::Kind::Barrier, *barrier, place))
        report(check::Kind::Barrier, waiting->number, *barrier, place, wave.number, -1,
               formatv("waits for all waves of the workgroup, but wave {0} has ended without coming to this barrier",
                       wave.number));
    } else if (place != barrier && isNew(check::Kind::BarrierPlaces, *barrier, place)) {
      report(check::Kind::BarrierPlaces, waiting->number, *barrier, place, wave.number, -1,
             formatv("meets wave {0}, which waits at another barrier", wave.number));
    }
  }
}

void WorkgroupChecker::barrier(ArrayRef<Wave> waves) {
  checkMeeting(waves);
  if (!raceCheck)
    return;
  endEpoch();
  if (ordering)
    ordering->barrier();
  global.beginEpoch(++epoch, ordering ? &*ordering : nullptr);
  // What is still in flight may happen in the new epoch. Global memory is ordered by the compute unit's cache, which
  // all waves of a workgroup share unless it is split.
  for (const Wave &wave : waves)
    for (Pending *p : inFlight[wave.number].operations()) {
      const uint32_t op = p->op - codeBegin;
      if (ordering)
        p->number = ordering->next();
      for (const AccessRecord &record : p->accesses) {
        Moment moment;
        moment.wave = wave.number;
        moment.number = p->number;
        moment.unit = !record.isLds ? Unit::Global : p->facts->isLdsDma ? Unit::Dma : Unit::Lds;
        if (record.isLds && p->mayTouchLds())
          lds.enter(record, op, wave.number, *p->facts, moment, true, waitFor(wave, *p));
        else if (!record.isLds && tgSplit && (!p->facts->isFlat() || p->mayTouchMemory()))
          enterGlobal(op, record, moment, true);
      }
    }
}

void WorkgroupChecker::end() {
  if (raceCheck)
    endEpoch();
}

void WorkgroupChecker::endEpoch() {
  global.endEpoch(globalReport());
  lds.endEpoch([&](const auto &...race) { reportLdsRace(race...); });
}

void WorkgroupChecker::reportLdsRace(const LdsRaces::Access &access, const LdsRaces::Access &earlier, uint32_t byte,
                                     unsigned lane) {
  // The one that was in flight over the barrier is the other side.
  const bool swapped = access.isLate && !earlier.isLate;
  const LdsRaces::Access &mine = swapped ? earlier : access, &other = swapped ? access : earlier;
  const bool overwrites = (mine.isDma || other.isLate) && other.kind == Kind::Read;
  reportRace(mine.wave, mine.kind, codeBegin[mine.op], codeBegin[other.op], other.wave, other.kind, other.isLate,
             overwrites, lane, formatv("LDS byte {0}", byte), other.wait);
}

void WorkgroupChecker::findAcquired(const Wave &wave, const Op &op, const OpFacts &f, Known &seen, bool &sees) {
  for (const AccessRecord &record : accesses)
    sees |= record.isLds ? lds.findPublished(record, &op - codeBegin, wave.number, seen)
                         : global.findPublished(record, wave.number, seen);
}

void WorkgroupChecker::memoryFault(const Wave &wave) {
  if (isNew(check::Kind::Memory, *group->faultOp, nullptr))
    report(check::Kind::Memory, wave.number, *group->faultOp, nullptr, -1, -1, group->fault);
}

void WorkgroupChecker::reportUndefined(const Wave &wave, const Op &op, const UndefinedUse &use) {
  if (!isNew(check::Kind::Uninitialised, op, nullptr))
    return;
  const auto &loads = undefinedMemory.loads;
  const auto load = loads.find(use.source);
  std::string where = "registers, LDS or scratch that nothing was written to";
  if (load != loads.end())
    where = "memory that nothing was written to: " + memory.describe(load->second);
  else if (!loads.empty())
    where = "registers or memory that nothing was written to; what was loaded of it is at " +
            memory.describe(loads.front().second);
  report(check::Kind::Uninitialised, wave.number, op, nullptr, -1, use.lane,
         formatv("the {0} depends on {1}", use.what, where), "", use.source);
}

void WorkgroupChecker::meetUnwritten(const Wave &wave, const AccessRecord &record) {
  Unwritten &global = *undefinedMemory.global;
  if (!global.mayBeIn(record.low, record.high))
    return;
  const bool isAtomic = record.kind == Kind::Atomic;
  if (!isAtomic && record.isContiguous())
    return global.write(record.low, record.high - record.low);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const uint64_t at = record.at[lane];
    if (!at)
      continue;
    if (isAtomic && !facts.of(*currentOp).exchanges && global.at(at, record.bytes) &&
        isNew(check::Kind::Uninitialised, *currentOp, nullptr))
      report(check::Kind::Uninitialised, wave.number, *currentOp, nullptr, -1, int(lane),
             "the atomic's result depends on memory that nothing was written to: " + memory.describe(at));
    global.write(at, record.bytes);
  }
}

void WorkgroupChecker::noteAccess(const Op &op, const AccessRecord &record) {
  if (record.kind == Kind::Atomic && scopeOf(op).sc1)
    noted->noteSystemScope();
  if (!noted->mayBeIn(record.low, record.high))
    return;
  const bool isWrite = record.kind != Kind::Read;
  if (record.isContiguous())
    return noted->note(record.low, record.high - record.low, isWrite);
  for (const uint64_t at : record.at)
    if (at)
      noted->note(at, record.bytes, isWrite);
}

void WorkgroupChecker::scalarStore(Wave &, uint64_t address, unsigned bytes) {
  if (noted && bytes)
    noted->note(address, bytes, /*isWrite=*/true);
  if (undefinedMemory.global && bytes)
    undefinedMemory.global->write(address, bytes);
}

void WorkgroupChecker::scalar(Wave &wave, uint64_t address, unsigned bytes) {
  if (noted && bytes)
    noted->note(address, bytes, /*isWrite=*/false);
  if (undefinedMemory.global && bytes && undefinedMemory.global->mayBeIn(address, address + bytes)) {
    undefinedMemory.scalarAddress = address;
    for (unsigned byte = 0; byte < bytes; byte += 4) {
      uint32_t bits = 0;
      const uint32_t unwritten = undefinedMemory.global->at(address + byte, 4);
      for (unsigned i = 0; i < 4; ++i)
        bits |= unwritten >> i & 1 ? 0xffu << (8 * i) : 0;
      undefinedMemory.scalarWords.push_back(bits);
    }
  }
  // Others are loads of what the kernel doesn't change.
  if (!facts.of(*currentOp).acquires || !bytes || !memory.contains(address, bytes))
    return;
  constexpr unsigned wordBytes = 4; // at most 16 words
  uint64_t words[Lanes] = {};
  const uint64_t first = reinterpret_cast<uint64_t>(memory.pointer(address));
  for (unsigned i = 0; i < bytes / wordBytes; ++i)
    words[i] = first + uint64_t(wordBytes) * i;
  lanes(wave, words, wordBytes, Kind::Read);
}

void WorkgroupChecker::lanes(Wave &wave, const uint64_t *addresses, unsigned bytes, Kind kind) {
  const OpFacts &f = facts.of(*currentOp);
  const unsigned part = parts++;
  auto enter = [&](const uint64_t *at) {
    AccessRecord &record = accesses.emplace_back();
    record.bytes = bytes;
    record.part = part;
    record.kind = kind;
    findRange(at, record.low, record.high);
    record.high += bytes;
    record.isLds = ldsByte(record.low) < group->lds.size();
    if (record.isLds) {
      record.firstBlock = ldsByte(record.low) / 64;
      record.first = reinterpret_cast<uint64_t>(group->lds.data()) + 64 * uint64_t(record.firstBlock);
      record.shape = shapes.find(at, bytes, record.first, 2 * (currentOp - codeBegin) + part);
    } else {
      std::copy_n(at, Lanes, record.at);
    }
    if (trace)
      trace->access(wave, record);
    if (late && !record.isLds && global.covers(record))
      meetLateStores(wave, record);
    if (undefinedMemory.global && !record.isLds && kind != Kind::Read)
      meetUnwritten(wave, record);
    if (noted && !record.isLds)
      noteAccess(*currentOp, record);
    if (kind == Kind::Write && raceCheck && waveCount > 1 && !f.isLdsDma)
      keepOverwritten(wave, record);
  };
  if (f.isFlat()) {
    // FLAT: each lane by itself is in LDS or elsewhere.
    uint64_t inLds[Lanes], elsewhere[Lanes];
    bool someIn = false, someElsewhere = false;
    for (unsigned lane = 0; lane < Lanes; ++lane) {
      const bool isIn = addresses[lane] && ldsByte(addresses[lane]) < group->lds.size();
      inLds[lane] = isIn ? addresses[lane] : 0;
      elsewhere[lane] = isIn ? 0 : addresses[lane];
      someIn |= inLds[lane] != 0;
      someElsewhere |= elsewhere[lane] != 0;
    }
    if (someIn)
      enter(inLds);
    if (someElsewhere)
      enter(elsewhere);
  } else {
    enter(addresses);
  }
  if (kind == Kind::Atomic && options.has(check::Kind::Memory))
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (addresses[lane] % bytes && isNew(check::Kind::Memory, *currentOp, nullptr))
        report(check::Kind::Memory, wave.number, *currentOp, nullptr, -1, lane,
               formatv("misaligned atomic of {0} bytes: {1}", bytes,
                       ldsByte(addresses[lane]) < group->lds.size()
                           ? formatv("LDS byte {0}", ldsByte(addresses[lane])).str()
                           : memory.describe(addresses[lane])));
  if (inFlightCheck && f.isLdsDma && accesses.back().isLds)
    forEachRun(accesses.back(),
               [&](uint8_t *place, size_t size) { ldsBefore.insert(ldsBefore.end(), place, place + size); });
}

/// Before an access: it is in order with earlier stores of its workgroup, or with tg_split of its wave. Of a store that
/// is to be late it keeps what is there.
void WorkgroupChecker::meetLateStores(const Wave &wave, const AccessRecord &record) {
  const uint64_t mine = ownerOf(wave);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const uint64_t at = record.at[lane];
    if (!at)
      continue;
    if (!late->empty()) {
      while (LateStores::Store *store = late->find(at, record.bytes, mine, false))
        late->deliver(store);
      if (record.kind == Kind::Read && !scopeOf(*currentOp).hasScope() && !facts.of(*currentOp).acquires)
        if (const LateStores::Store *store = late->find(at, record.bytes, mine, true);
            store && isNew(check::Kind::Race, *currentOp, store->op))
          report(check::Kind::Race, wave.number, *currentOp, store->op, -1, lane,
                 formatv("reads global memory at {0} while a store of workgroup ({1}, {2}, {3}), wave {4}, may be in "
                         "flight: no wait for it",
                         memory.describe(at), store->group[0], store->group[1], store->group[2], store->wave),
                 facts.counters.encoding.text(
                     {WaitCounts::of(facts.counters.of(OrderClass::Vmem), WaitCount(0)), WaitCount::none()}) +
                     " between the store and what tells of it");
    }
    if (record.kind == Kind::Write)
      storedOver.insert(storedOver.end(), hostMemory(at), hostMemory(at) + record.bytes);
  }
}

/// Puts back what a store has overwritten, until it is waited for.
void WorkgroupChecker::holdBackStores(const Wave &wave, const Op &op, Pending &pending) {
  auto store = std::make_unique<LateStores::Store>();
  store->op = &op;
  std::copy_n(group->id, 3, store->group);
  store->wave = wave.number;
  store->owner = ownerOf(wave);
  // All is read before anything is put back: lanes may store to the same bytes.
  auto forEachPlace = [&](auto &&see) {
    for (const AccessRecord &record : accesses)
      if (record.kind == Kind::Write && !record.isLds && global.covers(record))
        for (unsigned lane = 0; lane < Lanes; ++lane)
          if (const uint64_t at = record.at[lane])
            see(hostMemory(at), record.bytes);
  };
  forEachPlace([&](uint8_t *at, uint8_t bytes) {
    LateStores::Store::Bytes &to = store->bytes.emplace_back();
    to.at = reinterpret_cast<uint64_t>(at);
    to.count = bytes;
    std::copy_n(at, bytes, to.values);
  });
  const uint8_t *before = storedOver.data();
  forEachPlace([&](uint8_t *at, uint8_t bytes) {
    std::copy_n(before, bytes, at);
    before += bytes;
  });
  pending.late = late->add(std::move(store));
}

/// For writes, which are reported before they are done.
void WorkgroupChecker::keepOverwritten(const Wave &wave, const AccessRecord &record) {
  if (record.isLds ? !lds.isRepeated(record, currentOp - codeBegin, wave.number) : !global.covers(record))
    return;
  const size_t first = overwrittenBytes.size();
  overwritten.push_back({accesses.size() - 1, first});
  overwrittenBytes.resize(first + size_t(Lanes) * record.bytes); // of which all are used only if all lanes write
  uint8_t *to = overwrittenBytes.data() + first;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (const uint64_t at = record.address(lane)) {
      copyKernelBytes(to, hostMemory(at), record.bytes);
      to += record.bytes;
    }
}

/// Several waves may write one value to one place by one instruction: values that all of them hold, flags that say that
/// anything happened.
void WorkgroupChecker::findSameValues(const Wave &wave, const Op &op) {
  for (const Overwritten &before : overwritten) {
    AccessRecord &record = accesses[before.access];
    const uint8_t *old = overwrittenBytes.data() + before.first;
    bool same = true;
    int first = -1;
    for (unsigned lane = 0; lane < Lanes && same; ++lane)
      if (const uint64_t at = record.address(lane)) {
        first = first < 0 ? int(lane) : first;
        same = areKernelBytes(hostMemory(at), old, record.bytes) ||
               (record.isLds && !lds.othersWrote(at, record.bytes, wave.number));
        old += record.bytes;
      }
    record.isSameValue = same;
    if (same && record.isLds && isNew(check::Kind::SameValue, op, &op))
      report(check::Kind::SameValue, wave.number, op, &op, -1, first,
             "writes to LDS what another wave has written by the same instruction: no barrier in between");
  }
}

void WorkgroupChecker::outOfLds(Wave &wave, uint64_t lanes) {
  if (isNew(check::Kind::Memory, *currentOp, nullptr))
    report(check::Kind::Memory, wave.number, *currentOp, nullptr, -1, countr_zero(lanes),
           formatv("LDS access beyond the {0} bytes that the workgroup has", group->lds.size()));
}

void WorkgroupChecker::outOfBuffer(Wave &wave, const OutOfBuffer &dropped) {
  if (dropped.stray && isNew(check::Kind::Memory, *currentOp, nullptr)) {
    const int lane = countr_zero(dropped.stray);
    report(check::Kind::Memory, wave.number, *currentOp, nullptr, -1, lane,
           formatv("buffer access outside every allocation, lane {0}: {1}", lane,
                   memory.describe(dropped.base, dropped.offset)),
           "no mask is off here: the index is negative, or larger than 32 bits of bytes hold. The hardware gives zero "
           "for a load and drops a store, without a fault");
  }
  if (isNew(check::Kind::BufferRange, *currentOp, nullptr))
    report(check::Kind::BufferRange, wave.number, *currentOp, nullptr, -1, countr_zero(dropped.lanes),
           "out of the buffer's range: loads give zero, stores are dropped");
}

/// LDS DMA and the LDS unit don't wait for each other, so a wave's own unfinished LDS accesses count too. The newest is
/// named: a wait for it makes sure of those before it.
void WorkgroupChecker::checkOverwrittenReads(Wave &wave, const AccessRecord &write) {
  if (!options.has(check::Kind::WriteAfterRead))
    return;
  const InFlight &flying = inFlight[wave.number];
  for (const Pending *p : reverse(flying.operations())) {
    if (p->facts->isLdsDma || !p->mayTouchLds())
      continue;
    for (const AccessRecord &record : p->accesses) {
      if (!record.isLds)
        continue;
      const std::optional<AccessRecord::Shared> shared = write.sharedWith(record);
      if (!shared)
        continue;
      if (isNew(check::Kind::WriteAfterRead, *currentOp, p->op))
        report(check::Kind::WriteAfterRead, wave.number, *currentOp, p->op, wave.number, shared->lane,
               formatv("writes LDS byte {0} while the wave's own {1} of it may be in flight: no {2} wait in between",
                       shared->byte, record.kind == Kind::Read ? "read" : "write",
                       facts.counters.names(p->facts->ofLds)),
               waitFor(wave, *p) + " before it");
      return;
    }
  }
}

/// LDS DMA of the wave itself that may not have arrived. Of several on their way to a byte the newest is named.
void WorkgroupChecker::checkPendingDma(Wave &wave, const Op &op, const AccessRecord &record) {
  const InFlight &flying = inFlight[wave.number];
  if (!inFlightCheck || !flying.anyLdsDma() || !lds.isPending(wave.number, record))
    return;
  for (Pending *p : reverse(flying.operations()))
    for (const AccessRecord &dma : p->accesses) {
      if (!p->facts->isLdsDma || !dma.isLds)
        continue;
      const std::optional<AccessRecord::Shared> shared = record.sharedWith(dma);
      if (!shared)
        continue;
      if (!std::exchange(p->isLdsReported, true) && isNew(check::Kind::InFlight, op, p->op))
        report(check::Kind::InFlight, wave.number, op, p->op, wave.number, shared->lane,
               formatv("{0} LDS byte {1} while LDS DMA to it may be in flight: no {2} wait in between",
                       record.kind == Kind::Read ? "reads" : "writes", shared->byte,
                       facts.counters.names(p->facts->ofLds)),
               waitFor(wave, *p) + " before it");
      return;
    }
}

/// Another one may be on its way to the same bytes.
void WorkgroupChecker::dmaArrived(unsigned wave, const Pending &arrived) {
  for (const AccessRecord &record : arrived.accesses)
    if (record.isLds)
      lds.removePending(wave, record);
  if (!inFlight[wave].anyLdsDma())
    return;
  for (const Pending *p : inFlight[wave].operations()) {
    if (!p->facts->isLdsDma || !p->awaits || p == &arrived)
      continue;
    for (const AccessRecord &record : p->accesses)
      if (record.isLds && any_of(arrived.accesses, [&](const AccessRecord &old) { return record.mayOverlap(old); }))
        lds.addPending(wave, record);
  }
}

void WorkgroupChecker::enterGlobal(uint32_t op, const AccessRecord &record, const Moment &moment, bool isLate) {
  // A single wave races with none, and scratch, which isn't covered, belongs to one lane.
  if (raceCheck && waveCount > 1 && global.covers(record))
    global.add(record, op, moment, isLate, globalReport());
}

void WorkgroupChecker::issueGlobal(Wave &wave, const Op &op, const OpFacts &f, const AccessRecord &record,
                                   const Moment &moment) {
  const uint32_t index = &op - codeBegin;
  if (record.kind != Kind::Read || !raced.follows(op))
    return enterGlobal(index, record, moment, false);
  Conflict conflict;
  if (raceCheck && waveCount > 1 && global.covers(record) &&
      global.addRead(record, index, moment, globalReport(), conflict)) {
    raced.add(wave, op, f.halves, conflict);
    looksAlways = true;
  }
}

void WorkgroupChecker::reportRacedLoads() {
  for (const RacedLoads::Race &race : raced.take())
    reportGlobalRace(race.wave, race.op, Kind::Read, race.conflict);
}

void WorkgroupChecker::reportGlobalRace(unsigned wave, uint32_t op, Kind kind, const Conflict &conflict) {
  if (conflict.isSameValue) {
    if (isNew(check::Kind::SameValue, codeBegin[op], &codeBegin[op]))
      report(check::Kind::SameValue, wave, codeBegin[op], &codeBegin[op], conflict.other.wave, conflict.lane,
             "writes what another wave has written by the same instruction, to global memory at " +
                 memory.describe(conflict.address) + ": no barrier in between");
    return;
  }
  reportRace(wave, kind, codeBegin[op], codeBegin[conflict.other.op], conflict.other.wave, Kind(conflict.other.kind),
             conflict.other.isLate, false, conflict.lane, "global memory at " + memory.describe(conflict.address));
}

void WorkgroupChecker::reportRace(unsigned wave, Kind kind, const Op &op, const Op &other, int otherWave,
                                  Kind otherKind, bool isLate, bool overwrites, int lane, const std::string &place,
                                  const std::string &wait) {
  const check::Kind rule = overwrites ? check::Kind::WriteAfterRead : check::Kind::Race;
  if (!isNew(rule, op, &other))
    return;
  const char *verb = kind == Kind::Read ? "reads" : kind == Kind::Write ? "writes" : "changes";
  const char *const access = otherKind == Kind::Read ? "read" : "write";
  const std::string why =
      isLate
          ? formatv(" while wave {0}'s {1} of it may be in flight: no wait before the barrier", otherWave, access).str()
          : formatv(", which wave {0} {1}s: no barrier in between", otherWave, access).str();
  report(rule, wave, op, &other, otherWave, lane, verb + (" " + place) + why,
         isLate ? wait + " between the " + access + " and the barrier"
                : "an s_barrier between them, and a wait for the first before it");
}

} // namespace inflight::machine::check
