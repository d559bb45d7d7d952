// f64 functions. What is added up beyond one rounding's error is a sum of two numbers, the second below the first's
// last place. Polynomials are minimax, fitted by Remez' algorithm; the comments have their relative errors.
#include "compiler/pipeline/math/ExpandFloats.h"

#include "compiler/pipeline/math/FloatBuilder.h"

using namespace mlir;

namespace inflight {

namespace {
using Predicate = arith::CmpFPredicate;
using IntPredicate = arith::CmpIPredicate;

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
// Constants in two parts.
constexpr double ln2High = 0x1.62e42fefa39efp-1, ln2Low = 0x1.abc9e3b39803fp-56;
constexpr double log2eHigh = 0x1.71547652b82fep+0, log2eLow = 0x1.777d0ffda0d24p-56;
constexpr double log10eHigh = 0x1.bcb7b1526e50ep-2, log10eLow = 0x1.95355baaafad3p-57;
constexpr double halfPiHigh = 0x1.921fb54442d18p+0, halfPiLow = 0x1.1a62633145c07p-54;
constexpr double log2e = log2eHigh;
constexpr double largestOfExp = 709.782712893384; // the last with a finite result

struct Builder : FloatBuilder {
  Value number(double value) { return real(value); }
  /// The polynomial's value at x; coefficients begin with the constant one.
  Value polynomial(Value x, ArrayRef<double> coefficients) {
    Value sum = number(coefficients.back());
    for (double coefficient : llvm::reverse(coefficients.drop_back()))
      sum = fma(sum, x, number(coefficient));
    return sum;
  }
  Value isBelow(Value x, double bound) { return is(Predicate::OLT, x, number(bound)); }
  Value isAbove(Value x, double bound) { return is(Predicate::OGT, x, number(bound)); }
};

/// An unevaluated sum.
struct Pair {
  Value high, low;
};

/// |x| >= |y|, or x is 0.
Pair fastSum(Builder &f, Value x, Value y) {
  Value sum = f.add(x, y);
  return {sum, f.sub(y, f.sub(sum, x))};
}
Pair product(Builder &f, Value x, Value y) {
  Value high = f.mul(x, y);
  return {high, f.fma(x, y, f.neg(high))};
}
Pair times(Builder &f, Pair x, double high, double low) {
  Pair p = product(f, x.high, f.number(high));
  return fastSum(f, p.high, f.fma(x.high, f.number(low), f.fma(x.low, f.number(high), p.low)));
}

/// (e^x - 1 - x) / x^2 for |x| <= ln2 / 2; 2^-58 of e^x.
Value exponentialTail(Builder &f, Value x) {
  return f.polynomial(x, {0x1.000000000000cp-1, 0x1.5555555555561p-3, 0x1.555555554ff97p-5, 0x1.111111110d58dp-7,
                          0x1.6c16c185c9e57p-10, 0x1.a01a01bb1ae1fp-13, 0x1.a0199632e7526p-16, 0x1.71dddf518feebp-19,
                          0x1.28b0a54adc3f7p-22, 0x1.af86430c2636fp-26});
}

/// What ldexp takes, for any x: beyond it all is zero or infinite.
Value clamp(Builder &f, Value x, double bound) {
  x = f.select(f.isBelow(x, bound), x, f.number(bound));
  return f.select(f.isAbove(x, -bound), x, f.number(-bound));
}

/// x = whole ln2 + rest, the rest in two parts.
std::pair<Value, Pair> reduceByLn2(Builder &f, Value x, Value low) {
  Value whole = f.round(f.mul(x, f.number(log2e)));
  Value minus = f.neg(whole);
  // Exact: ln2High times a whole number of 11 bits, next to x.
  Pair p = product(f, minus, f.number(ln2High));
  Value high = f.add(x, p.high);
  Value rest = f.fma(minus, f.number(ln2Low), p.low);
  if (low)
    rest = f.add(rest, low);
  return {whole, fastSum(f, high, rest)};
}

/// e^(x + low) 2^shift. NaN is left to the caller.
Value exponential(Builder &f, Value x, Value low = {}, int shift = 0) {
  constexpr double limit = 1100; // beyond the least and the largest argument with a finite result
  x = clamp(f, x, limit);
  auto [whole, rest] = reduceByLn2(f, x, low);
  Value square = f.mul(rest.high, rest.high);
  Value tail = f.fma(square, exponentialTail(f, rest.high), rest.low);
  Value power = f.add(f.number(1), f.add(rest.high, tail)), exponent = f.toInt(whole);
  return f.ldexp(power, shift ? f.addInt(exponent, f.word(uint32_t(shift))) : exponent);
}

Value keepNan(Builder &f, Value x, Value result) { return f.select(f.is(Predicate::UNO, x, x), x, result); }

Value exp(Builder &f, Value x) { return keepNan(f, x, exponential(f, x)); }

Value exp2(Builder &f, Value x) {
  constexpr double limit = 1200;
  Value bounded = clamp(f, x, limit), whole = f.round(bounded);
  Pair rest = product(f, f.sub(bounded, whole), f.number(ln2High));
  rest.low = f.fma(f.sub(bounded, whole), f.number(ln2Low), rest.low);
  Value tail = f.fma(f.mul(rest.high, rest.high), exponentialTail(f, rest.high), rest.low);
  return keepNan(f, x, f.ldexp(f.add(f.number(1), f.add(rest.high, tail)), f.toInt(whole)));
}

/// e^x - 1, up to x = 709: 2^whole (expm1(rest) + 1) - 1, in an order in which nothing cancels.
Pair expm1Pair(Builder &f, Value x) {
  constexpr double least = -40; // all is -1 below
  Value bounded = f.select(f.isBelow(x, largestOfExp), x, f.number(largestOfExp));
  bounded = f.select(f.isAbove(bounded, least), bounded, f.number(least));
  auto [whole, rest] = reduceByLn2(f, bounded, {});
  Value square = f.mul(rest.high, rest.high);
  Value tail = f.fma(square, exponentialTail(f, rest.high), rest.low);
  Pair small = fastSum(f, rest.high, tail);
  // Halved, so that 2^1024 isn't infinite on the way.
  Value exponent = f.subInt(f.toInt(whole), f.word(1));
  Value scale = f.ldexp(f.number(1), exponent), difference = f.sub(scale, f.number(0.5));
  Value scaled = f.mul(small.high, scale), sum = f.add(difference, scaled);
  Value largeLow = f.sub(scaled, f.sub(sum, difference)), smallLow = f.sub(difference, f.sub(sum, scaled));
  Value differenceIsLarger = f.is(Predicate::OGE, f.abs(difference), f.abs(scaled));
  Value low = f.fma(small.low, scale, f.select(differenceIsLarger, largeLow, smallLow));
  Value isSmall = f.is(IntPredicate::eq, exponent, f.word(~0u)), two = f.number(2);
  return {f.select(isSmall, small.high, f.mul(sum, two)), f.select(isSmall, small.low, f.mul(low, two))};
}

Value expm1(Builder &f, Value x) {
  const Pair pair = expm1Pair(f, x);
  Value result = f.select(f.isAbove(x, largestOfExp), f.number(infinity), f.add(pair.high, pair.low));
  // The sign of zero.
  return f.select(f.is(Predicate::OEQ, x, f.number(0)), x, keepNan(f, x, result));
}

/// power / (power + more).
Pair ratioWith(Builder &f, Pair power, double more) {
  Value offset = f.number(more), sum = f.add(power.high, offset);
  Value isLarger = f.is(Predicate::OGT, power.high, offset);
  Value low = f.select(isLarger, f.sub(offset, f.sub(sum, power.high)), f.sub(power.high, f.sub(sum, offset)));
  low = f.add(low, power.low);
  Value reciprocal = f.div(f.number(1), sum), quotient = f.mul(power.high, reciprocal);
  Value residue = f.fma(f.neg(quotient), low, f.add(f.fma(f.neg(quotient), sum, power.high), power.low));
  return {quotient, f.mul(residue, reciprocal)};
}

/// log(x + low) of a positive, finite number, to some 2^-64: with z = s^2, ln((1 + s) / (1 - s)) = 2 s (1 + z (1/3 + z
/// Q(z))).
Pair logarithm(Builder &f, Value x, Value low = {}) {
  constexpr uint64_t halfRoot = 0x3fe6a09e667f3bcd; // the root of 1/2
  constexpr uint64_t mantissaBits = 52;
  constexpr double thirdHigh = 0x1.5555555555555p-2, thirdLow = 0x1.5555555555555p-56;
  Value isDenormal = f.isBelow(x, 0x1p-1022), scaled = f.select(isDenormal, f.mul(x, f.number(0x1p54)), x);
  Value bits = f.longBits(scaled);
  Value exponent = f.sar(f.subInt(bits, f.longWord(halfRoot)), f.longWord(mantissaBits));
  Value m = f.fromLongBits(f.subInt(bits, f.shl(exponent, f.longWord(mantissaBits))));
  Value whole = f.narrow(exponent);
  Value offset = f.sub(m, f.number(1));
  // s = offset / (offset + 2), the divisor in two parts.
  Pair divisor = fastSum(f, f.number(2), offset);
  Value reciprocal = f.div(f.number(1), divisor.high);
  Value s = f.mul(offset, reciprocal);
  Value residue = f.fma(f.neg(s), divisor.high, offset);
  residue = f.fma(f.neg(s), divisor.low, residue);
  if (low) {
    // d(offset / (offset + 2)) = 2 / (offset + 2)^2 dx, of which the division has one factor.
    Value moved = f.ldexp(low, f.subInt(f.word(0), whole));
    residue = f.fma(moved, f.mul(f.number(2), reciprocal), residue);
  }
  Pair ratio = fastSum(f, s, f.mul(residue, reciprocal));
  Pair square = product(f, ratio.high, ratio.high);
  square.low = f.fma(f.add(ratio.high, ratio.high), ratio.low, square.low);
  Value z = square.high;
  // 2^-72 of the whole.
  Value tail =
      f.polynomial(z, {0x1.9999999999999p-3, 0x1.2492492492843p-3, 0x1.c71c71c657bc2p-4, 0x1.745d17d570112p-4,
                       0x1.3b13792f22857p-4, 0x1.111d9e9d81004p-4, 0x1.dea6fc458d8fdp-5, 0x1.e795901097dd0p-5});
  Pair inner = fastSum(f, f.number(thirdHigh), f.mul(z, tail));
  inner.low = f.add(inner.low, f.number(thirdLow));
  Pair correction = product(f, z, inner.high);
  correction.low = f.fma(z, inner.low, f.fma(square.low, inner.high, correction.low));
  Pair more = product(f, ratio.high, correction.high);
  more.low = f.fma(ratio.high, correction.low, f.fma(ratio.low, correction.high, more.low));
  Pair sum = fastSum(f, ratio.high, more.high);
  sum.low = f.add(sum.low, f.add(ratio.low, more.low));
  sum = fastSum(f, f.add(sum.high, sum.high), f.add(sum.low, sum.low));
  // whole * ln2 + sum; the first is the larger one or zero.
  whole = f.toReal(f.select(isDenormal, f.subInt(whole, f.word(54)), whole));
  Pair powers = product(f, whole, f.number(ln2High));
  powers.low = f.fma(whole, f.number(ln2Low), powers.low);
  Pair total = fastSum(f, powers.high, sum.high);
  Value isOne = f.is(Predicate::OEQ, whole, f.number(0));
  Value high = f.select(isOne, sum.high, total.high);
  Value rest = f.select(isOne, sum.low, f.add(total.low, f.add(powers.low, sum.low)));
  return fastSum(f, high, rest);
}

/// The cases of a logarithm's argument that aren't positive and finite.
Value logarithmCases(Builder &f, Value x, Value result) {
  result = f.select(f.is(Predicate::OEQ, x, f.number(infinity)), x, result);
  result = f.select(f.is(Predicate::OEQ, x, f.number(0)), f.number(-infinity), result);
  return f.select(f.is(Predicate::OGE, x, f.number(0)), result, f.number(nan));
}

Value log(Builder &f, Value x) { return logarithmCases(f, x, logarithm(f, x).high); }
Value logTo(Builder &f, Value x, double high, double low) {
  Pair result = times(f, logarithm(f, x), high, low);
  return logarithmCases(f, x, result.high);
}
Value log2(Builder &f, Value x) { return logTo(f, x, log2eHigh, log2eLow); }
Value log10(Builder &f, Value x) { return logTo(f, x, log10eHigh, log10eLow); }

/// The rounding error of 1 + x is carried along.
Value log1pOf(Builder &f, Value x) {
  Value one = f.number(1), sum = f.add(one, x);
  Value isSmall = f.is(Predicate::OLT, f.abs(x), one);
  Value low = f.select(isSmall, f.sub(x, f.sub(sum, one)), f.sub(one, f.sub(sum, x)));
  Value isFinite = f.isBelow(sum, infinity);
  low = f.select(isFinite, low, f.number(0));
  Value result = logarithmCases(f, sum, logarithm(f, sum, low).high);
  // Below half a place of one, x itself, the sign of zero included.
  return f.select(f.isBelow(f.abs(x), 0x1p-54), x, result);
}

/// |x| = quadrant * pi/2 + rest.
struct Reduced {
  Pair rest;
  Value quadrant;
};

/// Cody and Waite's: each product is a sum of two, and the count has 30 bits at most.
Reduced reduceSmall(Builder &f, Value magnitude) {
  constexpr double twoOverPi = 0x1.45f306dc9c883p-1, halfPiLowest = -0x1.f1976b7ed8fbcp-110;
  Value count = f.round(f.mul(magnitude, f.number(twoOverPi))), minus = f.neg(count);
  Pair first = product(f, minus, f.number(halfPiHigh)), second = product(f, minus, f.number(halfPiLow));
  // Exact, since both are close; the other parts may cancel what is left.
  Value high = f.add(magnitude, first.high);
  auto sum = [&](Value x, Value y) -> Pair {
    Value total = f.add(x, y), part = f.sub(total, x);
    return {total, f.add(f.sub(x, f.sub(total, part)), f.sub(y, part))};
  };
  Pair middle = sum(high, first.low), total = sum(middle.high, second.high);
  Value low = f.add(f.add(middle.low, total.low), f.fma(minus, f.number(halfPiLowest), second.low));
  return {fastSum(f, total.high, low), f.toInt(count)};
}

/// 192 bits of 2/pi as words, lowest first, from the bit on whose weight times 2^(exponent - 1075) is 2.
SmallVector<Value> windowOfTwoOverPi(Builder &f, Value exponent) {
  // A word of zeros, then 2/pi after the point.
  constexpr uint32_t twoOverPi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
                                    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c,
                                    0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4,
                                    0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf,
                                    0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea,
                                    0x6bfb5fb1, 0x1f8d5d08, 0x56033046};
  // The weight is 2^-(exponent - 1076), and the first bit's 2^31.
  constexpr uint32_t bias = 1076 - 31;
  constexpr size_t windowWords = 6;
  Value offset = f.subInt(exponent, f.word(bias));
  Value first = f.shr(offset, f.word(5)), shift = f.bitAnd(offset, f.word(31));
  SmallVector<Value> words;
  for (uint32_t word : twoOverPi)
    words.push_back(f.word(word));
  for (uint32_t step : {16u, 8u, 4u, 2u, 1u}) {
    Value moves = f.is(IntPredicate::ne, f.bitAnd(first, f.word(step)), f.word(0));
    const size_t kept = windowWords + step;
    for (size_t i = 0; i < kept; ++i)
      words[i] = f.select(moves, words[i + step], words[i]);
    words.resize(kept);
  }
  Value rest = f.subInt(f.word(31), shift);
  SmallVector<Value> window;
  for (size_t i = windowWords; i-- > 0;)
    window.push_back(f.bitOr(f.shl(words[i], shift), f.shr(f.shr(words[i + 1], f.word(1)), rest)));
  return window;
}

/// Payne and Hanek's, from 2^30 on: the mantissa times the window is x 2/pi modulo 4 in units of 2^-190, to 139 bits.
/// No f64 comes closer than 2^-62 to a multiple of pi/2.
Reduced reduceLarge(Builder &f, Value magnitude) {
  constexpr uint64_t mantissaBits = 52, hiddenBit = uint64_t(1) << mantissaBits;
  Value bits = f.longBits(magnitude), wordBits = f.longWord(32);
  Value mantissa = f.bitOr(f.bitAnd(bits, f.longWord(hiddenBit - 1)), f.longWord(hiddenBit));
  SmallVector<Value> window = windowOfTwoOverPi(f, f.narrow(f.shr(bits, f.longWord(mantissaBits))));
  SmallVector<Value> sum(window.size(), f.word(0));
  for (unsigned row : {0u, 1u}) {
    Value factor = f.wide(f.narrow(row ? f.shr(mantissa, wordBits) : mantissa)), carry;
    for (unsigned i = 0; i + row < sum.size(); ++i) {
      Value term = f.addInt(f.mulInt(factor, f.wide(window[i])), f.wide(sum[i + row]));
      if (carry)
        term = f.addInt(term, carry);
      sum[i + row] = f.narrow(term);
      carry = f.shr(term, wordBits);
    }
  }
  // The fraction from -1/2 to 1/2, as a sign and words of 32 bits after the point.
  SmallVector<Value> words;
  for (unsigned i = sum.size() - 1; i > 1; --i)
    words.push_back(f.bitOr(f.shl(sum[i], f.word(2)), f.shr(sum[i - 1], f.word(30))));
  Value sign = f.sar(words[0], f.word(31));
  auto part = [&](unsigned i, double unit) -> Value {
    Type f64 = f.shaped(f.b.getF64Type());
    return f.mul(f.make<arith::UIToFPOp>(f64, f.bitXor(words[i], sign)), f.number(unit));
  };
  Pair high = fastSum(f, part(0, 0x1p-32), part(1, 0x1p-64)), low = fastSum(f, part(2, 0x1p-96), part(3, 0x1p-128));
  Pair fraction = fastSum(f, high.high, low.high);
  fraction.low = f.add(fraction.low, f.add(high.low, low.low));
  Pair angle = times(f, fraction, halfPiHigh, halfPiLow);
  Value isNegative = f.is(IntPredicate::ne, sign, f.word(0));
  auto signedPart = [&](Value value) { return f.select(isNegative, f.neg(value), value); };
  Value quadrant = f.subInt(f.shr(sum.back(), f.word(30)), sign);
  return {{signedPart(angle.high), signedPart(angle.low)}, quadrant};
}

Reduced reduce(Builder &f, Value magnitude) {
  Value isLarge = f.is(Predicate::OGE, magnitude, f.number(0x1p30));
  auto side = [&](Reduced (*how)(Builder &, Value)) {
    return [&f, magnitude, how](OpBuilder &b, Location loc) {
      Builder inner{b, loc, f.like};
      const Reduced reduced = how(inner, magnitude);
      scf::YieldOp::create(b, loc, ValueRange{reduced.rest.high, reduced.rest.low, reduced.quadrant});
    };
  };
  auto choice = scf::IfOp::create(f.b, f.loc, isLarge, side(reduceLarge), side(reduceSmall));
  return {{choice.getResult(0), choice.getResult(1)}, choice.getResult(2)};
}

/// sin x for |x| <= pi/4; 2^-58 and 2^-64.
Value sineOf(Builder &f, Pair x) {
  Value z = f.mul(x.high, x.high), cube = f.mul(z, x.high);
  Value tail = f.polynomial(z, {0x1.111111110f869p-7, -0x1.a01a019c0f1b5p-13, 0x1.71de357553cdbp-19,
                                -0x1.ae5e64372b71ap-26, 0x1.5d92624a501dap-33});
  // x + cube (-1/6 + z tail) + low (1 - z / 2)
  Value correction = f.fma(z, f.fma(cube, tail, f.mul(x.low, f.number(-0.5))), x.low);
  return f.add(x.high, f.fma(cube, f.number(-0x1.5555555555549p-3), correction));
}
Value cosineOf(Builder &f, Pair x) {
  Value z = f.mul(x.high, x.high), half = f.mul(z, f.number(0.5)), one = f.number(1);
  Value tail = f.polynomial(z, {0x1.555555555554cp-5, -0x1.6c16c16c15199p-10, 0x1.a01a019cb399ap-16,
                                -0x1.27e4f80ad16a4p-22, 0x1.1ee9ec419f83cp-29, -0x1.8faeaec9b1f0ep-37});
  Value first = f.sub(one, half), error = f.sub(f.sub(one, first), half);
  return f.add(first, f.add(error, f.fma(f.mul(z, z), tail, f.neg(f.mul(x.high, x.low)))));
}

enum class Function { Sine, Cosine, Tangent };

Value trigonometric(Builder &f, Value x, Function function) {
  constexpr uint64_t signBit = uint64_t(1) << 63;
  Value magnitude = f.abs(x), sign = f.bitAnd(f.longBits(x), f.longWord(signBit));
  auto [rest, quadrant] = reduce(f, magnitude);
  Value sine = sineOf(f, rest), cosine = cosineOf(f, rest);
  Value isOdd = f.is(IntPredicate::ne, f.bitAnd(quadrant, f.word(1)), f.word(0));
  auto topBit = [&](Value value, unsigned bit) { return f.shl(f.wide(value), f.longWord(63 - bit)); };
  Value result;
  switch (function) {
  case Function::Sine:
    result = f.select(isOdd, cosine, sine);
    sign = f.bitXor(sign, f.bitAnd(topBit(quadrant, 1), f.longWord(signBit)));
    break;
  case Function::Cosine:
    result = f.select(isOdd, sine, cosine);
    sign = f.bitAnd(topBit(f.addInt(quadrant, f.word(1)), 1), f.longWord(signBit));
    break;
  case Function::Tangent:
    result = f.div(f.select(isOdd, cosine, sine), f.select(isOdd, sine, cosine));
    sign = f.bitXor(sign, f.bitAnd(topBit(quadrant, 0), f.longWord(signBit)));
    break;
  }
  result = f.fromLongBits(f.bitXor(f.longBits(result), sign));
  return f.select(f.isBelow(magnitude, infinity), result, f.number(nan));
}
Value sin(Builder &f, Value x) { return trigonometric(f, x, Function::Sine); }
Value cos(Builder &f, Value x) { return trigonometric(f, x, Function::Cosine); }
Value tan(Builder &f, Value x) { return trigonometric(f, x, Function::Tangent); }

/// e^(y log |x|), then the cases of C's pow.
Value pow(Builder &f, Value x, Value y) {
  constexpr double limit = 1100;
  Value magnitude = f.abs(x), zero = f.number(0), one = f.number(1);
  Pair logarithmOfX = logarithm(f, magnitude);
  Value high = f.mul(logarithmOfX.high, y);
  Value low = f.fma(logarithmOfX.low, y, f.fma(logarithmOfX.high, y, f.neg(high)));
  low = f.select(f.isBelow(f.abs(high), limit), low, zero);
  Value result = exponential(f, high, low);
  Value isZero = f.is(Predicate::OEQ, magnitude, zero),
        isInfinite = f.is(Predicate::OEQ, magnitude, f.number(infinity));
  Value grows = f.bitXor(isZero, f.isAbove(y, 0));
  result = f.select(f.bitOr(isZero, isInfinite), f.select(grows, f.number(infinity), zero), result);
  result = f.select(f.is(Predicate::OEQ, magnitude, one), one, result);

  auto isWhole = [&](Value value) { return f.is(Predicate::OEQ, f.trunc(value), value); };
  Value yIsWhole = isWhole(y), yIsEven = isWhole(f.mul(y, f.number(0.5)));
  Value signedResult = f.copySign(result, x);
  result = f.select(yIsEven, result, f.select(yIsWhole, signedResult, result));
  Value isNegative = f.bitAnd(f.isBelow(x, 0), f.isAbove(x, -infinity));
  result = f.select(isNegative, f.select(yIsWhole, result, f.number(nan)), result);
  result = f.select(f.is(Predicate::UNO, x, y), f.number(nan), result);
  Value isOne = f.bitOr(f.is(Predicate::OEQ, x, one), f.is(Predicate::OEQ, y, zero));
  return f.select(isOne, one, result);
}

Value tanh(Builder &f, Value x) {
  constexpr double largest = 22; // 1 beyond
  Value magnitude = f.abs(x);
  const Pair ratio = ratioWith(f, expm1Pair(f, f.add(magnitude, magnitude)), 2);
  Value result = f.select(f.isAbove(magnitude, largest), f.number(1), f.add(ratio.high, ratio.low));
  return f.copySign(keepNan(f, x, result), x);
}
Value sinh(Builder &f, Value x) {
  constexpr double large = 20; // e^-x doesn't count beyond
  Value magnitude = f.abs(x);
  const Pair power = expm1Pair(f, magnitude), ratio = ratioWith(f, power, 1);
  Pair sum = fastSum(f, power.high, ratio.high);
  Value small = f.mul(f.number(0.5), f.add(sum.high, f.add(sum.low, f.add(power.low, ratio.low))));
  Value result = f.select(f.isAbove(magnitude, large), exponential(f, magnitude, {}, -1), small);
  return f.copySign(keepNan(f, magnitude, result), x);
}
Value cosh(Builder &f, Value x) {
  Value half = exponential(f, f.abs(x), {}, -1);
  return f.abs(keepNan(f, x, f.add(half, f.div(f.number(0.25), half))));
}

Value asinh(Builder &f, Value x) {
  constexpr double large = 0x1p28; // log 2x beyond
  Value magnitude = f.abs(x), square = f.mul(magnitude, magnitude), one = f.number(1);
  Value root = f.sqrt(f.add(square, one));
  Value small = log1pOf(f, f.add(magnitude, f.div(square, f.add(root, one))));
  Value big = f.add(log(f, magnitude), f.number(ln2High));
  return f.copySign(f.select(f.isAbove(magnitude, large), big, small), x);
}
Value acosh(Builder &f, Value x) {
  constexpr double large = 0x1p28;
  Value offset = f.sub(x, f.number(1));
  Value small = log1pOf(f, f.add(offset, f.sqrt(f.fma(offset, offset, f.add(offset, offset)))));
  Value big = f.add(log(f, x), f.number(ln2High));
  return f.select(f.is(Predicate::OGE, offset, f.number(0)), f.select(f.isAbove(x, large), big, small), f.number(nan));
}
Value atanh(Builder &f, Value x) {
  Value magnitude = f.abs(x), twice = f.add(magnitude, magnitude);
  Value logarithmOfRatio = log1pOf(f, f.div(twice, f.sub(f.number(1), magnitude)));
  return f.copySign(f.mul(f.number(0.5), logarithmOfRatio), x);
}

/// atan of 0 <= x, reduced by multiples of pi/4; 2^-59.
Value arctangent(Builder &f, Value x) {
  constexpr double firstBound = 0x1.a827999fcef32p-2, secondBound = 0x1.3504f333f9de6p+1; // tan(pi/8), tan(3 pi/8)
  Value isMiddle = f.isAbove(x, firstBound), isLarge = f.isAbove(x, secondBound);
  Value one = f.number(1), zero = f.number(0);
  // An infinite divisor would leave no residue.
  constexpr double most = std::numeric_limits<double>::max();
  Value finite = f.select(f.isBelow(x, most), x, f.number(most));
  Value numerator = f.select(isLarge, f.number(-1), f.sub(finite, one));
  Pair sumWithOne = {f.add(finite, one), {}};
  sumWithOne.low = f.sub(one, f.sub(sumWithOne.high, finite)); // of x >= 1
  Value below = f.sub(finite, f.sub(sumWithOne.high, one));
  sumWithOne.low = f.select(f.isBelow(x, 1), below, sumWithOne.low);
  Value divisor = f.select(isLarge, finite, sumWithOne.high), divisorLow = f.select(isLarge, zero, sumWithOne.low);
  Value reciprocal = f.div(one, divisor), quotient = f.mul(numerator, reciprocal);
  Value residue = f.fma(f.neg(quotient), divisorLow, f.fma(f.neg(quotient), divisor, numerator));
  Value t = f.select(isMiddle, quotient, x), z = f.mul(t, t);
  Value low = f.select(isMiddle, f.mul(residue, reciprocal), zero);
  Value tail =
      f.polynomial(z, {-0x1.555555555553ep-2, 0x1.9999999995987p-3, -0x1.24924922b37a9p-3, 0x1.c71c70e827a86p-4,
                       -0x1.745cf9119a623p-4, 0x1.3b111c61ff7c5p-4, -0x1.10ebd93d058e5p-4, 0x1.df10f3c79b226p-5,
                       -0x1.9cd9551c3a1d8p-5, 0x1.37e45b5fb60a3p-5, -0x1.25867558314abp-6});
  auto base = [&](double whole) {
    return f.select(isLarge, f.number(whole), f.select(isMiddle, f.number(whole / 2), zero));
  };
  Value correction = f.fma(f.mul(t, z), tail, f.add(low, base(halfPiLow)));
  Pair sum = fastSum(f, base(halfPiHigh), t);
  return f.add(sum.high, f.add(sum.low, correction));
}
Value atan(Builder &f, Value x) { return f.copySign(keepNan(f, x, arctangent(f, f.abs(x))), x); }

Value atan2(Builder &f, Value y, Value x) {
  Value ordinate = f.abs(y), abscissa = f.abs(x);
  Value isSteep = f.is(Predicate::OGT, ordinate, abscissa);
  Value least = f.select(isSteep, abscissa, ordinate), most = f.select(isSteep, ordinate, abscissa);
  Value ratio = f.div(least, most);
  // 0 / 0 is 0 here, and infinity / infinity 1.
  ratio = f.select(f.is(Predicate::OEQ, most, f.number(0)), f.number(0), ratio);
  ratio = f.select(f.is(Predicate::OEQ, least, f.number(infinity)), f.number(1), ratio);
  Value angle = arctangent(f, ratio);
  auto from = [&](double high, double low, Value value) { return f.sub(f.number(high), f.sub(value, f.number(low))); };
  angle = f.select(isSteep, from(halfPiHigh, halfPiLow, angle), angle);
  Value isLeft = f.is(IntPredicate::slt, f.longBits(x), f.longWord(0));
  angle = f.select(isLeft, from(2 * halfPiHigh, 2 * halfPiLow, angle), angle);
  return f.select(f.is(Predicate::UNO, x, y), f.number(nan), f.copySign(angle, y));
}

/// Parts of asin, within 2^-55. For |x| <= 1/2 it is computed directly, else by the root of (1 - |x|) / 2, where
/// asin = base - 2 (root + tail).
struct ArcSine {
  Value isSmall, magnitude, root, tail;
};
ArcSine arcSine(Builder &f, Value x) {
  Value magnitude = f.abs(x), isSmall = f.is(Predicate::OLE, magnitude, f.number(0.5));
  Value rest = f.mul(f.sub(f.number(1), magnitude), f.number(0.5));
  Value root = f.sqrt(rest);
  // What the root's rounding lost.
  Value error = f.div(f.fma(f.neg(root), root, rest), f.add(root, root));
  error = f.select(f.is(Predicate::OEQ, root, f.number(0)), f.number(0), error);
  Value argument = f.select(isSmall, magnitude, root);
  Value z = f.select(isSmall, f.mul(magnitude, magnitude), rest);
  Value series =
      f.polynomial(z, {0x1.5555555555391p-3, 0x1.333333336eaa6p-4, 0x1.6db6db4247d84p-5, 0x1.f1c72c4da300cp-6,
                       0x1.6e89f210e549dp-6, 0x1.1c6c04ec476f0p-6, 0x1.c6faec87b17dfp-7, 0x1.8ed603ee827ddp-7,
                       0x1.ab28c4449573ep-8, 0x1.406734858cbb6p-6, -0x1.0a86e6c6dec04p-6, 0x1.05aad0adc30c5p-5});
  Value tail = f.fma(f.mul(argument, z), series, f.select(isSmall, f.number(0), error));
  return {isSmall, magnitude, argument, tail};
}
/// high + low - factor (value + tail), high being the largest.
Value differenceFrom(Builder &f, double high, double low, double factor, Value value, Value tail) {
  Pair sum = fastSum(f, f.number(high), f.mul(value, f.number(-factor)));
  return f.add(sum.high, f.add(sum.low, f.fma(tail, f.number(-factor), f.number(low))));
}
Value asin(Builder &f, Value x) {
  const ArcSine parts = arcSine(f, x);
  Value large = differenceFrom(f, halfPiHigh, halfPiLow, 2, parts.root, parts.tail);
  return f.copySign(f.select(parts.isSmall, f.add(parts.root, parts.tail), large), x);
}
Value acos(Builder &f, Value x) {
  const ArcSine parts = arcSine(f, x);
  Value middle = differenceFrom(f, halfPiHigh, halfPiLow, 1, f.copySign(parts.root, x), f.copySign(parts.tail, x));
  Value right = f.mul(f.add(parts.root, parts.tail), f.number(2));
  Value left = differenceFrom(f, 2 * halfPiHigh, 2 * halfPiLow, 2, parts.root, parts.tail);
  return f.select(parts.isSmall, middle, f.select(f.isBelow(x, 0), left, right));
}

/// A step of Newton's on an estimate by logarithms.
Value cbrt(Builder &f, Value x) {
  constexpr double small = 0x1p-900;
  Value magnitude = f.abs(x), isSmall = f.isBelow(magnitude, small);
  Value scaled = f.select(isSmall, f.mul(magnitude, f.number(0x1p300)), magnitude);
  Value root = exponential(f, f.mul(logarithm(f, scaled).high, f.number(1.0 / 3)));
  Pair square = product(f, root, root), cube = product(f, square.high, root);
  cube.low = f.fma(square.low, root, cube.low);
  Value error = f.sub(f.sub(scaled, cube.high), cube.low);
  Value better = f.add(root, f.div(error, f.mul(f.number(3), square.high)));
  Value result = f.select(isSmall, f.mul(better, f.number(0x1p-100)), better);
  Value isOrdinary = f.bitAnd(f.isAbove(magnitude, 0), f.isBelow(magnitude, infinity));
  return f.copySign(f.select(isOrdinary, result, magnitude), x);
}

template <typename Op, Value (*compute)(Builder &, Value)> struct ExpandUnary : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF64())
      return failure();
    return replaceElements(op, rewriter, [](OpBuilder &builder, Location loc, ValueRange operands) {
      Builder f{builder, loc, builder.getF64Type()};
      return compute(f, operands[0]);
    });
  }
};

template <typename Op, Value (*compute)(Builder &, Value, Value)> struct ExpandBinary : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF64())
      return failure();
    return replaceElements(op, rewriter, [](OpBuilder &builder, Location loc, ValueRange operands) {
      Builder f{builder, loc, builder.getF64Type()};
      return compute(f, operands[0], operands[1]);
    });
  }
};
} // namespace

void populateF64Expansions(RewritePatternSet &patterns) {
  // Above the expansions that serve every width.
  const PatternBenefit benefit(8);
  patterns.add<ExpandUnary<math::ExpOp, exp>, ExpandUnary<math::Exp2Op, exp2>, ExpandUnary<math::ExpM1Op, expm1>,
               ExpandUnary<math::LogOp, log>, ExpandUnary<math::Log2Op, log2>, ExpandUnary<math::Log10Op, log10>,
               ExpandUnary<math::Log1pOp, log1pOf>, ExpandUnary<math::SinOp, sin>, ExpandUnary<math::CosOp, cos>,
               ExpandUnary<math::TanOp, tan>, ExpandUnary<math::TanhOp, tanh>, ExpandUnary<math::SinhOp, sinh>,
               ExpandUnary<math::CoshOp, cosh>, ExpandUnary<math::AsinhOp, asinh>, ExpandUnary<math::AcoshOp, acosh>,
               ExpandUnary<math::AtanhOp, atanh>, ExpandUnary<math::AtanOp, atan>, ExpandUnary<math::AsinOp, asin>,
               ExpandUnary<math::AcosOp, acos>, ExpandUnary<math::CbrtOp, cbrt>, ExpandBinary<math::PowFOp, pow>,
               ExpandBinary<math::Atan2Op, atan2>>(patterns.getContext(), benefit);
}

} // namespace inflight
