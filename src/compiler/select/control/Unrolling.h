// Copies of a loop's iterations.
//
// Loops with few constant iterations are selected once an iteration, the induction variable being a
// constant: index arithmetic folds into offsets, zero accumulators into the matrix instructions, and
// the scheduler sees across iterations. No IR is copied.
//
// Loops with constant bounds that only load and compute have a body of several iterations, so that as many loads are in
// flight.
//
// Loops whose buffers change places (ping-pong) have a body of as many iterations as it takes until
// they are back: each access then is to a known buffer, and the waits can tell them apart.
#pragma once

#include "compiler/select/control/ControlFlow.h"

namespace inflight::select {

class Unrolling : public ControlFlow {
public:
  using ControlFlow::ControlFlow;
  bool isWorthUnrolling(mlir::scf::ForOp op);
  mlir::LogicalResult selectUnrolled(mlir::scf::ForOp op);
  /// How many copies of its iteration a loop has, 0 for all, or why it has one.
  void remarkOnLoop(mlir::scf::ForOp op, unsigned copies);
  /// The iterations from `firstTrip` on, with constant counters, and the loop's results.
  mlir::LogicalResult selectTrips(mlir::scf::ForOp op, uint64_t firstTrip, llvm::SmallVector<Elems> carried);
  /// One iteration with this counter; `carried` becomes what it yields.
  mlir::LogicalResult selectIteration(mlir::scf::ForOp op, Elems counter, llvm::SmallVector<Elems> &carried);
  /// Carried values that only change places with one another.
  struct Rotation {
    unsigned period = 1;         ///< iterations until all are back
    llvm::SmallVector<int> from; ///< by argument: whose value it takes after an iteration, -1 if it doesn't rotate
  };
  /// A period of 1 where it isn't worthwhile.
  Rotation rotationOf(mlir::scf::ForOp op);

private:
  llvm::SmallVector<mlir::Operation *> earlyLoadsOf(mlir::scf::ForOp op);
  /// Selects the early loads of one iteration; what they give goes to `results`.
  mlir::LogicalResult selectEarly(mlir::scf::ForOp op, llvm::ArrayRef<mlir::Operation *> early,
                                  const llvm::APInt &counter, llvm::SmallVectorImpl<Elems> &results);
};

} // namespace inflight::select
