// A loop over tiles of results around a loop over slices: the first copies for the next tile are started before the
// results of this one are stored.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <string>

namespace inflight::loops {

struct TileLoop;

/// The loop around `loop` whose iterations may start copies for the next one. None if there is no loop around it, or
/// `obstacle` says what is in the way: what computes the copies' addresses must have no effects, and nothing that the
/// kernel stores may be what is copied (llvm.noalias says so of an argument).
mlir::scf::ForOp findTileSequence(mlir::gpu::GPUFuncOp kernel, const TileLoop &loop, std::string &obstacle);

/// `first` and `next` stand in the body of `sequence`, and their regions hold copies of that iteration. `first` is
/// executed for the first iteration, before the sequence; each of `next` where it stands, for the next iteration. The
/// last one starts copies of its own tile once more, which nobody reads, so that no branch is in the scheduler's way.
void moveToTiles(mlir::scf::ForOp sequence, mlir::scf::IfOp first, llvm::ArrayRef<mlir::scf::IfOp> next);

} // namespace inflight::loops
