#include "cli/DebugOptions.h"

#include "machine/debug/StopJson.h"
#include "machine/debug/StopText.h"
#include "support/report/Excerpt.h"
#include "support/report/Report.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace inflight::machine;

namespace inflight::cli {

ArrayRef<OptionSpec> debugOptions() {
  static const OptionSpec options[] = {
      {"break", "PLACE[,WHICH]",
       "show waves that are about to execute PLACE: an address, FILE:LINE, a label, or end; WHICH: workgroup=X,Y,Z, "
       "wave=N, hit=N, hit=N-M or hit=all (default: each wave's first), stops=N (default 4); may be repeated"},
      {"dump", "LIST",
       "what is shown at each break and at a fault; without a break, at the end of the first wave: v0-v5, s4, a0-a3, "
       "vcc, lds:0x100-0x140, global:ARG+0x10-0x20; a type behind it: v0-v5:f32"},
      {"watch", "RANGE",
       "who writes there: lds:0x100-0x140[,workgroup=X,Y,Z], an argument's number or name, ARG+0x10-0x20, "
       "global:ADDRESS-ADDRESS; the last writes at the end, the last writers at each break; may be repeated"},
  };
  return options;
}

namespace {

class TextSession final : public DebugSession, public debug::Listener {
public:
  TextSession(std::shared_ptr<const SourceLines> code, const SourcePolicy &policy, Progress &progress)
      : lines(std::move(code)),
        sources(lines->checksums(), policy),
        text(outs(), tableStyle(), &sources),
        progress(progress) {
    asked.listener = this;
    asked.lines = lines.get();
  }
  void stopped(const debug::Stop &stop) override {
    progress.clear();
    text.stopped(stop);
  }
  void watched(const debug::WatchReport &watch) override {
    progress.clear();
    text.watched(watch);
  }
  void note(const std::string &note) override {
    progress.clear();
    text.note(note);
  }

private:
  static debug::TableStyle tableStyle() {
    const TextStyle style = styleOf(outs());
    return {style.columns ? style.columns : 80, style.hasColour};
  }
  std::shared_ptr<const SourceLines> lines;
  SourceText sources;
  debug::StopText text;
  Progress &progress;
};

class JsonSession final : public DebugSession, public debug::Listener {
public:
  explicit JsonSession(std::shared_ptr<const SourceLines> code) : lines(std::move(code)) {
    asked.listener = this;
    asked.lines = lines.get();
  }
  void stopped(const debug::Stop &stop) override { stops.push_back(debug::stopObject(stop)); }
  void watched(const debug::WatchReport &watch) override { watches.push_back(debug::watchObject(watch)); }
  void note(const std::string &text) override { notes.push_back(text); }
  void addTo(json::Object &report) override {
    report["stops"] = std::move(stops);
    report["watches"] = std::move(watches);
    report["notes"] = std::move(notes);
  }

private:
  std::shared_ptr<const SourceLines> lines;
  json::Array stops, watches, notes;
};

} // namespace

Expected<std::unique_ptr<DebugSession>> parseDebugOptions(const Arguments &arguments, KernelLaunch &launch,
                                                          ReportFormat format, const SourcePolicy &sources) {
  debug::Request request;
  for (const std::string &text : arguments.all("break")) {
    Expected<debug::BreakSpec> spec = debug::parseBreak(text);
    if (!spec)
      return usageError("--break: " + toString(spec.takeError()));
    request.breaks.push_back(std::move(*spec));
  }
  for (const std::string &text : arguments.all("dump")) {
    Expected<std::vector<debug::DumpItem>> items = debug::parseDump(text);
    if (!items)
      return usageError("--dump: " + toString(items.takeError()));
    request.dumps.insert(request.dumps.end(), items->begin(), items->end());
  }
  for (const std::string &text : arguments.all("watch")) {
    Expected<debug::WatchSpec> spec = debug::parseWatch(text);
    if (!spec)
      return usageError("--watch: " + toString(spec.takeError()));
    request.watches.push_back(std::move(*spec));
  }
  if (request.breaks.empty() && request.dumps.empty() && request.watches.empty())
    return nullptr;
  if (format == ReportFormat::Sarif || format == ReportFormat::Github)
    return usageError("--break, --dump and --watch are printed as text or json");
  auto lines = std::make_shared<const SourceLines>(launch.bytes);
  std::unique_ptr<DebugSession> session;
  if (format == ReportFormat::Json)
    session = std::make_unique<JsonSession>(lines);
  else
    session = std::make_unique<TextSession>(lines, sources, launch.progress);
  session->ask(std::move(request));
  return session;
}

} // namespace inflight::cli
