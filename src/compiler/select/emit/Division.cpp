// Division of integers: by constants, of 32 bits through single floats, of 64 bits through doubles.
#include "compiler/select/emit/Division.h"

#include "llvm/Support/DivisionByConstantInfo.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::select {

Elem Division::divideByConstant(Elem a, uint32_t divisor) {
  if (divisor == 1)
    return a;
  if (isPowerOf2_32(divisor))
    return lshr(a, Elem::constant(Log2_32(divisor)));
  // Hacker's Delight, chapter 10, as LLVM's DivisionByConstantInfo computes it.
  auto magic = UnsignedDivisionByConstantInfo::get(APInt(32, divisor));
  if (magic.PreShift)
    a = lshr(a, Elem::constant(magic.PreShift));
  Elem quotient = mulHighU(a, Elem::constant(magic.Magic.getZExtValue()));
  if (magic.IsAdd) {
    Elem rest = lshr(sub(a, quotient), Elem::constant(1));
    quotient = add(rest, quotient);
  }
  return lshr(quotient, Elem::constant(magic.PostShift));
}

Elem Division::divideBySignedConstant(Elem a, int32_t divisor) {
  constexpr unsigned bits = 32;
  auto magic = SignedDivisionByConstantInfo::get(APInt(bits, divisor, /*isSigned=*/true));
  Elem quotient = mulHighS(a, Elem::constant(magic.Magic.getZExtValue()));
  if (divisor > 0 && magic.Magic.isNegative())
    quotient = add(quotient, a);
  else if (divisor < 0 && magic.Magic.isStrictlyPositive())
    quotient = sub(quotient, a);
  // One more where that is negative: it rounds towards zero.
  const Elem isNegative = lshr(quotient, Elem::constant(bits - 1));
  return add(ashr(quotient, Elem::constant(magic.ShiftAmount)), isNegative);
}

// Small numbers: singles hold them exactly. The reciprocal is one unit in the last place off at most (ISA manuals),
// 2^-23 of it, and the product is rounded by 2^-24. Of a quotient below 2^22 that is less than one: what is left of it
// is one too large or too small at most. One less is taken, so that nothing is negative, and two corrections are left.
//
// Others: a reciprocal of 32 bits from the float one and one Newton step, then at most two corrections: the sequence
// LLVM proves in AMDGPUCodeGenPrepare (expandDivRem32).
Elem Division::divideUnsigned(Elem a, Elem b, bool remainder, bool areSmall) {
  if (b.isImm && b.imm) {
    if (isPowerOf2_32(b.imm) && remainder)
      return bitAnd(a, Elem::constant(b.imm - 1));
    Elem quotient = divideByConstant(a, b.imm);
    return remainder ? sub(a, mul(quotient, b)) : quotient;
  }
  const bool scalar = isScalar(a) && isScalar(b);
  const Elem x = scalar ? toSgpr(a) : toVgpr(a), y = scalar ? toSgpr(b) : toVgpr(b);
  const Elem reciprocal = pure(v_rcp_iflag_f32, {pure(v_cvt_f32_u32, {y}, false)}, false);
  const Elem factor = areSmall ? pure(v_cvt_f32_u32, {x}, false) : Elem::constant(0x4f7ffffe);
  Elem estimate = pure(v_cvt_u32_f32, {pure(v_mul_f32, {factor, reciprocal}, false)}, false);
  // Only floats need the vector unit.
  if (scalar)
    estimate = toSgpr(estimate);
  const Elem negated = sub(Elem::constant(0), y);
  Elem quotient, rest;
  if (areSmall) {
    const Elem product = scalar ? mul(estimate, y) : pure(v_mul_u32_u24, {estimate, y}, false);
    quotient = sub(estimate, Elem::constant(1));
    rest = add(sub(x, product), y);
  } else {
    estimate = add(estimate, mulHighU(estimate, mul(negated, estimate)));
    quotient = mulHighU(x, estimate);
    rest = sub(x, mul(quotient, y));
  }
  // A divisor fits if the sum with 2^32 - y carries: into the quotient. Where it doesn't, the sum is above what it was.
  for (int step = 0; step < 2; ++step) {
    const Elems less =
        remainder ? Elems{add(rest, negated), quotient} : add64({rest, quotient}, {negated, Elem::constant(0)});
    quotient = less[1];
    rest = minMax(v_min_u32, rest, less[0]);
  }
  return remainder ? rest : quotient;
}

Elem Division::absolute(Elem a) {
  if (a.isImm)
    return Elem::constant(int32_t(a.imm) < 0 ? 0 - a.imm : a.imm);
  return isScalar(a) ? pure(s_abs_i32, {a}, true) : pure(v_max_i32, {a, sub(Elem::constant(0), a)}, false);
}

Elem Division::divideSigned(Elem a, Elem b, bool remainder, bool areSmall) {
  if (b.isImm && isPowerOf2_32(b.imm) && int32_t(b.imm) > 0) {
    if (b.imm == 1)
      return remainder ? Elem::constant(0) : a;
    // Negative dividends round towards zero: add divisor - 1 first.
    unsigned bits = Log2_32(b.imm);
    Elem bias = lshr(ashr(a, Elem::constant(31)), Elem::constant(32 - bits));
    Elem biased = add(a, bias);
    if (remainder)
      return sub(a, bitAnd(biased, Elem::constant(~(b.imm - 1))));
    return ashr(biased, Elem::constant(bits));
  }
  if (b.isImm && !a.isImm && b.imm && !isPowerOf2_32(absolute(b).imm)) {
    const Elem quotient = divideBySignedConstant(a, int32_t(b.imm));
    return remainder ? sub(a, mul(quotient, b)) : quotient;
  }
  const Elem result = divideUnsigned(absolute(a), absolute(b), remainder, areSmall);
  const Elem sign = ashr(remainder ? a : bitXor(a, b), Elem::constant(31));
  return sub(bitXor(result, sign), sign);
}

static constexpr unsigned half = 32; ///< bits

Elems Division::mulHigh64(ArrayRef<Elem> a, ArrayRef<Elem> b) {
  const Elem zero = Elem::constant(0);
  auto product = [&](Elem x, Elem y) { return mul64({x, zero}, {y, zero}); };
  Elems first = add64(product(a[1], b[0]), {mulHighU(a[0], b[0]), zero});
  Elems second = add64(product(a[0], b[1]), {first[0], zero});
  return add64(product(a[1], b[1]), add64({first[1], zero}, {second[1], zero}));
}

Elems Division::divide64ByConstant(ArrayRef<Elem> a, uint64_t divisor) {
  if (isPowerOf2_64(divisor))
    return shift64(Shift::Logical, a, Elem::constant(Log2_64(divisor)));
  auto magic = UnsignedDivisionByConstantInfo::get(APInt(64, divisor));
  Elems dividend = shift64(Shift::Logical, a, Elem::constant(magic.PreShift));
  Elems quotient = mulHigh64(dividend, constantPair(magic.Magic.getZExtValue()));
  if (magic.IsAdd) {
    Elems rest = shift64(Shift::Logical, add64(dividend, quotient, /*subtract=*/true), Elem::constant(1));
    quotient = add64(rest, quotient);
  }
  return shift64(Shift::Logical, quotient, Elem::constant(magic.PostShift));
}

Elems Division::toDouble(ArrayRef<Elem> a, bool isSigned) {
  Elems low = pureTuple(v_cvt_f64_u32, 2, {operand(a[0])}, false);
  if (a[1].isImm && a[1].imm == 0)
    return low;
  Elems high = pureTuple(isSigned ? v_cvt_f64_i32 : v_cvt_f64_u32, 2, {operand(a[1])}, false);
  return valu64(v_add_f64, {valu64(v_ldexp_f64, {high, {Elem::constant(half)}}), low});
}

Elems Division::toOdd53(ArrayRef<Elem> a, bool isSigned) {
  constexpr uint32_t dropped = 0x7ff;
  // A bit for what is dropped, where more than 53 bits count.
  Elem sticky = add(bitAnd(a[0], Elem::constant(dropped)), Elem::constant(dropped));
  Elem odd = bitAnd(bitOr(a[0], sticky), Elem::constant(~dropped));
  constexpr uint32_t limit = 1u << (53 - half);
  Elem high = isSigned ? add(a[1], Elem::constant(limit)) : a[1];
  Elems isLong = compare(Predicate::uge, {high}, {Elem::constant(isSigned ? 2 * limit : limit)});
  return {selectElem(isLong, odd, a[0]), a[1]};
}

Elems Division::fromDouble(const Elems &value, bool isSigned) {
  auto use = [&](const Elems &part) { return Operand::use(tuple(part, RegFile::Vgpr)); };
  Elems high = valu64(v_floor_f64, {valu64(v_ldexp_f64, {value, {Elem::constant(-half)}})});
  Elems taken = valu64(v_ldexp_f64, {high, {Elem::constant(half)}});
  Elems low = pureTuple(v_add_f64, 2, {use(value), use(taken).neg()}, false);
  return {pureTuple(v_cvt_u32_f64, 1, {use(low)}, false)[0],
          pureTuple(isSigned ? v_cvt_i32_f64 : v_cvt_u32_f64, 1, {use(high)}, false)[0]};
}

// A double holds 53 bits, so two steps give all 64. The reciprocal is made too small by 2^-49, more than all roundings
// together: v_rcp_f64 (2^-23, ISA manuals) after two Newton steps (2^-52), the conversions and the product (2^-53
// each). So no partial quotient exceeds the true one, and no remainder is negative. The first quotient is at most 2^16
// + 1 too small, the second one at most 1.
Elems Division::divide64ByDoubles(ArrayRef<Elem> a, ArrayRef<Elem> b, bool remainder) {
  constexpr uint64_t one = 0x3ff0000000000000, belowOne = 0x3feffffffffffff0; // 1 - 2^-49
  auto fma = [&](Operand x, Operand y, Operand z) { return pureTuple(v_fma_f64, 2, {x, y, z}, false); };
  auto use = [&](const Elems &value) { return Operand::use(tuple(value, RegFile::Vgpr)); };
  const Elems divisor = toDouble(b, false);
  Elems reciprocal = valu64(v_rcp_f64, {divisor});
  const Operand targets[] = {Operand::imm64(one), Operand::use(tuple(constantPair(belowOne), RegFile::Sgpr))};
  for (const Operand &target : targets) {
    Elems error = fma(use(divisor).neg(), use(reciprocal), target);
    reciprocal = fma(use(error), use(reciprocal), use(reciprocal));
  }
  Elems quotient = fromDouble(valu64(v_mul_f64, {toDouble(a, false), reciprocal}), false);
  Elems rest = add64(a, mul64(quotient, b), /*subtract=*/true);
  Elems more = pureTuple(v_cvt_u32_f64, 1, {use(valu64(v_mul_f64, {toDouble(rest, false), reciprocal}))}, false);
  more.push_back(Elem::constant(0));
  rest = add64(rest, mul64(more, b), /*subtract=*/true);
  Elems fits = compare(Predicate::uge, rest, b);
  if (remainder) {
    Elems less = add64(rest, b, /*subtract=*/true);
    return {selectElem(fits, less[0], rest[0]), selectElem(fits, less[1], rest[1])};
  }
  quotient = add64(quotient, more);
  return add64(quotient, {selectElem(fits, Elem::constant(1), Elem::constant(0)), Elem::constant(0)});
}

Elems Division::divide64(ArrayRef<Elem> a, ArrayRef<Elem> b, MayBeNegative negative, bool remainder) {
  const uint64_t constant = b[0].isImm && b[1].isImm ? Make_64(b[1].imm, b[0].imm) : 0;
  auto less = [&](ArrayRef<Elem> x, ArrayRef<Elem> y) { return add64(x, y, /*subtract=*/true); };
  if (negative.dividend || negative.divisor) {
    auto signOf = [&](ArrayRef<Elem> v, bool isSigned) {
      return isSigned ? ashr(v[1], Elem::constant(31)) : Elem::constant(0);
    };
    const Elem signA = signOf(a, negative.dividend), signB = signOf(b, negative.divisor);
    if (isPowerOf2_64(constant) && int64_t(constant) > 1) {
      // Negative dividends round towards zero: add divisor - 1 first.
      const unsigned bits = Log2_64(constant);
      Elems biased = add64(a, shift64(Shift::Logical, {signA, signA}, Elem::constant(64 - bits)));
      Elems quotient = shift64(Shift::Arithmetic, biased, Elem::constant(bits));
      return remainder ? less(a, shift64(Shift::Left, quotient, Elem::constant(bits))) : quotient;
    }
    auto negateIf = [&](ArrayRef<Elem> v, Elem sign) {
      return less({bitXor(v[0], sign), bitXor(v[1], sign)}, {sign, sign});
    };
    Elems result = divide64(negateIf(a, signA), negateIf(b, signB), {}, remainder);
    return negateIf(result, remainder ? signA : bitXor(signA, signB));
  }
  if (constant) {
    if (remainder && isPowerOf2_64(constant))
      return {bitAnd(a[0], Elem::constant(Lo_32(constant - 1))), bitAnd(a[1], Elem::constant(Hi_32(constant - 1)))};
    Elems quotient = divide64ByConstant(a, constant);
    return remainder ? less(a, mul64(quotient, b)) : quotient;
  }
  Elems result = divide64ByDoubles(a, b, remainder);
  if (allScalar(a) && allScalar(b))
    result = {toSgpr(result[0]), toSgpr(result[1])};
  return result;
}

} // namespace inflight::select
