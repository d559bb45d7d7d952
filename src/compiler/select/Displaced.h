// Operations that are selected elsewhere than where they stand.
#pragma once

#include "compiler/select/Values.h"

namespace inflight::select {

struct Displaced {
  /// Finds what of the block only one side of a branch uses, or only a loop that may have no iteration; once a block.
  void plan(mlir::Block &block, const SelectedValues &values);
  llvm::DenseSet<mlir::Block *> plannedBlocks;
  llvm::DenseSet<mlir::Operation *> onlyAhead;     ///< if any: nothing else may be selected ahead
  llvm::DenseSet<mlir::Operation *> selectedAhead; ///< of the block that is being selected
  llvm::DenseMap<mlir::Operation *, mlir::Region *> deferredTo;
  llvm::DenseMap<mlir::Region *, llvm::SmallVector<mlir::Operation *>> deferred; ///< the last first
};

} // namespace inflight::select
