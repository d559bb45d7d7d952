// By how many registers S_SET_GPR_IDX_ON moves others at most, where that is computed with values that are followed.
#pragma once

#include "program/VectorModes.h"

namespace inflight::values {

class WaveBranches;

/// Wave numbers are bounded by the greatest workgroup, fields by their bits. What isn't among them may be any.
VectorModes::IndexBounds indexBounds(const Program &program, const WaveBranches &branches);

} // namespace inflight::values
