// Conversions of 8-bit floats: the chip's instructions where it knows the format, integer arithmetic
// where it doesn't.
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"
#include "compiler/pipeline/math/ShapedBuilder.h"

#include "mlir/Conversion/ArithToAMDGPU/ArithToAMDGPU.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/AMDGPU/Utils/Chipset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/APFloat.h"

using namespace mlir;

namespace inflight {

namespace {
/// Both encodings of one family: FNUZ has one zero and one NaN, OCP is IEEE-like.
bool isFnuz(Type type) { return isa<Float8E4M3FNUZType, Float8E5M2FNUZType>(type); }
bool isOcp(Type type) { return isa<Float8E4M3FNType, Float8E5M2Type>(type); }

bool hasInstructions(const amdgpu::Chipset &chipset, Type type) {
  return (chipset == amdgpu::Chipset(9, 4, 2) && isFnuz(type)) || (chipset == amdgpu::Chipset(9, 5, 0) && isOcp(type));
}

struct Format {
  explicit Format(Type type) : fnuz(isFnuz(type)), wide(isa<Float8E5M2FNUZType, Float8E5M2Type>(type)) {
    mantissa = wide ? 2 : 3;
    bias = (wide ? 15 : 7) + (fnuz ? 1 : 0);
  }
  bool fnuz, wide;
  int mantissa, bias;
};

/// Elementwise integer and float arithmetic in the shape of one value.
struct Words : ShapedBuilder {
  Value word(uint32_t bits) const { return constant(b.getI32IntegerAttr(int32_t(bits))); }
  Value single(float value) const { return constant(b.getF32FloatAttr(value)); }
  Value bitcast(Type element, Value value) const { return arith::BitcastOp::create(b, loc, shaped(element), value); }
  Value both(Value a, uint32_t mask) const { return arith::AndIOp::create(b, loc, a, word(mask)); }
  Value either(Value x, Value y) const { return arith::OrIOp::create(b, loc, x, y); }
  Value add(Value x, Value y) const { return arith::AddIOp::create(b, loc, x, y); }
  Value left(Value a, int bits) const { return arith::ShLIOp::create(b, loc, a, word(bits)); }
  Value right(Value a, int bits) const { return arith::ShRUIOp::create(b, loc, a, word(bits)); }
  Value is(arith::CmpIPredicate predicate, Value a, uint32_t number) const {
    return arith::CmpIOp::create(b, loc, predicate, a, word(number));
  }
  Value choose(Value condition, Value yes, Value no) const {
    return arith::SelectOp::create(b, loc, condition, yes, no);
  }
};

constexpr int singleMantissa = 23, singleBias = 127;
constexpr uint32_t singleNaN = 0x7fc00000, singleInfinity = 0x7f800000;

struct ExtendFloat8 : OpRewritePattern<arith::ExtFOp> {
  ExtendFloat8(MLIRContext *context, amdgpu::Chipset chipset) : OpRewritePattern(context), chipset(chipset) {}
  LogicalResult matchAndRewrite(arith::ExtFOp op, PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType()), to = getElementTypeOrSelf(op.getType());
    if (!(isFnuz(from) || isOcp(from)) || hasInstructions(chipset, from))
      return failure();
    Format format(from);
    Words w{rewriter, op.getLoc(), op.getIn().getType()};
    Type f32 = rewriter.getF32Type();
    Value byte = arith::ExtUIOp::create(rewriter, op.getLoc(), w.shaped(rewriter.getI32Type()),
                                        w.bitcast(rewriter.getI8Type(), op.getIn()));
    Value sign = w.left(w.both(byte, 0x80), 24), rest = w.both(byte, 0x7f);
    // Exponent and mantissa in a single's place are off by the difference of the biases, denormals too.
    Value small = w.bitcast(f32, w.left(rest, singleMantissa - format.mantissa));
    Value scale = w.single(std::ldexp(1.0f, singleBias - format.bias));
    Value magnitude = w.bitcast(rewriter.getI32Type(), arith::MulFOp::create(rewriter, op.getLoc(), small, scale));
    Value bits = w.either(magnitude, sign);
    using P = arith::CmpIPredicate;
    if (format.fnuz) {
      bits = w.choose(w.is(P::eq, byte, 0x80), w.word(singleNaN), bits);
    } else if (format.wide) {
      bits = w.choose(w.is(P::eq, rest, 0x7c), w.either(sign, w.word(singleInfinity)), bits);
      bits = w.choose(w.is(P::ugt, rest, 0x7c), w.word(singleNaN), bits);
    } else {
      bits = w.choose(w.is(P::eq, rest, 0x7f), w.word(singleNaN), bits);
    }
    Value result = w.bitcast(f32, bits);
    if (to.isF32())
      rewriter.replaceOp(op, result);
    else if (to.getIntOrFloatBitWidth() > 32)
      rewriter.replaceOpWithNewOp<arith::ExtFOp>(op, op.getType(), result);
    else
      rewriter.replaceOpWithNewOp<arith::TruncFOp>(op, op.getType(), result);
    return success();
  }
  amdgpu::Chipset chipset;
};

struct TruncateToFloat8 : OpRewritePattern<arith::TruncFOp> {
  TruncateToFloat8(MLIRContext *context, amdgpu::Chipset chipset) : OpRewritePattern(context), chipset(chipset) {}
  LogicalResult matchAndRewrite(arith::TruncFOp op, PatternRewriter &rewriter) const override {
    Type from = getElementTypeOrSelf(op.getIn().getType()), to = getElementTypeOrSelf(op.getType());
    if (!(isFnuz(to) || isOcp(to)) || hasInstructions(chipset, to))
      return failure();
    Format format(to);
    Words w{rewriter, op.getLoc(), op.getIn().getType()};
    Type f32 = rewriter.getF32Type(), i32 = rewriter.getI32Type();
    Value value = op.getIn();
    if (from.getIntOrFloatBitWidth() > 32)
      value = arith::TruncFOp::create(rewriter, op.getLoc(), w.shaped(f32), value);
    else if (!from.isF32())
      value = arith::ExtFOp::create(rewriter, op.getLoc(), w.shaped(f32), value);
    using P = arith::CmpIPredicate;
    Value bits = w.bitcast(i32, value), magnitude = w.both(bits, 0x7fffffff);
    Value sign = w.both(w.right(bits, 24), 0x80);
    const int dropped = singleMantissa - format.mantissa;
    // Adding a number whose last place is the smallest denormal rounds to it.
    const uint32_t anchor = uint32_t(singleBias - format.bias + dropped + 1) << singleMantissa;
    Value anchored =
        arith::AddFOp::create(rewriter, op.getLoc(), w.bitcast(f32, magnitude), w.bitcast(f32, w.word(anchor)));
    Value denormal = w.add(w.bitcast(i32, anchored), w.word(-anchor));
    // Half of the last place, less one for even ones; then the exponents' biases.
    Value odd = w.both(w.right(magnitude, dropped), 1);
    uint32_t rebias = uint32_t(format.bias - singleBias) << singleMantissa;
    Value rounded = w.add(w.add(magnitude, odd), w.word(rebias + (1u << (dropped - 1)) - 1));
    Value normal = w.right(rounded, dropped);
    Value tiny = w.is(P::ult, magnitude, uint32_t(singleBias - format.bias + 1) << singleMantissa);
    Value result = w.choose(tiny, denormal, normal);
    const uint32_t overflow = format.fnuz ? 0x80 : format.wide ? 0x7c : 0x7f;
    const uint32_t largest = format.fnuz ? 0x7f : format.wide ? 0x7b : 0x7e;
    Value special = w.is(P::ugt, result, largest);
    Value isNaN = w.is(P::ugt, magnitude, singleInfinity);
    Value isInfinite = w.is(P::eq, magnitude, singleInfinity);
    special = w.either(w.either(special, isNaN), isInfinite);
    if (format.fnuz) {
      // No negative zero, and the NaN has its own sign.
      sign = w.choose(w.is(P::eq, result, 0), w.word(0), sign);
      result = w.choose(special, w.word(overflow), w.either(result, sign));
    } else {
      result = w.choose(special, w.word(overflow), result);
      if (format.wide)
        result = w.choose(isNaN, w.word(0x7f), result);
      result = w.either(result, sign);
    }
    Value byte = arith::TruncIOp::create(rewriter, op.getLoc(), w.shaped(rewriter.getI8Type()), result);
    rewriter.replaceOp(op, w.bitcast(to, byte));
    return success();
  }
  amdgpu::Chipset chipset;
};

class ConvertFloat8 : public PassWrapper<ConvertFloat8, OperationPass<>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertFloat8)
  explicit ConvertFloat8(StringRef chip) : chip(chip.str()) {}
  StringRef getArgument() const override { return "inflight-convert-float8"; }
  void runOnOperation() override {
    FailureOr<amdgpu::Chipset> chipset = amdgpu::Chipset::parse(chip);
    if (failed(chipset))
      return signalPassFailure();
    // Upstream's conversion takes the chip's own format for granted.
    WalkResult formats = getOperation()->walk([&](Operation *op) {
      const bool fromFormat = isa<amdgpu::ExtPackedFp8Op, amdgpu::ScaledMFMAOp>(op);
      if (!fromFormat && !isa<amdgpu::PackedTrunc2xFp8Op, amdgpu::PackedStochRoundFp8Op>(op))
        return WalkResult::advance();
      Type type = getElementTypeOrSelf(fromFormat ? op->getOperand(0).getType() : op->getResult(0).getType());
      const bool isNarrow = isa<Float4E2M1FNType, Float6E2M3FNType, Float6E3M2FNType>(type);
      if (hasInstructions(*chipset, type) || (isNarrow && *chipset == amdgpu::Chipset(9, 5, 0)))
        return WalkResult::advance();
      op->emitError("not supported: '") << op->getName() << "' on " << type << ", which is no format of " << chip;
      return WalkResult::interrupt();
    });
    if (formats.wasInterrupted())
      return signalPassFailure();
    RewritePatternSet patterns(&getContext());
    const bool hasAny = *chipset >= amdgpu::Chipset(9, 4, 2);
    patterns.add<ExtendFloat8, TruncateToFloat8>(&getContext(), *chipset);
    arith::populateArithToAMDGPUConversionPatterns(patterns, /*convertFP8Arithmetic=*/hasAny,
                                                   /*saturateFP8Truncf=*/false, /*allowPackedF16Rtz=*/false,
                                                   /*supportsScaledExtTrunc=*/*chipset == amdgpu::Chipset(9, 5, 0),
                                                   *chipset);
    if (failed(applyToStructured(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

private:
  std::string chip;
};
} // namespace

std::unique_ptr<Pass> createConvertFloat8Pass(StringRef chip) { return std::make_unique<ConvertFloat8>(chip); }

} // namespace inflight
