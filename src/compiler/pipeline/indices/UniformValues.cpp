#include "UniformValues.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace inflight {

bool UniformValues::contains(Value value) {
  if (auto it = known.find(value); it != known.end())
    return it->second;
  const bool isUniform = find(value);
  known[value] = isUniform;
  return isUniform;
}

bool UniformValues::find(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto loop = dyn_cast<scf::ForOp>(parent))
      return argument == loop.getInductionVar() && contains(loop.getLowerBound()) && contains(loop.getStep());
    return isa<FunctionOpInterface>(parent) && argument.getOwner()->isEntryBlock();
  }
  Operation *op = value.getDefiningOp();
  if (isa<ROCDL::BlockIdXOp, ROCDL::BlockIdYOp, ROCDL::BlockIdZOp, ROCDL::GridDimXOp, ROCDL::GridDimYOp,
          ROCDL::GridDimZOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isa<LLVM::AddOp, LLVM::SubOp, LLVM::MulOp, LLVM::ShlOp, LLVM::LShrOp, LLVM::UDivOp, LLVM::URemOp, LLVM::SDivOp,
             LLVM::SRemOp, LLVM::AndOp, LLVM::OrOp, LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) { return contains(operand); });
}

} // namespace inflight
