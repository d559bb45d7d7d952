#include "machine/check/Shadow.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace inflight::machine::check {

Shadow::Shadow(uint64_t begin, uint64_t bytes) : begin(begin & ~uint64_t(3)), end(begin + bytes) {
  mapped = ((end - this->begin + 3) / 4 + 1) * sizeof(Cell);
  void *place = mmap(nullptr, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    end = this->begin; // covers nothing
  else
    cells = static_cast<Cell *>(place);
}

Shadow::~Shadow() {
  if (cells)
    munmap(cells, mapped);
}

namespace {
using AccessKind = AccessObserver::Kind;

/// The accesses that an earlier one is at odds with. Code that looks at what others change atomically means to: it polls,
/// or tries before it exchanges; only plain writes and atomics are at odds.
bool clashes(const Touch &earlier, uint32_t epoch, unsigned wave, unsigned bytes, bool isHarmlessToAtomics) {
  return earlier.epoch == epoch && (earlier.wave != wave || earlier.bySeveral) && (earlier.bytes & bytes) &&
         !(earlier.isAtomic && isHarmlessToAtomics);
}

template <bool IsWrite> bool enterLanes(Shadow &shadow, const ShadowAccess &access, Conflict &conflict) {
  bool found = false;
  const AccessRecord &record = access.record;
  const bool isAtomic = record.kind == AccessKind::Atomic;
  Touch mine;
  mine.epoch = access.epoch;
  mine.op = std::min<uint32_t>(access.op, (1u << 21) - 1);
  mine.wave = access.wave;
  mine.isAtomic = isAtomic;
  mine.isLate = access.isLate;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const uint64_t at = record.at[lane];
    if (!at)
      continue;
    auto clash = [&](const Touch &other, bool wrote) {
      if (found)
        return;
      found = true;
      conflict = {other, wrote, lane, at};
    };
    for (uint64_t word = at & ~uint64_t(3), end = at + record.bytes; word < end; word += 4) {
      Shadow::Cell &cell = shadow.cell(word);
      const unsigned skipped = word < at ? at - word : 0, left = std::min<uint64_t>(4, end - word);
      mine.bytes = (1u << left) - (1u << skipped);
      if constexpr (IsWrite) {
        if (clashes(cell.write, access.epoch, access.wave, mine.bytes, isAtomic))
          clash(cell.write, true);
        else if (!isAtomic && clashes(cell.read, access.epoch, access.wave, mine.bytes, false))
          clash(cell.read, false);
        const Touch before = cell.write;
        cell.write = mine;
        if (before.epoch == access.epoch) {
          cell.write.bySeveral = (before.bytes & mine.bytes) && (before.bySeveral || before.wave != access.wave);
          cell.write.bytes |= before.wave == access.wave ? before.bytes : 0;
        }
      } else {
        if (clashes(cell.write, access.epoch, access.wave, mine.bytes, true))
          clash(cell.write, true);
        // Of waves that read different bytes of a word only the last one is remembered.
        if (cell.read.epoch != access.epoch || (cell.read.wave != access.wave && !(cell.read.bytes & mine.bytes)))
          cell.read = mine;
        else if (cell.read.wave == access.wave)
          cell.read.bytes |= mine.bytes;
        else
          cell.read.bySeveral = true;
      }
    }
  }
  return found;
}
} // namespace

bool enter(Shadow &shadow, const ShadowAccess &access, Conflict &conflict) {
  if (access.record.kind == AccessKind::Read)
    return enterLanes<false>(shadow, access, conflict);
  return enterLanes<true>(shadow, access, conflict);
}

} // namespace inflight::machine::check
