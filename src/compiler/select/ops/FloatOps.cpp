// Floating-point operations of the LLVM dialect.
#include "compiler/loops/Matrix.h"
#include "compiler/pipeline/Attributes.h"
#include "compiler/select/Handlers.h"

#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

namespace {
class FloatOps : public OpSelector {
public:
  using OpSelector::OpSelector;
  template <typename Op> LogicalResult select(Op op);

private:
  bool isBesideMatrix(Operation *op);
  Emission::Signed signedForm(const Elems &value) const;
  void remember(Type type, const Elems &result, Emission::Signed form);
  bool packed(Operation *op, Mnemonic onHalves, Mnemonic onSingles, lir::BitList negated = {});
  bool bfloatPairs(Operation *op, FloatOperation operation);
  LogicalResult arithmetic(Operation *op, FloatOperation operation, Mnemonic packedF16 = none,
                           Mnemonic packedF32 = none);
  LogicalResult numberExtremum(Operation *op, FloatOperation operation, Mnemonic packedF16);
  LogicalResult propagatingExtremum(Operation *op, FloatOperation operation);
  LogicalResult fusedMultiplyAdd(Operation *op);
  LogicalResult reciprocalRoot(LLVM::FDivOp op, LLVM::SqrtOp root);
  LogicalResult onSingles(Operation *op, function_ref<Elem(ArrayRef<Elem>)> compute);
  LogicalResult floatUnary(Operation *op, FloatOperation operation);
  LogicalResult sine(Operation *op, Mnemonic mnemonic);
};
} // namespace

using Values = ArrayRef<Elems>;

static Type elementOf(Operation *op) { return getElementTypeOrSelf(op->getResult(0).getType()); }

static bool hasFastMath(Operation *op, LLVM::FastmathFlags flag) {
  auto flags = op->getAttrOfType<LLVM::FastmathFlagsAttr>("fastmathFlags");
  return flags && bitEnumContainsAny(flags.getValue(), flag);
}

/// Whether the operation is in a block whose matrix instructions go first, so that those of another wave are in the
/// matrix core: packed singles would wait for them and they for packed singles. One by one they go beside each other.
bool FloatOps::isBesideMatrix(Operation *op) {
  auto [known, isNew] = selection.matrixBlocks.try_emplace(op->getBlock());
  if (isNew)
    known->second = llvm::any_of(*op->getBlock(), [](Operation &other) { return isMatrix(&other); }) &&
                    llvm::any_of(*op->getBlock(), [](Operation &other) { return other.hasAttr(alternates); });
  return known->second;
}

/// Whether all that reads the vector takes the same one of its elements.
static bool isOneTaken(Value vector) {
  std::optional<int64_t> taken;
  for (Operation *user : vector.getUsers()) {
    auto extract = dyn_cast<LLVM::ExtractElementOp>(user);
    APInt index;
    if (!extract || !matchPattern(extract.getPosition(), m_ConstantInt(&index)) ||
        (taken && *taken != index.getSExtValue()))
      return false;
    taken = index.getSExtValue();
  }
  return taken.has_value();
}

/// Two elements per instruction: halves of a word, or a pair of registers of which the bits of op_sel_hi say which one
/// each half of the result reads. `negated`: which operands are negated.
bool FloatOps::packed(Operation *op, Mnemonic onHalves, Mnemonic onSingles, lir::BitList negated) {
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!vector || vector.getNumElements() % 2)
    return false;
  const bool isHalf = vector.getElementType().isF16();
  const Mnemonic mnemonic = isHalf ? onHalves : vector.getElementType().isF32() ? onSingles : none;
  if (mnemonic == none || (!isHalf && isBesideMatrix(op)))
    return false;
  // One element of two singles is computed alone.
  if (!isHalf && vector.getNumElements() == 2 && isOneTaken(op->getResult(0)))
    return false;
  SmallVector<Elems> sources;
  lir::BitList signs;
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    bool isNegated = i < negated.count && negated.bits >> i & 1;
    Value value = operand;
    for (auto negation = value.getDefiningOp<LLVM::FNegOp>(); negation;
         negation = value.getDefiningOp<LLVM::FNegOp>()) {
      value = negation.getOperand();
      isNegated = !isNegated;
    }
    sources.push_back(get(value));
    signs.push_back(isNegated);
  }
  if (signs.bits == 0)
    signs = {};
  Elems result;
  for (size_t i = 0; i < sources[0].size(); i += isHalf ? 1 : 2) {
    Elems part = isHalf ? packedHalves(mnemonic, sources, i, signs) : packedSingles(mnemonic, sources, i, signs);
    result.append(part.begin(), part.end());
  }
  set(op->getResult(0), result);
  return true;
}

/// Two bfloats are rounded by one instruction where the chip has it.
bool FloatOps::bfloatPairs(Operation *op, FloatOperation operation) {
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!vector || vector.getNumElements() % 2 || !vector.getElementType().isBF16() || !has(v_cvt_pk_bf16_f32))
    return false;
  const Elems a = get(op->getOperand(0)), b = get(op->getOperand(1));
  Type f32 = Float32Type::get(op->getContext());
  Elems result;
  for (unsigned i = 0; i < vector.getNumElements(); i += 2) {
    Elem singles[2];
    for (unsigned k : {0u, 1u})
      singles[k] = toVgpr(floatBinary(operation, f32, {bf16ToF32(extractElement(vector, a, i + k)[0])},
                                      {bf16ToF32(extractElement(vector, b, i + k)[0])})[0]);
    result.push_back(valu(v_cvt_pk_bf16_f32, {singles[0], singles[1]})[0]);
  }
  set(op->getResult(0), result);
  return true;
}

LogicalResult FloatOps::arithmetic(Operation *op, FloatOperation operation, Mnemonic packedF16, Mnemonic packedF32) {
  if (packed(op, packedF16, packedF32) || bfloatPairs(op, operation))
    return success();
  return elementwise(op, [&](Values v) { return floatBinary(operation, elementOf(op), v[0], v[1]); });
}

template <> LogicalResult FloatOps::select(LLVM::FAddOp op) {
  return arithmetic(op, {v_add_f16, v_add_f32, v_add_f64}, v_pk_add_f16, v_pk_add_f32);
}
/// There is no packed subtraction: the negative is added, which is the same.
template <> LogicalResult FloatOps::select(LLVM::FSubOp op) {
  lir::BitList second;
  second.push_back(false);
  second.push_back(true);
  return packed(op, v_pk_add_f16, v_pk_add_f32, second) ? success() : arithmetic(op, {v_sub_f16, v_sub_f32, none});
}
template <> LogicalResult FloatOps::select(LLVM::FMulOp op) {
  return arithmetic(op, {v_mul_f16, v_mul_f32, v_mul_f64}, v_pk_mul_f16, v_pk_mul_f32);
}

constexpr FloatOperation minima{v_min_f16, v_min_f32, v_min_f64}, maxima{v_max_f16, v_max_f32, v_max_f64};

/// What may be a signaling NaN becomes a quiet one first; the greater of it and itself is that.
LogicalResult FloatOps::numberExtremum(Operation *op, FloatOperation operation, Mnemonic packedF16) {
  SmallVector<bool> signaling;
  for (Value operand : op->getOperands())
    signaling.push_back(!hasFastMath(op, LLVM::FastmathFlags::nnan) && mayBeSignaling(operand));
  const bool isOfItself = op->getOperand(0) == op->getOperand(1);
  if (isOfItself && !signaling[0] && !fn.flushesSingles) {
    set(op->getResult(0), get(op->getOperand(0)));
    return success();
  }
  if (isOfItself || !llvm::is_contained(signaling, true))
    return arithmetic(op, operation, packedF16);
  auto vector = dyn_cast<VectorType>(op->getResult(0).getType());
  if (!vector || !vector.getElementType().isF16() || vector.getNumElements() % 2)
    return elementwise(op, [&](Values v) { return numberMinMax(operation, elementOf(op), v, signaling); });
  Elems result;
  SmallVector<Elems> sources{get(op->getOperand(0)), get(op->getOperand(1))};
  for (size_t i = 0; i < sources[0].size(); ++i) {
    for (auto [source, quiets] : llvm::zip(sources, signaling))
      if (quiets)
        source[i] = packedHalves(v_pk_max_f16, {source, source}, i)[0];
    result.push_back(packedHalves(packedF16, sources, i)[0]);
  }
  set(op->getResult(0), result);
  return success();
}

template <> LogicalResult FloatOps::select(LLVM::MinNumOp op) { return numberExtremum(op, minima, v_pk_min_f16); }
template <> LogicalResult FloatOps::select(LLVM::MaxNumOp op) { return numberExtremum(op, maxima, v_pk_max_f16); }

/// v_min and v_max return the other operand of a NaN: an unordered pair becomes a NaN. Chips with v_minimum3 and
/// v_maximum3 have the operation itself.
LogicalResult FloatOps::propagatingExtremum(Operation *op, FloatOperation operation) {
  Type type = elementOf(op), f32 = Float32Type::get(op->getContext());
  const bool isMaximum = operation.f32 == v_max_f32;
  const Mnemonic onSingles = isMaximum ? v_maximum3_f32 : v_minimum3_f32;
  const Mnemonic onHalves = isMaximum ? v_pk_maximum3_f16 : v_pk_minimum3_f16;
  if (type.isF16() && has(onHalves)) {
    const Elems a = get(op->getOperand(0)), b = get(op->getOperand(1));
    Elems result;
    for (size_t i = 0; i < a.size(); ++i)
      result.append(packedHalves(onHalves, {a, b, b}, i));
    set(op->getResult(0), result);
    return success();
  }
  return elementwise(op, [&](Values v) {
    if (type.isF32() && has(onSingles))
      return valu(onSingles, {v[0][0], v[1][0], v[1][0]});
    Elems result = floatBinary(operation, type, v[0], v[1]);
    if (hasFastMath(op, LLVM::FastmathFlags::nnan))
      return result;
    Type compared = type.isBF16() ? f32 : type;
    Elems a = floatCast(type, compared, v[0]), b = floatCast(type, compared, v[1]);
    Elems unordered = compareFloats(FloatOperation{v_cmp_u_f16, v_cmp_u_f32, v_cmp_u_f64}.on(compared), a, b);
    const uint32_t quietNan = type.isF16() ? 0x7e00 : type.isBF16() ? 0x7fc0 : type.isF32() ? 0x7fc00000 : 0x7ff80000;
    result.back() = selectElem(unordered, Elem::constant(quietNan), result.back());
    return result;
  });
}

template <> LogicalResult FloatOps::select(LLVM::MinimumOp op) { return propagatingExtremum(op, minima); }
template <> LogicalResult FloatOps::select(LLVM::MaximumOp op) { return propagatingExtremum(op, maxima); }

/// The word of a float that has its sign, and the bits below that.
static uint32_t magnitudeBits(Type type) { return type.getIntOrFloatBitWidth() == 16 ? 0x7fffu : 0x7fffffffu; }

Emission::Signed FloatOps::signedForm(const Elems &value) const {
  const Elem &top = value.back();
  auto found = top.isImm ? state.signedOf.end() : state.signedOf.find({top.reg.id, top.reg.sub});
  return found == state.signedOf.end() ? Emission::Signed{value} : found->second;
}

/// Halves have their signs where two of them may share a word.
void FloatOps::remember(Type type, const Elems &result, Emission::Signed form) {
  const Elem &top = result.back();
  if (!top.isImm && type.getIntOrFloatBitWidth() >= 32)
    state.signedOf[{top.reg.id, top.reg.sub}] = std::move(form);
}

template <> LogicalResult FloatOps::select(LLVM::FNegOp op) {
  return elementwise(op, [&](Values v) {
    Elems result = v[0];
    Elem top = isScalar(result.back()) && !result.back().isImm ? toVgpr(result.back()) : result.back();
    result.back() = bitXor(top, Elem::constant(magnitudeBits(elementOf(op)) + 1));
    Emission::Signed form = signedForm(v[0]);
    form.negate = !form.negate;
    remember(elementOf(op), result, form);
    return result;
  });
}

template <> LogicalResult FloatOps::select(LLVM::FAbsOp op) {
  return elementwise(op, [&](Values v) {
    Elems result = v[0];
    const Elem top = result.back().isImm ? result.back() : toVgpr(result.back());
    result.back() = bitAnd(top, Elem::constant(magnitudeBits(elementOf(op))));
    Emission::Signed form = signedForm(v[0]);
    form.negate = false;
    form.absolute = true;
    remember(elementOf(op), result, form);
    return result;
  });
}

template <> LogicalResult FloatOps::select(LLVM::CopySignOp op) {
  return elementwise(op, [&](Values v) {
    Elems result = v[0];
    const Elem magnitude = Elem::constant(magnitudeBits(elementOf(op)));
    result.back() = pure(v_bfi_b32, {magnitude, toVgpr(v[0].back()), toVgpr(v[1].back())}, false);
    return result;
  });
}

LogicalResult FloatOps::fusedMultiplyAdd(Operation *op) {
  Type type = elementOf(op);
  return elementwise(op, [&](Values v) -> Elems {
    if (type.isF32())
      return valu(v_fma_f32, {v[0][0], v[1][0], v[2][0]});
    if (type.isF16())
      return valu(v_fma_f16, {toVgpr(v[0][0]), toVgpr(v[1][0]), toVgpr(v[2][0])});
    if (type.isF64())
      return valu64(v_fma_f64, v);
    return throughF32(type, v, [&](ArrayRef<Elem> w) { return valu(v_fma_f32, w)[0]; });
  });
}

template <> LogicalResult FloatOps::select(LLVM::FMAOp op) {
  return packed(op, v_pk_fma_f16, v_pk_fma_f32) ? success() : fusedMultiplyAdd(op);
}
template <> LogicalResult FloatOps::select(LLVM::FMulAddOp op) {
  return packed(op, v_pk_fma_f16, v_pk_fma_f32) ? success() : fusedMultiplyAdd(op);
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

/// One over the root.
LogicalResult FloatOps::reciprocalRoot(LLVM::FDivOp op, LLVM::SqrtOp root) {
  Type type = elementOf(op);
  return elementwise(op, root.getIn(), [&](Values v) -> Elems {
    if (type.isF16())
      return valu(v_rsq_f16, {v[0][0]});
    return throughF32(type, v, [&](ArrayRef<Elem> w) {
      if (hasFastMath(op, LLVM::FastmathFlags::afn))
        return valu(v_rsq_f32, {w[0]})[0];
      // v_rsq_f32 takes denormals for zero: those are scaled up by 2^24, their results by 2^12.
      Elems small = compareFloats(v_cmp_gt_f32, {Elem::constant(0x00800000)}, {w[0]});
      Elem up = selectElem(small, Elem::constant(24), Elem::constant(0));
      Elem down = selectElem(small, Elem::constant(12), Elem::constant(0));
      return valu(v_ldexp_f32, {valu(v_rsq_f32, {valu(v_ldexp_f32, {w[0], up})[0]})[0], down})[0];
    });
  });
}

template <> LogicalResult FloatOps::select(LLVM::FDivOp op) {
  Type type = elementOf(op);
  auto root = op.getRhs().getDefiningOp<LLVM::SqrtOp>();
  if (root && isOne(op.getLhs()) && hasFastMath(op, LLVM::FastmathFlags::arcp) && !type.isF64())
    return reciprocalRoot(op, root);
  const bool isApproximate = hasFastMath(op, LLVM::FastmathFlags::arcp) || hasFastMath(op, LLVM::FastmathFlags::afn);
  auto divide = [&](ArrayRef<Elem> w) -> Elem {
    // The reciprocal of a half is neither denormal nor infinite as a single; of the range of bf16 it may be.
    if (isApproximate || type.isF16())
      return valu(v_mul_f32, {w[0], valu(v_rcp_f32, {w[1]})[0]})[0];
    return divideF32(w[0], w[1]);
  };
  return elementwise(op, [&](Values v) -> Elems {
    if (type.isF64())
      return divideF64(v[0], v[1]);
    Elems quotient = throughF32(type, v, divide);
    if (type.isF16())
      return valu(v_div_fixup_f16, {toVgpr(quotient[0]), toVgpr(v[1][0]), toVgpr(v[0][0])});
    return quotient;
  });
}

/// An operation that f64 doesn't have; f16 and bf16 compute it in f32.
LogicalResult FloatOps::onSingles(Operation *op, function_ref<Elem(ArrayRef<Elem>)> compute) {
  Type type = elementOf(op);
  if (type.isF64())
    return unsupported(op, "not on f64");
  return elementwise(op, [&](Values v) { return throughF32(type, v, compute); });
}

template <> LogicalResult FloatOps::select(LLVM::FRemOp op) {
  return onSingles(op, [&](ArrayRef<Elem> w) {
    Elem quotient = valu(v_trunc_f32, {divideF32(w[0], w[1])})[0];
    Elem product = bitXor(toVgpr(quotient), Elem::constant(0x80000000));
    return valu(v_fma_f32, {product, w[1], w[0]})[0];
  });
}

LogicalResult FloatOps::floatUnary(Operation *op, FloatOperation operation) {
  Type type = elementOf(op);
  return elementwise(op, [&](Values v) -> Elems {
    if (type.isF16())
      return valu(operation.f16, {v[0][0]});
    if (type.isF64())
      return operation.f64 == v_sqrt_f64 ? squareRootF64(v[0]) : valu64(operation.f64, {v[0]});
    return throughF32(type, v, [&](ArrayRef<Elem> w) { return valu(operation.f32, {w[0]})[0]; });
  });
}

constexpr FloatOperation roundings{v_rndne_f16, v_rndne_f32, v_rndne_f64};

template <> LogicalResult FloatOps::select(LLVM::FFloorOp op) {
  return floatUnary(op, {v_floor_f16, v_floor_f32, v_floor_f64});
}
template <> LogicalResult FloatOps::select(LLVM::FCeilOp op) {
  return floatUnary(op, {v_ceil_f16, v_ceil_f32, v_ceil_f64});
}
template <> LogicalResult FloatOps::select(LLVM::FTruncOp op) {
  return floatUnary(op, {v_trunc_f16, v_trunc_f32, v_trunc_f64});
}
template <> LogicalResult FloatOps::select(LLVM::RintOp op) { return floatUnary(op, roundings); }
template <> LogicalResult FloatOps::select(LLVM::RoundEvenOp op) { return floatUnary(op, roundings); }
template <> LogicalResult FloatOps::select(LLVM::NearbyintOp op) { return floatUnary(op, roundings); }
template <> LogicalResult FloatOps::select(LLVM::SqrtOp op) {
  return floatUnary(op, {v_sqrt_f16, v_sqrt_f32, v_sqrt_f64});
}

template <> LogicalResult FloatOps::select(LLVM::LoadExpOp op) {
  Type type = elementOf(op);
  if (bitWidth(getElementTypeOrSelf(op.getPower().getType())) != 32)
    return unsupported(op, "an exponent that isn't of 32 bits");
  return elementwise(op, [&](Values v) -> Elems {
    if (type.isF64())
      return valu64(v_ldexp_f64, {v[0], v[1]});
    return throughF32(type, {v[0]}, [&](ArrayRef<Elem> w) { return valu(v_ldexp_f32, {w[0], v[1][0]})[0]; });
  });
}

template <> LogicalResult FloatOps::select(LLVM::Exp2Op op) {
  const bool isFast = !elementOf(op).isF32() || hasFastMath(op, LLVM::FastmathFlags::afn);
  return onSingles(op, [&](ArrayRef<Elem> w) {
    if (isFast)
      return valu(v_exp_f32, {w[0]})[0];
    // v_exp_f32 flushes denormal results: compute 2^(x+64), then scale.
    Elems small = compareFloats(v_cmp_gt_f32, {Elem::constant(0xc2fc0000)}, {w[0]}); // -126
    Elem bias = selectElem(small, Elem::constant(0x42800000), Elem::constant(0));    // 64
    Elem power = valu(v_exp_f32, {valu(v_add_f32, {w[0], bias})[0]})[0];
    Elem scale = selectElem(small, Elem::constant(-64), Elem::constant(0));
    return valu(v_ldexp_f32, {power, scale})[0];
  });
}

template <> LogicalResult FloatOps::select(LLVM::Log2Op op) {
  const bool isFast = !elementOf(op).isF32() || hasFastMath(op, LLVM::FastmathFlags::afn);
  return onSingles(op, [&](ArrayRef<Elem> w) {
    if (isFast)
      return valu(v_log_f32, {w[0]})[0];
    // Denormals are scaled up by 2^32 first.
    Elems small = compareFloats(v_cmp_gt_f32, {Elem::constant(0x00800000)}, {w[0]});
    Elem shift = selectElem(small, Elem::constant(32), Elem::constant(0));
    Elem logarithm = valu(v_log_f32, {valu(v_ldexp_f32, {w[0], shift})[0]})[0];
    Elem correction = selectElem(small, Elem::constant(0x42000000), Elem::constant(0));
    return valu(v_sub_f32, {logarithm, correction})[0];
  });
}

/// The instructions take turns; v_fract keeps them in their accurate range.
LogicalResult FloatOps::sine(Operation *op, Mnemonic mnemonic) {
  return onSingles(op, [&](ArrayRef<Elem> w) {
    Elem turns = valu(v_mul_f32, {Elem::constant(0x3e22f983), w[0]})[0];
    return valu(mnemonic, {valu(v_fract_f32, {turns})[0]})[0];
  });
}

template <> LogicalResult FloatOps::select(LLVM::SinOp op) { return sine(op, v_sin_f32); }
template <> LogicalResult FloatOps::select(LLVM::CosOp op) { return sine(op, v_cos_f32); }

template <> LogicalResult FloatOps::select(LLVM::IsFPClass op) {
  // A bf16 has the class of its single.
  Type type = getElementTypeOrSelf(op.getIn().getType());
  Type tested = type.isBF16() ? Float32Type::get(op.getContext()) : type;
  const Mnemonic mnemonic = FloatOperation{v_cmp_class_f16, v_cmp_class_f32, v_cmp_class_f64}.on(tested);
  // The instruction numbers the classes as LLVM does.
  const Elem classes = Elem::constant(op.getBit());
  return elementwise(op, [&](Values v) {
    Elems value = floatCast(type, tested, v[0]);
    Operand number = tested.isF64() ? Operand::use(tuple(value, RegFile::Vgpr)) : operand(toVgpr(value[0]));
    return pureTuple(mnemonic, 2, {number, operand(toVgpr(classes))}, true);
  });
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

template <> LogicalResult FloatOps::select(LLVM::FCmpOp op) {
  const FloatOperation relation = comparison(op.getPredicate());
  if (relation.f32 == none) {
    const uint32_t always = op.getPredicate() == LLVM::FCmpPredicate::_true ? ~0u : 0;
    set(op.getResult(), Elems(dwords(op.getType()), Elem::constant(always)));
    return success();
  }
  Type type = getElementTypeOrSelf(op.getLhs().getType());
  Type compared = type.isF32() || type.isF16() || type.isF64() ? type : Float32Type::get(op.getContext());
  return elementwise(op, [&](Values v) {
    Elems a = floatCast(type, compared, v[0]), b = floatCast(type, compared, v[1]);
    if (a.size() == 1 && isScalar(a[0]) && isScalar(b[0]))
      a[0] = toVgpr(a[0]);
    return compareFloats(relation.on(compared), a, b);
  });
}

void Handlers::addFloats() {
  add<FloatOps, LLVM::FAddOp, LLVM::FSubOp, LLVM::FMulOp, LLVM::MinNumOp, LLVM::MaxNumOp, LLVM::MinimumOp,
      LLVM::MaximumOp, LLVM::FNegOp, LLVM::FAbsOp, LLVM::CopySignOp, LLVM::FMAOp, LLVM::FMulAddOp, LLVM::FDivOp,
      LLVM::FRemOp, LLVM::FFloorOp, LLVM::FCeilOp, LLVM::FTruncOp, LLVM::RintOp, LLVM::RoundEvenOp, LLVM::NearbyintOp,
      LLVM::SqrtOp, LLVM::LoadExpOp, LLVM::Exp2Op, LLVM::Log2Op, LLVM::SinOp, LLVM::CosOp, LLVM::IsFPClass,
      LLVM::FCmpOp>();
}

} // namespace inflight::select
