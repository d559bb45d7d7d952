// Read-modify-write operations that the chip has no instruction for: loops that compare and exchange.
#pragma once

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight {

/// Replaces what `pointer` points to by `compute` of it, atomically; returns what it was. Types below
/// 32 bits are exchanged within the dword they lie in.
mlir::Value exchangeUntilUnchanged(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value pointer, mlir::Type type,
                                   llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Value)> compute);

/// memref.generic_atomic_rmw, whose upstream lowering makes branches that a structured region can't hold.
void populateGenericAtomicPatterns(const mlir::LLVMTypeConverter &converter, mlir::RewritePatternSet &patterns);

} // namespace inflight
