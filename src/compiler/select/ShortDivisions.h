// Divisions of 64 bits by numbers that mostly fit 32.
#pragma once

#include "mlir/Pass/Pass.h"

namespace inflight {

class Isa;

/// Where the numbers of a division of 64 bits may be small, the wave asks whether all of its lanes' are, and divides 32
/// bits then. After everything is LLVM operations in scf; on a gpu.module.
std::unique_ptr<mlir::Pass> createShortDivisionsPass(const Isa &isa);

/// What it is for.
bool isLongDivision(mlir::Operation *op);

} // namespace inflight
