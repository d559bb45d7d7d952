// Values as lists of i32, which is what lanes exchange.
#pragma once

#include "mlir/IR/Builders.h"

namespace inflight {

/// The bits of an integer, a float or a one-dimensional vector of either, lowest first, in words of 32 bits. What is
/// above the last element is poison.
llvm::SmallVector<mlir::Value> splitWords(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// A value of `type` from the words that `splitWords` gives for one.
mlir::Value joinWords(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, mlir::ValueRange words);

} // namespace inflight
