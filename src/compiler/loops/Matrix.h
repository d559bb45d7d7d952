// Kernels for the matrix cores, as LLVM and ROCDL operations inside scf.
#pragma once

#include "mlir/IR/Builders.h"

namespace inflight {

/// rocdl.mfma, scaled ones included.
bool isMatrix(mlir::Operation *op);

/// On rocdl.s.setprio: other instructions may move past it than matrix instructions and transcendental functions.
inline constexpr llvm::StringLiteral amongMatrix = "inflight.among_matrix";
/// On rocdl.s.setprio: the compiler's own, by which the waves of a SIMD alternate between matrix instructions and
/// others.
inline constexpr llvm::StringLiteral alternates = "inflight.alternates";
/// Makes one of those.
mlir::Operation *setPriority(mlir::OpBuilder &builder, mlir::Location loc, uint16_t priority);

/// Whoever wrote one of these has ordered the loop around it.
bool isOrderedByHand(mlir::Operation *op);

/// Matrix instructions that take as long as loads from LDS do.
inline constexpr unsigned matrixLead = 7;

/// Exponentials, logarithms and roots.
bool isTranscendental(mlir::Operation *op);

/// Reads, writes or orders memory, or may do so.
bool touchesMemory(mlir::Operation *op);

} // namespace inflight
