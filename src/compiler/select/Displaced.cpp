// Values that only one side of a branch uses, or only a loop that may have no iteration, are computed there: at the
// side's beginning, or after the test that enters the loop.
#include "compiler/select/Displaced.h"

using namespace mlir;

namespace inflight::select {

/// Whether it may stand under another EXEC: exchanges between lanes may not.
static bool mayMove(Operation &op) {
  return llvm::isa_and_nonnull<LLVM::LLVMDialect>(op.getDialect()) && op.getNumRegions() == 0 && isPure(&op) &&
         !op.hasTrait<OpTrait::ConstantLike>() && !op.hasTrait<OpTrait::IsTerminator>() && !op.use_empty();
}

/// A branch, or a loop that may have no iteration.
static bool maySkip(Operation &op, const SelectedValues &values) {
  auto loop = dyn_cast<scf::ForOp>(op);
  return mlir::isa<scf::IfOp>(op) || (loop && !values.tripCount(loop));
}

void Displaced::plan(Block &block, const SelectedValues &values) {
  if (!plannedBlocks.insert(&block).second)
    return;
  llvm::SmallPtrSet<Operation *, 8> skipping;
  for (Operation &op : block)
    if (op.getNumRegions() && maySkip(op, values))
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

} // namespace inflight::select
