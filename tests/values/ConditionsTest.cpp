// Conditions of branches on one path that can't hold together.
#include "values/expr/Conditions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <gtest/gtest.h>
#include <random>

using namespace llvm;

namespace inflight::values {
namespace {

struct ConditionsTest : testing::Test {
  Expressions exprs;
  Conditions together{exprs};
  ExprId unknown(uint32_t greatest = ~0u) {
    Symbol symbol;
    symbol.known = Known::upTo(greatest);
    symbol.depends.unknown = true;
    return exprs.symbol(exprs.addSymbol(symbol));
  }
  ExprId no(ExprId condition) { return exprs.logicalNot(condition); }
};

TEST_F(ConditionsTest, OneAndItsOpposite) {
  const ExprId x = unknown(), y = unknown(), isThree = exprs.equal(x, exprs.constant(3)), isLess = exprs.less(x, y);
  EXPECT_TRUE(together.canAllHold({isThree, isLess}));
  EXPECT_FALSE(together.canAllHold({isThree, isLess, no(isThree)}));
  EXPECT_FALSE(together.canAllHold({no(isLess), isLess}));
}

TEST_F(ConditionsTest, NothingBetweenTwoNumbersSideBySide) {
  const ExprId x = unknown(), y = unknown();
  EXPECT_FALSE(together.canAllHold({exprs.lessSigned(y, x), exprs.lessSigned(x, exprs.addConstant(y, 1))}));
  EXPECT_TRUE(together.canAllHold({exprs.lessSigned(y, x), exprs.lessSigned(x, exprs.addConstant(y, 2))}));
  EXPECT_TRUE(
      together.canAllHold({exprs.less(y, x), exprs.lessSigned(x, exprs.addConstant(y, 1))})); // not the same order
}

// A loop that goes on while k < n, k a multiple of 64, ends in its half that the parity of the number of tiles of 64
// names; n may be anything that isn't known: a register, a difference, the lesser of two.
TEST_F(ConditionsTest, TheHalfALoopIsLeftIn) {
  const ExprId a = unknown(), b = unknown(), iteration = unknown(1 << 30);
  for (ExprId n : {a, exprs.sub(a, b), exprs.select(exprs.lessSigned(a, b), a, b)})
    for (uint32_t half : {0, 1})
      for (uint32_t parity : {0, 1}) {
        const ExprId k = exprs.addConstant(exprs.scale(iteration, 128), 64 * half), next = exprs.addConstant(k, 64);
        const ExprId tiles = exprs.field(exprs.addConstant(n, 63), 6, 1);
        const ExprId asked = exprs.equal(tiles, exprs.constant(parity));
        const std::vector<ExprId> conditions{exprs.lessSigned(k, n), no(exprs.lessSigned(next, n)), asked};
        EXPECT_EQ(together.canAllHold(conditions), parity != half) << half << parity;
        // Without the iteration before it the number may be any.
        EXPECT_TRUE(together.canAllHold({conditions[1], conditions[2]}));
      }
}

TEST_F(ConditionsTest, FewValuesAreTried) {
  const ExprId x = unknown(), one = exprs.constant(1);
  const ExprId isOdd = exprs.field(x, 0, 1), isThree = exprs.equal(x, exprs.constant(3));
  auto isLess = [&](uint32_t than) { return exprs.less(x, exprs.constant(than)); };
  EXPECT_FALSE(together.canAllHold({isOdd, isLess(1)}));
  EXPECT_TRUE(together.canAllHold({isOdd, isLess(2)}));
  EXPECT_FALSE(together.canAllHold({isOdd, isLess(2), exprs.less(one, x)}));
  EXPECT_FALSE(together.canAllHold({isThree, no(isOdd)}));
  EXPECT_FALSE(together.canAllHold({isThree, exprs.equal(x, exprs.constant(5))}));
  EXPECT_TRUE(together.canAllHold({no(isThree), isLess(4)}));
}

TEST_F(ConditionsTest, FewValuesOfAPartAreTried) {
  const ExprId two = exprs.field(unknown(), 6, 3), isMany = exprs.lessSigned(exprs.constant(2), two);
  EXPECT_FALSE(together.canAllHold({isMany, no(exprs.equal(two, exprs.constant(3)))}));
  EXPECT_TRUE(together.canAllHold({isMany, no(exprs.equal(two, exprs.constant(2)))}));
  const ExprId wide = exprs.addConstant(unknown(), 7);
  EXPECT_TRUE(together.canAllHold({exprs.less(exprs.constant(2), wide), no(exprs.equal(wide, exprs.constant(3)))}));
}

// What isn't below 1 is odd or even as its sum says: the number of tiles is 0, or a quotient and what is left over.
TEST_F(ConditionsTest, ASumThatIsBounded) {
  const ExprId quotient = unknown(), isMore = exprs.less(unknown(), unknown()), tiles = exprs.add(quotient, isMore);
  const ExprId isOdd = exprs.field(tiles, 0, 1), isNone = exprs.less(tiles, exprs.constant(1));
  EXPECT_FALSE(together.canAllHold({isNone, isOdd}));
  EXPECT_TRUE(together.canAllHold({isNone, no(isOdd)}));
  EXPECT_TRUE(together.canAllHold({no(isNone), isOdd}));
  EXPECT_TRUE(together.canAllHold({exprs.less(tiles, exprs.constant(2)), isOdd}));
  EXPECT_TRUE(together.canAllHold({exprs.lessSigned(tiles, exprs.constant(1)), isOdd})); // -1
  EXPECT_FALSE(together.canAllHold({exprs.equal(tiles, exprs.constant(4)), isOdd}));
  EXPECT_TRUE(together.canAllHold({exprs.equal(tiles, exprs.constant(5)), isOdd}));
  EXPECT_TRUE(together.canAllHold({no(exprs.equal(tiles, exprs.constant(4))), isOdd}));
  // Equal to what isn't a number.
  const ExprId other = unknown();
  EXPECT_FALSE(together.canAllHold({exprs.equal(tiles, exprs.scale(other, 2)), isOdd}));
  EXPECT_TRUE(together.canAllHold({exprs.equal(tiles, exprs.scale(other, 3)), isOdd}));
}

// A loop unrolled by two counts down from a number of tiles, a number of elements shifted; how it goes on the same
// number says.
TEST_F(ConditionsTest, BitsOfANumberThatIsShifted) {
  const ExprId elements = unknown(), tiles = exprs.field(elements, 5, ~0u >> 5), iteration = unknown(1 << 29);
  auto isLeft = [&](uint32_t step) {
    return exprs.equal(exprs.sub(tiles, exprs.addConstant(exprs.scale(iteration, step), 2)), exprs.constant(2));
  };
  const ExprId isOdd = exprs.field(tiles, 0, 1);
  EXPECT_FALSE(together.canAllHold({isLeft(2), isOdd}));
  EXPECT_FALSE(together.canAllHold({isLeft(2), exprs.field(elements, 5, 1)}));
  EXPECT_TRUE(together.canAllHold({isLeft(2), no(isOdd)}));
  EXPECT_TRUE(together.canAllHold({isLeft(1), isOdd}));
  EXPECT_TRUE(together.canAllHold({isLeft(2), exprs.field(elements, 4, 1)}));
  // None or two.
  const ExprId areFew = exprs.less(tiles, exprs.constant(3)), isNotOne = no(exprs.equal(tiles, exprs.constant(1)));
  EXPECT_FALSE(together.canAllHold({areFew, isNotOne, isOdd}));
  EXPECT_TRUE(together.canAllHold({areFew, isOdd}));
  EXPECT_TRUE(together.canAllHold({areFew, isNotOne, no(isOdd)}));
}

// What a register is after a branch says which way it went.
TEST_F(ConditionsTest, OneThatAnotherIsPartOf) {
  const ExprId groups = unknown(), isMany = exprs.less(exprs.constant(2), groups);
  const ExprId left = exprs.select(isMany, groups, exprs.addConstant(groups, ~0u));
  auto is = [&](uint32_t value) { return exprs.equal(left, exprs.constant(value)); };
  EXPECT_FALSE(together.canAllHold({isMany, is(1)}));
  EXPECT_TRUE(together.canAllHold({isMany, is(3)}));
  EXPECT_TRUE(together.canAllHold({no(isMany), is(1)}));
  EXPECT_FALSE(together.canAllHold({no(isMany), is(2)}));
}

// What some values meet is never ruled out.
TEST_F(ConditionsTest, RandomOnesThatHold) {
  std::mt19937 random(1);
  auto below = [&](uint32_t limit) { return uint32_t(random() % limit); };
  constexpr uint32_t values[] = {0, 1, 2, 3, 4, 63, 64, 127, 0x7fffffff, 0x80000000, 0x80000001, ~1u, ~0u};
  unsigned ruledOut = 0, held = 0;
  SmallVector<ExprId, 3> symbols;
  for (unsigned round = 0; round < 12000; ++round) {
    // What was kept of the same symbols must be true of other conditions about them, too.
    if (round % 20 == 0)
      symbols = {unknown(), unknown(), unknown(below(2) ? 1 : 100)};
    auto value = [&] { return below(3) ? values[below(std::size(values))] : below(8); };
    auto sum = [&] {
      ExprId made = exprs.constant(value());
      for (unsigned i = below(3); i-- > 0;)
        made = exprs.add(made, exprs.scale(symbols[below(3)], below(4) ? 1u - 2 * below(2) : 1u << below(7)));
      if (below(3))
        return made;
      const unsigned shift = below(7);
      constexpr uint32_t masks[] = {1, 7, ~0u};
      return exprs.field(made, shift, masks[below(3)] & ~0u >> shift);
    };
    std::vector<ExprId> conditions;
    // What others may be part of.
    auto withOther = [&](ExprId made) {
      if (conditions.empty() || below(3))
        return made;
      const ExprId other = conditions[below(conditions.size())];
      return below(2) ? exprs.add(made, other) : exprs.select(other, made, sum());
    };
    for (unsigned i = 2 + below(3); i-- > 0;) {
      const ExprId a = withOther(sum()), b = below(2) ? exprs.constant(value()) : withOther(sum());
      const unsigned kind = below(3);
      const ExprId made = kind == 0 ? exprs.less(a, b) : kind == 1 ? exprs.lessSigned(a, b) : exprs.equal(a, b);
      conditions.push_back(below(3) ? made : no(made));
    }
    const bool can = together.canAllHold(conditions);
    ruledOut += !can;
    for (unsigned i = 0; i < 40 && !can; ++i) {
      SmallVector<ExprId, 3> is;
      for (ExprId symbol : symbols) {
        const Known known = exprs[symbol].known;
        const uint32_t one = value();
        is.push_back(exprs.constant(one <= known.greatest ? one : one % (known.greatest + 1)));
      }
      const bool holds = all_of(conditions, [&](ExprId condition) {
        return exprs.substitute(condition, [&](SymbolId id) {
          return is[find(symbols, exprs.symbol(id)) - symbols.begin()];
        }) == exprs.constant(1);
      });
      held += holds;
    }
  }
  EXPECT_EQ(held, 0u);
  EXPECT_GT(ruledOut, 400u);
}

} // namespace
} // namespace inflight::values
