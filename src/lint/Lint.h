// Waits and wait states of one file, checked, explained and changed: what `inflight waits` serves, on bytes in memory.
#pragma once

#include "machine/timed/StaticRun.h"
#include "support/InChild.h"
#include "support/report/Baseline.h"
#include "support/report/RuleLevels.h"
#include "waits/Plan.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <limits>
#include <optional>

namespace inflight::lint {

struct LintRequest {
  bool verifies = false, reports = false, annotates = false, prices = false, debugs = false;
  bool withHazards = false;        ///< the same for wait states
  std::optional<waits::Goal> goal; ///< edits
  bool tellsTime = false;
  machine::timed::StaticOptions pricing;
  std::string chip;
  ReportFormat format = ReportFormat::Text;
  const RuleLevels *levels = nullptr;
  const Baseline *baseline = nullptr; ///< null: none
  bool tellsCovered = false;          ///< also what a graver finding's wait would mend
  unsigned maxFindings = ~0u;         ///< shown of each file
  unsigned columns = 0;               ///< that findings have as text; 0: any number
  double latencyMargin =
      std::numeric_limits<double>::infinity(); ///< what counts on so many times the latency isn't reported
  ChildLimits limits;                          ///< of what is looked at alone; with them one file at a time
  /// Gets a line for each program when that is done, of --format=jsonl. Called from any thread.
  std::function<void(llvm::json::Object)> onProgram;
  /// Of a code object's codeHash: whether programs like it need no look; their lines say so. Empty: all do.
  std::function<bool(llvm::StringRef)> isKnown;
  std::string version, rules; ///< of lines: the tool's, and the options that decide on findings
};

struct LintResult {
  std::string out, err;              ///< text for standard output and standard error
  std::vector<ReportItem> items;     ///< after levels, suppression and baseline
  llvm::json::Array programs;        ///< of --format=json
  std::optional<std::string> edited; ///< the whole file, when `goal` is set and nothing speaks against it
  int status = 0;
};

/// Exit statuses.
inline constexpr int cleanStatus = 0, findingsStatus = 1, unusableStatus = 2, undecidedStatus = 4;
/// The graver of two.
int worse(int a, int b);

/// `bytes`: assembly, an object, a code object, or a file with bundles of them. Errors of the file are in the result's
/// `err`. May be called from several threads. `drop`, when given, is called whenever the bytes won't be looked at for a
/// while and needn't stay in memory.
LintResult lint(llvm::StringRef bytes, llvm::StringRef name, const LintRequest &request,
                llvm::function_ref<void()> drop = nullptr);

} // namespace inflight::lint
