// Conditions of branches on one path that can't hold together.
#include "values/expr/Conditions.h"

#include <gtest/gtest.h>

namespace inflight::values {
namespace {

struct Conditions : testing::Test {
  Expressions exprs;
  ExprId unknown(uint32_t greatest = ~0u) {
    Symbol symbol;
    symbol.known = Known::upTo(greatest);
    symbol.depends.unknown = true;
    return exprs.symbol(exprs.addSymbol(symbol));
  }
  ExprId no(ExprId condition) { return exprs.logicalNot(condition); }
};

TEST_F(Conditions, OneAndItsOpposite) {
  const ExprId x = unknown(), y = unknown(), isThree = exprs.equal(x, exprs.constant(3)), isLess = exprs.less(x, y);
  EXPECT_TRUE(canAllHold(exprs, {isThree, isLess}));
  EXPECT_FALSE(canAllHold(exprs, {isThree, isLess, no(isThree)}));
  EXPECT_FALSE(canAllHold(exprs, {no(isLess), isLess}));
}

TEST_F(Conditions, NothingBetweenTwoNumbersSideBySide) {
  const ExprId x = unknown(), y = unknown();
  EXPECT_FALSE(canAllHold(exprs, {exprs.lessSigned(y, x), exprs.lessSigned(x, exprs.addConstant(y, 1))}));
  EXPECT_TRUE(canAllHold(exprs, {exprs.lessSigned(y, x), exprs.lessSigned(x, exprs.addConstant(y, 2))}));
  EXPECT_TRUE(
      canAllHold(exprs, {exprs.less(y, x), exprs.lessSigned(x, exprs.addConstant(y, 1))})); // not the same order
}

// A loop that goes on while k < n, k a multiple of 64, ends in its half that the parity of the number of tiles of 64
// names; n may be anything that isn't known: a register, a difference, the lesser of two.
TEST_F(Conditions, TheHalfALoopIsLeftIn) {
  const ExprId a = unknown(), b = unknown(), iteration = unknown(1 << 30);
  for (ExprId n : {a, exprs.sub(a, b), exprs.select(exprs.lessSigned(a, b), a, b)})
    for (uint32_t half : {0, 1})
      for (uint32_t parity : {0, 1}) {
        const ExprId k = exprs.addConstant(exprs.scale(iteration, 128), 64 * half), next = exprs.addConstant(k, 64);
        const ExprId tiles = exprs.field(exprs.addConstant(n, 63), 6, 1);
        const ExprId asked = exprs.equal(tiles, exprs.constant(parity));
        const std::vector<ExprId> conditions{exprs.lessSigned(k, n), no(exprs.lessSigned(next, n)), asked};
        EXPECT_EQ(canAllHold(exprs, conditions), parity != half) << half << parity;
        // Without the iteration before it the number may be any.
        EXPECT_TRUE(canAllHold(exprs, {conditions[1], conditions[2]}));
      }
}

TEST_F(Conditions, FewValuesAreTried) {
  const ExprId x = unknown(), one = exprs.constant(1);
  const ExprId isOdd = exprs.field(x, 0, 1), isThree = exprs.equal(x, exprs.constant(3));
  auto isLess = [&](uint32_t than) { return exprs.less(x, exprs.constant(than)); };
  EXPECT_FALSE(canAllHold(exprs, {isOdd, isLess(1)}));
  EXPECT_TRUE(canAllHold(exprs, {isOdd, isLess(2)}));
  EXPECT_FALSE(canAllHold(exprs, {isOdd, isLess(2), exprs.less(one, x)}));
  EXPECT_FALSE(canAllHold(exprs, {isThree, no(isOdd)}));
  EXPECT_FALSE(canAllHold(exprs, {isThree, exprs.equal(x, exprs.constant(5))}));
  EXPECT_TRUE(canAllHold(exprs, {no(isThree), isLess(4)}));
}

} // namespace
} // namespace inflight::values
