// What each s_nop of a program is for.
#pragma once

#include "hazards/HazardTable.h"
#include "program/Program.h"

namespace inflight::hazards {

/// Two instructions that would be too near to each other without some s_nop.
struct NopReason {
  uint32_t producer = 0, consumer = 0;
  const Rule *rule = nullptr;
  unsigned required = 0; ///< wait states between the two
  unsigned states = 0;   ///< wanted of this s_nop
};

struct NopReport {
  uint32_t instruction = 0;
  unsigned states = 0;            ///< wait states that it gives
  unsigned wanted = 0;            ///< with all others as they are; 0: it is superfluous
  bool isPadding = false;         ///< nothing reaches it
  std::vector<NopReason> reasons; ///< those that want most first
};

/// Reports on s_nop, ordered by instruction. Empty also when the rules can't be had, which verify() complains of.
std::vector<NopReport> report(const Program &program);

} // namespace inflight::hazards
