// Kernels for the matrix cores, as LLVM and ROCDL operations inside scf.
#pragma once

#include "mlir/IR/Operation.h"
#include "mlir/Pass/Pass.h"

namespace inflight {

struct TargetInfo;

/// rocdl.mfma, scaled ones included.
bool isMatrix(mlir::Operation *op);

/// On rocdl.s.setprio: other instructions may move past it than matrix instructions and transcendental functions.
inline constexpr llvm::StringLiteral amongMatrix = "inflight.among_matrix";

/// Whoever wrote one of these has ordered the loop around it.
bool isOrderedByHand(mlir::Operation *op);

/// Matrix instructions that take as long as loads from LDS do.
inline constexpr unsigned matrixLead = 7;

/// Exponentials, logarithms and roots.
bool isTranscendental(mlir::Operation *op);

/// Reads, writes or orders memory, or may do so.
bool touchesMemory(mlir::Operation *op);

/// Two matrix instructions on one accumulator become one of twice the depth. For chips that have those. Sums of floats
/// are then rounded in another order: only if it `reassociates`, or the kernel says that it may (attr::reassociate).
std::unique_ptr<mlir::Pass> createWidenMatrixPass(bool reassociates);

/// Matrix instructions go first where loops compute much else between them and two waves share a SIMD.
std::unique_ptr<mlir::Pass> createMatrixPriorityPass(const TargetInfo &target);

/// Loops of matrix instructions do what the first of those wait for an iteration ahead, or part of it where a wave's
/// registers don't hold the factors of two iterations.
std::unique_ptr<mlir::Pass> createRotateLoopsPass(const TargetInfo &target);

} // namespace inflight
