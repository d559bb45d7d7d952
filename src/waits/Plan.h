// Better waits for a program: which to remove, weaken, move or add.
#pragma once

#include "program/Edit.h"
#include "waits/flow/Needs.h"

namespace inflight::waits {

enum class Goal : uint8_t {
  Strip,  ///< no waits but for what the program's waits order for other waves
  Insert, ///< these and the weakest sound ones
  Relax,  ///< the program's own, weaker or later where that gains; no LDS access waits for less than it did where
          ///< overlap isn't known
};

struct Plan {
  std::vector<Edit> edits;                                ///< by instruction
  unsigned kept = 0, changed = 0, removed = 0, added = 0; ///< waits
};

/// The wait as an edit: in front of the jump when there is only this exit, else for who falls through.
Edit editOnEdge(const Program &program, const EdgeWait &wait);

/// Whether anything raises the counter of exports: else waits for it are for nothing.
bool hasExports(const Program &program);

/// `graph` is describe(program); its LDS addresses should be followed but to strip.
Plan plan(const Program &program, const Graph &graph, Goal goal);
Plan plan(const Program &program, Goal goal);

} // namespace inflight::waits
