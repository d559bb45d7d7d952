// A Program as the wait analysis sees it.
#pragma once

#include "program/Program.h"
#include "waits/graph/Graph.h"
#include "waits/graph/OpTraits.h"

namespace inflight::waits {

/// The operations and blocks alone: nothing is known of register values, of modes and of other waves.
Graph outline(const Program &program, OpTraits *traits = nullptr);
/// The graph of a program. Register values are followed when it has LDS DMA.
Graph describe(const Program &program, const Limits &limits = {});
/// Follows register values, once.
void followValues(Graph &graph, const Program &program);
/// The same where LDS accesses may be in flight at barriers; elsewhere it would change nothing.
void followLds(Graph &graph, const Program &program);

} // namespace inflight::waits
