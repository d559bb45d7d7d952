// Whether conditions on the path of control can hold together.
#pragma once

#include "values/expr/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace inflight::values {

/// Of paths that lead around the same loops most conditions are the same: what was put in the place of what, and into
/// which, is kept. Expressions mustn't be forgotten meanwhile.
class Conditions {
public:
  explicit Conditions(Expressions &exprs LLVM_LIFETIME_BOUND) : exprs(exprs) {}
  /// False only when they can't. Each is 0 or 1, and meant to be 1. What is asked: whether one is another's opposite,
  /// or one is 0 for all values that two others leave: of a < x and x <= a + 64, that x is a + 1 + y with y from 0 to
  /// 63; and whether what conditions compare with numbers, or depend on alone, has a value for which all hold, where
  /// that leaves few; and whether symbols and fields of bits that have few have values together for which all do. One
  /// that is part of another is 1 there.
  bool canAllHold(llvm::ArrayRef<ExprId> conditions);
  /// On which a condition depends.
  llvm::ArrayRef<SymbolId> symbolsIn(ExprId condition);

private:
  /// lower < upper, or lower <= upper.
  struct Order {
    ExprId lower, upper;
    bool isStrict, isSigned;
  };
  std::optional<Order> orderOf(ExprId condition) const;
  using Solved = std::optional<std::pair<AtomId, ExprId>>;
  Solved findSolution(ExprId sum, ExprId total, ExprId least);
  const Solved &solve(ExprId sum, ExprId total, ExprId least);
  ExprId substitute(ExprId id, AtomId atom, ExprId becomes);
  ExprId substituteFields(ExprId id, const Atom &of, ExprId becomes);
  llvm::ArrayRef<AtomId> decidersIn(ExprId condition);
  ExprId decided(ExprId condition, llvm::ArrayRef<ExprId> conditions);
  using Values = llvm::SmallVector<uint32_t, 8>;
  std::optional<Values> fewValues(llvm::ArrayRef<ExprId> conditions, ExprId of);
  bool hasValue(llvm::ArrayRef<ExprId> conditions, ExprId of);
  bool haveValues(llvm::ArrayRef<ExprId> conditions);
  llvm::ArrayRef<AtomId> numbersIn(ExprId condition);
  bool haveValuesTogether(llvm::ArrayRef<ExprId> conditions, unsigned &tries);
  bool canHold(llvm::ArrayRef<ExprId> conditions, unsigned &tries);
  bool canHoldWith(llvm::ArrayRef<ExprId> conditions, ExprId sum, ExprId total, ExprId least, unsigned &tries);
  bool canHoldBetween(llvm::ArrayRef<ExprId> conditions, const Order &below, const Order &above, unsigned &tries);

  Expressions &exprs;
  llvm::DenseMap<std::tuple<ExprId, AtomId, ExprId>, ExprId> substituted;
  llvm::DenseMap<std::tuple<ExprId, ExprId, ExprId>, Solved> solutions;
  llvm::DenseMap<ExprId, llvm::SmallVector<SymbolId, 4>> symbols;
  llvm::DenseMap<ExprId, llvm::SmallVector<AtomId, 1>> deciders;
  llvm::DenseMap<ExprId, llvm::SmallVector<AtomId, 4>> numbers;
  /// What a sum is above another one, of which is known that it is no more than a number.
  std::map<std::tuple<ExprId, ExprId, uint32_t>, SymbolId> between;
};

} // namespace inflight::values
