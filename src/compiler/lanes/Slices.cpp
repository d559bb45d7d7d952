#include "compiler/lanes/Slices.h"

using namespace mlir;

namespace inflight {

bool addSources(Value value, Slice &slice, SourcePolicy policy) {
  Operation *op = value.getDefiningOp();
  if (!op || slice.contains(op))
    return true;
  switch (policy(op)) {
  case Source::Taken: return addWithSources(op, slice, policy);
  case Source::Alone: slice.insert(op); return true;
  case Source::Outside: return true;
  case Source::Refused: return false;
  }
  llvm_unreachable("what a slice does with an operation");
}

bool addSources(Operation *op, Slice &slice, SourcePolicy policy) {
  return !readsAny(op, [&](Value operand) { return !addSources(operand, slice, policy); });
}

bool addWithSources(Operation *op, Slice &slice, SourcePolicy policy) {
  if (!addSources(op, slice, policy))
    return false;
  slice.insert(op);
  return true;
}

bool contains(Operation *op, function_ref<bool(Operation *)> isSuch) {
  return op->walk([&](Operation *inner) { return isSuch(inner) ? WalkResult::interrupt() : WalkResult::advance(); })
      .wasInterrupted();
}

bool readsAny(Operation *op, function_ref<bool(Value)> isSuch) {
  return contains(op, [&](Operation *inner) { return llvm::any_of(inner->getOperands(), isSuch); });
}

} // namespace inflight
