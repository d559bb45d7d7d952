// What is wrong with a program's wait states, and what its s_nop are for.
#pragma once

#include "hazards/NopReport.h"
#include "support/report/RuleLevels.h"
#include "llvm/Support/JSON.h"

namespace inflight::lint {

/// missing-wait-states, wait-state-advice, superfluous-nop, unresolved-hazard and unresolved-hazard-advice.
llvm::ArrayRef<RuleSpec> hazardRules();

/// Findings of hazards::verify() and, with `strictness`, of hazards::report(); without what comments suppress.
std::vector<ReportItem> hazardItems(const Program &program, bool strictness);

void writeNopText(llvm::raw_ostream &os, const Program &program, llvm::ArrayRef<hazards::NopReport> reports);
llvm::json::Array nopJson(const Program &program, llvm::ArrayRef<hazards::NopReport> reports);

} // namespace inflight::lint
