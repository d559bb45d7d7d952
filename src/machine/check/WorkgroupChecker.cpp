#include "machine/check/WorkgroupChecker.h"

#include "machine/check/MovedRegisters.h"
#include "machine/check/inflight/LaneLoops.h"

using namespace llvm;

namespace inflight::machine::check {

void WorkgroupChecker::begin(Workgroup &group, MutableArrayRef<Wave> waves) {
  context.group = &group;
  context.waveCount = waves.size();
  context.looksAlways = context.followsFlow = false;
  context.inFlight.resize(waves.size());
  for (Wave &wave : waves) {
    wave.observer = this;
    context.inFlight[wave.number].reset();
  }
  context.random.seed(context.options.seed ^ (group.id[0] + uint64_t(group.id[1]) * 0x9e3779b97f4a7c15u +
                                              uint64_t(group.id[2]) * 0xbf58476d1ce4e5b9u));
  checks.each([&](auto &check) { check.begin(waves); });
}

void WorkgroupChecker::followFlow(Wave &wave, const Op &op, const OpFacts &f) {
  auto tell = [&](const Op &executed, const Flow &flow) {
    checks.each([&](auto &check) { check.flow(wave, op, executed, flow); });
  };
  if (!f.movesRelative)
    return tell(op, context.code.flows->of(op));
  Flow flow = context.code.flows->of(op);
  const RelativeRegisters<Flow::Run> registers(wave, op, f.relativeResult, flow.scalarReads, flow.scalarWrites);
  flow.scalarReads.assign(registers.reads.begin(), registers.reads.end());
  flow.scalarWrites.assign(registers.writes.begin(), registers.writes.end());
  tell(registers.moved, flow);
}

const IndexableOp *WorkgroupChecker::vectorInMode(const Wave &wave, const Op &op) const {
  const Op &copy = wave.codeBegin[&op - context.codeBegin];
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
  checks.each([&](auto &check) { check.step(wave, op); });
  const OpFacts &f = context.facts.of(op);
  if (context.inFlight[wave.number].anyRegisters()) {
    const IndexedRegisters<RegRange> registers(*info, indexed.op, regunit::Vgpr0, context.facts.reads(f),
                                               context.facts.writes(f));
    checks.each([&](auto &check) { check.registers(wave, op, f, registers.reads, registers.writes); });
  }
  if (!context.followsFlow)
    return true;
  Flow flow = context.code.flows->of(op);
  const IndexedRegisters<Flow::Run> registers(*info, indexed.op, 0, flow.vectorReads, flow.vectorWrites);
  flow.vectorReads.assign(registers.reads.begin(), registers.reads.end());
  flow.vectorWrites.assign(registers.writes.begin(), registers.writes.end());
  checks.each([&](auto &check) { check.flow(wave, op, indexed.op, flow); });
  return true;
}

void WorkgroupChecker::look(Wave &wave, const Op &op, const OpFacts &f) {
  const Facts &facts = context.facts;
  if (context.looksAlways)
    checks.each([&](auto &check) { check.step(wave, op); });
  InFlight &flying = context.inFlight[wave.number];
  if (f.isWait) {
    flying.wait(f.wait, [&](Pending &p) { checks.each([&](auto &check) { check.retired(wave, p); }); });
    return;
  }
  if (flying.anyRegisters() && f.movesRelative) {
    const RelativeRegisters<RegRange> registers(wave, op, f.relativeResult, facts.reads(f), facts.writes(f));
    checks.each([&](auto &check) { check.registers(wave, op, f, registers.reads, registers.writes); });
  } else if (flying.anyRegisters()) {
    checks.each([&](auto &check) { check.registers(wave, op, f, facts.reads(f), facts.writes(f)); });
  }
  if (context.followsFlow)
    followFlow(wave, op, f);
  if (!f.resultsLater)
    return;
  context.op = &op;
  context.accesses.clear();
  parts = 0;
  checks.each([&](auto &check) { check.prepare(wave, op, f); });
}

void WorkgroupChecker::issue(Wave &wave, const Op &op, const OpFacts &f) {
  checks.each([&](auto &check) { check.executed(wave, op, f); });
  InFlight &flying = context.inFlight[wave.number];
  Pending &p = flying.issue();
  p.op = &op;
  p.facts = &f;
  p.exec = wave.exec();
  p.awaits = f.raises;
  checks.each([&](auto &check) { check.issued(wave, p); });
  std::swap(p.accesses, context.accesses);
  flying.issued(p);
  flying.limit(context.facts.counters,
               [&](Pending &done) { checks.each([&](auto &check) { check.retired(wave, done); }); });
}

void WorkgroupChecker::barrier(ArrayRef<Wave> waves) {
  checks.each([&](auto &check) { check.barrier(waves); });
}

void WorkgroupChecker::end() {
  checks.each([](auto &check) { check.end(); });
}

void WorkgroupChecker::memoryFault(const Wave &wave) {
  checks.each([&](auto &check) { check.memoryFault(wave); });
}

void WorkgroupChecker::outOfLds(Wave &wave, uint64_t lanes) {
  checks.each([&](auto &check) { check.outOfLds(wave, lanes); });
}

void WorkgroupChecker::outOfBuffer(Wave &wave, const OutOfBuffer &dropped) {
  checks.each([&](auto &check) { check.outOfBuffer(wave, dropped); });
}

void WorkgroupChecker::scalarStore(Wave &wave, uint64_t address, unsigned bytes) {
  checks.each([&](auto &check) { check.scalarStore(wave, address, bytes); });
}

void WorkgroupChecker::scalar(Wave &wave, uint64_t address, unsigned bytes) {
  checks.each([&](auto &check) { check.scalarLoad(wave, address, bytes); });
  // Others are loads of what the kernel doesn't change.
  if (!context.facts.of(*context.op).acquires || !bytes || !context.memory.contains(address, bytes))
    return;
  constexpr unsigned wordBytes = 4; // at most 16 words
  uint64_t words[Lanes] = {};
  const uint64_t first = reinterpret_cast<uint64_t>(context.memory.pointer(address));
  for (unsigned i = 0; i < bytes / wordBytes; ++i)
    words[i] = first + uint64_t(wordBytes) * i;
  lanes(wave, words, wordBytes, Kind::Read);
}

void WorkgroupChecker::access(Wave &wave, const uint64_t *at, unsigned bytes, unsigned part, Kind kind) {
  AccessRecord &record = context.accesses.emplace_back();
  record.bytes = bytes;
  record.part = part;
  record.kind = kind;
  findRange(at, record.low, record.high);
  record.high += bytes;
  record.isLds = context.ldsByte(record.low) < context.group->lds.size();
  if (record.isLds) {
    record.firstBlock = context.ldsByte(record.low) / 64;
    record.first = context.ldsBegin() + 64 * uint64_t(record.firstBlock);
    record.shape = shapes.find(at, bytes, record.first, 2 * (context.op - context.codeBegin) + part);
  } else {
    std::copy_n(at, Lanes, record.at);
  }
  checks.each([&](auto &check) { check.access(wave, record); });
}

void WorkgroupChecker::lanes(Wave &wave, const uint64_t *addresses, unsigned bytes, Kind kind) {
  const unsigned part = parts++;
  if (!context.facts.of(*context.op).isFlat())
    return access(wave, addresses, bytes, part, kind);
  // FLAT: each lane by itself is in LDS or elsewhere.
  uint64_t inLds[Lanes], elsewhere[Lanes];
  bool someIn = false, someElsewhere = false;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const bool isIn = addresses[lane] && context.ldsByte(addresses[lane]) < context.group->lds.size();
    inLds[lane] = isIn ? addresses[lane] : 0;
    elsewhere[lane] = isIn ? 0 : addresses[lane];
    someIn |= inLds[lane] != 0;
    someElsewhere |= elsewhere[lane] != 0;
  }
  if (someIn)
    access(wave, inLds, bytes, part, kind);
  if (someElsewhere)
    access(wave, elsewhere, bytes, part, kind);
}

} // namespace inflight::machine::check
