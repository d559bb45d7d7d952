#include "compiler/select/control/Predication.h"

#include "compiler/lanes/Slices.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

using namespace mlir;

namespace inflight::select {

/// Limits for a body that is executed under EXEC, without a branch. Loads are then in flight with those of others; a
/// body without any only saves the branch, which takes as long as a few instructions where no lane needs it.
static constexpr unsigned mostAccesses = 4, mostOperations = 20, mostWithoutLoads = 8;

/// About how many instructions it becomes.
static unsigned instructionsOf(Operation &op) {
  constexpr unsigned ofDivision = 10;
  const bool isDivision =
      mlir::isa<LLVM::FDivOp, LLVM::FRemOp, LLVM::UDivOp, LLVM::SDivOp, LLVM::URemOp, LLVM::SRemOp>(op);
  return isDivision ? ofDivision : 1;
}

/// Few loads and stores, and what is computed for them. A scalar load ignores EXEC, and what is read back
/// where no lane is active may be anything.
bool Predication::isPredicable(scf::IfOp op) const {
  if (divergence.isUniform(op.getCondition()) ||
      (!op.getElseRegion().empty() && !op.elseBlock()->without_terminator().empty()) ||
      llvm::any_of(op.getResultTypes(), isMask))
    return false;
  unsigned accesses = 0, operations = 0;
  bool loads = false;
  for (Operation &inner : op.thenBlock()->without_terminator()) {
    bool isAccess = mlir::isa<ROCDL::RawPtrBufferLoadOp, ROCDL::RawPtrBufferStoreOp>(inner);
    if (auto load = dyn_cast<LLVM::LoadOp>(inner))
      isAccess = !isOrdered(load) && !divergence.isScalarLoad(load) && !divergence.isReadBack(load);
    if (auto store = dyn_cast<LLVM::StoreOp>(inner))
      isAccess = !isOrdered(store);
    loads |= mlir::isa<LLVM::LoadOp, ROCDL::RawPtrBufferLoadOp>(inner);
    accesses += isAccess;
    operations += instructionsOf(inner);
    if (!isAccess &&
        (inner.getNumRegions() || !isPure(&inner) || !llvm::isa_and_nonnull<LLVM::LLVMDialect>(inner.getDialect())))
      return false;
  }
  return accesses && accesses <= mostAccesses && operations <= (loads ? mostOperations : mostWithoutLoads);
}

/// The branches from this one on that can be taken together, and what stands between them, which goes before.
void Predication::gatherPredicated(scf::IfOp first, SmallVectorImpl<scf::IfOp> &group,
                                   SmallVectorImpl<Operation *> &before) const {
  llvm::SmallPtrSet<Operation *, 8> later; // what depends on the group
  auto depends = [&](Operation &op) {
    return readsAny(&op, [&](Value value) { return later.contains(value.getDefiningOp()); });
  };
  // Each has a mask of two scalar registers, and all are made before the first branch: they get a third of what there
  // is.
  constexpr unsigned maskSgprs = 2, share = 3;
  const size_t mostTogether = chip.target().maxSgprs / (maskSgprs * share);
  SmallVector<Operation *> between;
  for (Operation *op = first; op && group.size() < mostTogether; op = op->getNextNode()) {
    if (selection.displaced.deferredTo.contains(op) ||
        (!selection.displaced.onlyAhead.empty() && !selection.displaced.onlyAhead.contains(op))) {
      if (!selection.displaced.deferredTo.contains(op) || depends(*op))
        later.insert(op);
      continue;
    }
    auto branch = dyn_cast<scf::IfOp>(op);
    if (branch && isPredicable(branch) && !depends(*op)) {
      before.append(between);
      between.clear();
      group.push_back(branch);
      later.insert(op);
    } else if (op->getNumRegions() || !isPure(op) || op->hasTrait<OpTrait::IsTerminator>()) {
      return;
    } else if (depends(*op)) {
      later.insert(op);
    } else {
      between.push_back(op);
    }
  }
}

LogicalResult Predication::selectPredicated(ArrayRef<scf::IfOp> group, ArrayRef<Operation *> before) {
  for (Operation *op : before) {
    selection.displaced.selectedAhead.insert(op);
    if (failed(selectOp(op)))
      return failure();
  }
  SmallVector<Results> results;
  SmallVector<Operand> masks;
  for (scf::IfOp op : group) {
    results.push_back(resultsOf(op));
    masks.push_back(maskOperand(get(op.getCondition())));
    if (!op.getElseRegion().empty() && failed(startWithElse(op, results.back())))
      return failure();
  }
  const unsigned block = state.current;
  const Reg saved = newSgpr(2);
  size_t hoistIndex = saveAndNarrowExec(saved, masks[0]);
  for (size_t i = 0; i < group.size(); ++i) {
    scf::IfOp op = group[i];
    if (i) {
      lir::Inst &next = emit(s_and_b64, {Operand::specialReg(Special::Exec, true), Operand::use(saved), masks[i]});
      next.hasSideEffects = true;
      selection.displaced.selectedAhead.insert(op);
    }
    if (failed(selectSide(*op.thenBlock(), results[i].registers, true, block, hoistIndex, /*isPredicated=*/true)))
      return failure();
    setResults(op, results[i].registers);
  }
  restoreExec(saved);
  return success();
}

} // namespace inflight::select
