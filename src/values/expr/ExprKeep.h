// Expressions that nobody names any more are forgotten.
#pragma once

#include "values/expr/Expr.h"

namespace inflight::values {

class ExprKeeper {
public:
  /// `enough`: how many new ones make it worth while.
  explicit ExprKeeper(Expressions &exprs LLVM_LIFETIME_BOUND, size_t enough = 0) : enough(enough), exprs(exprs) {
    mark();
  }
  const size_t enough;
  /// How many there are more than were kept.
  size_t madeSince() const;
  /// Calls its arguments with all that is to stay.
  using EachRoot = llvm::function_ref<void(llvm::function_ref<void(ExprId &)>, llvm::function_ref<void(SymbolId &)>)>;
  /// Of what was made since the last time: forgets all but what is to stay and what that is made of, which get other
  /// numbers.
  void keep(EachRoot eachRoot);
  /// Gives back the room of what was forgotten.
  void shrink();

private:
  void mark();
  Expressions &exprs;
  uint32_t sinceExpr = 0, sinceAtom = 0, sinceSymbol = 0, sinceTerm = 0;
};

/// By which expressions find what there is already.
uint32_t hashOf(const Atom &atom);
uint32_t hashOf(uint32_t constant, llvm::ArrayRef<Term> terms);

} // namespace inflight::values
