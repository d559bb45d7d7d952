// What is wrong with a program's waits, as items of a report.
#pragma once

#include "support/report/RuleLevels.h"
#include "waits/Verify.h"
#include "waits/WaitReport.h"
#include <limits>

namespace inflight::lint {

/// missing-wait, counts-on-latency, counts-on-dma, unreleased-flag, undecided, control-flow, superfluous-wait and
/// strict-wait, with what they are without flags.
llvm::ArrayRef<RuleSpec> waitRules();

/// The rule of what works until memory or LDS is busy. In code objects, which nobody is about to edit, such findings
/// are warnings at most from this margin on.
inline constexpr llvm::StringLiteral countsOnLatency = "counts-on-latency";
inline constexpr double usualMargin = 3;

/// Whether findings of this rule say that something isn't proven rather than wrong: Lint.h's undecidedStatus.
bool leavesOpen(llvm::StringRef rule);

/// Findings of verify(): missing waits, what can't be decided, and control that leaves the code; without those that a
/// comment suppresses and what counts on latency with `latencyMargin` times the latency or more. The kernel is a fact.
std::vector<ReportItem> findingItems(const Program &program, const waits::Verified &verified,
                                     double latencyMargin = std::numeric_limits<double>::infinity());

/// Leaves out what a graver item mends that is shown: of one mistake its first use is told. `items` have their levels,
/// and nothing but those that are shown.
void dropCovered(std::vector<ReportItem> &items);

/// Findings of report(): waits that are not needed or stricter than needed.
std::vector<ReportItem> strictnessItems(const Program &program, const waits::Reported &reported);

/// Whether "inflight: ignore RULE..." (or "inflight: ignore" for all rules) stands in a comment on the instruction's
/// line or directly above.
bool isSuppressed(const Program &program, uint32_t instruction, llvm::StringRef rule);

/// Code that nothing is known to lead to, in a program that goes where the file doesn't say: what is in flight there,
/// and what others leave to its waits, isn't known. None when there is no such code.
std::optional<ReportItem> hiddenCodeItem(const Program &program, const waits::Graph &graph);

/// Where control leaves the code: what stands there would run, and an edit could change what it is.
std::vector<ReportItem> controlFlowItems(const Program &program, const waits::Graph &graph);

} // namespace inflight::lint
