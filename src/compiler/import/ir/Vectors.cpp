// Vectors that the chips have no instructions for: what a vectorizer for other machines has left.
#include "compiler/import/ir/Analyses.h"
#include "compiler/import/ir/LlvmIr.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/ScalarizeMaskedMemIntrin.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

using namespace llvm;

namespace inflight::import {

static bool isMaskedAccess(const Instruction &inst) {
  auto *call = dyn_cast<IntrinsicInst>(&inst);
  switch (call ? call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_store:
  case Intrinsic::masked_gather:
  case Intrinsic::masked_scatter:
  case Intrinsic::masked_expandload:
  case Intrinsic::masked_compressstore: return true;
  default: return false;
  }
}

static bool isPointers(const Value *value) {
  return value->getType()->isVectorTy() && value->getType()->isPtrOrPtrVectorTy();
}

static bool hasPointers(const Instruction &inst) {
  return isPointers(&inst) || any_of(inst.operand_values(), isPointers);
}

/// Pointers side by side in memory are read and written as integers, which may be one access.
static void accessIntegers(Instruction &inst, const DataLayout &layout) {
  IRBuilder<> builder(&inst);
  if (auto *load = dyn_cast<LoadInst>(&inst); load && isPointers(load)) {
    auto *integers = cast<LoadInst>(load->clone());
    integers->mutateType(layout.getIntPtrType(load->getType()));
    builder.Insert(integers);
    load->replaceAllUsesWith(builder.CreateIntToPtr(integers, load->getType()));
    load->eraseFromParent();
  } else if (auto *store = dyn_cast<StoreInst>(&inst); store && isPointers(store->getValueOperand())) {
    Value *pointers = store->getValueOperand();
    store->setOperand(0, builder.CreatePtrToInt(pointers, layout.getIntPtrType(pointers->getType())));
  }
}

void splitVectors(Module &module) {
  FunctionAnalysisManager analyses = makeAnalyses();
  for (Function &function : module) {
    if (any_of(instructions(function), isMaskedAccess))
      analyses.invalidate(function, ScalarizeMaskedMemIntrinPass().run(function, analyses));
    if (none_of(instructions(function), hasPointers))
      continue;
    for (Instruction &inst : make_early_inc_range(instructions(function)))
      accessIntegers(inst, module.getDataLayout());
    analyses.invalidate(function, ScalarizerPass().run(function, analyses));
  }
}

} // namespace inflight::import
