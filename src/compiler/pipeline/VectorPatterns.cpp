#include "compiler/pipeline/VectorPatterns.h"

#include "compiler/pipeline/Attributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace inflight {

namespace {
Value index(OpBuilder &builder, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(builder, loc, value);
}

/// `indices` with `offset` added to dimension `dim`.
SmallVector<Value> moved(OpBuilder &builder, Location loc, ValueRange indices, unsigned dim, Value offset) {
  SmallVector<Value> result(indices);
  result[dim] = arith::AddIOp::create(builder, loc, result[dim], offset);
  return result;
}

struct ScatterToStores : OpRewritePattern<vector::ScatterOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::ScatterOp op, PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!isa<MemRefType>(op.getBase().getType()) || type.isScalable())
      return failure();
    Location loc = op.getLoc();
    SmallVector<int64_t> position(type.getRank(), 0);
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      for (int64_t d = type.getRank(), rest = i; d-- > 0; rest /= type.getDimSize(d))
        position[d] = rest % type.getDimSize(d);
      Value active = vector::ExtractOp::create(rewriter, loc, op.getMask(), position);
      scf::IfOp::create(rewriter, loc, active, [&](OpBuilder &builder, Location loc) {
        Value offset = vector::ExtractOp::create(builder, loc, op.getIndices(), position);
        if (!offset.getType().isIndex())
          offset = arith::IndexCastOp::create(builder, loc, builder.getIndexType(), offset);
        Value element = vector::ExtractOp::create(builder, loc, op.getValueToStore(), position);
        memref::StoreOp::create(builder, loc, element, op.getBase(),
                                moved(builder, loc, op.getOffsets(), op.getOffsets().size() - 1, offset));
        scf::YieldOp::create(builder, loc);
      });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// How many of the lanes before each one are active: where a compressed element lies.
SmallVector<Value> placesOfActive(OpBuilder &builder, Location loc, Value mask) {
  int64_t count = cast<VectorType>(mask.getType()).getNumElements();
  SmallVector<Value> places;
  Value place = index(builder, loc, 0);
  for (int64_t i = 0; i < count; ++i) {
    places.push_back(place);
    Value active = vector::ExtractOp::create(builder, loc, mask, i);
    Value one = arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(), active);
    place = arith::AddIOp::create(builder, loc, place, one);
  }
  return places;
}

struct CompressToStores : OpRewritePattern<vector::CompressStoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::CompressStoreOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    for (auto [i, place] : llvm::enumerate(placesOfActive(rewriter, loc, op.getMask()))) {
      Value active = vector::ExtractOp::create(rewriter, loc, op.getMask(), int64_t(i));
      scf::IfOp::create(rewriter, loc, active, [&, i = i, place = place](OpBuilder &builder, Location loc) {
        Value element = vector::ExtractOp::create(builder, loc, op.getValueToStore(), int64_t(i));
        memref::StoreOp::create(builder, loc, element, op.getBase(),
                                moved(builder, loc, op.getIndices(), op.getIndices().size() - 1, place));
        scf::YieldOp::create(builder, loc);
      });
    }
    rewriter.eraseOp(op);
    return success();
  }
};

struct ExpandToLoads : OpRewritePattern<vector::ExpandLoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::ExpandLoadOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value result = op.getPassThru();
    for (auto [i, place] : llvm::enumerate(placesOfActive(rewriter, loc, op.getMask()))) {
      Value active = vector::ExtractOp::create(rewriter, loc, op.getMask(), int64_t(i));
      Value before = result;
      auto conditional = scf::IfOp::create(
          rewriter, loc, active,
          [&, i = i, place = place](OpBuilder &builder, Location loc) {
            Value element = memref::LoadOp::create(
                builder, loc, op.getBase(), moved(builder, loc, op.getIndices(), op.getIndices().size() - 1, place));
            Value with = vector::InsertOp::create(builder, loc, element, before, int64_t(i));
            scf::YieldOp::create(builder, loc, with);
          },
          [&](OpBuilder &builder, Location loc) { scf::YieldOp::create(builder, loc, before); });
      result = conditional.getResult(0);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// A load or store that isn't one access: of several dimensions, or of i1, which take a byte each in a memref and a bit
/// each in a vector.
bool isUnrolled(VectorType type, MemRefType memory) {
  if (type.isScalable() || type.getRank() == 0 || isa<VectorType>(memory.getElementType()))
    return false;
  return type.getRank() > 1 || type.getElementType().isInteger(1);
}

/// The outermost dimension of a load or store, one slice each.
struct UnrollLoad : OpRewritePattern<vector::LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::LoadOp op, PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!isUnrolled(type, op.getMemRefType()))
      return failure();
    Location loc = op.getLoc();
    unsigned dim = op.getIndices().size() - type.getRank();
    Value result = arith::ConstantOp::create(rewriter, loc, rewriter.getZeroAttr(type));
    for (int64_t i = 0; i < type.getDimSize(0); ++i) {
      SmallVector<Value> at = moved(rewriter, loc, op.getIndices(), dim, index(rewriter, loc, i));
      Value part;
      if (type.getRank() == 1)
        part = memref::LoadOp::create(rewriter, loc, op.getBase(), at);
      else
        part = vector::LoadOp::create(
            rewriter, loc, VectorType::get(type.getShape().drop_front(), type.getElementType()), op.getBase(), at);
      result = vector::InsertOp::create(rewriter, loc, part, result, i);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct UnrollStore : OpRewritePattern<vector::StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::StoreOp op, PatternRewriter &rewriter) const override {
    VectorType type = op.getVectorType();
    if (!isUnrolled(type, op.getMemRefType()))
      return failure();
    Location loc = op.getLoc();
    unsigned dim = op.getIndices().size() - type.getRank();
    for (int64_t i = 0; i < type.getDimSize(0); ++i) {
      Value part = vector::ExtractOp::create(rewriter, loc, op.getValueToStore(), i);
      SmallVector<Value> at = moved(rewriter, loc, op.getIndices(), dim, index(rewriter, loc, i));
      if (type.getRank() == 1)
        memref::StoreOp::create(rewriter, loc, part, op.getBase(), at);
      else
        vector::StoreOp::create(rewriter, loc, part, op.getBase(), at);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

/// Elements outside the mask become the neutral element.
struct UnmaskReduction : OpRewritePattern<vector::MaskOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::MaskOp op, PatternRewriter &rewriter) const override {
    auto reduction = dyn_cast_or_null<vector::ReductionOp>(op.getMaskableOp());
    if (!reduction)
      return failure();
    auto type = cast<VectorType>(reduction.getVector().getType());
    bool isFloat = isa<FloatType>(type.getElementType());
    auto kind = [&] {
      using Kind = arith::AtomicRMWKind;
      switch (reduction.getKind()) {
      case vector::CombiningKind::ADD: return isFloat ? Kind::addf : Kind::addi;
      case vector::CombiningKind::MUL: return isFloat ? Kind::mulf : Kind::muli;
      case vector::CombiningKind::MINUI: return Kind::minu;
      case vector::CombiningKind::MINSI: return Kind::mins;
      case vector::CombiningKind::MAXUI: return Kind::maxu;
      case vector::CombiningKind::MAXSI: return Kind::maxs;
      case vector::CombiningKind::MINNUMF: return Kind::minnumf;
      case vector::CombiningKind::MAXNUMF: return Kind::maxnumf;
      case vector::CombiningKind::MINIMUMF: return Kind::minimumf;
      case vector::CombiningKind::MAXIMUMF: return Kind::maximumf;
      case vector::CombiningKind::AND: return Kind::andi;
      case vector::CombiningKind::OR: return Kind::ori;
      case vector::CombiningKind::XOR: return Kind::xori;
      }
      llvm_unreachable("a combining kind");
    }();
    TypedAttr neutral = arith::getIdentityValueAttr(kind, type.getElementType(), rewriter, op.getLoc());
    if (!neutral)
      return failure();
    rewriter.setInsertionPoint(op);
    Value rest = arith::ConstantOp::create(rewriter, op.getLoc(), DenseElementsAttr::get(type, neutral));
    Value vector = arith::SelectOp::create(rewriter, op.getLoc(), op.getMask(), reduction.getVector(), rest);
    Value result = vector::ReductionOp::create(rewriter, op.getLoc(), reduction.getKind(), vector, reduction.getAcc(),
                                               reduction.getFastmath());
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// A sum of halves in singles: two of them an instruction, which adds in the same order.
struct SumOfHalves : OpRewritePattern<vector::ReductionOp> {
  explicit SumOfHalves(MLIRContext *context) : OpRewritePattern(context, /*benefit=*/3) {}
  LogicalResult matchAndRewrite(vector::ReductionOp op, PatternRewriter &rewriter) const override {
    auto extension = op.getVector().getDefiningOp<arith::ExtFOp>();
    if (!extension || op.getKind() != vector::CombiningKind::ADD || op.getAcc() || !op.getType().isF32())
      return failure();
    auto type = cast<VectorType>(extension.getIn().getType());
    if (!type.getElementType().isF16() || type.isScalable() || type.getNumElements() % 2)
      return failure();
    Location loc = op.getLoc();
    auto pair = VectorType::get({2}, type.getElementType());
    Value ones = arith::ConstantOp::create(
        rewriter, loc, DenseElementsAttr::get(pair, rewriter.getFloatAttr(type.getElementType(), 1)));
    Value sum = arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(0));
    Value saturates = arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(false));
    for (int64_t i = 0; i < type.getNumElements(); i += 2) {
      Value halves = vector::ExtractStridedSliceOp::create(rewriter, loc, extension.getIn(), i, 2, 1);
      sum = LLVM::CallIntrinsicOp::create(rewriter, loc, sum.getType(), rewriter.getStringAttr(intrinsic::fdot2),
                                          ValueRange{halves, ones, sum, saturates})
                .getResult(0);
    }
    rewriter.replaceOp(op, sum);
    return success();
  }
};

/// The first position that is not constant and is none of a one-dimensional vector's elements.
template <typename Op> std::optional<unsigned> runTimePosition(Op op, VectorType type) {
  if (type.getRank() < 2)
    return std::nullopt;
  for (auto [i, position] : llvm::enumerate(op.getStaticPosition()))
    if (ShapedType::isDynamic(position))
      return i;
  return std::nullopt;
}

struct ExtractAtRunTime : OpRewritePattern<vector::ExtractOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::ExtractOp op, PatternRewriter &rewriter) const override {
    VectorType type = op.getSourceVectorType();
    std::optional<unsigned> dim = runTimePosition(op, type);
    if (!dim)
      return failure();
    SmallVector<OpFoldResult> position = op.getMixedPosition();
    Value place = cast<Value>(position[*dim]), result;
    for (int64_t i = 0; i < type.getDimSize(*dim); ++i) {
      position[*dim] = rewriter.getIndexAttr(i);
      Value candidate = vector::ExtractOp::create(rewriter, op.getLoc(), op.getSource(), position);
      if (!result) {
        result = candidate;
        continue;
      }
      Value here = arith::CmpIOp::create(rewriter, op.getLoc(), arith::CmpIPredicate::eq, place,
                                         index(rewriter, op.getLoc(), i));
      result = arith::SelectOp::create(rewriter, op.getLoc(), here, candidate, result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

struct InsertAtRunTime : OpRewritePattern<vector::InsertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(vector::InsertOp op, PatternRewriter &rewriter) const override {
    VectorType type = op.getDestVectorType();
    std::optional<unsigned> dim = runTimePosition(op, type);
    if (!dim)
      return failure();
    SmallVector<OpFoldResult> position = op.getMixedPosition();
    Value place = cast<Value>(position[*dim]), result = op.getDest();
    for (int64_t i = 0; i < type.getDimSize(*dim); ++i) {
      position[*dim] = rewriter.getIndexAttr(i);
      Value with = vector::InsertOp::create(rewriter, op.getLoc(), op.getValueToStore(), result, position);
      Value here = arith::CmpIOp::create(rewriter, op.getLoc(), arith::CmpIPredicate::eq, place,
                                         index(rewriter, op.getLoc(), i));
      result = arith::SelectOp::create(rewriter, op.getLoc(), here, with, result);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void populateVectorPatterns(RewritePatternSet &patterns) {
  patterns.add<ScatterToStores, CompressToStores, ExpandToLoads, UnrollLoad, UnrollStore, UnmaskReduction, SumOfHalves,
               ExtractAtRunTime, InsertAtRunTime>(patterns.getContext());
}

} // namespace inflight
