// Bounds of index arithmetic, over all lanes and iterations.
#pragma once

#include "compiler/lanes/LaneForms.h"

namespace inflight::lanes {

/// A value's numbers, as signed ones, are from `least` to `most`.
struct Range {
  int64_t least = std::numeric_limits<int64_t>::min();
  int64_t most = std::numeric_limits<int64_t>::max();
};

/// Where an operation is executed at all, and without what poison would allow: flags such as nsw say nothing here,
/// since what a branch computes may be computed where the branch isn't taken.
class Ranges {
public:
  explicit Ranges(LaneForms &forms) : forms(forms) {}
  /// The range of an integer or index.
  Range of(mlir::Value value);
  /// The range of the sum of a form's terms.
  Range ofTerms(const LaneForm &form);

private:
  Range compute(mlir::Value value);
  Range computeOp(mlir::Operation *op);

  LaneForms &forms;
  llvm::DenseMap<mlir::Value, Range> known;
};

} // namespace inflight::lanes
