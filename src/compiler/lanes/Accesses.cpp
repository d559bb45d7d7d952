#include "compiler/lanes/Accesses.h"

#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace inflight::lanes {

template <typename Transfer> static bool isPlain(Transfer op) {
  auto type = dyn_cast<MemRefType>(op.getShapedType());
  return type && !op.getMask() && !op.hasOutOfBoundsDim() && op.getPermutationMap().isMinorIdentity() &&
         op.getVectorType().getElementType() == type.getElementType();
}

bool isConsecutive(const Access &access) {
  auto vector = dyn_cast<VectorType>(access.type);
  if (!vector || vector.getNumElements() == 1)
    return true;
  // Upstream computes the strides of a layout that isn't written down as well, anew for each access.
  MemRefType memref = access.memrefType();
  return memref.getLayout().isIdentity() || memref.isLastDimUnitStride();
}

std::optional<Access> accessOf(Operation *op) {
  std::optional<Access> access;
  if (auto load = dyn_cast<vector::LoadOp>(op))
    access = {load.getBase(), load.getIndices(), load.getType(), false, Value()};
  else if (auto store = dyn_cast<vector::StoreOp>(op))
    access = {store.getBase(), store.getIndices(), store.getVectorType(), true, store.getValueToStore()};
  else if (auto load = dyn_cast<memref::LoadOp>(op))
    access = {load.getMemRef(), load.getIndices(), load.getType(), false, Value()};
  else if (auto store = dyn_cast<memref::StoreOp>(op))
    access = {store.getMemRef(), store.getIndices(), store.getValueToStore().getType(), true, store.getValueToStore()};
  else if (auto load = dyn_cast<amdgpu::TransposeLoadOp>(op))
    access = {load.getSrc(), load.getSrcIndices(), load.getType(), false, Value()};
  else if (auto read = dyn_cast<vector::TransferReadOp>(op); read && isPlain(read))
    access = {read.getBase(), read.getIndices(), read.getType(), false, Value()};
  else if (auto write = dyn_cast<vector::TransferWriteOp>(op); write && isPlain(write))
    access = {write.getBase(), write.getIndices(), write.getVectorType(), true, write.getVector()};
  if (!access)
    return std::nullopt;
  auto vector = dyn_cast<VectorType>(access->type);
  const Type element = vector ? vector.getElementType() : access->type;
  // Rows of a vector of several dimensions lie apart.
  const bool isRow =
      !vector || (!vector.isScalable() && vector.getRank() > 0 && vector.getNumElements() == vector.getShape().back());
  if (!isRow || element != access->memrefType().getElementType() || !isConsecutive(*access))
    return std::nullopt;
  return access;
}

} // namespace inflight::lanes
