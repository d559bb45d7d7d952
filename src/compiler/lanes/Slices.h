// What values are computed from, and what is inside operations.
#pragma once

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SetVector.h"

namespace inflight {

/// What a slice is to do with an operation that it comes to.
enum class Source : uint8_t {
  Taken,   ///< it belongs to the slice, with what it reads
  Alone,   ///< it belongs to it, without
  Outside, ///< it doesn't
  Refused, ///< there is no such slice
};
using SourcePolicy = llvm::function_ref<Source(mlir::Operation *)>;
using Slice = llvm::SetVector<mlir::Operation *>;

/// Adds what makes the value, or what the operation and those in its regions read, to a slice: each operation after
/// those that it reads from. False if one is refused; what was found before it stays in the slice.
bool addSources(mlir::Value value, Slice &slice, SourcePolicy policy);
bool addSources(mlir::Operation *op, Slice &slice, SourcePolicy policy);
/// The operation itself after them.
bool addWithSources(mlir::Operation *op, Slice &slice, SourcePolicy policy);

/// Whether the operation or one in its regions is such.
bool contains(mlir::Operation *op, llvm::function_ref<bool(mlir::Operation *)> isSuch);
/// Whether it or one in its regions reads such a value.
bool readsAny(mlir::Operation *op, llvm::function_ref<bool(mlir::Value)> isSuch);

} // namespace inflight
