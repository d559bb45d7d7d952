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

/// Good to 2.5 units in the last place: large divisors are made smaller, as their reciprocals are denormal.
Value *fastQuotient(IRBuilder<> &builder, Value *numerator, Value *denominator) {
  Type *type = numerator->getType();
  Value *magnitude = builder.CreateUnaryIntrinsic(Intrinsic::fabs, denominator);
  Value *isLarge = builder.CreateFCmpOGT(magnitude, ConstantFP::get(type, 0x1p96));
  Value *scale = builder.CreateSelect(isLarge, ConstantFP::get(type, 0x1p-32), ConstantFP::get(type, 1));
  Value *reciprocal = builder.CreateUnaryIntrinsic(Intrinsic::amdgcn_rcp, builder.CreateFMul(denominator, scale));
  return builder.CreateFMul(scale, builder.CreateFMul(numerator, reciprocal));
}

/// Where the sizes of the launch lie in its packet and behind the pointer to hidden arguments (HSA Platform System
/// Architecture Specification, kernel dispatch packet; AMDGPUUsage, "Code Object V5 Kernel Argument Metadata").
enum : unsigned {
  PacketBlockSizes = 4, ///< 16 bits each
  PacketGridSizes = 12, ///< in lanes, 32 bits each
  HiddenBlockCounts = 0,
  HiddenBlockSizes = 12,
  HiddenRemainders = 18
};

/// A number of the launch's packet by hidden arguments; null if it isn't among those.
Value *numberOfPacket(LoadInst &load, uint64_t offset) {
  IRBuilder<> builder(&load);
  auto hidden = [&](unsigned at, unsigned bits) {
    Value *pointer = builder.CreateIntrinsic(Intrinsic::amdgcn_implicitarg_ptr, {});
    pointer = builder.CreateGEP(builder.getInt8Ty(), pointer, builder.getInt64(at));
    return builder.CreateAlignedLoad(builder.getIntNTy(bits), pointer, Align(bits / 8));
  };
  constexpr unsigned sides = 3, half = 2, word = 4;
  for (unsigned side = 0; side < sides; ++side) {
    if (offset == PacketBlockSizes + half * side && load.getType()->isIntegerTy(16))
      return hidden(HiddenBlockSizes + half * side, 16);
    if (offset != PacketGridSizes + word * side || !load.getType()->isIntegerTy(32))
      continue;
    auto wide = [&](unsigned at) { return builder.CreateZExt(hidden(at + half * side, 16), load.getType()); };
    Value *whole = builder.CreateMul(hidden(HiddenBlockCounts + word * side, 32), wide(HiddenBlockSizes));
    return builder.CreateAdd(whole, wide(HiddenRemainders));
  }
  return nullptr;
}

/// Loads of the launch's sizes; what else is done with the packet's address stays, and is refused.
void readPacket(Instruction &pointer, uint64_t offset) {
  for (User *user : make_early_inc_range(pointer.users())) {
    auto *inst = cast<Instruction>(user);
    if (auto *load = dyn_cast<LoadInst>(inst); load && load->isSimple()) {
      if (Value *number = numberOfPacket(*load, offset)) {
        load->replaceAllUsesWith(number);
        load->eraseFromParent();
      }
      continue;
    }
    APInt more(64, 0);
    auto *gep = dyn_cast<GetElementPtrInst>(inst);
    const bool isConstant = gep && gep->accumulateConstantOffset(gep->getDataLayout(), more);
    if (!isConstant && !isa<AddrSpaceCastInst>(inst))
      continue;
    readPacket(*inst, offset + more.getSExtValue());
    if (inst->use_empty())
      inst->eraseFromParent();
  }
}

Value *expansionOf(IntrinsicInst &call) {
  IRBuilder<> builder(&call);
  SmallVector<Value *> args(call.args());
  switch (call.getIntrinsicID()) {
  case Intrinsic::amdgcn_class: return ofClasses(builder, args[0], args[1]);
  case Intrinsic::amdgcn_rsq_clamp: return clampedInverseRoot(builder, args[0]);
  case Intrinsic::amdgcn_fdiv_fast: return fastQuotient(builder, args[0], args[1]);
  case Intrinsic::amdgcn_addrspacecast_nonnull: return builder.CreateAddrSpaceCast(args[0], call.getType());
  case Intrinsic::amdgcn_dispatch_ptr:
    readPacket(call, 0);
    return call.use_empty() ? PoisonValue::get(call.getType()) : nullptr;
  case Intrinsic::amdgcn_mov_dpp: // lanes that get nothing may have anything
    args.insert(args.begin(), PoisonValue::get(call.getType()));
    return builder.CreateIntrinsic(Intrinsic::amdgcn_update_dpp, {call.getType()}, args);
  default: return nullptr;
  }
}
} // namespace

void expandTargetIntrinsics(Module &module) {
  SmallVector<IntrinsicInst *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst))
        calls.push_back(call);
  for (IntrinsicInst *call : calls)
    if (Value *value = expansionOf(*call)) {
      call->replaceAllUsesWith(value);
      call->eraseFromParent();
    }
}

} // namespace inflight::import
