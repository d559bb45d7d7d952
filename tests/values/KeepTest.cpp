// Expressions that are forgotten, and those that stay under other numbers.
#include "values/expr/ExprKeep.h"

#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <random>

using namespace llvm;

namespace inflight::values {
namespace {

struct Keep : testing::Test {
  Expressions exprs;
  std::mt19937 random{1};
  uint32_t below(uint32_t limit) { return uint32_t(random() % limit); }

  SymbolId symbol(uint16_t number) {
    Symbol made;
    made.reg = number;
    made.depends.unknown = true;
    return exprs.addSymbol(made);
  }
  ExprId combined(ExprId a, ExprId b) {
    switch (below(6)) {
    case 0: return exprs.add(a, exprs.scale(b, 1 + below(9)));
    case 1: return exprs.bitXor(a, b);
    case 2: return exprs.field(a, below(9), 0xff);
    case 3: return exprs.select(exprs.less(a, b), a, exprs.addConstant(b, below(9)));
    case 4: return exprs.bitAnd(a, exprs.constant(below(256)));
    default: return exprs.equal(a, b);
    }
  }
};

TEST_F(Keep, WhatStaysMeansTheSame) {
  std::vector<ExprId> old{exprs.symbol(symbol(0)), exprs.symbol(symbol(1))};
  std::vector<ExprId> kept;
  ExprKeeper keeper(exprs);
  for (unsigned round = 0; round < 30; ++round) {
    std::vector<ExprId> made = old;
    append_range(made, kept);
    for (unsigned i = 0; i < 5; ++i)
      made.push_back(exprs.symbol(symbol(2 + below(50))));
    for (unsigned i = 0; i < 200; ++i)
      made.push_back(combined(made[below(made.size())], made[below(made.size())]));
    for (unsigned i = 0; i < 5; ++i)
      kept.push_back(made[below(made.size())]);
    // Not as text: that is as long as the same expressions written as a tree.
    auto meaning = [&](ExprId id) {
      std::vector<uint32_t> values{exprs[id].known.least, exprs[id].known.greatest};
      for (uint32_t factor : {0u, 1u, 77u, 0x9e3779b9u, 0x80000001u})
        values.push_back(exprs[exprs.substitute(id, [&](SymbolId s) {
                           return exprs.constant(factor * (exprs.symbolInfo(s).reg + 1));
                         })].constant);
      return values;
    };
    std::vector<std::vector<uint32_t>> before;
    for (ExprId id : kept)
      before.push_back(meaning(id));
    const size_t most = keeper.madeSince();
    EXPECT_GT(most, 100u);
    keeper.keep([&](function_ref<void(ExprId &)> visit, auto) { for_each(kept, visit); });
    EXPECT_EQ(keeper.madeSince(), 0u);
    for (size_t i = 0; i < kept.size(); ++i)
      EXPECT_EQ(before[i], meaning(kept[i]));
    // What is made anew of the same is the same one.
    for (ExprId id : kept)
      EXPECT_EQ(exprs.addConstant(exprs.addConstant(id, 5), ~4u), id);
    for (ExprId id : old)
      EXPECT_EQ(exprs.substitute(id, [&](SymbolId s) { return exprs.symbol(s); }), id);
    for (ExprId id : kept)
      EXPECT_EQ(exprs.substitute(id, [&](SymbolId s) { return exprs.symbol(s); }), id);
  }
}

TEST_F(Keep, ADerivedSymbolStaysTheOneOfItsBase) {
  ExprKeeper keeper(exprs);
  symbol(0);
  SymbolId base = symbol(1), gone = symbol(2);
  SymbolId other = exprs.derived(Symbol::Kind::OtherWave, base);
  exprs.derived(Symbol::Kind::OtherWave, gone);
  keeper.keep([&](auto, function_ref<void(SymbolId &)> visit) { visit(other); });
  base = exprs.symbolInfo(other).base;
  EXPECT_EQ(exprs.symbolInfo(base).reg, 1);
  EXPECT_EQ(exprs.derived(Symbol::Kind::OtherWave, base), other);
  const SymbolId later = symbol(3);
  EXPECT_NE(exprs.derived(Symbol::Kind::OtherWave, later), other);
  EXPECT_EQ(exprs.symbolInfo(exprs.derived(Symbol::Kind::OtherWave, later)).reg, 3);
}

} // namespace
} // namespace inflight::values
