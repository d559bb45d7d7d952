// Loads and stores of vectors under a mask. A lane that has all its elements takes one wide access. One at an edge,
// that has some of them, takes an access an element, each in a branch of its own that yields that element alone, so
// that no branch waits for the one before. Most waves have no such lane and pass by.
#include "compiler/pipeline/VectorPatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight {

namespace {
using Predicate = arith::CmpIPredicate;

/// A vector as one number plus constants: the number, if there is one, and the smallest and largest constant.
struct Steps {
  Value base;
  APInt smallest, largest;
};

std::optional<Steps> stepsOf(OpBuilder &builder, Location loc, Value vector) {
  Value base;
  if (auto sum = vector.getDefiningOp<arith::AddIOp>()) {
    Value other = sum.getRhs();
    base = repeatedScalar(builder, loc, sum.getLhs());
    if (!base) {
      base = repeatedScalar(builder, loc, sum.getRhs());
      other = sum.getLhs();
    }
    if (!base)
      return std::nullopt;
    vector = other;
  }
  DenseIntElementsAttr offsets;
  if (!matchPattern(vector, m_Constant(&offsets)))
    return std::nullopt;
  Steps steps{base, *offsets.value_begin<APInt>(), *offsets.value_begin<APInt>()};
  for (const APInt &offset : offsets.getValues<APInt>()) {
    if (offset.isNegative())
      return std::nullopt;
    steps.smallest = llvm::APIntOps::umin(steps.smallest, offset);
    steps.largest = llvm::APIntOps::umax(steps.largest, offset);
  }
  return steps;
}

Value constantLike(OpBuilder &builder, Location loc, Type type, const APInt &value) {
  return arith::ConstantOp::create(builder, loc, builder.getIntegerAttr(type, value));
}

Value andOf(OpBuilder &builder, Value a, Value b) { return arith::AndIOp::create(builder, a.getLoc(), a, b); }
Value orOf(OpBuilder &builder, Value a, Value b) { return arith::OrIOp::create(builder, a.getLoc(), a, b); }
Value notOf(OpBuilder &builder, Value bit) {
  Value one = arith::ConstantOp::create(builder, bit.getLoc(), builder.getBoolAttr(true));
  return arith::XOrIOp::create(builder, bit.getLoc(), bit, one);
}

/// What of a mask's elements is true in a lane.
struct Coverage {
  Value all;
  Value some; ///< also where that isn't known
};

/// x + i < limit for the largest and the smallest i, unless the sum may overflow.
Coverage coverageOfSteps(OpBuilder &builder, Location loc, Predicate predicate, const Steps &steps, Value limit) {
  const bool isSigned = predicate == Predicate::slt;
  const Type type = limit.getType();
  auto isBelow = [&](const APInt &step) -> Value {
    Value place = constantLike(builder, loc, type, step);
    if (steps.base)
      place = arith::AddIOp::create(builder, loc, steps.base, place);
    return arith::CmpIOp::create(builder, loc, predicate, place, limit);
  };
  const Coverage coverage = {isBelow(steps.largest), isBelow(steps.smallest)};
  if (!steps.base)
    return coverage;
  const unsigned bits = steps.largest.getBitWidth();
  const APInt most = (isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits)) - steps.largest;
  Value overflows = arith::CmpIOp::create(builder, loc, isSigned ? Predicate::sgt : Predicate::ugt, steps.base,
                                          constantLike(builder, loc, type, most));
  return {andOf(builder, coverage.all, notOf(builder, overflows)), orOf(builder, coverage.some, overflows)};
}

Coverage coverageOf(OpBuilder &builder, Location loc, Value mask) {
  if (Value bit = repeatedBit(builder, loc, mask))
    return {bit, bit};
  if (auto both = mask.getDefiningOp<arith::AndIOp>()) {
    const Coverage a = coverageOf(builder, loc, both.getLhs()), b = coverageOf(builder, loc, both.getRhs());
    Value all = andOf(builder, a.all, b.all);
    return {all, a.all == a.some && b.all == b.some ? all : andOf(builder, a.some, b.some)};
  }
  const int64_t size = cast<VectorType>(mask.getType()).getNumElements();
  if (auto first = mask.getDefiningOp<vector::CreateMaskOp>()) {
    constexpr unsigned indexBits = 64;
    const Steps steps = {{}, APInt(indexBits, 0), APInt(indexBits, size - 1)};
    return coverageOfSteps(builder, loc, Predicate::slt, steps, first.getOperand(0));
  }
  if (auto op = mask.getDefiningOp<arith::CmpIOp>()) {
    const LimitCompare compare = limitCompare(op);
    const bool isBelow = llvm::is_contained({Predicate::slt, Predicate::ult}, compare.predicate);
    Value limit = isBelow ? repeatedScalar(builder, loc, compare.limit) : Value();
    if (std::optional<Steps> steps = limit ? stepsOf(builder, loc, compare.number) : std::nullopt)
      return coverageOfSteps(builder, loc, compare.predicate, *steps, limit);
  }
  Value bit = vector::ExtractOp::create(builder, loc, mask, 0);
  Coverage coverage = {bit, bit};
  for (int64_t i = 1; i < size; ++i) {
    bit = vector::ExtractOp::create(builder, loc, mask, i);
    coverage = {andOf(builder, coverage.all, bit), orOf(builder, coverage.some, bit)};
  }
  return coverage;
}

/// Whether a lane has some elements, but not all; nothing if no lane does.
Value isAtEdge(OpBuilder &builder, const Coverage &coverage) {
  return coverage.all == coverage.some ? Value() : andOf(builder, coverage.some, notOf(builder, coverage.all));
}

/// The mask computed again where its elements are needed, so that nothing of it is where they aren't.
Value computedHere(OpBuilder &builder, Value mask, unsigned depth = 0) {
  constexpr unsigned deepest = 6;
  Operation *op = mask.getDefiningOp();
  if (!op || depth > deepest || !isa<arith::AndIOp, arith::CmpIOp, arith::AddIOp, vector::CreateMaskOp>(op))
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

/// The number of elements from which on one wide access is worth a test.
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
    const Location loc = op.getLoc();
    const Coverage coverage = coverageOf(rewriter, loc, op.getMask());
    auto whole = scf::IfOp::create(
        rewriter, loc, coverage.all,
        [&](OpBuilder &builder, Location loc) {
          Value loaded = vector::LoadOp::create(builder, loc, type, op.getBase(), op.getIndices());
          scf::YieldOp::create(builder, loc, loaded);
        },
        [&](OpBuilder &builder, Location loc) { scf::YieldOp::create(builder, loc, op.getPassThru()); });
    Value edge = isAtEdge(rewriter, coverage);
    auto loaded =
        !edge ? whole
              : scf::IfOp::create(
                    rewriter, loc, edge,
                    [&](OpBuilder &builder, Location loc) {
                      Value mask = computedHere(builder, op.getMask());
                      scf::YieldOp::create(builder, loc, byElement(builder, op, mask));
                    },
                    [&](OpBuilder &builder, Location loc) { scf::YieldOp::create(builder, loc, whole.getResults()); });
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
      const Coverage coverage = coverageOf(rewriter, op.getLoc(), op.getMask());
      scf::IfOp::create(rewriter, op.getLoc(), coverage.all, [&](OpBuilder &builder, Location loc) {
        vector::StoreOp::create(builder, loc, op.getValueToStore(), op.getBase(), op.getIndices());
        scf::YieldOp::create(builder, loc);
      });
      if (Value edge = isAtEdge(rewriter, coverage))
        scf::IfOp::create(rewriter, op.getLoc(), edge, [&](OpBuilder &builder, Location loc) {
          byElement(builder, op, computedHere(builder, op.getMask()));
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
