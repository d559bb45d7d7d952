// Operations on the workgroup as a whole, and ids that follow from others.
#include "compiler/pipeline/MemRefUtils.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

namespace {
constexpr int64_t waveSize = 64;

Value blockVolume(OpBuilder &builder, Location loc) {
  Value volume = gpu::BlockDimOp::create(builder, loc, gpu::Dimension::x);
  for (gpu::Dimension dim : {gpu::Dimension::y, gpu::Dimension::z})
    volume = arith::MulIOp::create(builder, loc, volume, gpu::BlockDimOp::create(builder, loc, dim));
  return volume;
}

struct LowerNumSubgroups : OpRewritePattern<gpu::NumSubgroupsOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::NumSubgroupsOp op, PatternRewriter &rewriter) const override {
    Value size = arith::ConstantIndexOp::create(rewriter, op.getLoc(), waveSize);
    rewriter.replaceOpWithNewOp<arith::CeilDivUIOp>(op, blockVolume(rewriter, op.getLoc()), size);
    return success();
  }
};

/// Reduces each wave, and the waves' results through LDS. Upstream's pattern makes branches, which
/// a structured region can't hold.
struct LowerAllReduce : OpRewritePattern<gpu::AllReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::AllReduceOp op, PatternRewriter &rewriter) const override {
    if (!op.getOp())
      return rewriter.notifyMatchFailure(op, "a reduction by a region");
    auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
    auto maximum = kernel ? kernel->getAttrOfType<IntegerAttr>(attr::maxBlock) : IntegerAttr();
    if (!maximum)
      return failure();
    Location loc = op.getLoc();
    gpu::AllReduceOperation kind = *op.getOp();
    Value wave = gpu::SubgroupReduceOp::create(rewriter, loc, op.getValue(), kind, /*uniform=*/true);
    const int64_t waves = llvm::divideCeil(maximum.getInt(), waveSize);
    if (waves == 1) {
      rewriter.replaceOp(op, wave);
      return success();
    }
    auto type = MemRefType::get({waves}, op.getType(), MemRefLayoutAttrInterface(),
                                gpu::AddressSpaceAttr::get(op.getContext(), gpu::AddressSpace::Workgroup));
    Value memory;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      rewriter.setInsertionPointToStart(&kernel.getBody().front());
      memory = memref::AllocOp::create(rewriter, loc, type);
    }
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    Value lane = gpu::LaneIdOp::create(rewriter, loc, rewriter.getIndexType(), IntegerAttr());
    Value id = gpu::SubgroupIdOp::create(rewriter, loc, rewriter.getIndexType(), IntegerAttr());
    Value isFirst = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, lane, index(0));
    scf::IfOp::create(rewriter, loc, isFirst, [&](OpBuilder &builder, Location loc) {
      memref::StoreOp::create(builder, loc, wave, memory, id);
      scf::YieldOp::create(builder, loc);
    });
    gpu::BarrierOp::create(rewriter, loc);
    vector::CombiningKind combine = gpu::convertReductionKind(kind);
    Value total = memref::LoadOp::create(rewriter, loc, memory, index(0));
    if (kernel.getKnownBlockSizeAttr()) {
      for (int64_t i = 1; i < waves; ++i)
        total = vector::makeArithReduction(rewriter, loc, combine,
                                           memref::LoadOp::create(rewriter, loc, memory, index(i)), total);
    } else {
      Value count = gpu::NumSubgroupsOp::create(rewriter, loc, rewriter.getIndexType(), IntegerAttr());
      auto loop = scf::ForOp::create(
          rewriter, loc, index(1), count, index(1), total,
          [&](OpBuilder &builder, Location loc, Value i, ValueRange carried) {
            Value next = memref::LoadOp::create(builder, loc, memory, i);
            scf::YieldOp::create(builder, loc,
                                 vector::makeArithReduction(builder, loc, combine, next, carried[0]));
          });
      total = loop.getResult(0);
    }
    // The next reduction may write the same memory.
    gpu::BarrierOp::create(rewriter, loc);
    rewriter.replaceOp(op, total);
    return success();
  }
};

class LowerGpu : public PassWrapper<LowerGpu, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerGpu)
  explicit LowerGpu(StringRef chip) : chip(chip.str()) {}
  StringRef getArgument() const override { return "inflight-lower-gpu"; }
  StringRef getDescription() const override { return "Lower workgroup and wave reductions"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<gpu::GPUDialect, arith::ArithDialect, memref::MemRefDialect, scf::SCFDialect,
                    vector::VectorDialect, amdgpu::AMDGPUDialect, ROCDL::ROCDLDialect>();
  }
  void runOnOperation() override {
    MLIRContext *context = &getContext();
    FailureOr<amdgpu::Chipset> chipset = amdgpu::Chipset::parse(chip);
    if (failed(chipset)) {
      getOperation().emitError("unknown chip '") << chip << "'";
      return signalPassFailure();
    }
    {
      RewritePatternSet patterns(context);
      patterns.add<LowerAllReduce>(context);
      if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
        return signalPassFailure();
    }
    RewritePatternSet patterns(context);
    patterns.add<LowerNumSubgroups>(context);
    populateGpuGlobalIdPatterns(patterns);
    populateGpuSubgroupIdPatterns(patterns);
    populateGpuShufflePatterns(patterns);
    populateCrossLanePatterns(patterns, PatternBenefit(4));
    populateGpuBreakDownSubgroupReducePatterns(patterns, /*maxShuffleBitwidth=*/32, PatternBenefit(3));
    populateGpuLowerSubgroupReduceToDPPPatterns(patterns, waveSize, *chipset, PatternBenefit(2));
    populateGpuLowerClusteredSubgroupReduceToDPPPatterns(patterns, waveSize, *chipset, PatternBenefit(2));
    populateGpuLowerSubgroupReduceToShufflePatterns(patterns, waveSize, /*shuffleBitwidth=*/32, PatternBenefit(1));
    populateGpuLowerClusteredSubgroupReduceToShufflePatterns(patterns, waveSize, 32, PatternBenefit(1));
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

private:
  std::string chip;
};
} // namespace

std::unique_ptr<Pass> createLowerGpuPass(StringRef chip) { return std::make_unique<LowerGpu>(chip); }

} // namespace inflight
