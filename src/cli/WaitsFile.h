// What `inflight waits` does with one file.
#pragma once

#include "support/Baseline.h"
#include "support/RuleLevels.h"
#include "machine/timed/StaticRun.h"
#include "waits/Plan.h"
#include "llvm/Support/JSON.h"
#include <limits>
#include <optional>

namespace inflight::cli {

struct WaitsRequest {
  bool verifies = false, reports = false, annotates = false, prices = false, debugs = false;
  bool withHazards = false; ///< the same for wait states
  std::optional<waits::Goal> goal; ///< edits
  bool editsInPlace = false;
  bool tellsTime = false;
  machine::timed::StaticOptions pricing;
  std::string chip;
  ReportFormat format = ReportFormat::Text;
  const RuleLevels *levels = nullptr;
  const Baseline *baseline = nullptr; ///< null: none
  unsigned maxFindings = ~0u;         ///< shown of each file
  double latencyMargin = std::numeric_limits<double>::infinity(); ///< what counts on so many times the latency isn't reported
  std::string output;                 ///< of an edit that isn't in place
};

struct WaitsResult {
  std::string out, err;            ///< text for standard output and standard error
  std::vector<ReportItem> items;   ///< after levels, suppression and baseline
  llvm::json::Array programs;      ///< of --format=json
  int status = 0;
};

/// Exit statuses.
inline constexpr int cleanStatus = 0, findingsStatus = 1, unusableStatus = 2, undecidedStatus = 4;
/// The graver of two.
int worse(int a, int b);

WaitsResult serveFile(llvm::StringRef path, const WaitsRequest &request);

} // namespace inflight::cli
