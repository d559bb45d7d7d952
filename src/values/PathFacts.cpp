#include "values/PathFacts.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::values {

/// Of a path more isn't kept: the search is over paths, not over conditions. What comes then is held against these. So
/// many of them at once: those that share symbols with it, and then those that share some with these.
static constexpr size_t mostConditions = 64, mostAtOnce = 16;
/// Of a register that changes in a loop: so many turns back it is followed what a condition says of it.
static constexpr uint8_t mostTurns = 2;

namespace {
/// factor * iteration + constant, without wrapping.
struct Linear {
  SymbolId symbol = noSymbol; ///< none of a constant
  int64_t factor = 0, constant = 0;
};
} // namespace

static std::optional<Linear> linearOf(const Expressions &exprs, ExprId id) {
  const Expr &e = exprs[id];
  if (exprs.isConstant(id))
    return Linear{noSymbol, 0, int64_t(e.constant)};
  const Term &term = exprs.terms(id)[0];
  const Atom &atom = exprs.atom(term.atom);
  if (!e.exact || e.termCount != 1 || atom.kind != AtomKind::Symbol ||
      exprs.symbolInfo(atom.symbol()).kind != Symbol::Kind::Iteration)
    return std::nullopt;
  return Linear{atom.symbol(), int32_t(term.factor), e.sumConstant};
}

/// Of a condition about the iteration of one loop: in which it may hold. `isExact`: in all of them it does.
std::optional<PathFacts::Iterations> PathFacts::iterationsWhere(ExprId condition, bool &isExact) const {
  const Expr &e = exprs[condition];
  if (e.termCount != 1)
    return std::nullopt;
  const Term &term = exprs.terms(condition)[0];
  const Atom &atom = exprs.atom(term.atom);
  const bool isPlain = term.factor == 1 && e.constant == 0, isOpposite = term.factor == ~0u && e.constant == 1;
  if ((atom.kind != AtomKind::Less && atom.kind != AtomKind::Equal) || (!isPlain && !isOpposite))
    return std::nullopt;
  const std::optional<Linear> a = linearOf(exprs, atom.a), b = linearOf(exprs, atom.b);
  if (!a || !b || (a->symbol != noSymbol && b->symbol != noSymbol && a->symbol != b->symbol))
    return std::nullopt;
  const SymbolId symbol = a->symbol != noSymbol ? a->symbol : b->symbol;
  const int64_t factor = a->factor - b->factor, room = b->constant - a->constant;
  if (symbol == noSymbol || factor == 0)
    return std::nullopt;
  const Known &known = exprs.symbolInfo(symbol).known;
  int64_t least = known.least, greatest = known.greatest;
  isExact = true;
  if (atom.kind == AtomKind::Equal) {
    const int64_t at = divideFloorSigned(room, factor);
    const bool isAny = at * factor == room;
    if (isPlain) {
      least = isAny ? std::max(least, at) : greatest + 1;
      greatest = std::min(greatest, at);
    } else if (isAny) {
      isExact = at <= least || at >= greatest;
      least += at == least;
      greatest -= at == greatest;
    }
  } else if ((factor > 0) == isPlain) {
    // factor * n < room, or factor * n >= room with a negative factor.
    greatest = std::min(greatest, isPlain ? divideFloorSigned(room - 1, factor) : divideFloorSigned(room, factor));
  } else {
    least = std::max(least, isPlain ? divideFloorSigned(room, factor) + 1 : divideCeilSigned(room, factor));
  }
  if (least > greatest)
    return Iterations{symbol, 1, 0};
  return Iterations{symbol, uint32_t(least), uint32_t(greatest)};
}

bool PathFacts::addIterations(Entry &entry, const Iterations &more) {
  auto place = partition_point(entry.iterations, [&](const Iterations &i) { return i.symbol < more.symbol; });
  if (place == entry.iterations.end() || place->symbol != more.symbol)
    place = entry.iterations.insert(place, more);
  place->least = std::max(place->least, more.least);
  place->greatest = std::min(place->greatest, more.greatest);
  return place->least <= place->greatest;
}

bool PathFacts::add(Entry &entry, ExprId condition) {
  if (exprs.isConstant(condition))
    return exprs[condition].constant != 0;
  WaveSet numbers = 0;
  if (const std::optional<WaveSet> waves = wavesWhere(exprs, condition, numbers)) {
    entry.waves &= *waves;
    return entry.waves != 0;
  }
  bool isExact = false;
  if (const std::optional<Iterations> iterations = iterationsWhere(condition, isExact)) {
    if (!addIterations(entry, *iterations))
      return false;
    if (isExact)
      return true;
  }
  auto place = lower_bound(entry.conditions, condition);
  if (place != entry.conditions.end() && *place == condition)
    return true;
  if (entry.conditions.size() >= mostConditions) {
    entry.isPart = true;
    return true;
  }
  entry.conditions.insert(place, condition);
  return true;
}

std::optional<Facts> PathFacts::intern(Entry entry) {
  if (entry.conditions.empty())
    entry.turns = 0;
  hash_code hash = hash_combine(entry.waves, entry.isPart, entry.turns);
  for (ExprId condition : entry.conditions)
    hash = hash_combine(hash, uint32_t(condition));
  for (const Iterations &i : entry.iterations)
    hash = hash_combine(hash, uint32_t(i.symbol), i.least, i.greatest);
  SmallVector<Facts, 1> &bucket = index[uint64_t(size_t(hash)) >> 1];
  for (Facts facts : bucket)
    if (entries[facts] == entry)
      return facts;
  if (entry == Entry())
    return noFacts;
  bucket.push_back(entries.push(std::move(entry)));
  return bucket.back();
}

bool PathFacts::canJoin(const List &others, ExprId condition) {
  List related{condition};
  SmallDenseSet<SymbolId, 16> symbols;
  for (size_t next = 0; next < related.size() && related.size() < mostAtOnce; ++next) {
    bool isMore = false;
    for (SymbolId symbol : together.symbolsIn(related[next]))
      isMore |= symbols.insert(symbol).second;
    for (ExprId other : others)
      if (isMore && related.size() < mostAtOnce && !is_contained(related, other) &&
          any_of(together.symbolsIn(other), [&](SymbolId symbol) { return symbols.contains(symbol); }))
        related.push_back(other);
  }
  sort(related);
  auto [known, isNew] = togetherKnown.try_emplace(related);
  if (isNew)
    known->second = together.canAllHold(related);
  return known->second;
}

std::optional<Facts> PathFacts::with(Facts facts, ExprId condition, IsAsked isAsked) {
  const SmallVector<SymbolId, 4> symbols(together.symbolsIn(condition));
  auto sharesSome = [&](ExprId other) {
    return any_of(together.symbolsIn(other), [&](SymbolId symbol) { return is_contained(symbols, symbol); });
  };
  if (!exprs.isConstant(condition) && none_of(symbols, isAsked) && none_of(entries[facts].conditions, sharesSome))
    return facts;
  Entry entry = entries[facts];
  if (!add(entry, condition))
    return std::nullopt;
  const List &before = entries[facts].conditions;
  const bool isKept = entry.conditions.size() > before.size();
  const bool isBeyond = before.size() >= mostConditions && !exprs.isConstant(condition);
  if ((isKept || isBeyond) && !is_contained(before, condition) && !canJoin(before, condition))
    return std::nullopt;
  return intern(std::move(entry));
}

Facts PathFacts::about(Facts facts, IsAsked isAsked) {
  List rest = entries[facts].conditions;
  SmallDenseSet<SymbolId, 16> symbols;
  auto isKept = [&](ExprId condition) {
    const ArrayRef<SymbolId> mine = together.symbolsIn(condition);
    if (none_of(mine, [&](SymbolId symbol) { return symbols.contains(symbol) || isAsked(symbol); }))
      return false;
    symbols.insert(mine.begin(), mine.end());
    return true;
  };
  for (size_t before = ~size_t(0); rest.size() < before;) {
    before = rest.size();
    erase_if(rest, isKept);
  }
  if (rest.empty())
    return facts;
  Entry entry = entries[facts];
  erase_if(entry.conditions, [&](ExprId condition) { return is_contained(rest, condition); });
  return *intern(std::move(entry));
}

Facts PathFacts::only(Facts facts, function_ref<bool(SymbolId)> isWanted) {
  Entry entry = entries[facts];
  entry.waves = WaveLimits::anyWave;
  entry.isPart = false;
  erase_if(entry.iterations, [&](const Iterations &i) { return !isWanted(i.symbol); });
  erase_if(entry.conditions, [&](ExprId condition) {
    SmallVector<SymbolId, 8> symbols;
    symbolsOf(exprs, condition, symbols);
    return !all_of(symbols, isWanted);
  });
  return *intern(std::move(entry)); // some of what holds together does, too
}

/// Nothing that came before says what it is.
static bool isFresh(const Expressions &exprs, SymbolId id) {
  const Symbol *symbol = &exprs.symbolInfo(id);
  if (symbol->kind == Symbol::Kind::FirstLane)
    symbol = &exprs.symbolInfo(symbol->base);
  return symbol->kind == Symbol::Kind::Loaded || symbol->kind == Symbol::Kind::Computed;
}

std::optional<Facts> PathFacts::renamed(Facts facts, bool isAgain, Replace replace) {
  const Entry before = entries[facts];
  Entry entry;
  entry.waves = before.waves;
  entry.isPart = before.isPart;
  entry.turns = before.turns;
  for (const Iterations &i : before.iterations) {
    const std::optional<ExprId> becomes = replace(i.symbol);
    if (!becomes)
      continue;
    const std::optional<Linear> now = linearOf(exprs, *becomes);
    if (!now)
      continue;
    if (now->symbol == noSymbol) {
      if (now->constant < i.least || now->constant > i.greatest)
        return std::nullopt;
      continue;
    }
    // The symbol itself plus some iterations. What is no bound doesn't become one, so there are only so many facts.
    const bool isBound = i.greatest < exprs.symbolInfo(i.symbol).known.greatest;
    const int64_t least = std::max<int64_t>(0, int64_t(i.least) - now->constant),
                  greatest = isBound ? i.greatest - now->constant : i.greatest;
    if (now->factor != 1 || greatest < least ||
        !addIterations(entry, {now->symbol, uint32_t(least), uint32_t(greatest)}))
      return std::nullopt;
  }
  // From iteration to iteration conditions would become more and more.
  constexpr size_t few = 16;
  const bool isMuch = isAgain && before.conditions.size() >= few;
  for (ExprId condition : before.conditions) {
    bool isForgotten = false, isFree = false, isOfTurn = false;
    const ExprId now = exprs.substitute(condition, [&](SymbolId id) {
      const std::optional<ExprId> becomes = replace(id);
      const bool changes = isAgain && becomes && *becomes != exprs.symbol(id) && !exprs.isConstant(*becomes);
      const bool isCount = exprs.symbolInfo(id).kind == Symbol::Kind::Iteration;
      isForgotten |= !becomes || (changes && (isMuch || (!isCount && before.turns >= mostTurns)));
      isFree |= !becomes && isFresh(exprs, id);
      isOfTurn |= changes && !isCount;
      return becomes.value_or(zero);
    });
    entry.isPart |= isForgotten && !isFree;
    if (!isForgotten && !add(entry, now))
      return std::nullopt;
    if (isOfTurn && !isForgotten)
      entry.turns = before.turns + 1;
  }
  for (ExprId condition : entry.conditions)
    if (!is_contained(before.conditions, condition) && !canJoin(entry.conditions, condition))
      return std::nullopt;
  return intern(std::move(entry));
}

} // namespace inflight::values
