// The greedy driver for passes between canonicalizers.
#pragma once

#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace inflight {

/// Applies the patterns, folds and erases what is dead. Regions stay as they are: control flow is structured by then,
/// there are no blocks to merge or to delete.
inline mlir::LogicalResult applyToStructured(mlir::Operation *root, const mlir::FrozenRewritePatternSet &patterns) {
  mlir::GreedyRewriteConfig config;
  config.setRegionSimplificationLevel(mlir::GreedySimplifyRegionLevel::Disabled);
  return mlir::applyPatternsGreedily(root, patterns, config);
}

} // namespace inflight
