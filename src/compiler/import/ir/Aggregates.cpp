// Structs and arrays in memory: their parts are read and written, and what lies between them isn't.
#include "compiler/import/ir/LlvmIr.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace inflight::import {

namespace {
/// A part that is no aggregate itself.
struct Part {
  Type *type;
  SmallVector<unsigned> indices;
  uint64_t offset; ///< bytes
};
} // namespace

static void collectParts(Type *type, const Part &at, const DataLayout &layout, SmallVectorImpl<Part> &parts) {
  auto descend = [&](Type *inner, unsigned index, uint64_t offset) {
    Part next = at;
    next.indices.push_back(index);
    next.offset += offset;
    collectParts(inner, next, layout, parts);
  };
  if (auto *structure = dyn_cast<StructType>(type)) {
    const StructLayout *places = layout.getStructLayout(structure);
    for (auto [i, field] : enumerate(structure->elements()))
      descend(field, i, places->getElementOffset(i));
  } else if (auto *array = dyn_cast<ArrayType>(type)) {
    for (uint64_t i = 0; i < array->getNumElements(); ++i)
      descend(array->getElementType(), i, i * layout.getTypeAllocSize(array->getElementType()));
  } else {
    parts.push_back({type, at.indices, at.offset});
  }
}

static SmallVector<Part> partsOf(Type *type, const DataLayout &layout) {
  SmallVector<Part> parts;
  collectParts(type, {type, {}, 0}, layout, parts);
  return parts;
}

static void splitLoad(LoadInst &load, const DataLayout &layout) {
  IRBuilder<> builder(&load);
  const unsigned kept[] = {LLVMContext::MD_invariant_load, LLVMContext::MD_nontemporal,
                           load.getContext().getMDKindID("amdgpu.noclobber")};
  Value *whole = PoisonValue::get(load.getType());
  for (const Part &part : partsOf(load.getType(), layout)) {
    Value *at = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), load.getPointerOperand(), part.offset);
    LoadInst *value =
        builder.CreateAlignedLoad(part.type, at, commonAlignment(load.getAlign(), part.offset), load.isVolatile());
    value->copyMetadata(load, kept);
    whole = builder.CreateInsertValue(whole, value, part.indices);
  }
  load.replaceAllUsesWith(whole);
  load.eraseFromParent();
}

static void splitStore(StoreInst &store, const DataLayout &layout) {
  IRBuilder<> builder(&store);
  Value *whole = store.getValueOperand();
  for (const Part &part : partsOf(whole->getType(), layout)) {
    Value *at = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), store.getPointerOperand(), part.offset);
    StoreInst *stored = builder.CreateAlignedStore(builder.CreateExtractValue(whole, part.indices), at,
                                                   commonAlignment(store.getAlign(), part.offset), store.isVolatile());
    stored->copyMetadata(store, LLVMContext::MD_nontemporal);
  }
  store.eraseFromParent();
}

void splitAggregates(Module &module) {
  const DataLayout &layout = module.getDataLayout();
  for (Function &function : module)
    for (Instruction &inst : make_early_inc_range(instructions(function))) {
      if (auto *load = dyn_cast<LoadInst>(&inst); load && load->getType()->isAggregateType())
        splitLoad(*load, layout);
      else if (auto *store = dyn_cast<StoreInst>(&inst);
               store && store->getValueOperand()->getType()->isAggregateType())
        splitStore(*store, layout);
    }
}

} // namespace inflight::import
