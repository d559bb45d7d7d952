// Which values are the same in all lanes: they live in scalar registers.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace inflight::select {

/// Loads that no write of the kernel comes before, as far as memory that scalar loads reach goes.
llvm::DenseSet<mlir::Operation *> findScalarLoads(mlir::LLVM::LLVMFuncOp function);

/// Values that are the same in all active lanes and computable on the scalar unit.
class Divergence {
public:
  explicit Divergence(mlir::LLVM::LLVMFuncOp function);
  bool isUniform(mlir::Value value) const { return !divergent.contains(value); }
  /// A load from a uniform address that the scalar unit may do (ScalarLoads.cpp).
  bool isScalarLoad(mlir::LLVM::LoadOp load) const { return scalarLoads.contains(load) && isUniform(load.getResult()); }

private:
  bool visit(mlir::Operation *op, bool inDivergentLoop);
  bool isVectorOnly(mlir::Operation *op) const;
  bool mark(mlir::Value value) { return divergent.insert(value).second; }
  llvm::DenseSet<mlir::Value> divergent;
  llvm::DenseSet<mlir::Operation *> scalarLoads;
};

} // namespace inflight::select
