// Arithmetic for expansions of functions: operations in the order they are written, on numbers or on vectors alike.
#pragma once

#include "compiler/pipeline/Attributes.h"
#include "compiler/pipeline/math/ShapedBuilder.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace inflight {

/// Constants have the shape of `like`.
struct FloatBuilder : ShapedBuilder {
  using Value = mlir::Value;
  using Predicate = mlir::arith::CmpFPredicate;
  using IntPredicate = mlir::arith::CmpIPredicate;
  template <typename Op, typename... Operands> Value make(Operands... operands) {
    return Op::create(b, loc, operands...);
  }

  Value word(uint32_t value) { return constant(b.getI32IntegerAttr(int32_t(value))); }
  Value single(float value) { return constant(b.getF32FloatAttr(value)); }
  Value real(double value) { return constant(b.getF64FloatAttr(value)); }
  Value longWord(uint64_t value) { return constant(b.getI64IntegerAttr(int64_t(value))); }

  Value mul(Value x, Value y) { return make<mlir::arith::MulFOp>(x, y); }
  Value add(Value x, Value y) { return make<mlir::arith::AddFOp>(x, y); }
  Value sub(Value x, Value y) { return make<mlir::arith::SubFOp>(x, y); }
  Value div(Value x, Value y) { return make<mlir::arith::DivFOp>(x, y); }
  Value neg(Value x) { return make<mlir::arith::NegFOp>(x); }
  Value fma(Value x, Value y, Value z) { return make<mlir::math::FmaOp>(x, y, z); }
  Value round(Value x) { return make<mlir::math::RoundEvenOp>(x); }
  Value trunc(Value x) { return make<mlir::math::TruncOp>(x); }
  Value abs(Value x) { return make<mlir::math::AbsFOp>(x); }
  Value sqrt(Value x) { return make<mlir::math::SqrtOp>(x); }
  Value copySign(Value x, Value sign) { return make<mlir::math::CopySignOp>(x, sign); }
  Value ldexp(Value x, Value y) { return mlir::LLVM::LoadExpOp::create(b, loc, x.getType(), x, y); }

  Value is(Predicate predicate, Value x, Value y) { return make<mlir::arith::CmpFOp>(predicate, x, y); }
  Value is(IntPredicate predicate, Value x, Value y) { return make<mlir::arith::CmpIOp>(predicate, x, y); }
  Value select(Value condition, Value yes, Value no) { return make<mlir::arith::SelectOp>(condition, yes, no); }

  Value toInt(Value x) { return make<mlir::arith::FPToSIOp>(shaped(b.getI32Type()), x); }
  Value toReal(Value x) { return make<mlir::arith::SIToFPOp>(shaped(b.getF64Type()), x); }
  Value bits(Value x) { return make<mlir::arith::BitcastOp>(shaped(b.getI32Type()), x); }
  Value fromBits(Value x) { return make<mlir::arith::BitcastOp>(shaped(b.getF32Type()), x); }
  Value longBits(Value x) { return make<mlir::arith::BitcastOp>(shaped(b.getI64Type()), x); }
  Value fromLongBits(Value x) { return make<mlir::arith::BitcastOp>(shaped(b.getF64Type()), x); }
  Value wide(Value x) { return make<mlir::arith::ExtUIOp>(shaped(b.getI64Type()), x); }
  Value narrow(Value x) { return make<mlir::arith::TruncIOp>(shaped(b.getI32Type()), x); }
  Value widened(Value x) { return make<mlir::arith::ExtFOp>(shaped(b.getF64Type()), x); }
  Value narrowed(Value x) { return make<mlir::arith::TruncFOp>(shaped(b.getF32Type()), x); }

  Value bitAnd(Value x, Value y) { return make<mlir::arith::AndIOp>(x, y); }
  Value bitOr(Value x, Value y) { return make<mlir::arith::OrIOp>(x, y); }
  Value bitXor(Value x, Value y) { return make<mlir::arith::XOrIOp>(x, y); }
  Value shl(Value x, Value y) { return make<mlir::arith::ShLIOp>(x, y); }
  Value shr(Value x, Value y) { return make<mlir::arith::ShRUIOp>(x, y); }
  Value sar(Value x, Value y) { return make<mlir::arith::ShRSIOp>(x, y); }
  Value addInt(Value x, Value y) { return make<mlir::arith::AddIOp>(x, y); }
  Value subInt(Value x, Value y) { return make<mlir::arith::SubIOp>(x, y); }
  Value mulInt(Value x, Value y) { return make<mlir::arith::MulIOp>(x, y); }
};

/// Whether it is in a kernel that takes denormals of singles for zeros. Remainders of exact steps may be such: they are
/// computed in doubles there.
inline bool flushesSingles(mlir::Operation *op) {
  auto kernel = op->getParentOfType<mlir::FunctionOpInterface>();
  return kernel && kernel->hasAttr(attr::flushesSingles);
}

/// Replaces an operation on numbers, or on vectors of a fixed length element by element, where each has branches of its
/// own. `compute(builder, loc, operands)` makes one number.
template <typename F>
mlir::LogicalResult replaceElements(mlir::Operation *op, mlir::PatternRewriter &rewriter, F compute) {
  const mlir::Location loc = op->getLoc();
  auto vector = mlir::dyn_cast<mlir::VectorType>(op->getResult(0).getType());
  if (!vector) {
    rewriter.replaceOp(op, compute(rewriter, loc, mlir::ValueRange(op->getOperands())));
    return mlir::success();
  }
  if (vector.isScalable())
    return mlir::failure();
  mlir::Value result = mlir::arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(vector));
  const llvm::SmallVector<int64_t> strides = mlir::computeSuffixProduct(vector.getShape());
  for (int64_t i = 0; i < vector.getNumElements(); ++i) {
    const llvm::SmallVector<int64_t> position = mlir::delinearize(i, strides);
    llvm::SmallVector<mlir::Value, 2> elements;
    for (mlir::Value operand : op->getOperands())
      elements.push_back(mlir::vector::ExtractOp::create(rewriter, loc, operand, position));
    mlir::Value element = compute(rewriter, loc, mlir::ValueRange(elements));
    result = mlir::vector::InsertOp::create(rewriter, loc, element, result, position);
  }
  rewriter.replaceOp(op, result);
  return mlir::success();
}

} // namespace inflight
