// Exchanges between lanes: where the pattern is a constant, DPP if a row of 16 lanes is enough, then ds_swizzle or a
// swap of halves, else ds_bpermute, with a lane id that needs no counting where the block is a line.
#include "compiler/lanes/Words.h"
#include "compiler/pipeline/PrepareKernels.h"
#include "isa/chip/WaveSize.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

namespace {
constexpr int64_t waveSize = waveLanes, rowSize = 16, swizzleGroup = 32;

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

/// One DPP move within rows of 16 lanes, or by one lane in the wave; the lanes that nothing reaches get 0.
Value dppShift(OpBuilder &builder, Location loc, Value word, bool up, int64_t distance, int64_t group) {
  amdgpu::DPPPerm kind;
  Attribute argument = builder.getUnitAttr();
  if (group <= rowSize) {
    kind = up ? amdgpu::DPPPerm::row_shr : amdgpu::DPPPerm::row_shl;
    argument = builder.getI32IntegerAttr(distance);
  } else if (distance == 1) {
    kind = up ? amdgpu::DPPPerm::wave_shr : amdgpu::DPPPerm::wave_shl;
  } else {
    return Value();
  }
  return amdgpu::DPPOp::create(builder, loc, word.getType(), word, word, kind, argument, 0xf, 0xf, /*bound_ctrl=*/true);
}

/// A shuffle works in each group of `width` lanes, as LLVM's lowering has it: the dialect says what happens in the
/// first. Where the width is no power of two there is but that one.
struct LowerShuffle : OpRewritePattern<gpu::ShuffleOp> {
  LowerShuffle(MLIRContext *context, PatternBenefit benefit, bool hasPermlaneSwap)
      : OpRewritePattern(context, benefit), hasPermlaneSwap(hasPermlaneSwap) {}

  LogicalResult matchAndRewrite(gpu::ShuffleOp op, PatternRewriter &rewriter) const override {
    Type type = op.getValue().getType();
    if (auto vector = dyn_cast<VectorType>(type); vector && vector.isScalable())
      return failure();
    Location loc = op.getLoc();
    std::function<Value(Value)> exchange = constantExchange(op, rewriter);
    if (!exchange) {
      Value lane = laneId(rewriter, loc), from = op.getOffset();
      switch (op.getMode()) {
      case gpu::ShuffleMode::XOR: from = arith::XOrIOp::create(rewriter, loc, lane, from); break;
      case gpu::ShuffleMode::UP: from = arith::SubIOp::create(rewriter, loc, lane, from); break;
      case gpu::ShuffleMode::DOWN: from = arith::AddIOp::create(rewriter, loc, lane, from); break;
      case gpu::ShuffleMode::IDX: break;
      }
      // The address is in bytes.
      Value address = arith::ShLIOp::create(rewriter, loc, from, word(rewriter, loc, 2));
      exchange = [&, address](Value value) -> Value {
        return ROCDL::DsBpermuteOp::create(rewriter, loc, rewriter.getI32Type(), address, value);
      };
    }
    SmallVector<Value> words;
    for (Value value : splitWords(rewriter, loc, op.getValue()))
      words.push_back(exchange(value));
    rewriter.replaceOp(op, {joinWords(rewriter, loc, type, words), isValid(op, rewriter)});
    return success();
  }

private:
  static Value word(OpBuilder &builder, Location loc, int64_t number) {
    return arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(number));
  }
  static Value laneId(OpBuilder &builder, Location loc) {
    Value lane = gpu::LaneIdOp::create(builder, loc, builder.getIndexType(), IntegerAttr());
    return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), lane);
  }

  /// What is cheaper than ds_bpermute, for one word; none if nothing is.
  std::function<Value(Value)> constantExchange(gpu::ShuffleOp op, PatternRewriter &rewriter) const {
    const std::optional<int64_t> offset = constantOf(op.getOffset()), width = constantOf(op.getWidth());
    Location loc = op.getLoc();
    if (!offset || *offset < 0 || *offset >= waveSize)
      return {};
    const int64_t distance = *offset;
    Value lane = op.getMode() == gpu::ShuffleMode::IDX ? word(rewriter, loc, distance) : Value();
    const bool moves = op.getMode() == gpu::ShuffleMode::UP || op.getMode() == gpu::ShuffleMode::DOWN;
    const bool shifts =
        width && *width > 0 && llvm::isPowerOf2_64(*width) && distance < *width && (*width <= rowSize || distance == 1);
    if (distance == 0 && !lane)
      return [](Value value) { return value; };
    if (moves && !shifts)
      return {};
    if (op.getMode() == gpu::ShuffleMode::XOR && distance >= swizzleGroup &&
        !(hasPermlaneSwap && distance == swizzleGroup))
      return {};
    return [=, &rewriter, mode = op.getMode()](Value value) -> Value {
      Type i32 = rewriter.getI32Type();
      if (lane)
        return ROCDL::ReadlaneOp::create(rewriter, loc, i32, value, lane);
      if (moves)
        return dppShift(rewriter, loc, value, mode == gpu::ShuffleMode::UP, distance, *width);
      if (distance == swizzleGroup)
        return amdgpu::PermlaneSwapOp::create(rewriter, loc, i32, value, swizzleGroup);
      if (Value moved = distance < rowSize ? dppXor(rewriter, loc, value, distance) : Value())
        return moved;
      return amdgpu::SwizzleBitModeOp::create(rewriter, loc, i32, value, swizzleGroup - 1, 0, distance);
    };
  }

  /// Whether the lane that a value comes from is in the same group.
  Value isValid(gpu::ShuffleOp op, PatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    const std::optional<int64_t> offset = constantOf(op.getOffset()), width = constantOf(op.getWidth());
    Value always = arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
    const bool isPower = width && *width > 0 && llvm::isPowerOf2_64(*width);
    const bool isIndex = op.getMode() == gpu::ShuffleMode::IDX;
    if (isPower && offset && *offset >= 0 && *offset < *width &&
        (isIndex || op.getMode() == gpu::ShuffleMode::XOR || *offset == 0))
      return always;
    Value limit = width
                      ? word(rewriter, loc, std::min(*width, waveSize))
                      : arith::MinSIOp::create(rewriter, loc, op.getWidth(), word(rewriter, loc, waveSize)).getResult();
    Value below = arith::SubIOp::create(rewriter, loc, limit, word(rewriter, loc, 1));
    Value lane = laneId(rewriter, loc), place = lane;
    if (width) {
      if (llvm::isPowerOf2_64(std::min(*width, waveSize)))
        place = arith::AndIOp::create(rewriter, loc, lane, below);
    } else {
      Value odd = arith::AndIOp::create(rewriter, loc, limit, below);
      Value power = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq, odd, word(rewriter, loc, 0));
      Value mask = arith::SelectOp::create(rewriter, loc, power, below, word(rewriter, loc, -1));
      place = arith::AndIOp::create(rewriter, loc, lane, mask);
    }
    Value from = op.getOffset();
    switch (op.getMode()) {
    case gpu::ShuffleMode::XOR: from = arith::XOrIOp::create(rewriter, loc, place, from); break;
    case gpu::ShuffleMode::UP: from = arith::SubIOp::create(rewriter, loc, place, from); break;
    case gpu::ShuffleMode::DOWN: from = arith::AddIOp::create(rewriter, loc, place, from); break;
    case gpu::ShuffleMode::IDX: break;
    }
    // An index counts in the wave, all else in the group.
    Value end = limit;
    if (isIndex)
      end = arith::AddIOp::create(rewriter, loc, limit, arith::SubIOp::create(rewriter, loc, lane, place));
    Value inside = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, from, end);
    if (isPower)
      return inside;
    Value takesPart = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::ult, place, limit);
    return arith::AndIOp::create(rewriter, loc, inside, takesPart);
  }

  bool hasPermlaneSwap;
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

void populateCrossLanePatterns(RewritePatternSet &patterns, PatternBenefit benefit, bool hasPermlaneSwap) {
  patterns.add<LowerLaneId, LowerWaveReduction>(patterns.getContext(), benefit);
  patterns.add<LowerShuffle>(patterns.getContext(), benefit, hasPermlaneSwap);
}

} // namespace inflight
