// What other waves can observe of each operation, and what the program's waits keep in order for them
// (docs/wait-analysis.md, "What other waves can observe").
#pragma once

#include "program/Program.h"
#include "waits/graph/Graph.h"
#include "waits/graph/OpTraits.h"

namespace inflight::waits {

/// Sets Op::does and Op::follows. Blocks of `graph` are the program's.
void markOrdering(Graph &graph, const Program &program, const OpTraits &traits);

} // namespace inflight::waits
