// Which loads may be of flags: those whose value decides where control goes, which lanes are active, or what another
// load reads.
#pragma once

#include "program/Program.h"
#include "waits/Graph.h"
#include <vector>

namespace inflight::waits {

struct Deciders {
  std::vector<bool> ofControl;   ///< by op: a branch or EXEC depends on what it loads
  std::vector<bool> ofAddresses; ///< or the address of a load
};

/// Blocks of `graph` are the program's.
Deciders findDeciders(const Graph &graph, const Program &program);

} // namespace inflight::waits
