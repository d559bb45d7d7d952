// Findings of a run as items of a report.
#pragma once

#include "machine/check/inflight/Findings.h"
#include "object/SourceLines.h"
#include "support/report/Report.h"

namespace inflight::machine::check {

std::vector<ReportItem> reportItems(llvm::ArrayRef<ReportedFinding> findings, const SourceLines &lines,
                                    llvm::StringRef kernel);

} // namespace inflight::machine::check
