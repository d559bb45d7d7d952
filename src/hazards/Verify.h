// Missing wait states of a program.
#pragma once

#include "hazards/HazardTable.h"
#include "hazards/shadow/Verify.h"
#include "program/Program.h"
#include "support/report/Report.h"

namespace inflight::hazards {

/// Two instructions that are too near to each other on some path.
struct Finding {
  uint32_t instruction = 0, producer = 0; ///< the second and the first of the two
  const Rule *rule = nullptr;
  unsigned required = 0, found = 0; ///< wait states
  unsigned missing = 0;             ///< before `instruction`, for all its producers that are as grave
  unsigned elapsed = 0;             ///< `found`, with the time that instructions between are known to stall
  Gravity gravity = Gravity::Error;
  std::vector<uint32_t> path; ///< blocks from the producer's to the instruction's; empty when they are one
};

struct Verified {
  std::vector<Finding> findings;        ///< by instruction, then by producer: one for each two
  std::vector<shadow::Finding> shadows; ///< of chips whose hazards certain instructions end
  std::vector<std::string> problems;    ///< why the program could not be judged: exit status 4
};

Verified verify(const Program &program);

/// A finding for people and tools: missing-wait-states, or wait-state-advice with the reason why it is no error.
ReportItem describeFinding(const Program &program, const Finding &finding);

/// "s_nop 3", "s_nop 15 and s_nop 2".
std::string nopText(unsigned states);

} // namespace inflight::hazards
