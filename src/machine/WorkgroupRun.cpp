#include "machine/WorkgroupRun.h"

#include "machine/check/GroupChecks.h"
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
  registers.resize(size_t(words) * count);
  scratch.resize(size_t(scratchBytesALane) * Lanes * count + 1);
  waves.assign(count, Wave());
  for (unsigned i = 0; i < count; ++i) {
    Wave &wave = waves[i];
    wave.group = &group;
    wave.number = i;
    wave.v = registers.data() + size_t(words) * i;
    wave.scratch = scratch.data() + size_t(scratchBytesALane) * Lanes * i;
    wave.scratchBytes = scratchBytesALane;
  }
}

template <bool Checked, bool Counted> void WorkgroupRun::execute(Wave &wave, uint64_t slice, uint64_t maxInstructions) {
  static thread_local uint64_t epoch = 0;
  static constexpr auto writesVectors = [] {
    std::array<bool, unsigned(InstrClass::Count)> writes;
    writes.fill(true);
    for (InstrClass c : {InstrClass::Salu, InstrClass::Matrix, InstrClass::Smem, InstrClass::Wait, InstrClass::Branch, InstrClass::Barrier})
      writes[unsigned(c)] = false;
    return writes;
  }();
  wave.vectorEpoch = epoch + 1;
  // A counter check every so often keeps endless loops out of the inner loop.
  constexpr unsigned quantum = 4096;
  for (uint64_t done = 0; wave.status == Status::Running && done < slice; done += quantum) {
    for (unsigned i = 0; i < quantum && wave.status == Status::Running; ++i) {
      const Op &op = *wave.pc;
      wave.pc = &op + op.slots;
      ++wave.executed[op.instrClass];
      if constexpr (Counted)
        ++executedAt[&op - wave.codeBegin];
      wave.vectorEpoch += writesVectors[op.instrClass];
      if constexpr (Checked) {
        const Op &plain = *wave.plain(op);
        checks->before(wave, plain);
        op.handler(wave, op);
        checks->after(wave, plain);
      } else {
        op.handler(wave, op);
      }
    }
    if (wave.status == Status::Running && wave.instructions() > maxInstructions)
      wave.fault(*wave.pc, "the wave does not end: step limit reached", Fault::Endless);
  }
  epoch = wave.vectorEpoch;
}

WorkgroupRun::State WorkgroupRun::advance(uint64_t slice, uint64_t maxInstructions) {
  while (true) {
    unsigned ended = 0, waiting = 0;
    for (Wave &wave : waves) {
      if (wave.status == Status::Running)
        checks               ? (executedAt.empty() ? execute<true, false>(wave, slice, maxInstructions) : execute<true, true>(wave, slice, maxInstructions))
        : executedAt.empty() ? execute<false, false>(wave, slice, maxInstructions)
                             : execute<false, true>(wave, slice, maxInstructions);
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
    if (ended + waiting < waves.size())
      return State::Runnable;
    // A wave that has ended no longer counts at barriers.
    if (checks)
      checks->barrier(waves);
    for (Wave &wave : waves)
      if (wave.status == Status::AtBarrier)
        wave.status = Status::Running;
  }
}

} // namespace inflight::machine
