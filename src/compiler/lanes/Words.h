// Values as words of 32 bits: what registers hold and lanes exchange.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeRange.h"

namespace inflight {

/// The bits of an integer, a float or a one-dimensional vector of either, lowest first, in words of 32 bits. What is
/// above the last element is poison.
llvm::SmallVector<mlir::Value> splitWords(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value);

/// The words that values of these types take. What is neither a number nor a vector of them, such as a pointer, takes
/// `ofOther` an element.
uint64_t countWords(mlir::TypeRange types, unsigned ofOther = 2);

/// A value of `type` from the words that `splitWords` gives for one.
mlir::Value joinWords(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type, mlir::ValueRange words);

} // namespace inflight
