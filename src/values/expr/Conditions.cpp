#include "values/expr/Conditions.h"

#include "values/expr/ExprBits.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::values {

std::optional<Conditions::Order> Conditions::orderOf(ExprId condition) const {
  const ArrayRef<Term> terms = exprs.terms(condition);
  if (terms.size() != 1)
    return std::nullopt;
  const Atom &atom = exprs.atom(terms[0].atom);
  if (atom.kind != AtomKind::Less && atom.kind != AtomKind::LessSigned)
    return std::nullopt;
  const bool isSigned = atom.kind == AtomKind::LessSigned;
  if (terms[0].factor == 1 && exprs[condition].constant == 0)
    return Order{atom.a, atom.b, true, isSigned};
  if (terms[0].factor == ~0u && exprs[condition].constant == 1)
    return Order{atom.b, atom.a, false, isSigned};
  return std::nullopt;
}

/// An atom, with the value that makes the sum `total`: one that is in the sum once, with or without a minus, and not in
/// `least`, which the total starts from. What an atom is made of says nothing then.
Conditions::Solved Conditions::findSolution(ExprId sum, ExprId total, ExprId least) {
  for (const Term &term : SmallVector<Term, 8>(exprs.terms(sum))) {
    if (term.factor != 1 && term.factor != ~0u)
      continue;
    const ExprId rest = exprs.sub(sum, exprs.sum(0, {{term.atom, term.factor}}));
    if (substitute(rest, term.atom, zero) == rest && substitute(least, term.atom, zero) == least)
      return std::pair(term.atom, exprs.scale(exprs.sub(total, rest), term.factor));
  }
  return std::nullopt;
}

const Conditions::Solved &Conditions::solve(ExprId sum, ExprId total, ExprId least) {
  const std::tuple key(sum, total, least);
  if (auto known = solutions.find(key); known != solutions.end())
    return known->second;
  const Solved found = findSolution(sum, total, least);
  return solutions.try_emplace(key, found).first->second;
}

ExprId Conditions::substitute(ExprId id, AtomId atom, ExprId becomes) {
  if (exprs.isConstant(id))
    return id;
  const std::tuple key(id, atom, becomes);
  if (auto known = substituted.find(key); known != substituted.end())
    return known->second;
  const ExprId now = exprs.substitute(id, atom, becomes);
  substituted.try_emplace(key, now);
  return now;
}

/// Where the atom is a number shifted right: the same for all fields of the number that lie within it.
ExprId Conditions::substituteFields(ExprId id, const Atom &of, ExprId becomes) {
  if (of.kind != AtomKind::Field || of.mask != ~0u >> of.shift)
    return id;
  SmallVector<AtomId, 4> fields;
  exprs.eachAtom(id, [&](AtomId field, const Atom &atom) {
    if (atom.kind == AtomKind::Field && atom.a == of.a && atom.shift >= of.shift && !is_contained(fields, field))
      fields.push_back(field);
  });
  for (AtomId field : fields) {
    const Atom atom = exprs.atom(field);
    id = substitute(id, field, exprs.field(becomes, atom.shift - of.shift, atom.mask));
  }
  return id;
}

ArrayRef<SymbolId> Conditions::symbolsIn(ExprId condition) {
  auto [known, isNew] = symbols.try_emplace(condition);
  if (isNew)
    symbolsOf(exprs, condition, known->second);
  return known->second;
}

/// What is 0 or 1 in a condition, and isn't all of it: it may be another condition.
ArrayRef<AtomId> Conditions::decidersIn(ExprId condition) {
  auto [known, isNew] = deciders.try_emplace(condition);
  if (isNew)
    exprs.eachAtom(condition, [&, &found = known->second](AtomId id, const Atom &atom) {
      if (atom.known.greatest <= 1 && id != exprs.terms(condition)[0].atom && !is_contained(found, id))
        found.push_back(id);
    });
  return known->second;
}

/// The condition where the others hold that are part of it: what a register is after a branch depends on the branch.
ExprId Conditions::decided(ExprId condition, ArrayRef<ExprId> conditions) {
  ExprId now = condition;
  for (AtomId decider : SmallVector<AtomId, 1>(decidersIn(condition)))
    for (ExprId other : conditions)
      if (exprs.terms(other).size() == 1 && exprs.terms(other)[0].atom == decider)
        now = exprs.assume(now, other, true);
  return now;
}

/// What a condition says of its only symbol, when it compares that with a constant.
static Known boundsOf(const Expressions &exprs, ExprId condition, ExprId symbol, Known known) {
  const Expr &e = exprs[condition];
  const bool isPlain = exprs.onlyAtom(condition);
  auto isNumber = [&](ExprId id) { return exprs.isConstant(id); };
  auto value = [&](ExprId id) { return exprs[id].constant; };
  if (e.termCount != 1 || (!isPlain && (e.constant != 1 || exprs.terms(condition)[0].factor != ~0u)))
    return known;
  const Atom &atom = exprs.atom(exprs.terms(condition)[0].atom);
  if (atom.kind == AtomKind::Equal && isPlain)
    for (auto [a, b] : {std::pair(atom.a, atom.b), std::pair(atom.b, atom.a)})
      if (a == symbol && isNumber(b))
        return {0, 0, value(b), value(b)};
  if (atom.kind != AtomKind::Less)
    return known;
  if (atom.a == symbol && isNumber(atom.b)) {
    if (isPlain)
      known.greatest = std::min(known.greatest, value(atom.b) - 1);
    else
      known.least = std::max(known.least, value(atom.b));
  } else if (atom.b == symbol && isNumber(atom.a)) {
    if (isPlain)
      known.least = std::max(known.least, value(atom.a) + 1);
    else
      known.greatest = std::min(known.greatest, value(atom.a));
  }
  return known;
}

/// What a condition compares with a number.
static std::optional<ExprId> comparedWithNumber(const Expressions &exprs, ExprId condition) {
  if (exprs[condition].termCount != 1)
    return std::nullopt;
  const Atom &atom = exprs.atom(exprs.terms(condition)[0].atom);
  if ((atom.kind != AtomKind::Equal && atom.kind != AtomKind::Less) ||
      exprs.isConstant(atom.a) == exprs.isConstant(atom.b))
    return std::nullopt;
  return exprs.isConstant(atom.a) ? atom.b : atom.a;
}

/// Those that are left by conditions that compare it with numbers; none where they are many.
std::optional<Conditions::Values> Conditions::fewValues(ArrayRef<ExprId> conditions, ExprId of) {
  constexpr uint32_t mostValues = 64;
  Known known = exprs[of].known;
  SmallVector<uint32_t, 4> without;
  for (ExprId condition : conditions) {
    const Known narrower = boundsOf(exprs, condition, of, known);
    known.least = std::max(known.least, narrower.least);
    known.greatest = std::min(known.greatest, narrower.greatest);
    if (comparedWithNumber(exprs, condition) != of)
      continue;
    const Atom &atom = exprs.atom(exprs.terms(condition)[0].atom);
    if (atom.kind == AtomKind::Equal && !exprs.onlyAtom(condition))
      without.push_back(exprs[atom.a == of ? atom.b : atom.a].constant);
  }
  if (known.least > known.greatest)
    return Values();
  // Multiples of a power of two.
  const unsigned zeros = std::min(countr_one(known.zeros), 31);
  const uint64_t first = (uint64_t(known.least) + lowBits(zeros)) >> zeros, last = known.greatest >> zeros;
  if (last >= first + mostValues)
    return std::nullopt;
  Values values;
  for (uint64_t i = first; i <= last; ++i)
    if (const uint32_t value = uint32_t(i << zeros); !is_contained(without, value))
      values.push_back(value);
  return values;
}

/// Whether a value is left that no condition rules out; true too where there are many to try.
bool Conditions::hasValue(ArrayRef<ExprId> conditions, ExprId of) {
  const std::optional<Values> values = fewValues(conditions, of);
  if (!values || !exprs.onlyAtom(of))
    return !values || !values->empty();
  const Atom atom = *exprs.onlyAtom(of);
  const AtomId id = exprs.terms(of)[0].atom;
  return any_of(*values, [&](uint32_t number) {
    const ExprId value = exprs.constant(number);
    return none_of(conditions, [&](ExprId condition) {
      return substituteFields(substitute(condition, id, value), atom, value) == zero;
    });
  });
}

bool Conditions::haveValues(ArrayRef<ExprId> conditions) {
  SmallVector<ExprId, 8> all;
  auto add = [&](ExprId of) {
    if (!is_contained(all, of))
      all.push_back(of);
  };
  for (ExprId condition : conditions) {
    if (const ArrayRef<SymbolId> mine = symbolsIn(condition); mine.size() == 1)
      add(exprs.symbol(mine[0]));
    if (const std::optional<ExprId> of = comparedWithNumber(exprs, condition))
      add(*of);
  }
  return all_of(all, [&](ExprId of) { return hasValue(conditions, of); });
}

/// What a condition may be tried with values of.
ArrayRef<AtomId> Conditions::numbersIn(ExprId condition) {
  auto [known, isNew] = numbers.try_emplace(condition);
  if (isNew)
    exprs.eachAtom(condition, [&found = known->second](AtomId id, const Atom &atom) {
      if ((atom.kind == AtomKind::Symbol || atom.kind == AtomKind::Field) && !is_contained(found, id))
        found.push_back(id);
    });
  return known->second;
}

/// Whether values are left that these may have together, of those that have few; true too where there is much to try.
bool Conditions::haveValuesTogether(ArrayRef<ExprId> conditions, unsigned &tries) {
  SmallVector<AtomId, 8> all;
  for (ExprId condition : conditions)
    for (AtomId id : numbersIn(condition))
      if (!is_contained(all, id))
        all.push_back(id);
  std::optional<Values> values;
  AtomId of{};
  for (AtomId id : all)
    if (std::optional<Values> its = fewValues(conditions, exprs.sum(0, {{id, 1}}));
        its && (!values || its->size() < values->size())) {
      of = id;
      values = std::move(its);
    }
  if (!values)
    return true;
  const Atom atom = exprs.atom(of);
  for (uint32_t number : *values) {
    if (tries == 0)
      return true;
    --tries;
    const ExprId value = exprs.constant(number);
    SmallVector<ExprId, 8> rest;
    for (ExprId condition : conditions)
      if (const ExprId now = substituteFields(substitute(condition, of, value), atom, value); now != exprs.constant(1))
        rest.push_back(now);
    if (!is_contained(rest, zero) && haveValuesTogether(rest, tries))
      return true;
  }
  return false;
}

/// Whether a + b is 1. Asked for each pair, so the sum isn't made.
static bool isOpposite(const Expressions &exprs, ExprId a, ExprId b) {
  if (exprs[a].constant + exprs[b].constant != 1 || exprs[a].termCount != exprs[b].termCount)
    return false;
  return all_of(zip_equal(exprs.terms(a), exprs.terms(b)), [&](const auto &both) {
    const auto &[mine, theirs] = both;
    const uint32_t factor = mine.factor + theirs.factor;
    // Bits beyond the 32nd are lost.
    return mine.atom == theirs.atom && countr_zero(factor) + countr_one(exprs.atom(mine.atom).known.zeros) >= 32;
  });
}

/// The same with `total` for a sum that is equal to it, which starts from `least`. True where nothing comes of it.
bool Conditions::canHoldWith(ArrayRef<ExprId> conditions, ExprId sum, ExprId total, ExprId least, unsigned &tries) {
  if (tries == 0)
    return true;
  --tries;
  const Solved solved = solve(sum, total, least);
  if (!solved)
    return true;
  const Atom atom = exprs.atom(solved->first);
  SmallVector<ExprId, 8> narrowed;
  for (ExprId condition : conditions)
    if (const ExprId now = substituteFields(substitute(condition, solved->first, solved->second), atom, solved->second);
        now != exprs.constant(1))
      narrowed.push_back(now);
  return canHold(narrowed, tries);
}

/// lower <= x <= upper where that leaves x few values: whether one of them can be.
bool Conditions::canHoldBetween(ArrayRef<ExprId> conditions, const Order &below, const Order &above, unsigned &tries) {
  const ExprId room = exprs.sub(above.upper, below.lower);
  if (!exprs.isConstant(room))
    return true;
  // With a sum that wraps there is nothing between; so this says no less than is true then.
  const int32_t distance = int32_t(exprs[room].constant), steps = below.isStrict + above.isStrict;
  if (distance < 0)
    return true;
  if (distance < steps)
    return false;
  if (distance - steps > 0xffff || tries == 0)
    return true;
  ExprId middle = exprs.addConstant(below.lower, below.isStrict);
  if (distance > steps) {
    // It stands for x less the lower one wherever that is asked, so the same symbol can't say more than is true.
    SymbolId &step = between[{middle, below.upper, uint32_t(distance - steps)}];
    if (step == noSymbol) {
      Symbol more;
      more.known = Known::upTo(distance - steps);
      more.depends.unknown = true;
      step = exprs.addSymbol(more);
    }
    middle = exprs.add(middle, exprs.symbol(step));
  }
  return canHoldWith(conditions, below.upper, middle, below.lower, tries);
}

bool Conditions::canHold(ArrayRef<ExprId> conditions, unsigned &tries) {
  SmallVector<ExprId, 16> narrower;
  for (ExprId condition : conditions)
    narrower.push_back(decided(condition, conditions));
  conditions = narrower;
  for (size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i] == zero)
      return false;
    for (size_t j = 0; j < i; ++j)
      if (isOpposite(exprs, conditions[i], conditions[j]))
        return false;
  }
  SmallVector<Order, 8> orders;
  for (ExprId condition : conditions)
    if (std::optional<Order> order = orderOf(condition)) {
      orders.push_back(*order);
      // What is below a number is one of those from 0 on.
      if (!order->isSigned && exprs.isConstant(order->upper) && !exprs.isConstant(order->lower))
        orders.push_back({zero, order->lower, false, false});
    }
  for (const Order &below : orders)
    for (const Order &above : orders)
      if (below.upper == above.lower && below.isSigned == above.isSigned &&
          !canHoldBetween(conditions, below, above, tries))
        return false;
  for (ExprId condition : conditions)
    if (const Atom *atom = exprs.onlyAtom(condition); atom && atom->kind == AtomKind::Equal)
      if (const ExprId a = exprs.isConstant(atom->a) ? atom->b : atom->a, b = atom->a == a ? atom->b : atom->a;
          !canHoldWith(conditions, a, b, b, tries))
        return false;
  return true;
}

bool Conditions::canAllHold(ArrayRef<ExprId> conditions) {
  unsigned tries = 16, triesTogether = 256;
  return haveValues(conditions) && canHold(conditions, tries) && haveValuesTogether(conditions, triesTogether);
}

} // namespace inflight::values
