// Exchanges between lanes whose pattern is a constant: DPP where a row of 16 lanes is enough, then
// ds_swizzle, then ds_bpermute, with a lane id that needs no counting where the block is a line.
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace inflight {

namespace {
constexpr int64_t waveSize = 64, rowSize = 16, swizzleGroup = 32;

std::optional<int64_t> constantOf(Value value) {
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

ArrayRef<int32_t> knownBlock(Operation *op) {
  auto kernel = op->getParentOfType<gpu::GPUFuncOp>();
  auto size = kernel ? kernel.getKnownBlockSizeAttr() : DenseI32ArrayAttr();
  return size ? size.asArrayRef() : ArrayRef<int32_t>();
}

bool isWord(Type type) { return type.isF32() || type.isInteger(32); }

/// One DPP move for i ^ mask within a row, if there is one.
Value dppXor(OpBuilder &builder, Location loc, Value value, int64_t mask) {
  amdgpu::DPPPerm kind;
  Attribute argument;
  switch (mask) {
  case 1:
  case 2:
  case 3: {
    kind = amdgpu::DPPPerm::quad_perm;
    SmallVector<Attribute> lanes;
    for (int64_t lane = 0; lane < 4; ++lane)
      lanes.push_back(builder.getI32IntegerAttr(lane ^ mask));
    argument = builder.getArrayAttr(lanes);
    break;
  }
  case 7: kind = amdgpu::DPPPerm::row_half_mirror; break;
  case 8:
    kind = amdgpu::DPPPerm::row_ror;
    argument = builder.getI32IntegerAttr(8);
    break;
  case 15: kind = amdgpu::DPPPerm::row_mirror; break;
  default: return Value();
  }
  if (!argument)
    argument = builder.getUnitAttr();
  return amdgpu::DPPOp::create(builder, loc, value.getType(), value, value, kind, argument, 0xf, 0xf,
                               /*bound_ctrl=*/true);
}

struct LowerConstantShuffle : OpRewritePattern<gpu::ShuffleOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::ShuffleOp op, PatternRewriter &rewriter) const override {
    std::optional<int64_t> offset = constantOf(op.getOffset()), width = constantOf(op.getWidth());
    if (!offset || !width || *offset < 0 || *offset >= *width || *width > waveSize || !isWord(op.getValue().getType()))
      return failure();
    Location loc = op.getLoc();
    Value value = op.getValue(), result;
    Type i32 = rewriter.getI32Type();
    auto asInteger = [&](Value v) {
      return v.getType() == i32 ? v : arith::BitcastOp::create(rewriter, loc, i32, v).getResult();
    };
    auto fromInteger = [&](Value v) {
      return value.getType() == i32 ? v : arith::BitcastOp::create(rewriter, loc, value.getType(), v).getResult();
    };
    auto word = [&](int64_t number) -> Value {
      return arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(number));
    };
    if (op.getMode() == gpu::ShuffleMode::XOR) {
      if (*offset < rowSize)
        result = dppXor(rewriter, loc, value, *offset);
      if (!result && *offset < swizzleGroup)
        result = amdgpu::SwizzleBitModeOp::create(rewriter, loc, value.getType(), value, swizzleGroup - 1, 0, *offset);
      if (!result) {
        Value lane = gpu::LaneIdOp::create(rewriter, loc, rewriter.getIndexType(), IntegerAttr());
        Value index = arith::IndexCastOp::create(rewriter, loc, i32, lane);
        // The address is in bytes.
        Value address = arith::XOrIOp::create(rewriter, loc, arith::ShLIOp::create(rewriter, loc, index, word(2)),
                                              word(*offset * 4));
        result = fromInteger(ROCDL::DsBpermuteOp::create(rewriter, loc, i32, address, asInteger(value)));
      }
    } else if (op.getMode() == gpu::ShuffleMode::IDX && *width == waveSize) {
      result = fromInteger(ROCDL::ReadlaneOp::create(rewriter, loc, i32, asInteger(value), word(*offset)));
    } else {
      return failure();
    }
    Value valid = arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
    rewriter.replaceOp(op, {result, valid});
    return success();
  }
};

/// In a block that is a line of whole waves, lanes are numbered as work-items are.
struct LowerLaneId : OpRewritePattern<gpu::LaneIdOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::LaneIdOp op, PatternRewriter &rewriter) const override {
    ArrayRef<int32_t> block = knownBlock(op);
    if (block.size() != 3 || block[1] != 1 || block[2] != 1)
      return failure();
    Value id = gpu::ThreadIdOp::create(rewriter, op.getLoc(), gpu::Dimension::x);
    if (block[0] > waveSize)
      id = arith::AndIOp::create(rewriter, op.getLoc(), id,
                                 arith::ConstantIndexOp::create(rewriter, op.getLoc(), waveSize - 1));
    rewriter.replaceOp(op, id);
    return success();
  }
};

/// A reduction over a whole wave, towards lane 63: each step is one operation with a DPP operand. Rows
/// that a broadcast doesn't reach hold partial results that no later step reads.
struct LowerWaveReduction : OpRewritePattern<gpu::SubgroupReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(gpu::SubgroupReduceOp op, PatternRewriter &rewriter) const override {
    ArrayRef<int32_t> block = knownBlock(op);
    if (op.getClusterSize() || !isWord(op.getType()) || block.size() != 3 ||
        (int64_t(block[0]) * block[1] * block[2]) % waveSize)
      return failure();
    Location loc = op.getLoc();
    vector::CombiningKind kind = gpu::convertReductionKind(op.getOp());
    Value sum = op.getValue();
    auto combine = [&](Value moved) { sum = vector::makeArithReduction(rewriter, loc, kind, sum, moved); };
    for (int64_t mask : {1, 2, 7, 15})
      combine(dppXor(rewriter, loc, sum, mask));
    for (amdgpu::DPPPerm broadcast : {amdgpu::DPPPerm::row_bcast_15, amdgpu::DPPPerm::row_bcast_31})
      combine(amdgpu::DPPOp::create(rewriter, loc, sum.getType(), sum, sum, broadcast, rewriter.getUnitAttr(), 0xf, 0xf,
                                    /*bound_ctrl=*/true));
    Type i32 = rewriter.getI32Type();
    Value last = arith::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(waveSize - 1));
    Value word = sum.getType() == i32 ? sum : arith::BitcastOp::create(rewriter, loc, i32, sum).getResult();
    Value total = ROCDL::ReadlaneOp::create(rewriter, loc, i32, word, last);
    if (sum.getType() != i32)
      total = arith::BitcastOp::create(rewriter, loc, sum.getType(), total);
    rewriter.replaceOp(op, total);
    return success();
  }
};
} // namespace

void populateCrossLanePatterns(RewritePatternSet &patterns, PatternBenefit benefit) {
  patterns.add<LowerConstantShuffle, LowerLaneId, LowerWaveReduction>(patterns.getContext(), benefit);
}

} // namespace inflight
