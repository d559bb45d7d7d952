// Vector operations that neither upstream's patterns nor its LLVM conversion take apart.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace inflight {

/// Scatter, compress and expand become stores and loads of one element; loads and stores of several
/// dimensions those of one; masked reductions plain ones; run-time positions in outer dimensions
/// selections.
void populateVectorPatterns(mlir::RewritePatternSet &patterns);

/// Comparisons that are the same for all elements of a vector become one, repeated, and so what combines such masks
/// (SplatMasks.cpp).
void populateSplatComparisons(mlir::RewritePatternSet &patterns);

/// Selections, loads and stores under one bit for all elements: a selection of the whole, a load or store in a branch.
void populateSplatMasks(mlir::RewritePatternSet &patterns);

/// Loads and stores under masks of several bits: one access where no lane misses an element, else one an element
/// (MaskedAccesses.cpp).
void populateMaskedAccesses(mlir::RewritePatternSet &patterns);

} // namespace inflight
