#include "values/LdsMapContents.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::values {

/// Whether b - a, this sum and what is within `lanes`, is outside (-bBytes, aBytes) modulo 2^`modulus` whatever the
/// atoms are in their bounds.
bool Distances::areDisjointBySum(uint32_t constant, ArrayRef<Term> terms, int64_t aBytes, int64_t bBytes,
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
bool Distances::areDisjointByBounds(ExprId distance, int64_t aBytes, int64_t bBytes) {
  if (areDisjointBySum(exprs[distance].constant, exprs.terms(distance), aBytes, bBytes))
    return true;
  SmallVector<Term, 8> rest;
  const auto lanes = laneValues.boundsOf(SmallVector<Term, 8>(exprs.terms(distance)), rest);
  return lanes && areDisjointBySum(exprs[distance].constant, rest, aBytes, bBytes, 32, *lanes);
}

bool Distances::areDisjointByCases(ExprId distance, int64_t aBytes, int64_t bBytes, unsigned &cases, unsigned depth) {
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
bool Distances::areDisjointByWave(ExprId distance, int64_t aBytes, int64_t bBytes) {
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

bool Distances::areDisjoint(ExprId distance, int64_t aBytes, int64_t bBytes) {
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

Overlap Distances::overlap(ExprId distance, const LaneValues::Accesses &accesses) {
  const Question asked = question(distance, accesses);
  if (auto found = known.find(asked); found != known.end())
    return found->second;
  return known[asked] = findOverlap(distance, accesses);
}

Overlap Distances::overlapOfSomeWaves(ExprId distance, const LaneValues::Accesses &accesses) {
  if (const Overlap result = overlap(distance, accesses); result != Overlap::Unknown)
    return result;
  const Question asked = question(distance, accesses);
  if (auto found = knownOfSomeWaves.find(asked); found != knownOfSomeWaves.end())
    return found->second;
  return knownOfSomeWaves[asked] = findOverlapOfSomeWaves(distance, accesses);
}

/// That they meet is only said where lanes of waves are known that share bytes.
Overlap Distances::findOverlap(ExprId distance, const LaneValues::Accesses &accesses) {
  if (areDisjointBySum(exprs[distance].constant, exprs.terms(distance), accesses.mineBytes, accesses.theirsBytes))
    return Overlap::No;
  if (const std::optional<bool> doMeet = laneValues.meet(distance, accesses))
    return *doMeet ? Overlap::Yes : Overlap::No;
  return areDisjoint(distance, accesses.mineBytes, accesses.theirsBytes) ? Overlap::No : Overlap::Unknown;
}

Overlap Distances::findOverlapOfSomeWaves(ExprId distance, const LaneValues::Accesses &accesses) {
  for (uint32_t one = 0; one < 32; ++one)
    for (uint32_t other = 0; other < 32; ++other)
      if (accesses.mine >> one & 1 && accesses.theirs >> other & 1 && (one == other) == accesses.isSameWave &&
          overlap(ofWaves(exprs, distance, one, other), accesses) != Overlap::No)
        return Overlap::Unknown;
  return Overlap::No;
}

Overlap Distances::overlapInStep(ExprId distance, const LaneValues::Accesses &accesses) {
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

} // namespace inflight::values
