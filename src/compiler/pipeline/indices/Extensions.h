// Extensions of sums.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"

namespace inflight {

inline bool isExtension(mlir::Operation *op) {
  return llvm::isa_and_nonnull<mlir::LLVM::SExtOp, mlir::LLVM::ZExtOp>(op);
}

/// Whether the sum, `llvm.add` or `llvm.or`, is the same with each of its parts extended: where it doesn't wrap, which
/// the operation states, `nsw` for signed ones, `nuw` for others. Of `disjoint` bits nothing is carried, and at most
/// one of both has a sign: neither wraps.
inline bool extendsByParts(mlir::Operation *sum, mlir::Operation *extension) {
  using Flags = mlir::LLVM::IntegerOverflowFlags;
  if (auto bits = llvm::dyn_cast<mlir::LLVM::OrOp>(sum))
    return bits.getIsDisjoint();
  const Flags needed = llvm::isa<mlir::LLVM::SExtOp>(extension) ? Flags::nsw : Flags::nuw;
  return bitEnumContainsAll(llvm::cast<mlir::LLVM::AddOp>(sum).getOverflowFlags(), needed);
}

/// Another value, extended in the same way.
inline mlir::Operation *extendLike(mlir::OpBuilder &builder, mlir::Location loc, mlir::Operation *extension,
                                   mlir::Value value) {
  const mlir::Type type = extension->getResult(0).getType();
  if (llvm::isa<mlir::LLVM::SExtOp>(extension))
    return mlir::LLVM::SExtOp::create(builder, loc, type, value);
  return mlir::LLVM::ZExtOp::create(builder, loc, type, value);
}

} // namespace inflight
