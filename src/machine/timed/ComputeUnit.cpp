#include "machine/timed/ComputeUnitState.h"

#include "machine/Occupancy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::machine::timed {

using events::Category;
using events::Stall;
using Kind = OpTiming::Kind;

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
      lds(data, work.hasNoConflicts),
      memory(data, shares, work.memoryBegin),
      instructionCache(work.target->instructionCacheBytes, work.target->instructionCacheLineBytes, 4),
      simds(work.target->simdsPerCu),
      lastRound(shares.lastRound),
      lastGroups(shares.lastGroups) {
  clock.realTicksPerCycle = realTicksPerCycle;
}

ComputeUnit::~ComputeUnit() = default;

/// The SIMD's first issue slot at `time` or later.
uint64_t ComputeUnit::nextSlot(unsigned simd, uint64_t time) const {
  const uint64_t period = data.issueSlot;
  return time + (simd + period - time % period) % period;
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
    for (auto [operations, count] : zip(wave.inFlight.values, t.wait.values)) {
      const uint64_t done = counterReaches(operations, count.valueOr(~0u), arrived);
      wave.waitcnt = std::max(wave.waitcnt, done);
      // Those in flight that aren't any more then.
      for (const InFlight &operation : operations)
        if (operation.returned <= done)
          wave.waitedFor.push_back(operation.number);
    }
  } else if (t.isCounted) {
    for (auto [operations, most, adds] : zip(wave.inFlight.values, data.outstanding.values, t.adds.values))
      if (adds)
        wave.waitcnt =
            std::max(wave.waitcnt, counterReaches(operations, std::max<unsigned>(most, adds) - adds, arrived));
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

/// The vector and matrix pipes are busy with the instruction for a while.
void ComputeUnit::occupyPipes(Simd &simd, const OpTiming &t, uint64_t time) {
  switch (t.category) {
  case Category::Matrix:
    simd.valuFree = time + data.issueSlot;
    simd.valuBlocked = time + t.valuBlocked;
    simd.matrixEnd = simd.matrixFree = time + t.busy;
    counts.matrixBusy[size_t(t.matrixType)] += t.busy;
    break;
  case Category::Valu:
    simd.valuFree = time + t.busy;
    if (t.matrixBlocked)
      simd.matrixFree = time + t.matrixBlocked;
    break;
  default: break;
  }
}

/// Registers that the wave's later instructions wait for.
void ComputeUnit::noteResults(WaveState &wave, uint64_t time) {
  const OpTiming &t = *wave.timing;
  if (t.latency > t.issue || t.scalarLatency > t.issue)
    for (RegRange range : code.writes(t)) {
      const bool isScalarResult = !isVgpr(range.first) && !isAgpr(range.first);
      const unsigned latency = isScalarResult ? t.scalarLatency : t.latency;
      if (latency > t.issue)
        wave.pending.push_back({range, time + latency, isScalarResult});
    }
  wave.before = &t;
  if (t.writesScalar)
    wave.scalarReady = time + t.scalarLatency;
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
  occupyPipes(simd, t, time);
  if (t.kind == Kind::Priority)
    wave.priority = op.immediate & 3;
  noteResults(wave, time);
  if (sink)
    recordIssue(wave, record, exec, time);
  if (t.forgetsL1)
    memory.invalidateL1();
  if (t.forgetsScalarCache)
    memory.invalidateScalar();
  if (t.isCounted)
    startOperation(wave, t, time);
  counts.cycles = std::max(counts.cycles, time + record.issue);
  counts.flops += t.isVector ? uint64_t(t.flops) * popcount(exec) : t.flops;
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
