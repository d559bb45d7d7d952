#include "compiler/import/ir/WideArithmetic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace inflight::import {

void splitWideVector(Instruction &inst) {
  auto isOfWide = [](const Value *value) {
    return value->getType()->isVectorTy() && isWide(value->getType()->getScalarType());
  };
  const bool isArithmetic = isa<BinaryOperator>(inst) || (isa<CastInst>(inst) && !isa<BitCastInst>(inst));
  auto *type = dyn_cast<FixedVectorType>(inst.getType());
  if (!isArithmetic || !type || (!isOfWide(&inst) && none_of(inst.operand_values(), isOfWide)))
    return;
  IRBuilder<> builder(&inst);
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < type->getNumElements(); ++i) {
    SmallVector<Value *, 2> of;
    for (Value *operand : inst.operand_values())
      of.push_back(builder.CreateExtractElement(operand, i));
    Value *element = isa<BinaryOperator>(inst)
                         ? builder.CreateBinOp(Instruction::BinaryOps(inst.getOpcode()), of[0], of[1])
                         : builder.CreateCast(Instruction::CastOps(inst.getOpcode()), of[0], type->getElementType());
    result = builder.CreateInsertElement(result, element, i);
  }
  inst.replaceAllUsesWith(result);
  inst.eraseFromParent();
}

} // namespace inflight::import
