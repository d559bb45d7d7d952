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
  const WalkResult walked = op->walk([&](Operation *inner) {
    return llvm::all_of(inner->getOperands(), [&](Value operand) { return addSources(operand, slice, policy); })
               ? WalkResult::advance()
               : WalkResult::interrupt();
  });
  return !walked.wasInterrupted();
}

bool addWithSources(Operation *op, Slice &slice, SourcePolicy policy) {
  if (!addSources(op, slice, policy))
    return false;
  slice.insert(op);
  return true;
}

} // namespace inflight
