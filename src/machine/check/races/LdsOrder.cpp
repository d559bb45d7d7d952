// Races in LDS of code that orders accesses by flags and atomics as well as by barriers.
#include "machine/check/races/LdsRaces.h"

namespace inflight::machine::check {

bool LdsRaces::findPublished(const AccessRecord &record, uint32_t op, unsigned wave, Known &seen) {
  // A wave that looks again has seen what was there before.
  Looked &last = looked[wave];
  const size_t known =
      last.op == op && last.firstBlock == record.firstBlock && last.shape == record.shape ? last.writes : 0;
  last = {op, record.firstBlock, record.shape, writes.size()};
  llvm::SmallVector<AccessShape::Piece, 4> open(record.shape->pieces.begin(), record.shape->pieces.end());
  bool found = false;
  for (size_t i = writes.size(); i-- > known;) {
    const Access &write = log[writes[i]];
    uint64_t common = 0, left = 0;
    for (AccessShape::Piece &mine : open) {
      for (const AccessShape::Piece &other : write.shape->pieces)
        if (record.firstBlock + mine.block == write.firstBlock + other.block) {
          common |= mine.bytes & other.bytes;
          if (write.kind == AccessObserver::Kind::Write)
            mine.bytes &= ~other.bytes;
        }
      left |= mine.bytes;
    }
    if (common && write.wave != wave) {
      seen.join(ordering->publishedBy(write.moment));
      found = true;
    }
    if (!left)
      break;
  }
  return found;
}

namespace {
constexpr uint32_t none = ~0u;

/// Of one byte: places in the log. Older accesses of a wave are ordered before its last one.
struct ByteAccesses {
  uint32_t reads[mostWaves], writes[mostWaves], atomics[mostWaves], checks[mostWaves];
  ByteAccesses() {
    for (auto *list : {&reads, &writes, &atomics, &checks})
      std::fill(std::begin(*list), std::end(*list), none);
  }
};
} // namespace

std::vector<uint32_t> LdsRaces::sharedBytes(uint32_t &count) const {
  std::vector<uint32_t> cellOf;
  for (uint32_t word = low; word <= high; ++word) {
    uint64_t once = 0, twice = 0, changed = 0;
    for (const WaveBits &wave : waves) {
      const uint64_t touched = wave.read[word] | wave.written[word] | wave.atomic[word];
      twice |= once & touched;
      once |= touched;
      changed |= wave.written[word] | wave.atomic[word];
    }
    for (uint64_t rest = (twice & changed) | writers[word].different; rest; rest &= rest - 1) {
      if (cellOf.empty())
        cellOf.assign(64 * size_t(high - low + 1), none);
      cellOf[64 * (word - low) + llvm::countr_zero(rest)] = count++;
    }
  }
  return cellOf;
}

bool LdsRaces::areOrdered(const Access &earlier, const Access &mine) const {
  if (earlier.wave == mine.wave || ordering->happensBefore(earlier.moment, mine.moment) ||
      (mine.isSameValue && mine.op == earlier.op))
    return true;
  // A lock is taken by an atomic and given back by a plain write.
  return (mine.acquires && earlier.kind == AccessObserver::Kind::Write) ||
         (earlier.acquires && mine.kind == AccessObserver::Kind::Write);
}

void LdsRaces::reportUnordered(Report report) const {
  if (low > high || !anyChange)
    return;
  uint32_t shared = 0;
  const std::vector<uint32_t> cellOf = sharedBytes(shared);
  std::vector<ByteAccesses> cells(shared);
  if (cells.empty())
    return;
  auto forEachByte = [&](const Access &access, auto &&see) {
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (const uint32_t offset = access.shape->offset[lane]; offset != AccessShape::noOffset)
        for (unsigned i = 0; i < access.shape->bytes; ++i) {
          const uint32_t byte = 64 * access.firstBlock + offset + i;
          if (const uint32_t cell = cellOf[byte - 64 * low]; cell != none)
            see(cells[cell], byte, lane);
        }
  };
  for (uint32_t i = 0; i < log.size(); ++i)
    if (log[i].kind == AccessObserver::Kind::Atomic && log[i].checksAgain)
      forEachByte(log[i], [&](ByteAccesses &last, uint32_t, unsigned) { last.checks[log[i].wave] = i; });
  for (uint32_t i = 0; i < log.size(); ++i) {
    const Access &mine = log[i];
    forEachByte(mine, [&](ByteAccesses &last, uint32_t byte, unsigned lane) {
      auto compare = [&](uint32_t place) {
        if (place == none || place == i)
          return;
        const Access &earlier = log[place];
        if (areOrdered(earlier, mine))
          return;
        // A plain read may come before an atomic of the same wave that looks again.
        auto looksAgain = [&](const Access &read, uint32_t at) {
          return read.kind == AccessObserver::Kind::Read && last.checks[read.wave] != none &&
                 last.checks[read.wave] > at;
        };
        if ((mine.kind == AccessObserver::Kind::Atomic && looksAgain(earlier, place)) ||
            (earlier.kind == AccessObserver::Kind::Atomic && looksAgain(mine, i)))
          return;
        report(mine, earlier, byte, lane);
      };
      for (unsigned wave = 0; wave < waves.size(); ++wave)
        compare(last.writes[wave]);
      if (mine.kind != AccessObserver::Kind::Atomic)
        for (unsigned wave = 0; wave < waves.size(); ++wave)
          compare(last.atomics[wave]);
      if (mine.kind != AccessObserver::Kind::Read)
        for (unsigned wave = 0; wave < waves.size(); ++wave)
          compare(last.reads[wave]);
      (mine.kind == AccessObserver::Kind::Read    ? last.reads
       : mine.kind == AccessObserver::Kind::Write ? last.writes
                                                  : last.atomics)[mine.wave] = i;
    });
  }
}

void LdsRaces::makeRoom(Report report) {
  reportUnordered(report);
  const size_t dropped = log.size() / 2;
  log.erase(log.begin(), log.begin() + dropped);
  size_t kept = 0;
  for (uint32_t place : writes)
    if (place >= dropped)
      writes[kept++] = place - dropped;
  writes.resize(kept);
  for (Looked &last : looked)
    last = Looked();
  ++epoch; // places in the log are others than lastOf says
}

} // namespace inflight::machine::check
