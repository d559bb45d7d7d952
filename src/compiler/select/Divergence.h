// Which values are the same in all lanes: they live in scalar registers.
#pragma once

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseSet.h"

namespace inflight::select {

/// Loads by what the kernel writes of the memory that they read (LoadedMemory.cpp).
struct LoadedMemory {
  llvm::DenseSet<mlir::Operation *> unwritten; ///< no write of the kernel may alias it
  llvm::DenseSet<mlir::Operation *> scalar;    ///< no such write comes before the load, and scalar loads reach it
  explicit LoadedMemory(mlir::LLVM::LLVMFuncOp function);
};

/// Values that are the same in all active lanes and computable on the scalar unit. In a loop that lanes leave at
/// different times the active ones are those that are left; what the loop gives is then the lanes' own.
class Divergence {
public:
  explicit Divergence(mlir::LLVM::LLVMFuncOp function);
  bool isUniform(mlir::Value value) const { return !divergent.contains(value); }
  /// A load from a uniform address that the scalar unit may do .
  bool isScalarLoad(mlir::LLVM::LoadOp load) const {
    return loads.scalar.contains(load) && isUniform(load.getResult());
  }
  /// A load from a uniform address that the vector unit does and whose value decides where waves go: it is read back
  /// into scalar registers. Lanes that load the same bytes at once get the same, as a write between would be a race.
  bool isReadBack(mlir::LLVM::LoadOp load) const {
    return deciding.contains(load) && !loads.scalar.contains(load) && isUniform(load.getResult());
  }
  bool isUnwritten(mlir::LLVM::LoadOp load) const { return loads.unwritten.contains(load); }

private:
  bool visit(mlir::Operation *op);
  bool isVectorOnly(mlir::Operation *op) const;
  bool mark(mlir::Value value) { return divergent.insert(value).second; }
  llvm::DenseSet<mlir::Value> divergent;
  LoadedMemory loads;
  llvm::DenseSet<mlir::Operation *> deciding; ///< loads of few integers on which a branch or loop depends
};

} // namespace inflight::select
