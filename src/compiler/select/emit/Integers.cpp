// Integer arithmetic on 32-bit elements and pairs.
#include "compiler/select/emit/Integers.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::select {

Elem Integers::onEither(Mnemonic onScalars, Mnemonic onVectors, Elem a, Elem b) {
  const bool scalar = isScalar(a) && isScalar(b);
  return pure(scalar ? onScalars : onVectors, {a, b}, scalar);
}

Elem Integers::add(Elem a, Elem b) {
  if (a.isImm)
    std::swap(a, b);
  if (a.isImm)
    return Elem::constant(a.imm + b.imm);
  if (b.isImm && b.imm == 0)
    return a;
  return onEither(s_add_i32, v_add_u32, a, b);
}

Elem Integers::sub(Elem a, Elem b) {
  if (a.isImm && b.isImm)
    return Elem::constant(a.imm - b.imm);
  if (b.isImm)
    return add(a, Elem::constant(-b.imm));
  bool scalar = isScalar(a) && isScalar(b);
  if (scalar)
    return pure(s_sub_i32, {a, b}, true);
  return isScalar(b) ? pure(v_subrev_u32, {b, a}, false) : pure(v_sub_u32, {a, b}, false);
}

Elem Integers::mul(Elem a, Elem b) {
  if (a.isImm)
    std::swap(a, b);
  if (a.isImm)
    return Elem::constant(a.imm * b.imm);
  if (b.isImm) {
    if (b.imm == 0)
      return b;
    if (isPowerOf2_32(b.imm))
      return shl(a, Elem::constant(Log2_32(b.imm)));
  }
  return onEither(s_mul_i32, v_mul_lo_u32, a, b);
}

Elem Integers::mulHighU(Elem a, Elem b) {
  if (a.isImm && b.isImm)
    return Elem::constant(uint32_t((uint64_t(a.imm) * b.imm) >> 32));
  if ((a.isImm && a.imm <= 1) || (b.isImm && b.imm <= 1))
    return Elem::constant(0);
  if (b.isImm && isPowerOf2_32(b.imm))
    return lshr(a, Elem::constant(32 - Log2_32(b.imm)));
  return onEither(s_mul_hi_u32, v_mul_hi_u32, a, b);
}

Elem Integers::mulHighS(Elem a, Elem b) {
  if (a.isImm && b.isImm)
    return Elem::constant(uint32_t((int64_t(int32_t(a.imm)) * int32_t(b.imm)) >> 32));
  return onEither(s_mul_hi_i32, v_mul_hi_i32, a, b);
}

/// `and` or `or`: of a value and itself they are the value.
Elem Integers::andOr(bool isAnd, Elem a, Elem b) {
  if (a.isImm)
    std::swap(a, b);
  if (a.isImm)
    return Elem::constant(isAnd ? a.imm & b.imm : a.imm | b.imm);
  if (b.isImm && (b.imm == 0 || b.imm == ~0u))
    return bool(b.imm) == isAnd ? a : b;
  if (a == b)
    return a;
  if (!isAnd)
    return onEither(s_or_b32, v_or_b32, a, b);
  if (!b.isImm)
    return onEither(s_and_b32, v_and_b32, a, b);
  a = withBits(a, b.imm);
  const uint32_t possible = possibleBits(a);
  if (!(possible & b.imm))
    return Elem::constant(0);
  if (!(possible & ~b.imm))
    return a;
  const Elem result = onEither(s_and_b32, v_and_b32, a, b);
  state.bitsOf[{result.reg.id, result.reg.sub}] = {s_and_b32, a, b.imm};
  return result;
}

const Emission::MaskedOrShifted *Integers::madeOf(const Elem &word) const {
  if (word.isImm)
    return nullptr;
  const auto found = state.bitsOf.find({word.reg.id, word.reg.sub});
  return found == state.bitsOf.end() ? nullptr : &found->second;
}

/// Chains of masks and shifts are short.
constexpr unsigned longestChain = 4;

uint32_t Integers::possibleBits(const Elem &word, unsigned depth) const {
  if (word.isImm)
    return word.imm;
  if (auto loaded = state.loadedBits.find({word.reg.id, word.reg.sub}); loaded != state.loadedBits.end())
    return loaded->second;
  const Emission::MaskedOrShifted *made = depth < longestChain ? madeOf(word) : nullptr;
  if (!made)
    return ~0u;
  const uint32_t inner = possibleBits(made->word, depth + 1);
  switch (made->how) {
  case s_and_b32: return inner & made->constant;
  case s_lshl_b32: return inner << made->constant;
  default: return inner >> made->constant;
  }
}

Elem Integers::withBits(Elem word, uint32_t bits) {
  for (const Emission::MaskedOrShifted *made; (made = madeOf(word));) {
    if (made->how == s_and_b32) {
      if (bits & ~made->constant)
        return word;
      word = made->word;
      continue;
    }
    // Left and back: what is lost at the top isn't asked for.
    const Emission::MaskedOrShifted *inner = made->how == s_lshr_b32 ? madeOf(made->word) : nullptr;
    if (!inner || inner->how != s_lshl_b32 || inner->constant < made->constant || bits & ~(~0u >> made->constant))
      return word;
    const uint32_t left = inner->constant - made->constant;
    const Elem source = withBits(inner->word, bits >> left);
    return shl(source, Elem::constant(left));
  }
  return word;
}

Elem Integers::bitXor(Elem a, Elem b) {
  if (a.isImm)
    std::swap(a, b);
  if (a.isImm)
    return Elem::constant(a.imm ^ b.imm);
  if (b.isImm && !a.isImm)
    if (auto inner = state.xorOf.find({a.reg.id, a.reg.sub}); inner != state.xorOf.end()) {
      a = inner->second.first;
      b.imm ^= inner->second.second;
    }
  if (b.isImm && b.imm == 0)
    return a;
  const Elem result = onEither(s_xor_b32, v_xor_b32, a, b);
  if (b.isImm)
    state.xorOf[{result.reg.id, result.reg.sub}] = {a, b.imm};
  return result;
}

// The vector unit's shifts take the amount first. Only the low five bits of an amount count, as in
// LLVM where larger amounts are poison.
Elem Integers::shift(Shift which, Elem a, Elem amount) {
  if (amount.isImm && amount.imm == 0)
    return a;
  const unsigned bits = amount.imm & 31;
  if (a.isImm && amount.isImm)
    return Elem::constant(which == Shift::Left      ? a.imm << bits
                          : which == Shift::Logical ? a.imm >> bits
                                                    : uint32_t(int32_t(a.imm) >> bits));
  if (amount.isImm) {
    a = withBits(a, which == Shift::Left ? ~0u >> bits : ~0u << bits);
    // Down and up again by as much clears the low bits.
    const Emission::MaskedOrShifted *made = which == Shift::Left ? madeOf(a) : nullptr;
    if (made && made->how == s_lshr_b32 && made->constant == bits)
      return bitAnd(made->word, Elem::constant(~0u << bits));
  }
  constexpr Mnemonic onScalars[] = {s_lshl_b32, s_lshr_b32, s_ashr_i32};
  constexpr Mnemonic onVectors[] = {v_lshlrev_b32, v_lshrrev_b32, v_ashrrev_i32};
  Elem result = isScalar(a) && isScalar(amount) ? pure(onScalars[unsigned(which)], {a, amount}, true)
                                                : pure(onVectors[unsigned(which)], {amount, a}, false);
  if (which != Shift::Arithmetic && amount.isImm)
    state.bitsOf[{result.reg.id, result.reg.sub}] = {onScalars[unsigned(which)], a, bits};
  if (which == Shift::Arithmetic && amount.isImm && amount.imm == 31)
    state.signOf[{result.reg.id, result.reg.sub}] = a;
  return result;
}

static Mnemonic scalarMinMax(Mnemonic vector) {
  switch (vector) {
  case v_min_i32: return s_min_i32;
  case v_max_i32: return s_max_i32;
  case v_min_u32: return s_min_u32;
  default: return s_max_u32;
  }
}

Elem Integers::minMax(Mnemonic which, Elem a, Elem b) { return onEither(scalarMinMax(which), which, a, b); }

Elem Integers::signExtend(Elem value, unsigned bits) {
  if (bits == 32)
    return value;
  if (value.isImm)
    return Elem::constant(SignExtend32(value.imm, bits));
  if (isScalar(value)) {
    if (bits == 8 || bits == 16)
      return pure(bits == 8 ? s_sext_i32_i8 : s_sext_i32_i16, {value}, true);
    return pure(s_bfe_i32, {value, Elem::constant(bits << 16)}, true);
  }
  return pure(v_bfe_i32, {value, Elem::constant(0), Elem::constant(bits)}, false);
}

Elem Integers::zeroExtend(Elem value, unsigned bits) {
  return bits == 32 ? value : bitAnd(value, Elem::constant(maskTrailingOnes<uint32_t>(bits)));
}

Elems Integers::add64(ArrayRef<Elem> a, ArrayRef<Elem> b, bool subtract) {
  auto isZero = [](ArrayRef<Elem> v) { return v[0].isImm && v[1].isImm && !v[0].imm && !v[1].imm; };
  if (isZero(b))
    return Elems(a);
  if (isZero(a) && !subtract)
    return Elems(b);
  if (a[0].isImm && a[1].isImm && b[0].isImm && b[1].isImm) {
    uint64_t x = Make_64(a[1].imm, a[0].imm), y = Make_64(b[1].imm, b[0].imm);
    uint64_t sum = subtract ? x - y : x + y;
    return constantPair(sum);
  }
  if (subtract && b[0].isImm && b[1].isImm) {
    uint64_t negated = -Make_64(b[1].imm, b[0].imm);
    return add64(a, constantPair(negated));
  }
  if (allScalar(a) && allScalar(b)) {
    SmallVector<Elem, 2> low{a[0], b[0]}, high{a[1], b[1]};
    legalize(s_add_u32, low);
    legalize(s_addc_u32, high);
    const Operand sources[] = {operand(low[0]), operand(low[1]), operand(high[0]), operand(high[1])};
    return pureSequence(subtract ? "s_sub_u64" : "s_add_u64", 2, sources, true, [&](unsigned block, Reg sum) {
      emitInto(block, makeInst(subtract ? s_sub_u32 : s_add_u32, {Operand::def(sum.piece(0)), sources[0], sources[1]}));
      emitInto(block,
               makeInst(subtract ? s_subb_u32 : s_addc_u32, {Operand::def(sum.piece(1)), sources[2], sources[3]}));
    });
  }
  if (!subtract)
    if (std::optional<Elems> sum = shiftAdd64(a, 0, b))
      return *sum;
  // The carry takes the one scalar operand of the upper addition; the lower one has one of its own.
  auto inlineOrVector = [&](const Elem &e) { return e.isImm && isInline(e.imm) ? e : toVgpr(e); };
  Elem low0 = a[0], low1 = b[0];
  if (!subtract && !isScalar(low0))
    std::swap(low0, low1);
  if (low0.isImm && !isInline(low0.imm))
    low0 = toSgpr(low0);
  const Operand sources[] = {operand(low0), operand(toVgpr(low1)), operand(inlineOrVector(a[1])),
                             operand(inlineOrVector(b[1]))};
  return pureSequence(subtract ? "v_sub_u64" : "v_add_u64", 2, sources, false, [&](unsigned block, Reg sum) {
    Reg carry = newSgpr(2), unused = newSgpr(2);
    emitInto(block, makeInst(subtract ? v_sub_co_u32 : v_add_co_u32,
                             {Operand::def(sum.piece(0)), Operand::def(carry), sources[0], sources[1]}));
    emitInto(block,
             makeInst(subtract ? v_subb_co_u32 : v_addc_co_u32,
                      {Operand::def(sum.piece(1)), Operand::def(unused), sources[2], sources[3], Operand::use(carry)}));
  });
}

Operand Integers::pairOperand(ArrayRef<Elem> value, bool scalarAllowed) {
  if (value[0].isImm && value[1].isImm) {
    int64_t number = Make_64(value[1].imm, value[0].imm);
    if (number >= -16 && number <= 64)
      return Operand::imm64(number);
  }
  return Operand::use(tuple(value, scalarAllowed && allScalar(value) ? RegFile::Sgpr : RegFile::Vgpr));
}

std::optional<Elems> Integers::shiftAdd64(ArrayRef<Elem> a, unsigned shift, ArrayRef<Elem> b) {
  constexpr unsigned widestShift = 4;
  if (shift > widestShift || (allScalar(a) && allScalar(b)) || !has(v_lshl_add_u64))
    return std::nullopt;
  // One scalar operand at most; the value that varies is not it.
  Operand first = pairOperand(a, true), second = pairOperand(b, true);
  return pureTuple(v_lshl_add_u64, 2, {first, Operand::imm64(shift), second}, false);
}

Elems Integers::mul64(ArrayRef<Elem> a, ArrayRef<Elem> b) {
  auto isZero = [](const Elem &e) { return e.isImm && e.imm == 0; };
  if (b[0].isImm && isZero(b[1]) && isPowerOf2_32(b[0].imm))
    return shift64(Shift::Left, a, Elem::constant(Log2_32(b[0].imm)));
  Elem low, high;
  if (isScalar(a[0]) && isScalar(b[0])) {
    low = mul(a[0], b[0]);
    high = mulHighU(a[0], b[0]);
  } else {
    const bool areSigned = isSignExtended(a) && isSignExtended(b);
    const Mnemonic multiply = areSigned ? v_mad_i64_i32 : v_mad_u64_u32;
    SmallVector<Elem, 2> factors{a[0], b[0]};
    legalize(multiply, factors);
    const Operand sources[] = {operand(factors[0]), operand(factors[1])};
    Elems product =
        pureSequence(areSigned ? "v_mul_i64" : "v_mul_u64", 2, sources, false, [&](unsigned block, Reg result) {
          emitInto(block, makeInst(multiply, {Operand::def(result), Operand::def(newSgpr(2)), sources[0], sources[1],
                                              Operand::imm64(0)}));
        });
    if (areSigned)
      return product;
    low = product[0];
    high = product[1];
  }
  if (!isZero(b[1]))
    high = add(high, mul(a[0], b[1]));
  if (!isZero(a[1]))
    high = add(high, mul(a[1], b[0]));
  return {low, high};
}

Elems Integers::shift64(Shift which, ArrayRef<Elem> a, Elem amount) {
  // Larger amounts are poison, and no literal that an instruction takes.
  if (amount.isImm)
    amount = Elem::constant(amount.imm & 63);
  auto inOne = [&] {
    constexpr Mnemonic onScalars[] = {s_lshl_b64, s_lshr_b64, s_ashr_i64};
    constexpr Mnemonic onVectors[] = {v_lshlrev_b64, v_lshrrev_b64, v_ashrrev_i64};
    if (allScalar(a) && isScalar(amount))
      return pureTuple(onScalars[unsigned(which)], 2,
                       {Operand::use(tuple(a, RegFile::Sgpr)), operand(amount.isImm ? amount : toSgpr(amount))}, true);
    return pureTuple(onVectors[unsigned(which)], 2,
                     {operand(amount.isImm ? amount : toVgpr(amount)), Operand::use(tuple(a, RegFile::Vgpr))}, false);
  };
  if (!amount.isImm)
    return inOne();
  const uint32_t n = amount.imm;
  if (n == 0)
    return Elems(a);
  // Halves known to be zero, or a shift by a half, leave 32-bit operations.
  if (n < 32 && !a[0].isImm && !a[1].isImm)
    return inOne();
  Elem zero = Elem::constant(0);
  auto funnel = [&](Elem high, Elem low, uint32_t right) -> Elem {
    // Bits [right, right + 32) of high:low.
    if (high.isImm && high.imm == 0)
      return lshr(low, Elem::constant(right));
    if (low.isImm && low.imm == 0)
      return shl(high, Elem::constant(32 - right));
    return bitOr(lshr(low, Elem::constant(right)), shl(high, Elem::constant(32 - right)));
  };
  if (which == Shift::Left) {
    if (n >= 32)
      return {zero, shl(a[0], Elem::constant(n - 32))};
    return {shl(a[0], Elem::constant(n)), funnel(a[1], a[0], 32 - n)};
  }
  Elem fill = which == Shift::Arithmetic ? ashr(a[1], Elem::constant(31)) : zero;
  if (n >= 32)
    return {shift(which, a[1], Elem::constant(n - 32)), fill};
  return {funnel(a[1], a[0], n), shift(which, a[1], Elem::constant(n))};
}

Elem Integers::shiftPair(Shift which, Elem high, Elem low, Elem amount) {
  const bool isLeft = which == Shift::Left;
  constexpr uint32_t last = 31;
  if (amount.isImm) {
    const uint32_t right = (isLeft ? 0 - amount.imm : amount.imm) & last;
    if (right == 0)
      return isLeft ? high : low;
    amount = Elem::constant(right);
  }
  if (isScalar(high) && isScalar(low) && isScalar(amount)) {
    const Elems shifted = shift64(amount.isImm || !isLeft ? Shift::Logical : which, {low, high},
                                  amount.isImm ? amount : bitAnd(amount, Elem::constant(last)));
    return shifted[amount.isImm || !isLeft ? 0 : 1];
  }
  if (amount.isImm || !isLeft)
    return pure(v_alignbit_b32, {high, low, amount}, false);
  // One bit to the right, and from there as much less than 32 as it was to be to the left.
  const Elem one = Elem::constant(1);
  return pure(v_alignbit_b32,
              {lshr(high, one), pure(v_alignbit_b32, {high, low, one}, false), bitXor(amount, Elem::constant(~0u))},
              false);
}

namespace {
struct Comparison {
  Mnemonic scalar32, vector32, vector64;
};
/// Comparisons by predicate.
constexpr Comparison comparisons[] = {
    {s_cmp_eq_u32, v_cmp_eq_u32, v_cmp_eq_u64}, {s_cmp_lg_u32, v_cmp_ne_u32, v_cmp_ne_u64},
    {s_cmp_lt_i32, v_cmp_lt_i32, v_cmp_lt_i64}, {s_cmp_le_i32, v_cmp_le_i32, v_cmp_le_i64},
    {s_cmp_gt_i32, v_cmp_gt_i32, v_cmp_gt_i64}, {s_cmp_ge_i32, v_cmp_ge_i32, v_cmp_ge_i64},
    {s_cmp_lt_u32, v_cmp_lt_u32, v_cmp_lt_u64}, {s_cmp_le_u32, v_cmp_le_u32, v_cmp_le_u64},
    {s_cmp_gt_u32, v_cmp_gt_u32, v_cmp_gt_u64}, {s_cmp_ge_u32, v_cmp_ge_u32, v_cmp_ge_u64},
};
static_assert(unsigned(Predicate::eq) == 0 && unsigned(Predicate::ne) == 1 && unsigned(Predicate::slt) == 2 &&
              unsigned(Predicate::ult) == 6 && unsigned(Predicate::uge) == 9);
} // namespace

Mnemonic scalarComparison(Predicate predicate) { return comparisons[unsigned(predicate)].scalar32; }

Predicate asUnsigned(Predicate predicate) {
  constexpr unsigned distance = unsigned(Predicate::ult) - unsigned(Predicate::slt);
  const bool isSigned = predicate >= Predicate::slt && predicate <= Predicate::sge;
  return isSigned ? Predicate(unsigned(predicate) + distance) : predicate;
}

bool Integers::isSignExtended(ArrayRef<Elem> pair) const {
  if (pair[1].isImm)
    return pair[0].isImm && int32_t(pair[0].imm) >> 31 == int32_t(pair[1].imm);
  auto sign = state.signOf.find({pair[1].reg.id, pair[1].reg.sub});
  return sign != state.signOf.end() && sign->second == pair[0];
}

std::optional<Predicate> Integers::predicateOnWords(Predicate predicate, ArrayRef<Elem> a, ArrayRef<Elem> b) const {
  auto isZeroExtended = [](ArrayRef<Elem> pair) { return pair[1].isImm && pair[1].imm == 0; };
  // Both extensions keep the order that the lower halves have, signed or not.
  if (isSignExtended(a) && isSignExtended(b))
    return predicate;
  if (isZeroExtended(a) && isZeroExtended(b))
    return asUnsigned(predicate);
  return std::nullopt;
}

Elems Integers::compare(Predicate predicate, ArrayRef<Elem> a, ArrayRef<Elem> b) {
  const Comparison &comparison = comparisons[unsigned(predicate)];
  if (a.size() == 2) {
    if (std::optional<Predicate> onWords = predicateOnWords(predicate, a, b))
      return compare(*onWords, a[0], b[0]);
    // One of the two may be scalar.
    Operand first = pairOperand(a, true);
    bool scalarUsed = first.isReg() && fn.regs[first.reg.id].file == RegFile::Sgpr;
    return pureTuple(comparison.vector64, 2, {first, pairOperand(b, !scalarUsed)}, true);
  }
  if (!isScalar(a[0]) || !isScalar(b[0]))
    return compareWords(comparison.vector32, a[0], b[0]);
  // A uniform comparison of integers: the scalar unit's bit as a mask.
  SmallVector<Elem, 2> sources{a[0], b[0]};
  if (sources[0].isImm && sources[1].isImm)
    sources[0] = toSgpr(sources[0]);
  legalize(comparison.scalar32, sources);
  emit(comparison.scalar32, {operand(sources[0]), operand(sources[1])});
  Reg mask = newSgpr(2);
  emit(s_cselect_b64, {Operand::def(mask), Operand::imm64(-1), Operand::imm64(0)});
  return pieces(mask);
}

/// An inline constant, or a pair, a scalar one if there is no other `scalar` yet.
Operand Integers::doubleOperand(ArrayRef<Elem> value, Reg &scalar) {
  if (value[0].isImm && value[1].isImm) {
    const uint64_t number = Make_64(value[1].imm, value[0].imm);
    constexpr uint64_t sign = uint64_t(1) << 63;
    constexpr uint64_t floats[] = {0x3fe0000000000000, 0x3ff0000000000000, 0x4000000000000000, 0x4010000000000000};
    if (is_contained(floats, number & ~sign) || (int64_t(number) >= -16 && int64_t(number) <= 64))
      return Operand::imm64(number);
  }
  if (!allScalar(value))
    return Operand::use(tuple(value, RegFile::Vgpr));
  const Reg pair = tuple(value, RegFile::Sgpr);
  if (scalar.valid() && !(scalar == pair))
    return Operand::use(tuple(value, RegFile::Vgpr));
  scalar = pair;
  return Operand::use(pair);
}

SmallVector<Operand, 3> Integers::floatOperands(Mnemonic mnemonic, ArrayRef<Elems> sources, bool takesSigns) {
  SmallVector<Emission::Signed, 3> floats;
  bool hasSigns = false;
  for (const Elems &source : sources) {
    Emission::Signed plain{source};
    const Elem &top = source.back();
    if (auto found = top.isImm || !takesSigns ? state.signedOf.end() : state.signedOf.find({top.reg.id, top.reg.sub});
        found != state.signedOf.end() && ArrayRef(found->second.value).drop_back() == ArrayRef(source).drop_back())
      plain = found->second;
    hasSigns |= plain.negate || plain.absolute;
    floats.push_back(std::move(plain));
  }
  SmallVector<Operand, 3> operands;
  if (sources[0].size() == 2) {
    Reg scalar;
    for (const Emission::Signed &each : floats)
      operands.push_back(each.value.size() == 2                               ? doubleOperand(each.value, scalar)
                         : each.value[0].isImm && isInline(each.value[0].imm) ? operand(each.value[0])
                                                                              : operand(toVgpr(each.value[0])));
  } else {
    SmallVector<Elem, 3> words;
    for (const Emission::Signed &each : floats)
      words.push_back(each.value[0]);
    // With modifiers the encoding has no literal.
    if (hasSigns) {
      Elem scalar;
      bool hasScalar = false;
      for (Elem &word : words) {
        if (!isScalar(word) || (word.isImm && isInline(word.imm)))
          continue;
        word = toSgpr(word);
        if (hasScalar && !(scalar == word))
          word = toVgpr(word);
        else
          scalar = word;
        hasScalar = true;
      }
    } else {
      legalize(mnemonic, words);
    }
    for (const Elem &word : words)
      operands.push_back(operand(word));
  }
  for (auto [each, op] : zip_equal(floats, operands)) {
    op.negate = each.negate;
    op.absolute = each.absolute;
  }
  return operands;
}

Elems Integers::compareWords(Mnemonic comparison, Elem a, Elem b) {
  SmallVector<Elem, 2> sources{a, b};
  // The mask goes to any scalar pair, which only the long encoding can say: no literals.
  for (Elem &source : sources)
    if (source.isImm && !isInline(source.imm))
      source = toSgpr(source);
  legalize(comparison, sources);
  return pureTuple(comparison, 2, {operand(sources[0]), operand(sources[1])}, true);
}

/// Two scalars never differ between lanes, but float comparisons have no scalar form.
Elems Integers::compareFloats(Mnemonic comparison, ArrayRef<Elem> a, ArrayRef<Elem> b) {
  SmallVector<Elems, 2> sources{Elems(a), Elems(b)};
  for (Elems &source : sources)
    if (source.size() == 1 && source[0].isImm && !isInline(source[0].imm))
      source[0] = toSgpr(source[0]);
  return pureTuple(comparison, 2, floatOperands(comparison, sources, /*takesSigns=*/true), true);
}

Elem Integers::selectElem(ArrayRef<Elem> mask, Elem whenTrue, Elem whenFalse) {
  if (whenTrue == whenFalse)
    return whenTrue;
  if (mask[0].isImm)
    return mask[0].imm ? whenTrue : whenFalse;
  auto prepare = [&](Elem e) {
    // The mask takes the one scalar operand there is.
    return e.isImm && isInline(e.imm) ? e : toVgpr(e);
  };
  Elem no = prepare(whenFalse), yes = prepare(whenTrue);
  return pureTuple(v_cndmask_b32, 1, {operand(no), operand(yes), Operand::use(tuple(mask, RegFile::Sgpr))}, false)[0];
}

Elems Integers::maskLogic(Mnemonic op, ArrayRef<Elem> a, ArrayRef<Elem> b) {
  if (a[0].isImm && b[0].isImm) {
    uint32_t value = op == s_and_b64 ? a[0].imm & b[0].imm : op == s_or_b64 ? a[0].imm | b[0].imm : a[0].imm ^ b[0].imm;
    return {Elem::constant(value), Elem::constant(value)};
  }
  for (auto [known, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (!known[0].isImm)
      continue;
    const bool isSet = known[0].imm;
    if (isSet == (op == s_and_b64))
      return Elems(other);
    if (op != s_xor_b64)
      return Elems(known);
    return maskNot(other);
  }
  return pureTuple(op, 2, {maskOperand(a), maskOperand(b)}, true);
}

Operand Integers::maskOperand(ArrayRef<Elem> mask) {
  return mask[0].isImm ? Operand::imm64(mask[0].imm ? -1 : 0) : Operand::use(tuple(mask, RegFile::Sgpr));
}

Elems Integers::maskNot(ArrayRef<Elem> a) {
  if (a[0].isImm)
    return {Elem::constant(~a[0].imm), Elem::constant(~a[0].imm)};
  return pureTuple(s_not_b64, 2, {Operand::use(tuple(a, RegFile::Sgpr))}, true);
}

} // namespace inflight::select
