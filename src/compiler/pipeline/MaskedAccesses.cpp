// Loads and stores of vectors under a mask. A wave in which every lane has all its elements, as all waves but those at
// an edge, takes one wide access. The others take an access an element, each in a branch of its own that yields that
// element alone, so that no branch waits for the one before.
#include "compiler/pipeline/VectorPatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight {

namespace {
using Predicate = arith::CmpIPredicate;

Value constantBit(OpBuilder &builder, Location loc, bool value) {
  return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(value));
}

/// The scalar that a vector repeats, or nothing.
Value repeated(OpBuilder &builder, Location loc, Value vector) {
  if (auto broadcast = vector.getDefiningOp<vector::BroadcastOp>())
    return broadcast.getSource().getType().isIntOrIndex() ? broadcast.getSource() : Value();
  DenseElementsAttr elements;
  if (!matchPattern(vector, m_Constant(&elements)) || !elements.isSplat())
    return {};
  return arith::ConstantOp::create(builder, loc, elements.getSplatValue<TypedAttr>());
}

/// Of a sum of one number and constants, the number, if there is one, and the largest constant.
struct Steps {
  Value base;
  APInt largest;
};

std::optional<Steps> stepsOf(OpBuilder &builder, Location loc, Value vector) {
  Value base;
  if (auto sum = vector.getDefiningOp<arith::AddIOp>()) {
    Value other = sum.getRhs();
    base = repeated(builder, loc, sum.getLhs());
    if (!base) {
      base = repeated(builder, loc, sum.getRhs());
      other = sum.getLhs();
    }
    if (!base)
      return std::nullopt;
    vector = other;
  }
  DenseIntElementsAttr offsets;
  if (!matchPattern(vector, m_Constant(&offsets)))
    return std::nullopt;
  APInt largest = *offsets.value_begin<APInt>();
  for (const APInt &offset : offsets.getValues<APInt>()) {
    if (offset.isNegative())
      return std::nullopt;
    largest = llvm::APIntOps::umax(largest, offset);
  }
  return Steps{base, largest};
}

Value constantLike(OpBuilder &builder, Location loc, Type type, const APInt &value) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

/// Whether x + i < limit fails for some i: it does for the largest, or the sum of that overflows.
Value someBeyond(OpBuilder &builder, Location loc, arith::CmpIOp compare) {
  const bool isSigned = compare.getPredicate() == Predicate::slt;
  if (!isSigned && compare.getPredicate() != Predicate::ult)
    return {};
  Value limit = repeated(builder, loc, compare.getRhs());
  std::optional<Steps> steps = limit ? stepsOf(builder, loc, compare.getLhs()) : std::nullopt;
  if (!steps)
    return {};
  const Type type = limit.getType();
  const unsigned bits = steps->largest.getBitWidth();
  const Predicate fails = isSigned ? Predicate::sge : Predicate::uge;
  Value largest = constantLike(builder, loc, type, steps->largest);
  if (!steps->base)
    return arith::CmpIOp::create(builder, loc, fails, largest, limit);
  Value last = arith::AddIOp::create(builder, loc, steps->base, largest);
  Value beyond = arith::CmpIOp::create(builder, loc, fails, last, limit);
  const APInt most = (isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)) - steps->largest;
  Value overflows = arith::CmpIOp::create(builder, loc, isSigned ? Predicate::sgt : Predicate::ugt, steps->base,
                                          constantLike(builder, loc, type, most));
  return arith::OrIOp::create(builder, loc, beyond, overflows);
}

/// Whether some element of the mask is false.
Value someFalse(OpBuilder &builder, Location loc, Value mask) {
  if (Value bit = repeated(builder, loc, mask))
    return arith::XOrIOp::create(builder, loc, bit, constantBit(builder, loc, true));
  if (auto both = mask.getDefiningOp<arith::AndIOp>())
    return arith::OrIOp::create(builder, loc, someFalse(builder, loc, both.getLhs()),
                                someFalse(builder, loc, both.getRhs()));
  if (auto compare = mask.getDefiningOp<arith::CmpIOp>())
    if (Value beyond = someBeyond(builder, loc, compare))
      return beyond;
  Value all;
  for (int64_t i = 0; i < cast<VectorType>(mask.getType()).getNumElements(); ++i) {
    Value bit = vector::ExtractOp::create(builder, loc, mask, i);
    all = all ? Value(arith::AndIOp::create(builder, loc, all, bit)) : bit;
  }
  return arith::XOrIOp::create(builder, loc, all, constantBit(builder, loc, true));
}

/// Whether some active lane misses some element: the same for all lanes.
Value someLaneMisses(OpBuilder &builder, Location loc, Value mask) {
  Value misses = someFalse(builder, loc, mask);
  Value lanes = ROCDL::BallotOp::create(builder, loc, builder.getI64Type(), misses);
  Value zero = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(0));
  return arith::CmpIOp::create(builder, loc, Predicate::ne, lanes, zero);
}

/// The mask computed again where its elements are needed, so that nothing of it is where they aren't.
Value computedHere(OpBuilder &builder, Value mask, unsigned depth = 0) {
  constexpr unsigned deepest = 6;
  Operation *op = mask.getDefiningOp();
  if (!op || depth > deepest || !isa<arith::AndIOp, arith::CmpIOp, arith::AddIOp>(op))
    return mask;
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, computedHere(builder, operand, depth + 1));
  return builder.clone(*op, mapping)->getResult(0);
}

/// Vectors of one dimension whose elements are whole bytes.
bool isPlain(VectorType type) {
  constexpr unsigned byte = 8;
  return type.getRank() == 1 && !type.isScalable() && type.getElementType().isIntOrFloat() &&
         type.getElementTypeBitWidth() % byte == 0;
}

/// From this many elements on one wide access is worth a test.
constexpr int64_t fewElements = 3;

SmallVector<Value> indicesOf(OpBuilder &builder, Location loc, ValueRange first, int64_t element) {
  SmallVector<Value> indices(first);
  if (element) {
    Value step = arith::ConstantIndexOp::create(builder, loc, element);
    indices.back() = arith::AddIOp::create(builder, loc, indices.back(), step);
  }
  return indices;
}

/// Above upstream's patterns, which chain branches, and below those of masks that are one bit.
constexpr unsigned benefit = 4;

struct MaskedLoad : OpRewritePattern<vector::MaskedLoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::MaskedLoadOp op, PatternRewriter &rewriter) const override {
    const VectorType type = op.getVectorType();
    if (!isPlain(type))
      return failure();
    if (type.getNumElements() < fewElements) {
      rewriter.replaceOp(op, byElement(rewriter, op, op.getMask()));
      return success();
    }
    Value misses = someLaneMisses(rewriter, op.getLoc(), op.getMask());
    auto loaded = scf::IfOp::create(
        rewriter, op.getLoc(), misses,
        [&](OpBuilder &builder, Location loc) {
          scf::YieldOp::create(builder, loc, byElement(builder, op, computedHere(builder, op.getMask())));
        },
        [&](OpBuilder &builder, Location loc) {
          Value whole = vector::LoadOp::create(builder, loc, type, op.getBase(), op.getIndices());
          scf::YieldOp::create(builder, loc, whole);
        });
    rewriter.replaceOp(op, loaded.getResults());
    return success();
  }

  static Value byElement(OpBuilder &rewriter, vector::MaskedLoadOp op, Value mask) {
    const Location loc = op.getLoc();
    SmallVector<Value> elements;
    for (int64_t i = 0; i < op.getVectorType().getNumElements(); ++i) {
      Value bit = vector::ExtractOp::create(rewriter, loc, mask, i);
      Value otherwise = vector::ExtractOp::create(rewriter, loc, op.getPassThru(), i);
      auto element = scf::IfOp::create(
          rewriter, loc, bit,
          [&](OpBuilder &builder, Location loc) {
            Value loaded =
                memref::LoadOp::create(builder, loc, op.getBase(), indicesOf(builder, loc, op.getIndices(), i));
            scf::YieldOp::create(builder, loc, loaded);
          },
          [&](OpBuilder &builder, Location loc) { scf::YieldOp::create(builder, loc, otherwise); });
      elements.push_back(element.getResult(0));
    }
    return vector::FromElementsOp::create(rewriter, loc, op.getVectorType(), elements);
  }
};

struct MaskedStore : OpRewritePattern<vector::MaskedStoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::MaskedStoreOp op, PatternRewriter &rewriter) const override {
    const auto type = cast<VectorType>(op.getValueToStore().getType());
    if (!isPlain(type))
      return failure();
    if (type.getNumElements() < fewElements) {
      byElement(rewriter, op, op.getMask());
    } else {
      Value misses = someLaneMisses(rewriter, op.getLoc(), op.getMask());
      scf::IfOp::create(
          rewriter, op.getLoc(), misses,
          [&](OpBuilder &builder, Location loc) {
            byElement(builder, op, computedHere(builder, op.getMask()));
            scf::YieldOp::create(builder, loc);
          },
          [&](OpBuilder &builder, Location loc) {
            vector::StoreOp::create(builder, loc, op.getValueToStore(), op.getBase(), op.getIndices());
            scf::YieldOp::create(builder, loc);
          });
    }
    rewriter.eraseOp(op);
    return success();
  }

  static void byElement(OpBuilder &rewriter, vector::MaskedStoreOp op, Value mask) {
    const Location loc = op.getLoc();
    for (int64_t i = 0; i < cast<VectorType>(op.getValueToStore().getType()).getNumElements(); ++i) {
      Value bit = vector::ExtractOp::create(rewriter, loc, mask, i);
      scf::IfOp::create(rewriter, loc, bit, [&](OpBuilder &builder, Location loc) {
        Value element = vector::ExtractOp::create(builder, loc, op.getValueToStore(), i);
        memref::StoreOp::create(builder, loc, element, op.getBase(), indicesOf(builder, loc, op.getIndices(), i));
        scf::YieldOp::create(builder, loc);
      });
    }
  }
};
} // namespace

void populateMaskedAccesses(RewritePatternSet &patterns) {
  patterns.add<MaskedLoad, MaskedStore>(patterns.getContext(), PatternBenefit(benefit));
}

} // namespace inflight
