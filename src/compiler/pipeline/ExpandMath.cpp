// Functions without an instruction, in terms of those that have one.
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

namespace {
Value constantLike(OpBuilder &builder, Location loc, Type type, double value) {
  auto element = FloatAttr::get(mlir::getElementTypeOrSelf(type), value);
  if (auto shaped = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(builder, loc, DenseElementsAttr::get(shaped, element));
  return arith::ConstantOp::create(builder, loc, element);
}

/// exp(x) = exp2(x log2 e), log(x) = log2(x) ln 2, log10 likewise.
template <typename From, typename To, bool scaleBefore>
struct ChangeBase : OpRewritePattern<From> {
  ChangeBase(MLIRContext *context, double factor)
      : OpRewritePattern<From>(context), factor(factor) {}
  LogicalResult matchAndRewrite(From op, PatternRewriter &rewriter) const override {
    Value value = op.getOperand();
    Value scale = constantLike(rewriter, op.getLoc(), value.getType(), factor);
    if (scaleBefore) {
      Value scaled = arith::MulFOp::create(rewriter, op.getLoc(), value, scale);
      rewriter.replaceOpWithNewOp<To>(op, scaled, op.getFastmath());
    } else {
      Value result = To::create(rewriter, op.getLoc(), value, op.getFastmath());
      rewriter.replaceOpWithNewOp<arith::MulFOp>(op, result, scale);
    }
    return success();
  }
  double factor;
};

/// tanh(x) = 1 - 2 / (exp2(2 x log2 e) + 1): saturates to ±1 without overflow.
struct ExpandTanh : OpRewritePattern<math::TanhOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::TanhOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = op.getOperand();
    Type type = x.getType();
    Value scale = constantLike(rewriter, loc, type, 2.0 * llvm::numbers::log2e);
    Value one = constantLike(rewriter, loc, type, 1.0), two = constantLike(rewriter, loc, type, 2.0);
    Value power = math::Exp2Op::create(rewriter, loc, arith::MulFOp::create(rewriter, loc, x, scale));
    Value sum = arith::AddFOp::create(rewriter, loc, power, one);
    Value quotient = arith::DivFOp::create(rewriter, loc, two, sum);
    rewriter.replaceOpWithNewOp<arith::SubFOp>(op, one, quotient);
    return success();
  }
};

/// The conversion makes 1 / sqrt(x) of it; the flag lets selection take the instruction for both.
struct MarkReciprocalRoot : OpRewritePattern<math::RsqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RsqrtOp op, PatternRewriter &rewriter) const override {
    if (bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::arcp))
      return failure();
    rewriter.modifyOpInPlace(op, [&] { op.setFastmath(op.getFastmath() | arith::FastMathFlags::arcp); });
    return success();
  }
};

class ExpandMath : public PassWrapper<ExpandMath, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandMath)
  StringRef getArgument() const override { return "inflight-expand-math"; }
  StringRef getDescription() const override { return "Expand functions without an instruction"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<ChangeBase<math::ExpOp, math::Exp2Op, true>>(&getContext(), llvm::numbers::log2e);
    patterns.add<ChangeBase<math::LogOp, math::Log2Op, false>>(&getContext(), llvm::numbers::ln2);
    patterns.add<ChangeBase<math::Log10Op, math::Log2Op, false>>(
        &getContext(), llvm::numbers::ln2 / llvm::numbers::ln10);
    patterns.add<ExpandTanh, MarkReciprocalRoot>(&getContext());
    // Minima and maxima have instructions: of arith only the rounding divisions are expanded.
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    math::populateExpansionPatterns(patterns, {"sinh", "cosh", "tan", "asinh",
                                               "acosh", "atanh", "fpowi",
                                               "powf", "clampf"});
    populateMathPolynomialApproximationPatterns(
        patterns, [](StringRef name) {
          return llvm::is_contained({"math.atan", "math.atan2", "math.erf", "math.erfc",
                                     "math.expm1", "math.log1p", "math.asin", "math.acos",
                                     "math.cbrt"},
                                    name);
        });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

std::unique_ptr<Pass> createExpandMathPass() { return std::make_unique<ExpandMath>(); }

} // namespace inflight
