// Accesses to memory that are neither volatile nor atomic.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"

namespace inflight {

/// Volatile or atomic: stays, and stays where it is.
template <typename Access> bool isOrdered(Access access) {
  return access.getVolatile_() || access.getOrdering() != mlir::LLVM::AtomicOrdering::not_atomic;
}

/// A load that isn't ordered, by an address or through a buffer's descriptor.
inline bool isPlainLoad(mlir::Operation *op) {
  auto load = mlir::dyn_cast<mlir::LLVM::LoadOp>(op);
  return load ? !isOrdered(load) : mlir::isa<mlir::ROCDL::RawPtrBufferLoadOp>(op);
}

} // namespace inflight
