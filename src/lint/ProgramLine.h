// Lines of --format=jsonl: all that is to be known of a program later, without its file.
#pragma once

#include "lint/Lint.h"
#include "program/Program.h"

namespace inflight::lint {

struct ServedProgram {
  const Program &program;
  llvm::StringRef path, bytes; ///< of the file; the program's own
  llvm::ArrayRef<ReportItem> items;
  int status = 0;
  double seconds = 0;
  uint64_t peakBytes = 0;
  llvm::StringRef codeHash = {}; ///< empty: none
  bool isKnown = false;          ///< its code wasn't looked at
};

/// SHA-256 of all that decides on findings: code and control flow, and what kernels' descriptors and metadata say of
/// launches; no names or addresses. Empty for what is no linked code object.
std::string codeHash(const Program &program, llvm::StringRef bytes);

llvm::json::Object programLine(const LintRequest &request, const ServedProgram &served);
/// Of a file that can't be used.
llvm::json::Object errorLine(const LintRequest &request, llvm::StringRef path, llvm::StringRef error);

} // namespace inflight::lint
