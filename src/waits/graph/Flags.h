// Which loads may be of flags: those whose value decides where control goes, which lanes are active, or what another
// load reads.
#pragma once

#include "program/Program.h"
#include "waits/graph/Graph.h"
#include "waits/graph/OpTraits.h"
#include <vector>

namespace inflight::waits {

struct Deciders {
  std::vector<bool> ofControl; ///< by op: a branch or EXEC depends on what it loads; empty: on none
  bool areLdsReads = false;    ///< a branch, EXEC or the address of a load depends on what some read of LDS brings
};

/// Blocks of `graph` are the program's. `areLdsReads` only when it is asked for.
Deciders findDeciders(const Graph &graph, const Program &program, const OpTraits &traits, bool asksForLdsReads);

} // namespace inflight::waits
