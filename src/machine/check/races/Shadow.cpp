#include "machine/check/races/Shadow.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

namespace inflight::machine::check {

void Shadow::beginEpoch() {
  listed.clear();
  blockOf.clear();
  lastNumber = ~uint64_t(0);
}

void Shadow::findBlock(uint64_t number) {
  const auto [it, isNew] = blockOf.try_emplace(number, blockOf.size());
  if (isNew && it->second == blocks.size())
    blocks.emplace_back();
  lastNumber = number;
  lastBlock = &blocks[it->second];
}

namespace {
constexpr uint32_t anyLaterOp = (1u << 21) - 1; ///< Touch::op of all from this one on

/// Enters the lanes' accesses to one place after the other.
class Entering {
public:
  Entering(Shadow &shadow, const ShadowAccess &access, Conflict &conflict)
      : shadow(shadow), access(access), conflict(conflict) {
    mine.epoch = access.epoch;
    mine.op = std::min(access.op, anyLaterOp);
    mine.wave = access.wave;
    mine.kind = unsigned(access.record.kind);
    mine.isLate = access.isLate;
  }
  /// The bytes of `lane` in the four at `word`.
  void enter(uint64_t word, unsigned bytes, unsigned lane) {
    mine.bytes = bytes;
    Shadow::Cell &cell = shadow.cell(word);
    if (cell.touches[0].epoch < access.oldest) {
      cell = {{mine, {}}, 0};
      return;
    }
    Touch *place = nullptr; // that this access may take
    auto meet = [&](Touch &touch) {
      if (touch.wave != mine.wave && touch.bytes)
        compare(touch, lane, access.record.at[lane]);
      else if (touch.kind == mine.kind || !touch.bytes)
        supersede(touch, place);
    };
    for (Touch &touch : cell.touches)
      meet(touch);
    for (uint32_t at = cell.more; at; at = shadow.listed[at - 1].next)
      meet(shadow.listed[at - 1].touch);
    if (place) {
      mine.bytes |= place->bytes;
      *place = mine;
    } else {
      shadow.listed.push_back({mine, cell.more});
      cell.more = shadow.listed.size();
    }
  }
  bool isFound = false;

private:
  /// An earlier access of the wave, or a place without one. Bytes that it touches again have this one as their last.
  void supersede(Touch &touch, Touch *&place) {
    const bool isSame = touch.bytes && touch.epoch == mine.epoch && touch.op == mine.op && touch.isLate == mine.isLate;
    if (!isSame)
      touch.bytes &= ~mine.bytes;
    if (isSame || (!touch.bytes && !place))
      place = &touch;
  }
  /// Of a place that another wave has touched. Code that looks at what others change atomically means to: it polls, or
  /// tries before it exchanges; only plain writes are at odds with atomics.
  void compare(const Touch &other, unsigned lane, uint64_t address) {
    const bool isPlainWrite = AccessKind(other.kind) == AccessKind::Write || access.record.kind == AccessKind::Write;
    if (!isPlainWrite || !(other.bytes & mine.bytes) ||
        (access.known && access.known->upTo[other.wave][unsigned(Unit::Global)] > other.epoch))
      return;
    const bool isSameValue = access.record.isSameValue && AccessKind(other.kind) == AccessKind::Write &&
                             other.op == mine.op && mine.op < anyLaterOp;
    conflict.lanes |= uint64_t(1) << lane;
    if (isFound && (isSameValue || !conflict.isSameValue))
      return;
    isFound = true;
    conflict = {other, isSameValue, lane, conflict.lanes, address};
  }
  Shadow &shadow;
  const ShadowAccess &access;
  Conflict &conflict;
  Touch mine;
};
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
  Entering entering(shadow, access, conflict);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const uint64_t at = access.record.at[lane];
    if (!at)
      continue;
    for (uint64_t word = at & ~uint64_t(3), end = at + access.record.bytes; word < end; word += 4) {
      const unsigned skipped = word < at ? at - word : 0, left = std::min<uint64_t>(4, end - word);
      entering.enter(word, (1u << left) - (1u << skipped), lane);
    }
  }
  return entering.isFound;
}

} // namespace inflight::machine::check
