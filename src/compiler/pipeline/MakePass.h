// Passes from what they do.
#pragma once

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace inflight {

/// Applies the patterns if there is something for them, folds and erases what is dead. Regions stay as they are:
/// control flow is structured by then, there are no blocks to merge or to delete.
mlir::LogicalResult applyToStructured(mlir::Operation *root, const mlir::FrozenRewritePatternSet &patterns);

/// A pass that applies patterns to structured bodies. --print-after and inflight-opt know it by the name, a literal.
std::unique_ptr<mlir::Pass> makePatternPass(llvm::StringRef name, void (*populate)(mlir::RewritePatternSet &));

/// A pass that calls `run` on its operation.
std::unique_ptr<mlir::Pass> makePass(llvm::StringRef name, std::function<mlir::LogicalResult(mlir::Operation *)> run);

} // namespace inflight
