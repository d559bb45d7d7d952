// How LLVM lays types out in memory on these chips: natural alignment.
#include "compiler/select/Selector.h"

using namespace mlir;

namespace inflight::select {

uint64_t Selector::naturalAlignment(Type type) {
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return naturalAlignment(array.getElementType());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    uint64_t alignment = 1;
    if (!structure.isPacked())
      for (Type field : structure.getBody())
        alignment = std::max(alignment, naturalAlignment(field));
    return alignment;
  }
  return llvm::PowerOf2Ceil(std::max<uint64_t>(storedBytes(type), 1));
}

/// Bytes of a value itself.
uint64_t Selector::storedBytes(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return divideCeil(vector.getNumElements() * bitWidth(vector.getElementType()), 8);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return array.getNumElements() * allocatedBytes(array.getElementType());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type)) {
    uint64_t bytes = 0;
    for (Type field : structure.getBody())
      bytes = (structure.isPacked() ? bytes : alignTo(bytes, naturalAlignment(field))) + allocatedBytes(field);
    return bytes;
  }
  return divideCeil(bitWidth(type), 8);
}

/// Bytes from one element of an array to the next.
uint64_t Selector::allocatedBytes(Type type) { return alignTo(storedBytes(type), naturalAlignment(type)); }

bool Selector::linearizeIndices(LLVM::GEPOp gep, LinearForm &form, bool wide) {
  Type type = gep.getElemType();
  bool first = true;
  for (auto index : gep.getIndices()) {
    auto structure = first ? LLVM::LLVMStructType() : dyn_cast<LLVM::LLVMStructType>(type);
    auto constant = dyn_cast<IntegerAttr>(index);
    if (structure) {
      // A field, whose place is known.
      std::optional<APInt> field = constant ? constant.getValue() : constantInt(cast<Value>(index));
      if (!field || field->uge(structure.getBody().size()))
        return false;
      uint64_t bytes = 0;
      for (auto [i, inner] : llvm::enumerate(structure.getBody())) {
        bytes = structure.isPacked() ? bytes : alignTo(bytes, naturalAlignment(inner));
        type = inner;
        if (i == field->getZExtValue())
          break;
        bytes += allocatedBytes(inner);
      }
      form.constant += bytes;
      continue;
    }
    if (!first) {
      if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
        type = array.getElementType();
      else if (auto vector = dyn_cast<VectorType>(type))
        type = vector.getElementType();
      else
        return false;
    }
    first = false;
    int64_t bytes = allocatedBytes(type);
    if (constant)
      form.constant += constant.getInt() * bytes;
    else if (wide && addsInOneStep(cast<Value>(index), bytes))
      addTerm(cast<Value>(index), bytes, form);
    else
      linearize(cast<Value>(index), bytes, form, wide);
  }
  return true;
}

} // namespace inflight::select
