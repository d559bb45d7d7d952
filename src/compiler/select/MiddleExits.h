// Loops that end in the middle of an iteration.
#pragma once

#include "mlir/Pass/Pass.h"

namespace inflight {

/// A loop whose last iteration doesn't do what the others do at their end has that in its second region, where all
/// lanes leave together. After everything is LLVM operations in scf.
std::unique_ptr<mlir::Pass> createMiddleExitsPass();

} // namespace inflight
