#include "lint/Lint.h"

#include "hazards/HazardTable.h"
#include "hazards/Plan.h"
#include "hazards/shadow/Rules.h"
#include "lint/PriceWaits.h"
#include "lint/ProgramLine.h"
#include "lint/VerifyParts.h"
#include "lint/text/Annotate.h"
#include "lint/text/DebugText.h"
#include "lint/text/Findings.h"
#include "lint/text/NopText.h"
#include "lint/text/PriceText.h"
#include "lint/text/ReportText.h"
#include "object/SourceLines.h"
#include "program/read/VisitPrograms.h"
#include "rewrite/Rewrite.h"
#include "support/Diagnostics.h"
#include "support/PeakMemory.h"
#include "support/Plural.h"
#include "support/report/ClangText.h"
#include "waits/Price.h"
#include "waits/graph/BuildGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <map>

using namespace llvm;

namespace inflight::lint {

int worse(int a, int b) {
  static constexpr int order[] = {cleanStatus, undecidedStatus, findingsStatus, unusableStatus};
  return find(order, a) < find(order, b) ? b : a;
}

namespace {

class FileService {
public:
  FileService(StringRef bytes, StringRef name, const LintRequest &request, function_ref<void()> drop)
      : bytes(bytes), name(name), request(request), drop(drop), out(result.out), err(result.err) {}

  LintResult run() {
    if (Error error = serve()) {
      const std::string text = toString(std::move(error));
      // Messages with a place are complete; the others say what file they are about.
      err << (StringRef(text).contains("error:") ? "" : (name + ": error: ").str()) << text << '\n';
      result.status = unusableStatus;
    }
    return std::move(result);
  }

private:
  using Clock = std::chrono::steady_clock;

  Error serve() {
    std::vector<std::unique_ptr<Program>> programs;
    Clock::duration reading{}, analysing{};
    auto at = Clock::now();
    auto lap = [&] {
      const auto now = Clock::now();
      return now - std::exchange(at, now);
    };
    uint64_t instructions = 0;
    if (request.onProgram)
      restartPeakMemory();
    auto visit = [&](std::unique_ptr<Program> program, StringRef own) {
      const Clock::duration read = lap();
      instructions += program->instructions().size();
      Served served;
      const std::string hash = request.onProgram ? codeHash(*program, own) : "";
      const bool isKnown = request.isKnown && !hash.empty() && request.isKnown(hash);
      Error error = request.withHazards ? requireRules(program->isa()) : Error::success();
      if (!error && !isKnown)
        error = serve(*program, served);
      const Clock::duration analysed = lap();
      reading += read;
      analysing += analysed;
      if (!error && request.onProgram) {
        request.onProgram(
            programLine(request, {*program, name, own, served.items, served.status, seconds(read + analysed),
                                  std::max(peakMemory(), served.peakBytes), hash, isKnown}));
        restartPeakMemory();
      }
      if (request.goal)
        programs.push_back(std::move(program));
      else
        graphs.erase(program.get());
      return error;
    };
    if (Error failed = visitPrograms(bytes, name, request.chip, visit, drop))
      return failed;
    reading += lap();
    // What is undecided or counts on latency stays as it is.
    const bool isMissing = any_of(result.items, [](const ReportItem &item) {
      return StringRef(item.rule).starts_with("missing-wait") || item.rule == "unresolved-hazard";
    });
    if (request.goal && !isMissing && result.status != unusableStatus)
      if (Error error = edit(programs))
        return error;
    if (request.tellsTime) {
      const Clock::duration editing = lap();
      err << formatv(
          "{0}: {1} instructions: read {2:f3} s, analysed {3:f3} s, edited {4:f3} s; {5:f0} thousand a second\n", name,
          instructions, seconds(reading), seconds(analysing), seconds(editing),
          instructions / seconds(reading + analysing + editing) / 1000);
    }
    return Error::success();
  }

  static double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

  /// The one description of a program that all services share.
  std::shared_ptr<waits::Graph> graphOf(const Program &program) {
    std::shared_ptr<waits::Graph> &graph = graphs[&program];
    if (!graph)
      graph = std::make_shared<waits::Graph>(waits::describe(program));
    return graph;
  }

  /// What came of a program.
  struct Served {
    std::vector<ReportItem> items;
    int status = cleanStatus;
    uint64_t peakBytes = 0; ///< of child processes
  };

  /// Without rules nothing would ever be found.
  static Error requireRules(const Isa &isa) {
    Expected<const hazards::HazardTable *> table = hazards::HazardTable::get(isa);
    if (!table)
      return table.takeError();
    Expected<const hazards::shadow::Table *> shadows = hazards::shadow::Table::get(isa);
    if (!shadows)
      return shadows.takeError();
    if ((*table)->rules().empty() && (*shadows)->empty())
      return makeError("the wait states of " + isa.target().chip + " aren't known yet: --hazards is for " +
                       join(executedChips(), ", "));
    return Error::success();
  }

  Error serve(const Program &program, Served &served) {
    std::vector<ReportItem> items;
    ReportExtras extras;
    if (request.verifies || request.reports || request.goal == waits::Goal::Relax) {
      PartFindings found =
          verifyParts(program, [&] { return graphOf(program); }, request.latencyMargin, request.limits);
      extras.missing = found.mistakes;
      served.peakBytes = found.peakBytes;
      if (request.verifies || request.goal)
        items = std::move(found.items);
    }
    const bool isForTools = request.format == ReportFormat::Sarif || request.format == ReportFormat::Github;
    const bool wantsStrictness = (request.reports && isForTools) ||
                                 request.levels->of("superfluous-wait") != Level::Ignored ||
                                 request.levels->of("strict-wait") != Level::Ignored;
    const bool needsReport = request.reports || request.prices || wantsStrictness;
    std::optional<waits::Reported> reported;
    if (needsReport)
      reported = waits::report(program, graphOf(program));
    if (wantsStrictness)
      append_range(items, strictnessItems(program, *reported));
    if (request.withHazards &&
        (request.verifies || request.goal == waits::Goal::Relax || (request.reports && isForTools)))
      append_range(items, hazardItems(program, request.levels->of("superfluous-nop") != Level::Ignored ||
                                                   (request.reports && isForTools)));
    std::optional<waits::Prices> prices;
    if (request.prices) {
      Expected<waits::Prices> priced = priceWaits(program, *reported, request.pricing);
      if (!priced)
        return priced.takeError();
      prices = std::move(*priced);
      extras.prices = &*prices;
    }
    std::optional<waits::Plan> relaxed;
    if (request.reports && !extras.missing) {
      relaxed = waits::plan(program, *reported->graph, waits::Goal::Relax);
      extras.relaxed = &*relaxed;
    }
    served.items = keepFindings(program, std::move(items));
    const std::vector<ReportItem> &kept = served.items;
    served.status = statusOf(kept);
    if (request.format == ReportFormat::Json && !request.onProgram)
      addJson(program, kept, reported ? &*reported : nullptr, prices ? &*prices : nullptr);
    else if (request.format == ReportFormat::Text)
      writeTexts(program, reported ? &*reported : nullptr, extras);
    return Error::success();
  }

  void writeTexts(const Program &program, const waits::Reported *reported, const ReportExtras &extras) {
    if (request.reports && !request.annotates) {
      writeReportText(out, program, *reported, extras);
      if (request.withHazards)
        writeNopText(out, program, hazards::report(program));
    } else if (extras.prices)
      writePriceText(out, program, *reported, *extras.prices);
    if (request.annotates)
      writeAnnotated(out, program, *graphOf(program), bytes);
    if (request.debugs)
      writeDebugText(out, program, *graphOf(program));
  }

  void addJson(const Program &program, ArrayRef<ReportItem> items, const waits::Reported *reported,
               const waits::Prices *prices) {
    json::Object object{{"file", program.name().str()}, {"chip", program.isa().target().chip}};
    if (request.verifies) {
      json::Array findings;
      for (const ReportItem &item : items)
        findings.push_back(findingObject(item));
      object["findings"] = std::move(findings);
    }
    if (reported && (request.reports || prices))
      addReportJson(object, program, *reported, prices);
    if (request.reports && request.withHazards)
      object["nops"] = nopJson(program, hazards::report(program));
    result.programs.push_back(std::move(object));
  }

  void writeFindings(const Program &program, ArrayRef<ReportItem> items) {
    const SourceLines *lines = program.sourceLines();
    SourceText sources(lines && !items.empty() ? lines->checksums() : std::map<std::string, MD5::MD5Result>());
    if (program.isAssembly())
      sources.add(program.name(), bytes);
    writeClangText(err, items, program.name(), {&sources, "-W", request.columns});
  }

  /// What levels and baseline leave of them, shown and counted.
  std::vector<ReportItem> keepFindings(const Program &program, std::vector<ReportItem> items) {
    for (ReportItem &item : items) {
      item.level = request.levels->of(item.rule, item.level);
      // A report asks for them; they still are no failure.
      if (request.reports &&
          (item.rule == "strict-wait" || item.rule == "superfluous-wait" || item.rule == "superfluous-nop"))
        item.level = std::max(item.level, Level::Warning);
      item.artifact = program.name().str();
    }
    erase_if(items, [](const ReportItem &item) { return item.level == Level::Ignored; });
    if (request.baseline)
      request.baseline->filter(items);
    if (!request.tellsCovered)
      dropCovered(items);
    result.status = worse(result.status, statusOf(items));
    if (request.format == ReportFormat::Text)
      showFindings(program, items);
    if (!request.onProgram)
      append_range(result.items, items);
    return items;
  }

  void showFindings(const Program &program, ArrayRef<ReportItem> items) {
    std::vector<ReportItem> shown;
    size_t late = 0;
    double least = std::numeric_limits<double>::infinity();
    for (const ReportItem &item : items) {
      if (item.rule != countsOnLatency || item.level != Level::Warning || request.levels->isNamed(item.rule)) {
        shown.push_back(item);
        continue;
      }
      ++late;
      for (const auto &[name, value] : item.facts)
        if (double margin; name == "margin" && !StringRef(value).getAsDouble(margin))
          least = std::min(least, margin);
    }
    const size_t all = shown.size();
    shown.resize(std::min<size_t>(all, request.maxFindings));
    writeFindings(program, shown);
    if (shown.size() < all)
      err << program.name() << ": " << counted(all - shown.size(), "more finding") << " not shown\n";
    if (late)
      err << formatv("{0}: warning: {1} on latency, at least {2:f1} times of it; -W{3} shows them\n", program.name(),
                     late == 1 ? "1 use counts" : std::to_string(late) + " uses count", least, countsOnLatency);
  }

  static int statusOf(ArrayRef<ReportItem> items) {
    int status = cleanStatus;
    for (const ReportItem &item : items)
      status = worse(status, item.level == Level::Error ? findingsStatus
                             : leavesOpen(item.rule)    ? undecidedStatus
                                                        : cleanStatus);
    return status;
  }

  static hazards::Goal hazardGoal(waits::Goal goal) {
    switch (goal) {
    case waits::Goal::Strip: return hazards::Goal::Strip;
    case waits::Goal::Insert: return hazards::Goal::Insert;
    case waits::Goal::Relax: return hazards::Goal::Relax;
    }
    return hazards::Goal::Repair;
  }

  /// All programs of the file; what is written is the whole file.
  Error edit(ArrayRef<std::unique_ptr<Program>> programs) {
    std::string edited = bytes.str();
    for (const std::unique_ptr<Program> &program : programs) {
      const std::shared_ptr<waits::Graph> described = graphOf(*program);
      if (*request.goal != waits::Goal::Strip)
        waits::followLds(*described, *program);
      const waits::Graph &graph = *described;
      if (std::vector<ReportItem> leaves = controlFlowItems(*program, graph); !leaves.empty()) {
        leaves.front().message += "; such code is not edited";
        leaves.front().level = Level::Error;
        writeFindings(*program, ArrayRef(leaves).take_front(1));
        result.status = unusableStatus;
        return Error::success();
      }
      // Relaxing leaves all waits of such programs.
      if (std::optional<ReportItem> hidden = hiddenCodeItem(*program, graph);
          hidden && *request.goal == waits::Goal::Insert) {
        hidden->message += "; waits can't be placed in such a program";
        hidden->level = Level::Error;
        writeFindings(*program, *hidden);
        result.status = unusableStatus;
        return Error::success();
      }
      Expected<std::vector<Edit>> edits = editsOf(*program, graph);
      if (!edits)
        return edits.takeError();
      Expected<std::string> next =
          program->isAssembly() ? editAssembly(*program, edited, *edits) : editCodeObject(*program, edited, *edits);
      if (!next)
        return next.takeError();
      edited = std::move(*next);
    }
    result.edited = std::move(edited);
    return Error::success();
  }

  Expected<std::vector<Edit>> editsOf(const Program &program, const waits::Graph &graph) const {
    std::vector<Edit> edits = waits::plan(program, graph, *request.goal).edits;
    // A wait that goes may have been a wait state, too.
    hazards::Plan nops =
        hazards::plan(program, request.withHazards ? hazardGoal(*request.goal) : hazards::Goal::Repair, edits);
    if (!nops.problems.empty())
      return makeError(name + ": error: " + nops.problems.front());
    append_range(edits, nops.edits);
    stable_sort(edits, [](const Edit &a, const Edit &b) { return a.at < b.at; });
    return edits;
  }

  StringRef bytes, name;
  const LintRequest &request;
  const function_ref<void()> drop;
  std::map<const Program *, std::shared_ptr<waits::Graph>> graphs;
  LintResult result;
  raw_string_ostream out, err;
};

} // namespace

LintResult lint(StringRef bytes, StringRef name, const LintRequest &request, function_ref<void()> drop) {
  return FileService(bytes, name, request, drop).run();
}

} // namespace inflight::lint
