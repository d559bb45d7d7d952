// Returns that go to the call that they came from.
#pragma once

#include "waits/graph/Graph.h"

namespace inflight::waits {

/// Gives each call a copy of what it calls, whose returns go behind this call alone; calls in the copy get copies of
/// their own. Functions that only compute with registers need none: control goes to them, and behind the call.
/// Recursive calls, and those for which the copies would be too many, share the functions as they stand, which return
/// to any of their callers. `graph` has the program's blocks, or those of phases.
void matchCalls(Graph &graph, const Program &program);

/// `graph` as it was before.
void forgetCalls(Graph &graph);

} // namespace inflight::waits
