// Two halves of a workgroup's waves take a loop's iterations half an iteration apart: one reads tiles and starts copies
// while the other one, on the same SIMDs, has the matrix cores.
#pragma once

#include "compiler/loops/copies/PipelineLoop.h"

namespace inflight::loops {

/// The operations of an iteration that its results depend on, in their order.
struct Clusters {
  std::vector<mlir::Operation *> reads;   ///< of memory, and what they depend on
  std::vector<mlir::Operation *> compute; ///< all else
  llvm::SmallVector<mlir::Value> results; ///< of `reads`, that are used elsewhere
};
Clusters splitIteration(mlir::scf::ForOp loop);

/// What is in the way of two halves; empty if nothing is. `at` is the operation, if it is one.
std::string pingPongObstacle(const LoopPlan &plan, unsigned simds, mlir::Operation *&at);

} // namespace inflight::loops
