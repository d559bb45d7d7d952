// A path through a program whose data nobody knows: loops run a number of times, branches go where something is left to
// see.
#pragma once

#include "program/Program.h"

namespace inflight::machine::timed {

/// Paths from the entry of each kernel (each function, where there is none) that together pass every instruction that a
/// path can reach, as far as the limit lets them. A path is a list of blocks.
std::vector<std::vector<uint32_t>> findPaths(const Program &program, unsigned trips);

} // namespace inflight::machine::timed
