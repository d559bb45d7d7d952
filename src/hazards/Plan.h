// Better wait states for a program: which s_nop to remove, shorten, lengthen or add.
//
// Not touched is what may have another purpose or can't be edited: s_nop that nothing reaches (padding after the end of
// the program), whose number is a symbol, or that a macro made. Those count as they stand, as do all other
// instructions.
#pragma once

#include "program/Edit.h"

namespace inflight::hazards {

enum class Goal : uint8_t {
  Strip,  ///< no s_nop
  Insert, ///< the fewest wait states that satisfy the rules, as late as possible
  Add,    ///< the same beside the s_nop that there are
  Repair, ///< s_nop stay as they are; added is what pending edits of waits take away from the rules
  Relax,  ///< each s_nop is shortened to what some rule wants of it; none is added
};

struct Plan {
  std::vector<Edit> edits;                                ///< by instruction
  unsigned kept = 0, changed = 0, removed = 0, added = 0; ///< s_nop
  unsigned statesBefore = 0, statesAfter = 0;             ///< wait states of all s_nop
  std::vector<std::string> problems;                      ///< why there is no plan
};

/// `pending` are edits of waits that will be made as well. Waits give wait states, too, so they are planned first;
/// edits of both lists, `pending` first, belong together.
Plan plan(const Program &program, Goal goal, llvm::ArrayRef<Edit> pending = {});

} // namespace inflight::hazards
