// The greedy driver for passes between canonicalizers.
#pragma once

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace inflight {

/// Whether there is an operation that one of the patterns might rewrite.
inline bool hasRootOf(mlir::Operation *root, const mlir::FrozenRewritePatternSet &patterns) {
  if (!patterns.getMatchAnyOpNativePatterns().empty() || patterns.getPDLByteCode())
    return true;
  const auto &ofOperation = patterns.getOpSpecificNativePatterns();
  return root
      ->walk([&](mlir::Operation *op) {
        return ofOperation.contains(op->getName()) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

/// Applies the patterns if there is something for them, folds and erases what is dead. Regions stay as they are:
/// control flow is structured by then, there are no blocks to merge or to delete.
inline mlir::LogicalResult applyToStructured(mlir::Operation *root, const mlir::FrozenRewritePatternSet &patterns) {
  if (!hasRootOf(root, patterns))
    return mlir::success();
  mlir::GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(mlir::GreedySimplifyRegionLevel::Disabled);
  return mlir::applyPatternsGreedily(root, patterns, config);
}

} // namespace inflight
