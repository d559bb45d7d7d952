// Better waits for a program that has them: each stays where it is, as weak as its uses allow, or moves where that
// frees something long.
#pragma once

#include "waits/Plan.h"

namespace inflight::waits {

/// No edit makes a wait stricter or adds one to a loop. `graph` is describe(program), its LDS addresses followed.
Plan relax(const Program &program, const Graph &graph);

} // namespace inflight::waits
