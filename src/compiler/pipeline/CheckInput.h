#pragma once

#include "mlir/Pass/Pass.h"

namespace inflight {

/// Errors for input that is verified and yet would crash what follows. On a module; the first pass.
std::unique_ptr<mlir::Pass> createCheckInputPass();

} // namespace inflight
