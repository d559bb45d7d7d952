// Under --verify-each: what a loop reads of its tiles, as it is written and with copies ahead, for every lane.
#pragma once

#include "compiler/async/TileLoops.h"
#include "mlir/IR/OwningOpRef.h"

namespace inflight::async {

class CheckCopies {
public:
  /// Before the loop is changed.
  CheckCopies(mlir::gpu::GPUFuncOp kernel, const TileLoop &loop);
  ~CheckCopies();
  /// After that. A read that finds other bytes than before, or a load of what wasn't loaded before, is an error at the
  /// loop's place; what can't be evaluated is a remark.
  mlir::LogicalResult check();

private:
  mlir::gpu::GPUFuncOp kernel, before;
  mlir::Location loc;
};

} // namespace inflight::async
