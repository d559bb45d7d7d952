#include "machine/check/LdsRaces.h"

#include "machine/check/LaneLoops.h"
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
  lastOf.clear();
  anyChange = false;
  if (low > high)
    return;
  for (WaveBits &wave : waves)
    for (Bits *bits : {&wave.read, &wave.written, &wave.atomic})
      std::fill(bits->begin() + low, bits->begin() + high + 1, 0);
  low = ~0u;
  high = 0;
}

void LdsRaces::mark(Bits &bits, const AccessRecord &record, bool value) {
  if (record.at[0] && (record.at[0] - base) % 64 == 0 && isContiguous(record.at, record.bytes)) {
    std::fill_n(bits.begin() + (record.at[0] - base) / 64, record.bytes, value ? ~uint64_t(0) : 0);
    return;
  }
  const uint64_t ones = (uint64_t(1) << record.bytes) - 1;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!record.at[lane])
      continue;
    const uint32_t offset = uint32_t(record.at[lane] - base), shift = offset % 64;
    uint64_t *word = &bits[offset / 64];
    word[0] = value ? word[0] | ones << shift : word[0] & ~(ones << shift);
    if (shift + record.bytes > 64)
      word[1] = value ? word[1] | ones >> (64 - shift) : word[1] & ~(ones >> (64 - shift));
  }
}

void LdsRaces::enter(const AccessRecord &record, uint32_t op, unsigned wave, bool isDma, bool isLate, std::string wait) {
  if (waves.size() == 1)
    return;
  WaveBits &bits = waves[wave];
  anyChange |= record.kind != AccessObserver::Kind::Read;
  mark(record.kind == AccessObserver::Kind::Read    ? bits.read
       : record.kind == AccessObserver::Kind::Write ? bits.written
                                                    : bits.atomic,
       record, true);
  low = std::min(low, uint32_t((record.low - base) / 64));
  high = std::max(high, uint32_t((record.high - base) / 64));
  // Loops that touch the same places again need one entry. What comes after the log's end is found, but not named.
  constexpr size_t longest = 1 << 16;
  if (log.size() == longest)
    return;
  Access access;
  access.op = op;
  access.wave = wave;
  access.bytes = record.bytes;
  access.kind = record.kind;
  access.isDma = isDma;
  access.isLate = isLate;
  access.wait = std::move(wait);
  offsetsFrom(record.at, base, noOffset, access.offset);
  auto [last, isNew] = lastOf.try_emplace(uint64_t(op) << 8 | wave, log.size());
  if (!isNew && std::equal(access.offset, access.offset + Lanes, log[last->second].offset) && log[last->second].isLate == isLate)
    return;
  last->second = log.size();
  log.push_back(access);
}

int LdsRaces::lanePending(unsigned wave, const AccessRecord &record) const {
  const Bits &bits = pending[wave];
  const uint64_t ones = (uint64_t(1) << record.bytes) - 1;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!record.at[lane])
      continue;
    const uint32_t offset = uint32_t(record.at[lane] - base), shift = offset % 64;
    const uint64_t *word = &bits[offset / 64];
    if (word[0] >> shift & ones || (shift + record.bytes > 64 && word[1] & ones >> (64 - shift)))
      return lane;
  }
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
