// LLVM intrinsics and device-library calls in terms of plain operations.
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace inflight {

namespace {
Value integerLike(OpBuilder &builder, Location loc, Type type, const APInt &value) {
  Attribute element = builder.getIntegerAttr(getElementTypeOrSelf(type), value);
  if (auto vector = dyn_cast<VectorType>(type))
    return LLVM::ConstantOp::create(builder, loc, type, DenseElementsAttr::get(vector, element));
  return LLVM::ConstantOp::create(builder, loc, type, element);
}

unsigned widthOf(Type type) { return getElementTypeOrSelf(type).getIntOrFloatBitWidth(); }

/// Bytes in the other order: pairs change places, then pairs of pairs.
struct ExpandByteSwap : OpRewritePattern<LLVM::ByteSwapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::ByteSwapOp op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value value = op.getOperand();
    const unsigned width = widthOf(op.getType());
    for (unsigned half = 8; half < width; half *= 2) {
      APInt low = APInt::getSplat(width, APInt::getLowBitsSet(2 * half, half));
      Value amount = integerLike(rewriter, loc, op.getType(), APInt(width, half));
      Value mask = integerLike(rewriter, loc, op.getType(), low);
      Value up = LLVM::ShlOp::create(rewriter, loc, LLVM::AndOp::create(rewriter, loc, value, mask), amount);
      Value down = LLVM::AndOp::create(rewriter, loc, LLVM::LShrOp::create(rewriter, loc, value, amount), mask);
      value = LLVM::OrOp::create(rewriter, loc, up, down);
    }
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// Two numbers side by side, shifted; the second shift is split so that it never reaches the width. There are
/// instructions for words.
template <typename Op, bool left> struct ExpandFunnelShift : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    const unsigned width = widthOf(op.getType());
    if (!llvm::isPowerOf2_32(width) || width == 32)
      return failure();
    Value last = integerLike(rewriter, loc, op.getType(), APInt(width, width - 1));
    Value one = integerLike(rewriter, loc, op.getType(), APInt(width, 1));
    Value amount = LLVM::AndOp::create(rewriter, loc, op->getOperand(2), last);
    Value rest = LLVM::SubOp::create(rewriter, loc, last, amount);
    Value high = op->getOperand(0), low = op->getOperand(1);
    if (left) {
      high = LLVM::ShlOp::create(rewriter, loc, high, amount);
      low = LLVM::LShrOp::create(rewriter, loc, LLVM::LShrOp::create(rewriter, loc, low, one), rest);
    } else {
      high = LLVM::ShlOp::create(rewriter, loc, LLVM::ShlOp::create(rewriter, loc, high, one), rest);
      low = LLVM::LShrOp::create(rewriter, loc, low, amount);
    }
    rewriter.replaceOpWithNewOp<LLVM::OrOp>(op, high, low);
    return success();
  }
};

Value compare(OpBuilder &builder, Location loc, LLVM::ICmpPredicate predicate, Value a, Value b) {
  return LLVM::ICmpOp::create(builder, loc, predicate, a, b);
}

/// Whether a sum or difference left the signed range: its sign is that of neither or not of the first.
Value signedOverflow(OpBuilder &builder, Location loc, bool subtracts, Value a, Value b, Value result) {
  Value one = LLVM::XOrOp::create(builder, loc, a, result);
  Value other = subtracts ? LLVM::XOrOp::create(builder, loc, a, b) : LLVM::XOrOp::create(builder, loc, b, result);
  Value zero = integerLike(builder, loc, a.getType(), APInt(widthOf(a.getType()), 0));
  return compare(builder, loc, LLVM::ICmpPredicate::slt, LLVM::AndOp::create(builder, loc, one, other), zero);
}

template <typename Op, bool isSigned, bool subtracts> struct ExpandSaturating : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value a = op->getOperand(0), b = op->getOperand(1);
    const unsigned width = widthOf(op.getType());
    if (!isSigned && subtracts) {
      rewriter.replaceOpWithNewOp<LLVM::SubOp>(op, LLVM::UMaxOp::create(rewriter, loc, a, b), b);
      return success();
    }
    if (!isSigned) {
      // A constant is the second operand.
      Value ones = integerLike(rewriter, loc, op.getType(), APInt::getAllOnes(width));
      Value room = LLVM::XOrOp::create(rewriter, loc, b, ones);
      rewriter.replaceOpWithNewOp<LLVM::AddOp>(op, LLVM::UMinOp::create(rewriter, loc, a, room), b);
      return success();
    }
    Value result = subtracts ? LLVM::SubOp::create(rewriter, loc, a, b).getResult()
                             : LLVM::AddOp::create(rewriter, loc, a, b).getResult();
    Value over = signedOverflow(rewriter, loc, subtracts, a, b, result);
    Value sign =
        LLVM::AShrOp::create(rewriter, loc, a, integerLike(rewriter, loc, op.getType(), APInt(width, width - 1)));
    Value limit = LLVM::XOrOp::create(rewriter, loc, sign,
                                      integerLike(rewriter, loc, op.getType(), APInt::getSignedMaxValue(width)));
    rewriter.replaceOpWithNewOp<LLVM::SelectOp>(op, over, limit, result);
    return success();
  }
};

template <typename Op, typename Plain, bool isSigned, bool subtracts> struct ExpandOverflow : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    Location loc = op->getLoc();
    Value a = op->getOperand(0), b = op->getOperand(1);
    constexpr bool multiplies = std::is_same_v<Plain, LLVM::MulOp>;
    const unsigned width = widthOf(a.getType());
    if (multiplies && (width > 32 || isa<VectorType>(a.getType())))
      return failure();
    Value result = Plain::create(rewriter, loc, a, b), over;
    if (multiplies) {
      Type wide = rewriter.getIntegerType(2 * width);
      auto extend = [&](Value value) -> Value {
        return isSigned ? LLVM::SExtOp::create(rewriter, loc, wide, value).getResult()
                        : LLVM::ZExtOp::create(rewriter, loc, wide, value).getResult();
      };
      Value exact = LLVM::MulOp::create(rewriter, loc, extend(a), extend(b));
      over = compare(rewriter, loc, LLVM::ICmpPredicate::ne, exact, extend(result));
    } else if (isSigned) {
      over = signedOverflow(rewriter, loc, subtracts, a, b, result);
    } else {
      over = compare(rewriter, loc, LLVM::ICmpPredicate::ult, subtracts ? a : result, subtracts ? b : a);
    }
    Value both = LLVM::PoisonOp::create(rewriter, loc, op->getResult(0).getType());
    both = LLVM::InsertValueOp::create(rewriter, loc, both, result, ArrayRef<int64_t>{0});
    rewriter.replaceOp(op, LLVM::InsertValueOp::create(rewriter, loc, both, over, ArrayRef<int64_t>{1}).getResult());
    return success();
  }
};

/// Operations that only tell an optimiser something.
template <typename Op> struct TakeOperand : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, op->getOperand(0));
    return success();
  }
};

/// Integers of more than 64 bits only move through a kernel: as vectors of words, which selection knows.
VectorType wordsOf(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  constexpr unsigned largest = 64, bits = 32;
  if (!integer || integer.getWidth() <= largest || integer.getWidth() % bits)
    return {};
  return VectorType::get(integer.getWidth() / bits, IntegerType::get(type.getContext(), bits));
}

template <typename Load> struct LoadWords : OpRewritePattern<Load> {
  using OpRewritePattern<Load>::OpRewritePattern;
  LogicalResult matchAndRewrite(Load op, PatternRewriter &rewriter) const override {
    const Type type = op->getResult(0).getType();
    const VectorType words = wordsOf(type);
    if (!words)
      return failure();
    rewriter.setInsertionPointAfter(op);
    rewriter.modifyOpInPlace(op, [&] { op->getResult(0).setType(words); });
    auto whole = LLVM::BitcastOp::create(rewriter, op.getLoc(), type, op->getResult(0));
    rewriter.replaceAllUsesExcept(op->getResult(0), whole, whole);
    return success();
  }
};

/// What is stored is the first operand.
template <typename Store> struct StoreWords : OpRewritePattern<Store> {
  using OpRewritePattern<Store>::OpRewritePattern;
  LogicalResult matchAndRewrite(Store op, PatternRewriter &rewriter) const override {
    const VectorType words = wordsOf(op->getOperand(0).getType());
    if (!words)
      return failure();
    Value value = LLVM::BitcastOp::create(rewriter, op.getLoc(), words, op->getOperand(0));
    rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, value); });
    return success();
  }
};

struct CastOnce : OpRewritePattern<LLVM::BitcastOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::BitcastOp op, PatternRewriter &rewriter) const override {
    auto first = op.getArg().getDefiningOp<LLVM::BitcastOp>();
    if (!first || !wordsOf(first.getType()))
      return failure();
    if (first.getArg().getType() == op.getType())
      rewriter.replaceOp(op, first.getArg());
    else
      rewriter.replaceOpWithNewOp<LLVM::BitcastOp>(op, op.getType(), first.getArg());
    return success();
  }
};

/// The device library's functions that the math dialect has an operation for.
struct DeviceCall : OpRewritePattern<LLVM::CallOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::CallOp op, PatternRewriter &rewriter) const override {
    std::optional<StringRef> callee = op.getCallee();
    if (!callee || op->getNumResults() != 1)
      return failure();
    // `__ocml_exp2_f32`, or `llvm.exp2.f32` where an intrinsic is called by name.
    StringRef name;
    if (callee->consume_front("__ocml_")) {
      callee->consume_front("native_");
      name = callee->rsplit('_').first;
    } else if (callee->consume_front("llvm.")) {
      name = callee->rsplit('.').first;
    } else {
      return failure();
    }
    StringRef operation =
        llvm::StringSwitch<StringRef>(name)
            .Case("fabs", "math.absf")
            .Case("rint", "math.roundeven")
            .Case("pow", "math.powf")
            .Cases({"acos", "acosh", "asin",  "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos",
                    "cosh", "erf",   "erfc",  "exp",   "exp2", "expm1", "floor", "fma",  "log",  "log10",    "log1p",
                    "log2", "round", "rsqrt", "sin",   "sinh", "sqrt",  "tan",   "tanh", "trunc"},
                   name)
            .Default("");
    std::string full = operation.starts_with("math.") ? operation.str() : ("math." + operation).str();
    if (operation.empty() || !RegisteredOperationName::lookup(full, op.getContext()))
      return failure();
    Operation *made =
        rewriter.create(op.getLoc(), rewriter.getStringAttr(full), op.getArgOperands(), op->getResultTypes());
    rewriter.replaceOp(op, made->getResults());
    return success();
  }
};

/// The device library's functions for sizes of the launch.
struct DeviceSize : OpRewritePattern<LLVM::CallOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::CallOp op, PatternRewriter &rewriter) const override {
    std::optional<StringRef> callee = op.getCallee();
    APInt dimension;
    if (!callee || op->getNumResults() != 1 || !op.getResult().getType().isInteger(64) ||
        op.getArgOperands().size() != 1 || !matchPattern(op.getArgOperands()[0], m_ConstantInt(&dimension)) ||
        dimension.ugt(2))
      return failure();
    std::string name = llvm::StringSwitch<std::string>(*callee)
                           .Case("__ockl_get_num_groups", "rocdl.grid.dim.")
                           .Case("__ockl_get_local_size", "rocdl.workgroup.dim.")
                           .Default("");
    if (name.empty())
      return failure();
    name += "xyz"[dimension.getZExtValue()];
    // The launch's sizes are 32-bit numbers.
    Operation *made = rewriter.create(op.getLoc(), rewriter.getStringAttr(name), {}, rewriter.getI32Type());
    rewriter.replaceOpWithNewOp<LLVM::ZExtOp>(op, rewriter.getI64Type(), made->getResult(0));
    return success();
  }
};

/// The instruction takes denormals for zero and isn't exact: the math dialect's expansion is.
struct PreciseRoot : OpRewritePattern<LLVM::SqrtOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::SqrtOp op, PatternRewriter &rewriter) const override {
    const Type type = op.getType(), element = getElementTypeOrSelf(type);
    if ((!element.isF32() && !element.isBF16()) || bitEnumContainsAny(op.getFastmathFlags(), LLVM::FastmathFlags::afn))
      return failure();
    const Location loc = op.getLoc();
    Type single = rewriter.getF32Type();
    if (auto vector = dyn_cast<VectorType>(type))
      single = vector.clone(single);
    Value x = op.getIn();
    if (type != single)
      x = LLVM::FPExtOp::create(rewriter, loc, single, x);
    x = math::SqrtOp::create(rewriter, loc, x);
    if (type != single)
      x = LLVM::FPTruncOp::create(rewriter, loc, type, x);
    rewriter.replaceOp(op, x);
    return success();
  }
};

/// Functions without an instruction, which the math dialect's expansions know. Those that are an instruction and a
/// product where they may be approximate (afn) stay so.
template <typename Intrinsic, typename Math> struct AsMath : OpRewritePattern<Intrinsic> {
  using OpRewritePattern<Intrinsic>::OpRewritePattern;
  LogicalResult matchAndRewrite(Intrinsic op, PatternRewriter &rewriter) const override {
    auto made = rewriter.replaceOpWithNewOp<Math>(op, op->getResultTypes(), op->getOperands());
    if constexpr (llvm::is_one_of<Math, math::ExpOp, math::LogOp, math::Log10Op>::value)
      if (bitEnumContainsAny(op.getFastmathFlags(), LLVM::FastmathFlags::afn))
        made.setFastmath(arith::FastMathFlags::afn);
    return success();
  }
};

/// Dot products of integers that saturate: the products of parts of 4 and 8 bits have a sum that fits, to which the
/// last operand is added; those of 16 bits are added in 64 bits.
struct ExpandSaturatingDot : OpRewritePattern<LLVM::CallIntrinsicOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::CallIntrinsicOp op, PatternRewriter &rewriter) const override {
    StringRef name = op.getIntrin();
    if (!name.consume_front("llvm.amdgcn.") || op.getArgs().size() != 4 || matchPattern(op.getArgs()[3], m_Zero()))
      return failure();
    const bool isSigned = name.consume_front("sdot");
    if (!isSigned && !name.consume_front("udot"))
      return failure();
    Location loc = op.getLoc();
    Value a = op.getArgs()[0], b = op.getArgs()[1], sum = op.getArgs()[2];
    Type word = rewriter.getI32Type();
    if (name == "4" || name == "8") {
      Value zero = LLVM::ConstantOp::create(rewriter, loc, word, 0);
      Value wraps = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI1Type(), 0);
      Value dot = LLVM::CallIntrinsicOp::create(rewriter, loc, word, op.getIntrinAttr(), ValueRange{a, b, zero, wraps})
                      .getResult(0);
      if (isSigned)
        rewriter.replaceOpWithNewOp<LLVM::SAddSat>(op, dot, sum);
      else
        rewriter.replaceOpWithNewOp<LLVM::UAddSat>(op, dot, sum);
      return success();
    }
    if (name != "2")
      return failure();
    Type wide = rewriter.getI64Type();
    auto extended = [&](Value value) -> Value {
      if (isSigned)
        return LLVM::SExtOp::create(rewriter, loc, wide, value);
      return LLVM::ZExtOp::create(rewriter, loc, wide, value);
    };
    Value total = extended(sum);
    for (unsigned half = 0; half < 2; ++half) {
      Value place = LLVM::ConstantOp::create(rewriter, loc, word, half);
      Value x = LLVM::ExtractElementOp::create(rewriter, loc, a, place);
      Value y = LLVM::ExtractElementOp::create(rewriter, loc, b, place);
      Value product = LLVM::MulOp::create(rewriter, loc, extended(x), extended(y));
      total = LLVM::AddOp::create(rewriter, loc, total, product);
    }
    auto constant = [&](int64_t value) {
      return LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64IntegerAttr(value)).getResult();
    };
    if (isSigned) {
      total = LLVM::SMinOp::create(rewriter, loc, total, constant(INT32_MAX));
      total = LLVM::SMaxOp::create(rewriter, loc, total, constant(INT32_MIN));
    } else {
      total = LLVM::UMinOp::create(rewriter, loc, total, constant(UINT32_MAX));
    }
    rewriter.replaceOpWithNewOp<LLVM::TruncOp>(op, word, total);
    return success();
  }
};

/// The same where f64 has no instruction.
template <typename Intrinsic, typename Math> struct DoubleAsMath : OpRewritePattern<Intrinsic> {
  using OpRewritePattern<Intrinsic>::OpRewritePattern;
  LogicalResult matchAndRewrite(Intrinsic op, PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getType()).isF64())
      return failure();
    rewriter.replaceOpWithNewOp<Math>(op, op->getResultTypes(), op->getOperands());
    return success();
  }
};

/// Intrinsics by name that the ROCDL dialect has an operation for, without immediates.
struct NamedIntrinsic : OpRewritePattern<LLVM::CallIntrinsicOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::CallIntrinsicOp op, PatternRewriter &rewriter) const override {
    StringRef name = op.getIntrin();
    if (!name.consume_front("llvm.amdgcn."))
      return failure();
    StringRef operation = llvm::StringSwitch<StringRef>(name)
                              .Cases({"workitem.id.x", "workitem.id.y", "workitem.id.z", "workgroup.id.x",
                                      "workgroup.id.y", "workgroup.id.z", "s.barrier", "mbcnt.lo", "mbcnt.hi"},
                                     name)
                              .Case("ds.bpermute", "ds_bpermute")
                              .Case("ds.swizzle", "ds_swizzle")
                              .StartsWith("readfirstlane", "readfirstlane")
                              .StartsWith("readlane", "readlane")
                              .StartsWith("rcp.", "rcp")
                              .StartsWith("exp2.", "exp2")
                              .StartsWith("log.", "log")
                              .StartsWith("sqrt.", "sqrt")
                              .StartsWith("fmed3.", "fmed3")
                              .Default("");
    std::string full = ("rocdl." + operation).str();
    if (operation.empty() || !RegisteredOperationName::lookup(full, op.getContext()))
      return failure();
    Operation *made = rewriter.create(op.getLoc(), rewriter.getStringAttr(full), op.getArgs(), op->getResultTypes());
    rewriter.replaceOp(op, made->getResults());
    return success();
  }
};

/// A lane's bit: masks hold those of all lanes, and which one is asked for isn't known before.
template <typename Op> struct ReadBit : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    if (!op.getRes().getType().isInteger(1))
      return failure();
    const Location loc = op.getLoc();
    const Type word = rewriter.getI32Type();
    SmallVector<Value> operands(op->getOperands());
    operands.front() = LLVM::ZExtOp::create(rewriter, loc, word, operands.front());
    Value read = Op::create(rewriter, loc, word, operands);
    Value zero = LLVM::ConstantOp::create(rewriter, loc, word, 0);
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::ne, read, zero);
    return success();
  }
};

/// Scheduling and priority intrinsics by name, whose operands are immediates.
struct NamedImmediateIntrinsic : OpRewritePattern<LLVM::CallIntrinsicOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::CallIntrinsicOp op, PatternRewriter &rewriter) const override {
    SmallVector<int32_t> numbers;
    for (Value argument : op.getArgs()) {
      APInt value;
      if (!matchPattern(argument, m_ConstantInt(&value)) || value.getBitWidth() > 32)
        return failure();
      numbers.push_back(int32_t(value.getSExtValue()));
    }
    StringRef name = op.getIntrin();
    Location loc = op.getLoc();
    if (name == "llvm.amdgcn.sched.barrier" && numbers.size() == 1)
      ROCDL::SchedBarrier::create(rewriter, loc, numbers[0]);
    else if (name == "llvm.amdgcn.sched.group.barrier" && numbers.size() == 3)
      ROCDL::SchedGroupBarrier::create(rewriter, loc, numbers[0], numbers[1], numbers[2]);
    else if (name == "llvm.amdgcn.iglp.opt" && numbers.size() == 1)
      ROCDL::IglpOpt::create(rewriter, loc, numbers[0]);
    else if (name == "llvm.amdgcn.s.setprio" && numbers.size() == 1)
      ROCDL::SetPrioOp::create(rewriter, loc, int16_t(numbers[0]));
    else if (name == "llvm.amdgcn.s.sleep" && numbers.size() == 1)
      ROCDL::SSleepOp::create(rewriter, loc, numbers[0]);
    else if (name == "llvm.amdgcn.wave.barrier" && numbers.empty())
      ROCDL::SchedBarrier::create(rewriter, loc, 0); // nothing moves across
    else if (name == "llvm.amdgcn.s.waitcnt" && numbers.size() == 1)
      ROCDL::SWaitcntOp::create(rewriter, loc, numbers[0]);
    else
      return failure();
    rewriter.eraseOp(op);
    return success();
  }
};

/// Quiets signaling NaNs; denormals are kept.
struct ExpandCanonicalize : OpRewritePattern<LLVM::CallIntrinsicOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::CallIntrinsicOp op, PatternRewriter &rewriter) const override {
    if (!op.getIntrin().starts_with("llvm.canonicalize.") || op.getArgs().size() != 1)
      return failure();
    rewriter.replaceOpWithNewOp<LLVM::MaxNumOp>(op, op.getArgs()[0], op.getArgs()[0]);
    return success();
  }
};

/// -1, 0 or 1.
template <typename Op, LLVM::ICmpPredicate less, LLVM::ICmpPredicate more>
struct ExpandThreeWay : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    const Location loc = op.getLoc();
    const Value a = op->getOperand(0), b = op->getOperand(1);
    const Type type = op->getResult(0).getType();
    Value isMore = LLVM::ZExtOp::create(rewriter, loc, type, LLVM::ICmpOp::create(rewriter, loc, more, a, b));
    Value minusOne = integerLike(rewriter, loc, type, APInt::getAllOnes(widthOf(type)));
    rewriter.replaceOpWithNewOp<LLVM::SelectOp>(op, LLVM::ICmpOp::create(rewriter, loc, less, a, b), minusOne, isMore);
    return success();
  }
};

/// Mantissa and exponent have an instruction each.
struct ExpandFrexp : OpRewritePattern<LLVM::FractionExpOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LLVM::FractionExpOp op, PatternRewriter &rewriter) const override {
    auto both = cast<LLVM::LLVMStructType>(op.getType());
    const Location loc = op.getLoc();
    const Type element = getElementTypeOrSelf(both.getBody()[0]), exponent = getElementTypeOrSelf(both.getBody()[1]);
    if ((!element.isF32() && !element.isF64()) || !exponent.isInteger(32))
      return failure();
    const StringRef width = element.isF32() ? "f32" : "f64";
    auto part = [&](StringRef name, Type type, Value of) -> Value {
      const StringAttr intrinsic = rewriter.getStringAttr("llvm.amdgcn.frexp." + name + "." + width);
      return LLVM::CallIntrinsicOp::create(rewriter, loc, type, intrinsic, of).getResult(0);
    };
    Value of = op->getOperand(0), mantissas, exponents;
    if (auto vector = dyn_cast<VectorType>(of.getType())) {
      mantissas = LLVM::PoisonOp::create(rewriter, loc, both.getBody()[0]);
      exponents = LLVM::PoisonOp::create(rewriter, loc, both.getBody()[1]);
      for (int64_t i = 0; i < vector.getNumElements(); ++i) {
        Value at = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(int32_t(i)));
        Value one = LLVM::ExtractElementOp::create(rewriter, loc, of, at);
        mantissas = LLVM::InsertElementOp::create(rewriter, loc, mantissas, part("mant", element, one), at);
        exponents = LLVM::InsertElementOp::create(rewriter, loc, exponents, part("exp.i32", exponent, one), at);
      }
    } else {
      mantissas = part("mant", element, of);
      exponents = part("exp.i32", exponent, of);
    }
    Value made = LLVM::PoisonOp::create(rewriter, loc, both);
    made = LLVM::InsertValueOp::create(rewriter, loc, made, mantissas, ArrayRef<int64_t>{0});
    made = LLVM::InsertValueOp::create(rewriter, loc, made, exponents, ArrayRef<int64_t>{1});
    rewriter.replaceOp(op, made);
    return success();
  }
};

/// Asks for other instructions between matrix instructions, which is how the scheduler orders them without it.
struct DropInterleaving : OpRewritePattern<ROCDL::IglpOpt> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ROCDL::IglpOpt op, PatternRewriter &rewriter) const override {
    rewriter.eraseOp(op);
    return success();
  }
};

/// A reduction of a vector within a lane, element by element in order.
template <typename Reduce, typename Plain> struct ExpandVectorReduction : OpRewritePattern<Reduce> {
  using OpRewritePattern<Reduce>::OpRewritePattern;
  LogicalResult matchAndRewrite(Reduce op, PatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value vector = op->getOperands().back();
    auto type = dyn_cast<VectorType>(vector.getType());
    if (!type || type.isScalable())
      return failure();
    Value result = op->getNumOperands() > 1 ? op->getOperand(0) : Value();
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      Value at = LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(int32_t(i)));
      Value element = LLVM::ExtractElementOp::create(rewriter, loc, vector, at);
      result = result ? Plain::create(rewriter, loc, result, element).getResult() : element;
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};

void populateVectorReductions(RewritePatternSet &patterns) {
  patterns.add<ExpandVectorReduction<LLVM::vector_reduce_add, LLVM::AddOp>,
               ExpandVectorReduction<LLVM::vector_reduce_mul, LLVM::MulOp>,
               ExpandVectorReduction<LLVM::vector_reduce_and, LLVM::AndOp>,
               ExpandVectorReduction<LLVM::vector_reduce_or, LLVM::OrOp>,
               ExpandVectorReduction<LLVM::vector_reduce_xor, LLVM::XOrOp>,
               ExpandVectorReduction<LLVM::vector_reduce_smax, LLVM::SMaxOp>,
               ExpandVectorReduction<LLVM::vector_reduce_smin, LLVM::SMinOp>,
               ExpandVectorReduction<LLVM::vector_reduce_umax, LLVM::UMaxOp>,
               ExpandVectorReduction<LLVM::vector_reduce_umin, LLVM::UMinOp>,
               ExpandVectorReduction<LLVM::vector_reduce_fadd, LLVM::FAddOp>,
               ExpandVectorReduction<LLVM::vector_reduce_fmul, LLVM::FMulOp>,
               ExpandVectorReduction<LLVM::vector_reduce_fmax, LLVM::MaxNumOp>,
               ExpandVectorReduction<LLVM::vector_reduce_fmin, LLVM::MinNumOp>,
               ExpandVectorReduction<LLVM::vector_reduce_fmaximum, LLVM::MaximumOp>,
               ExpandVectorReduction<LLVM::vector_reduce_fminimum, LLVM::MinimumOp>>(patterns.getContext());
}
} // namespace

std::unique_ptr<Pass> createExpandIntrinsicsPass() {
  return makePatternPass("inflight-expand-intrinsics", [](RewritePatternSet &patterns) {
    patterns.add<ExpandByteSwap, ExpandFunnelShift<LLVM::FshlOp, true>, ExpandFunnelShift<LLVM::FshrOp, false>,
                 ExpandSaturating<LLVM::SAddSat, true, false>, ExpandSaturating<LLVM::UAddSat, false, false>,
                 ExpandSaturating<LLVM::SSubSat, true, true>, ExpandSaturating<LLVM::USubSat, false, true>,
                 ExpandOverflow<LLVM::SAddWithOverflowOp, LLVM::AddOp, true, false>,
                 ExpandOverflow<LLVM::UAddWithOverflowOp, LLVM::AddOp, false, false>,
                 ExpandOverflow<LLVM::SSubWithOverflowOp, LLVM::SubOp, true, true>,
                 ExpandOverflow<LLVM::USubWithOverflowOp, LLVM::SubOp, false, true>,
                 ExpandOverflow<LLVM::SMulWithOverflowOp, LLVM::MulOp, true, false>,
                 ExpandOverflow<LLVM::UMulWithOverflowOp, LLVM::MulOp, false, false>, TakeOperand<LLVM::FreezeOp>,
                 TakeOperand<LLVM::ExpectOp>, DeviceCall, DeviceSize, ExpandSaturatingDot, NamedIntrinsic,
                 ReadBit<ROCDL::ReadfirstlaneOp>, ReadBit<ROCDL::ReadlaneOp>, NamedImmediateIntrinsic,
                 ExpandThreeWay<LLVM::SCmpOp, LLVM::ICmpPredicate::slt, LLVM::ICmpPredicate::sgt>,
                 ExpandThreeWay<LLVM::UCmpOp, LLVM::ICmpPredicate::ult, LLVM::ICmpPredicate::ugt>, ExpandCanonicalize,
                 ExpandFrexp, DropInterleaving, PreciseRoot>(patterns.getContext());
    patterns.add<
        AsMath<LLVM::ExpOp, math::ExpOp>, AsMath<LLVM::LogOp, math::LogOp>, AsMath<LLVM::Log10Op, math::Log10Op>,
        AsMath<LLVM::PowOp, math::PowFOp>, AsMath<LLVM::RoundOp, math::RoundOp>, AsMath<LLVM::TanhOp, math::TanhOp>,
        AsMath<LLVM::SinhOp, math::SinhOp>, AsMath<LLVM::CoshOp, math::CoshOp>, AsMath<LLVM::TanOp, math::TanOp>,
        AsMath<LLVM::ASinOp, math::AsinOp>, AsMath<LLVM::ACosOp, math::AcosOp>, AsMath<LLVM::ATanOp, math::AtanOp>,
        AsMath<LLVM::ATan2Op, math::Atan2Op>, AsMath<LLVM::FRemOp, arith::RemFOp>,
        DoubleAsMath<LLVM::SinOp, math::SinOp>, DoubleAsMath<LLVM::CosOp, math::CosOp>,
        DoubleAsMath<LLVM::Exp2Op, math::Exp2Op>, DoubleAsMath<LLVM::Log2Op, math::Log2Op>>(patterns.getContext());
    patterns.add<LoadWords<LLVM::LoadOp>, LoadWords<ROCDL::RawPtrBufferLoadOp>, StoreWords<LLVM::StoreOp>,
                 StoreWords<ROCDL::RawPtrBufferStoreOp>, CastOnce>(patterns.getContext());
    populateVectorReductions(patterns);
    populateNegatedComparisons(patterns);
  });
}

} // namespace inflight
