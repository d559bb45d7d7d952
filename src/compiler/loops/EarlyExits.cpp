// Waves that end at once: what only the others need stands behind the branch that tells them.
//
// Grids are made for the most work there may be, and many of their workgroups find none. What isn't known before the
// branch's condition, for it waits for as many loads one after another, would be waited for by them, too. Behind the
// branch it comes no later for the others; loads that can start while the condition's are on their way stay in front.
// All lanes of a wave take the branch together, so that it changes nothing that looks at other lanes.
#include "compiler/lanes/PlainAccess.h"
#include "compiler/loops/Loops.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/indices/UniformValues.h"
#include "isa/Isa.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace inflight {

namespace {
/// Whether a value is the same in all lanes of a wave, whichever unit computes it.
class SameInAllLanes {
public:
  bool contains(Value value) {
    auto [it, isNew] = known.try_emplace(value, false);
    return isNew ? known[value] = find(value) : it->second;
  }

private:
  bool find(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || uniform.contains(value))
      return uniform.contains(value);
    if (isa<ROCDL::ReadfirstlaneOp>(op))
      return true;
    // Lanes that load the same bytes at once get the same, as a write between would be a race.
    const bool isLoad = isa<LLVM::LoadOp>(op) && isPlainLoad(op);
    const bool isArithmetic = isa<LLVM::LLVMDialect>(op->getDialect()) && isPure(op) && !op->getNumRegions();
    return (isLoad || isArithmetic) && op->getNumOperands() &&
           llvm::all_of(op->getOperands(), [&](Value operand) { return contains(operand); });
  }

  UniformValues uniform;
  llvm::DenseMap<Value, bool> known;
};

/// How many loads one after another a value waits for.
class LoadsInSeries {
public:
  LoadsInSeries(LLVM::LLVMFuncOp kernel, const TargetInfo &target) {
    const uint64_t preloadable =
        target.kernargPreloadMax ? sizeof(uint32_t) * (target.kernargPreloadMax - target.firstPreloadedSgpr()) : 0;
    const DataLayout layout = DataLayout::closest(kernel);
    uint64_t end = 0;
    for (BlockArgument argument : kernel.getArguments()) {
      const Type type = argument.getType();
      end = llvm::alignTo(end, layout.getTypeABIAlignment(type)) + layout.getTypeSize(type).getFixedValue();
      const bool isMarked = kernel->hasAttr(attr::preloads) ||
                            kernel.getArgAttr(argument.getArgNumber(), LLVM::LLVMDialect::getInRegAttrName());
      known[argument] = isMarked && end <= preloadable ? 0 : 1;
    }
  }
  unsigned before(Value value) {
    if (auto it = known.find(value); it != known.end())
      return it->second;
    Operation *op = value.getDefiningOp();
    return known[value] = op ? before(op) + isPlainLoad(op) : 0;
  }
  unsigned before(Operation *op) {
    unsigned most = 0;
    for (Value operand : op->getOperands())
      most = std::max(most, before(operand));
    return most;
  }

private:
  llvm::DenseMap<Value, unsigned> known;
};

/// What is done on one side where nothing is done on the other one; null if that isn't so.
Block *workOf(scf::IfOp branch) {
  auto isEmpty = [](Region &side) { return side.empty() || llvm::hasSingleElement(side.front()); };
  Region &then = branch.getThenRegion(), &otherwise = branch.getElseRegion();
  if (branch.getNumResults() || isEmpty(then) == isEmpty(otherwise))
    return nullptr;
  return isEmpty(then) ? &otherwise.front() : &then.front();
}

/// Whether nothing but the kernel's end follows the branch and what is around it.
bool isLast(Operation *branch) {
  if (!branch->getNextNode()->hasTrait<OpTrait::IsTerminator>())
    return false;
  Operation *outer = branch->getParentOp();
  return isa<LLVM::LLVMFuncOp>(outer) || (isa<scf::IfOp>(outer) && isLast(outer));
}

void sinkInto(Block &work, scf::IfOp branch, LoadsInSeries &loads) {
  const unsigned ofBranch = loads.before(branch.getCondition());
  bool passesWrites = false;
  for (Operation *op = branch->getPrevNode(), *above; op; op = above) {
    above = op->getPrevNode();
    const bool isLoad = isPlainLoad(op);
    if (!isPure(op) && !isLoad) {
      passesWrites = true;
      continue;
    }
    if ((isLoad && passesWrites) || op->use_empty() || op->hasTrait<OpTrait::ConstantLike>() ||
        loads.before(op) < ofBranch ||
        !llvm::all_of(op->getUsers(), [&](Operation *user) { return branch->isProperAncestor(user); }))
      continue;
    op->moveBefore(&work, work.begin());
  }
}
} // namespace

std::unique_ptr<Pass> createEarlyExitsPass(const TargetInfo &target) {
  return makePass("inflight-early-exits", [&target](Operation *root) {
    root->walk([&](LLVM::LLVMFuncOp kernel) {
      SameInAllLanes same;
      LoadsInSeries loads(kernel, target);
      kernel.walk<WalkOrder::PreOrder>([&](scf::IfOp branch) {
        Block *work = workOf(branch);
        if (work && isLast(branch) && same.contains(branch.getCondition()))
          sinkInto(*work, branch, loads);
      });
    });
    return success();
  });
}

} // namespace inflight
