// Vector operations that neither upstream's patterns nor its LLVM conversion take apart.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/PatternMatch.h"

namespace inflight {

/// Scatter, compress and expand become stores and loads of one element; loads and stores of several
/// dimensions those of one; masked reductions plain ones; run-time positions in outer dimensions
/// selections.
void populateVectorPatterns(mlir::RewritePatternSet &patterns);

/// Comparisons that are the same for all elements of a vector become one, repeated, and so what combines such masks
/// (SplatMasks.cpp).
void populateSplatComparisons(mlir::RewritePatternSet &patterns);

/// A comparison as canonical order doesn't leave it, which puts constants last: `limit > number` is `number < limit`.
struct LimitCompare {
  mlir::arith::CmpIPredicate predicate; ///< none of sgt, ugt, sle, ule
  mlir::Value number, limit;
};
LimitCompare limitCompare(mlir::arith::CmpIOp op);

/// The number that a vector repeats, a new constant if it is one; nothing if the vector isn't known to repeat one
/// (SplatMasks.cpp).
mlir::Value repeatedScalar(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value vector);

/// The bit that all elements of a mask are, computed where it follows from divisibility; nothing if they may differ.
mlir::Value repeatedBit(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value mask);

/// Selections, loads and stores under one bit for all elements: a selection of the whole, a load or store in a branch.
void populateSplatMasks(mlir::RewritePatternSet &patterns);

/// Loads and stores under masks of several bits: one access in the lanes that have all elements, one an element in
/// those that have some (MaskedAccesses.cpp).
void populateMaskedAccesses(mlir::RewritePatternSet &patterns);

} // namespace inflight
