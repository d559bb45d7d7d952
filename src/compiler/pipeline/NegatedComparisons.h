#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace inflight {

/// What holds where the comparison doesn't.
mlir::LLVM::ICmpPredicate opposite(mlir::LLVM::ICmpPredicate predicate);
/// What doesn't hold for NaN does then.
mlir::LLVM::FCmpPredicate opposite(mlir::LLVM::FCmpPredicate predicate);

} // namespace inflight
