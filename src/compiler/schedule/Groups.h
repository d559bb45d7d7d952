// The order of instruction groups that the source asks for: SCHED_GROUP, of rocdl.sched.group.barrier.
//
// The groups of one sync id in a stretch are a pipeline. A group takes up to its size of the instructions that stand
// before its SCHED_GROUP and that its mask names; no instruction of a group comes before one of an earlier group. What
// is in no group may stand anywhere. Dependencies go first: a group that they leave too few instructions is shorter.
#pragma once

#include "compiler/schedule/Graph.h"

namespace inflight::lir {

/// What the source asks for: operands of a SCHED_GROUP, as LLVM's sched_group_barrier has them.
struct GroupRequest {
  unsigned unit; ///< of the SCHED_GROUP
  unsigned mask; ///< GroupMask
  unsigned size; ///< instructions
  unsigned syncId;
  unsigned filled = 0; ///< instructions that it got
};

/// The groups of a stretch, in the order of the source.
std::vector<GroupRequest> findGroups(const Graph &graph, llvm::ArrayRef<Inst> insts);

/// Adds edges between the groups to the graph.
void orderGroups(Graph &graph, llvm::ArrayRef<Inst> insts, std::vector<GroupRequest> &groups);

} // namespace inflight::lir
