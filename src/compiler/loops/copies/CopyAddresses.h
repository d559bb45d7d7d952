// Where copies of an iteration load from: addresses and guards of the lane whose data another one brings.
#pragma once

#include "compiler/loops/copies/PipelineLoop.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"

namespace inflight::loops {

/// A copy with what doesn't change in the loop computed before it.
struct PreparedCopy {
  const TileCopy *copy;
  llvm::SmallVector<llvm::SmallVector<mlir::Value, 2>, 4> factors; ///< by dimension and term
  llvm::SmallVector<mlir::Value, 4> constants;
  mlir::Value place;      ///< elements from the tile's start, the same in all lanes of a wave
  mlir::Value sourceLane; ///< null if nothing asks for it
  Half half = Half::Any;
};

inline mlir::Value index(mlir::OpBuilder &builder, mlir::Location loc, int64_t value) {
  return mlir::arith::ConstantIndexOp::create(builder, loc, value);
}

class CopyAddresses {
public:
  CopyAddresses(mlir::gpu::GPUFuncOp kernel, mlir::scf::ForOp loop) : kernel(kernel), loop(loop), loc(loop.getLoc()) {}
  /// Where a lane loads from; if a guard doesn't hold that is the memory's end, beyond which the descriptor has zeros.
  /// `mapping` has the iteration's counter, `ofLane` as well; both get what is computed.
  llvm::SmallVector<mlir::Value> indicesOf(mlir::OpBuilder &builder, const PreparedCopy &prepared, bool mayBeLast,
                                           mlir::IRMapping &mapping, mlir::IRMapping &ofLane);

private:
  bool dependsOnLane(mlir::Value value);
  mlir::Value valueOfLane(mlir::OpBuilder &builder, mlir::Value value, mlir::Value lane, mlir::IRMapping &mapping);
  mlir::Value inBranch(mlir::OpBuilder &builder, mlir::Operation *op, mlir::Value lane, mlir::IRMapping &mapping);
  mlir::Value clamped(mlir::OpBuilder &builder, mlir::Value sum, const Clamp &clamp);
  /// Whether the lane's guard holds, as a value.
  mlir::Value holds(mlir::OpBuilder &builder, const Guard &guard, mlir::Value lane, mlir::IRMapping &mapping);

  mlir::gpu::GPUFuncOp kernel;
  mlir::scf::ForOp loop;
  mlir::Location loc;
  llvm::DenseMap<mlir::Value, bool> lanes; ///< what depends on the lane
};

} // namespace inflight::loops
