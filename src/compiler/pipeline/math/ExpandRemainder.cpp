// C's fmod, exactly, for all quotients.
//
// A difference r - q d is exact if q is the whole part of r / d and has fewer bits than the format: what remains is a
// multiple of the last place of d and below d. A quotient that division rounded up to a whole number is one too
// large, and d is added again. Larger quotients are taken apart: r mod (d 2^n) first, with n so that the quotient has
// 51 bits in f64, which holds the numbers of all narrower formats.
#include "compiler/pipeline/math/ExpandFloats.h"

#include "compiler/pipeline/math/FloatBuilder.h"

using namespace mlir;

namespace inflight {

namespace {
using Predicate = arith::CmpFPredicate;
using IntPredicate = arith::CmpIPredicate;

/// x mod y, for x >= 0, y > 0 and a quotient whose whole part is exact.
Value remainderStep(FloatBuilder &f, Value x, Value y, Value zero) {
  Value quotient = f.trunc(f.div(x, y));
  Value rest = f.fma(f.neg(quotient), y, x);
  return f.select(f.is(Predicate::OLT, rest, zero), f.add(rest, y), rest);
}

/// The exponent of a positive f64; denormals included.
Value exponentOf(FloatBuilder &f, Value x) {
  constexpr int mantissaBits = 52, scale = 54;
  auto field = [&](Value value) { return f.narrow(f.shr(f.longBits(value), f.longWord(mantissaBits))); };
  Value normal = field(x), scaled = f.subInt(field(f.mul(x, f.real(0x1p54))), f.word(scale));
  return f.select(f.is(IntPredicate::eq, normal, f.word(0)), scaled, normal);
}

/// x mod y in f64 for any x >= 0 and y >= 0, NaN where C says so.
Value remainderOfLarge(FloatBuilder &f, Value x, Value y) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Value zero = f.real(0), one = f.real(1);
  Value isValid = f.bitAnd(f.is(Predicate::OLT, x, f.real(infinity)), f.is(Predicate::OGT, y, zero));
  Value start = f.select(isValid, x, zero), divisor = f.select(isValid, y, one);
  auto loop = scf::WhileOp::create(
      f.b, f.loc, TypeRange{start.getType()}, ValueRange{start},
      [&](OpBuilder &b, Location loc, ValueRange rest) {
        FloatBuilder inner{b, loc, f.like};
        Value goesOn = inner.is(Predicate::OGE, rest[0], divisor);
        scf::ConditionOp::create(b, loc, goesOn, rest);
      },
      [&](OpBuilder &b, Location loc, ValueRange rest) {
        FloatBuilder inner{b, loc, f.like};
        constexpr int quotientBits = 50;
        Value distance = inner.subInt(exponentOf(inner, rest[0]), exponentOf(inner, divisor));
        Value excess = inner.subInt(distance, inner.word(quotientBits));
        Value shift = inner.select(inner.is(IntPredicate::sgt, excess, inner.word(0)), excess, inner.word(0));
        Value next = remainderStep(inner, rest[0], inner.ldexp(divisor, shift), inner.real(0));
        scf::YieldOp::create(b, loc, next);
      });
  return f.select(isValid, loop.getResult(0), f.real(std::numeric_limits<double>::quiet_NaN()));
}

/// The remainder in f32 or f64. Most quotients take one step; what doesn't is in a branch that waves without such lanes
/// skip.
Value remainderOf(FloatBuilder &f, Value x, Value y) {
  const bool isDouble = f.like.isF64();
  auto number = [&](double value) { return isDouble ? f.real(value) : f.single(float(value)); };
  Value magnitude = f.abs(x), divisor = f.abs(y), zero = number(0);
  Value isNear = f.is(Predicate::OLT, magnitude, f.mul(divisor, number(isDouble ? 0x1p50 : 0x1p22)));
  auto choice = scf::IfOp::create(
      f.b, f.loc, isNear,
      [&](OpBuilder &b, Location loc) {
        FloatBuilder inner{b, loc, f.like};
        // An infinite divisor leaves x as it is.
        Value isBelow = inner.is(Predicate::OLT, magnitude, divisor);
        Value rest = remainderStep(inner, magnitude, divisor, zero);
        scf::YieldOp::create(b, loc, inner.select(isBelow, magnitude, rest));
      },
      [&](OpBuilder &b, Location loc) {
        FloatBuilder inner{b, loc, f.like};
        Value rest = isDouble
                         ? remainderOfLarge(inner, magnitude, divisor)
                         : inner.narrowed(remainderOfLarge(inner, inner.widened(magnitude), inner.widened(divisor)));
        scf::YieldOp::create(b, loc, rest);
      });
  return f.copySign(choice.getResult(0), x);
}

struct ExpandRemainder : OpRewritePattern<arith::RemFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::RemFOp op, PatternRewriter &rewriter) const override {
    const Type element = getElementTypeOrSelf(op.getType());
    if (!element.isF64() && !element.isF32() && !element.isF16() && !element.isBF16())
      return failure();
    return replaceElements(op, rewriter, [&](OpBuilder &builder, Location loc, ValueRange operands) -> Value {
      // Differences of halves are no denormal singles.
      Type computed = element.getIntOrFloatBitWidth() < 32 ? builder.getF32Type() : element;
      if (computed.isF32() && !element.isF16() && flushesSingles(op))
        computed = builder.getF64Type();
      FloatBuilder f{builder, loc, computed};
      if (computed == element)
        return remainderOf(f, operands[0], operands[1]);
      auto wider = [&](Value x) -> Value { return arith::ExtFOp::create(builder, loc, computed, x); };
      return arith::TruncFOp::create(builder, loc, element, remainderOf(f, wider(operands[0]), wider(operands[1])));
    });
  }
};
} // namespace

void populateRemainderExpansion(RewritePatternSet &patterns) { patterns.add<ExpandRemainder>(patterns.getContext()); }

} // namespace inflight
