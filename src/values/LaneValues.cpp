#include "values/LaneValues.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace inflight::values {

/// What the symbol is in the access that it belongs to.
const Symbol &LaneValues::origin(const Symbol &symbol, bool &isOther) const {
  const Symbol *at = &symbol;
  for (; at->kind == Symbol::Kind::OtherLane || at->kind == Symbol::Kind::OtherWave; at = &exprs.symbolInfo(at->base))
    isOther = true;
  return *at;
}

/// Of which access an atom is. Where both are one wave's, what depends on the wave alone is nobody's.
LaneValues::Whose LaneValues::whose(AtomId id) {
  auto [known, isNew] = owners.try_emplace(uint32_t(id), Whose::Nobodys);
  if (!isNew)
    return known->second;
  SmallVector<SymbolId, 8> symbols;
  symbolsOf(exprs, exprs.sum(0, {{id, 1}}), symbols);
  Whose whose = Whose::Nobodys;
  for (SymbolId id : symbols) {
    bool isOther = false;
    const Symbol &symbol = origin(exprs.symbolInfo(id), isOther);
    const bool isWave = symbol.kind == Symbol::Kind::Wave;
    if ((!isWave && symbol.kind != Symbol::Kind::Lane) || (isWave && symbol.known.greatest >= mostWaves)) {
      whose = Whose::Unknown;
      break;
    }
    if (isWave && !isOther)
      continue;
    const Whose one = isOther ? Whose::Theirs : Whose::Mine;
    if (whose != Whose::Nobodys && whose != one) {
      whose = Whose::Unknown;
      break;
    }
    whose = one;
  }
  return owners[uint32_t(id)] = whose;
}

const LaneValues::Values *LaneValues::of(ExprId expr) {
  auto [known, isNew] = sums.try_emplace(uint32_t(expr));
  if (!isNew)
    return known->second.get();
  auto made = std::make_unique<Values>(size_t(mostWaves) * lanes, exprs[expr].constant);
  if (!add(SmallVector<Term, 8>(exprs.terms(expr)), *made))
    made = nullptr;
  return (sums[uint32_t(expr)] = std::move(made)).get();
}

const LaneValues::Values *LaneValues::of(AtomId atom) {
  auto [known, isNew] = atoms.try_emplace(uint32_t(atom));
  if (!isNew)
    return known->second.get();
  auto made = std::make_unique<Values>(size_t(mostWaves) * lanes);
  if (!compute(exprs.atom(atom), *made))
    made = nullptr;
  return (atoms[uint32_t(atom)] = std::move(made)).get();
}

bool LaneValues::add(ArrayRef<Term> terms, Values &into) {
  for (const Term &term : terms) {
    const Values *values = of(term.atom);
    if (!values)
      return false;
    for (size_t i = 0; i < into.size(); ++i)
      into[i] += term.factor * (*values)[i];
  }
  return true;
}

bool LaneValues::compute(const Atom &atom, Values &values) {
  if (atom.kind == AtomKind::Symbol) {
    bool isOther = false;
    const Symbol &symbol = origin(exprs.symbolInfo(atom.symbol()), isOther);
    if (symbol.kind != Symbol::Kind::Wave && symbol.kind != Symbol::Kind::Lane)
      return false;
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = symbol.kind == Symbol::Kind::Wave ? uint32_t(i / lanes)
                                                    : std::min(uint32_t(i % lanes), symbol.known.greatest);
    return true;
  }
  const Values *a = of(atom.a), *b = of(atom.b), *c = of(atom.c);
  if (!a || !b || !c)
    return false;
  auto each = [&](auto operation) {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = operation((*a)[i], (*b)[i], (*c)[i]);
    return true;
  };
  switch (atom.kind) {
  case AtomKind::Field: return each([&](uint32_t x, uint32_t, uint32_t) { return x >> atom.shift & atom.mask; });
  case AtomKind::And: return each([](uint32_t x, uint32_t y, uint32_t) { return x & y; });
  case AtomKind::Or: return each([](uint32_t x, uint32_t y, uint32_t) { return x | y; });
  case AtomKind::Xor: return each([](uint32_t x, uint32_t y, uint32_t) { return x ^ y; });
  case AtomKind::MulHi:
    return each([&](uint32_t x, uint32_t, uint32_t) { return uint32_t(uint64_t(x) * atom.mask >> 32); });
  case AtomKind::Divide: return each([&](uint32_t x, uint32_t, uint32_t) { return x / atom.mask; });
  case AtomKind::Equal: return each([](uint32_t x, uint32_t y, uint32_t) { return uint32_t(x == y); });
  case AtomKind::Less: return each([](uint32_t x, uint32_t y, uint32_t) { return uint32_t(x < y); });
  case AtomKind::LessSigned:
    return each([](uint32_t x, uint32_t y, uint32_t) { return uint32_t(int32_t(x) < int32_t(y)); });
  case AtomKind::Select: return each([](uint32_t x, uint32_t y, uint32_t z) { return x ? y : z; });
  default: return false;
  }
}

/// The greatest number of a wave that there is at most; none where the number doesn't count.
std::optional<uint32_t> LaneValues::lastWave(ExprId expr) const {
  SmallVector<SymbolId, 8> symbols;
  symbolsOf(exprs, expr, symbols);
  std::optional<uint32_t> last;
  for (SymbolId id : symbols) {
    bool isOther = false;
    const Symbol &symbol = origin(exprs.symbolInfo(id), isOther);
    if (symbol.kind == Symbol::Kind::Wave)
      last = std::min(last.value_or(mostWaves - 1), symbol.known.greatest);
  }
  return last;
}

std::optional<uint32_t> LaneValues::lastWaveOf(AtomId atom) {
  auto [known, isNew] = lastWaves.try_emplace(uint32_t(atom));
  if (!isNew)
    return known->second;
  return lastWaves[uint32_t(atom)] = lastWave(exprs.sum(0, {{atom, 1}}));
}

const std::vector<LaneValues::At> *LaneValues::sorted(ArrayRef<Term> terms, WaveSet waves, uint32_t lastWave) {
  const std::pair<uint64_t, uint32_t> key{uint64_t(exprs.sum(0, terms)) << 32 | waves, lastWave};
  auto [known, isNew] = sortedOf.try_emplace(key);
  if (!isNew)
    return known->second.get();
  Values values(size_t(mostWaves) * lanes);
  if (!add(terms, values))
    return nullptr;
  std::vector<At> all;
  for (uint32_t wave = 0; wave <= lastWave; ++wave)
    if (waves >> wave & 1)
      for (unsigned lane = 0; lane < lanes; ++lane)
        all.push_back({values[wave * lanes + lane], wave});
  sort(all);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return (sortedOf[key] = std::make_unique<const std::vector<At>>(std::move(all))).get();
}

std::optional<bool> LaneValues::meet(ExprId distance, const Accesses &accesses) {
  SmallVector<Term, 8> mine, theirs;
  std::optional<uint32_t> greatest;
  for (const Term &term : SmallVector<Term, 8>(exprs.terms(distance))) {
    const Whose owner = whose(term.atom);
    if (owner == Whose::Unknown)
      return std::nullopt;
    // From mine to theirs: what is mine is taken away from my address.
    if (owner == Whose::Mine || (owner == Whose::Nobodys && !accesses.isSameWave))
      mine.push_back({term.atom, 0u - term.factor});
    else
      theirs.push_back(term);
    if (const std::optional<uint32_t> last = lastWaveOf(term.atom))
      greatest = std::min(greatest.value_or(mostWaves - 1), *last);
  }
  // Without the wave's number all waves are alike: two stand for them.
  const bool areAlike = accesses.mine == WaveLimits::anyWave && accesses.theirs == WaveLimits::anyWave;
  const uint32_t last = greatest.value_or(areAlike ? 1 : mostWaves - 1);
  const std::vector<At> *own = sorted(mine, accesses.mine, last), *other = sorted(theirs, accesses.theirs, last);
  if (!own || !other)
    return std::nullopt;
  const uint32_t window = uint32_t(accesses.mineBytes + accesses.theirsBytes - 1);
  const uint32_t toFirst = exprs[distance].constant - uint32_t(accesses.mineBytes) + 1;
  size_t begin = 0; ///< in `own`, the first at or after `first`
  uint32_t before = 0;
  for (const At &at : *other) {
    const uint32_t first = at.address + toFirst;
    if (first < before)
      begin = 0;
    before = first;
    while (begin < own->size() && (*own)[begin].address < first)
      ++begin;
    for (size_t seen = 0, i = begin; seen < own->size(); ++seen, ++i) {
      const At &met = (*own)[i < own->size() ? i : i - own->size()];
      if (uint32_t(met.address - first) >= window)
        break;
      if ((met.wave == at.wave) == accesses.isSameWave)
        return true;
    }
  }
  return false;
}

std::optional<LaneValues::Bounds> LaneValues::boundsOf(ArrayRef<Term> terms, SmallVectorImpl<Term> &rest) {
  SmallVector<Term, 8> mine, theirs;
  bool isLinear = true;
  for (const Term &term : terms) {
    const Whose owner = whose(term.atom);
    isLinear &= owner == Whose::Unknown || exprs.atom(term.atom).kind == AtomKind::Symbol;
    if (owner == Whose::Unknown)
      rest.push_back(term);
    else
      (owner == Whose::Theirs ? theirs : mine).push_back(term);
  }
  if (isLinear)
    return std::nullopt;
  SmallVector<Term, 8> both(mine);
  append_range(both, theirs);
  auto [known, isNew] = boundsOfSums.try_emplace(uint32_t(exprs.sum(0, both)));
  if (!isNew)
    return known->second;
  Bounds bounds;
  for (const SmallVector<Term, 8> *part : {&mine, &theirs}) {
    Values values(size_t(mostWaves) * lanes);
    if (!add(*part, values))
      return std::nullopt;
    values.resize(size_t(lastWave(exprs.sum(0, *part)).value_or(0) + 1) * lanes);
    auto isLess = [](uint32_t a, uint32_t b) { return int32_t(a) < int32_t(b); };
    bounds.least += int32_t(*std::min_element(values.begin(), values.end(), isLess));
    bounds.greatest += int32_t(*std::max_element(values.begin(), values.end(), isLess));
  }
  return boundsOfSums[uint32_t(exprs.sum(0, both))] = bounds;
}

} // namespace inflight::values
