// Accurate expansions of f32 functions of the math dialect.
#pragma once

#include "mlir/IR/PatternMatch.h"

namespace inflight {

/// sin, cos, tan, exp, log, log10, powf and sqrt of f32 without the flag afn: within two units in the last place over
/// all arguments, tan within three, sqrt rounded correctly.
void populateF32Expansions(mlir::RewritePatternSet &patterns);

} // namespace inflight
