// Whether conditions on the path of control can hold together.
#pragma once

#include "values/expr/Expr.h"

namespace inflight::values {

/// False only when they can't. Each is 0 or 1, and meant to be 1. What is asked: whether one is another's opposite, or
/// one is 0 for all values that two others leave: of a < x and x <= a + 64, that x is a + 1 + y with y from 0 to 63;
/// and whether a symbol that conditions leave few values has one for which all hold that depend on it alone.
bool canAllHold(Expressions &exprs, llvm::ArrayRef<ExprId> conditions);

} // namespace inflight::values
