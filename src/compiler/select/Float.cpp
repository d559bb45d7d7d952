// Floating point: f16, f32, f64 on the vector unit, bf16 through f32.
#include "compiler/select/Selector.h"

#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

Elems Selector::valu(Mnemonic mnemonic, ArrayRef<Elem> sources) {
  SmallVector<Elem, 3> legal(sources.begin(), sources.end());
  legalize(mnemonic, legal);
  SmallVector<Operand, 3> operands;
  for (const Elem &source : legal)
    operands.push_back(operand(source));
  return pureTuple(mnemonic, 1, operands, false);
}

Elems Selector::valu64(Mnemonic mnemonic, ArrayRef<Elems> sources) {
  SmallVector<Operand, 3> operands;
  for (const Elems &source : sources) {
    if (source.size() == 1)
      operands.push_back(operand(toVgpr(source[0])));
    else
      operands.push_back(Operand::use(tuple(source, RegFile::Vgpr)));
  }
  return pureTuple(mnemonic, 2, operands, false);
}

/// A pair of registers of which only the first one has a value.
Reg Selector::lowOfPair(const Elem &value) {
  const Operand source = operand(value);
  Elems pair = pureSequence("low_of_pair", 2, {source}, false, [&](unsigned block, Reg both) {
    emitInto(block, lir::makePseudo(Pseudo::ImplicitDef, {Operand::def(both)}));
    const Operand moved[] = {Operand::def(both.piece(0)), source};
    emitInto(block, value.isImm ? makeInst(v_mov_b32, moved) : lir::makePseudo(Pseudo::Copy, moved));
  });
  return {pair[0].reg.id, 0, 2};
}

Elem Selector::bf16ToF32(Elem a) {
  if (!a.isImm && isScalar(a))
    a = toVgpr(a);
  return shl(a, Elem::constant(16));
}

Elem Selector::f32ToBf16(Elem a) {
  if (a.isImm) {
    APFloat value(APFloat::IEEEsingle(), APInt(32, a.imm));
    bool loses;
    value.convert(APFloat::BFloat(), APFloat::rmNearestTiesToEven, &loses);
    return Elem::constant(value.bitcastToAPInt().getZExtValue());
  }
  if (!chip.encodings(v_cvt_pk_bf16_f32).empty())
    return valu(v_cvt_pk_bf16_f32, {a, Elem::constant(0)})[0];
  // Round to nearest even by adding half of the last place, less one if even; NaNs become quiet.
  a = toVgpr(a);
  Elem odd = pure(v_bfe_u32, {a, Elem::constant(16), Elem::constant(1)}, false);
  Elem rounded = pure(v_add3_u32, {a, odd, Elem::constant(0x7fff)}, false);
  Elem quiet = bitOr(a, Elem::constant(0x400000));
  Elems isNan = compareFloats(v_cmp_u_f32, {a}, {a});
  return lshr(selectElem(isNan, quiet, rounded), Elem::constant(16));
}

Elem Selector::f64ToOddF32(const Elems &a) {
  Elem rounded = pureTuple(v_cvt_f32_f64, 1, {Operand::use(tuple(a, RegFile::Vgpr))}, false)[0];
  const Operand exact = Operand::use(tuple(a, RegFile::Vgpr));
  const Operand back = Operand::use(tuple(pureTuple(v_cvt_f64_f32, 2, {operand(rounded)}, false), RegFile::Vgpr));
  Elems isAway = pureTuple(v_cmp_gt_f64, 2, {back.abs(), exact.abs()}, true);
  Elems isInexact = pureTuple(v_cmp_lg_f64, 2, {back, exact}, true);
  Elem towardsZero = selectElem(isAway, sub(rounded, Elem::constant(1)), rounded);
  return selectElem(isInexact, bitOr(towardsZero, Elem::constant(1)), towardsZero);
}

Elem Selector::divideF32(Elem a, Elem b) {
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

Elems Selector::divideF64(Elems a, Elems b) {
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

Elems Selector::squareRootF64(Elems x) {
  // The instructions are only good to single precision: two Goldschmidt steps and two corrections.
  // Small numbers are scaled so that no intermediate result is denormal.
  auto words = [](uint64_t bits) { return Elems{Elem::constant(Lo_32(bits)), Elem::constant(Hi_32(bits))}; };
  auto fma = [&](const Elems &a, bool negative, const Elems &b, const Elems &c) {
    Operand first = Operand::use(tuple(a, RegFile::Vgpr));
    return pureTuple(
        v_fma_f64, 2,
        {negative ? first.neg() : first, Operand::use(tuple(b, RegFile::Vgpr)), Operand::use(tuple(c, RegFile::Vgpr))},
        false);
  };
  constexpr uint64_t tiny = 0x1000000000000000, half = 0x3fe0000000000000; // 2^-767, 0.5
  constexpr int scaleUp = 256, scaleDown = -128;
  Elems small = compareFloats(v_cmp_lt_f64, x, words(tiny));
  Elems scaled = valu64(v_ldexp_f64, {x, {selectElem(small, Elem::constant(scaleUp), Elem::constant(0))}});
  Elems reciprocal = valu64(v_rsq_f64, {scaled});
  Elems root = valu64(v_mul_f64, {scaled, reciprocal});
  Elems halved = valu64(v_mul_f64, {reciprocal, words(half)});
  Elems error = fma(halved, true, root, words(half));
  root = fma(root, false, error, root);
  halved = fma(halved, false, error, halved);
  for (int step = 0; step < 2; ++step)
    root = fma(fma(root, true, root, scaled), false, halved, root);
  Elems result =
      valu64(v_ldexp_f64, {root, {selectElem(small, Elem::constant(uint32_t(scaleDown)), Elem::constant(0))}});
  // Zeros and infinity are their own roots.
  constexpr uint64_t infinity = 0x7ff0000000000000;
  Elems itself =
      maskLogic(s_or_b64, compareFloats(v_cmp_eq_f64, x, words(0)), compareFloats(v_cmp_eq_f64, x, words(infinity)));
  return {selectElem(itself, x[0], result[0]), selectElem(itself, x[1], result[1])};
}

Elems Selector::floatBinary(FloatOperation operation, Type type, Elems a, Elems b) {
  const bool subtracts = operation.f32 == v_sub_f32;
  if (type.isF32()) {
    if (subtracts)
      return isScalar(b[0]) && !isScalar(a[0]) ? valu(v_subrev_f32, {b[0], a[0]}) : valu(v_sub_f32, {a[0], b[0]});
    return valu(operation.f32, {a[0], b[0]});
  }
  if (type.isF16())
    return valu(operation.f16, {a[0], toVgpr(b[0])});
  if (type.isBF16()) {
    Elems x{bf16ToF32(a[0])}, y{bf16ToF32(b[0])};
    return {f32ToBf16(floatBinary(operation, Float32Type::get(type.getContext()), x, y)[0])};
  }
  // f64 has no subtraction: add the negative.
  if (subtracts) {
    Operand first = Operand::use(tuple(a, RegFile::Vgpr));
    return pureTuple(v_add_f64, 2, {first, Operand::use(tuple(b, RegFile::Vgpr)).neg()}, false);
  }
  return valu64(operation.f64, {a, b});
}

Elems Selector::floatCast(Type from, Type to, Elems value) {
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
      return {Elem::constant(Lo_32(result)), Elem::constant(Hi_32(result))};
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

static FloatOperation comparison(LLVM::FCmpPredicate predicate) {
  // "nlt" is "not less than", true for NaN.
  switch (predicate) {
  case LLVM::FCmpPredicate::oeq: return {v_cmp_eq_f16, v_cmp_eq_f32, v_cmp_eq_f64};
  case LLVM::FCmpPredicate::ogt: return {v_cmp_gt_f16, v_cmp_gt_f32, v_cmp_gt_f64};
  case LLVM::FCmpPredicate::oge: return {v_cmp_ge_f16, v_cmp_ge_f32, v_cmp_ge_f64};
  case LLVM::FCmpPredicate::olt: return {v_cmp_lt_f16, v_cmp_lt_f32, v_cmp_lt_f64};
  case LLVM::FCmpPredicate::ole: return {v_cmp_le_f16, v_cmp_le_f32, v_cmp_le_f64};
  case LLVM::FCmpPredicate::one: return {v_cmp_lg_f16, v_cmp_lg_f32, v_cmp_lg_f64};
  case LLVM::FCmpPredicate::ord: return {v_cmp_o_f16, v_cmp_o_f32, v_cmp_o_f64};
  case LLVM::FCmpPredicate::ueq: return {v_cmp_nlg_f16, v_cmp_nlg_f32, v_cmp_nlg_f64};
  case LLVM::FCmpPredicate::ugt: return {v_cmp_nle_f16, v_cmp_nle_f32, v_cmp_nle_f64};
  case LLVM::FCmpPredicate::uge: return {v_cmp_nlt_f16, v_cmp_nlt_f32, v_cmp_nlt_f64};
  case LLVM::FCmpPredicate::ult: return {v_cmp_nge_f16, v_cmp_nge_f32, v_cmp_nge_f64};
  case LLVM::FCmpPredicate::ule: return {v_cmp_ngt_f16, v_cmp_ngt_f32, v_cmp_ngt_f64};
  case LLVM::FCmpPredicate::une: return {v_cmp_neq_f16, v_cmp_neq_f32, v_cmp_neq_f64};
  case LLVM::FCmpPredicate::uno: return {v_cmp_u_f16, v_cmp_u_f32, v_cmp_u_f64};
  default: return {none, none, none};
  }
}

static bool isOne(Value value) {
  Attribute constant;
  if (!matchPattern(value, m_Constant(&constant)))
    return false;
  if (auto elements = dyn_cast<DenseElementsAttr>(constant))
    constant = elements.isSplat() && mlir::isa<FloatType>(elements.getElementType())
                   ? elements.getSplatValue<Attribute>()
                   : Attribute();
  auto number = dyn_cast_or_null<FloatAttr>(constant);
  return number && number.getValue().isExactlyValue(1.0);
}

bool Selector::selectFloat(Operation *op) {
  StringRef name = op->getName().getStringRef();
  auto operandsOf = [&] {
    SmallVector<Elems> all;
    for (Value operand : op->getOperands())
      all.push_back(get(operand));
    return all;
  };
  auto setElementwise = [&](function_ref<Elems(Type, ArrayRef<Elems>)> f) {
    set(op->getResult(0), elementwise(op->getResult(0).getType(), operandsOf(), f));
    return true;
  };
  auto hasFastMath = [&](LLVM::FastmathFlags flag) {
    auto flags = op->getAttrOfType<LLVM::FastmathFlagsAttr>("fastmathFlags");
    return flags && bitEnumContainsAny(flags.getValue(), flag);
  };
  Type f32 = Float32Type::get(op->getContext()), f64 = Float64Type::get(op->getContext());
  // f16 and bf16 where only f32 has the operation.
  auto throughF32 = [&](Type type, ArrayRef<Elems> v, function_ref<Elem(ArrayRef<Elem>)> f) -> Elems {
    SmallVector<Elem> wide;
    for (const Elems &e : v)
      wide.push_back(floatCast(type, f32, e)[0]);
    return floatCast(f32, type, {f(wide)});
  };

  // Packed halves: two elements an instruction.
  if (auto vector = dyn_cast_or_null<VectorType>(op->getNumResults() ? op->getResult(0).getType() : Type());
      vector && vector.getElementType().isF16() && vector.getNumElements() % 2 == 0) {
    const Mnemonic packed = StringSwitch<Mnemonic>(name)
                                .Case("llvm.fadd", v_pk_add_f16)
                                .Case("llvm.fmul", v_pk_mul_f16)
                                .Case("llvm.intr.fma", v_pk_fma_f16)
                                .Cases({"llvm.intr.maxnum", "llvm.intr.maxnumf"}, v_pk_max_f16)
                                .Cases({"llvm.intr.minnum"}, v_pk_min_f16)
                                .Default(none);
    if (packed != none) {
      SmallVector<Elems> sources = operandsOf();
      Elems result;
      for (size_t i = 0; i < sources[0].size(); ++i) {
        SmallVector<Elem> words;
        for (const Elems &source : sources)
          words.push_back(toVgpr(source[i]));
        result.push_back(valu(packed, words)[0]);
      }
      set(op->getResult(0), result);
      return true;
    }
  }
  // Packed singles on pairs of registers.
  if (auto vector = dyn_cast_or_null<VectorType>(op->getNumResults() ? op->getResult(0).getType() : Type());
      vector && vector.getElementType().isF32() && vector.getNumElements() % 2 == 0) {
    const Mnemonic packed = StringSwitch<Mnemonic>(name)
                                .Case("llvm.fadd", v_pk_add_f32)
                                .Case("llvm.fmul", v_pk_mul_f32)
                                .Cases({"llvm.intr.fma", "llvm.intr.fmuladd"}, v_pk_fma_f32)
                                .Default(none);
    if (packed != none) {
      SmallVector<Elems> sources = operandsOf();
      Elems result;
      for (size_t i = 0; i < sources[0].size(); i += 2) {
        SmallVector<Operand, 3> pairs;
        // The bits say which half of its register pair each result half reads.
        Modifiers modifiers;
        bool splats = false;
        for (const Elems &source : sources) {
          ArrayRef<Elem> two = ArrayRef<Elem>(source).slice(i, 2);
          bool splat = two[0] == two[1];
          splats |= splat;
          modifiers.opSelHi.push_back(!splat);
          pairs.push_back(Operand::use(splat ? lowOfPair(two[0]) : tuple(two, RegFile::Vgpr)));
        }
        Elems pair = pureTuple(packed, 2, pairs, false, splats ? modifiers : Modifiers());
        result.append(pair.begin(), pair.end());
      }
      set(op->getResult(0), result);
      return true;
    }
  }

  const FloatOperation binary = StringSwitch<FloatOperation>(name)
                                    .Case("llvm.fadd", {v_add_f16, v_add_f32, v_add_f64})
                                    .Case("llvm.fsub", {v_sub_f16, v_sub_f32, none})
                                    .Case("llvm.fmul", {v_mul_f16, v_mul_f32, v_mul_f64})
                                    .Cases({"llvm.intr.minnum", "llvm.intr.minimum"}, {v_min_f16, v_min_f32, v_min_f64})
                                    .Cases({"llvm.intr.maxnum", "llvm.intr.maximum"}, {v_max_f16, v_max_f32, v_max_f64})
                                    .Default({none, none, none});
  if (binary.f32 != none) {
    bool propagatesNan = name.ends_with("imum");
    return setElementwise([&](Type type, ArrayRef<Elems> v) {
      Elems result = floatBinary(binary, type, v[0], v[1]);
      if (propagatesNan && !hasFastMath(LLVM::FastmathFlags::nnan)) {
        // v_min and v_max return the other operand: an unordered pair becomes a NaN.
        Type compared = type;
        Elems a = v[0], b = v[1];
        if (type.isBF16()) {
          a = floatCast(type, f32, a);
          b = floatCast(type, f32, b);
          compared = f32;
        }
        Elems unordered = compareFloats(FloatOperation{v_cmp_u_f16, v_cmp_u_f32, v_cmp_u_f64}.on(compared), a, b);
        uint32_t top = type.isF32() ? 0x7fc00000 : type.isF16() ? 0x7e00 : type.isBF16() ? 0x7fc0 : 0x7ff80000;
        result.back() = selectElem(unordered, Elem::constant(top), result.back());
      }
      return result;
    });
  }
  if (name == "llvm.fneg")
    return setElementwise([&](Type type, ArrayRef<Elems> v) {
      Elems result = v[0];
      uint32_t sign = type.getIntOrFloatBitWidth() == 16 ? 0x8000u : 0x80000000u;
      Elem top = isScalar(result.back()) && !result.back().isImm ? toVgpr(result.back()) : result.back();
      result.back() = bitXor(top, Elem::constant(sign));
      return result;
    });
  if (name == "llvm.intr.fabs")
    return setElementwise([&](Type type, ArrayRef<Elems> v) {
      Elems result = v[0];
      uint32_t rest = type.getIntOrFloatBitWidth() == 16 ? 0x7fffu : 0x7fffffffu;
      result.back() = bitAnd(toVgpr(result.back()), Elem::constant(rest));
      return result;
    });
  if (name == "llvm.intr.copysign")
    return setElementwise([&](Type type, ArrayRef<Elems> v) {
      Elems result = v[0];
      uint32_t rest = type.getIntOrFloatBitWidth() == 16 ? 0x7fffu : 0x7fffffffu;
      result.back() = pure(v_bfi_b32, {Elem::constant(rest), toVgpr(v[0].back()), toVgpr(v[1].back())}, false);
      return result;
    });
  if (name == "llvm.intr.fma" || name == "llvm.intr.fmuladd")
    return setElementwise([&](Type type, ArrayRef<Elems> v) -> Elems {
      if (type.isF32())
        return valu(v_fma_f32, {v[0][0], v[1][0], v[2][0]});
      if (type.isF16())
        return valu(v_fma_f16, {toVgpr(v[0][0]), toVgpr(v[1][0]), toVgpr(v[2][0])});
      if (type.isF64())
        return valu64(v_fma_f64, {v[0], v[1], v[2]});
      return throughF32(type, v, [&](ArrayRef<Elem> w) { return valu(v_fma_f32, {w[0], w[1], w[2]})[0]; });
    });
  if (auto root = name == "llvm.fdiv" ? op->getOperand(1).getDefiningOp<LLVM::SqrtOp>() : LLVM::SqrtOp();
      root && isOne(op->getOperand(0)) && hasFastMath(LLVM::FastmathFlags::arcp) &&
      !getElementTypeOrSelf(root.getType()).isF64()) {
    set(op->getResult(0),
        elementwise(op->getResult(0).getType(), {get(root.getIn())}, [&](Type type, ArrayRef<Elems> v) -> Elems {
          if (type.isF16())
            return valu(v_rsq_f16, {v[0][0]});
          return throughF32(type, v, [&](ArrayRef<Elem> w) {
            if (!type.isF32() || hasFastMath(LLVM::FastmathFlags::afn))
              return valu(v_rsq_f32, {w[0]})[0];
            // v_rsq_f32 takes denormals for zero: those are scaled up by 2^24, their results by 2^12.
            Elems small = compareFloats(v_cmp_gt_f32, {Elem::constant(0x00800000)}, {w[0]});
            Elem up = selectElem(small, Elem::constant(24), Elem::constant(0));
            Elem down = selectElem(small, Elem::constant(12), Elem::constant(0));
            return valu(v_ldexp_f32, {valu(v_rsq_f32, {valu(v_ldexp_f32, {w[0], up})[0]})[0], down})[0];
          });
        }));
    return true;
  }
  if (name == "llvm.fdiv")
    return setElementwise([&](Type type, ArrayRef<Elems> v) -> Elems {
      bool approximate = hasFastMath(LLVM::FastmathFlags::arcp) || hasFastMath(LLVM::FastmathFlags::afn);
      if (type.isF64())
        return divideF64(v[0], v[1]);
      auto divide = [&](ArrayRef<Elem> w) -> Elem {
        if (approximate || !type.isF32())
          return valu(v_mul_f32, {w[0], valu(v_rcp_f32, {w[1]})[0]})[0];
        return divideF32(w[0], w[1]);
      };
      if (type.isF32())
        return {divide({v[0][0], v[1][0]})};
      Elems quotient = throughF32(type, v, divide);
      if (type.isF16())
        return valu(v_div_fixup_f16, {toVgpr(quotient[0]), toVgpr(v[1][0]), toVgpr(v[0][0])});
      return quotient;
    });
  if (name == "llvm.frem")
    return setElementwise([&](Type type, ArrayRef<Elems> v) -> Elems {
      return throughF32(type, v, [&](ArrayRef<Elem> w) {
        Elem quotient = valu(v_trunc_f32, {divideF32(w[0], w[1])})[0];
        Elem product = bitXor(toVgpr(quotient), Elem::constant(0x80000000));
        return valu(v_fma_f32, {product, w[1], w[0]})[0];
      });
    });
  const FloatOperation unary = StringSwitch<FloatOperation>(name)
                                   .Case("llvm.intr.floor", {v_floor_f16, v_floor_f32, v_floor_f64})
                                   .Case("llvm.intr.ceil", {v_ceil_f16, v_ceil_f32, v_ceil_f64})
                                   .Case("llvm.intr.trunc", {v_trunc_f16, v_trunc_f32, v_trunc_f64})
                                   .Cases({"llvm.intr.rint", "llvm.intr.roundeven", "llvm.intr.nearbyint"},
                                          {v_rndne_f16, v_rndne_f32, v_rndne_f64})
                                   .Case("llvm.intr.sqrt", {v_sqrt_f16, v_sqrt_f32, v_sqrt_f64})
                                   .Default({none, none, none});
  if (unary.f32 != none)
    return setElementwise([&](Type type, ArrayRef<Elems> v) -> Elems {
      if (type.isF16())
        return valu(unary.f16, {v[0][0]});
      if (type.isF64())
        return unary.f64 == v_sqrt_f64 ? squareRootF64(v[0]) : valu64(unary.f64, {v[0]});
      return throughF32(type, v, [&](ArrayRef<Elem> w) { return valu(unary.f32, {w[0]})[0]; });
    });
  if (getElementTypeOrSelf(op->getNumResults() ? op->getResult(0).getType() : f32).isF64() &&
      StringSwitch<bool>(name)
          .Cases({"llvm.intr.exp2", "llvm.intr.log2", "llvm.intr.sin", "llvm.intr.cos", "llvm.frem"}, true)
          .Default(false))
    return fail(op, "not on f64");
  if (name == "llvm.intr.exp2")
    return setElementwise([&](Type type, ArrayRef<Elems> v) -> Elems {
      return throughF32(type, v, [&](ArrayRef<Elem> w) {
        if (!type.isF32() || hasFastMath(LLVM::FastmathFlags::afn))
          return valu(v_exp_f32, {w[0]})[0];
        // v_exp_f32 flushes denormal results: compute 2^(x+64), then scale.
        Elems small = compareFloats(v_cmp_gt_f32, {Elem::constant(0xc2fc0000)}, {w[0]}); // -126
        Elem bias = selectElem(small, Elem::constant(0x42800000), Elem::constant(0));    // 64
        Elem power = valu(v_exp_f32, {valu(v_add_f32, {w[0], bias})[0]})[0];
        Elem scale = selectElem(small, Elem::constant(-64), Elem::constant(0));
        return valu(v_ldexp_f32, {power, scale})[0];
      });
    });
  if (name == "llvm.intr.log2")
    return setElementwise([&](Type type, ArrayRef<Elems> v) -> Elems {
      return throughF32(type, v, [&](ArrayRef<Elem> w) {
        if (!type.isF32() || hasFastMath(LLVM::FastmathFlags::afn))
          return valu(v_log_f32, {w[0]})[0];
        // Denormals are scaled up by 2^32 first.
        Elems small = compareFloats(v_cmp_gt_f32, {Elem::constant(0x00800000)}, {w[0]});
        Elem shift = selectElem(small, Elem::constant(32), Elem::constant(0));
        Elem logarithm = valu(v_log_f32, {valu(v_ldexp_f32, {w[0], shift})[0]})[0];
        Elem correction = selectElem(small, Elem::constant(0x42000000), Elem::constant(0));
        return valu(v_sub_f32, {logarithm, correction})[0];
      });
    });
  if (name == "llvm.intr.sin" || name == "llvm.intr.cos") {
    const Mnemonic mnemonic = name.ends_with("sin") ? v_sin_f32 : v_cos_f32;
    return setElementwise([&](Type type, ArrayRef<Elems> v) -> Elems {
      return throughF32(type, v, [&](ArrayRef<Elem> w) {
        // The instructions take turns; v_fract keeps them in their accurate range.
        Elem turns = valu(v_mul_f32, {Elem::constant(0x3e22f983), w[0]})[0];
        return valu(mnemonic, {valu(v_fract_f32, {turns})[0]})[0];
      });
    });
  }
  if (auto test = dyn_cast<LLVM::IsFPClass>(op)) {
    Type type = test.getIn().getType();
    auto vector = dyn_cast<VectorType>(type);
    Type element = vector ? vector.getElementType() : type;
    Elems all = get(test.getIn()), result;
    // The instruction numbers the classes as LLVM does. A bf16 has the class of its single.
    Elem classes = Elem::constant(test.getBit());
    for (int64_t i = 0, e = vector ? vector.getNumElements() : 1; i < e; ++i) {
      Elems value = vector ? extractElement(vector, all, i) : all, mask;
      if (element.isBF16())
        value = floatCast(element, f32, value);
      const Mnemonic mnemonic =
          FloatOperation{v_cmp_class_f16, v_cmp_class_f32, v_cmp_class_f64}.on(element.isBF16() ? f32 : element);
      Operand number = element.isF64() ? Operand::use(tuple(value, RegFile::Vgpr)) : operand(toVgpr(value[0]));
      mask = pureTuple(mnemonic, 2, {number, operand(toVgpr(classes))}, true);
      result.append(mask.begin(), mask.end());
    }
    set(test.getRes(), result);
    return true;
  }
  if (auto fcmp = dyn_cast<LLVM::FCmpOp>(op)) {
    const FloatOperation relation = comparison(fcmp.getPredicate());
    if (relation.f32 == none) {
      uint32_t always = fcmp.getPredicate() == LLVM::FCmpPredicate::_true ? ~0u : 0;
      set(fcmp.getResult(), Elems(dwords(fcmp.getType()), Elem::constant(always)));
      return true;
    }
    Type operandType = fcmp.getLhs().getType();
    auto vector = dyn_cast<VectorType>(operandType);
    Elems a = get(fcmp.getLhs()), b = get(fcmp.getRhs()), result;
    unsigned count = vector ? vector.getNumElements() : 1;
    Type type = vector ? vector.getElementType() : operandType;
    for (unsigned i = 0; i < count; ++i) {
      Elems x = vector ? extractElement(vector, a, i) : a, y = vector ? extractElement(vector, b, i) : b;
      Type compared = type;
      if (!type.isF32() && !type.isF16() && !type.isF64()) {
        x = floatCast(type, f32, x);
        y = floatCast(type, f32, y);
        compared = f32;
      }
      if (x.size() == 1 && isScalar(x[0]) && isScalar(y[0]))
        x[0] = toVgpr(x[0]);
      Elems mask = compareFloats(relation.on(compared), x, y);
      result.append(mask.begin(), mask.end());
    }
    set(fcmp.getResult(), result);
    return true;
  }
  if (isa<LLVM::FPExtOp, LLVM::FPTruncOp>(op)) {
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    auto vector = dyn_cast<VectorType>(from);
    if (!vector) {
      set(op->getResult(0), floatCast(from, to, get(op->getOperand(0))));
      return true;
    }
    Elems value = get(op->getOperand(0));
    Type toElement = cast<VectorType>(to).getElementType();
    bool packs = toElement.isBF16() && vector.getElementType().isF32() && vector.getNumElements() % 2 == 0 &&
                 !chip.encodings(v_cvt_pk_bf16_f32).empty();
    if (packs) {
      Elems result;
      for (size_t i = 0; i < value.size(); i += 2)
        result.push_back(valu(v_cvt_pk_bf16_f32, {toVgpr(value[i]), toVgpr(value[i + 1])})[0]);
      set(op->getResult(0), result);
      return true;
    }
    SmallVector<Elems> elements;
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      elements.push_back(floatCast(vector.getElementType(), toElement, extractElement(from, value, i)));
    set(op->getResult(0), buildVector(to, elements));
    return true;
  }
  if (isa<LLVM::SIToFPOp, LLVM::UIToFPOp, LLVM::FPToSIOp, LLVM::FPToUIOp>(op)) {
    Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
    auto vector = dyn_cast<VectorType>(from);
    bool isSigned = isa<LLVM::SIToFPOp, LLVM::FPToSIOp>(op);
    bool toFloat = isa<LLVM::SIToFPOp, LLVM::UIToFPOp>(op);
    Type fromElement = getElementTypeOrSelf(from), toElement = getElementTypeOrSelf(to);
    unsigned intBits = bitWidth(toFloat ? fromElement : toElement);
    auto convert = [&](Elems v) -> Elems {
      if (toFloat) {
        Elem word;
        if (intBits == 1)
          word = selectElem(v, Elem::constant(isSigned ? -1 : 1), Elem::constant(0));
        else if (intBits <= 32)
          word = isSigned ? signExtend(v[0], intBits) : zeroExtend(v[0], intBits);
        else
          return floatCast(f64, toElement, toDouble(toElement.isF64() ? v : toOdd53(v, isSigned), isSigned));
        // What a single doesn't hold exactly must not be rounded to one first.
        if (toElement.isF64() || (toElement.isBF16() && intBits > 24))
          return floatCast(f64, toElement,
                           pureTuple(isSigned ? v_cvt_f64_i32 : v_cvt_f64_u32, 2, {operand(word)}, false));
        Elems single = valu(isSigned ? v_cvt_f32_i32 : v_cvt_f32_u32, {word});
        return floatCast(f32, toElement, single);
      }
      if (intBits > 32)
        return fromDouble(valu64(v_trunc_f64, {floatCast(fromElement, f64, v)}), isSigned);
      Elems word;
      if (fromElement.isF64())
        word = pureTuple(isSigned ? v_cvt_i32_f64 : v_cvt_u32_f64, 1, {Operand::use(tuple(v, RegFile::Vgpr))}, false);
      else
        word = valu(isSigned ? v_cvt_i32_f32 : v_cvt_u32_f32, {floatCast(fromElement, f32, v)[0]});
      if (intBits == 1)
        return compare(Predicate::ne, {bitAnd(word[0], Elem::constant(1))}, {Elem::constant(0)});
      return word;
    };
    Elems value = get(op->getOperand(0));
    if (!vector) {
      set(op->getResult(0), convert(value));
      return true;
    }
    SmallVector<Elems> elements;
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      elements.push_back(convert(extractElement(from, value, i)));
    set(op->getResult(0), buildVector(to, elements));
    return true;
  }
  return false;
}

} // namespace inflight::select
