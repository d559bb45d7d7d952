// Accurate expansions of functions of the math dialect, and of remainders.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace inflight {

/// sin, cos, tan, exp, log, log10, powf and sqrt of f32 without the flag afn: within two units in the last place over
/// all arguments, tan within three, sqrt rounded correctly.
void populateF32Expansions(mlir::RewritePatternSet &patterns);

/// The same functions of f64, their inverses and the hyperbolic ones, within two units or so.
void populateF64Expansions(mlir::RewritePatternSet &patterns);

/// arith.remf of all floats, exactly.
void populateRemainderExpansion(mlir::RewritePatternSet &patterns);

} // namespace inflight
