// Waves that end at once: what only the others need stands behind the branch that tells them.
//
// Grids are made for the most work there may be, and many of their workgroups find none. Loads in front of that branch
// would be waited for by them, too. Behind it they come no later for the others as long as the branch itself waits for
// no load; and all lanes of a wave take it together, so that it changes nothing that looks at other lanes.
#include "compiler/lanes/PlainAccess.h"
#include "compiler/loops/Loops.h"
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/indices/UniformValues.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace inflight {

namespace {
/// Made of ids and arguments alone.
bool isUniformCondition(Value condition, UniformValues &uniform) {
  Operation *op = condition.getDefiningOp();
  if (isa_and_nonnull<LLVM::AndOp, LLVM::OrOp, LLVM::XOrOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) { return isUniformCondition(operand, uniform); });
  if (isa_and_nonnull<LLVM::ICmpOp>(op))
    return llvm::all_of(op->getOperands(), [&](Value operand) { return uniform.contains(operand); });
  return op && op->hasTrait<OpTrait::ConstantLike>();
}

/// Whether nothing but the kernel's end follows the branch and what is around it.
bool isLast(scf::IfOp branch) {
  if (branch.getNumResults() || !branch.getElseRegion().empty() ||
      !branch->getNextNode()->hasTrait<OpTrait::IsTerminator>())
    return false;
  auto outer = dyn_cast<scf::IfOp>(branch->getParentOp());
  return isa<LLVM::LLVMFuncOp>(branch->getParentOp()) || (outer && isLast(outer));
}

void sinkInto(scf::IfOp branch) {
  bool passesWrites = false;
  for (Operation *op = branch->getPrevNode(), *above; op; op = above) {
    above = op->getPrevNode();
    const bool isLoad = isPlainLoad(op);
    if (!isPure(op) && !isLoad) {
      passesWrites = true;
      continue;
    }
    if ((isLoad && passesWrites) || op->use_empty() || op->hasTrait<OpTrait::ConstantLike>() ||
        !llvm::all_of(op->getUsers(), [&](Operation *user) { return branch->isProperAncestor(user); }))
      continue;
    op->moveBefore(branch.thenBlock(), branch.thenBlock()->begin());
  }
}
} // namespace

std::unique_ptr<Pass> createEarlyExitsPass() {
  return makePass("inflight-early-exits", [](Operation *root) {
    UniformValues uniform;
    root->walk<WalkOrder::PreOrder>([&](scf::IfOp branch) {
      if (isLast(branch) && isUniformCondition(branch.getCondition(), uniform))
        sinkInto(branch);
    });
    return success();
  });
}

} // namespace inflight
