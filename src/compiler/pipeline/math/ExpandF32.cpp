// f32 functions to the accuracy of AMD's device library: sine, cosine and tangent reduced exactly over the whole range,
// exponentials, logarithms and roots corrected after the instruction. With `afn` nothing here applies.
#include "compiler/pipeline/math/ExpandFloats.h"

#include "compiler/pipeline/math/FloatBuilder.h"

using namespace mlir;

namespace inflight {

namespace {
using Predicate = arith::CmpFPredicate;
using IntPredicate = arith::CmpIPredicate;

struct Builder : FloatBuilder {
  Value number(float value) { return single(value); }
  /// x times a constant given in two parts, with one rounding's error.
  Value mulTwoParts(Value x, float high, float low) {
    Value product = mul(x, number(high));
    Value rest = fma(x, number(low), fma(x, number(high), neg(product)));
    return add(product, rest);
  }
};

/// |x| = quadrant * pi/2 + rest + low, |rest| <= pi/4; of the quadrant the last two bits count. `low` is what rounding
/// took from the rest.
struct Reduced {
  Value rest, low, quadrant;
};

/// Cody and Waite's, in three steps: the product with the first part of pi/2 is exact in the fma below 2^17.
Reduced reduceSmall(Builder &f, Value magnitude) {
  Value count = f.round(f.mul(magnitude, f.number(0x1.45f306p-1f)));
  Value minus = f.neg(count), rest = f.fma(minus, f.number(0x1.921fb6p+0f), magnitude), low = f.number(0);
  for (float part : {-0x1.777a5cp-25f, -0x1.ee59dap-50f}) {
    Value next = f.fma(minus, f.number(part), rest);
    // What next lost: of the sum of the rest and the product's two halves.
    Value product = f.mul(minus, f.number(part)), sum = f.add(rest, product), added = f.sub(sum, rest);
    Value error = f.add(f.sub(rest, f.sub(sum, added)), f.sub(product, added));
    error = f.add(error, f.fma(minus, f.number(part), f.neg(product)));
    low = f.add(low, f.add(f.sub(sum, next), error));
    rest = next;
  }
  return {rest, low, f.toInt(count)};
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
  Value window[3], back = f.subInt(f.word(31), shift);
  for (int i = 0; i < 3; ++i)
    window[i] = f.bitOr(f.shl(words[i], shift), f.shr(f.shr(words[i + 1], f.word(1)), back));
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
  Value rest = f.narrowed(angle), lost = f.narrowed(f.sub(angle, f.widened(rest)));
  return {rest, lost, f.addInt(f.shr(high, f.word(30)), next)};
}

/// A half is never large; what else is depends on the lane, so that waves without one skip it.
Reduced reduce(Builder &f, Value magnitude, bool mayBeLarge) {
  if (!mayBeLarge)
    return reduceSmall(f, magnitude);
  Value isLarge = f.is(Predicate::OGE, magnitude, f.number(0x1p17f));
  auto yield = [](OpBuilder &b, Location loc, const Reduced &reduced) {
    scf::YieldOp::create(b, loc, ValueRange{reduced.rest, reduced.low, reduced.quadrant});
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
  return {choice.getResult(0), choice.getResult(1), choice.getResult(2)};
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

/// tan(x + low), or -1 / tan(x + low); a minimax polynomial of relative error 2e-9 on |x| <= pi/4.
Value tangentOf(Builder &f, Value x, Value low, Value isReciprocal) {
  Value square = f.mul(x, x), sum = f.number(0x1.213db2p-8f);
  for (float coefficient :
       {0x1.8f7bd6p-17f, 0x1.6522e0p-7f, 0x1.5c46b0p-6f, 0x1.bae658p-5f, 0x1.110d52p-3f, 0x1.555562p-2f})
    sum = f.fma(sum, square, f.number(coefficient));
  // The derivative is 1 + tan^2, of which x^2 is enough.
  Value tail = f.fma(f.mul(x, square), sum, f.fma(low, square, low));
  Value tangent = f.add(x, tail), rest = f.sub(tail, f.sub(tangent, x));
  Value reciprocal = f.div(f.number(-1), tangent);
  Value error = f.fma(reciprocal, rest, f.fma(reciprocal, tangent, f.number(1)));
  return f.select(isReciprocal, f.fma(error, reciprocal, reciprocal), tangent);
}

/// Above the approximations'.
constexpr unsigned benefit = 4;

enum class Function { Sine, Cosine, Tangent };

Value trigonometric(Builder &f, Value x, Function function, bool mayBeLarge) {
  constexpr uint32_t signBit = 0x80000000;
  Value magnitude = f.abs(x), sign = f.bitAnd(f.bits(x), f.word(signBit));
  const Reduced reduced = reduce(f, magnitude, mayBeLarge);
  Value quadrant = reduced.quadrant, isOdd = f.is(IntPredicate::ne, f.bitAnd(quadrant, f.word(1)), f.word(0));
  Value result;
  if (function == Function::Tangent) {
    // The reciprocal's sign is in it.
    result = tangentOf(f, reduced.rest, reduced.low, isOdd);
  } else {
    Value square = f.mul(reduced.rest, reduced.rest);
    Value sine = sineOf(f, reduced.rest, square), cosine = cosineOf(f, square);
    const bool isSine = function == Function::Sine;
    result = isSine ? f.select(isOdd, cosine, sine) : f.select(isOdd, sine, cosine);
    Value turned = isSine ? quadrant : f.addInt(quadrant, f.word(1));
    turned = f.bitAnd(f.shl(turned, f.word(30)), f.word(signBit));
    sign = isSine ? f.bitXor(sign, turned) : turned;
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
    auto widened = op.getOperand().template getDefiningOp<arith::ExtFOp>();
    const bool mayBeLarge = !widened || !getElementTypeOrSelf(widened.getIn().getType()).isF16();
    return replaceElements(op, rewriter, [&](OpBuilder &builder, Location loc, ValueRange x) {
      Builder f{builder, loc, builder.getF32Type()};
      return trigonometric(f, x[0], function, mayBeLarge);
    });
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
/// numbers for zero, which are scaled. Residues may be denormal: a root in doubles, within one unit, is 2^-52 of it
/// away at most, and one of 24 bits 2^-51 at least from what lies between two singles.
struct ExpandSqrt : OpRewritePattern<math::SqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::SqrtOp op, PatternRewriter &rewriter) const override {
    if (!isPrecise(op))
      return failure();
    Value x = op.getOperand();
    Builder f{rewriter, op.getLoc(), x.getType()};
    if (flushesSingles(op)) {
      rewriter.replaceOp(op, f.narrowed(f.sqrt(f.widened(x))));
      return success();
    }
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
