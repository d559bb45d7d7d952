// --break, --dump and --watch: what of a run is shown while it runs.
#pragma once

#include "cli/LaunchOptions.h"
#include "machine/debug/Request.h"
#include "support/report/Report.h"
#include "llvm/Support/JSON.h"

namespace inflight::cli {

llvm::ArrayRef<OptionSpec> debugOptions();

/// What the options ask for, and whoever prints it.
class DebugSession {
public:
  virtual ~DebugSession() = default;
  const machine::debug::Request &request() const LLVM_LIFETIME_BOUND { return asked; }
  /// What to show: all of a request but who gets it.
  void ask(machine::debug::Request what) {
    what.listener = asked.listener;
    what.lines = asked.lines;
    asked = std::move(what);
  }
  /// The members of a report in JSON.
  virtual void addTo(llvm::json::Object &report) {}

protected:
  machine::debug::Request asked;
};

/// Null without such options. Text goes to standard output while the kernel runs.
llvm::Expected<std::unique_ptr<DebugSession>> parseDebugOptions(const Arguments &arguments, KernelLaunch &launch,
                                                                ReportFormat format, const SourcePolicy &sources);

} // namespace inflight::cli
