// Operations on whole memrefs, and parallel loops, as plain loops: every lane runs all of it, as the
// operations say.
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"
#include "compiler/pipeline/VectorPatterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace inflight {

namespace {
/// Elements that one access of a copy can move: the innermost dimension has to be contiguous.
int64_t copyWidth(MemRefType from, MemRefType to) {
  Type element = from.getElementType();
  if (from.getRank() == 0 || !element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8)
    return 1;
  int64_t extent = from.getShape().back();
  if (ShapedType::isDynamic(extent) || extent == 0 || ShapedType::isDynamic(to.getShape().back()))
    return 1;
  for (MemRefType type : {from, to}) {
    SmallVector<int64_t> strides;
    int64_t offset;
    if (failed(type.getStridesAndOffset(strides, offset)) || strides.back() != 1)
      return 1;
  }
  constexpr int64_t widestBits = 128;
  int64_t width = std::max<int64_t>(1, widestBits / element.getIntOrFloatBitWidth());
  while (extent % width)
    width /= 2;
  return width;
}

struct CopyToLoops : OpRewritePattern<memref::CopyOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::CopyOp op, PatternRewriter &rewriter) const override {
    auto from = dyn_cast<MemRefType>(op.getSource().getType()), to = dyn_cast<MemRefType>(op.getTarget().getType());
    if (!from || !to)
      return failure();
    Location loc = op.getLoc();
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
    int64_t width = copyWidth(from, to);
    Value zero = index(0);
    SmallVector<Value> lower, upper, step;
    for (int64_t d = 0; d < from.getRank(); ++d) {
      lower.push_back(zero);
      upper.push_back(memref::DimOp::create(rewriter, loc, op.getSource(), d));
      step.push_back(index(d + 1 == from.getRank() ? width : 1));
    }
    scf::buildLoopNest(rewriter, loc, lower, upper, step, [&](OpBuilder &builder, Location loc, ValueRange at) {
      if (width == 1) {
        Value element = memref::LoadOp::create(builder, loc, op.getSource(), at);
        memref::StoreOp::create(builder, loc, element, op.getTarget(), at);
        return;
      }
      auto type = VectorType::get(width, from.getElementType());
      Value part = vector::LoadOp::create(builder, loc, type, op.getSource(), at);
      vector::StoreOp::create(builder, loc, part, op.getTarget(), at);
    });
    rewriter.eraseOp(op);
    return success();
  }
};

/// A loop over one dimension after the other; reductions are carried.
struct ParallelToLoops : OpRewritePattern<scf::ParallelOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ParallelOp op, PatternRewriter &rewriter) const override {
    Block *body = op.getBody();
    auto reduce = cast<scf::ReduceOp>(body->getTerminator());
    scf::LoopNest nest = scf::buildLoopNest(
        rewriter, op.getLoc(), op.getLowerBound(), op.getUpperBound(), op.getStep(), op.getInitVals(),
        [&](OpBuilder &builder, Location loc, ValueRange ivs, ValueRange carried) -> scf::ValueVector {
          IRMapping mapping;
          mapping.map(op.getInductionVars(), ivs);
          for (Operation &inner : body->without_terminator())
            builder.clone(inner, mapping);
          scf::ValueVector results;
          for (auto [i, region] : llvm::enumerate(reduce.getReductions())) {
            Block &combine = region.front();
            mapping.map(combine.getArgument(0), carried[i]);
            mapping.map(combine.getArgument(1), mapping.lookupOrDefault(reduce.getOperands()[i]));
            for (Operation &inner : combine.without_terminator())
              builder.clone(inner, mapping);
            results.push_back(mapping.lookupOrDefault(combine.getTerminator()->getOperand(0)));
          }
          return results;
        });
    rewriter.replaceOp(op, nest.results);
    return success();
  }
};

struct ForallToLoops : OpRewritePattern<scf::ForallOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForallOp op, PatternRewriter &rewriter) const override {
    // One that is mapped to threads or blocks isn't a loop of each lane.
    if (!op.getOutputs().empty() || op.getMapping())
      return failure();
    return scf::forallToForLoop(rewriter, op);
  }
};

/// A loop that counts unsigned runs as often as one from zero, whose count can't be negative.
struct CountFromZero : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp op, PatternRewriter &rewriter) const override {
    if (!op.getUnsignedCmp())
      return failure();
    Location loc = op.getLoc();
    Type type = op.getInductionVar().getType(), wide = rewriter.getI64Type();
    auto widened = [&](Value value) -> Value {
      if (type.isIndex())
        return arith::IndexCastUIOp::create(rewriter, loc, wide, value);
      return type == wide ? value : arith::ExtUIOp::create(rewriter, loc, wide, value).getResult();
    };
    Value lower = widened(op.getLowerBound()), upper = widened(op.getUpperBound()), step = widened(op.getStep());
    Value zero = arith::ConstantIntOp::create(rewriter, loc, 0, 64),
          one = arith::ConstantIntOp::create(rewriter, loc, 1, 64);
    Value distance = arith::SubIOp::create(rewriter, loc, upper, lower);
    Value some = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, lower, upper);
    Value count =
        arith::SelectOp::create(rewriter, loc, some, arith::CeilDivUIOp::create(rewriter, loc, distance, step), zero);
    auto loop = scf::ForOp::create(rewriter, loc, zero, count, one, op.getInitArgs());
    rewriter.setInsertionPointToStart(loop.getBody());
    Value at =
        arith::AddIOp::create(rewriter, loc, lower, arith::MulIOp::create(rewriter, loc, loop.getInductionVar(), step));
    if (type.isIndex())
      at = arith::IndexCastUIOp::create(rewriter, loc, type, at);
    else if (type != wide)
      at = arith::TruncIOp::create(rewriter, loc, type, at);
    SmallVector<Value> arguments{at};
    llvm::append_range(arguments, loop.getRegionIterArgs());
    if (!loop.getBody()->empty() && loop.getBody()->back().hasTrait<OpTrait::IsTerminator>())
      rewriter.eraseOp(loop.getBody()->getTerminator());
    rewriter.mergeBlocks(op.getBody(), loop.getBody(), arguments);
    rewriter.replaceOp(op, loop.getResults());
    return success();
  }
};

struct DropPrefetch : OpRewritePattern<memref::PrefetchOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::PrefetchOp op, PatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

/// Kinds that no LLVM atomic has.
struct MultiplyAtomically : OpRewritePattern<memref::AtomicRMWOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(memref::AtomicRMWOp op, PatternRewriter &rewriter) const override {
    if (op.getKind() != arith::AtomicRMWKind::mulf && op.getKind() != arith::AtomicRMWKind::muli)
      return failure();
    auto generic = memref::GenericAtomicRMWOp::create(rewriter, op.getLoc(), op.getMemref(), op.getIndices());
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(generic.getBody());
    Value current = generic.getCurrentValue();
    Value product = op.getKind() == arith::AtomicRMWKind::mulf
                        ? arith::MulFOp::create(rewriter, op.getLoc(), current, op.getValue()).getResult()
                        : arith::MulIOp::create(rewriter, op.getLoc(), current, op.getValue()).getResult();
    memref::AtomicYieldOp::create(rewriter, op.getLoc(), product);
    rewriter.replaceOp(op, generic.getResult());
    return success();
  }
};
} // namespace

std::unique_ptr<Pass> createExpandMemRefsPass() {
  return makePatternPass("inflight-expand-memrefs", [](RewritePatternSet &patterns) {
    patterns.add<CopyToLoops, ParallelToLoops, ForallToLoops, CountFromZero, DropPrefetch, MultiplyAtomically>(
        patterns.getContext());
    populateSplatComparisons(patterns);
  });
}

} // namespace inflight
