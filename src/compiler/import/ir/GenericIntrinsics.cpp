// Intrinsics of all targets that are other instructions, or nothing, before MLIR sees them.
#include "compiler/import/ir/LlvmIr.h"

#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace inflight::import {

namespace {
class Expansion {
public:
  explicit Expansion(IntrinsicInst &call) : call(call), builder(&call) {}

  void run() {
    Value *value = nullptr;
    switch (call.getIntrinsicID()) {
    case Intrinsic::donothing:
    case Intrinsic::sideeffect:
    case Intrinsic::invariant_end:
    case Intrinsic::pseudoprobe:
    case Intrinsic::var_annotation:
    case Intrinsic::fake_use:
    case Intrinsic::prefetch: break;
    case Intrinsic::invariant_start: value = PoisonValue::get(call.getType()); break; // for its end alone
    case Intrinsic::arithmetic_fence:
    case Intrinsic::expect_with_probability:
    case Intrinsic::launder_invariant_group:
    case Intrinsic::strip_invariant_group:
    case Intrinsic::annotation:
    case Intrinsic::preserve_static_offset:
    case Intrinsic::ssa_copy:
    case Intrinsic::ptr_annotation: value = call.getArgOperand(0); break;
    case Intrinsic::ubsantrap: builder.CreateIntrinsic(Intrinsic::trap, {}); break;
    case Intrinsic::is_constant: value = builder.getInt1(isa<Constant>(call.getArgOperand(0))); break;
    case Intrinsic::objectsize: // isn't known
      value = ConstantInt::get(call.getType(), cast<ConstantInt>(call.getArgOperand(1))->isOne() ? 0 : -1, true);
      break;
    case Intrinsic::ptrmask:
      value = builder.CreatePtrToInt(call.getArgOperand(0), call.getArgOperand(1)->getType());
      value = builder.CreateIntToPtr(builder.CreateAnd(value, call.getArgOperand(1)), call.getType());
      break;
    case Intrinsic::lrint:
    case Intrinsic::llrint: value = rounded(Intrinsic::rint); break;
    case Intrinsic::lround:
    case Intrinsic::llround: value = rounded(Intrinsic::round); break;
    case Intrinsic::fptosi_sat: value = saturated(true); break;
    case Intrinsic::fptoui_sat: value = saturated(false); break;
    case Intrinsic::maximumnum: value = ofNumbers(Intrinsic::maxnum); break;
    case Intrinsic::minimumnum: value = ofNumbers(Intrinsic::minnum); break;
    case Intrinsic::convert_to_fp16:
      value = builder.CreateBitCast(builder.CreateFPTrunc(call.getArgOperand(0), builder.getHalfTy()), call.getType());
      break;
    case Intrinsic::convert_from_fp16:
      value = builder.CreateFPExt(builder.CreateBitCast(call.getArgOperand(0), builder.getHalfTy()), call.getType());
      break;
    case Intrinsic::modf: value = integerAndFraction(); break;
    case Intrinsic::sincos: value = pair(unary(Intrinsic::sin), unary(Intrinsic::cos)); break;
    case Intrinsic::smul_with_overflow:
    case Intrinsic::umul_with_overflow:
      value = widelyMultiplied(call.getIntrinsicID() == Intrinsic::smul_with_overflow);
      if (!value)
        return;
      break;
    case Intrinsic::powi:
      value = wholePower();
      if (!value)
        return;
      break;
    case Intrinsic::exp10: value = powerOfTen(); break;
    case Intrinsic::sshl_sat: value = saturatedShift(true); break;
    case Intrinsic::ushl_sat: value = saturatedShift(false); break;
    case Intrinsic::load_relative: value = relative(); break;
    case Intrinsic::experimental_cttz_elts: value = firstSet(); break;
    case Intrinsic::stepvector: value = builder.CreateStepVector(call.getType()); break;
    default:
      value = shuffled();
      if (!value)
        return;
    }
    if (value)
      call.replaceAllUsesWith(value);
    call.eraseFromParent();
  }

private:
  Value *rounded(Intrinsic::ID how) {
    return builder.CreateFPToSI(builder.CreateUnaryIntrinsic(how, call.getArgOperand(0)), call.getType());
  }

  /// Of a signaling NaN the number, too: the instructions give a quiet NaN there.
  Value *ofNumbers(Intrinsic::ID how) {
    Value *a = builder.CreateUnaryIntrinsic(Intrinsic::canonicalize, call.getArgOperand(0));
    Value *b = builder.CreateUnaryIntrinsic(Intrinsic::canonicalize, call.getArgOperand(1));
    return builder.CreateBinaryIntrinsic(how, a, b);
  }

  /// What is out of range is the next integer, and NaN zero: chosen instead of a conversion that isn't defined there.
  Value *saturated(bool isSigned) {
    Value *from = call.getArgOperand(0);
    Type *type = call.getType();
    const unsigned bits = type->getScalarSizeInBits();
    const fltSemantics &format = from->getType()->getScalarType()->getFltSemantics();
    const APInt least = isSigned ? APInt::getSignedMinValue(bits) : APInt::getZero(bits);
    const APInt most = isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits);
    auto bound = [&](const APInt &integer) {
      APFloat value(format);
      value.convertFromAPInt(integer, isSigned, APFloat::rmTowardZero);
      return ConstantFP::get(from->getType(), value);
    };
    Value *result = isSigned ? builder.CreateFPToSI(from, type) : builder.CreateFPToUI(from, type);
    // Towards zero: what is greater than the bound as a float is too large as an integer, or the bound itself.
    result = builder.CreateSelect(builder.CreateFCmpOLT(from, bound(least)), ConstantInt::get(type, least), result);
    result = builder.CreateSelect(builder.CreateFCmpOGT(from, bound(most)), ConstantInt::get(type, most), result);
    return builder.CreateSelect(builder.CreateFCmpUNO(from, from), Constant::getNullValue(type), result);
  }

  Value *unary(Intrinsic::ID function) {
    auto *fast = dyn_cast<FPMathOperator>(&call);
    return builder.CreateUnaryIntrinsic(function, call.getArgOperand(0), fast ? fast->getFastMathFlags() : FMFSource());
  }

  Value *pair(Value *first, Value *second) {
    Value *value = builder.CreateInsertValue(PoisonValue::get(call.getType()), first, 0);
    return builder.CreateInsertValue(value, second, 1);
  }

  /// Of pairs of words: the product in twice the bits, and whether what is above says more. Null for others, which are
  /// selected.
  Value *widelyMultiplied(bool isSigned) {
    Type *type = call.getArgOperand(0)->getType();
    constexpr unsigned bits = 64;
    if (!type->isIntegerTy(bits))
      return nullptr;
    Type *wide = builder.getInt128Ty();
    auto extend = [&](Value *value) {
      return isSigned ? builder.CreateSExt(value, wide) : builder.CreateZExt(value, wide);
    };
    Value *product = builder.CreateMul(extend(call.getArgOperand(0)), extend(call.getArgOperand(1)));
    Value *low = builder.CreateTrunc(product, type),
          *high = builder.CreateTrunc(builder.CreateLShr(product, bits), type);
    Value *expected = isSigned ? builder.CreateAShr(low, bits - 1) : Constant::getNullValue(type);
    return pair(low, builder.CreateICmpNE(high, expected));
  }

  /// Both with the number's sign; an infinity has no fraction.
  Value *integerAndFraction() {
    Value *number = call.getArgOperand(0);
    Value *integer = builder.CreateUnaryIntrinsic(Intrinsic::trunc, number);
    Value *isInfinite =
        builder.CreateIntrinsic(Intrinsic::is_fpclass, {number->getType()}, {number, builder.getInt32(fcInf)});
    Value *fraction =
        builder.CreateSelect(isInfinite, ConstantFP::getZero(number->getType()), builder.CreateFSub(number, integer));
    return pair(builder.CreateBinaryIntrinsic(Intrinsic::copysign, fraction, number), integer);
  }

  /// By squares, in the order of LLVM's code generator, which knows no other exponents than constants either. Null for
  /// those.
  Value *wholePower() {
    auto *exponent = dyn_cast<ConstantInt>(call.getArgOperand(1));
    if (!exponent)
      return nullptr;
    builder.setFastMathFlags(call.getFastMathFlags());
    Value *square = call.getArgOperand(0), *power = nullptr;
    for (APInt left = exponent->getValue().abs(); !left.isZero(); left.lshrInPlace(1)) {
      if (left[0])
        power = power ? builder.CreateFMul(power, square) : square;
      if (left.ugt(1))
        square = builder.CreateFMul(square, square);
    }
    Value *one = ConstantFP::get(call.getType(), 1);
    if (!power)
      return one;
    return exponent->isNegative() ? builder.CreateFDiv(one, power) : power;
  }

  Value *powerOfTen() {
    constexpr double log2Of10 = 0x1.a934f0979a371p+1;
    Value *exponent = call.getArgOperand(0);
    Type *type = call.getType();
    const FastMathFlags flags = call.getFastMathFlags();
    builder.setFastMathFlags(flags);
    if (flags.approxFunc())
      return builder.CreateUnaryIntrinsic(Intrinsic::exp2,
                                          builder.CreateFMul(exponent, ConstantFP::get(type, log2Of10)));
    constexpr double ten = 10;
    return builder.CreateBinaryIntrinsic(Intrinsic::pow, ConstantFP::get(type, ten), exponent);
  }

  /// What doesn't come back by the opposite shift was too large.
  Value *saturatedShift(bool isSigned) {
    Value *number = call.getArgOperand(0), *amount = call.getArgOperand(1);
    Type *type = call.getType();
    const unsigned bits = type->getScalarSizeInBits();
    Value *shifted = builder.CreateShl(number, amount);
    Value *back = isSigned ? builder.CreateAShr(shifted, amount) : builder.CreateLShr(shifted, amount);
    Value *most = ConstantInt::get(type, isSigned ? APInt::getSignedMaxValue(bits) : APInt::getMaxValue(bits));
    if (isSigned)
      most = builder.CreateSelect(builder.CreateICmpSLT(number, Constant::getNullValue(type)),
                                  ConstantInt::get(type, APInt::getSignedMinValue(bits)), most);
    return builder.CreateSelect(builder.CreateICmpEQ(back, number), shifted, most);
  }

  /// A pointer and the distance that lies behind it.
  Value *relative() {
    Value *base = call.getArgOperand(0);
    Value *at = builder.CreatePtrAdd(base, call.getArgOperand(1));
    return builder.CreatePtrAdd(base, builder.CreateAlignedLoad(builder.getInt32Ty(), at, Align(4)));
  }

  /// The place of the first element that isn't zero; behind the last one if all are.
  Value *firstSet() {
    Value *vector = call.getArgOperand(0);
    const unsigned count = elements(vector->getType());
    Value *place = ConstantInt::get(call.getType(), count);
    for (unsigned i = count; i-- > 0;) {
      Value *isSet = builder.CreateIsNotNull(builder.CreateExtractElement(vector, i));
      place = builder.CreateSelect(isSet, ConstantInt::get(call.getType(), i), place);
    }
    return place;
  }

  static unsigned elements(Type *type) { return cast<FixedVectorType>(type)->getNumElements(); }

  /// What only changes the places of elements of vectors; null for other intrinsics.
  Value *shuffled() {
    Value *first = call.arg_size() ? call.getArgOperand(0) : nullptr;
    switch (call.getIntrinsicID()) {
    case Intrinsic::vector_reverse: {
      SmallVector<int> places(elements(first->getType()));
      for (auto [i, place] : enumerate(places))
        place = int(places.size() - 1 - i);
      return builder.CreateShuffleVector(first, places);
    }
    case Intrinsic::vector_extract:
      return builder.CreateShuffleVector(first, createSequentialMask(constantOf(1), elements(call.getType()), 0));
    case Intrinsic::vector_insert: return inserted(first, call.getArgOperand(1), constantOf(2));
    case Intrinsic::vector_interleave2:
    case Intrinsic::vector_interleave3:
    case Intrinsic::vector_interleave4:
    case Intrinsic::vector_interleave5:
    case Intrinsic::vector_interleave6:
    case Intrinsic::vector_interleave7:
    case Intrinsic::vector_interleave8: {
      const SmallVector<Value *> parts(call.args());
      return builder.CreateShuffleVector(concatenateVectors(builder, parts),
                                         createInterleaveMask(elements(first->getType()), parts.size()));
    }
    case Intrinsic::vector_deinterleave2:
    case Intrinsic::vector_deinterleave3:
    case Intrinsic::vector_deinterleave4:
    case Intrinsic::vector_deinterleave5:
    case Intrinsic::vector_deinterleave6:
    case Intrinsic::vector_deinterleave7:
    case Intrinsic::vector_deinterleave8: {
      Value *parts = PoisonValue::get(call.getType());
      const unsigned count = cast<StructType>(call.getType())->getNumElements();
      for (unsigned i = 0; i < count; ++i)
        parts = builder.CreateInsertValue(
            parts, builder.CreateShuffleVector(first, createStrideMask(i, count, elements(first->getType()) / count)),
            i);
      return parts;
    }
    default: return nullptr;
    }
  }

  unsigned constantOf(unsigned index) const { return cast<ConstantInt>(call.getArgOperand(index))->getZExtValue(); }

  Value *inserted(Value *whole, Value *part, unsigned begin) {
    const unsigned count = elements(whole->getType()), taken = elements(part->getType());
    Value *widened = builder.CreateShuffleVector(part, createSequentialMask(0, taken, count - taken));
    SmallVector<int> places(count);
    for (auto [i, place] : enumerate(places))
      place = int(i >= begin && i < begin + taken ? count + i - begin : i);
    return builder.CreateShuffleVector(whole, widened, places);
  }

  IntrinsicInst &call;
  IRBuilder<> builder;
};
} // namespace

void expandGenericIntrinsics(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst))
        Expansion(*call).run();
}

} // namespace inflight::import
