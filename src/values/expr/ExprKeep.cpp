#include "values/expr/ExprKeep.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::values {

namespace {

/// Which of the things made since some number stay, and the numbers that they get: in the same order, so that what is
/// sorted by them stays sorted.
template <class Id> class Kept {
public:
  Kept(uint32_t since, size_t count) : since(since), isKept(count - since) {}
  bool isOld(Id id) const { return uint32_t(id) < since; }
  bool has(Id id) const { return isOld(id) || isKept[uint32_t(id) - since]; }
  /// Whether it is new that it stays.
  bool keep(Id id) {
    if (has(id))
      return false;
    isKept.set(uint32_t(id) - since);
    return true;
  }
  void number() {
    numbers.resize(isKept.size());
    uint32_t next = since;
    for (unsigned i : isKept.set_bits())
      numbers[i] = next++;
  }
  Id now(Id id) const { return isOld(id) ? id : Id(numbers[uint32_t(id) - since]); }
  void renumber(Id &id) const { id = now(id); }
  size_t count() const { return isKept.count(); }
  template <class Visit> void each(Visit visit) const {
    for (unsigned i : isKept.set_bits())
      visit(Id(since + i));
  }

private:
  uint32_t since;
  BitVector isKept;
  std::vector<uint32_t> numbers;
};

} // namespace

void ExprKeeper::mark() {
  sinceExpr = exprs.exprs.size();
  sinceAtom = exprs.atoms.size();
  sinceSymbol = exprs.symbols.size();
  sinceTerm = exprs.allTerms.size();
}

size_t ExprKeeper::madeSince() const { return exprs.exprs.size() - sinceExpr; }

template <class Id> void Expressions::Table<Id>::forgetFrom(uint32_t first) {
  std::vector<Place> old(places.size());
  old.swap(places);
  used = 0;
  for (const Place &place : old)
    if (place.next && place.next - 1 < first) {
      find(place.hash, [](Id) { return false; }) = place;
      ++used;
    }
}

template <class Id> void Expressions::Table<Id>::shrink() {
  const std::vector<Place> old =
      std::exchange(places, std::vector<Place>(std::max<size_t>(4096, NextPowerOf2(4 * used))));
  for (const Place &place : old)
    if (place.next)
      find(place.hash, [](Id) { return false; }) = place;
}

void ExprKeeper::shrink() {
  const auto giveBack = [](auto &list) {
    auto small = list; // has room for itself alone
    list = std::move(small);
  };
  giveBack(exprs.exprs);
  giveBack(exprs.atoms);
  giveBack(exprs.symbols);
  giveBack(exprs.allTerms);
  exprs.exprTable.shrink();
  exprs.atomTable.shrink();
}

void ExprKeeper::keep(EachRoot eachRoot) {
  Kept<ExprId> keptExprs(sinceExpr, exprs.exprs.size());
  Kept<AtomId> keptAtoms(sinceAtom, exprs.atoms.size());
  Kept<SymbolId> keptSymbols(sinceSymbol, exprs.symbols.size());
  std::vector<ExprId> work;
  auto want = [&](ExprId id) {
    if (keptExprs.keep(id))
      work.push_back(id);
  };
  auto wantSymbol = [&](SymbolId id) {
    while (keptSymbols.keep(id))
      id = exprs.symbols[id].base;
  };
  eachRoot([&](ExprId &id) { want(id); }, [&](SymbolId &id) { wantSymbol(id); });
  while (!work.empty()) {
    const ExprId id = work.back();
    work.pop_back();
    for (const Term &term : exprs.terms(id)) {
      if (!keptAtoms.keep(term.atom))
        continue;
      const Atom &atom = exprs.atoms[term.atom];
      if (atom.kind == AtomKind::Symbol) {
        wantSymbol(atom.symbol());
        continue;
      }
      for (ExprId part : {atom.a, atom.b, atom.c})
        want(part);
    }
  }
  keptExprs.number();
  keptAtoms.number();
  keptSymbols.number();

  exprs.exprTable.forgetFrom(sinceExpr);
  exprs.atomTable.forgetFrom(sinceAtom);
  keptSymbols.each([&](SymbolId id) {
    Symbol symbol = exprs.symbols[id];
    keptSymbols.renumber(symbol.base);
    exprs.symbols[keptSymbols.now(id)] = symbol;
  });
  keptAtoms.each([&](AtomId id) {
    Atom atom = exprs.atoms[id];
    if (atom.kind == AtomKind::Symbol)
      atom.a = ExprId(uint32_t(keptSymbols.now(atom.symbol())));
    else
      for (ExprId *part : {&atom.a, &atom.b, &atom.c})
        keptExprs.renumber(*part);
    const AtomId now = keptAtoms.now(id);
    exprs.atoms[now] = atom;
    const uint32_t hash = hashOf(atom);
    exprs.atomTable.take(exprs.atomTable.find(hash, [](AtomId) { return false; }), hash, now);
  });
  uint32_t firstTerm = sinceTerm;
  keptExprs.each([&](ExprId id) {
    Expr expr = exprs.exprs[id];
    for (unsigned i = 0; i < expr.termCount; ++i) {
      Term term = exprs.allTerms[expr.firstTerm + i];
      keptAtoms.renumber(term.atom);
      exprs.allTerms[firstTerm + i] = term;
    }
    expr.firstTerm = firstTerm;
    firstTerm += expr.termCount;
    const ExprId now = keptExprs.now(id);
    exprs.exprs[now] = expr;
    const uint32_t hash = hashOf(expr.constant, exprs.terms(now));
    exprs.exprTable.take(exprs.exprTable.find(hash, [](ExprId) { return false; }), hash, now);
  });
  exprs.exprs.truncate(size_t(sinceExpr) + keptExprs.count());
  exprs.atoms.truncate(size_t(sinceAtom) + keptAtoms.count());
  exprs.symbols.truncate(size_t(sinceSymbol) + keptSymbols.count());
  exprs.allTerms.truncate(firstTerm);

  decltype(exprs.derivedIndex) derivedNow;
  for (const auto &[key, made] : exprs.derivedIndex) {
    const SymbolId base = SymbolId(uint32_t(key.first));
    if (keptSymbols.has(made) && keptSymbols.has(base))
      derivedNow[{key.first >> 32 << 32 | uint32_t(keptSymbols.now(base)), key.second}] = keptSymbols.now(made);
  }
  exprs.derivedIndex = std::move(derivedNow);
  eachRoot([&](ExprId &id) { keptExprs.renumber(id); }, [&](SymbolId &id) { keptSymbols.renumber(id); });
  mark();
}

} // namespace inflight::values
