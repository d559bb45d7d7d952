// Passes from what they do.
#pragma once

#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"

namespace inflight {

/// Applies the patterns if there is something for them, folds and erases what is dead. Regions stay as they are:
/// control flow is structured by then, there are no blocks to merge or to delete.
mlir::LogicalResult applyToStructured(mlir::Operation *root, const mlir::FrozenRewritePatternSet &patterns);

/// Of patterns for structured bodies. The name, a literal, is what --print-after and inflight-opt call the pass.
std::unique_ptr<mlir::Pass> makePatternPass(llvm::StringRef name, void (*populate)(mlir::RewritePatternSet &));

/// Of what is done to the operation that it is run on.
std::unique_ptr<mlir::Pass> makePass(llvm::StringRef name, std::function<mlir::LogicalResult(mlir::Operation *)> run);

} // namespace inflight
