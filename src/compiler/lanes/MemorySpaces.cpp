#include "compiler/lanes/MemorySpaces.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

static bool isGpuSpace(Attribute space, gpu::AddressSpace which) {
  auto gpuSpace = dyn_cast_or_null<gpu::AddressSpaceAttr>(space);
  return gpuSpace && gpuSpace.getValue() == which;
}
static bool isNumber(Attribute space, int64_t number) {
  auto integer = dyn_cast_or_null<IntegerAttr>(space);
  return integer && integer.getInt() == number;
}

bool isWorkgroupSpace(Attribute space) {
  return isGpuSpace(space, gpu::AddressSpace::Workgroup) || isNumber(space, ldsSpace);
}
bool isPrivateSpace(Attribute space) {
  return isGpuSpace(space, gpu::AddressSpace::Private) || isNumber(space, privateSpace);
}
bool isGlobalSpace(Attribute space) {
  return !space || isGpuSpace(space, gpu::AddressSpace::Global) || isNumber(space, flatSpace) ||
         isNumber(space, globalSpace);
}

unsigned llvmAddressSpace(Attribute space) {
  if (isWorkgroupSpace(space))
    return ldsSpace;
  if (isPrivateSpace(space))
    return privateSpace;
  if (isGpuSpace(space, gpu::AddressSpace::Global))
    return globalSpace;
  if (auto number = dyn_cast_or_null<IntegerAttr>(space))
    return number.getInt();
  if (auto amd = dyn_cast_or_null<amdgpu::AddressSpaceAttr>(space))
    return amd.getValue() == amdgpu::AddressSpace::FatRawBuffer ? bufferSpace : resourceSpace;
  return flatSpace;
}

unsigned addressSpaceOf(Value memory) {
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(memory.getType()))
    return pointer.getAddressSpace();
  return llvmAddressSpace(cast<MemRefType>(memory.getType()).getMemorySpace());
}

bool isGlobal(unsigned space, Global which) {
  const bool isPlain = space == flatSpace || space == globalSpace;
  switch (which) {
  case Global::Any: return space != ldsSpace && space != privateSpace;
  case Global::ByAddress: return isPlain || space == constantSpace;
  case Global::Variable: return isPlain || space == bufferSpace;
  }
  llvm_unreachable("a set of spaces");
}

uint64_t elementBytes(Type element) {
  // As LLVM lays arrays out: elements are as far apart as a power of two.
  if (auto vector = dyn_cast<VectorType>(element))
    return llvm::PowerOf2Ceil(llvm::divideCeil(
        vector.getNumElements() * (vector.getElementType().isIndex() ? 64 : vector.getElementTypeBitWidth()), 8));
  if (element.isIndex())
    return 8;
  return element.isIntOrFloat() ? llvm::PowerOf2Ceil(llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)) : 0;
}

std::optional<uint64_t> staticByteExtent(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) || !type.hasStaticShape() || ShapedType::isDynamic(offset) ||
      offset < 0 || llvm::any_of(strides, [](int64_t stride) { return ShapedType::isDynamic(stride) || stride < 0; }))
    return std::nullopt;
  uint64_t last = offset;
  bool overflow = false, any = false;
  for (auto [size, stride] : llvm::zip(type.getShape(), strides)) {
    if (size == 0)
      return 0;
    uint64_t reach = llvm::SaturatingMultiply<uint64_t>(size - 1, stride, &overflow);
    any |= overflow;
    last = llvm::SaturatingAdd<uint64_t>(last, reach, &overflow);
    any |= overflow;
  }
  uint64_t bytes = llvm::SaturatingMultiply<uint64_t>(llvm::SaturatingAdd<uint64_t>(last, uint64_t(1)),
                                                      elementBytes(type.getElementType()), &overflow);
  if (any || overflow)
    return std::nullopt;
  return bytes;
}

} // namespace inflight
