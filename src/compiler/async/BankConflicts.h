// What the banks of LDS make of a read.
#pragma once

#include "compiler/async/LaneTable.h"
#include "isa/LdsRules.h"

namespace inflight::async {

/// Cycles that the waves of a workgroup of `lanes` lanes wait for banks, beyond the cycles of a read without conflicts.
unsigned bankConflicts(const LaneTable &address, unsigned bytes, unsigned lanes, const LdsRules &rules);

} // namespace inflight::async
