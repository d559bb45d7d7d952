// Branches around the copies of a loop's later iterations.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace inflight::loops {

/// A loop that makes asynchronous copies as long as `counter + constant < bound` becomes two: one that always makes
/// them, and one that never does. A path on which no copies are made would have its waits be for all of them.
void splitGuardedLoops(mlir::gpu::GPUFuncOp kernel);

} // namespace inflight::loops
