#include "machine/check/races/LdsRaces.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace inflight::machine::check {

void LdsRaces::begin(uint64_t ldsAddress, uint64_t ldsBytes, unsigned waveCount, const Ordering *order) {
  ordering = order;
  looked.resize(waveCount);
  if (bytes != ldsBytes || waves.size() != waveCount) {
    const size_t words = llvm::divideCeil(ldsBytes, 64) + 1; // an access may straddle the last word
    waves.assign(waveCount, {Bits(words), Bits(words), Bits(words)});
    writers.assign(words, {});
    low = ~0u;
    high = 0;
  }
  base = ldsAddress;
  bytes = ldsBytes;
  clear();
}

void LdsRaces::clear() {
  log.clear();
  condensed.clear();
  writes.clear();
  for (Looked &last : looked)
    last = Looked();
  ++epoch;
  anyChange = false;
  if (low > high)
    return;
  for (WaveBits &wave : waves)
    for (Bits *bits : {&wave.read, &wave.written, &wave.atomic})
      std::fill(bits->begin() + low, bits->begin() + high + 1, 0);
  std::fill(writers.begin() + low, writers.begin() + high + 1, Writers());
  low = ~0u;
  high = 0;
}

bool LdsRaces::enterLog(const AccessRecord &record, uint32_t op, unsigned wave, const OpFacts &facts,
                        const Moment &moment, bool isLate, std::string wait) {
  if (!ordering && log.size() == longest)
    condense();
  else if (log.size() >= longest)
    return true; // makeRoom comes later
  const uint64_t who = uint64_t(op) << 16 | record.part << 8 | wave;
  Last &last = lastOf[(op * 37 + record.part * 17 + wave) % lastPlaces];
  if (last.who == who && last.epoch == epoch) {
    Access &before = log[last.index];
    if (before.shape == record.shape && before.firstBlock == record.firstBlock && before.isLate == isLate &&
        before.isSameValue == record.isSameValue && before.moment.version == moment.version) {
      // The last of them is the one that others have to know.
      before.moment = moment;
      if (ordering && record.kind != AccessObserver::Kind::Read)
        writes.push_back(last.index);
      return false;
    }
  }
  last = {who, epoch, uint32_t(log.size())};
  if (ordering && record.kind != AccessObserver::Kind::Read)
    writes.push_back(log.size());
  log.push_back({op, uint8_t(wave), record.kind, facts.isLdsDma, isLate, facts.checksAgain, record.isSameValue,
                 record.firstBlock, record.shape, facts.acquires, moment, std::move(wait)});
  return true;
}

void LdsRaces::enter(const AccessRecord &record, uint32_t op, unsigned wave, const OpFacts &facts, const Moment &moment,
                     bool isLate, std::string wait) {
  if (waves.size() == 1)
    return;
  const bool mayDiffer = record.kind == AccessObserver::Kind::Write && !record.isSameValue;
  if (!enterLog(record, op, wave, facts, moment, isLate, std::move(wait)) && !mayDiffer)
    return;
  WaveBits &bits = waves[wave];
  anyChange |= record.kind != AccessObserver::Kind::Read;
  Bits &touched = record.kind == AccessObserver::Kind::Read    ? bits.read
                  : record.kind == AccessObserver::Kind::Write ? bits.written
                                                               : bits.atomic;
  for (const AccessShape::Piece &piece : record.shape->pieces) {
    const uint32_t block = record.firstBlock + piece.block;
    uint64_t mine = piece.bytes;
    if (record.kind == AccessObserver::Kind::Write) {
      const uint64_t others = writtenByOthers(block, mine, wave);
      Writers &w = writers[block];
      w.several |= others;
      w.any |= mine;
      w.op = w.op == Writers::none || w.op == op ? op : Writers::many;
      if (record.isSameValue)
        mine &= ~others;
      else
        w.different |= others;
    }
    touched[block] |= mine;
  }
  low = std::min(low, record.firstBlock);
  high = std::max(high, record.firstBlock + record.shape->lastBlock);
}

bool LdsRaces::isRepeated(const AccessRecord &record, uint32_t op, unsigned wave) const {
  bool some = false;
  for (const AccessShape::Piece &piece : record.shape->pieces)
    if (const uint32_t block = record.firstBlock + piece.block;
        const uint64_t bytes = writtenByOthers(block, piece.bytes, wave)) {
      if (writers[block].op != op && !onlyWrittenBy(op, block, bytes, wave))
        return false;
      some = true;
    }
  return some;
}

bool LdsRaces::onlyWrittenBy(uint32_t op, uint32_t block, uint64_t bytes, unsigned wave) const {
  // What takes longer to find out counts as a race.
  constexpr size_t most = 1 << 10;
  if (log.size() > most)
    return false;
  for (const Access &access : log)
    if (access.kind != AccessObserver::Kind::Read && access.wave != wave && access.op != op)
      for (const AccessShape::Piece &piece : access.shape->pieces)
        if (access.firstBlock + piece.block == block && piece.bytes & bytes)
          return false;
  return true;
}

bool LdsRaces::othersWrote(uint64_t address, unsigned count, unsigned wave) const {
  const uint64_t byte = address - base, ones = (uint64_t(1) << count) - 1, shift = byte % 64;
  return writtenByOthers(byte / 64, ones << shift, wave) ||
         (shift + count > 64 && writtenByOthers(byte / 64 + 1, ones >> (64 - shift), wave));
}

llvm::SmallVector<uint32_t, 16> LdsRaces::conflicts() const {
  constexpr size_t most = 16;
  llvm::SmallVector<uint32_t, 16> found;
  if (low > high || !anyChange)
    return found;
  for (uint32_t word = low; word <= high && found.size() < most; ++word) {
    uint64_t once = 0, twice = 0, read = 0, written = 0, atomic = 0;
    for (const WaveBits &wave : waves) {
      const uint64_t touched = wave.read[word] | wave.written[word] | wave.atomic[word];
      twice |= once & touched;
      once |= touched;
      read |= wave.read[word];
      written |= wave.written[word];
      atomic |= wave.atomic[word];
    }
    uint64_t conflict = (twice & written) | writers[word].different;
    if (!conflict && (twice & atomic & read))
      conflict = uncheckedReads(word);
    if (conflict)
      found.push_back(64 * word + llvm::countr_zero(conflict));
  }
  return found;
}

/// Those bytes of a 64-byte block that an access touches.
static uint64_t bytesIn(uint32_t block, const LdsRaces::Access &access) {
  for (const AccessShape::Piece &piece : access.shape->pieces)
    if (access.firstBlock + piece.block == block)
      return piece.bytes;
  return 0;
}

uint64_t LdsRaces::uncheckedReads(uint32_t block) const {
  uint64_t checked[mostWaves] = {};
  auto check = [&](const Access &access, uint64_t touched) {
    if (access.kind == AccessObserver::Kind::Atomic && access.checksAgain)
      checked[access.wave] |= touched;
  };
  auto unchecked = [&](const Access &access, uint64_t touched) {
    uint64_t changed = 0;
    for (unsigned wave = 0; wave < waves.size(); ++wave)
      changed |= wave == access.wave ? 0 : waves[wave].atomic[block];
    return access.kind == AccessObserver::Kind::Read ? touched & changed & ~checked[access.wave] : 0;
  };
  for (const Access &access : llvm::reverse(log))
    if (const uint64_t touched = bytesIn(block, access)) {
      check(access, touched);
      if (const uint64_t found = unchecked(access, touched))
        return found;
    }
  for (const Condensed &many : condensed)
    check(many.access, many.touched[block]);
  for (const Condensed &many : condensed)
    if (const uint64_t found = unchecked(many.access, many.touched[block]))
      return found;
  return 0;
}

void LdsRaces::condense() {
  for (const Access &access : log) {
    auto alike = llvm::find_if(condensed, [&](const Condensed &many) {
      const Access &a = many.access;
      return a.op == access.op && a.wave == access.wave && a.kind == access.kind && a.isLate == access.isLate &&
             a.isSameValue == access.isSameValue;
    });
    if (alike == condensed.end()) {
      condensed.push_back({access, Bits(writers.size())});
      alike = std::prev(condensed.end());
      alike->access.shape = nullptr;
    }
    for (const AccessShape::Piece &piece : access.shape->pieces)
      alike->touched[access.firstBlock + piece.block] |= piece.bytes;
  }
  log.clear();
  std::fill(lastOf.begin(), lastOf.end(), Last());
}

void LdsRaces::endEpoch(Report report) {
  if (ordering)
    reportUnordered(report);
  else
    for (uint32_t byte : conflicts())
      reportConflict(byte, report);
  clear();
}

void LdsRaces::reportConflict(uint32_t byte, Report report) const {
  using Kind = AccessObserver::Kind;
  struct Touching {
    const Access *access;
    int lane;
    size_t place; ///< of condensed ones the order isn't known: a wave's reads come before its atomics
  };
  llvm::SmallVector<Touching, 16> touching;
  for (const Condensed &many : condensed)
    if (many.touched[byte / 64] >> (byte % 64) & 1)
      touching.push_back({&many.access, -1, many.access.kind == Kind::Atomic});
  for (size_t place = 0; place < log.size(); ++place)
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (const uint32_t offset = log[place].shape->offset[lane];
          offset != AccessShape::noOffset && byte - 64 * log[place].firstBlock - offset < log[place].shape->bytes) {
        touching.push_back({&log[place], int(lane), place + 2});
        break;
      }
  // A plain read may come before an atomic of the same wave that looks again, as in a compare-and-exchange loop.
  auto isHarmless = [&](const Touching &one, const Touching &two) {
    return two.access->kind == Kind::Atomic &&
           (one.access->kind == Kind::Atomic ||
            (one.access->kind == Kind::Read && llvm::any_of(touching, [&](const Touching &t) {
               return t.place > one.place && t.access->wave == one.access->wave && t.access->kind == Kind::Atomic &&
                      t.access->checksAgain;
             })));
  };
  for (size_t i = 0; i < touching.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const Access &later = *touching[i].access, &earlier = *touching[j].access;
      if (later.wave == earlier.wave || (later.isSameValue && later.op == earlier.op) ||
          (later.kind == Kind::Read && earlier.kind == Kind::Read) || isHarmless(touching[i], touching[j]) ||
          isHarmless(touching[j], touching[i]))
        continue;
      report(later, earlier, byte, touching[i].lane);
    }
}

} // namespace inflight::machine::check
