// What `inflight trace` makes of a run's events, whether they come from a file or from a run.
#pragma once

#include "cli/CommandLine.h"
#include "events/Tee.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace inflight::cli {

/// The options that outputs are asked for with.
llvm::ArrayRef<OptionSpec> traceOutputOptions();

class TraceOutputs {
public:
  /// Opens the outputs that are asked for; without any, the report.
  static llvm::Expected<std::unique_ptr<TraceOutputs>> create(const Arguments &arguments);
  virtual ~TraceOutputs() = default;
  /// Where the events go.
  virtual events::Sink &sink() = 0;
  /// After the last event: files get their names, texts are printed.
  virtual llvm::Error finish() = 0;
};

} // namespace inflight::cli
