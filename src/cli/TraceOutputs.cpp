#include "cli/TraceOutputs.h"

#include "cli/LaunchOptions.h"

#include "events/EventFile.h"
#include "support/Plural.h"
#include "trace/AgainstReport.h"
#include "trace/Perfetto.h"
#include "trace/ProfilerMetrics.h"
#include "trace/StallReport.h"
#include "trace/page/HtmlPage.h"
#include "trace/viewer/ViewerDirectory.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

using namespace llvm;

namespace inflight::cli {

static const OptionSpec outputOptions[] = {
    {"report", "json",
     "where the time went, to standard output: by cause, pipe, loop and instruction; what is printed if nothing else "
     "is asked for",
     FileUse::None, false, true},
    {"top", "N", "instructions that the report lists (default 10)"},
    {"against", "DIR|FILE.csv",
     "a thread trace of the same kernel on hardware, as ROCprof Compute Viewer opens it, or a table of it: shows by "
     "instruction and segment what both took; with --report=json as JSON, with --html on the page, too",
     FileUse::Read},
    {"metrics", "json|csv", "metrics by the names and definitions of ROCm Compute Profiler, to standard output",
     FileUse::None, false, true},
    {"viewer", "DIR",
     "writes what ROCprof Compute Viewer opens: DIR/ui_output_agent_0_dispatch_1 and a table beside it",
     FileUse::Written},
    {"viewer-waves", "N", "waves that get a file there (default 1000)"},
    {"sources", "DIR",
     "sources below DIR are copied there and shown on the page, too; off: none (default: those whose contents have the "
     "MD5 sum that the debug information states)"},
    {"perfetto", "FILE.json[.gz]", "writes a timeline for ui.perfetto.dev", FileUse::Written},
    {"html", "FILE.html", "writes a page of its own for the browser: timeline, listing and what waits waited for",
     FileUse::Written},
    {"beside", "FILE.events",
     "shows that run, of the kernel before a change say, below this one on the page: what each instruction took in "
     "both",
     FileUse::Read},
    {"events", "FILE", "writes the events themselves, for `inflight trace FILE` later", FileUse::Written},
};
ArrayRef<OptionSpec> traceOutputOptions() { return outputOptions; }

namespace {

enum class Style { None, Text, Json, Csv };

Expected<Style> styleOf(const Arguments &arguments, StringRef option, bool hasCsv = false) {
  if (!arguments.has(option))
    return Style::None;
  const std::string value = arguments.get(option);
  if (value.empty())
    return Style::Text;
  if (value == "json")
    return Style::Json;
  if (value == "csv" && hasCsv)
    return Style::Csv;
  return usageError("--" + option + " is text, or json" + (hasCsv ? " or csv" : "") + ": not '" + value + "'");
}

class Outputs final : public TraceOutputs {
public:
  events::Sink &sink() override { return tee; }
  Error finish() override;

  events::Tee tee;
  Style report = Style::None, metricsStyle = Style::None;
  trace::ReportOptions reportOptions;
  trace::RunStatistics statistics;
  trace::ProfilerMetrics metrics;
  std::unique_ptr<events::EventWriter> events;
  std::unique_ptr<trace::PerfettoTrace> perfetto;
  std::unique_ptr<trace::ViewerDirectory> viewer;
  std::unique_ptr<trace::HtmlPage> page;
  std::unique_ptr<trace::Against> against;
};

Error Outputs::finish() {
  std::optional<trace::Comparison> comparison;
  if (against) {
    if (Error error = against->check())
      return error;
    comparison = against->compare();
  }
  if (events)
    if (Error error = events->commit())
      return error;
  if (perfetto)
    if (Error error = perfetto->commit())
      return error;
  if (page && comparison)
    page->setSilicon(*comparison);
  if (page)
    if (Error error = page->commit())
      return error;
  if (viewer) {
    if (Error error = viewer->commit())
      return error;
    if (viewer->wavesLeftOut())
      errs() << "inflight trace: note: " << viewer->wavesLeftOut()
             << " waves have no file for the viewer: --viewer-waves says how many get one\n";
  }
  if (const unsigned leftOut = viewer ? viewer->sourcesLeftOut() : page ? page->sourcesLeftOut() : 0)
    errs() << "inflight trace: note: " << counted(leftOut, "source") << (leftOut == 1 ? " is" : " are")
           << " not copied, as nothing shows that " << (leftOut == 1 ? "it is that" : "they are those")
           << " of the code: --sources=DIR copies what is below DIR\n";
  if (report == Style::Text)
    trace::printStallReport(outs(), statistics, reportOptions);
  if (metricsStyle == Style::Text) {
    if (report == Style::Text)
      outs() << '\n';
    metrics.print(outs());
  }
  if (metricsStyle == Style::Csv)
    metrics.printCsv(outs());
  const bool isJson = report == Style::Json || metricsStyle == Style::Json;
  if (comparison && !isJson) {
    if (report == Style::Text || metricsStyle == Style::Text)
      outs() << '\n';
    trace::printAgainst(outs(), *against, *comparison, reportOptions);
  }
  json::Object facts;
  if (report == Style::Json)
    facts = trace::stallReportObject(statistics);
  if (metricsStyle == Style::Json)
    facts["metrics"] = metrics.object();
  if (comparison && isJson)
    facts["against"] = trace::againstObject(*against, *comparison);
  if (!facts.empty())
    outs() << formatv("{0:2}\n", json::Value(std::move(facts)));
  return Error::success();
}

Error parseNumber(const Arguments &arguments, StringRef name, unsigned &into) {
  if (arguments.has(name) && StringRef(arguments.get(name)).getAsInteger(10, into))
    return usageError("--" + name + " takes a number, not '" + arguments.get(name) + "'");
  return Error::success();
}

} // namespace

Expected<std::unique_ptr<TraceOutputs>> TraceOutputs::create(const Arguments &arguments) {
  for (StringRef name : {"viewer", "perfetto", "html", "events", "against", "beside"})
    if (arguments.all(name).size() > 1)
      return usageError("--" + name + " is given twice");
  auto outputs = std::make_unique<Outputs>();
  if (Error error = parseNumber(arguments, "top", outputs->reportOptions.top))
    return std::move(error);
  outputs->reportOptions.columns = sys::Process::StandardOutColumns();
  outputs->reportOptions.colour = outs().is_displayed() && !sys::Process::GetEnv("NO_COLOR");
  if (Error error = styleOf(arguments, "report").moveInto(outputs->report))
    return std::move(error);
  if (Error error = styleOf(arguments, "metrics", true).moveInto(outputs->metricsStyle))
    return std::move(error);
  const bool hasOthers = any_of(ArrayRef<StringRef>{"viewer", "perfetto", "html", "events", "against"},
                                [&](StringRef name) { return arguments.has(name); });
  if (outputs->metricsStyle == Style::Csv && (outputs->report != Style::None || arguments.has("against")))
    return usageError("--metrics=csv is all that standard output gets: not with --report or --against");
  if (outputs->report == Style::None && outputs->metricsStyle == Style::None && !hasOthers)
    outputs->report = Style::Text;
  if (outputs->report != Style::None)
    outputs->tee.add(outputs->statistics);
  if (outputs->metricsStyle != Style::None)
    outputs->tee.add(outputs->metrics);
  if (arguments.has("against")) {
    Expected<trace::SiliconTrace> silicon = trace::readSiliconTrace(arguments.get("against"));
    if (!silicon)
      return silicon.takeError();
    outputs->against = std::make_unique<trace::Against>(std::move(*silicon));
    outputs->tee.add(*outputs->against);
  }
  if (arguments.has("events")) {
    if (Error error = events::EventWriter::create(arguments.get("events")).moveInto(outputs->events))
      return std::move(error);
    outputs->tee.add(*outputs->events);
  }
  if (arguments.has("perfetto")) {
    if (Error error = trace::PerfettoTrace::create(arguments.get("perfetto")).moveInto(outputs->perfetto))
      return std::move(error);
    outputs->tee.add(*outputs->perfetto);
  }
  Expected<SourcePolicy> sources = parseSources(arguments);
  if (!sources)
    return sources.takeError();
  if (arguments.has("html")) {
    if (Error error = trace::HtmlPage::create(arguments.get("html"), *sources).moveInto(outputs->page))
      return std::move(error);
    outputs->tee.add(*outputs->page);
  }
  if (arguments.has("beside")) {
    if (!outputs->page)
      return usageError("--beside is for the page: give --html, too");
    Expected<events::Sink *> sink = outputs->page->beside();
    if (!sink)
      return sink.takeError();
    if (Error error = events::replay(arguments.get("beside"), **sink).takeError())
      return std::move(error);
  }
  if (arguments.has("viewer")) {
    trace::ViewerOptions options{*sources};
    if (Error error = parseNumber(arguments, "viewer-waves", options.maxWaves))
      return std::move(error);
    if (Error error = trace::ViewerDirectory::create(arguments.get("viewer"), options).moveInto(outputs->viewer))
      return std::move(error);
    outputs->tee.add(*outputs->viewer);
  }
  return std::move(outputs);
}

} // namespace inflight::cli
