#pragma once

#include "support/report/Report.h"

namespace inflight::lsp {

/// The errors and warnings of a compiler's or assembler's messages that are about the file of that name:
/// "NAME:3:1: error: invalid instruction", with other lines between.
std::vector<ReportItem> compilerMessages(llvm::StringRef messages, llvm::StringRef name);

} // namespace inflight::lsp
