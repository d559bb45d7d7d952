// Who touched each byte of a workgroup's LDS and of global memory, and when.
//
// Time is counted in epochs: a barrier that all waves pass begins a new one. Two accesses of one epoch by different
// waves, at least one of them a write, are a race. Epochs never come back, so nothing is cleared between workgroups.
#pragma once

#include "machine/check/InFlight.h"

namespace inflight::machine::check {

/// The last read or write of four bytes.
struct Touch {
  uint32_t epoch = 0;
  uint32_t op : 20 = 0;        ///< index of the instruction; the largest number stands for any above
  uint32_t wave : 4 = 0;
  uint32_t bytes : 4 = 0;      ///< a bit for each
  uint32_t isAtomic : 1 = 0;
  uint32_t isPending : 1 = 0;  ///< LDS DMA that hasn't been waited for
  uint32_t isLate : 1 = 0;     ///< in flight when the epoch began
  uint32_t bySeveral : 1 = 0;  ///< other waves did it, too
};

/// Covers [begin, begin + bytes), memory being committed as it is touched.
class Shadow {
public:
  Shadow(uint64_t begin, uint64_t bytes);
  ~Shadow();
  Shadow(const Shadow &) = delete;
  Shadow &operator=(const Shadow &) = delete;

  struct Cell {
    Touch write, read;
  };
  bool covers(uint64_t address, unsigned bytes) const { return address >= begin && address + bytes <= end; }
  uint64_t beginAddress() const { return begin; }
  Cell &cell(uint64_t address) { return cells[(address - begin) / 4]; }

private:
  uint64_t begin, end;
  size_t mapped = 0;
  Cell *cells = nullptr;
};

/// How two accesses are at odds.
struct Conflict {
  Touch other;
  bool otherWrote = false;
  unsigned lane = 0;
  uint64_t address = 0;
};

/// One access of all lanes entered into the shadow; the first conflict is returned in `conflict`.
struct ShadowAccess {
  const AccessRecord &record;
  uint32_t epoch, op;
  unsigned wave;
  bool isPending, isLate;
};
bool enter(Shadow &shadow, const ShadowAccess &access, Conflict &conflict);

} // namespace inflight::machine::check
