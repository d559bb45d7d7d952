#include "compiler/select/Layout.h"

#include "compiler/select/emit/Builder.h"

using namespace mlir;

namespace inflight::select {

static uint64_t storedBytes(Type type);

uint64_t naturalAlignment(Type type) {
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
static uint64_t storedBytes(Type type) {
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

uint64_t allocatedBytes(Type type) { return alignTo(storedBytes(type), naturalAlignment(type)); }

} // namespace inflight::select
