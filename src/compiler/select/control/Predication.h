// Branches that do little more than load or store: only EXEC changes, without a jump, and neighbours go together. All
// their loads are then in flight before the first of them is waited for.
#pragma once

#include "compiler/select/control/ControlFlow.h"

namespace inflight::select {

class Predication : public ControlFlow {
public:
  using ControlFlow::ControlFlow;
  bool isPredicable(mlir::scf::IfOp op) const;
  void gatherPredicated(mlir::scf::IfOp first, llvm::SmallVectorImpl<mlir::scf::IfOp> &group,
                        llvm::SmallVectorImpl<mlir::Operation *> &before) const;
  mlir::LogicalResult selectPredicated(llvm::ArrayRef<mlir::scf::IfOp> group, llvm::ArrayRef<mlir::Operation *> before);
};

} // namespace inflight::select
