// Findings in clang's style: the line they are on, a caret, and notes.
#pragma once

#include "support/Report.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight {

/// Lines of one text file.
class SourceText {
public:
  explicit SourceText(llvm::StringRef text) : text(text) {}
  /// Without its end; empty when there is no such line. Lines count from 1.
  llvm::StringRef line(unsigned number) const;

private:
  llvm::StringRef text;
  mutable std::vector<uint32_t> starts;
};

/// `file:line:col: error: message [-Wrule]`, the source line with a caret, notes for what is related, and the hint as a
/// note. Places in a code object are `file:0xADDRESS`, with the instruction for a source line. `source` is the text of
/// `artifact` when that is assembly, else null.
void writeClangText(llvm::raw_ostream &os, llvm::ArrayRef<ReportItem> items, llvm::StringRef artifact,
                    const SourceText *source);

} // namespace inflight
