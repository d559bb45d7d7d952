// Two builds of kernels side by side, and budgets that a build has to keep.
#pragma once

#include "lint/KernelPairs.h"
#include "support/report/Report.h"

namespace inflight::lint {

struct KernelChange : KernelPair {
  double score = 0; ///< above 0: worse; rows are sorted by it
};

struct KernelDiff {
  std::vector<KernelChange> changes; ///< worst first; equal kernels are not among them
  size_t same = 0;
  std::vector<ReportItem> violations; ///< of the budget
};

KernelDiff diffKernels(llvm::ArrayRef<KernelPair> pairs);

/// Checks a budget: JSON, {"PATTERN": {"vgprs": 128, "vgpr_spills": 0, "loop_cycles": "+5%"}}. A number is the most (of
/// waves_per_simd: the least) that kernels whose name fits the glob pattern may have; a text, how much worse than
/// before.
llvm::Error checkBudget(llvm::StringRef json, llvm::StringRef name, llvm::ArrayRef<KernelPair> pairs, KernelDiff &diff);

/// kernel-worse and budget.
llvm::ArrayRef<llvm::StringRef> kernelDiffRules();

/// A table for a terminal, or Markdown.
void writeKernelDiff(llvm::raw_ostream &os, const KernelDiff &diff, bool isMarkdown);
llvm::json::Object kernelDiffObject(const KernelDiff &diff);
/// What became worse, and violations, for SARIF and GitHub.
std::vector<ReportItem> kernelDiffItems(const KernelDiff &diff);

} // namespace inflight::lint
