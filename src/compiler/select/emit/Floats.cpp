// Floating point: f16, f32, f64 on the vector unit, bf16 through f32.
#include "compiler/select/emit/Floats.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

/// Whether all sources are floats whose signs modifiers can change.
static bool takesSigns(Mnemonic mnemonic) {
  constexpr Mnemonic arithmetic[] = {v_add_f32, v_sub_f32, v_subrev_f32, v_mul_f32, v_fma_f32, v_min_f32,
                                     v_max_f32, v_add_f64, v_mul_f64,    v_fma_f64, v_min_f64, v_max_f64};
  return llvm::is_contained(arithmetic, mnemonic);
}

Elems Floats::valu(Mnemonic mnemonic, ArrayRef<Elem> sources) {
  SmallVector<Elems, 3> words;
  for (const Elem &source : sources)
    words.push_back({source});
  return pureTuple(mnemonic, 1, floatOperands(mnemonic, words, takesSigns(mnemonic)), false);
}

Elems Floats::valu64(Mnemonic mnemonic, ArrayRef<Elems> sources) {
  return pureTuple(mnemonic, 2, floatOperands(mnemonic, sources, takesSigns(mnemonic)), false);
}

/// A pair of registers of which only the first one has a value.
Reg Floats::lowOfPair(const Elem &value) {
  const Operand source = operand(value);
  Elems pair = pureSequence("low_of_pair", 2, {source}, false, [&](unsigned block, Reg both) {
    emitInto(block, lir::makePseudo(Pseudo::ImplicitDef, {Operand::def(both)}));
    const Operand moved[] = {Operand::def(both.piece(0)), source};
    emitInto(block, value.isImm ? makeInst(v_mov_b32, moved) : lir::makePseudo(Pseudo::Copy, moved));
  });
  return {pair[0].reg.id, 0, 2};
}

Elem Floats::bf16ToF32(Elem a) {
  if (!a.isImm)
    if (auto upper = state.highHalfOf.find({a.reg.id, a.reg.sub}); upper != state.highHalfOf.end()) {
      const Elem word = toVgpr(upper->second);
      const bool isExact = state.exactBfloats.contains({word.reg.id, word.reg.sub});
      return isExact ? word : bitAnd(word, Elem::constant(0xffff0000));
    }
  if (!a.isImm && isScalar(a))
    a = toVgpr(a);
  return shl(a, Elem::constant(16));
}

Elem Floats::f32ToBf16(Elem a, bool isExactIfNan) {
  if (a.isImm) {
    APFloat value(APFloat::IEEEsingle(), APInt(32, a.imm));
    bool loses;
    value.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &loses);
    return Elem::constant(value.bitcastToAPInt().getZExtValue());
  }
  if (!chip.encodings(v_cvt_pk_bf16_f32).empty())
    return valu(v_cvt_pk_bf16_f32, {a, Elem::constant(0)})[0];
  // Round to nearest even by adding half of the last place, less one if even; NaNs become quiet. With zeros below they
  // stay what they are, as nothing is carried.
  constexpr unsigned half = 16;
  a = toVgpr(a);
  Elem odd = pure(v_bfe_u32, {a, Elem::constant(half), Elem::constant(1)}, false);
  Elem rounded = pure(v_add3_u32, {a, odd, Elem::constant(0x7fff)}, false);
  if (!isExactIfNan) {
    Elem quiet = bitOr(a, Elem::constant(0x400000));
    rounded = selectElem(compareFloats(v_cmp_u_f32, {a}, {a}), quiet, rounded);
  }
  const Elem upper = lshr(rounded, Elem::constant(half));
  if (!upper.isImm)
    state.highHalfOf[{upper.reg.id, upper.reg.sub}] = rounded;
  return upper;
}

Elem Floats::f64ToOddF32(const Elems &a) {
  Elem rounded = pureTuple(v_cvt_f32_f64, 1, {Operand::use(tuple(a, RegFile::Vgpr))}, false)[0];
  const Operand exact = Operand::use(tuple(a, RegFile::Vgpr));
  const Operand back = Operand::use(tuple(pureTuple(v_cvt_f64_f32, 2, {operand(rounded)}, false), RegFile::Vgpr));
  Elems isAway = pureTuple(v_cmp_gt_f64, 2, {back.abs(), exact.abs()}, true);
  Elems isInexact = pureTuple(v_cmp_lg_f64, 2, {back, exact}, true);
  Elem towardsZero = selectElem(isAway, sub(rounded, Elem::constant(1)), rounded);
  return selectElem(isInexact, bitOr(towardsZero, Elem::constant(1)), towardsZero);
}

/// Where denormals of singles are flushed: in doubles, which keep theirs. Two numbers of 24 bits have a quotient that
/// is at least 2^-49 of it away from what lies between two singles, and what is computed of it is within 2^-52:
/// v_rcp_f64 is good to 23 bits, one step makes 46 of them, and the remainder, which is exact, corrects the quotient.
Elem Floats::divideFlushedF32(Elem a, Elem b) {
  MLIRContext *context = state.source->getContext();
  const Type single = Float32Type::get(context), wide = Float64Type::get(context);
  constexpr uint64_t one = 0x3ff0000000000000;
  const Elems x = floatCast(single, wide, {a}), y = floatCast(single, wide, {b});
  Elems reciprocal = valu64(v_rcp_f64, {y});
  const Elems error = fusedF64(y, true, reciprocal, constantPair(one));
  reciprocal = fusedF64(error, false, reciprocal, reciprocal);
  Elems quotient = valu64(v_mul_f64, {x, reciprocal});
  const Elems rest = fusedF64(y, true, quotient, x);
  quotient = fusedF64(rest, false, reciprocal, quotient);
  quotient = pureTuple(v_div_fixup_f64, 2,
                       {Operand::use(tuple(quotient, RegFile::Vgpr)), Operand::use(tuple(y, RegFile::Vgpr)),
                        Operand::use(tuple(x, RegFile::Vgpr))},
                       false);
  return floatCast(wide, single, quotient)[0];
}

Elem Floats::divideF32(Elem a, Elem b) {
  if (fn.flushesSingles)
    return divideFlushedF32(a, b);
  // The correctly rounded sequence of the ISA manuals (V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP).
  // Inline constants and one scalar operand may stay where they are.
  auto inlineOrRegister = [&](const Elem &e) { return e.isImm && !isInline(e.imm) ? toVgpr(e) : e; };
  Elem x = inlineOrRegister(a), y = inlineOrRegister(b);
  if (!x.isImm && !y.isImm && isScalar(x) && isScalar(y) && !(x == y))
    x = toVgpr(x);
  Reg denominator = newVgpr(), numerator = newVgpr(), ignored = newSgpr(2), quotient = newVgpr();
  emit(v_div_scale_f32, {Operand::def(denominator), Operand::def(ignored), operand(y), operand(y), operand(x)});
  lir::Inst &scale = emit(v_div_scale_f32, {Operand::def(numerator), Operand::specialReg(Special::Vcc, true),
                                            operand(x), operand(y), operand(x)});
  scale.hasSideEffects = false;
  auto fma = [&](Operand p, Operand q, Operand r) {
    Reg result = newVgpr();
    emit(v_fma_f32, {Operand::def(result), p, q, r});
    return result;
  };
  Operand one = Operand::imm64(0x3f800000), minusD = Operand::use(denominator).neg();
  Reg reciprocal = newVgpr();
  emit(v_rcp_f32, {Operand::def(reciprocal), Operand::use(denominator)});
  Reg error = fma(minusD, Operand::use(reciprocal), one);
  Reg refined = fma(Operand::use(error), Operand::use(reciprocal), Operand::use(reciprocal));
  Reg first = newVgpr();
  emit(v_mul_f32, {Operand::def(first), Operand::use(numerator), Operand::use(refined)});
  Reg rest = fma(minusD, Operand::use(first), Operand::use(numerator));
  Reg second = fma(Operand::use(rest), Operand::use(refined), Operand::use(first));
  Reg last = fma(minusD, Operand::use(second), Operand::use(numerator));
  emit(v_div_fmas_f32, {Operand::def(quotient), Operand::use(last), Operand::use(refined), Operand::use(second),
                        Operand::specialReg(Special::Vcc).implicit()});
  return pureTuple(v_div_fixup_f32, 1, {Operand::use(quotient), operand(y), operand(x)}, false)[0];
}

Elems Floats::divideF64(const Elems &a, const Elems &b) {
  Reg x = tuple(a, RegFile::Vgpr), y = tuple(b, RegFile::Vgpr);
  Reg denominator = newVgpr(2), numerator = newVgpr(2), ignored = newSgpr(2);
  emit(v_div_scale_f64,
       {Operand::def(denominator), Operand::def(ignored), Operand::use(y), Operand::use(y), Operand::use(x)});
  auto fma = [&](Operand p, Operand q, Operand r) {
    Reg result = newVgpr(2);
    emit(v_fma_f64, {Operand::def(result), p, q, r});
    return result;
  };
  Operand one = Operand::imm64(0x3ff0000000000000), minusD = Operand::use(denominator).neg();
  Reg r0 = newVgpr(2);
  emit(v_rcp_f64, {Operand::def(r0), Operand::use(denominator)});
  Reg e0 = fma(minusD, Operand::use(r0), one);
  Reg r1 = fma(Operand::use(r0), Operand::use(e0), Operand::use(r0));
  Reg e1 = fma(minusD, Operand::use(r1), one);
  Reg r2 = fma(Operand::use(r1), Operand::use(e1), Operand::use(r1));
  emit(v_div_scale_f64, {Operand::def(numerator), Operand::specialReg(Special::Vcc, true), Operand::use(x),
                         Operand::use(y), Operand::use(x)});
  Reg q = newVgpr(2);
  emit(v_mul_f64, {Operand::def(q), Operand::use(numerator), Operand::use(r2)});
  Reg e2 = fma(minusD, Operand::use(q), Operand::use(numerator));
  Reg result = newVgpr(2);
  emit(v_div_fmas_f64, {Operand::def(result), Operand::use(e2), Operand::use(r2), Operand::use(q),
                        Operand::specialReg(Special::Vcc).implicit()});
  return pureTuple(v_div_fixup_f64, 2, {Operand::use(result), Operand::use(y), Operand::use(x)}, false);
}

Elems Floats::fusedF64(const Elems &a, bool isNegated, const Elems &b, const Elems &c) {
  const Operand first = Operand::use(tuple(a, RegFile::Vgpr));
  return pureTuple(
      v_fma_f64, 2,
      {isNegated ? first.neg() : first, Operand::use(tuple(b, RegFile::Vgpr)), Operand::use(tuple(c, RegFile::Vgpr))},
      false);
}

Elems Floats::squareRootF64(Elems x) {
  // The instructions are only good to single precision: two Goldschmidt steps and two corrections.
  // Small numbers are scaled so that no intermediate result is denormal.
  constexpr uint64_t tiny = 0x1000000000000000, half = 0x3fe0000000000000; // 2^-767, 0.5
  constexpr int scaleUp = 256, scaleDown = -128;
  Elems small = compareFloats(v_cmp_lt_f64, x, constantPair(tiny));
  Elems scaled = valu64(v_ldexp_f64, {x, {selectElem(small, Elem::constant(scaleUp), Elem::constant(0))}});
  Elems reciprocal = valu64(v_rsq_f64, {scaled});
  Elems root = valu64(v_mul_f64, {scaled, reciprocal});
  Elems halved = valu64(v_mul_f64, {reciprocal, constantPair(half)});
  Elems error = fusedF64(halved, true, root, constantPair(half));
  root = fusedF64(root, false, error, root);
  halved = fusedF64(halved, false, error, halved);
  for (int step = 0; step < 2; ++step)
    root = fusedF64(fusedF64(root, true, root, scaled), false, halved, root);
  Elems result =
      valu64(v_ldexp_f64, {root, {selectElem(small, Elem::constant(uint32_t(scaleDown)), Elem::constant(0))}});
  // Zeros and infinity are their own roots.
  constexpr uint64_t infinity = 0x7ff0000000000000;
  Elems itself = maskLogic(s_or_b64, compareFloats(v_cmp_eq_f64, x, constantPair(0)),
                           compareFloats(v_cmp_eq_f64, x, constantPair(infinity)));
  return {selectElem(itself, x[0], result[0]), selectElem(itself, x[1], result[1])};
}

Elems Floats::floatBinary(FloatOperation operation, Type type, Elems a, Elems b) {
  const bool subtracts = operation.f32 == v_sub_f32;
  if (type.isF32()) {
    if (subtracts)
      return isScalar(b[0]) && !isScalar(a[0]) ? valu(v_subrev_f32, {b[0], a[0]}) : valu(v_sub_f32, {a[0], b[0]});
    return valu(operation.f32, {a[0], b[0]});
  }
  if (type.isF16()) {
    // The first operand may be a literal.
    if (b[0].isImm && operation.f16 != v_sub_f16)
      std::swap(a, b);
    return valu(operation.f16, {a[0], toVgpr(b[0])});
  }
  if (type.isBF16()) {
    Elems x{bf16ToF32(a[0])}, y{bf16ToF32(b[0])};
    const Elem result = floatBinary(operation, Float32Type::get(type.getContext()), x, y)[0];
    // A NaN comes from an operand, with that one's bits, or is the default one.
    return {f32ToBf16(result, /*isExactIfNan=*/true)};
  }
  // f64 has no subtraction: add the negative.
  if (subtracts) {
    SmallVector<Operand, 3> operands = floatOperands(v_add_f64, {a, b}, /*takesSigns=*/true);
    operands[1] = operands[1].neg();
    return pureTuple(v_add_f64, 2, operands, false);
  }
  return valu64(operation.f64, {a, b});
}

Elems Floats::floatCast(Type from, Type to, Elems value) {
  if (from == to)
    return value;
  auto isPlain = [](Type type) { return type.isF16() || type.isBF16() || type.isF32() || type.isF64(); };
  if (isPlain(from) && isPlain(to) && llvm::all_of(value, [](const Elem &e) { return e.isImm; })) {
    auto *semantics = &cast<FloatType>(from).getFloatSemantics();
    uint64_t bits = value[0].imm | (value.size() > 1 ? uint64_t(value[1].imm) << 32 : 0);
    APFloat number(*semantics, APInt(64, bits).trunc(from.getIntOrFloatBitWidth()));
    bool loses;
    number.convert(cast<FloatType>(to).getFloatSemantics(), APFloat::rmNearestTiesToEven, &loses);
    uint64_t result = number.bitcastToAPInt().getZExtValue();
    if (to.isF64())
      return constantPair(result);
    return {Elem::constant(Lo_32(result))};
  }
  Type f32 = Float32Type::get(from.getContext());
  if (from.isF64() && !to.isF32())
    return floatCast(f32, to, {f64ToOddF32(value)});
  if (!from.isF32() && !to.isF32())
    return floatCast(f32, to, floatCast(from, f32, value));
  if (to.isF32()) {
    if (from.isF16())
      return valu(v_cvt_f32_f16, {value[0]});
    if (from.isBF16())
      return {bf16ToF32(value[0])};
    if (from.isF64())
      return pureTuple(v_cvt_f32_f64, 1, {Operand::use(tuple(value, RegFile::Vgpr))}, false);
    return valu(mlir::isa<Float8E5M2FNUZType, Float8E5M2Type>(from) ? v_cvt_f32_bf8 : v_cvt_f32_fp8, {value[0]});
  }
  if (to.isF16())
    return valu(v_cvt_f16_f32, {value[0]});
  if (to.isBF16())
    return {f32ToBf16(value[0])};
  if (to.isF64())
    return pureTuple(v_cvt_f64_f32, 2, {operand(value[0])}, false);
  return valu(mlir::isa<Float8E5M2FNUZType, Float8E5M2Type>(to) ? v_cvt_pk_bf8_f32 : v_cvt_pk_fp8_f32,
              {toVgpr(value[0]), Elem::constant(0)});
}

Elems Floats::throughF32(Type type, ArrayRef<Elems> v, function_ref<Elem(ArrayRef<Elem>)> onSingles) {
  Type f32 = Float32Type::get(type.getContext());
  SmallVector<Elem> wide;
  for (const Elems &e : v)
    wide.push_back(floatCast(type, f32, e)[0]);
  return floatCast(f32, type, {onSingles(wide)});
}

Elems Floats::packedHalves(Mnemonic mnemonic, ArrayRef<Elems> sources, size_t word, lir::BitList negated) {
  SmallVector<Elem, 3> words;
  Modifiers modifiers;
  for (const Elems &source : sources) {
    Elem value = source[word];
    bool isUpper[2] = {false, true};
    // Two halves of one other word are chosen from there.
    if (!value.isImm)
      if (auto halves = state.halvesOf.find({value.reg.id, value.reg.sub});
          halves != state.halvesOf.end() && halves->second.words[0] == halves->second.words[1]) {
        value = halves->second.words[0];
        llvm::copy(halves->second.isUpper, isUpper);
      }
    words.push_back(toVgpr(value));
    modifiers.opSel.push_back(isUpper[0]);
    modifiers.opSelHi.push_back(isUpper[1]);
  }
  if (modifiers.opSel.bits == 0 && modifiers.opSelHi.bits + 1u == 1u << words.size())
    modifiers = {};
  modifiers.neg = negated;
  SmallVector<Operand, 3> operands;
  for (const Elem &value : words)
    operands.push_back(operand(value));
  return pureTuple(mnemonic, 1, operands, false, modifiers);
}

Elems Floats::packedSingles(Mnemonic mnemonic, ArrayRef<Elems> sources, size_t first, lir::BitList negated) {
  SmallVector<Operand, 3> pairs;
  Modifiers modifiers;
  bool isUsual = true;
  for (const Elems &source : sources) {
    ArrayRef<Elem> two = ArrayRef<Elem>(source).slice(first, 2);
    const bool isSplat = two[0] == two[1];
    bool low = false, high = !isSplat;
    if (std::optional<Reg> both = pairWith(two)) {
      low = two[0].reg.sub % 2;
      high = two[1].reg.sub % 2;
      pairs.push_back(Operand::use(*both));
    } else {
      pairs.push_back(Operand::use(isSplat ? lowOfPair(two[0]) : tuple(two, RegFile::Vgpr)));
    }
    modifiers.opSel.push_back(low);
    modifiers.opSelHi.push_back(high);
    isUsual &= !low && high;
  }
  if (modifiers.opSel.bits == 0)
    modifiers.opSel = {};
  if (isUsual)
    modifiers = {};
  modifiers.neg = negated;
  return pureTuple(mnemonic, 2, pairs, false, modifiers);
}

/// The aligned pair of vector registers that has both, in any order.
std::optional<Reg> Floats::pairWith(ArrayRef<Elem> two) const {
  const Elem &a = two[0], &b = two[1];
  if (a.isImm || b.isImm || a.reg.id != b.reg.id || a.reg.sub / 2 != b.reg.sub / 2)
    return std::nullopt;
  const lir::VirtualReg &reg = fn.regs[a.reg.id];
  const unsigned begin = a.reg.sub / 2 * 2;
  if (reg.file != RegFile::Vgpr || begin + 2 > reg.width || reg.alignment < lir::tupleAlignment(chip, reg.file, 2))
    return std::nullopt;
  return Reg{a.reg.id, uint8_t(begin), 2};
}

} // namespace inflight::select
