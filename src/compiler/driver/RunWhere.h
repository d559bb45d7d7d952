// Passes that depend on what the module holds.
#pragma once

#include "mlir/Pass/Pass.h"

namespace inflight {

/// Runs the passes that `add` adds if `isWanted` holds for any operation.
std::unique_ptr<mlir::Pass> createRunWherePass(bool (*isWanted)(mlir::Operation *),
                                               llvm::function_ref<void(mlir::OpPassManager &)> add);

} // namespace inflight
