// Code in front of a kernel's for firmware that doesn't preload kernel arguments (AMDGPUUsage, "Preloaded Kernel
// Arguments").
#pragma once

#include "program/Program.h"
#include "waits/graph/Graph.h"

namespace inflight::waits {

/// The block loads scalars, waits and jumps to the kernel, nothing else. With preloading the kernel begins where it
/// jumps to, so what it waits for isn't waited for there.
bool isPreloadPrologue(const Program &program, const Graph &graph, const GraphBlock &block);

} // namespace inflight::waits
