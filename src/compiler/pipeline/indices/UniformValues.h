#pragma once
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace inflight {

/// Which values are seen to be the same in all lanes, of kernels in LLVM operations. What is asked for must stay.
class UniformValues {
public:
  /// False if that isn't seen.
  bool contains(mlir::Value value);

private:
  bool find(mlir::Value value);
  llvm::DenseMap<mlir::Value, bool> known;
};

} // namespace inflight
