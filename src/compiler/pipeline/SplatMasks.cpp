// Masks that are one bit for all elements: one access under one condition, one choice of whole words.
#include "compiler/pipeline/VectorPatterns.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight {

namespace {
/// The scalar that a vector repeats.
Value splatOf(Value vector) {
  auto broadcast = vector.getDefiningOp<vector::BroadcastOp>();
  return broadcast && broadcast.getSource().getType().isIntOrIndex() ? broadcast.getSource() : Value();
}

/// A power of two that divides an integer whatever it is at run time; 1 if nothing is known.
uint64_t knownDivisor(Value value, unsigned depth = 0) {
  constexpr unsigned deepest = 8;
  constexpr uint64_t most = uint64_t(1) << 30;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return number.isZero() ? most : uint64_t(1) << std::min(number.countTrailingZeros(), 30u);
  Operation *op = value.getDefiningOp();
  if (!op || depth > deepest)
    return 1;
  auto of = [&](unsigned i) { return knownDivisor(op->getOperand(i), depth + 1); };
  if (isa<arith::AddIOp, arith::SubIOp>(op))
    return std::min(of(0), of(1));
  if (isa<arith::MulIOp>(op))
    return std::min(of(0) * of(1), most);
  if (isa<arith::ShLIOp>(op) && matchPattern(op->getOperand(1), m_ConstantInt(&number)) && number.ult(30))
    return std::min(of(0) << number.getZExtValue(), most);
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp, arith::ExtUIOp>(op))
    return of(0);
  if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
    int64_t divisor = apply.getAffineMap().getResult(0).getLargestKnownDivisor();
    return divisor <= 0 ? 1 : std::min(uint64_t(divisor) & -uint64_t(divisor), most);
  }
  return 1;
}

/// The power of two that divides all that a vector repeats.
uint64_t splatDivisor(Value vector) {
  if (Value scalar = splatOf(vector))
    return knownDivisor(scalar);
  DenseElementsAttr elements;
  if (!matchPattern(vector, m_Constant(&elements)) || !elements.isSplat())
    return 1;
  const APInt number = elements.getSplatValue<APInt>();
  return number.isZero() ? uint64_t(1) << 30 : uint64_t(1) << std::min(number.countTrailingZeros(), 30u);
}

/// x + i < n for i below a power of two that divides x and n: what x < n is. Of steps i alone x is 0.
Value bitOfAligned(OpBuilder &builder, arith::CmpIOp op) {
  using Predicate = arith::CmpIPredicate;
  auto type = dyn_cast<VectorType>(op.getLhs().getType());
  const LimitCompare compare = limitCompare(op);
  if (!type || type.isScalable() ||
      !llvm::is_contained({Predicate::slt, Predicate::ult, Predicate::sge, Predicate::uge}, compare.predicate))
    return {};
  Value base, steps = compare.number;
  if (auto sum = steps.getDefiningOp<arith::AddIOp>()) {
    base = splatOf(sum.getLhs());
    steps = sum.getRhs();
    if (!base) {
      base = splatOf(sum.getRhs());
      steps = sum.getLhs();
    }
    if (!base)
      return {};
  }
  DenseElementsAttr offsets;
  if (!matchPattern(steps, m_Constant(&offsets)))
    return {};
  uint64_t divisor = splatDivisor(compare.limit);
  if (base)
    divisor = std::min(divisor, knownDivisor(base));
  if (auto integer = dyn_cast<IntegerType>(type.getElementType())) // no step may be negative
    divisor = std::min(divisor, uint64_t(1) << std::min(integer.getWidth() - 1, 30u));
  for (const APInt &offset : offsets.getValues<APInt>())
    if (offset.uge(divisor))
      return {};
  const Location loc = op.getLoc();
  Value limit = repeatedScalar(builder, loc, compare.limit);
  if (!limit)
    return {};
  if (!base)
    base = arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type.getElementType()));
  return arith::CmpIOp::create(builder, loc, compare.predicate, base, limit);
}

/// The first n elements, where the length of the vector divides n: all or none.
Value bitOfAligned(OpBuilder &builder, vector::CreateMaskOp op) {
  const VectorType type = op.getType();
  if (type.getRank() != 1 || type.isScalable() || uint64_t(type.getNumElements()) > knownDivisor(op.getOperand(0)))
    return {};
  Value zero = arith::ConstantIndexOp::create(builder, op.getLoc(), 0);
  return arith::CmpIOp::create(builder, op.getLoc(), arith::CmpIPredicate::sgt, op.getOperand(0), zero);
}

struct CompareAligned : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::CmpIOp op, PatternRewriter &rewriter) const override {
    Value bit = bitOfAligned(rewriter, op);
    if (!bit)
      return failure();
    rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, op.getType(), bit);
    return success();
  }
};

/// `and`, `or` and `xor` of masks that each are one bit.
template <typename Op> struct LogicOfSplats : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isInteger(1))
      return failure();
    Value a = splatOf(op.getLhs()), b = splatOf(op.getRhs());
    if (!a || !b)
      return failure();
    Value bit = Op::create(rewriter, op.getLoc(), a, b);
    rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, type, bit);
    return success();
  }
};

struct SelectBySplat : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp op, PatternRewriter &rewriter) const override {
    if (!isa<VectorType>(op.getCondition().getType()))
      return failure();
    Value bit = splatOf(op.getCondition());
    if (!bit)
      return failure();
    rewriter.replaceOpWithNewOp<arith::SelectOp>(op, bit, op.getTrueValue(), op.getFalseValue());
    return success();
  }
};

/// Elements of less than a byte each have one in memory, but those of a vector are packed.
bool isPackedInVectors(MemRefType type) {
  constexpr unsigned byte = 8;
  return type.getElementType().isIntOrFloat() && type.getElementTypeBitWidth() < byte;
}

/// Above the patterns that go element by element.
constexpr unsigned benefit = 5;

struct StoreBySplat : OpRewritePattern<vector::MaskedStoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::MaskedStoreOp op, PatternRewriter &rewriter) const override {
    Value bit = splatOf(op.getMask());
    if (!bit || isPackedInVectors(op.getMemRefType()))
      return failure();
    scf::IfOp::create(rewriter, op.getLoc(), bit, [&](OpBuilder &builder, Location loc) {
      vector::StoreOp::create(builder, loc, op.getValueToStore(), op.getBase(), op.getIndices());
      scf::YieldOp::create(builder, loc);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

struct LoadBySplat : OpRewritePattern<vector::MaskedLoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::MaskedLoadOp op, PatternRewriter &rewriter) const override {
    Value bit = splatOf(op.getMask());
    if (!bit || isPackedInVectors(op.getMemRefType()))
      return failure();
    auto loaded = scf::IfOp::create(
        rewriter, op.getLoc(), bit,
        [&](OpBuilder &builder, Location loc) {
          Value value = vector::LoadOp::create(builder, loc, op.getVectorType(), op.getBase(), op.getIndices());
          scf::YieldOp::create(builder, loc, value);
        },
        [&](OpBuilder &builder, Location loc) { scf::YieldOp::create(builder, loc, op.getPassThru()); });
    rewriter.replaceOp(op, loaded.getResults());
    return success();
  }
};
} // namespace

LimitCompare limitCompare(arith::CmpIOp op) {
  using Predicate = arith::CmpIPredicate;
  const std::pair<Predicate, Predicate> swapped[] = {{Predicate::sgt, Predicate::slt},
                                                     {Predicate::ugt, Predicate::ult},
                                                     {Predicate::sle, Predicate::sge},
                                                     {Predicate::ule, Predicate::uge}};
  for (auto [from, to] : swapped)
    if (op.getPredicate() == from)
      return {to, op.getRhs(), op.getLhs()};
  return {op.getPredicate(), op.getLhs(), op.getRhs()};
}

Value repeatedScalar(OpBuilder &builder, Location loc, Value vector) {
  if (Value scalar = splatOf(vector))
    return scalar;
  DenseElementsAttr elements;
  if (!matchPattern(vector, m_Constant(&elements)) || !elements.isSplat())
    return {};
  return arith::ConstantOp::create(builder, loc, elements.getSplatValue<TypedAttr>());
}

Value repeatedBit(OpBuilder &builder, Location loc, Value mask) {
  if (Value bit = repeatedScalar(builder, loc, mask))
    return bit;
  if (auto compare = mask.getDefiningOp<arith::CmpIOp>())
    return bitOfAligned(builder, compare);
  auto first = mask.getDefiningOp<vector::CreateMaskOp>();
  return first ? bitOfAligned(builder, first) : Value();
}

void populateSplatComparisons(RewritePatternSet &patterns) {
  patterns.add<CompareAligned, LogicOfSplats<arith::AndIOp>, LogicOfSplats<arith::OrIOp>, LogicOfSplats<arith::XOrIOp>>(
      patterns.getContext());
}

void populateSplatMasks(RewritePatternSet &patterns) {
  patterns.add<SelectBySplat, StoreBySplat, LoadBySplat>(patterns.getContext(), PatternBenefit(benefit));
}

} // namespace inflight
