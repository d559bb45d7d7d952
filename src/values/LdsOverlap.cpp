// Whether two accesses of LDS have bytes in common.
#include "values/LdsMapContents.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::values {

/// The same wherever in a kernel the wave is.
bool LdsMap::Contents::isAnywhere(const Symbol &symbol) const {
  return symbol.owner == 0 && (symbol.kind == Symbol::Kind::External ||
                               (symbol.kind == Symbol::Kind::Entry && program.functions()[symbol.where].isKernel));
}

/// An address that is compared with others of the same wave: of a loop that the wave has left it is the last iteration.
ExprId LdsMap::Contents::ofOneWave(ExprId address) {
  if (auto known = ofOneWaveCache.find(address); known != ofOneWaveCache.end())
    return known->second;
  return ofOneWaveCache[address] = exprs.substitute(address, [&](SymbolId id) {
    const Symbol &symbol = exprs.symbolInfo(id);
    return exprs.symbol(symbol.kind == Symbol::Kind::AfterLoop ? symbol.base : id);
  });
}

/// An address as the second of two accesses has it.
ExprId LdsMap::Contents::renamed(ExprId address, Between between) {
  auto &cache = renamedCache[unsigned(between)];
  if (auto known = cache.find(address); known != cache.end())
    return known->second;
  const ExprId own = between == Between::SameWave ? ofOneWave(address) : address;
  return cache[address] = exprs.substitute(own, [&](SymbolId id) {
    const Depends depends = exprs.symbolInfo(id).depends;
    if (between == Between::Elsewhere && !isAnywhere(exprs.symbolInfo(id)))
      return exprs.symbol(exprs.derived(Symbol::Kind::OtherWave, id));
    if (between != Between::SameWave && (depends.wave || depends.lane))
      return exprs.symbol(exprs.derived(Symbol::Kind::OtherWave, id));
    if (depends.lane || depends.stale)
      return exprs.symbol(exprs.derived(Symbol::Kind::OtherLane, id));
    return exprs.symbol(id);
  });
}

Overlap LdsMap::Contents::overlap(ExprId a, const RegionInfo &x, ExprId b, const RegionInfo &y, Between between) {
  const ExprId distance = exprs.sub(b, a);
  const LaneValues::Accesses all{x.bytes, y.bytes, limits.numbers(x.waves), limits.numbers(y.waves),
                                 between == Between::SameWave};
  if (between == Between::InStep)
    return distances.overlapInStep(distance, all);
  return x.waves == WaveLimits::anyWave && y.waves == WaveLimits::anyWave ? distances.overlap(distance, all)
                                                                          : distances.overlapOfSomeWaves(distance, all);
}

/// Lanes that have bytes of their own may be left out, or bytes of a range.
bool LdsMap::Contents::isInPart(const RegionInfo &info) const {
  auto differs = [&](ExprId address) { return exprs[address].depends.lane || exprs[address].depends.wave; };
  return info.isBound || (info.isMasked && (differs(info.first) || (info.isPair && differs(info.second))));
}

/// `mine`: the waves that may make the first access.
Overlap LdsMap::Contents::overlap(Region a, Region b, Between between, WaveSet mine) {
  if (a == noByte || b == noByte)
    return Overlap::No;
  if (a == anyByte || b == anyByte)
    return Overlap::Unknown;
  // Most are asked for of all waves.
  if (mine == WaveLimits::anyWave && uint32_t(a) < mostInRows && uint32_t(b) < mostInRows) {
    const uint8_t known = placeInRows(a, b, between);
    if (known == notAsked)
      return Overlap(placeInRows(a, b, between) = uint8_t(findOverlap(a, b, between, mine)));
    return Overlap(known);
  }
  const std::pair<uint64_t, uint64_t> key{uint64_t(a) << 32 | uint32_t(b), uint64_t(between) << 32 | mine};
  if (auto known = overlapCache.find(key); known != overlapCache.end())
    return known->second;
  return overlapCache[key] = findOverlap(a, b, between, mine);
}

uint8_t &LdsMap::Contents::placeInRows(Region a, Region b, Between between) {
  std::vector<std::vector<uint8_t>> &rows = overlapOfAnyWave[unsigned(between)];
  const uint32_t row = uint32_t(a), column = uint32_t(b);
  if (rows.size() <= row)
    rows.resize(row + 1);
  if (rows[row].size() <= column)
    rows[row].resize(column + 1, notAsked);
  return rows[row][column];
}

Overlap LdsMap::Contents::findOverlap(Region a, Region b, Between between, WaveSet mine) {
  RegionInfo x = regions[a], y = regions[b];
  x.waves &= mine;
  if (between == Between::SameWave)
    y.waves &= mine;
  Overlap result = Overlap::No;
  for (unsigned i = 0; i < 1u + x.isPair; ++i)
    for (unsigned j = 0; j < 1u + y.isPair; ++j) {
      const ExprId from = i ? x.second : x.first;
      const Overlap one = overlap(between == Between::SameWave ? ofOneWave(from) : from, x,
                                  renamed(j ? y.second : y.first, between), y, between);
      if (one == Overlap::Yes || (one == Overlap::Unknown && result == Overlap::No))
        result = one;
    }
  // The lanes that meet may be among those that are left out.
  if (result == Overlap::Yes && (isInPart(x) || isInPart(y)))
    result = Overlap::Unknown;
  return result;
}

bool LdsMap::Contents::meetInTwoWaves(Region a, Region b) {
  if (a == noByte || b == noByte || a == anyByte || b == anyByte || isInPart(regions[a]) || isInPart(regions[b]))
    return false;
  if (auto known = twoWavesCache.find({a, b}); known != twoWavesCache.end())
    return known->second;
  const RegionInfo x = regions[a], y = regions[b];
  return twoWavesCache[{a, b}] = findMeetInTwoWaves(x, y);
}

bool LdsMap::Contents::findMeetInTwoWaves(const RegionInfo &x, const RegionInfo &y) {
  for (uint32_t one : {0, 1}) {
    const WaveSet mine = 1 << one, theirs = 1 << (1 - one);
    if (!(x.waves & mine) || !(y.waves & theirs))
      continue;
    for (unsigned i = 0; i < 1u + x.isPair; ++i)
      for (unsigned j = 0; j < 1u + y.isPair; ++j) {
        const ExprId other = renamed(j ? y.second : y.first, Between::OtherWave);
        const ExprId distance = exprs.sub(other, i ? x.second : x.first);
        if (distances.overlap(distance, {x.bytes, y.bytes, mine, theirs, /*isSameWave=*/false}) == Overlap::Yes)
          return true;
      }
  }
  return false;
}

bool LdsMap::meetInFirstWave(Region a, Region b, Facts facts) const {
  if (a == noByte || b == noByte || a == anyByte || b == anyByte)
    return false;
  const WaveSet waves = contents->regions[a].waves & contents->regions[b].waves & contents->pathFacts.waves(facts);
  return contents->overlap(a, b, Between::SameWave, waves & (0 - waves)) == Overlap::Yes;
}

bool LdsMap::meetInTwoWaves(Region a, Region b) const { return contents->meetInTwoWaves(a, b); }

Overlap LdsMap::overlap(Region a, Region b, Between between, Facts facts) const {
  return contents->overlap(a, b, between, contents->pathFacts.waves(facts));
}

bool LdsMap::isDivergent(uint32_t phaseBlock) const {
  return !contents->trace || contents->trace->places[phaseBlock].isDivergent;
}

bool LdsMap::isOfWavesAt(Region access, uint32_t phaseBlock) const {
  if (!contents->trace || access == anyByte || access == noByte)
    return false;
  return !(contents->regions[access].waves & ~contents->limits.wavesAt(phaseBlock));
}

bool LdsMap::areAmongWavesAt(uint32_t phaseBlock, uint32_t other) const {
  return contents->trace && !(contents->limits.wavesAt(phaseBlock) & ~contents->limits.wavesAt(other));
}

bool LdsMap::areOfOtherWaves(uint32_t phaseBlock, uint32_t other) const {
  return contents->trace && !(contents->limits.wavesAt(phaseBlock) & contents->limits.wavesAt(other));
}

} // namespace inflight::values
