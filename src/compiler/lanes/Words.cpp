#include "compiler/lanes/Words.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace inflight {

namespace {
constexpr unsigned wordBits = 32;

/// Elements that fill words exactly when enough of them stand side by side.
bool packs(Type element) { return llvm::isPowerOf2_32(element.getIntOrFloatBitWidth()); }

/// `type`, a scalar as a vector of one, with as many more elements as fill the last word.
VectorType padded(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  Type element = getElementTypeOrSelf(type);
  const unsigned bits = element.getIntOrFloatBitWidth();
  const int64_t count = vector ? vector.getNumElements() : 1;
  return VectorType::get(llvm::alignTo(count * bits, wordBits) / bits, element);
}

VectorType wordsOf(VectorType type, OpBuilder &builder) {
  return VectorType::get(type.getNumElements() * type.getElementTypeBitWidth() / wordBits, builder.getI32Type());
}

/// An integer type of whole words for one that doesn't pack.
Type carrier(Type element, OpBuilder &builder) {
  return builder.getIntegerType(llvm::alignTo(element.getIntOrFloatBitWidth(), wordBits));
}
} // namespace

uint64_t countWords(TypeRange types, unsigned ofOther) {
  uint64_t words = 0;
  for (Type type : types) {
    auto vector = dyn_cast<VectorType>(type);
    const Type element = vector ? vector.getElementType() : type;
    const unsigned bits = element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : ofOther * wordBits;
    words += llvm::divideCeil(uint64_t(vector ? vector.getNumElements() : 1) * bits, wordBits);
  }
  return words;
}

SmallVector<Value> splitWords(OpBuilder &builder, Location loc, Value value) {
  Type type = value.getType(), element = getElementTypeOrSelf(type), i32 = builder.getI32Type();
  auto vector = dyn_cast<VectorType>(type);
  SmallVector<Value> words;
  if (type == i32)
    return {value};
  if (type.isF32())
    return {arith::BitcastOp::create(builder, loc, i32, value)};
  if (type.isInteger(1))
    return {arith::ExtUIOp::create(builder, loc, i32, value)};
  if (!packs(element)) {
    for (int64_t i = 0, e = vector ? vector.getNumElements() : 1; i < e; ++i) {
      Value one = vector ? vector::ExtractOp::create(builder, loc, value, i).getResult() : value;
      if (!isa<IntegerType>(element))
        one = arith::BitcastOp::create(builder, loc, builder.getIntegerType(element.getIntOrFloatBitWidth()), one);
      llvm::append_range(
          words, splitWords(builder, loc, arith::ExtUIOp::create(builder, loc, carrier(element, builder), one)));
    }
    return words;
  }
  VectorType whole = padded(type);
  if (whole != type) {
    SmallVector<int64_t> elements(whole.getNumElements(), vector::ShuffleOp::kPoisonIndex);
    std::iota(elements.begin(), elements.begin() + (vector ? vector.getNumElements() : 1), 0);
    value =
        vector && vector.getRank() == 1 ? vector::ShuffleOp::create(builder, loc, value, value, elements).getResult()
        : vector ? vector::InsertStridedSliceOp::create(builder, loc, value, ub::PoisonOp::create(builder, loc, whole),
                                                        ArrayRef<int64_t>{0}, ArrayRef<int64_t>{1})
                       .getResult()
                 : vector::InsertOp::create(builder, loc, value, ub::PoisonOp::create(builder, loc, whole),
                                            ArrayRef<int64_t>{0})
                       .getResult();
  }
  VectorType packed = wordsOf(whole, builder);
  if (packed != whole)
    value = vector::BitCastOp::create(builder, loc, packed, value);
  for (int64_t i = 0; i < packed.getNumElements(); ++i)
    words.push_back(vector::ExtractOp::create(builder, loc, value, i));
  return words;
}

Value joinWords(OpBuilder &builder, Location loc, Type type, ValueRange words) {
  Type element = getElementTypeOrSelf(type), i32 = builder.getI32Type();
  auto vector = dyn_cast<VectorType>(type);
  if (type == i32)
    return words[0];
  if (type.isF32())
    return arith::BitcastOp::create(builder, loc, type, words[0]);
  if (type.isInteger(1))
    return arith::TruncIOp::create(builder, loc, type, words[0]);
  if (!packs(element)) {
    Type wide = carrier(element, builder);
    const unsigned each = wide.getIntOrFloatBitWidth() / wordBits;
    SmallVector<Value> elements;
    for (; !words.empty(); words = words.drop_front(each)) {
      Value one = joinWords(builder, loc, wide, words.take_front(each));
      one = arith::TruncIOp::create(builder, loc, builder.getIntegerType(element.getIntOrFloatBitWidth()), one);
      elements.push_back(isa<IntegerType>(element) ? one : arith::BitcastOp::create(builder, loc, element, one));
    }
    return vector ? vector::FromElementsOp::create(builder, loc, vector, elements).getResult() : elements[0];
  }
  VectorType whole = padded(type), packed = wordsOf(whole, builder);
  Value value = vector::FromElementsOp::create(builder, loc, packed, words);
  if (packed != whole)
    value = vector::BitCastOp::create(builder, loc, whole, value);
  if (whole == type)
    return value;
  if (!vector)
    return vector::ExtractOp::create(builder, loc, value, 0);
  return vector::ExtractStridedSliceOp::create(builder, loc, value, ArrayRef<int64_t>{0},
                                               ArrayRef<int64_t>{vector.getNumElements()}, ArrayRef<int64_t>{1});
}

} // namespace inflight
