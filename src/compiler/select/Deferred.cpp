// Values that only one side of a branch uses, or only a loop that may have no iteration, are computed there: at the
// side's beginning, or after the test that enters the loop.
#include "compiler/select/Selector.h"

using namespace mlir;

namespace inflight::select {

/// Whether it may stand under another EXEC: exchanges between lanes may not.
static bool mayMove(Operation &op) {
  return llvm::isa_and_nonnull<LLVM::LLVMDialect>(op.getDialect()) && op.getNumRegions() == 0 && isPure(&op) &&
         !op.hasTrait<OpTrait::ConstantLike>() && !op.hasTrait<OpTrait::IsTerminator>() && !op.use_empty();
}

bool Selector::maySkip(Operation &op) const {
  auto loop = dyn_cast<scf::ForOp>(op);
  return mlir::isa<scf::IfOp>(op) || (loop && !tripCount(loop));
}

void Selector::planDeferred(Block &block) {
  llvm::SmallPtrSet<Operation *, 8> skipping;
  for (Operation &op : block)
    if (op.getNumRegions() && maySkip(op))
      skipping.insert(&op);
  if (skipping.empty())
    return;
  for (Operation &op : llvm::reverse(block)) {
    if (!mayMove(op))
      continue;
    mlir::Region *place = nullptr;
    const bool isOne = llvm::all_of(op.getUsers(), [&](Operation *user) {
      mlir::Region *there = user->getBlock() == &block ? deferredTo.lookup(user) : user->getParentRegion();
      // Out to the side that stands in this block.
      while (user->getBlock() != &block && there && there->getParentOp()->getBlock() != &block)
        there = there->getParentOp()->getParentRegion();
      if (!there || !skipping.contains(there->getParentOp()) || (place && place != there))
        return false;
      place = there;
      return true;
    });
    if (!isOne || !place)
      continue;
    deferredTo[&op] = place;
    deferred[place].push_back(&op);
  }
}

LogicalResult Selector::selectDeferred(mlir::Region &region) {
  auto found = deferred.find(&region);
  if (found == deferred.end())
    return success();
  // They were found from the last to the first.
  const SmallVector<Operation *> ops = found->second;
  for (Operation *op : llvm::reverse(ops))
    if (failed(selectOp(op)))
      return failure();
  return success();
}

} // namespace inflight::select
