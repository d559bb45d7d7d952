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

/// x + i < n for i below a power of two that divides x and n: what x < n is.
struct CompareAligned : OpRewritePattern<arith::CmpIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::CmpIOp op, PatternRewriter &rewriter) const override {
    using Predicate = arith::CmpIPredicate;
    if (!llvm::is_contained({Predicate::slt, Predicate::ult, Predicate::sge, Predicate::uge}, op.getPredicate()))
      return failure();
    auto sum = op.getLhs().getDefiningOp<arith::AddIOp>();
    auto type = dyn_cast<VectorType>(op.getLhs().getType());
    if (!sum || !type || type.isScalable())
      return failure();
    Value repeated = sum.getLhs(), steps = sum.getRhs();
    if (!splatOf(repeated))
      std::swap(repeated, steps);
    DenseElementsAttr offsets;
    Value base = splatOf(repeated);
    if (!base || !matchPattern(steps, m_Constant(&offsets)))
      return failure();
    uint64_t divisor = std::min(knownDivisor(base), splatDivisor(op.getRhs()));
    if (auto integer = dyn_cast<IntegerType>(base.getType())) // no step may be negative
      divisor = std::min(divisor, uint64_t(1) << std::min(integer.getWidth() - 1, 30u));
    for (const APInt &offset : offsets.getValues<APInt>())
      if (offset.uge(divisor))
        return failure();
    Location loc = op.getLoc();
    Value limit = splatOf(op.getRhs());
    if (!limit) {
      DenseElementsAttr elements;
      if (!matchPattern(op.getRhs(), m_Constant(&elements)))
        return failure();
      limit = arith::ConstantOp::create(rewriter, loc, elements.getSplatValue<TypedAttr>());
    }
    Value bit = arith::CmpIOp::create(rewriter, loc, op.getPredicate(), base, limit);
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

void populateSplatComparisons(RewritePatternSet &patterns) {
  patterns.add<CompareAligned, LogicOfSplats<arith::AndIOp>, LogicOfSplats<arith::OrIOp>, LogicOfSplats<arith::XOrIOp>>(
      patterns.getContext());
}

void populateSplatMasks(RewritePatternSet &patterns) {
  patterns.add<SelectBySplat, StoreBySplat, LoadBySplat>(patterns.getContext(), PatternBenefit(benefit));
}

} // namespace inflight
