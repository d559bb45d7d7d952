// Intrinsics of the target that are other instructions or intrinsics, before MLIR sees them.
#include "compiler/import/ir/LlvmIr.h"

#include "llvm/ADT/FloatingPointMode.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace inflight::import {

namespace {
/// The instructions and LLVM number the classes of floats alike. Of classes that aren't constant each is asked for.
Value *ofClasses(IRBuilder<> &builder, Value *value, Value *classes) {
  constexpr unsigned all = fcAllFlags;
  auto isOf = [&](unsigned which) {
    return builder.CreateIntrinsic(Intrinsic::is_fpclass, {value->getType()}, {value, builder.getInt32(which)});
  };
  if (auto *constant = dyn_cast<ConstantInt>(classes))
    return isOf(constant->getZExtValue() & all);
  Value *result = builder.getFalse();
  for (unsigned one = 1; one <= all; one <<= 1) {
    Value *isAsked = builder.CreateICmpNE(builder.CreateAnd(classes, one), builder.getInt32(0));
    result = builder.CreateOr(result, builder.CreateAnd(isAsked, isOf(one)));
  }
  return result;
}

/// Instead of an infinity the greatest number, and that instead of a NaN. Chips of today have no instruction for it.
Value *clampedInverseRoot(IRBuilder<> &builder, Value *value) {
  Type *type = value->getType();
  auto bound = [&](bool isNegative) {
    return ConstantFP::get(type, APFloat::getLargest(type->getFltSemantics(), isNegative));
  };
  Value *root = builder.CreateUnaryIntrinsic(Intrinsic::amdgcn_rsq, value);
  root = builder.CreateBinaryIntrinsic(Intrinsic::minnum, root, bound(false));
  return builder.CreateBinaryIntrinsic(Intrinsic::maxnum, root, bound(true));
}

Value *expansionOf(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> args(call.args());
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_class: return ofClasses(builder, args[0], args[1]);
  case Intrinsic::amdgcn_rsq_clamp: return clampedInverseRoot(builder, args[0]);
  case Intrinsic::amdgcn_addrspacecast_nonnull: return builder.CreateAddrSpaceCast(args[0], call.getType());
  case Intrinsic::amdgcn_mov_dpp: // lanes that get nothing may have anything
    args.insert(args.begin(), PoisonValue::get(call.getType()));
    return builder.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, {call.getType()}, args);
  default: return nullptr;
  }
}
} // namespace

void expandTargetIntrinsics(Module &module) {
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst))
        if (Value *value = expansionOf(*call)) {
          call->replaceAllUsesWith(value);
          call->eraseFromParent();
        }
}

} // namespace inflight::import
