#include "cli/CommandLine.h"
#include "events/EventFile.h"
#include "events/Tee.h"
#include "support/Diagnostics.h"
#include "trace/StallReport.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"report", "", "where the time went, to standard output; the default if nothing else is asked for"},
    {"top", "N", "instructions that the report lists (default 10)"},
    {"partial", "", "shows what there is of a file that ends too early"},
};

static Expected<int> run(const Arguments &arguments) {
  if (arguments.positional.size() != 1)
    return usageError("one file of events is needed");
  const std::string &input = arguments.positional[0];
  trace::ReportOptions report;
  if (arguments.has("top") && StringRef(arguments.get("top")).getAsInteger(10, report.top))
    return usageError("--top takes a number, not '" + arguments.get("top") + "'");
  report.colour = outs().is_displayed() && !sys::Process::GetEnv("NO_COLOR");

  events::Tee sinks;
  trace::RunStatistics statistics;
  sinks.add(statistics);
  Expected<events::Replayed> replayed = events::replay(input, sinks, arguments.has("partial"));
  if (!replayed)
    return replayed.takeError();
  if (replayed->truncated)
    errs() << "inflight trace: warning: " << input << " ends too early, at byte " << replayed->bytes << ": this is a part of the run\n";
  trace::printStallReport(outs(), statistics, report);
  return 0;
}

const Verb traceVerb = {
    "trace", "Show where the time of a run went", "[options] FILE.events", options,
    "  inflight trace run.events --top 20\n",
    run};

} // namespace inflight::cli
