// Operations that change the type of a number or a pointer.
#include "compiler/select/Handlers.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

namespace {
class CastOps : public OpSelector {
public:
  using OpSelector::OpSelector;
  template <typename Op> LogicalResult select(Op op);

private:
  Elem maskToWord(Value source, ArrayRef<Elem> mask, uint32_t one);
  LogicalResult extend(Operation *op, bool isSigned);
  LogicalResult pointerCast(Operation *op);
  Elems genericPointer(unsigned space, const Elem &offset);
  bool bytesToHalves(Operation *op, bool isSigned);
  Elems smallToFloat(Operation *op, Elem number, bool isSigned);
  LogicalResult integerToFloat(Operation *op, bool isSigned);
  LogicalResult floatToInteger(Operation *op, bool isSigned);
};
} // namespace

static Type elementOf(Value value) { return getElementTypeOrSelf(value.getType()); }

template <> LogicalResult CastOps::select(LLVM::TruncOp op) {
  const unsigned bits = bitWidth(elementOf(op.getResult()));
  return elementwise(op, [&](ArrayRef<Elems> v) -> Elems {
    if (bits == 1)
      return compare(Predicate::ne, {bitAnd(v[0][0], Elem::constant(1))}, {Elem::constant(0)});
    Elems low = v[0];
    low.resize(divideCeil(bits, 32));
    return low;
  });
}

/// 1 or -1 in the lanes of the mask.
Elem CastOps::maskToWord(Value source, ArrayRef<Elem> mask, uint32_t one) {
  if (!divergence.isUniform(source) || mask[0].isImm)
    return selectElem(mask, Elem::constant(one), Elem::constant(0));
  return chooseScalars(mlir::isa<VectorType>(source.getType()) ? Value() : source, mask, {Elem::constant(one)},
                       {Elem::constant(0)})[0];
}

LogicalResult CastOps::extend(Operation *op, bool isSigned) {
  Value source = op->getOperand(0);
  const unsigned from = bitWidth(elementOf(source)), to = bitWidth(elementOf(op->getResult(0)));
  // Sign extension of what can't be negative leaves zeros, which later operations exploit.
  const bool nonNegative = isSigned && bounds.isNonNegative(source);
  return elementwise(op, [&](ArrayRef<Elems> v) -> Elems {
    if (from > 32)
      return v[0];
    Elem low;
    if (from == 1)
      low = maskToWord(source, v[0], isSigned ? ~0u : 1);
    else
      low = isSigned ? signExtend(v[0][0], from) : zeroExtend(v[0][0], from);
    if (to <= 32)
      return {low};
    if (!isSigned || nonNegative)
      return {low, Elem::constant(0)};
    return {low, from == 1 ? low : ashr(low, Elem::constant(31))};
  });
}

template <> LogicalResult CastOps::select(LLVM::SExtOp op) { return extend(op, true); }
template <> LogicalResult CastOps::select(LLVM::ZExtOp op) { return extend(op, false); }

LogicalResult CastOps::pointerCast(Operation *op) {
  Type from = op->getOperand(0).getType(), to = op->getResult(0).getType();
  Elems value = get(op->getOperand(0));
  // A buffer pointer as a number has the offset below the descriptor.
  if (mlir::isa<LLVM::LLVMPointerType>(from) && addressSpaceOf(op->getOperand(0)) == bufferSpace)
    std::rotate(value.begin(), value.end() - 1, value.end());
  value.resize(dwords(to), Elem::constant(0));
  set(op->getResult(0), value);
  return success();
}

template <> LogicalResult CastOps::select(LLVM::PtrToIntOp op) { return pointerCast(op); }
template <> LogicalResult CastOps::select(LLVM::IntToPtrOp op) { return pointerCast(op); }

/// Its offset in the space's part of all addresses. The null pointers of LDS and scratch are -1, the generic one is 0.
Elems CastOps::genericPointer(unsigned space, const Elem &offset) {
  constexpr uint32_t null = ~0u;
  const Elem base = apertureOf(space), none = Elem::constant(0);
  if (offset.isImm)
    return offset.imm == null ? Elems{none, none} : Elems{offset, base};
  const Elems isPointer = compare(Predicate::ne, {offset}, {Elem::constant(null)});
  if (isScalar(offset))
    return chooseScalars(Value(), isPointer, {offset, base}, {none, none});
  return {selectElem(isPointer, offset, none), selectElem(isPointer, base, none)};
}

template <> LogicalResult CastOps::select(LLVM::AddrSpaceCastOp op) {
  const unsigned from = addressSpaceOf(op.getArg()), to = addressSpaceOf(op.getRes());
  const bool areGlobal = isGlobal(from, Global::ByAddress) && isGlobal(to, Global::ByAddress);
  if (to == flatSpace && (from == ldsSpace || from == privateSpace) && mlir::isa<LLVM::LLVMPointerType>(op.getType())) {
    set(op.getResult(), genericPointer(from, get(op.getArg())[0]));
    return success();
  }
  if (!areGlobal && !(from == bufferSpace && to == resourceSpace) && from != to)
    return unsupported(op, "from address space " + Twine(from) + " to " + Twine(to));
  Elems value = get(op.getArg());
  value.resize(dwords(op.getType()));
  set(op.getResult(), value);
  return success();
}

template <> LogicalResult CastOps::select(LLVM::BitcastOp op) {
  Type from = op.getArg().getType(), to = op.getResult().getType();
  Elems value = get(op.getArg());
  if (isMask(from) && !isMask(to))
    value = packMasks(value);
  else if (isMask(to) && !isMask(from))
    value = unpackMasks(value, dwords(to) / 2);
  set(op.getResult(), value);
  return success();
}

template <> LogicalResult CastOps::select(UnrealizedConversionCastOp op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1)
    return unsupported(op, "a conversion that is not one to one");
  set(op->getResult(0), get(op->getOperand(0)));
  return success();
}

template <> LogicalResult CastOps::select(LLVM::FPExtOp op) {
  return elementwise(
      op, [&](ArrayRef<Elems> v) { return floatCast(elementOf(op.getArg()), elementOf(op.getRes()), v[0]); });
}

template <> LogicalResult CastOps::select(LLVM::FPTruncOp op) {
  Type from = elementOf(op.getArg()), to = elementOf(op.getRes());
  auto vector = dyn_cast<VectorType>(op.getType());
  const Mnemonic pair = to.isBF16() ? v_cvt_pk_bf16_f32 : to.isF16() ? v_cvt_pk_f16_f32 : none;
  if (!vector || vector.getNumElements() % 2 || pair == none || !from.isF32() || !has(pair))
    return elementwise(op, [&](ArrayRef<Elems> v) { return floatCast(from, to, v[0]); });
  Elems value = get(op.getArg()), packed;
  for (size_t i = 0; i < value.size(); i += 2)
    packed.push_back(value[i].isImm && value[i + 1].isImm
                         ? packHalves(floatCast(from, to, {value[i]})[0], floatCast(from, to, {value[i + 1]})[0])
                         : valu(pair, {toVgpr(value[i]), toVgpr(value[i + 1])})[0]);
  set(op.getRes(), packed);
  return success();
}

/// Vectors of i8 to f16, two elements at a time. A byte u below the byte 0x64 is the half 1024 + u, as halves from 1024
/// to 2047 are 1 apart; less 1024 it is u. Signed bytes are u - 128 with the highest bit flipped. All of it is exact.
bool CastOps::bytesToHalves(Operation *op, bool isSigned) {
  constexpr uint32_t above = 0x64646464, flip = 0x80808080;
  constexpr uint32_t less1024 = 0xe400, less1152 = 0xe480; // -1024, -1024 - 128
  auto vector = dyn_cast<VectorType>(op->getOperand(0).getType());
  if (!vector || vector.getNumElements() % 2 || !vector.getElementType().isInteger(8) ||
      !elementOf(op->getResult(0)).isF16())
    return false;
  const Elems words = get(op->getOperand(0));
  if (llvm::any_of(words, [](const Elem &word) { return word.isImm; }))
    return false;
  Elems halves;
  for (unsigned first = 0; first < vector.getNumElements(); first += 2) {
    Elem flipped = toVgpr(isSigned ? bitXor(words[first / 4], Elem::constant(flip)) : words[first / 4]);
    uint32_t less = isSigned ? less1152 : less1024;
    // Of what was added to each byte there is as much less to subtract.
    if (auto sum = state.packedSumOf.find({flipped.reg.id, flipped.reg.sub});
        sum != state.packedSumOf.end() && sum->second.second == (sum->second.second & 0xff) * 0x01010101 &&
        less - (sum->second.second & 0xff) >= less1024) {
      less -= sum->second.second & 0xff;
      flipped = toVgpr(sum->second.first);
    }
    const uint32_t place = first % 4, selector = 0x04000400 | (place + 1) << 16 | place;
    const Elem raised = pure(v_perm_b32, {toVgpr(Elem::constant(above)), flipped, Elem::constant(selector)}, false);
    const Elem lessEach = toSgpr(Elem::constant(less << 16 | less));
    halves.push_back(pureTuple(v_pk_add_f16, 1, {operand(raised), operand(lessEach)}, false)[0]);
  }
  set(op->getResult(0), halves);
  return true;
}

/// A number of so few bits that nothing is rounded twice, or none.
Elems CastOps::smallToFloat(Operation *op, Elem number, bool isSigned) {
  constexpr unsigned half = 16;
  const unsigned bits = bitWidth(elementOf(op->getOperand(0)));
  Type to = elementOf(op->getResult(0));
  if (number.isImm || bits == 1)
    return {};
  if (to.isF16() && bits <= half) {
    const Elem word = bits == half ? number : isSigned ? signExtend(number, bits) : zeroExtend(number, bits);
    return valu(isSigned ? v_cvt_f16_i16 : v_cvt_f16_u16, {word});
  }
  if (!to.isBF16() || bits > APFloat::semanticsPrecision(APFloat::BFloat()) + isSigned)
    return {};
  // A single with so few bits is a bfloat above zeros.
  const Elem word = isSigned ? signExtend(number, bits) : zeroExtend(number, bits);
  const Elem single = valu(isSigned ? v_cvt_f32_i32 : v_cvt_f32_u32, {word})[0];
  const Elem upper = lshr(single, Elem::constant(half));
  state.highHalfOf[{upper.reg.id, upper.reg.sub}] = single;
  state.exactBfloats.insert({single.reg.id, single.reg.sub});
  return {upper};
}

LogicalResult CastOps::integerToFloat(Operation *op, bool isSigned) {
  if (bytesToHalves(op, isSigned))
    return success();
  const unsigned bits = bitWidth(elementOf(op->getOperand(0)));
  Type to = elementOf(op->getResult(0));
  Type f32 = Float32Type::get(op->getContext()), f64 = Float64Type::get(op->getContext());
  return elementwise(op, [&](ArrayRef<Elems> v) -> Elems {
    if (bits > 32)
      return floatCast(f64, to, toDouble(to.isF64() ? v[0] : toOdd53(v[0], isSigned), isSigned));
    if (Elems small = smallToFloat(op, v[0][0], isSigned); !small.empty())
      return small;
    Elem word;
    if (bits == 1)
      word = selectElem(v[0], Elem::constant(isSigned ? -1 : 1), Elem::constant(0));
    else
      word = isSigned ? signExtend(v[0][0], bits) : zeroExtend(v[0][0], bits);
    // What a single doesn't hold exactly must not be rounded to one first.
    if (to.isF64() || (to.isBF16() && bits > APFloat::semanticsPrecision(APFloat::IEEEsingle())))
      return floatCast(f64, to, pureTuple(isSigned ? v_cvt_f64_i32 : v_cvt_f64_u32, 2, {operand(word)}, false));
    return floatCast(f32, to, valu(isSigned ? v_cvt_f32_i32 : v_cvt_f32_u32, {word}));
  });
}

template <> LogicalResult CastOps::select(LLVM::SIToFPOp op) { return integerToFloat(op, true); }
template <> LogicalResult CastOps::select(LLVM::UIToFPOp op) { return integerToFloat(op, false); }

LogicalResult CastOps::floatToInteger(Operation *op, bool isSigned) {
  Type from = elementOf(op->getOperand(0));
  const unsigned bits = bitWidth(elementOf(op->getResult(0)));
  Type f32 = Float32Type::get(op->getContext()), f64 = Float64Type::get(op->getContext());
  // A negative number as an unsigned byte isn't defined. LLVM's code generator lets it wrap, which kernels count on:
  // the exponent of a scale is one, and its bias is added later.
  isSigned |= bits <= 8;
  return elementwise(op, [&](ArrayRef<Elems> v) -> Elems {
    if (bits > 32)
      return fromDouble(valu64(v_trunc_f64, {floatCast(from, f64, v[0])}), isSigned);
    Elems word;
    if (from.isF64())
      word = pureTuple(isSigned ? v_cvt_i32_f64 : v_cvt_u32_f64, 1, {Operand::use(tuple(v[0], RegFile::Vgpr))}, false);
    else if (from.isF16() && bits <= 16)
      word = valu(isSigned ? v_cvt_i16_f16 : v_cvt_u16_f16, {v[0][0]});
    else
      word = valu(isSigned ? v_cvt_i32_f32 : v_cvt_u32_f32, {floatCast(from, f32, v[0])[0]});
    if (bits == 1)
      return compare(Predicate::ne, {bitAnd(word[0], Elem::constant(1))}, {Elem::constant(0)});
    return word;
  });
}

template <> LogicalResult CastOps::select(LLVM::FPToSIOp op) { return floatToInteger(op, true); }
template <> LogicalResult CastOps::select(LLVM::FPToUIOp op) { return floatToInteger(op, false); }

void Handlers::addCasts() {
  add<CastOps, LLVM::TruncOp, LLVM::SExtOp, LLVM::ZExtOp, LLVM::PtrToIntOp, LLVM::IntToPtrOp, LLVM::AddrSpaceCastOp,
      LLVM::BitcastOp, UnrealizedConversionCastOp, LLVM::FPExtOp, LLVM::FPTruncOp, LLVM::SIToFPOp, LLVM::UIToFPOp,
      LLVM::FPToSIOp, LLVM::FPToUIOp>();
}

} // namespace inflight::select
