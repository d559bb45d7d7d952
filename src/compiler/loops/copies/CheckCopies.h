// Under --verify-each: what a loop reads of its tiles, as it is written and with copies ahead, for every lane.
#pragma once

#include "compiler/lanes/LaneInterpreter.h"
#include "compiler/loops/copies/TileLoops.h"
#include "mlir/IR/OwningOpRef.h"

namespace inflight::loops {

/// Where reads find something else than before, or what is loaded that wasn't; empty if there is no such thing.
std::string difference(const ReadTrace &before, const ReadTrace &after);

class CheckCopies {
public:
  /// Records what the loop reads; made before the loop is changed.
  CheckCopies(mlir::gpu::GPUFuncOp kernel, const TileLoop &loop);
  ~CheckCopies();
  /// Compares with the changed loop. A read that finds other bytes than before, or a load of what wasn't loaded before,
  /// is an error at the loop's place; what can't be evaluated is a remark.
  mlir::LogicalResult check();

private:
  mlir::gpu::GPUFuncOp kernel, before;
  mlir::Location loc;
};

} // namespace inflight::loops
