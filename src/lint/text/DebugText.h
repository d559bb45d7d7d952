// How the engine comes to its states, block by block until nothing changes.
#pragma once

#include "program/Program.h"
#include "waits/graph/Graph.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::lint {

/// For each visit of a block what may be in flight at its beginning and end; then what every operation still needs.
void writeDebugText(llvm::raw_ostream &os, const Program &program, const waits::Graph &graph);

} // namespace inflight::lint
