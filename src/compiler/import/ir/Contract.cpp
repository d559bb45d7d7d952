// Products and the sums that they go into become fused multiply-adds where both allow it (`contract`): compilers leave
// that to LLVM's code generator.
#include "compiler/import/ir/LlvmIr.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace inflight::import {

namespace {
/// Fused elsewhere, or of a product that is wanted by itself, it would save nothing.
bool isProductFor(const Instruction &sum, const Value *operand) {
  const auto *product = dyn_cast<BinaryOperator>(operand);
  return product && product->getOpcode() == Instruction::FMul && product->hasAllowContract() && product->hasOneUse() &&
         product->getParent() == sum.getParent();
}

void contractSum(BinaryOperator &sum) {
  const unsigned at = isProductFor(sum, sum.getOperand(0)) ? 0 : 1;
  if (!isProductFor(sum, sum.getOperand(at)))
    return;
  auto *product = cast<BinaryOperator>(sum.getOperand(at));
  Value *left = product->getOperand(0), *right = product->getOperand(1), *addend = sum.getOperand(1 - at);
  IRBuilder<> builder(&sum);
  builder.setFastMathFlags(sum.getFastMathFlags() & product->getFastMathFlags());
  if (sum.getOpcode() == Instruction::FSub) {
    // A constant is the right operand, and its sign costs nothing.
    Value *&negated = at == 0 ? addend : right;
    negated = builder.CreateFNeg(negated);
  }
  Value *fused = builder.CreateIntrinsic(Intrinsic::fmuladd, {sum.getType()}, {left, right, addend});
  fused->takeName(&sum);
  sum.replaceAllUsesWith(fused);
  sum.eraseFromParent();
  product->eraseFromParent();
}
} // namespace

void contractSums(Module &module) {
  SmallVector<BinaryOperator *> sums;
  for (Function &function : module)
    for (Instruction &inst : instructions(function))
      if ((inst.getOpcode() == Instruction::FAdd || inst.getOpcode() == Instruction::FSub) && inst.hasAllowContract() &&
          !inst.getType()->getScalarType()->isBFloatTy()) // has no such instruction
        sums.push_back(cast<BinaryOperator>(&inst));
  for (BinaryOperator *sum : sums)
    contractSum(*sum);
}

} // namespace inflight::import
