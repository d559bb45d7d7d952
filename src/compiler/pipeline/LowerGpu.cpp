// Operations on the workgroup as a whole, and ids that follow from others.
#include "compiler/pipeline/Attributes.h"
#include "compiler/pipeline/PrepareKernels.h"
#include "isa/chip/WaveSize.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

namespace {
constexpr int64_t waveSize = waveLanes;

Value blockVolume(OpBuilder &builder, Location loc) {
  Value volume = gpu::BlockDimOp::create(builder, loc, gpu::Dimension::x);
  for (gpu::Dimension dim : {gpu::Dimension::y, gpu::Dimension::z})
    volume = arith::MulIOp::create(builder, loc, volume, gpu::BlockDimOp::create(builder, loc, dim));
  return volume;
}

Value flatThreadId(OpBuilder &builder, Location loc) {
  Value id = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::z);
  for (gpu::Dimension dim : {gpu::Dimension::y, gpu::Dimension::x}) {
    id = arith::MulIOp::create(builder, loc, id, gpu::BlockDimOp::create(builder, loc, dim));
    id = arith::AddIOp::create(builder, loc, id, gpu::ThreadIdOp::create(builder, loc, dim));
  }
  return id;
}

struct LowerNumSubgroups : OpRewritePattern<gpu::NumSubgroupsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::NumSubgroupsOp op, PatternRewriter &rewriter) const override {
    Value size = arith::ConstantIndexOp::create(rewriter, op.getLoc(), waveSize);
    rewriter.replaceOpWithNewOp<arith::CeilDivUIOp>(op, blockVolume(rewriter, op.getLoc()), size);
    return success();
  }
};

/// One lane's value from lane (lane + offset) of its group.
struct LowerRotate : OpRewritePattern<gpu::RotateOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::RotateOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    auto number = [&](int32_t value) -> Value { return arith::ConstantIntOp::create(rewriter, loc, value, 32); };
    const int32_t last = op.getWidth() - 1;
    if (last >= waveSize)
      return failure();
    Value lane = gpu::LaneIdOp::create(rewriter, loc, rewriter.getIndexType(), IntegerAttr());
    lane = arith::IndexCastOp::create(rewriter, loc, rewriter.getI32Type(), lane);
    Value turned = arith::AndIOp::create(
        rewriter, loc, arith::AddIOp::create(rewriter, loc, lane, number(op.getOffset())), number(last));
    Value group = arith::AndIOp::create(rewriter, loc, lane, number(~last));
    Value from = arith::OrIOp::create(rewriter, loc, turned, group);
    auto shuffle = gpu::ShuffleOp::create(rewriter, loc, op.getValue(), from, number(waveSize), gpu::ShuffleMode::IDX);
    Value valid = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::sle, lane, number(last));
    rewriter.replaceOp(op, {shuffle.getShuffleResult(), valid});
    return success();
  }
};

/// Reduces each wave, and the waves' results through LDS. Upstream's pattern makes branches, which
/// a structured region can't hold. What isn't a known operation on whole waves goes through LDS
/// lane by lane.
class LowerAllReduce : public OpRewritePattern<gpu::AllReduceOp> {
public:
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::AllReduceOp op, PatternRewriter &rewriter) const override {
    auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
    auto maximum = kernel ? kernel->getAttrOfType<IntegerAttr>(attr::maxBlock) : IntegerAttr();
    if (!maximum || !op.getType().isIntOrFloat())
      return failure();
    Location loc = op.getLoc();
    const bool sizeIsKnown = bool(kernel.getKnownBlockSizeAttr());
    const bool byWave = op.getOp() && sizeIsKnown && maximum.getInt() % waveSize == 0;
    const int64_t parts = byWave ? maximum.getInt() / waveSize : maximum.getInt();
    Value part = op.getValue();
    if (byWave)
      part = gpu::SubgroupReduceOp::create(rewriter, loc, part, *op.getOp(), /*uniform=*/true);
    if (parts == 1) {
      rewriter.replaceOp(op, part);
      return success();
    }
    auto type = MemRefType::get({parts}, op.getType(), MemRefLayoutAttrInterface(),
                                gpu::AddressSpaceAttr::get(op.getContext(), gpu::AddressSpace::Workgroup));
    Value memory;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&kernel.getBody().front());
      memory = memref::AllocOp::create(rewriter, loc, type);
    }
    auto index = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(rewriter, loc, value); };
    if (byWave)
      storeByWave(rewriter, loc, part, memory);
    else
      memref::StoreOp::create(rewriter, loc, part, memory, flatThreadId(rewriter, loc));
    gpu::BarrierOp::create(rewriter, loc);
    auto combine = [&](OpBuilder &builder, Value total, Value at) -> Value {
      return combined(op, builder, loc, total, memref::LoadOp::create(builder, loc, memory, at));
    };
    Value total = memref::LoadOp::create(rewriter, loc, memory, index(0));
    if (byWave) {
      for (int64_t i = 1; i < parts; ++i)
        total = combine(rewriter, total, index(i));
    } else {
      Value count = sizeIsKnown ? index(parts) : blockVolume(rewriter, loc);
      auto loop = scf::ForOp::create(rewriter, loc, index(1), count, index(1), total,
                                     [&](OpBuilder &builder, Location loc, Value i, ValueRange carried) {
                                       scf::YieldOp::create(builder, loc, combine(builder, carried[0], i));
                                     });
      total = loop.getResult(0);
    }
    // The next reduction may write the same memory.
    gpu::BarrierOp::create(rewriter, loc);
    rewriter.replaceOp(op, total);
    return success();
  }

private:
  /// The first lane of each wave stores its part in the wave's place.
  static void storeByWave(OpBuilder &builder, Location loc, Value part, Value memory) {
    Value lane = gpu::LaneIdOp::create(builder, loc, builder.getIndexType(), IntegerAttr());
    Value id = gpu::SubgroupIdOp::create(builder, loc, builder.getIndexType(), IntegerAttr());
    Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
    Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, lane, zero);
    scf::IfOp::create(builder, loc, isFirst, [&](OpBuilder &inside, Location loc) {
      memref::StoreOp::create(inside, loc, part, memory, id);
      scf::YieldOp::create(inside, loc);
    });
  }
  static Value combined(gpu::AllReduceOp op, OpBuilder &builder, Location loc, Value total, Value next) {
    if (op.getOp())
      return vector::makeArithReduction(builder, loc, gpu::convertReductionKind(*op.getOp()), next, total);
    Block &body = op.getBody().front();
    IRMapping mapping;
    mapping.map(body.getArgument(0), total);
    mapping.map(body.getArgument(1), next);
    for (Operation &inner : body.without_terminator())
      builder.clone(inner, mapping);
    return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
  }
};

class LowerGpu : public PassWrapper<LowerGpu, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerGpu)
  LowerGpu(StringRef chip, bool hasPermlaneSwap) : chip(chip.str()), hasPermlaneSwap(hasPermlaneSwap) {}
  StringRef getArgument() const override { return "inflight-lower-gpu"; }
  LogicalResult initialize(MLIRContext *context) override {
    FailureOr<amdgpu::Chipset> chipset = amdgpu::Chipset::parse(chip);
    if (failed(chipset))
      return emitError(UnknownLoc::get(context)) << "unknown chip '" << chip << "'";
    RewritePatternSet patterns(context);
    patterns.add<LowerAllReduce, LowerNumSubgroups, LowerRotate>(context);
    populateGpuGlobalIdPatterns(patterns);
    populateGpuSubgroupIdPatterns(patterns);
    populateCrossLanePatterns(patterns, PatternBenefit(4), hasPermlaneSwap);
    populateGpuBreakDownSubgroupReducePatterns(patterns, /*maxShuffleBitwidth=*/32, PatternBenefit(3));
    populateGpuLowerSubgroupReduceToDPPPatterns(patterns, waveSize, *chipset, PatternBenefit(2));
    populateGpuLowerClusteredSubgroupReduceToDPPPatterns(patterns, waveSize, *chipset, PatternBenefit(2));
    populateGpuLowerSubgroupReduceToShufflePatterns(patterns, waveSize, /*shuffleBitwidth=*/32, PatternBenefit(1));
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, waveSize, 32, PatternBenefit(1));
    frozen = std::move(patterns);
    return success();
  }
  void runOnOperation() override {
    if (failed(applyPatternsGreedily(getOperation(), frozen)))
      signalPassFailure();
  }

private:
  std::string chip;
  bool hasPermlaneSwap;
  FrozenRewritePatternSet frozen;
};
} // namespace

std::unique_ptr<Pass> createLowerGpuPass(StringRef chip, bool hasPermlaneSwap) {
  return std::make_unique<LowerGpu>(chip, hasPermlaneSwap);
}

} // namespace inflight
