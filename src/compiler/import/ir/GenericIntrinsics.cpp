// Intrinsics of all targets that are other instructions, or nothing, before MLIR sees them.
#include "compiler/import/ir/LlvmIr.h"

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
    default: return;
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
