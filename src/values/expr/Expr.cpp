#include "values/expr/ExprBits.h"
#include "values/expr/ExprKeep.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <bit>
#include <numeric>

using namespace llvm;

namespace inflight::values {

void Known::tighten() {
  least = std::max(least, ones);
  greatest = std::min(greatest, ~zeros);
  if (uint32_t differ = least ^ greatest) {
    const uint32_t same = ~lowBits(topBit(differ) + 1);
    zeros |= same & ~greatest;
    ones |= same & greatest;
  } else {
    ones = least;
    zeros = ~least;
  }
}

Known Known::hull(const Known &other) const {
  Known known{zeros & other.zeros, ones & other.ones, std::min(least, other.least), std::max(greatest, other.greatest)};
  known.tighten();
  return known;
}

bool Known::within(const Known &other) const {
  return (other.zeros & ~zeros) == 0 && (other.ones & ~ones) == 0 && least >= other.least && greatest <= other.greatest;
}

static Known exactly(uint32_t value) { return {~value, value, value, value}; }

/// Bits of a sum, carries followed.
static void addBits(uint32_t &zeros, uint32_t &ones, uint32_t zeros2, uint32_t ones2) {
  const uint32_t greatest = ~zeros + ~zeros2, least = ones + ones2;
  const uint32_t carryZero = ~(greatest ^ zeros ^ zeros2), carryOne = least ^ ones ^ ones2;
  const uint32_t known = (carryZero | carryOne) & (zeros | ones) & (zeros2 | ones2);
  zeros = ~greatest & known;
  ones = least & known;
}

static uint32_t mix(uint32_t hash, uint32_t value) {
  const uint64_t product = (uint64_t(hash) << 32 | value) * 0x9e3779b97f4a7c15ull;
  return uint32_t(product >> 32) ^ uint32_t(product >> 7);
}

template <class Id> void Expressions::Table<Id>::grow() {
  std::vector<Place> old(places.size() * 2);
  old.swap(places);
  for (const Place &place : old)
    if (place.next)
      find(place.hash, [](Id) { return false; }) = place;
}

Expressions::Expressions() {
  symbols.push({}); // no symbol
  makeExpr(0, {});
}

ExprId Expressions::constant(uint32_t value) { return value ? makeExpr(value, {}) : zero; }

SymbolId Expressions::addSymbol(const Symbol &symbol) {
  const SymbolId id = symbols.push(symbol);
  symbols[id].known.tighten();
  return id;
}

SymbolId Expressions::derived(Symbol::Kind kind, SymbolId base, uint32_t where, uint32_t owner) {
  SymbolId &id = derivedIndex[{uint64_t(kind) << 32 | uint32_t(base), where}];
  if (id == noSymbol) {
    Symbol made = symbolInfo(base);
    made.kind = kind;
    made.base = base;
    made.where = where;
    made.owner = std::max(made.owner, owner);
    if (kind == Symbol::Kind::FirstLane) {
      made.depends.lane = false;
      made.depends.wave = true;
    }
    if (kind == Symbol::Kind::AfterLoop)
      made.depends.wave = true;
    if (kind == Symbol::Kind::Stale)
      made.depends.stale = made.depends.unknown = true;
    id = addSymbol(made);
  }
  return id;
}

ExprId Expressions::symbol(SymbolId id) {
  const Symbol &info = symbolInfo(id);
  return ofAtom({AtomKind::Symbol, 0, 0, 0, ExprId(uint32_t(id)), zero, zero, info.known, info.depends});
}

uint32_t hashOf(const Atom &atom) {
  return mix(mix(mix(unsigned(atom.kind) << 8 | atom.shift, atom.mask), uint32_t(atom.a)),
             mix(uint32_t(atom.b), uint32_t(atom.c)));
}

uint32_t hashOf(uint32_t constant, ArrayRef<Term> terms) {
  uint32_t hash = mix(terms.size(), constant);
  for (const Term &term : terms)
    hash = mix(mix(hash, uint32_t(term.atom)), term.factor);
  return hash;
}

AtomId Expressions::makeAtom(Atom atom) {
  const uint32_t hash = hashOf(atom);
  auto &place = atomTable.find(hash, [&](AtomId id) {
    const Atom &other = atoms[id];
    return other.kind == atom.kind && other.shift == atom.shift && other.mask == atom.mask && other.a == atom.a &&
           other.b == atom.b && other.c == atom.c;
  });
  if (place.next)
    return AtomId(place.next - 1);
  if (atom.kind != AtomKind::Symbol) {
    atom.depends = exprs[atom.a].depends | exprs[atom.b].depends | exprs[atom.c].depends;
    atom.depth = 1 + std::max({exprs[atom.a].depth, exprs[atom.b].depth, exprs[atom.c].depth});
  }
  atom.known.tighten();
  const AtomId made = atoms.push(atom);
  atomTable.take(place, hash, made);
  return made;
}

ExprId Expressions::ofAtom(const Atom &atom) {
  const Term term{makeAtom(atom), 1};
  return trailingZeros(term) >= 32 ? zero : makeExpr(0, term);
}

unsigned Expressions::trailingZeros(const Term &term) const {
  return std::min(32, std::countr_zero(term.factor) + std::countr_one(atoms[term.atom].known.zeros));
}

/// What is known of the sum that `made` is.
void Expressions::boundSum(Expr &made, ArrayRef<Term> sorted) const {
  // One atom as it is.
  if (made.constant == 0 && sorted.size() == 1 && sorted[0].factor == 1) {
    const Atom &atom = atoms[sorted[0].atom];
    made.known = atom.known;
    made.depends = atom.depends;
    made.depth = atom.depth;
    made.exact = true;
    return;
  }
  Known known = exactly(made.constant);
  __int128 least = 0, greatest = 0;
  for (const Term &term : sorted) {
    const Atom &atom = atoms[term.atom];
    made.depends = made.depends | atom.depends;
    made.depth = std::max(made.depth, atom.depth);
    const int64_t factor = int32_t(term.factor);
    least += __int128(factor) * (factor > 0 ? atom.known.least : atom.known.greatest);
    greatest += __int128(factor) * (factor > 0 ? atom.known.greatest : atom.known.least);
    uint32_t zeros = lowBits(trailingZeros(term)), ones = 0;
    if (std::has_single_bit(term.factor)) {
      const unsigned shift = std::countr_zero(term.factor);
      zeros = atom.known.zeros << shift | lowBits(shift);
      ones = atom.known.ones << shift;
    }
    addBits(known.zeros, known.ones, zeros, ones);
  }
  for (int64_t value : {int64_t(int32_t(made.constant)), int64_t(made.constant)})
    if (!made.exact && least + value >= 0 && greatest + value <= ~0u) {
      made.exact = true;
      made.sumConstant = value;
      known.least = uint32_t(least + value);
      known.greatest = uint32_t(greatest + value);
    }
  // Wraps the same number of times for all values.
  if (!made.exact) {
    const __int128 low = least + made.constant, high = greatest + made.constant;
    known.least = 0;
    known.greatest = ~0u;
    if ((low >> 32) == (high >> 32)) {
      known.least = uint32_t(low);
      known.greatest = uint32_t(high);
    }
  }
  known.tighten();
  made.known = known;
}

ExprId Expressions::makeExpr(uint32_t constant, ArrayRef<Term> sorted) {
  const uint32_t hash = hashOf(constant, sorted);
  auto &place = exprTable.find(hash, [&](ExprId id) {
    const Expr &other = exprs[id];
    if (other.constant != constant || other.termCount != sorted.size())
      return false;
    const Term *terms = allTerms.data() + other.firstTerm;
    for (size_t i = 0; i < sorted.size(); ++i)
      if (!(terms[i] == sorted[i]))
        return false;
    return true;
  });
  if (place.next)
    return ExprId(place.next - 1);

  Expr made;
  made.constant = constant;
  made.termCount = sorted.size();
  made.firstTerm = allTerms.size();
  boundSum(made, sorted);
  append_range(allTerms, sorted);
  const ExprId result = exprs.push(made);
  exprTable.take(place, hash, result);
  return result;
}

ExprId Expressions::sum(uint32_t constant, ArrayRef<Term> given) {
  SmallVector<Term, 8> sorted(given);
  if (!is_sorted(sorted, [](const Term &a, const Term &b) { return a.atom < b.atom; }))
    sort(sorted, [](const Term &a, const Term &b) { return a.atom < b.atom; });
  SmallVector<Term, 8> merged;
  for (const Term &term : sorted) {
    if (!merged.empty() && merged.back().atom == term.atom)
      merged.back().factor += term.factor;
    else
      merged.push_back(term);
  }
  // Bits beyond the 32nd are lost: a factor that only reaches those is none.
  erase_if(merged, [&](const Term &term) { return term.factor == 0 || trailingZeros(term) >= 32; });
  return makeExpr(constant, merged);
}

ExprId Expressions::add(ExprId a, ExprId b) {
  if (a == zero || b == zero)
    return a == zero ? b : a;
  SmallVector<Term, 8> both(terms(a));
  append_range(both, SmallVector<Term, 8>(terms(b)));
  return sum(exprs[a].constant + exprs[b].constant, both);
}

ExprId Expressions::addConstant(ExprId a, uint32_t value) {
  if (value == 0)
    return a;
  return makeExpr(exprs[a].constant + value, SmallVector<Term, 8>(terms(a)));
}

ExprId Expressions::scale(ExprId a, uint32_t factor) {
  if (factor == 0 || a == zero)
    return zero;
  if (factor == 1)
    return a;
  SmallVector<Term, 8> scaled(terms(a));
  for (Term &term : scaled)
    term.factor *= factor;
  return sum(exprs[a].constant * factor, scaled);
}

ExprId Expressions::mul(ExprId a, ExprId b) {
  if (isConstant(a))
    return scale(b, exprs[a].constant);
  if (isConstant(b))
    return scale(a, exprs[b].constant);
  return other(Mul, std::min(a, b), std::max(a, b));
}

const Atom *Expressions::onlyAtom(ExprId id) const {
  const Expr &e = exprs[id];
  if (e.constant || e.termCount != 1 || allTerms[e.firstTerm].factor != 1)
    return nullptr;
  return &atoms[allTerms[e.firstTerm].atom];
}

ExprId Expressions::mulHi(ExprId a, ExprId b) {
  if (isConstant(a))
    std::swap(a, b);
  if (!isConstant(b))
    return other(MulHiVariable, std::min(a, b), std::max(a, b));
  const uint32_t factor = exprs[b].constant;
  if (isConstant(a))
    return constant(uint64_t(exprs[a].constant) * factor >> 32);
  if (factor < 2)
    return zero;
  if (std::has_single_bit(factor))
    return field(a, 32 - std::countr_zero(factor), ~0u);
  const Known known = exprs[a].known;
  if (uint32_t by = divisorOf(factor, 0, known.greatest))
    return divide(a, by);
  return ofAtom(
      {AtomKind::MulHi,
       0,
       0,
       factor,
       a,
       zero,
       zero,
       {0, 0, uint32_t(uint64_t(known.least) * factor >> 32), uint32_t(uint64_t(known.greatest) * factor >> 32)},
       {}});
}

ExprId Expressions::mulHiSigned(ExprId a, ExprId b) {
  // Each factor that is negative is 2^32 less than it is as an unsigned one.
  const uint32_t sign = 1u << 31;
  const Known x = exprs[a].known, y = exprs[b].known;
  if (((x.zeros | x.ones) & sign) == 0 || ((y.zeros | y.ones) & sign) == 0)
    return other(MulHiSigned, std::min(a, b), std::max(a, b));
  ExprId result = mulHi(a, b);
  if (x.ones & sign)
    result = sub(result, b);
  return y.ones & sign ? sub(result, a) : result;
}

ExprId Expressions::divide(ExprId a, uint32_t by) {
  const Expr e = exprs[a];
  if (isConstant(a))
    return constant(e.constant / by);
  if (std::has_single_bit(by))
    return field(a, std::countr_zero(by), ~0u);
  // (by * A + B) / by = A + B / by where nothing wraps and B isn't negative.
  if (e.exact) {
    SmallVector<Term, 8> whole, rest;
    for (const Term &term : terms(a)) {
      if (int32_t(term.factor) % int64_t(by) == 0)
        whole.push_back({term.atom, uint32_t(int32_t(term.factor) / int64_t(by))});
      else
        rest.push_back(term);
    }
    const int64_t quotient = (e.sumConstant - (e.sumConstant % by + by) % by) / by;
    if (!whole.empty() || quotient != 0) {
      ExprId remainder = sum(uint32_t(e.sumConstant - quotient * by), rest);
      if (exprs[remainder].exact)
        return add(sum(uint32_t(quotient), whole), divide(remainder, by));
    }
  }
  if (e.known.greatest < by)
    return zero;
  return ofAtom({AtomKind::Divide, 0, 0, by, a, zero, zero, {0, 0, e.known.least / by, e.known.greatest / by}, {}});
}

/// A sum that doesn't come to 2^32 or -2^32 is 0 modulo 2^32 only when it is 0: not out of its bounds, and not when
/// what the factors have in common doesn't divide the constant.
bool Expressions::cannotBeZero(ExprId id) const {
  __int128 least = int32_t(exprs[id].constant), greatest = least;
  uint64_t common = 0;
  for (const Term &term : terms(id)) {
    const Known &known = atoms[term.atom].known;
    const int64_t factor = int32_t(term.factor);
    least += __int128(factor) * (factor > 0 ? known.least : known.greatest);
    greatest += __int128(factor) * (factor > 0 ? known.greatest : known.least);
    common = std::gcd(common, uint64_t(std::abs(factor)));
  }
  const __int128 modulus = __int128(1) << 32;
  if (least <= -modulus || greatest >= modulus)
    return false;
  return least > 0 || greatest < 0 || (common && int64_t(int32_t(exprs[id].constant)) % int64_t(common) != 0);
}

ExprId Expressions::equal(ExprId a, ExprId b) {
  ExprId difference = sub(a, b);
  const Expr &d = exprs[difference];
  if (isConstant(difference))
    return constant(d.constant == 0);
  const Known x = exprs[a].known, y = exprs[b].known;
  if (d.known.ones || d.known.least > 0 || x.greatest < y.least || y.greatest < x.least || cannotBeZero(difference))
    return zero;
  // What is 0 or 1 says itself whether it is 1.
  for (auto [bit, other] : {std::pair(a, b), std::pair(b, a)})
    if (exprs[bit].known.greatest <= 1 && isConstant(other))
      return exprs[other].constant ? bit : logicalNot(bit);
  return ofAtom({AtomKind::Equal, 0, 0, 0, std::min(a, b), std::max(a, b), zero, Known::upTo(1), {}});
}

ExprId Expressions::less(ExprId a, ExprId b) {
  const Known x = exprs[a].known, y = exprs[b].known;
  if (x.greatest < y.least)
    return constant(1);
  if (a == b || x.least >= y.greatest)
    return zero;
  return ofAtom({AtomKind::Less, 0, 0, 0, a, b, zero, Known::upTo(1), {}});
}

ExprId Expressions::lessSigned(ExprId a, ExprId b) {
  const Known x = exprs[a].known, y = exprs[b].known;
  if (x.zeros & y.zeros & 0x80000000 || x.ones & y.ones & 0x80000000)
    return less(a, b);
  if (x.ones & y.zeros & 0x80000000)
    return constant(1);
  if (a == b || x.zeros & y.ones & 0x80000000)
    return zero;
  return ofAtom({AtomKind::LessSigned, 0, 0, 0, a, b, zero, Known::upTo(1), {}});
}

ExprId Expressions::select(ExprId condition, ExprId a, ExprId b) {
  if (a == b)
    return a;
  if (isConstant(condition))
    return exprs[condition].constant ? a : b;
  ExprId difference = sub(a, b);
  if (isConstant(difference) && exprs[condition].known.greatest == 1)
    return add(b, scale(condition, exprs[difference].constant));
  return ofAtom({AtomKind::Select, 0, 0, 0, condition, a, b, exprs[a].known.hull(exprs[b].known), {}});
}

ExprId Expressions::laneMask(ExprId condition) {
  return ofAtom({AtomKind::LaneMask, 0, 0, 0, condition, zero, zero, {}, {}});
}

ExprId Expressions::other(uint8_t operation, ExprId a, ExprId b, ExprId c) {
  return ofAtom({AtomKind::Other, operation, 0, 0, a, b, c, {}, {}});
}

ExprId Expressions::substituteAtom(const Atom &atom, Change &change) {
  if (atom.kind == AtomKind::Symbol)
    return change.replace ? change.replace(atom.symbol()) : symbol(atom.symbol());
  const ExprId a = substitute(atom.a, change), b = substitute(atom.b, change), c = substitute(atom.c, change);
  switch (atom.kind) {
  case AtomKind::Symbol: break;
  case AtomKind::Field: return field(a, atom.shift, atom.mask);
  case AtomKind::And: return bitAnd(a, b);
  case AtomKind::Or: return bitOr(a, b);
  case AtomKind::Xor: return bitXor(a, b);
  case AtomKind::MulHi: return mulHi(a, constant(atom.mask));
  case AtomKind::Divide: return divide(a, atom.mask);
  case AtomKind::Equal: return equal(a, b);
  case AtomKind::Less: return less(a, b);
  case AtomKind::LessSigned: return lessSigned(a, b);
  case AtomKind::Select: return select(a, b, c);
  case AtomKind::LaneMask: return laneMask(a);
  case AtomKind::Other:
    switch (atom.shift) {
    case Mul: return mul(a, b);
    case MulHiVariable: return mulHi(a, b);
    case ShiftLeft: return shiftLeft(a, b);
    case ShiftRight: return shiftRight(a, b);
    case ShiftRightSigned: return shiftRightSigned(a, b);
    case MulHiSigned: return mulHiSigned(a, b);
    default: return other(atom.shift, a, b, c);
    }
  }
  return zero;
}

ExprId Expressions::substitute(ExprId id, Change &change) {
  if (isConstant(id))
    return id;
  if (auto known = change.done.find(id); known != change.done.end())
    return known->second;
  ExprId result = constant(exprs[id].constant);
  for (const Term &term : SmallVector<Term, 8>(terms(id))) {
    const Atom atom = atoms[term.atom];
    const ExprId becomes = term.atom == change.atom ? change.becomes : substituteAtom(atom, change);
    result = add(result, scale(becomes, term.factor));
  }
  change.done[id] = result;
  return result;
}

ExprId Expressions::substitute(ExprId id, Replace replace) {
  Change change;
  change.replace = replace;
  return substitute(id, change);
}

ExprId Expressions::substitute(ExprId id, AtomId atom, ExprId becomes) {
  Change change;
  change.atom = atom;
  change.becomes = becomes;
  return substitute(id, change);
}

ExprId Expressions::assume(ExprId id, ExprId condition, bool value) {
  // A comparison, or 1 less one.
  const Expr &e = exprs[condition];
  if (isConstant(id) || e.termCount != 1)
    return id;
  const Term term = allTerms[e.firstTerm];
  if (atoms[term.atom].known.greatest > 1 || (term.factor != 1 && term.factor != ~0u))
    return id;
  return substitute(id, term.atom, constant((value - e.constant) * term.factor & 1));
}

void Expressions::eachAtom(ExprId id, function_ref<void(AtomId, const Atom &)> visit) const {
  SmallVector<ExprId, 16> work{id};
  DenseMap<ExprId, bool> seen;
  while (!work.empty()) {
    ExprId next = work.pop_back_val();
    if (!seen.try_emplace(next, true).second)
      continue;
    for (const Term &term : terms(next)) {
      const Atom &atom = atoms[term.atom];
      visit(term.atom, atom);
      if (atom.kind != AtomKind::Symbol)
        work.append({atom.c, atom.b, atom.a});
    }
  }
}

void symbolsOf(const Expressions &exprs, ExprId id, SmallVectorImpl<SymbolId> &found) {
  exprs.eachAtom(id, [&](AtomId, const Atom &atom) {
    if (atom.kind == AtomKind::Symbol && !is_contained(found, atom.symbol()))
      found.push_back(atom.symbol());
  });
}

std::string Expressions::describe(ExprId id, function_ref<std::string(const Symbol &)> name) const {
  auto number = [](uint32_t value) {
    return value < 1024 ? std::to_string(value) : "0x" + utohexstr(value, /*LowerCase=*/true);
  };
  auto atomText = [&](const Atom &atom) -> std::string {
    auto of = [&](ExprId e) {
      std::string text = describe(e, name);
      return text.find(' ') == std::string::npos ? text : "(" + text + ")";
    };
    switch (atom.kind) {
    case AtomKind::Symbol: return name(symbolInfo(atom.symbol()));
    case AtomKind::Field: {
      std::string text = atom.shift ? "(" + of(atom.a) + " >> " + std::to_string(atom.shift) + ")" : of(atom.a);
      return atom.mask == (~0u >> atom.shift) ? text : "(" + text + " & " + number(atom.mask) + ")";
    }
    case AtomKind::And: return "(" + of(atom.a) + " & " + of(atom.b) + ")";
    case AtomKind::Or: return "(" + of(atom.a) + " | " + of(atom.b) + ")";
    case AtomKind::Xor: return "(" + of(atom.a) + " ^ " + of(atom.b) + ")";
    case AtomKind::MulHi: return "(" + of(atom.a) + " * " + number(atom.mask) + " >> 32)";
    case AtomKind::Divide: return "(" + of(atom.a) + " / " + number(atom.mask) + ")";
    case AtomKind::Equal: return "(" + of(atom.a) + " == " + of(atom.b) + ")";
    case AtomKind::Less:
    case AtomKind::LessSigned: return "(" + of(atom.a) + " < " + of(atom.b) + ")";
    case AtomKind::Select: return "(" + of(atom.a) + " ? " + of(atom.b) + " : " + of(atom.c) + ")";
    case AtomKind::LaneMask: return "lanes(" + describe(atom.a, name) + ")";
    case AtomKind::Other:
      return "f" + std::to_string(atom.shift) + "(" + describe(atom.a, name) + ", " + describe(atom.b, name) + ")";
    }
    return "?";
  };
  std::string text;
  for (const Term &term : terms(id)) {
    const int32_t factor = int32_t(term.factor);
    const uint32_t size = factor < 0 ? 0u - term.factor : term.factor;
    text += text.empty() ? (factor < 0 ? "-" : "") : (factor < 0 ? " - " : " + ");
    text += atomText(atoms[term.atom]);
    if (size != 1)
      text += "*" + number(size);
  }
  const uint32_t constant = exprs[id].constant;
  if (text.empty())
    return number(constant);
  if (constant)
    text += int32_t(constant) < 0 ? " - " + number(0u - constant) : " + " + number(constant);
  return text;
}

} // namespace inflight::values
