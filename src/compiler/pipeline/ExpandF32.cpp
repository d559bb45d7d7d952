// f32 functions to the accuracy of AMD's device library: sine, cosine and tangent reduced exactly over the whole range,
// exponentials, logarithms and roots corrected after the instruction. With `afn` nothing here applies.
#include "compiler/pipeline/ExpandF32.h"

#include "compiler/pipeline/ShapedBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace inflight {

namespace {
using Predicate = arith::CmpFPredicate;
using IntPredicate = arith::CmpIPredicate;

/// Operations in the order they are written; constants have the shape of `like`.
struct Builder : ShapedBuilder {
  Value number(float value) { return constant(b.getF32FloatAttr(value)); }
  Value word(uint32_t value) { return constant(b.getI32IntegerAttr(int32_t(value))); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, loc, x, y); }
  Value add(Value x, Value y) { return arith::AddFOp::create(b, loc, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, loc, x, y); }
  Value neg(Value x) { return arith::NegFOp::create(b, loc, x); }
  Value fma(Value x, Value y, Value z) { return math::FmaOp::create(b, loc, x, y, z); }
  Value round(Value x) { return math::RoundEvenOp::create(b, loc, x); }
  Value abs(Value x) { return math::AbsFOp::create(b, loc, x); }
  Value is(Predicate predicate, Value x, Value y) { return arith::CmpFOp::create(b, loc, predicate, x, y); }
  Value is(IntPredicate predicate, Value x, Value y) { return arith::CmpIOp::create(b, loc, predicate, x, y); }
  Value select(Value condition, Value yes, Value no) { return arith::SelectOp::create(b, loc, condition, yes, no); }
  Value toInt(Value x) { return arith::FPToSIOp::create(b, loc, shaped(b.getI32Type()), x); }
  Value bits(Value x) { return arith::BitcastOp::create(b, loc, shaped(b.getI32Type()), x); }
  Value fromBits(Value x) { return arith::BitcastOp::create(b, loc, shaped(b.getF32Type()), x); }
  Value wide(Value x) { return arith::ExtUIOp::create(b, loc, shaped(b.getI64Type()), x); }
  Value narrow(Value x) { return arith::TruncIOp::create(b, loc, shaped(b.getI32Type()), x); }
  Value bitAnd(Value x, Value y) { return arith::AndIOp::create(b, loc, x, y); }
  Value bitOr(Value x, Value y) { return arith::OrIOp::create(b, loc, x, y); }
  Value bitXor(Value x, Value y) { return arith::XOrIOp::create(b, loc, x, y); }
  Value shl(Value x, Value y) { return arith::ShLIOp::create(b, loc, x, y); }
  Value shr(Value x, Value y) { return arith::ShRUIOp::create(b, loc, x, y); }
  Value addInt(Value x, Value y) { return arith::AddIOp::create(b, loc, x, y); }
  Value subInt(Value x, Value y) { return arith::SubIOp::create(b, loc, x, y); }
  Value mulInt(Value x, Value y) { return arith::MulIOp::create(b, loc, x, y); }
  Value ldexp(Value x, Value y) { return LLVM::LoadExpOp::create(b, loc, x.getType(), x, y); }
  /// x times a constant given in two parts, with one rounding's error.
  Value mulTwoParts(Value x, float high, float low) {
    Value product = mul(x, number(high));
    Value rest = fma(x, number(low), fma(x, number(high), neg(product)));
    return add(product, rest);
  }
};

/// |x| = quadrant * pi/2 + rest, |rest| <= pi/4; of the quadrant the last two bits count.
struct Reduced {
  Value rest, quadrant;
};

/// Cody and Waite's, in three steps: the product with the first part of pi/2 is exact in the fma below 2^17.
Reduced reduceSmall(Builder &f, Value magnitude) {
  Value count = f.round(f.mul(magnitude, f.number(0x1.45f306p-1f)));
  Value minus = f.neg(count), rest = magnitude;
  for (float part : {0x1.921fb6p+0f, -0x1.777a5cp-25f, -0x1.ee59dap-50f})
    rest = f.fma(minus, f.number(part), rest);
  return {rest, f.toInt(count)};
}

/// Payne and Hanek's: of x * 2/pi only the last two bits before the point and those after it are computed. A window of
/// 96 bits of 2/pi begins two bits before the weight at which the mantissa's product reaches the point.
Reduced reduceLarge(Builder &f, Value magnitude) {
  // A word of zeros, then 2/pi after the point.
  constexpr uint32_t twoOverPi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                    0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
  constexpr uint32_t mantissaBits = 23, windowBias = 120;
  Value bits = f.bits(magnitude);
  Value mantissa = f.bitOr(f.bitAnd(bits, f.word(0x007fffff)), f.word(0x00800000));
  Value offset = f.subInt(f.shr(bits, f.word(mantissaBits)), f.word(windowBias));
  Value first = f.shr(offset, f.word(5)), shift = f.bitAnd(offset, f.word(31));
  SmallVector<Value> words;
  for (uint32_t word : twoOverPi)
    words.push_back(f.word(word));
  // The first word is 4 at most: what would follow the last one is never looked at.
  for (uint32_t step : {4u, 2u, 1u}) {
    Value moves = f.is(IntPredicate::ne, f.bitAnd(first, f.word(step)), f.word(0));
    const size_t kept = step == 4 ? 7 : step == 2 ? 5 : 4;
    for (size_t i = 0; i < kept; ++i)
      if (i + step < words.size())
        words[i] = f.select(moves, words[i + step], words[i]);
    words.resize(kept);
  }
  Value window[3], rest = f.subInt(f.word(31), shift);
  for (int i = 0; i < 3; ++i)
    window[i] = f.bitOr(f.shl(words[i], shift), f.shr(f.shr(words[i + 1], f.word(1)), rest));
  Value halfWord = f.wide(f.word(32)), factor = f.wide(mantissa);
  Value low = f.mulInt(factor, f.wide(window[2]));
  Value middle = f.addInt(f.mulInt(factor, f.wide(window[1])), f.shr(low, halfWord));
  Value high = f.addInt(f.mulInt(mantissa, window[0]), f.narrow(f.shr(middle, halfWord)));
  // Two bits of quadrant, then the fraction; from a half on, it is negative and of the next quadrant.
  Value fraction = f.bitOr(f.shl(f.wide(high), halfWord), f.wide(f.narrow(middle)));
  fraction = f.bitOr(f.shl(fraction, f.wide(f.word(2))), f.wide(f.shr(f.narrow(low), f.word(30))));
  Value next = f.narrow(f.shr(fraction, f.wide(f.word(63))));
  constexpr double halfPi = 0x1.921fb54442d18p+0;
  Type f64 = f.shaped(f.b.getF64Type());
  Value angle = arith::SIToFPOp::create(f.b, f.loc, f64, fraction);
  angle = arith::MulFOp::create(f.b, f.loc, angle, f.constant(f.b.getF64FloatAttr(halfPi * 0x1p-64)));
  return {arith::TruncFOp::create(f.b, f.loc, f.shaped(f.b.getF32Type()), angle),
          f.addInt(f.shr(high, f.word(30)), next)};
}

/// A half is never large; what else is depends on the lane, so that waves without one skip it.
Reduced reduce(Builder &f, Value magnitude, bool mayBeLarge) {
  if (!mayBeLarge)
    return reduceSmall(f, magnitude);
  Value isLarge = f.is(Predicate::OGE, magnitude, f.number(0x1p17f));
  auto yield = [](OpBuilder &b, Location loc, const Reduced &reduced) {
    scf::YieldOp::create(b, loc, ValueRange{reduced.rest, reduced.quadrant});
  };
  auto choice = scf::IfOp::create(
      f.b, f.loc, isLarge,
      [&](OpBuilder &b, Location loc) {
        Builder inner{b, loc, f.like};
        yield(b, loc, reduceLarge(inner, magnitude));
      },
      [&](OpBuilder &b, Location loc) {
        Builder inner{b, loc, f.like};
        yield(b, loc, reduceSmall(inner, magnitude));
      });
  return {choice.getResult(0), choice.getResult(1)};
}

/// Minimax polynomials on |x| <= pi/4, of relative errors 4e-9 and 1e-10.
Value sineOf(Builder &f, Value x, Value square) {
  Value sum = f.fma(square, f.number(-0x1.99406p-13f), f.number(0x1.11073p-7f));
  sum = f.fma(square, sum, f.number(-0x1.555546p-3f));
  return f.fma(f.mul(x, square), sum, x);
}
Value cosineOf(Builder &f, Value square) {
  Value sum = f.fma(square, f.number(0x1.99e86ap-16f), f.number(-0x1.6c0c28p-10f));
  sum = f.fma(square, sum, f.number(0x1.55554ap-5f));
  return f.fma(f.mul(square, square), sum, f.fma(square, f.number(-0.5f), f.number(1.0f)));
}

/// Above the approximations'.
constexpr unsigned benefit = 4;

enum class Function { Sine, Cosine, Tangent };

Value trigonometric(Builder &f, Value x, Function function, bool mayBeLarge) {
  constexpr uint32_t signBit = 0x80000000;
  Value magnitude = f.abs(x), sign = f.bitAnd(f.bits(x), f.word(signBit));
  auto [rest, quadrant] = reduce(f, magnitude, mayBeLarge);
  Value square = f.mul(rest, rest);
  Value sine = sineOf(f, rest, square), cosine = cosineOf(f, square);
  Value isOdd = f.is(IntPredicate::ne, f.bitAnd(quadrant, f.word(1)), f.word(0));
  Value result;
  switch (function) {
  case Function::Sine:
    result = f.select(isOdd, cosine, sine);
    sign = f.bitXor(sign, f.bitAnd(f.shl(quadrant, f.word(30)), f.word(signBit)));
    break;
  case Function::Cosine:
    result = f.select(isOdd, sine, cosine);
    sign = f.bitAnd(f.shl(f.addInt(quadrant, f.word(1)), f.word(30)), f.word(signBit));
    break;
  case Function::Tangent:
    result = arith::DivFOp::create(f.b, f.loc, f.select(isOdd, cosine, sine), f.select(isOdd, sine, cosine));
    sign = f.bitXor(sign, f.shl(quadrant, f.word(31)));
    break;
  }
  result = f.fromBits(f.bitXor(f.bits(result), sign));
  Value isFinite = f.is(Predicate::OLT, magnitude, f.number(std::numeric_limits<float>::infinity()));
  return f.select(isFinite, result, f.number(std::numeric_limits<float>::quiet_NaN()));
}

template <typename Op> bool isPrecise(Op op) {
  return getElementTypeOrSelf(op.getType()).isF32() && !bitEnumContainsAny(op.getFastmath(), arith::FastMathFlags::afn);
}

template <typename Op, Function function> struct ExpandTrigonometric : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!isPrecise(op))
      return failure();
    Location loc = op.getLoc();
    Value x = op.getOperand();
    auto widened = x.getDefiningOp<arith::ExtFOp>();
    const bool mayBeLarge = !widened || !getElementTypeOrSelf(widened.getIn().getType()).isF16();
    Builder f{rewriter, loc, rewriter.getF32Type()};
    auto vector = dyn_cast<VectorType>(op.getType());
    if (!vector) {
      rewriter.replaceOp(op, trigonometric(f, x, function, mayBeLarge));
      return success();
    }
    if (vector.isScalable())
      return failure();
    // Element by element: each has its own branch.
    Value result = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(vector));
    SmallVector<int64_t> strides = computeSuffixProduct(vector.getShape());
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      SmallVector<int64_t> position = delinearize(i, strides);
      Value element = vector::ExtractOp::create(rewriter, loc, x, position);
      element = trigonometric(f, element, function, mayBeLarge);
      result = vector::InsertOp::create(rewriter, loc, element, result, position);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

template <typename Op> Op approximate(Builder &f, Value x) {
  return Op::create(f.b, f.loc, x, arith::FastMathFlags::afn);
}

/// 2^(x log2 e), with the product's rounding error carried along and the whole part applied last.
struct ExpandExp : OpRewritePattern<math::ExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::ExpOp op, PatternRewriter &rewriter) const override {
    if (!isPrecise(op))
      return failure();
    constexpr float log2eHigh = 0x1.715476p+0f, log2eLow = 0x1.4ae0bep-26f;
    constexpr float smallest = -0x1.9fe368p+6f, largest = 0x1.62e430p+6f; // of those with a result in (0, inf)
    Value x = op.getOperand();
    Builder f{rewriter, op.getLoc(), x.getType()};
    Value product = f.mul(x, f.number(log2eHigh));
    Value rest = f.fma(x, f.number(log2eLow), f.fma(x, f.number(log2eHigh), f.neg(product)));
    Value whole = f.round(product);
    Value power = approximate<math::Exp2Op>(f, f.add(f.sub(product, whole), rest));
    Value result = f.ldexp(power, f.toInt(whole));
    result = f.select(f.is(Predicate::OLT, x, f.number(smallest)), f.number(0), result);
    result =
        f.select(f.is(Predicate::OGT, x, f.number(largest)), f.number(std::numeric_limits<float>::infinity()), result);
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// log2(x) times a constant of 48 bits.
template <typename Op> struct ExpandLog : OpRewritePattern<Op> {
  ExpandLog(MLIRContext *context, float high, float low)
      : OpRewritePattern<Op>(context, benefit), high(high), low(low) {}
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!isPrecise(op))
      return failure();
    Builder f{rewriter, op.getLoc(), op.getType()};
    Value logarithm = math::Log2Op::create(rewriter, op.getLoc(), op.getOperand());
    Value result = f.mulTwoParts(logarithm, high, low);
    Value isFinite = f.is(Predicate::OLT, f.abs(logarithm), f.number(std::numeric_limits<float>::infinity()));
    rewriter.replaceOp(op, f.select(isFinite, result, logarithm));
    return success();
  }
  float high, low;
};

/// The instruction is right to one unit in the last place: the residues of both neighbours decide. It takes small
/// numbers for zero, which are scaled.
struct ExpandSqrt : OpRewritePattern<math::SqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SqrtOp op, PatternRewriter &rewriter) const override {
    if (!isPrecise(op))
      return failure();
    Value x = op.getOperand();
    Builder f{rewriter, op.getLoc(), x.getType()};
    Value isSmall = f.is(Predicate::OLT, x, f.number(0x1p-96f));
    Value scaled = f.select(isSmall, f.mul(x, f.number(0x1p32f)), x);
    Value root = approximate<math::SqrtOp>(f, scaled);
    Value below = f.fromBits(f.addInt(f.bits(root), f.word(~0u)));
    Value above = f.fromBits(f.addInt(f.bits(root), f.word(1)));
    Value zero = f.number(0);
    Value tooLarge = f.is(Predicate::OLE, f.fma(f.neg(below), root, scaled), zero);
    Value tooSmall = f.is(Predicate::OGT, f.fma(f.neg(above), root, scaled), zero);
    root = f.select(tooSmall, above, f.select(tooLarge, below, root));
    rewriter.replaceOp(op, f.select(isSmall, f.mul(root, f.number(0x1p-16f)), root));
    return success();
  }
};
/// log2 of a positive f64 that isn't denormal, to some 44 bits.
Value logarithmF64(Builder &f, Value x) {
  constexpr uint64_t halfRoot = 0x3fe6a09e667f3bcd; // the root of 1/2
  constexpr double twoOverLn2 = 0x1.71547652b82fep+1;
  Type i64 = f.shaped(f.b.getI64Type()), f64 = f.shaped(f.b.getF64Type());
  auto integer = [&](uint64_t value) { return f.constant(f.b.getI64IntegerAttr(int64_t(value))); };
  auto number = [&](double value) { return f.constant(f.b.getF64FloatAttr(value)); };
  // x = 2^exponent * m, m between the roots of 1/2 and of 2; log m = 2 artanh((m - 1) / (m + 1)).
  Value bits = arith::BitcastOp::create(f.b, f.loc, i64, x);
  Value exponent = arith::ShRSIOp::create(f.b, f.loc, f.subInt(bits, integer(halfRoot)), integer(52));
  Value m = arith::BitcastOp::create(f.b, f.loc, f64, f.subInt(bits, f.shl(exponent, integer(52))));
  Value quotient = arith::DivFOp::create(f.b, f.loc, f.sub(m, number(1)), f.add(m, number(1)));
  Value square = f.mul(quotient, quotient), sum = number(1.0 / 15);
  for (int k = 13; k > 0; k -= 2)
    sum = f.fma(square, sum, number(1.0 / k));
  Value whole = arith::SIToFPOp::create(f.b, f.loc, f64, f.narrow(exponent));
  return f.fma(f.mul(quotient, number(twoOverLn2)), sum, whole);
}

/// 2^(y log2 |x|) with the logarithm in f64, then the cases of C's pow.
struct ExpandPow : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op, PatternRewriter &rewriter) const override {
    if (!isPrecise(op))
      return failure();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Value x = op.getLhs(), y = op.getRhs();
    Builder f{rewriter, op.getLoc(), x.getType()};
    Type f64 = f.shaped(rewriter.getF64Type());
    auto wide = [&](Value value) -> Value { return arith::ExtFOp::create(rewriter, f.loc, f64, value); };
    auto wideNumber = [&](double value) { return f.constant(rewriter.getF64FloatAttr(value)); };
    Value magnitude = f.abs(x), zero = f.number(0), one = f.number(1);
    Value logarithm = logarithmF64(f, wide(magnitude));
    logarithm = f.select(f.is(Predicate::OEQ, magnitude, zero), wideNumber(-infinity), logarithm);
    logarithm = f.select(f.is(Predicate::OEQ, magnitude, f.number(infinity)), wideNumber(infinity), logarithm);
    // Beyond the limits all is zero or infinite.
    constexpr double limit = 300;
    Value power = f.mul(wide(y), logarithm);
    power = f.select(f.is(Predicate::OLT, power, wideNumber(limit)), power, wideNumber(limit));
    power = f.select(f.is(Predicate::OGT, power, wideNumber(-limit)), power, wideNumber(-limit));
    Value whole = f.round(power);
    Value rest = arith::TruncFOp::create(rewriter, f.loc, f.shaped(rewriter.getF32Type()), f.sub(power, whole));
    Value result = f.ldexp(approximate<math::Exp2Op>(f, rest), f.toInt(whole));
    result = f.select(f.is(Predicate::OEQ, magnitude, one), one, result);

    auto isWhole = [&](Value value) {
      return f.is(Predicate::OEQ, math::TruncOp::create(rewriter, f.loc, value).getResult(), value);
    };
    Value yIsWhole = isWhole(y), yIsEven = isWhole(f.mul(y, f.number(0.5f)));
    Value sign = f.bitAnd(f.bits(x), f.word(0x80000000));
    Value keepsSign = f.select(yIsEven, f.word(0), f.select(yIsWhole, sign, f.word(0)));
    result = f.fromBits(f.bitXor(f.bits(result), keepsSign));
    Value nan = f.number(std::numeric_limits<float>::quiet_NaN());
    Value isNegative = f.bitAnd(f.is(Predicate::OLT, x, zero), f.is(Predicate::OGT, x, f.number(-infinity)));
    result = f.select(isNegative, f.select(yIsWhole, result, nan), result);
    result = f.select(f.is(Predicate::UNO, x, y), nan, result);
    Value isOne = f.bitOr(f.is(Predicate::OEQ, x, one), f.is(Predicate::OEQ, y, zero));
    rewriter.replaceOp(op, f.select(isOne, one, result));
    return success();
  }
};
} // namespace

void populateF32Expansions(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  patterns.add<ExpandTrigonometric<math::SinOp, Function::Sine>, ExpandTrigonometric<math::CosOp, Function::Cosine>,
               ExpandTrigonometric<math::TanOp, Function::Tangent>, ExpandExp, ExpandPow, ExpandSqrt>(
      context, PatternBenefit(benefit));
  patterns.add<ExpandLog<math::LogOp>>(context, 0x1.62e430p-1f, -0x1.05c610p-29f);
  patterns.add<ExpandLog<math::Log10Op>>(context, 0x1.344136p-2f, -0x1.ec10c0p-27f);
}

} // namespace inflight
