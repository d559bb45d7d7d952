// Fragments of matrices that lanes read from LDS element by element, as the elements lie in different rows.
#pragma once

#include "compiler/lanes/LaneForms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace inflight::loops {

/// A vector whose elements are loaded from one memory in LDS, one by one, and used for nothing else. Nothing is written
/// between the first and the last load.
struct ColumnRead {
  mlir::vector::FromElementsOp op;
  llvm::SmallVector<mlir::memref::LoadOp, 8> loads; ///< by element
  mlir::Value memref() const { return loads.front()->getOperand(0); }
  mlir::memref::LoadOp last() const; ///< in the block
  void erase();                      ///< once nothing uses it
};
std::optional<ColumnRead> columnReadOf(mlir::vector::FromElementsOp op);

/// Tiles that a loop copies to LDS, and reads by columns alone, become transposed ones: lanes load blocks of several
/// rows, exchange rows and columns in registers, and store columns. `reads`: those in the loop. True if the loop was
/// changed.
bool transposeTiles(mlir::gpu::GPUFuncOp kernel, mlir::scf::ForOp loop, llvm::ArrayRef<ColumnRead> reads);

} // namespace inflight::loops
