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

/// Whether b - a, this sum and what is within `lanes`, is outside (-bBytes, aBytes) modulo 2^`modulus` whatever the
/// atoms are in their bounds.
bool LdsMap::Contents::areDisjointBySum(uint32_t constant, ArrayRef<Term> terms, int64_t aBytes, int64_t bBytes,
                                        unsigned modulus, LaneValues::Bounds lanes) {
  auto zerosOf = [&](const Term &term) {
    return std::min<unsigned>(32, countr_zero(term.factor) + countr_one(exprs.atom(term.atom).known.zeros));
  };
  SmallVector<unsigned, 8> places{modulus};
  for (const Term &term : terms)
    if (zerosOf(term) < modulus)
      places.push_back(zerosOf(term));
  for (unsigned place : places) {
    // Multiples of 2^place plus what is in [least, greatest].
    __int128 least = int32_t(constant) + lanes.least, greatest = int32_t(constant) + lanes.greatest;
    for (const Term &term : terms) {
      if (zerosOf(term) >= place)
        continue;
      const Known &known = exprs.atom(term.atom).known;
      const int64_t factor = int32_t(term.factor);
      least += __int128(factor) * (factor > 0 ? known.least : known.greatest);
      greatest += __int128(factor) * (factor > 0 ? known.greatest : known.least);
    }
    const __int128 unit = __int128(1) << place, last = aBytes - 1, first = 1 - bBytes;
    // The greatest multiple for which `least` is still at or below the last byte.
    __int128 room = last - least, multiple = room >= 0 ? room / unit : -((-room + unit - 1) / unit);
    if (greatest + multiple * unit < first)
      return true;
  }
  return false;
}

/// The same, with what depends on lanes alone as one number.
bool LdsMap::Contents::areDisjointByBounds(ExprId distance, int64_t aBytes, int64_t bBytes) {
  if (areDisjointBySum(exprs[distance].constant, exprs.terms(distance), aBytes, bBytes))
    return true;
  SmallVector<Term, 8> rest;
  const auto lanes = laneValues.boundsOf(SmallVector<Term, 8>(exprs.terms(distance)), rest);
  return lanes && areDisjointBySum(exprs[distance].constant, rest, aBytes, bBytes, 32, *lanes);
}

bool LdsMap::Contents::areDisjointByCases(ExprId distance, int64_t aBytes, int64_t bBytes, unsigned &cases,
                                          unsigned depth) {
  if (areDisjointByBounds(distance, aBytes, bBytes))
    return true;
  if (depth == 8 || exprs.isConstant(distance))
    return false;
  for (const Term &term : SmallVector<Term, 8>(exprs.terms(distance))) {
    const Atom atom = exprs.atom(term.atom);
    SmallVector<ExprId, 4> values;
    if (atom.kind == AtomKind::Select)
      values = {atom.b, atom.c};
    else if (atom.known.greatest - atom.known.least < 4 && atom.known.greatest != atom.known.least)
      for (uint32_t value = atom.known.least; value <= atom.known.greatest; ++value)
        values.push_back(exprs.constant(value));
    else
      continue;
    const ExprId rest = exprs.add(distance, exprs.scale(exprs.sum(0, {{term.atom, 1}}), 0u - term.factor));
    for (ExprId value : values) {
      ++cases;
      if (cases > 128 ||
          !areDisjointByCases(exprs.add(rest, exprs.scale(value, term.factor)), aBytes, bBytes, cases, depth + 1))
        return false;
    }
    return true;
  }
  return false;
}

/// The numbers of two waves differ: where only their difference counts, it is at least one either way.
bool LdsMap::Contents::areDisjointByWave(ExprId distance, int64_t aBytes, int64_t bBytes) {
  const Term *mine = nullptr, *theirs = nullptr;
  SmallVector<Term, 8> rest;
  SmallVector<Term, 8> all(exprs.terms(distance));
  SymbolId wave = noSymbol;
  for (const Term &term : all) {
    const Atom &atom = exprs.atom(term.atom);
    const Symbol *symbol = atom.kind == AtomKind::Symbol ? &exprs.symbolInfo(atom.symbol()) : nullptr;
    if (symbol && symbol->kind == Symbol::Kind::Wave) {
      mine = &term;
      wave = atom.symbol();
    } else if (symbol && symbol->kind == Symbol::Kind::OtherWave &&
               exprs.symbolInfo(symbol->base).kind == Symbol::Kind::Wave) {
      theirs = &term;
    } else {
      rest.push_back(term);
    }
  }
  if (!mine || !theirs || mine->factor + theirs->factor != 0)
    return false;
  const uint32_t last = exprs.symbolInfo(wave).known.greatest;
  if (last == 0)
    return true; // there is no other wave
  SymbolId &step = waveSteps[wave];
  if (step == noSymbol) {
    Symbol made;
    made.kind = Symbol::Kind::Wave;
    made.known = {0, 0, 1, last};
    step = exprs.addSymbol(made);
  }
  const ExprId remaining = exprs.sum(exprs[distance].constant, rest),
               steps = exprs.scale(exprs.symbol(step), mine->factor);
  unsigned cases = 0;
  return areDisjointByCases(exprs.add(remaining, steps), aBytes, bBytes, cases, 0) &&
         areDisjointByCases(exprs.sub(remaining, steps), aBytes, bBytes, cases, 0);
}

bool LdsMap::Contents::areDisjoint(ExprId distance, int64_t aBytes, int64_t bBytes) {
  unsigned cases = 0;
  if (areDisjointByCases(distance, aBytes, bBytes, cases, 0) || areDisjointByWave(distance, aBytes, bBytes))
    return true;
  // Modulo 2^n, x & (2^n - 1) is x.
  unsigned modulus = 32;
  ExprId plain = distance;
  for (const Term &term : SmallVector<Term, 8>(exprs.terms(distance))) {
    const Atom atom = exprs.atom(term.atom);
    const unsigned bits = countr_one(atom.mask) + countr_zero(term.factor);
    if (atom.kind != AtomKind::Field || atom.shift != 0 || (atom.mask & (atom.mask + 1)) || bits < 16)
      continue;
    modulus = std::min(modulus, bits);
    plain = exprs.add(plain, exprs.scale(exprs.sub(atom.a, exprs.sum(0, {{term.atom, 1}})), term.factor));
  }
  return modulus < 32 && areDisjointBySum(exprs[plain].constant, exprs.terms(plain), aBytes, bBytes, modulus);
}

Overlap LdsMap::Contents::overlap(ExprId distance, const LaneValues::Accesses &accesses) {
  const Question asked = question(distance, accesses);
  if (auto known = overlapOfDistance.find(asked); known != overlapOfDistance.end())
    return known->second;
  return overlapOfDistance[asked] = findOverlap(distance, accesses);
}

/// That they meet is only said where lanes of waves are known that share bytes.
Overlap LdsMap::Contents::findOverlap(ExprId distance, const LaneValues::Accesses &accesses) {
  if (areDisjointBySum(exprs[distance].constant, exprs.terms(distance), accesses.mineBytes, accesses.theirsBytes))
    return Overlap::No;
  if (const std::optional<bool> doMeet = laneValues.meet(distance, accesses))
    return *doMeet ? Overlap::Yes : Overlap::No;
  return areDisjoint(distance, accesses.mineBytes, accesses.theirsBytes) ? Overlap::No : Overlap::Unknown;
}

Overlap LdsMap::Contents::overlap(ExprId a, const RegionInfo &x, ExprId b, const RegionInfo &y, Between between) {
  const ExprId distance = exprs.sub(b, a);
  const LaneValues::Accesses all{x.bytes, y.bytes, limits.numbers(x.waves), limits.numbers(y.waves),
                                 between == Between::SameWave};
  if (between == Between::InStep)
    return overlapInStep(distance, all);
  const Overlap result = overlap(distance, all);
  if (result != Overlap::Unknown || (x.waves == WaveLimits::anyWave && y.waves == WaveLimits::anyWave))
    return result;
  const Question asked = question(distance, all);
  if (auto known = overlapOfSomeWaves.find(asked); known != overlapOfSomeWaves.end())
    return known->second;
  return overlapOfSomeWaves[asked] = overlapBySomeWaves(distance, all);
}

/// The same where some waves alone come to the accesses.
Overlap LdsMap::Contents::overlapBySomeWaves(ExprId distance, const LaneValues::Accesses &accesses) {
  for (uint32_t one = 0; one < 32; ++one)
    for (uint32_t other = 0; other < 32; ++other)
      if (accesses.mine >> one & 1 && accesses.theirs >> other & 1 && (one == other) == accesses.isSameWave &&
          overlap(ofWaves(exprs, distance, one, other), accesses) != Overlap::No)
        return Overlap::Unknown;
  return Overlap::No;
}

Overlap LdsMap::Contents::overlapInStep(ExprId distance, const LaneValues::Accesses &accesses) {
  Overlap result = Overlap::No;
  WaveSet left = accesses.mine;
  while (left && result != Overlap::Yes) {
    const WaveSet together = limits.inStepWith(countr_zero(left));
    left &= ~together;
    LaneValues::Accesses some = accesses;
    some.mine &= together;
    some.theirs &= together;
    result = std::max(result, some.theirs ? overlap(distance, some) : Overlap::No);
  }
  return result;
}

/// Lanes that have bytes of their own may be left out.
bool LdsMap::Contents::isInPart(const RegionInfo &info) const {
  auto differs = [&](ExprId address) { return exprs[address].depends.lane || exprs[address].depends.wave; };
  return info.isMasked && (differs(info.first) || (info.isPair && differs(info.second)));
}

/// `mine`: the waves that may make the first access.
Overlap LdsMap::Contents::overlap(Region a, Region b, Between between, WaveSet mine) {
  if (a == noByte || b == noByte)
    return Overlap::No;
  if (a == anyByte || b == anyByte)
    return Overlap::Unknown;
  // Most are asked for of all waves.
  if (mine == WaveLimits::anyWave && a < mostInRows && b < mostInRows) {
    const uint8_t known = placeInRows(a, b, between);
    if (known == notAsked)
      return Overlap(placeInRows(a, b, between) = uint8_t(findOverlap(a, b, between, mine)));
    return Overlap(known);
  }
  const std::pair<uint64_t, uint64_t> key{uint64_t(a) << 32 | b, uint64_t(between) << 32 | mine};
  if (auto known = overlapCache.find(key); known != overlapCache.end())
    return known->second;
  return overlapCache[key] = findOverlap(a, b, between, mine);
}

uint8_t &LdsMap::Contents::placeInRows(Region a, Region b, Between between) {
  std::vector<std::vector<uint8_t>> &rows = overlapOfAnyWave[unsigned(between)];
  if (rows.size() <= a)
    rows.resize(a + 1);
  if (rows[a].size() <= b)
    rows[a].resize(b + 1, notAsked);
  return rows[a][b];
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
        if (overlap(distance, {x.bytes, y.bytes, mine, theirs, /*isSameWave=*/false}) == Overlap::Yes)
          return true;
      }
  }
  return false;
}

bool LdsMap::meetInTwoWaves(Region a, Region b) const { return contents->meetInTwoWaves(a, b); }

Overlap LdsMap::overlap(Region a, Region b, Between between, Facts facts) const {
  return contents->overlap(a, b, between, contents->pathFacts.waves(facts));
}

bool LdsMap::isDivergent(uint32_t phaseBlock) const {
  return !contents->trace || contents->trace->isDivergent[phaseBlock];
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
