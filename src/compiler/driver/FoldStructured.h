// Upstream's canonicalization for structured bodies.
#pragma once

#include "mlir/Pass/Pass.h"
#include <memory>

namespace inflight {

/// Where there are no blocks to merge or to delete.
std::unique_ptr<mlir::Pass> createFoldStructuredPass();

} // namespace inflight
