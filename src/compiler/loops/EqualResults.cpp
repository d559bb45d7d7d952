// Results of a branch that are one value wherever both have one become one result. What is left of an unrolled loop is
// entered from two sides, and structured control flow gives its sums once to it and once to who follows: where one of
// the two isn't read it has poison, which may as well be the other.
#include "compiler/loops/Loops.h"
#include "compiler/pipeline/MakePass.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace inflight {

static bool isPoison(Value value) { return value.getDefiningOp<ub::PoisonOp>() != nullptr; }

static void mergeResults(scf::IfOp op) {
  if (op.getNumResults() < 2)
    return;
  for (auto [given, other] : {std::pair(op.thenYield(), op.elseYield()), std::pair(op.elseYield(), op.thenYield())}) {
    DenseMap<Value, Value> whole; // by what `given` gives
    for (auto [value, alternative, result] : llvm::zip(given.getOperands(), other.getOperands(), op.getResults()))
      if (!isPoison(value) && !isPoison(alternative))
        whole.insert({value, result});
    for (auto [value, alternative, result] : llvm::zip(given.getOperands(), other.getOperands(), op.getResults()))
      if (Value same = isPoison(alternative) ? whole.lookup(value) : Value())
        result.replaceAllUsesWith(same);
  }
}

std::unique_ptr<Pass> createEqualResultsPass() {
  return makePass("inflight-equal-results", [](Operation *root) {
    root->walk(mergeResults);
    return success();
  });
}

} // namespace inflight
