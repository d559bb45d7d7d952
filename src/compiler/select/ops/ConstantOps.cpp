// Constants, and values that may be anything.
#include "compiler/select/Handlers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"

using namespace mlir;

namespace inflight::select {

namespace {
class ConstantOps : public OpSelector {
public:
  using OpSelector::OpSelector;
  template <typename Op> LogicalResult select(Op op);

private:
  LogicalResult constant(Operation *op, Attribute value); // ConstantOps.cpp
  LogicalResult fill(Operation *op, Elem elem);
};
} // namespace

/// How many of a type's `count` numbers each innermost vector has, which begins in a word of its own.
static size_t rowSize(Type type, size_t count) {
  while (auto array = dyn_cast_or_null<LLVM::LLVMArrayType>(type)) {
    count /= std::max<size_t>(array.getNumElements(), 1);
    type = array.getElementType();
  }
  return std::max<size_t>(count, 1);
}

static APInt packed(ArrayRef<APInt> numbers) {
  const unsigned bits = numbers[0].getBitWidth();
  APInt all(alignTo(uint64_t(bits) * numbers.size(), 32), 0);
  for (auto [i, number] : llvm::enumerate(numbers))
    all.insertBits(number, i * bits);
  return all;
}

static void pushWords(const APInt &bits, Elems &out) {
  APInt wide = bits.zextOrTrunc(std::max<unsigned>(32, alignTo(bits.getBitWidth(), 32)));
  for (unsigned i = 0; i < wide.getBitWidth(); i += 32)
    out.push_back(Elem::constant(wide.extractBitsAsZExtValue(32, i)));
}

static bool denseElems(DenseElementsAttr elements, Type type, Elems &out) {
  Type element = elements.getElementType();
  SmallVector<APInt> all;
  if (mlir::isa<FloatType>(element)) {
    for (const APFloat &value : elements.getValues<APFloat>())
      all.push_back(value.bitcastToAPInt());
  } else if (element.isIntOrIndex()) {
    for (const APInt &value : elements.getValues<APInt>())
      all.push_back(value);
  } else {
    return false;
  }
  if (element.isInteger(1)) {
    for (const APInt &bit : all)
      for (int half = 0; half < 2; ++half)
        out.push_back(Elem::constant(bit.isZero() ? 0 : ~0u));
    return true;
  }
  for (ArrayRef<APInt> rest = all; !rest.empty();) {
    const size_t row = rowSize(type, all.size());
    pushWords(packed(rest.take_front(row)), out);
    rest = rest.drop_front(row);
  }
  return true;
}

/// The bits of a constant attribute as elements.
static bool constantElems(Attribute attribute, Type type, Elems &out) {
  auto bitsOf = [](Attribute value) -> std::optional<APInt> {
    if (auto integer = dyn_cast<IntegerAttr>(value))
      return integer.getValue();
    if (auto number = dyn_cast<FloatAttr>(value))
      return number.getValue().bitcastToAPInt();
    return std::nullopt;
  };
  if (auto elements = dyn_cast<DenseElementsAttr>(attribute))
    return denseElems(elements, type, out);
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    auto structure = dyn_cast_or_null<LLVM::LLVMStructType>(type);
    auto elements = dyn_cast_or_null<LLVM::LLVMArrayType>(type);
    for (auto [i, inner] : llvm::enumerate(array))
      if (!constantElems(inner,
                         structure  ? structure.getBody()[i]
                         : elements ? elements.getElementType()
                                    : Type(),
                         out))
        return false;
    return true;
  }
  std::optional<APInt> bits = bitsOf(attribute);
  if (!bits)
    return false;
  if (type && type.isInteger(1)) {
    out.append(2, Elem::constant(bits->isZero() ? 0 : ~0u));
    return true;
  }
  if (type && type.isIntOrIndex() && !type.isIndex())
    bits = bits->sextOrTrunc(type.getIntOrFloatBitWidth());
  pushWords(*bits, out);
  return true;
}

LogicalResult ConstantOps::constant(Operation *op, Attribute value) {
  Elems elems;
  if (!constantElems(value, op->getResult(0).getType(), elems))
    return unsupported(op, "this constant");
  set(op->getResult(0), elems);
  return success();
}
template <> LogicalResult ConstantOps::select(LLVM::ConstantOp op) { return constant(op, op.getValue()); }
template <> LogicalResult ConstantOps::select(arith::ConstantOp op) { return constant(op, op.getValue()); }

LogicalResult ConstantOps::fill(Operation *op, Elem elem) {
  set(op->getResult(0), Elems(dwords(op->getResult(0).getType()), elem));
  return success();
}
template <> LogicalResult ConstantOps::select(LLVM::ZeroOp op) { return fill(op, Elem::constant(0)); }
template <> LogicalResult ConstantOps::select(LLVM::PoisonOp op) { return fill(op, Elem::anything()); }
template <> LogicalResult ConstantOps::select(LLVM::UndefOp op) { return fill(op, Elem::anything()); }
template <> LogicalResult ConstantOps::select(ub::PoisonOp op) { return fill(op, Elem::anything()); }

void Handlers::addConstants() {
  add<ConstantOps, LLVM::ConstantOp, arith::ConstantOp, LLVM::ZeroOp, LLVM::PoisonOp, LLVM::UndefOp, ub::PoisonOp>();
}

} // namespace inflight::select
