// What is known of integers before they are selected: bounds and signs. Of a vector, what holds for all elements.
#pragma once

#include "compiler/select/Values.h"

namespace inflight::select {

class Bounds {
public:
  Bounds(const Isa &chip LLVM_LIFETIME_BOUND, const SelectedValues &values LLVM_LIFETIME_BOUND)
      : chip(chip), values(values) {}
  static constexpr uint64_t unbounded = ~uint64_t(0);
  /// An upper bound of an unsigned value, or `unbounded`.
  uint64_t upperBound(mlir::Value value, unsigned depth = 0);
  bool isNonNegative(mlir::Value value, unsigned depth = 0);
  /// So many bits are enough for the number with its sign.
  unsigned signedBits(mlir::Value value, unsigned depth = 0);
  /// Low bits that are known to be zero.
  unsigned zeroBits(mlir::Value value, unsigned depth = 0) const;
  /// Whether an operation looks at more than the lower half of a number of 64 bits. Sums, products and the like don't
  /// where nobody looks at more of theirs.
  bool needsUpperHalf(mlir::Value value, unsigned depth = 0);
  /// What the comparison of all elements gives, if their bounds tell.
  std::optional<bool> knownComparison(Predicate predicate, mlir::Value a, mlir::Value b);
  /// A loop's iterations may be selected with different constants.
  void forget() {
    knownBounds.clear();
    knownSigns.clear();
  }

private:
  uint64_t findUpperBound(mlir::Value value, unsigned depth);
  bool readsUpperHalf(mlir::OpOperand &use, unsigned depth);
  bool findNonNegative(mlir::Value value, unsigned depth);
  bool areOperandsNonNegative(mlir::Operation *op, unsigned depth);
  const Isa &chip;
  const SelectedValues &values;
  /// Answers by value, with the depth that they were found at: they hold for questions from there and deeper.
  struct Answer {
    uint64_t value;
    unsigned depth;
  };
  llvm::DenseMap<mlir::Value, Answer> knownBounds, knownSigns;
  llvm::DenseMap<mlir::Value, bool> knownNeeds; ///< by the IR alone
};

} // namespace inflight::select
