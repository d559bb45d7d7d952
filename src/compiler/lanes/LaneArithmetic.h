// Integer arithmetic of LaneInterpreter, by what the operations are defined to do.
#pragma once

#include "compiler/lanes/LaneValue.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Operation.h"

namespace inflight::lanes {

/// Computes with operands of so many bits, sign-extended. What has no result, such as a division by zero, is 0.
using BinaryFunction = int64_t (*)(int64_t a, int64_t b, unsigned bits);
/// Null if the operation isn't one of two integers.
BinaryFunction binaryFunction(mlir::Operation *op);

int64_t evaluate(mlir::AffineExpr expr, llvm::ArrayRef<int64_t> dims, llvm::ArrayRef<int64_t> symbols);

} // namespace inflight::lanes
