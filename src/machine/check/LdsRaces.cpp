#include "machine/check/LdsRaces.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace inflight::machine::check {

void LdsRaces::begin(uint64_t ldsAddress, uint64_t ldsBytes, unsigned waveCount) {
  if (bytes != ldsBytes || waves.size() != waveCount) {
    const size_t words = llvm::divideCeil(ldsBytes, 64) + 1; // an access may straddle the last word
    waves.assign(waveCount, {Bits(words), Bits(words), Bits(words)});
    pending.assign(waveCount, Bits(words));
    low = ~0u;
    high = 0;
  }
  base = ldsAddress;
  bytes = ldsBytes;
  clear();
  for (Bits &bits : pending)
    std::fill(bits.begin(), bits.end(), 0);
}

void LdsRaces::clear() {
  log.clear();
  ++epoch;
  anyChange = false;
  if (low > high)
    return;
  for (WaveBits &wave : waves)
    for (Bits *bits : {&wave.read, &wave.written, &wave.atomic})
      std::fill(bits->begin() + low, bits->begin() + high + 1, 0);
  low = ~0u;
  high = 0;
}

void LdsRaces::enter(const AccessRecord &record, uint32_t op, unsigned wave, const OpFacts &facts, bool isLate, std::string wait) {
  if (waves.size() == 1)
    return;
  // Loops that touch the same places again need one entry. What comes after the log's end is found, but not named.
  constexpr size_t longest = 1 << 16;
  if (log.size() < longest) {
    const uint64_t who = uint64_t(op) << 16 | record.part << 8 | wave;
    Last &last = lastOf[(op * 37 + record.part * 17 + wave) % lastPlaces];
    if (last.who == who && last.epoch == epoch) {
      const Access &before = log[last.index];
      if (before.shape == record.shape && before.firstBlock == record.firstBlock && before.isLate == isLate)
        return;
    }
    last = {who, epoch, uint32_t(log.size())};
    log.push_back({op, uint8_t(wave), record.kind, facts.isLdsDma, isLate, facts.checksAgain, record.firstBlock, record.shape, std::move(wait)});
  }
  WaveBits &bits = waves[wave];
  anyChange |= record.kind != AccessObserver::Kind::Read;
  Bits &touched = record.kind == AccessObserver::Kind::Read ? bits.read : record.kind == AccessObserver::Kind::Write ? bits.written : bits.atomic;
  for (const AccessShape::Piece &piece : record.shape->pieces)
    touched[record.firstBlock + piece.block] |= piece.bytes;
  low = std::min(low, record.firstBlock);
  high = std::max(high, record.firstBlock + record.shape->lastBlock);
}

int LdsRaces::lanePending(unsigned wave, const AccessRecord &record) const {
  const Bits &bits = pending[wave];
  uint64_t any = 0;
  for (const AccessShape::Piece &piece : record.shape->pieces)
    any |= bits[record.firstBlock + piece.block] & piece.bytes;
  for (unsigned lane = 0; any && lane < Lanes; ++lane)
    if (record.address(lane))
      for (unsigned i = 0; i < record.bytes; ++i)
        if (const uint64_t byte = record.address(lane) - base + i; bits[byte / 64] >> (byte % 64) & 1)
          return lane;
  return -1;
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
    if (const uint64_t conflict = twice & (written | (atomic & read)))
      found.push_back(64 * word + llvm::countr_zero(conflict));
  }
  return found;
}

} // namespace inflight::machine::check
