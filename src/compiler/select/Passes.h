// What changes kernels in LLVM operations and scf by what selection knows of them.
#pragma once

#include "mlir/Pass/Pass.h"

namespace inflight {

class Isa;

/// Where the numbers of a division of 64 bits may be small, the wave asks whether all of its lanes' are, and divides 32
/// bits then. After everything is LLVM operations in scf; on a gpu.module.
std::unique_ptr<mlir::Pass> createShortDivisionsPass(const Isa &isa);

/// What it is for.
bool isLongDivision(mlir::Operation *op);

/// A loop whose last iteration doesn't do what the others do at their end has that in its second region, where all
/// lanes leave together. After everything is LLVM operations in scf.
std::unique_ptr<mlir::Pass> createMiddleExitsPass();

} // namespace inflight
