#include "machine/timed/ComputeUnit.h"

#include "machine/Occupancy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::machine::timed {

using events::Category;
using events::Stall;
using Kind = OpTiming::Kind;

static constexpr uint64_t never = ~uint64_t(0);

struct ComputeUnit::Group {
  WorkgroupRun run;
  std::vector<std::unique_ptr<WaveState>> states;
  unsigned live = 0, atBarrier = 0; ///< waves in the program
  unsigned held = 0;                ///< waves that hold their places
  uint64_t lastArrival = 0;
};

struct ComputeUnit::WaveState {
  Wave *wave = nullptr;
  Group *group = nullptr;
  uint32_t id = 0;
  uint8_t simd = 0, slot = 0, priority = 0;
  // Of the next instruction.
  const Op *op = nullptr;
  const OpTiming *timing = nullptr;
  uint64_t arrived = 0, fetch = 0, dependency = 0, waitcnt = 0, barrier = 0, sleep = 0, ready = 0;
  uint64_t candidate = 0;           ///< no issue before this cycle
  const OpTiming *before = nullptr; ///< the instruction issued last
  uint64_t scalarReady = 0; ///< SALU instructions wait for scalar results of VALU instructions, whichever they read
  uint32_t lost = 0;        ///< cycles that other waves were preferred
  Stall pipeCause = Stall::PipeBusy;
  // In flight.
  std::vector<Pending> pending;
  std::vector<InFlight> vm, lgkm;
  uint64_t lastVm = 0, lastLds = 0, lastStore = 0;
  uint32_t operations = 0;
  std::vector<uint32_t> waitedFor;
  // Lines of code from `line` to `ahead` have been asked for; when they are here, by line.
  static constexpr unsigned mostAhead = 16;
  uint64_t line = never, ahead = 0, here[mostAhead] = {};
};

struct ComputeUnit::Simd {
  std::vector<WaveState *> waves; ///< those in the program, the oldest first
  unsigned held = 0;              ///< places of waves
  uint32_t slots = 0;             ///< bits of those in use
  uint64_t valuFree = 0, valuBlocked = 0;
  uint64_t matrixEnd = 0, matrixFree = 0; ///< of the last matrix instruction; when the next one may issue
  uint64_t next = never;                  ///< no issue before this cycle
};

Workload Workload::of(const PreparedLaunch &launch) {
  const TargetInfo &target = *launch.target;
  const auto &block = launch.config->block;
  Workload work;
  work.target = &target;
  work.wavesOfGroup = divideCeil(block[0] * block[1] * block[2], Lanes);
  const Occupancy occupancy = occupancyOf(launch);
  work.wavesPerSimd = occupancy.wavesPerSimd;
  work.residentGroups = occupancy.workgroups;
  work.memoryBegin = launch.memory->usedBegin();
  // A wave that waits for ever is found sooner than without time, which costs more here.
  constexpr uint64_t fewer = uint64_t(1) << 27;
  work.maxInstructions =
      launch.config->maxInstructions == LaunchConfig().maxInstructions ? fewer : launch.config->maxInstructions;
  work.begin = [&launch](WorkgroupRun &run, uint32_t group) { launch.begin(run, group); };
  return work;
}

ComputeUnit::ComputeUnit(const Workload &work, const CodeTiming &code, const TimingData &data, Shares shares,
                         unsigned number, uint32_t firstWave, uint32_t waveStep, double realTicksPerCycle,
                         events::Sink *sink)
    : work(work),
      code(code),
      data(data),
      number(number),
      nextWave(firstWave),
      waveStep(waveStep),
      sink(sink),
      lds(data),
      memory(data, shares, work.memoryBegin),
      instructionCache(work.target->instructionCacheBytes, work.target->instructionCacheLineBytes, 4),
      simds(work.target->simdsPerCu) {
  clock.realTicksPerCycle = realTicksPerCycle;
}

ComputeUnit::~ComputeUnit() = default;

/// The SIMD's first issue slot at `time` or later.
uint64_t ComputeUnit::nextSlot(unsigned simd, uint64_t time) const {
  const uint64_t period = data.issueSlot;
  return time + (simd + period - time % period) % period;
}

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
  const Coming &coming = comingLines[line % std::size(comingLines)];
  const bool isFirst = linesOfCode.insert(line).second;
  const bool isLeft = isFirst && work.caches != CacheState::Cold &&
                      linesOfCode.size() * lineBytes <= work.target->instructionCacheBytes;
  if (instructionCache.access(line) || isLeft)
    return std::max(asked + data.fetchHit, coming.line == line ? coming.here : 0);
  // L2 gives all of its line.
  const bool isCold = work.caches == CacheState::Cold && linesOfCode.size() == 1;
  const uint64_t comes = asked + (isCold ? data.fetchCold : data.l2Latency + data.fetchMiss),
                 both = std::max<uint64_t>(1, data.l2Line / lineBytes);
  for (uint64_t other = line / both * both, end = other + both; other < end; ++other) {
    instructionCache.access(other);
    comingLines[other % std::size(comingLines)] = {other, comes};
  }
  return comes;
}

/// When the instruction at the wave's pc is in its buffer. Lines are asked for in advance along the straight path.
uint64_t ComputeUnit::fetched(WaveState &wave, uint64_t asked, uint64_t arrived) {
  const uint64_t lineBytes = work.target->instructionCacheLineBytes;
  const uint64_t address = wave.wave->codeAddress + 4 * uint64_t(wave.wave->plain(*wave.op) - wave.wave->plainCode);
  const uint64_t first = address / lineBytes, last = (address + 4 * wave.op->slots - 1) / lineBytes;
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

/// When no more than `target` are in flight.
uint64_t ComputeUnit::counterReaches(std::vector<InFlight> &operations, unsigned target, uint64_t arrived) {
  erase_if(operations, [&](const InFlight &operation) { return operation.returned <= arrived; });
  unsigned count = 0;
  for (const InFlight &operation : operations)
    count += operation.weight;
  uint64_t time = arrived;
  if (count <= target)
    return time;
  // The list is sorted by return.
  for (const InFlight &operation : operations) {
    count -= operation.weight;
    time = operation.returned;
    if (count <= target)
      break;
  }
  return time;
}

/// What is known of the wave's next instruction now that its predecessor has issued.
void ComputeUnit::prepare(WaveState &wave, uint64_t asked, uint64_t arrived) {
  wave.op = wave.wave->pc;
  wave.timing = &code.of(*wave.wave->plain(*wave.op));
  const OpTiming &t = *wave.timing;
  if (t.isMemory && wave.before)
    arrived += wave.before->toMemory;
  if (t.category == Category::Salu)
    arrived = std::max(arrived, wave.scalarReady);
  if (t.isConditional)
    arrived = std::max(arrived + (wave.before ? wave.before->toBranch : 0),
                       wave.scalarReady ? wave.scalarReady + data.saluToBranch : 0);
  arrived = nextSlot(wave.simd, arrived);
  wave.arrived = arrived;
  wave.lost = 0;
  wave.pipeCause = Stall::PipeBusy;
  wave.fetch = nextSlot(wave.simd, fetched(wave, asked, arrived));
  wave.dependency = wave.waitcnt = wave.barrier = 0;
  wave.sleep = t.sleep ? wave.fetch + t.sleep : 0;
  if (!wave.pending.empty()) {
    erase_if(wave.pending, [&](const Pending &p) { return p.ready <= arrived; });
    for (const Pending &p : wave.pending) {
      auto touches = [&](RegRange range) { return range.overlaps(p.range); };
      // Results for scalar registers are forwarded to VALU instructions.
      if (p.isScalar && (t.category == Category::Valu || t.category == Category::Matrix))
        continue;
      if (any_of(code.reads(t), touches))
        wave.dependency = std::max(wave.dependency, p.ready);
    }
  }
  wave.waitedFor.clear();
  if (t.kind == Kind::Wait) {
    const uint64_t vm = counterReaches(wave.vm, t.waitVmcnt, arrived),
                   lgkm = counterReaches(wave.lgkm, t.waitLgkmcnt, arrived);
    wave.waitcnt = std::max(vm, lgkm);
    // Those in flight that aren't any more then.
    for (const auto *list : {&wave.vm, &wave.lgkm})
      for (const InFlight &operation : *list)
        if (operation.returned <= (list == &wave.vm ? vm : lgkm))
          wave.waitedFor.push_back(operation.number);
  } else {
    if (t.vmcnt)
      wave.waitcnt = counterReaches(wave.vm, data.vmemOutstanding - 1, arrived);
    if (t.lgkmcnt)
      wave.waitcnt =
          std::max(wave.waitcnt,
                   counterReaches(wave.lgkm, std::max<unsigned>(data.lgkmOutstanding, t.lgkmcnt) - t.lgkmcnt, arrived));
  }
  wave.ready = nextSlot(wave.simd, std::max({arrived, wave.fetch, wave.dependency, wave.waitcnt, wave.sleep}));
  wave.candidate = wave.ready;
  if (t.kind == Kind::Barrier)
    arriveAtBarrier(wave);
  simds[wave.simd].next = std::min(simds[wave.simd].next, wave.candidate);
}

void ComputeUnit::arriveAtBarrier(WaveState &wave) {
  Group &group = *wave.group;
  wave.candidate = never;
  ++group.atBarrier;
  group.lastArrival = std::max(group.lastArrival, wave.ready);
  releaseBarrier(group);
}

void ComputeUnit::releaseBarrier(Group &group) {
  if (!group.live || group.atBarrier < group.live)
    return;
  const uint64_t release = group.lastArrival + (group.live > 1 ? data.barrierLatency : 0);
  for (const std::unique_ptr<WaveState> &other : group.states)
    if (other && other->wave->status != Status::Ended && other->timing && other->timing->kind == Kind::Barrier &&
        other->candidate == never) {
      other->barrier = release;
      other->candidate = nextSlot(other->simd, release);
      simds[other->simd].next = std::min(simds[other->simd].next, other->candidate);
    }
  group.atBarrier = 0;
  group.lastArrival = 0;
}

/// When the unit that the wave's next instruction needs takes it, and what keeps it.
uint64_t ComputeUnit::pipeFree(const WaveState &wave, uint64_t time, Stall &cause) {
  const Simd &simd = simds[wave.simd];
  cause = Stall::PipeBusy;
  switch (wave.timing->category) {
  case Category::Valu:
    return std::max({simd.valuFree, simd.valuBlocked, wave.timing->matrixBlocked ? simd.matrixEnd : 0});
  case Category::Matrix: return std::max({simd.valuFree, simd.valuBlocked, simd.matrixFree});
  case Category::Lds: cause = Stall::LdsBusy; return lds.accepts(wave.simd, time, wave.timing->ldsDwordsIn);
  case Category::Vmem:
  case Category::Flat: cause = Stall::QueueFull; return memory.accepts(time, wave.timing->bringsData);
  default: return 0;
  }
}

/// The SIMD's issue slot: of each category the oldest wave that can go.
void ComputeUnit::issueSlot(unsigned number, uint64_t time) {
  Simd &simd = simds[number];
  WaveState *chosen[size_t(Category::Count)] = {};
  auto categoryOf = [](const WaveState &wave) {
    // MFMA goes by the VALU's category, SMEM by SALU's, FLAT by VMEM's.
    switch (wave.timing->category) {
    case Category::Matrix: return Category::Valu;
    case Category::Smem: return Category::Salu;
    case Category::Flat: return Category::Vmem;
    default: return wave.timing->category;
    }
  };
  simd.next = never;
  SmallVector<WaveState *, 8> internal;
  for (WaveState *wave : simd.waves) {
    if (wave->candidate > time) {
      simd.next = std::min(simd.next, wave->candidate);
      continue;
    }
    Stall cause;
    const uint64_t free = pipeFree(*wave, time, cause);
    if (free > time) {
      wave->pipeCause = cause;
      wave->candidate = nextSlot(number, free);
      simd.next = std::min(simd.next, wave->candidate);
      continue;
    }
    const Category category = categoryOf(*wave);
    if (category == Category::Internal) {
      internal.push_back(wave);
      continue;
    }
    WaveState *&best = chosen[size_t(category)];
    WaveState *loser = wave;
    if (!best || wave->priority > best->priority)
      std::swap(best, loser);
    if (loser) {
      loser->lost += data.issueSlot;
      loser->candidate = time + data.issueSlot;
      simd.next = std::min(simd.next, loser->candidate);
    }
  }
  // Issue may end waves, which leave the list.
  for (WaveState *wave : internal)
    issue(*wave, time);
  for (WaveState *wave : chosen)
    if (wave)
      issue(*wave, time);
}

void ComputeUnit::startOperation(WaveState &wave, const OpTiming &t, uint64_t time) {
  const uint64_t ldsBegin = reinterpret_cast<uint64_t>(wave.group->run.group.lds.data()),
                 ldsEnd = ldsBegin + wave.group->run.group.lds.size();
  events::Operation record;
  record.wave = wave.id;
  record.line = t.line;
  record.number = wave.operations++;
  record.vmcnt = t.vmcnt;
  record.lgkmcnt = t.lgkmcnt;
  record.isStore = t.isStore;
  record.isLdsDma = t.isLdsDma;
  record.isAtomic = t.isAtomic;
  record.pipe = t.pipe;
  record.issued = time;
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
    record.requests = done.lines;
  };
  for (const Capture::Access &access : capture.accesses())
    if (!(t.isLdsDma && access.kind == AccessObserver::Kind::Write))
      record.bytes += access.bytes * count_if(access.address, [](uint64_t at) { return at != 0; });
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
  } else if (t.category == Category::Vmem || t.category == Category::Flat) {
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
  for (size_t i = 0; i < record.hits.size(); ++i)
    counts.lines[i] += record.hits[i];
  auto add = [&](std::vector<InFlight> &list, uint8_t weight) {
    const InFlight operation{record.returned, record.number, weight};
    list.insert(
        upper_bound(list, operation, [](const InFlight &a, const InFlight &b) { return a.returned < b.returned; }),
        operation);
  };
  if (t.vmcnt)
    add(wave.vm, 1);
  if (t.lgkmcnt)
    add(wave.lgkm, t.lgkmcnt);
  if (sink)
    sink->operation(record);
}

/// Hands the issue to the sink, with what the wave waited for since the instruction arrived.
void ComputeUnit::recordIssue(const WaveState &wave, events::Instruction &record, uint64_t exec, uint64_t time) {
  const OpTiming &t = *wave.timing;
  record.wave = wave.id;
  record.line = t.line;
  record.arrived = wave.arrived;
  record.issued = time;
  record.pipe = t.pipe;
  record.category = t.category;
  record.lanes = t.isVector ? popcount(exec) : 0;
  uint64_t at = wave.arrived;
  auto until = [&](Stall stall, uint64_t end) {
    end = std::min(nextSlot(wave.simd, end), time);
    if (end > at) {
      record.stalls[size_t(stall)] += uint32_t(end - at);
      at = end;
    }
  };
  until(Stall::Fetch, wave.fetch);
  until(Stall::Dependency, wave.dependency);
  until(Stall::Waitcnt, wave.waitcnt);
  until(Stall::Barrier, wave.barrier);
  until(Stall::Sleep, wave.sleep);
  until(wave.pipeCause, time - std::min<uint64_t>(wave.lost, time - at));
  until(Stall::Arbiter, time);
  sink->instruction(record);
  if (t.kind == Kind::Wait && !wave.waitedFor.empty())
    sink->wait({wave.id, t.line, wave.arrived, time, wave.waitedFor});
}

void ComputeUnit::issue(WaveState &wave, uint64_t time) {
  const OpTiming &t = *wave.timing;
  Wave &w = *wave.wave;
  const Op &op = *wave.op;
  Simd &simd = simds[wave.simd];
  const uint64_t exec = w.exec();
  clock.cycles = time;
  capture.clear();
  w.pc = &op + op.slots;
  ++w.executed[op.instrClass];
  ++counts.byClass[op.instrClass];
  ++counts.instructions;
  op.handler(w, op);
  if (w.status == Status::Faulted) [[unlikely]] {
    wave.group->run.faulted = &w;
    faultedGroup = &wave.group->run;
    return;
  }
  if (w.status == Status::AtBarrier)
    w.status = Status::Running;

  events::Instruction record;
  record.taken = t.isBranch && w.pc != &op + op.slots;
  record.issue = t.isBranch ? (record.taken ? data.branchTaken : data.branchNotTaken) : t.issue;
  record.busy = t.busy;
  switch (t.category) {
  case Category::Matrix:
    simd.valuFree = time + data.issueSlot;
    simd.valuBlocked = time + t.valuBlocked;
    simd.matrixEnd = simd.matrixFree = time + t.busy;
    counts.matrixBusy += t.busy;
    break;
  case Category::Valu:
    simd.valuFree = time + t.busy;
    if (t.matrixBlocked)
      simd.matrixFree = time + t.matrixBlocked;
    break;
  default: break;
  }
  if (t.kind == Kind::Priority)
    wave.priority = op.immediate & 3;
  if (t.latency > t.issue || t.scalarLatency > t.issue)
    for (RegRange range : code.writes(t)) {
      const bool isScalarResult = !isVgpr(range.first) && !isAgpr(range.first);
      const unsigned latency = isScalarResult ? t.scalarLatency : t.latency;
      if (latency > t.issue)
        wave.pending.push_back({range, time + latency, isScalarResult});
    }
  if (sink)
    recordIssue(wave, record, exec, time);
  if (t.forgetsL1)
    memory.invalidateL1();
  if (t.forgetsScalarCache)
    memory.invalidateScalar();
  if (t.vmcnt || t.lgkmcnt)
    startOperation(wave, t, time);
  counts.cycles = std::max(counts.cycles, time + record.issue);
  counts.flops += t.isVector ? uint64_t(t.flops) * popcount(exec) : t.flops;
  wave.before = &t;
  if (t.writesScalar)
    wave.scalarReady = time + t.scalarLatency;
  if (w.status == Status::Ended)
    return leaveProgram(wave, time);
  if (w.instructions() > work.maxInstructions) [[unlikely]] {
    w.fault(op, "the wave does not end: step limit reached", Fault::Endless);
    wave.group->run.faulted = &w;
    faultedGroup = &wave.group->run;
    return;
  }
  // A branch's target has to be fetched.
  const uint64_t arrives = time + record.issue;
  if (record.taken)
    wave.line = never;
  prepare(wave, record.taken ? time + data.issueSlot : arrives, arrives);
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
  if (++endedGroups == work.residentGroups)
    counts.firstRound = time;
  auto it = find_if(groups, [&](const std::unique_ptr<Group> &other) { return other.get() == &group; });
  spare.push_back(std::move(*it));
  groups.erase(it);
  mayPlace = true;
}

bool ComputeUnit::advance(uint64_t until, function_ref<std::optional<uint32_t>()> next) {
  while (!faultedGroup) {
    if (mayPlace) {
      while (place(next)) {
      }
      mayPlace = false;
    }
    unsigned simd = 0;
    for (unsigned i = 1; i < simds.size(); ++i)
      if (simds[i].next < simds[simd].next)
        simd = i;
    const uint64_t time = std::min(simds[simd].next, endings.empty() ? never : endings.top().time);
    if (time == never)
      return false;
    if (time >= until)
      return true;
    clock.cycles = time;
    if (time == simds[simd].next) {
      issueSlot(simd, time);
      continue;
    }
    WaveState &ended = *endings.top().wave;
    endings.pop();
    endWave(ended, time);
  }
  return false;
}

} // namespace inflight::machine::timed
