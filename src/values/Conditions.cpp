#include "values/Conditions.h"

#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace llvm;

namespace inflight::values {

namespace {

/// lower < upper, or lower <= upper.
struct Order {
  ExprId lower, upper;
  bool isStrict, isSigned;
};

std::optional<Order> orderOf(const Expressions &exprs, ExprId condition) {
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
std::optional<std::pair<AtomId, ExprId>> solve(Expressions &exprs, ExprId sum, ExprId total, ExprId least) {
  for (const Term &term : SmallVector<Term, 8>(exprs.terms(sum))) {
    if (term.factor != 1 && term.factor != ~0u)
      continue;
    const ExprId rest = exprs.sub(sum, exprs.sum(0, {{term.atom, term.factor}}));
    if (exprs.substitute(rest, term.atom, zero) == rest && exprs.substitute(least, term.atom, zero) == least)
      return std::pair(term.atom, exprs.scale(exprs.sub(total, rest), term.factor));
  }
  return std::nullopt;
}

bool canHold(Expressions &exprs, ArrayRef<ExprId> conditions, unsigned &tries) {
  const ExprId one = exprs.constant(1);
  for (size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i] == zero)
      return false;
    for (size_t j = 0; j < i; ++j)
      if (exprs.add(conditions[i], conditions[j]) == one)
        return false;
  }
  SmallVector<Order, 8> orders;
  for (ExprId condition : conditions)
    if (std::optional<Order> order = orderOf(exprs, condition))
      orders.push_back(*order);
  for (const Order &below : orders)
    for (const Order &above : orders) {
      if (below.upper != above.lower || below.isSigned != above.isSigned)
        continue;
      const ExprId room = exprs.sub(above.upper, below.lower);
      if (!exprs.isConstant(room))
        continue;
      // With a sum that wraps there is nothing between; so this says no less than is true then.
      const int32_t distance = int32_t(exprs[room].constant), steps = below.isStrict + above.isStrict;
      if (distance < 0)
        continue;
      if (distance < steps)
        return false;
      if (distance - steps > 0xffff)
        continue;
      if (tries == 0)
        return true;
      --tries;
      Symbol more;
      more.known = Known::upTo(distance - steps);
      more.depends.unknown = true;
      const ExprId middle =
          exprs.add(exprs.addConstant(below.lower, below.isStrict), exprs.symbol(exprs.addSymbol(more)));
      const auto solved = solve(exprs, below.upper, middle, below.lower);
      if (!solved)
        continue;
      SmallVector<ExprId, 8> narrowed;
      for (ExprId condition : conditions)
        if (const ExprId now = exprs.substitute(condition, solved->first, solved->second); now != one)
          narrowed.push_back(now);
      if (!canHold(exprs, narrowed, tries))
        return false;
    }
  return true;
}

} // namespace

bool canAllHold(Expressions &exprs, ArrayRef<ExprId> conditions) {
  unsigned tries = 16;
  return canHold(exprs, conditions, tries);
}

} // namespace inflight::values
