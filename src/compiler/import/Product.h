// Products of matrices that are all that a function does, whichever operation says so.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace inflight::import {

/// A, B or C in memory, and which of its dimensions is which. The inner one of a row and of a column is the memory's
/// last.
struct Matrix {
  mlir::Value memref;
  unsigned row = 0;                  ///< of A and C: that counts rows of C; of B: that counts columns of C
  unsigned column = 0;               ///< of A and B: K; of C: that counts its columns
  llvm::SmallVector<int, 2> batches; ///< for each of Product's: the dimension that counts it, or -1
  mlir::MemRefType type() const { return mlir::cast<mlir::MemRefType>(memref.getType()); }
  int64_t size(unsigned dim) const { return type().getDimSize(dim); }
};

/// C[batches, row, column] (+)= sum over K of A[batches, row, K] * B[batches, column, K], for all that the dimensions
/// count; a batch that a factor has no dimension for is the same matrix each time.
struct Product {
  mlir::Operation *op = nullptr;
  mlir::func::FuncOp function; ///< which does nothing else
  Matrix a = {}, b = {}, c = {};
  bool addsToC = true;                             ///< to what C holds before
  bool isSigned = true;                            ///< integers are extended by their sign
  llvm::SmallVector<mlir::Operation *> parts = {}; ///< all operations of the function but constants, in their order
  unsigned batches() const { return c.batches.size(); }
};

/// None if the operation isn't a product, or one that a kernel does for itself. What can't be compiled of those that
/// are has been reported.
mlir::FailureOr<std::optional<Product>> productOf(mlir::Operation *op);

} // namespace inflight::import
