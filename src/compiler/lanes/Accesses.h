// Loads and stores of memrefs, whatever dialect they come in.
#pragma once

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace inflight::lanes {

/// Consecutive elements of the innermost dimension, in all active lanes, none of them masked or beyond the bounds. A
/// load may give them to other lanes (amdgpu.transpose_load).
struct Access {
  mlir::Value memref;
  mlir::OperandRange indices;
  mlir::Type type; ///< of the value: an element or a vector of elements
  bool isStore;
  mlir::Value stored; ///< of a store
  mlir::MemRefType memrefType() const { return mlir::cast<mlir::MemRefType>(memref.getType()); }
};

/// Whether its elements follow each other in memory: those of a transfer needn't.
bool isConsecutive(const Access &access);

/// None if the operation is none, or not so plain.
std::optional<Access> accessOf(mlir::Operation *op);

} // namespace inflight::lanes
