// Findings in clang's style: the line they are on, a caret, and notes.
#pragma once

#include "support/report/Report.h"
#include "support/report/SourceText.h"

namespace inflight {

struct ClangStyle {
  SourceText *sources = nullptr; ///< whose lines may be shown; null: none
  llvm::StringRef rulePrefix;    ///< "-W" where rules are flags
  unsigned columns = 0;          ///< of the terminal; 0: any number
};

/// `file:line:col: error: message [rule]`, the source line with a caret, the instruction of a code object, notes for
/// what is related, for the hint, and for where the run was. Places without a source line are `artifact:0xADDRESS`.
void writeClangText(llvm::raw_ostream &os, llvm::ArrayRef<ReportItem> items, llvm::StringRef artifact,
                    const ClangStyle &style);

/// Such text as it may be shown, on a terminal in clang's colours.
void showClangText(llvm::raw_ostream &os, llvm::StringRef text);

} // namespace inflight
