// Whether EXEC keeps the lanes that an operation in flight writes apart from those that use its registers.
#pragma once

#include "program/Program.h"
#include "waits/graph/Graph.h"

namespace inflight::waits {

/// Whether the lanes that `producer` writes are all others than those in which `user` touches its result, when control
/// comes through `path`, the blocks from the producer's to the user's. False when it isn't known.
bool areLanesDisjoint(const Program &program, const Graph &graph, uint32_t producer, uint32_t user,
                      llvm::ArrayRef<uint32_t> path);

} // namespace inflight::waits
