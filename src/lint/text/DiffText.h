// What changed between two versions of a program, for people and tools.
#pragma once

#include "support/report/RuleLevels.h"
#include "waits/Diff.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::lint {

/// wait-added, wait-stricter, wait-weaker, wait-removed, wait-earlier and wait-later.
llvm::ArrayRef<RuleSpec> diffRules();
std::vector<ReportItem> diffItems(const Program &before, const Program &after, const waits::Diff &diff);
/// Writes the differences by kernel and loop.
void writeDiffText(llvm::raw_ostream &os, const Program &before, const Program &after, const waits::Diff &diff);

} // namespace inflight::lint
