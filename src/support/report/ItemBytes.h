// Findings on their way from one process to another.
#pragma once

#include "support/report/Report.h"

namespace inflight {

std::string bytesOf(llvm::ArrayRef<ReportItem> items);
/// What bytesOf was given; none for anything else.
std::optional<std::vector<ReportItem>> itemsOf(llvm::StringRef bytes);

} // namespace inflight
