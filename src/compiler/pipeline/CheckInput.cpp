// What the verifiers let through and upstream's folders can't stand.
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IntegerSet.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace inflight {

namespace {
/// A dimension that isn't constant is chosen among all, so that none that folding finds is looked for beyond the shape.
LogicalResult checkDimension(memref::DimOp op) {
  auto type = dyn_cast<MemRefType>(op.getSource().getType());
  if (!type)
    return success();
  APInt number;
  if (matchPattern(op.getIndex(), m_ConstantInt(&number))) {
    if (number.isNegative() || number.sge(type.getRank()))
      return op.emitError("memref.dim of dimension ") << number.getSExtValue() << " of " << type;
    return success();
  }
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value size = memref::DimOp::create(builder, loc, op.getSource(), 0);
  for (int64_t i = 1; i < type.getRank(); ++i) {
    Value place = arith::ConstantIndexOp::create(builder, loc, i);
    Value isThis = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, op.getIndex(), place);
    Value here = memref::DimOp::create(builder, loc, op.getSource(), place);
    size = arith::SelectOp::create(builder, loc, isThis, here, size);
  }
  op.replaceAllUsesWith(size);
  op.erase();
  return success();
}

/// Folders of other dialects take the LLVM dialect's poison and undef for the attributes of their own constants.
void replaceUndefined(Operation *op) {
  auto isForeign = [](Operation *user) { return !isa_and_nonnull<LLVM::LLVMDialect>(user->getDialect()); };
  const Type type = op->getResult(0).getType();
  const bool isNumber = getElementTypeOrSelf(type).isIntOrFloat() && (type.isIntOrFloat() || isa<VectorType>(type));
  if (!isNumber || llvm::none_of(op->getUsers(), isForeign))
    return;
  OpBuilder builder(op);
  Value value;
  if (isa<LLVM::PoisonOp>(op))
    value = ub::PoisonOp::create(builder, op->getLoc(), type);
  else
    value = arith::ConstantOp::create(builder, op->getLoc(), builder.getZeroAttr(type));
  op->replaceUsesWithIf(ValueRange(value), [&](OpOperand &use) { return isForeign(use.getOwner()); });
}

/// Divisors in an affine map are positive constants; upstream's expansion of others gives nothing.
LogicalResult checkDivisors(Operation *op) {
  bool isRefused = false;
  auto check = [&](AffineExpr expr) {
    expr.walk([&](AffineExpr part) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(part);
      if (!binary || binary.getKind() == AffineExprKind::Add || binary.getKind() == AffineExprKind::Mul)
        return;
      auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
      isRefused |= divisor && divisor.getValue() <= 0;
    });
  };
  for (const NamedAttribute &attribute : op->getAttrs())
    if (auto map = dyn_cast<AffineMapAttr>(attribute.getValue()))
      llvm::for_each(map.getValue().getResults(), check);
    else if (auto set = dyn_cast<IntegerSetAttr>(attribute.getValue()))
      llvm::for_each(set.getValue().getConstraints(), check);
  if (isRefused)
    return op->emitError("'") << op->getName() << "' divides by a constant that isn't positive";
  return success();
}

/// Elements of a few bits would be a byte apart, and vectors of them dense. Those of one bit are masks.
LogicalResult checkElements(Operation *op) {
  constexpr unsigned byte = 8;
  for (Value operand : op->getOperands())
    if (auto type = dyn_cast<MemRefType>(operand.getType()); type && type.getElementType().isIntOrFloat() &&
                                                             !type.getElementType().isInteger(1) &&
                                                             type.getElementTypeBitWidth() < byte)
      return op->emitError("not supported: elements of ")
             << type.getElementTypeBitWidth() << " bits in memory, in " << type
             << "; keep them in bytes (i8) and take vectors of them by vector.bitcast";
  return success();
}

/// A forall that is mapped isn't a loop of each lane, and who runs which part is for another pass to say.
LogicalResult checkMapping(scf::ForallOp op) {
  if (!op.getMapping() || op.getMapping()->empty())
    return success();
  return op.emitError("'scf.forall' is mapped to ")
         << op.getMapping()->getValue().front()
         << ": what distributes it is transform.gpu.map_nested_forall_to_threads, or the producer's own pass";
}
} // namespace

std::unique_ptr<Pass> createCheckInputPass() {
  return makePass("inflight-check-input", [](Operation *root) {
    bool isFine = true;
    auto check = [&](LogicalResult result) { isFine &= succeeded(result); };
    SmallVector<Operation *> undefined;
    root->walk([&](Operation *op) {
      if (isa<LLVM::PoisonOp, LLVM::UndefOp>(op))
        undefined.push_back(op);
      if (isa_and_nonnull<affine::AffineDialect>(op->getDialect()))
        check(checkDivisors(op));
      check(checkElements(op));
      if (auto forall = dyn_cast<scf::ForallOp>(op))
        check(checkMapping(forall));
    });
    llvm::for_each(undefined, replaceUndefined);
    SmallVector<memref::DimOp> dimensions;
    root->walk([&](memref::DimOp op) { dimensions.push_back(op); });
    for (memref::DimOp op : dimensions)
      check(checkDimension(op));
    return success(isFine);
  });
}

} // namespace inflight
