#include "machine/WorkgroupRun.h"

#include "machine/check/WorkgroupChecker.h"
#include "machine/debug/Debugger.h"
#include "llvm/Support/MemAlloc.h"
#include <algorithm>
#include <array>

namespace inflight::machine {

// Grids have many waves, and those that wait for other workgroups are all kept.
static_assert(sizeof(Wave) - sizeof(Wave::s) <= 200, "bytes of a wave beside its registers");

WorkgroupRun::WorkgroupRun() = default;
WorkgroupRun::~WorkgroupRun() = default;

void WorkgroupRun::reset(const uint32_t (&id)[3], unsigned count, uint64_t ldsBytes, uint32_t scratchBytesALane) {
  group = Workgroup();
  std::copy_n(id, 3, group.id);
  group.lds.resize(ldsBytes);
  faulted = nullptr;
  constexpr unsigned words = (hiddenRegister + hiddenRegisters) * Lanes;
  if (const size_t needed = size_t(words) * count; needed > registerWords) {
    registers.reset(static_cast<uint32_t *>(llvm::safe_calloc(needed, sizeof(uint32_t))));
    registerWords = needed;
  }
  scratch.resize(size_t(scratchBytesALane) * Lanes * count + 1);
  waves.assign(count, Wave());
  watched.resize(count);
  for (Watched &reads : watched)
    reads.isActive = false;
  resting = false;
  for (unsigned i = 0; i < count; ++i) {
    Wave &wave = waves[i];
    wave.group = &group;
    wave.number = i;
    wave.v = registers.get() + size_t(words) * i;
    wave.scratch = scratch.data() + size_t(scratchBytesALane) * Lanes * i;
    wave.scratchBytes = scratchBytesALane;
  }
}

template <bool Checked, bool Observed> inline void WorkgroupRun::step(Wave &wave) {
  static constexpr auto writesVectors = [] {
    std::array<bool, unsigned(InstrClass::Count)> writes;
    writes.fill(true);
    for (InstrClass c : {InstrClass::Salu, InstrClass::Matrix, InstrClass::Smem, InstrClass::Wait, InstrClass::Branch,
                         InstrClass::Barrier})
      writes[unsigned(c)] = false;
    return writes;
  }();
  const Op &op = *wave.pc;
  wave.pc = &op + op.slots;
  ++wave.executed[op.instrClass];
  if constexpr (Observed) {
    if (!executedAt.empty())
      ++executedAt[&op - wave.codeBegin];
    if (debugger)
      debugger->before(wave, *wave.plain(op));
  }
  wave.vectorEpoch += writesVectors[op.instrClass];
  // What a load brings, or DMA to LDS, the checks take away again until it has been waited for.
  auto execute = [&] {
    op.handler(wave, op);
    if constexpr (Observed)
      if (debugger)
        debugger->after(wave, *wave.plain(op));
  };
  if constexpr (Checked) {
    const Op &plain = *wave.plain(op);
    checks->before(wave, plain);
    execute();
    checks->after(wave, plain);
  } else {
    execute();
  }
}

template <bool Checked, bool Observed>
WorkgroupRun::Executed WorkgroupRun::execute(Wave &wave, uint64_t slice, uint64_t maxInstructions, bool hasRested) {
  static thread_local uint64_t epoch = 0;
  wave.vectorEpoch = epoch + 1;
  // What is asked every so often is kept out of the inner loop. Whether a wave repeats itself is asked ever more
  // seldom, but soon of one that has done so.
  constexpr uint64_t quantum = 4096, soon = 64;
  uint64_t left = maxInstructions - std::min(maxInstructions, wave.instructions()),
           nextLook = hasRested ? soon : quantum;
  Executed result;
  uint64_t &done = result.instructions;
  while (wave.status == Status::Running && done < slice && !isInterrupted(interrupt)) {
    const uint64_t count = std::min({quantum, left, std::max(nextLook, done + 1) - done});
    if (!count) {
      wave.fault(*wave.pc, "the wave does not end: step limit reached", Fault::Endless);
      break;
    }
    uint64_t i = 0;
    for (; i < count && wave.status == Status::Running; ++i)
      step<Checked, Observed>(wave);
    left -= i;
    done += i;
    if (done < nextLook || left < mostLookedAt || wave.status != Status::Running)
      continue;
    nextLook = 2 * done;
    i = 0;
    const Repetition repetition = findRepetition(
        wave, watched[wave.number], [&] { ++i, step<Checked, Observed>(wave); },
        [&] { return Checked ? checks->inFlightOf(wave) : 0; });
    left -= i;
    done += i;
    result.sleeps = repetition == Repetition::Sleeps;
    if (repetition != Repetition::GoesOn)
      break;
  }
  epoch = wave.vectorEpoch;
  return result;
}

WorkgroupRun::Executed WorkgroupRun::execute(Wave &wave, uint64_t slice, uint64_t maxInstructions, bool hasRested) {
  const bool isObserved = debugger || !executedAt.empty();
  if (checks)
    return isObserved ? execute<true, true>(wave, slice, maxInstructions, hasRested)
                      : execute<true, false>(wave, slice, maxInstructions, hasRested);
  return isObserved ? execute<false, true>(wave, slice, maxInstructions, hasRested)
                    : execute<false, false>(wave, slice, maxInstructions, hasRested);
}

bool WorkgroupRun::mayGoOn() const {
  for (const Wave &wave : waves)
    if (wave.status == Status::Running && watched[wave.number].mayGoOn())
      return true;
  return false;
}

void WorkgroupRun::failResting(const std::string &why) {
  for (Wave &wave : waves)
    if (wave.status == Status::Running && !faulted) {
      wave.fault(*wave.pc, why, Fault::Endless);
      faulted = &wave;
    }
}

WorkgroupRun::State WorkgroupRun::advance(uint64_t slice, uint64_t maxInstructions) {
  resting = false;
  for (uint64_t done = 0;;) {
    unsigned ended = 0, waiting = 0;
    uint64_t most = 0;
    bool anyAwake = false;
    for (Wave &wave : waves) {
      Watched &reads = watched[wave.number];
      if (wave.status == Status::Running && reads.mayGoOn()) {
        const bool hasRested = std::exchange(reads.isActive, false);
        const Executed executed = execute(wave, slice, maxInstructions, hasRested);
        most = std::max(most, executed.instructions);
        anyAwake |= !executed.sleeps && !reads.isActive;
      }
      if (wave.status == Status::Faulted) {
        faulted = &wave;
        return State::Faulted;
      }
      ended += wave.status == Status::Ended;
      waiting += wave.status == Status::AtBarrier;
    }
    if (ended == waves.size()) {
      if (checks)
        checks->end();
      return State::Ended;
    }
    done += most;
    if (interrupt && interrupt->isSet())
      return State::Runnable;
    if (ended + waiting < waves.size()) {
      for (const Wave &wave : waves)
        anyAwake |=
            wave.status == Status::Running && watched[wave.number].isActive && watched[wave.number].hasChanged();
      if (hostcalls && (!anyAwake || !mayGoOn()))
        hostcalls->serve();
      // Waves that sleep or rest give way to other workgroups once those of their own can't help them.
      resting = !mayGoOn();
      if (resting)
        return State::Resting;
      if (!anyAwake || done >= slice)
        return State::Runnable;
      continue;
    }
    // A wave that has ended no longer counts at barriers.
    if (checks)
      checks->barrier(waves);
    for (Wave &wave : waves)
      if (wave.status == Status::AtBarrier)
        wave.status = Status::Running;
    if (done >= slice)
      return State::Runnable;
  }
}

} // namespace inflight::machine
