// Fields, logic and shifts of sums.
#include "values/expr/ExprBits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::values {

uint32_t divisorOf(uint32_t factor, unsigned shift, uint32_t greatest) {
  if (factor < 2 || shift > 31)
    return 0;
  const unsigned __int128 power = (unsigned __int128)1 << (32 + shift);
  const unsigned __int128 by = power / factor + 1;
  if (by > ~0u || by < 2)
    return 0;
  const unsigned __int128 excess = by * factor - power;
  return excess * greatest < power ? uint32_t(by) : 0;
}

/// Only bits up to the mask's highest matter.
std::optional<ExprId> Expressions::fieldOfLowBits(ExprId a, unsigned shift, uint32_t mask) {
  const unsigned high = shift + topBit(mask);
  if (high >= 31)
    return std::nullopt;
  const uint32_t keep = lowBits(high + 1), half = 1u << high;
  SmallVector<Term, 8> reduced;
  for (Term term : terms(a)) {
    term.factor &= keep;
    if (term.factor > half)
      term.factor |= ~keep;
    if (trailingZeros(term) <= high)
      reduced.push_back(term);
  }
  const ExprId less = sum(exprs[a].constant & keep, reduced);
  return less != a ? std::optional(field(less, shift, mask)) : std::nullopt;
}

/// (2^t * y >> shift) & mask.
std::optional<ExprId> Expressions::fieldOfMultiple(ExprId a, unsigned shift, uint32_t mask) {
  const uint32_t offset = exprs[a].constant;
  unsigned common = offset ? std::countr_zero(offset) : 32;
  for (const Term &term : terms(a))
    common = std::min<unsigned>(common, std::countr_zero(term.factor));
  if (common == 0)
    return std::nullopt;
  SmallVector<Term, 8> divided;
  for (const Term &term : terms(a))
    divided.push_back({term.atom, uint32_t(int32_t(term.factor) >> common)});
  ExprId rest = sum(uint32_t(int32_t(offset) >> common), divided);
  // The quotient's bits above 31 - common are not the value's.
  if (common <= shift)
    return field(rest, shift - common, mask);
  return scale(field(rest, 0, mask >> (common - shift)), 1u << (common - shift));
}

/// A multiple of 2^t plus what is less than 2^t: no carry goes from one to the other.
std::optional<ExprId> Expressions::fieldOfParts(ExprId a, unsigned shift, uint32_t mask) {
  const uint32_t offset = exprs[a].constant;
  SmallVector<unsigned, 8> places;
  for (const Term &term : terms(a))
    places.push_back(trailingZeros(term));
  if (offset)
    places.push_back(std::countr_zero(offset));
  sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  for (unsigned t : places) {
    if (t == 0 || t > 31)
      continue;
    SmallVector<Term, 8> multiples, rest;
    for (const Term &term : terms(a))
      (trailingZeros(term) >= t ? multiples : rest).push_back(term);
    const uint32_t restConstant = offset & lowBits(t), multipleConstant = offset & ~lowBits(t);
    if ((rest.empty() && restConstant == 0) || (multiples.empty() && multipleConstant == 0))
      continue;
    ExprId low = sum(restConstant, rest);
    if (!exprs[low].exact || exprs[low].known.greatest >= (1u << t))
      continue;
    ExprId upper = field(sum(multipleConstant, multiples), shift, mask);
    return t <= shift ? upper : add(upper, field(low, shift, mask & lowBits(t - shift)));
  }
  return std::nullopt;
}

ExprId Expressions::field(ExprId a, unsigned shift, uint32_t mask) {
  if (shift >= 32)
    return zero;
  mask &= ~0u >> shift;
  const Expr e = exprs[a];
  const bool takesAll = (mask | e.known.zeros >> shift | ~(~0u >> shift)) == ~0u;
  mask &= ~(e.known.zeros >> shift);
  if (mask == 0)
    return zero;
  if (isConstant(a))
    return constant(e.constant >> shift & mask);
  if (shift == 0 && takesAll)
    return a;
  if (const uint32_t ones = e.known.ones >> shift & mask)
    return addConstant(field(a, shift, mask & ~ones), ones);
  const Atom *only = onlyAtom(a);
  if (only && only->kind == AtomKind::Field)
    return field(only->a, shift + only->shift, only->shift + shift >= 32 ? 0 : mask & only->mask >> shift);
  if (only && only->kind == AtomKind::MulHi && takesAll)
    if (uint32_t by = divisorOf(only->mask, shift, exprs[only->a].known.greatest))
      return divide(only->a, by);
  if (only && only->kind == AtomKind::Select) {
    const Atom select = *only;
    return this->select(select.a, field(select.b, shift, mask), field(select.c, shift, mask));
  }
  for (auto simplify : {&Expressions::fieldOfLowBits, &Expressions::fieldOfMultiple, &Expressions::fieldOfParts})
    if (std::optional<ExprId> simpler = (this->*simplify)(a, shift, mask))
      return *simpler;

  // Bits by themselves where they may be compared with those of another phase.
  const bool oneBit = std::has_single_bit(mask);
  const unsigned high = shift + topBit(mask);
  if (!oneBit && !e.depends.lane && std::popcount(mask) <= 3) {
    ExprId bits = zero;
    for (uint32_t rest = mask; rest; rest &= rest - 1)
      bits = add(bits, scale(field(a, shift + std::countr_zero(rest), 1), rest & -rest));
    return bits;
  }
  if (oneBit && mask != 1)
    return scale(field(a, high, 1), mask);
  if (oneBit && (e.constant >> high & 1))
    return logicalNot(field(addConstant(a, 0u - (1u << high)), shift, mask));
  return ofAtom(
      {AtomKind::Field, uint8_t(shift), 0, mask, a, zero, zero, {~mask, 0, 0, e.known.greatest >> shift}, {}});
}

template <class Own> ExprId Expressions::commutative(AtomKind kind, ExprId a, ExprId b, Own known) {
  return ofAtom({kind, 0, 0, 0, std::min(a, b), std::max(a, b), zero, known, {}});
}

/// Of x & c and x & ~c: x. These have no bit in common.
static std::optional<ExprId> sharedOfParts(Expressions &exprs, const Atom *left, const Atom *right) {
  if (!left || !right || left->kind != AtomKind::And || right->kind != AtomKind::And)
    return std::nullopt;
  const std::pair<ExprId, ExprId> ofLeft[] = {{left->a, left->b}, {left->b, left->a}},
                                  ofRight[] = {{right->a, right->b}, {right->b, right->a}};
  for (auto [u, v] : ofLeft)
    for (auto [s, t] : ofRight)
      if (u == s && exprs.add(v, t) == exprs.constant(~0u))
        return u;
  return std::nullopt;
}

ExprId Expressions::bitAnd(ExprId a, ExprId b) {
  if (isConstant(a))
    std::swap(a, b);
  if (isConstant(b)) {
    const uint32_t mask = exprs[b].constant;
    if (mask == 0)
      return zero;
    const unsigned low = std::countr_zero(mask);
    return scale(field(a, low, mask >> low), 1u << low);
  }
  if (a == b)
    return a;
  const Known x = exprs[a].known, y = exprs[b].known;
  if ((x.zeros | y.zeros) == ~0u)
    return zero;
  if (add(a, b) == constant(~0u))
    return zero;
  for (auto [part, whole] : {std::pair(a, b), std::pair(b, a)}) {
    const Atom *only = onlyAtom(part);
    if (only && only->kind == AtomKind::And && (only->a == whole || only->b == whole))
      return part;
  }
  return commutative(AtomKind::And, a, b,
                     Known{x.zeros | y.zeros, x.ones & y.ones, 0, std::min(x.greatest, y.greatest)});
}

ExprId Expressions::bitOr(ExprId a, ExprId b) {
  const Known x = exprs[a].known, y = exprs[b].known;
  if ((x.zeros | y.zeros) == ~0u)
    return add(a, b);
  if (a == b)
    return a;
  if (isConstant(a) || isConstant(b))
    return sub(add(a, b), bitAnd(a, b));
  for (auto [part, whole] : {std::pair(a, b), std::pair(b, a)}) {
    const Atom *only = onlyAtom(part);
    if (only && only->kind == AtomKind::And && (only->a == whole || only->b == whole))
      return whole;
  }
  // As EXEC is put together again after an else.
  if (const std::optional<ExprId> whole = sharedOfParts(*this, onlyAtom(a), onlyAtom(b)))
    return *whole;
  return commutative(AtomKind::Or, a, b, Known{x.zeros & y.zeros, x.ones | y.ones, std::max(x.least, y.least), ~0u});
}

ExprId Expressions::bitXor(ExprId a, ExprId b) {
  const Known x = exprs[a].known, y = exprs[b].known;
  if (a == b)
    return zero;
  if ((x.zeros | y.zeros) == ~0u)
    return add(a, b);
  if (isConstant(a))
    std::swap(a, b);
  if (isConstant(b)) {
    // x ^ c = (x & ~c) + c - (x & c): either keeps the bounds of lanes' numbers or stays one sum with x.
    const uint32_t mask = exprs[b].constant;
    if (mask == ~0u)
      return bitNot(a);
    ExprId flipped = sub(b, bitAnd(a, b));
    if (exprs[a].depends.lane)
      return add(bitAnd(a, constant(~mask)), flipped);
    return add(sub(a, bitAnd(a, b)), flipped);
  }
  for (auto [part, whole] : {std::pair(a, b), std::pair(b, a)}) {
    const Atom *only = onlyAtom(part);
    if (!only || (only->a != whole && only->b != whole))
      continue;
    const ExprId rest = only->a == whole ? only->b : only->a;
    if (only->kind == AtomKind::Xor)
      return rest;
    if (only->kind == AtomKind::And) // the lanes of `whole` that `rest` isn't
      return andNot(whole, rest);
  }
  return commutative(AtomKind::Xor, a, b,
                     Known{(x.zeros & y.zeros) | (x.ones & y.ones), (x.zeros & y.ones) | (x.ones & y.zeros), 0, ~0u});
}

ExprId Expressions::andNot(ExprId a, ExprId b) {
  return sharedOfParts(*this, onlyAtom(a), onlyAtom(b)) ? a : bitAnd(a, bitNot(b));
}

ExprId Expressions::shiftLeft(ExprId a, ExprId by) {
  if (!isConstant(by))
    return isConstant(a) && exprs[a].constant == 0 ? zero : other(ShiftLeft, a, by);
  return scale(a, 1u << (exprs[by].constant & 31));
}

ExprId Expressions::shiftRight(ExprId a, ExprId by) {
  if (!isConstant(by))
    return a == zero ? zero : other(ShiftRight, a, by);
  return field(a, exprs[by].constant & 31, ~0u);
}

ExprId Expressions::shiftRightSigned(ExprId a, ExprId by) {
  if (isConstant(by) && isConstant(a))
    return constant(int32_t(exprs[a].constant) >> (exprs[by].constant & 31));
  if (exprs[a].known.zeros >> 31)
    return shiftRight(a, by);
  return other(ShiftRightSigned, a, by);
}

} // namespace inflight::values
