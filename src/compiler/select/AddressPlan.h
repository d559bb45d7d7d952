// Which part of a global address carries what is the same in all lanes, and which accesses become one.
#pragma once

#include "compiler/lanes/PlainAccess.h"
#include "compiler/select/LinearForms.h"

namespace inflight::select {

/// What an operation without regions may do to global memory.
struct MemoryEffects {
  mlir::Value written;         ///< what the pointer written through was made from, if it is known
  bool writesAnything = false; ///< and it isn't known
  bool synchronizes = false;   ///< orders accesses of this wave and others
};
MemoryEffects memoryEffects(mlir::Operation *op);

struct PointerAccess {
  mlir::Operation *op;
  mlir::Value pointer, root;
  LinearForm form; ///< the pointer's distance from `root`
};

/// The loads or stores that one does: where each begins, in bytes from the first.
struct Merge {
  llvm::SmallVector<std::pair<mlir::Operation *, unsigned>, 4> parts;
  unsigned bytes = 0;
  unsigned offsetOf(mlir::Operation *op) const;
};

/// Loads and stores of neighbouring bytes that become one (MergedAccesses.cpp).
class Merges {
public:
  /// Of global memory; in their order.
  void plan(llvm::ArrayRef<PointerAccess> accesses, const Divergence &divergence);
  void planLds(mlir::LLVM::LLVMFuncOp function, LinearForms &forms, const Divergence &divergence);
  void planPrivate(mlir::LLVM::LLVMFuncOp function, LinearForms &forms);
  /// Whether another one does the access.
  bool isPart(mlir::Operation *op) const { return mergedInto.contains(op); }
  /// What it does besides its own; null if nothing.
  const Merge *at(mlir::Operation *op) const {
    auto merge = byLeader.find(op);
    return merge == byLeader.end() ? nullptr : &merge->second;
  }

private:
  llvm::DenseMap<mlir::Operation *, Merge> byLeader; ///< the first load or the last store
  llvm::DenseMap<mlir::Operation *, mlir::Operation *> mergedInto;
};

/// Decides for all global accesses, before anything is selected.
class AddressPlan {
public:
  void plan(mlir::LLVM::LLVMFuncOp function, LinearForms &forms, const Divergence &divergence);
  Merges merges;
  llvm::DenseSet<mlir::Value> sharedBySides;  ///< pointers that several sides of branches access by
  llvm::DenseSet<mlir::Value> sumsUniform;    ///< pointers whose uniform part is added to several roots
  llvm::DenseSet<mlir::Value> uniformInLanes; ///< pointers whose uniform part goes to the lane offset

private:
  void planSharing(llvm::ArrayRef<PointerAccess> accesses, const Divergence &divergence);
  void planLanes(llvm::ArrayRef<PointerAccess> accesses, LinearForms &forms, const Divergence &divergence);
};

} // namespace inflight::select
