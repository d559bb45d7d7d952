// What each wave of a workgroup knows to have happened: barriers, flags and atomics order accesses.
//
// Accesses are numbered as they are issued. A wave that writes publishes what it has after it then: LDS operations if
// the write is one, too, since the LDS unit takes a wave's operations in order; accesses to global memory, which the
// compute unit keeps in order for the waves of a workgroup unless the kernel runs with tg_split; and otherwise what it
// has waited for. Results of LDS DMA always need their wait. A wave that looks (Acquires.h) and waits for what it sees
// knows from then on what the writer had published and known: the last plain write of the place, and all atomics since.
#pragma once

#include "machine/check/inflight/InFlight.h"

namespace inflight::machine::check {

class Ordering {
public:
  void begin() { barrier(); }
  /// All waves know all that has happened.
  void barrier();
  uint32_t next() { return ++number; }
  /// The moment of an access of `wave`, whose operations in flight are `flying`; `number` is that of the operation.
  Moment moment(unsigned wave, Unit unit, uint32_t number, bool isWrite, const InFlight &flying, bool tgSplit) const;
  bool happensBefore(const Moment &earlier, const Moment &later) const {
    return earlier.wave == later.wave ||
           versions[later.version].upTo[earlier.wave][unsigned(earlier.unit)] > earlier.number;
  }
  const Known &known(uint32_t version) const LLVM_LIFETIME_BOUND { return versions[version]; }
  /// What the wave of `write` had published and known.
  Known publishedBy(const Moment &write) const;
  /// The wave has waited for an access that saw such writes.
  void acquire(unsigned wave, const Known &seen);
  uint32_t versionOf(unsigned wave) const { return current[wave]; }
  uint32_t begunAt() const { return begun; }

private:
  uint32_t number = 0, begun = 0;
  std::vector<Known> versions;
  uint32_t current[mostWaves] = {};
};

} // namespace inflight::machine::check
