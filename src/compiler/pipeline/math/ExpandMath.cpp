// Functions without an instruction, in terms of those that have one.
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"
#include "compiler/pipeline/math/ExpandFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"
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

/// Under `afn`: exp(x) = exp2(x log2 e), log(x) = log2(x) ln 2, log10 likewise.
template <typename From, typename To, bool scaleBefore> struct ChangeBase : OpRewritePattern<From> {
  ChangeBase(MLIRContext *context, double factor) : OpRewritePattern<From>(context), factor(factor) {}
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

/// round(x): halves go away from zero, which no instruction does.
struct ExpandRound : OpRewritePattern<math::RoundOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::RoundOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = op.getOperand(), whole = math::TruncOp::create(rewriter, loc, x);
    Value rest = math::AbsFOp::create(rewriter, loc, arith::SubFOp::create(rewriter, loc, x, whole));
    Value half = constantLike(rewriter, loc, x.getType(), 0.5), one = constantLike(rewriter, loc, x.getType(), 1.0);
    Value zero = constantLike(rewriter, loc, x.getType(), 0.0);
    Value up = arith::CmpFOp::create(rewriter, loc, arith::CmpFPredicate::OGE, rest, half);
    Value step = arith::SelectOp::create(rewriter, loc, up, one, zero);
    Value sum = arith::AddFOp::create(rewriter, loc, whole, math::CopySignOp::create(rewriter, loc, step, x));
    rewriter.replaceOpWithNewOp<math::CopySignOp>(op, sum, x);
    return success();
  }
};

struct ExpandSinCos : OpRewritePattern<math::SincosOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SincosOp op, PatternRewriter &rewriter) const override {
    Value sine = math::SinOp::create(rewriter, op.getLoc(), op.getOperand(), op.getFastmath());
    Value cosine = math::CosOp::create(rewriter, op.getLoc(), op.getOperand(), op.getFastmath());
    rewriter.replaceOp(op, {sine, cosine});
    return success();
  }
};

/// Comparisons of the magnitude tell the classes apart.
template <typename Op> struct ExpandClass : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value x = op.getOperand();
    const llvm::fltSemantics &semantics = cast<FloatType>(mlir::getElementTypeOrSelf(x.getType())).getFloatSemantics();
    auto compare = [&](arith::CmpFPredicate predicate, Value a, const APFloat &bound) -> Value {
      auto element = FloatAttr::get(mlir::getElementTypeOrSelf(x.getType()), bound);
      TypedAttr value = element;
      if (auto shaped = dyn_cast<VectorType>(x.getType()))
        value = DenseElementsAttr::get(shaped, element);
      return arith::CmpFOp::create(rewriter, loc, predicate, a, arith::ConstantOp::create(rewriter, loc, value));
    };
    APFloat infinity = APFloat::getInf(semantics);
    if (std::is_same_v<Op, math::IsNaNOp>) {
      rewriter.replaceOpWithNewOp<arith::CmpFOp>(op, arith::CmpFPredicate::UNO, x, x);
      return success();
    }
    Value magnitude = math::AbsFOp::create(rewriter, loc, x);
    if (std::is_same_v<Op, math::IsInfOp>) {
      rewriter.replaceOp(op, compare(arith::CmpFPredicate::OEQ, magnitude, infinity));
      return success();
    }
    Value finite = compare(arith::CmpFPredicate::OLT, magnitude, infinity);
    if (std::is_same_v<Op, math::IsNormalOp>)
      finite = arith::AndIOp::create(
          rewriter, loc, finite,
          compare(arith::CmpFPredicate::OGE, magnitude, APFloat::getSmallestNormalized(semantics)));
    rewriter.replaceOp(op, finite);
    return success();
  }
};

/// Expansions are accurate in f32: halves are widened around them.
struct WidenHalves : RewritePattern {
  explicit WidenHalves(MLIRContext *context) : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/5, context) {}
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    static const llvm::StringSet<> names = {
        "math.cos",   "math.sin",   "math.acos", "math.acosh", "math.asin", "math.asinh", "math.atan",  "math.atan2",
        "math.atanh", "math.cbrt",  "math.cosh", "math.erf",   "math.erfc", "math.exp",   "math.expm1", "math.log",
        "math.log10", "math.log1p", "math.powf", "math.sinh",  "math.tan",  "math.tanh",  "math.fpowi"};
    if (!names.contains(op->getName().getStringRef()) || op->getNumResults() != 1)
      return failure();
    Type type = op->getResult(0).getType(), element = mlir::getElementTypeOrSelf(type);
    if (!element.isF16() && !element.isBF16())
      return failure();
    Type wide = rewriter.getF32Type();
    if (auto shaped = dyn_cast<VectorType>(type))
      wide = shaped.clone(wide);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(operand.getType() == type
                             ? arith::ExtFOp::create(rewriter, op->getLoc(), wide, operand).getResult()
                             : operand);
    Operation *made =
        rewriter.create(op->getLoc(), op->getName().getIdentifier(), operands, TypeRange{wide}, op->getAttrs());
    // The approximations of f32 are exact enough for halves.
    if (isa<math::ExpOp, math::LogOp, math::Log10Op>(made)) {
      auto flags = cast<arith::ArithFastMathInterface>(made);
      made->setAttr(flags.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(op->getContext(),
                                                  flags.getFastMathFlagsAttr().getValue() | arith::FastMathFlags::afn));
    }
    rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, type, made->getResult(0));
    return success();
  }
};

/// A sum below its operand has overflowed.
struct ExpandExtendedAdd : OpRewritePattern<arith::AddUIExtendedOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddUIExtendedOp op, PatternRewriter &rewriter) const override {
    Value sum = arith::AddIOp::create(rewriter, op.getLoc(), op.getLhs(), op.getRhs());
    Value over = arith::CmpIOp::create(rewriter, op.getLoc(), arith::CmpIPredicate::ult, sum, op.getLhs());
    rewriter.replaceOp(op, {sum, over});
    return success();
  }
};

} // namespace

std::unique_ptr<Pass> createExpandMathPass() {
  return makePatternPass("inflight-expand-math", [](RewritePatternSet &patterns) {
    patterns.add<ChangeBase<math::ExpOp, math::Exp2Op, true>>(patterns.getContext(), llvm::numbers::log2e);
    patterns.add<ChangeBase<math::LogOp, math::Log2Op, false>>(patterns.getContext(), llvm::numbers::ln2);
    patterns.add<ChangeBase<math::Log10Op, math::Log2Op, false>>(patterns.getContext(),
                                                                 llvm::numbers::ln2 / llvm::numbers::ln10);
    patterns.add<ExpandTanh, MarkReciprocalRoot, ExpandRound, ExpandSinCos, ExpandClass<math::IsNaNOp>,
                 ExpandClass<math::IsInfOp>, ExpandClass<math::IsFiniteOp>, ExpandClass<math::IsNormalOp>, WidenHalves,
                 ExpandExtendedAdd>(patterns.getContext());
    populateF32Expansions(patterns);
    populateF64Expansions(patterns);
    populateRemainderExpansion(patterns);
    // Minima and maxima have instructions: of arith only the rounding divisions are expanded.
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    math::populateExpansionPatterns(patterns,
                                    {"sinh", "cosh", "tan", "asinh", "acosh", "atanh", "fpowi", "powf", "clampf"});
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return llvm::is_contained({"math.atan", "math.atan2", "math.erf", "math.erfc", "math.expm1", "math.log1p",
                                 "math.asin", "math.acos", "math.cbrt"},
                                name);
    });
  });
}

} // namespace inflight
