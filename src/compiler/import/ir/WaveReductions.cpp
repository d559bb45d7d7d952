// llvm.amdgcn.wave.reduce.*: a loop over the lanes that are active.
#include "compiler/import/ir/LlvmIr.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace inflight::import {

namespace {
bool isOfFloats(Intrinsic::ID id) {
  return is_contained({Intrinsic::amdgcn_wave_reduce_fadd, Intrinsic::amdgcn_wave_reduce_fsub,
                       Intrinsic::amdgcn_wave_reduce_fmax, Intrinsic::amdgcn_wave_reduce_fmin},
                      id);
}

/// What leaves every number as it is; null for what is no reduction, or one of other numbers: LLVM takes any type.
Constant *neutral(Intrinsic::ID id, Type *type) {
  if (isOfFloats(id) ? !type->isFPOrFPVectorTy() : !type->isIntOrIntVectorTy())
    return nullptr;
  const unsigned bits = type->getScalarSizeInBits();
  auto integer = [&](const APInt &value) { return ConstantInt::get(type, value); };
  switch (id) {
  case Intrinsic::amdgcn_wave_reduce_add:
  case Intrinsic::amdgcn_wave_reduce_sub:
  case Intrinsic::amdgcn_wave_reduce_or:
  case Intrinsic::amdgcn_wave_reduce_xor:
  case Intrinsic::amdgcn_wave_reduce_umax: return integer(APInt::getZero(bits));
  case Intrinsic::amdgcn_wave_reduce_and:
  case Intrinsic::amdgcn_wave_reduce_umin: return integer(APInt::getAllOnes(bits));
  case Intrinsic::amdgcn_wave_reduce_max: return integer(APInt::getSignedMinValue(bits));
  case Intrinsic::amdgcn_wave_reduce_min: return integer(APInt::getSignedMaxValue(bits));
  case Intrinsic::amdgcn_wave_reduce_fadd: return ConstantFP::getNegativeZero(type);
  case Intrinsic::amdgcn_wave_reduce_fsub: return ConstantFP::getZero(type);
  case Intrinsic::amdgcn_wave_reduce_fmax:
  case Intrinsic::amdgcn_wave_reduce_fmin: return ConstantFP::getQNaN(type);
  default: return nullptr;
  }
}

Value *join(IRBuilder<> &builder, Intrinsic::ID id, Value *a, Value *b) {
  switch (id) {
  case Intrinsic::amdgcn_wave_reduce_add: return builder.CreateAdd(a, b);
  case Intrinsic::amdgcn_wave_reduce_sub: return builder.CreateSub(a, b);
  case Intrinsic::amdgcn_wave_reduce_or: return builder.CreateOr(a, b);
  case Intrinsic::amdgcn_wave_reduce_xor: return builder.CreateXor(a, b);
  case Intrinsic::amdgcn_wave_reduce_and: return builder.CreateAnd(a, b);
  case Intrinsic::amdgcn_wave_reduce_umax: return builder.CreateBinaryIntrinsic(Intrinsic::umax, a, b);
  case Intrinsic::amdgcn_wave_reduce_umin: return builder.CreateBinaryIntrinsic(Intrinsic::umin, a, b);
  case Intrinsic::amdgcn_wave_reduce_max: return builder.CreateBinaryIntrinsic(Intrinsic::smax, a, b);
  case Intrinsic::amdgcn_wave_reduce_fadd: return builder.CreateFAdd(a, b);
  case Intrinsic::amdgcn_wave_reduce_fsub: return builder.CreateFSub(a, b);
  case Intrinsic::amdgcn_wave_reduce_fmax: return builder.CreateBinaryIntrinsic(Intrinsic::maxnum, a, b);
  case Intrinsic::amdgcn_wave_reduce_fmin: return builder.CreateBinaryIntrinsic(Intrinsic::minnum, a, b);
  default: return builder.CreateBinaryIntrinsic(Intrinsic::smin, a, b);
  }
}

/// One lane after the other, the lowest first.
void expand(IntrinsicInst &call) {
  const Intrinsic::ID id = call.getIntrinsicID();
  Value *value = call.getArgOperand(0);
  Type *type = call.getType();
  BasicBlock *before = call.getParent();
  BasicBlock *after = before->splitBasicBlock(&call);
  auto *loop = BasicBlock::Create(call.getContext(), "", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, loop);
  IRBuilder<> builder(before->getTerminator());
  builder.SetCurrentDebugLocation(call.getDebugLoc());
  Value *active = builder.CreateIntrinsic(Intrinsic::amdgcn_ballot, {builder.getInt64Ty()}, {builder.getTrue()});
  builder.SetInsertPoint(loop);
  PHINode *lanes = builder.CreatePHI(builder.getInt64Ty(), 2), *sum = builder.CreatePHI(type, 2);
  Value *lane = builder.CreateBinaryIntrinsic(Intrinsic::cttz, lanes, builder.getTrue());
  Value *one = builder.CreateIntrinsic(Intrinsic::amdgcn_readlane, {type},
                                       {value, builder.CreateTrunc(lane, builder.getInt32Ty())});
  Value *joined = join(builder, id, sum, one);
  Value *left = builder.CreateAnd(lanes, builder.CreateSub(lanes, builder.getInt64(1)));
  builder.CreateCondBr(builder.CreateICmpNE(left, builder.getInt64(0)), loop, after);
  lanes->addIncoming(active, before);
  lanes->addIncoming(left, loop);
  sum->addIncoming(neutral(id, type), before);
  sum->addIncoming(joined, loop);
  call.replaceAllUsesWith(joined);
  call.eraseFromParent();
}
} // namespace

void expandWaveReductions(Module &module) {
  SmallVector<IntrinsicInst *> calls;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&inst); call && neutral(call->getIntrinsicID(), call->getType()))
        calls.push_back(call);
  for (IntrinsicInst *call : calls)
    expand(*call);
}

} // namespace inflight::import
