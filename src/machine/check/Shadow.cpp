#include "machine/check/Shadow.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace inflight::machine::check {

Shadow::Shadow(llvm::ArrayRef<Allocation> ranges) {
  for (const Allocation &range : ranges) {
    Part part{{range.begin & ~uint64_t(3), range.end}};
    part.mapped = ((part.place.end - part.place.begin + 3) / 4 + 1) * sizeof(Cell);
    void *place =
        mmap(nullptr, part.mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
      continue; // not covered
    part.cells = static_cast<Cell *>(place);
    parts.push_back(part);
  }
  if (parts.empty())
    parts.emplace_back();
  last = parts.data();
}

Shadow::~Shadow() {
  for (const Part &part : parts)
    if (part.cells)
      munmap(part.cells, part.mapped);
}

bool Shadow::find(uint64_t address, uint64_t bytes) const {
  auto it = llvm::partition_point(parts, [&](const Part &part) { return part.place.end <= address; });
  if (it == parts.end() || !it->place.contains(address, bytes))
    return false;
  last = &*it;
  return true;
}

bool Shadow::coversAll(const AccessRecord &record) const {
  for (uint64_t at : record.at)
    if (at && !covers(at, record.bytes))
      return false;
  return true;
}

namespace {
using AccessKind = AccessObserver::Kind;

constexpr uint32_t anyLaterOp = (1u << 21) - 1; ///< Touch::op of all from this one on

/// The accesses that an earlier one is at odds with. Code that looks at what others change atomically means to: it
/// polls, or tries before it exchanges; only plain writes and atomics are at odds.
bool clashes(const Touch &earlier, const ShadowAccess &access, unsigned bytes, bool isHarmlessToAtomics) {
  return earlier.epoch >= access.oldest && (earlier.wave != access.wave || earlier.bySeveral) &&
         (earlier.bytes & bytes) && !(earlier.isAtomic && isHarmlessToAtomics) &&
         !(access.known && access.known->upTo[earlier.wave][unsigned(Unit::Global)] > earlier.epoch);
}

template <bool IsWrite> bool enterLanes(Shadow &shadow, const ShadowAccess &access, Conflict &conflict) {
  bool found = false;
  const AccessRecord &record = access.record;
  const bool isAtomic = record.kind == AccessKind::Atomic;
  Touch mine;
  mine.epoch = access.epoch;
  mine.op = std::min(access.op, anyLaterOp);
  mine.wave = access.wave;
  mine.isAtomic = isAtomic;
  mine.isLate = access.isLate;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const uint64_t at = record.at[lane];
    if (!at)
      continue;
    auto clash = [&](const Touch &other, bool wrote, bool isSameValue = false) {
      if (found && (isSameValue || !conflict.isSameValue))
        return;
      found = true;
      conflict = {other, wrote, isSameValue, lane, at};
    };
    for (uint64_t word = at & ~uint64_t(3), end = at + record.bytes; word < end; word += 4) {
      Shadow::Cell &cell = shadow.cell(word);
      const unsigned skipped = word < at ? at - word : 0, left = std::min<uint64_t>(4, end - word);
      mine.bytes = (1u << left) - (1u << skipped);
      if constexpr (IsWrite) {
        if (clashes(cell.write, access, mine.bytes, isAtomic))
          clash(cell.write, true, record.isSameValue && cell.write.op == mine.op && mine.op < anyLaterOp);
        else if (!isAtomic && clashes(cell.read, access, mine.bytes, false))
          clash(cell.read, false);
        const Touch before = cell.write;
        cell.write = mine;
        if (before.epoch >= access.oldest) {
          cell.write.bySeveral =
              !access.known && (before.bytes & mine.bytes) && (before.bySeveral || before.wave != access.wave);
          cell.write.bytes |= before.wave == access.wave ? before.bytes : 0;
        }
      } else {
        if (clashes(cell.write, access, mine.bytes, true))
          clash(cell.write, true);
        // Of waves that read different bytes of a word only the last one is remembered.
        // With an ordering of those that read the same ones, too.
        if (cell.read.epoch < access.oldest ||
            (cell.read.wave != access.wave && (access.known || !(cell.read.bytes & mine.bytes))))
          cell.read = mine;
        else if (access.known)
          mine.bytes |= cell.read.bytes, cell.read = mine;
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

bool GlobalRaces::findPublished(const AccessRecord &record, unsigned wave, Known &seen) const {
  bool found = false;
  for (auto it = recent.rbegin(); it != recent.rend(); ++it) {
    const AccessRecord &write = it->record;
    if (record.low >= write.high || write.low >= record.high)
      continue;
    bool overlaps = false;
    for (unsigned i = 0; i < Lanes && !overlaps; ++i)
      for (unsigned j = 0; record.at[i] && j < Lanes && !overlaps; ++j)
        overlaps = write.at[j] && record.at[i] < write.at[j] + write.bytes && write.at[j] < record.at[i] + record.bytes;
    if (!overlaps)
      continue;
    if (it->moment.wave != wave) {
      seen.join(ordering->publishedBy(it->moment));
      found = true;
    }
    if (write.kind == AccessKind::Write)
      break;
  }
  return found;
}

void GlobalRaces::addAcquiring(const AccessRecord &record, uint32_t op, const Moment &moment) {
  // A flag is written long before others stop looking at it, so the last ones will do.
  constexpr size_t most = 1 << 10;
  if (recent.size() == most)
    recent.erase(recent.begin(), recent.begin() + most / 2);
  recent.push_back({record, op, false, moment});
}

bool enter(Shadow &shadow, const ShadowAccess &access, Conflict &conflict) {
  if (access.record.kind == AccessKind::Read)
    return enterLanes<false>(shadow, access, conflict);
  return enterLanes<true>(shadow, access, conflict);
}

} // namespace inflight::machine::check
