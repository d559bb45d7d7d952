#include "advise/Advise.h"

#include "advise/Hoist.h"
#include "lint/Lint.h"
#include "lint/text/Findings.h"
#include "program/read/LoadCodeObject.h"
#include "support/Plural.h"
#include "trace/run/RunStatistics.h"
#include "trace/run/SourceFiles.h"
#include "waits/Diff.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace inflight::machine;

namespace inflight::advise {

using events::Pipe;
using trace::LineStatistics;
using trace::RunStatistics;

namespace {

class Adviser {
public:
  explicit Adviser(const Request &request) : request(request) {}
  Expected<Advisory> run();

private:
  /// Seconds of a launch of `kernel`; negative if it can't run so.
  double timeOf(const CodeObject &object, const Kernel &kernel, const timed::Suppositions &supposed);
  double gainOf(double seconds) const { return 1 - seconds / base.deviceSeconds; }
  void add(Advice advice, double seconds) {
    if (seconds < 0)
      return;
    advice.gain = gainOf(seconds);
    result.advice.push_back(std::move(advice));
  }
  void suppose(Advice advice, const timed::Suppositions &supposed) {
    add(std::move(advice), timeOf(*request.object, *request.kernel, supposed));
  }

  void weakerWaits();
  std::optional<size_t> changedWaits(StringRef relaxed);
  void noConflicts();
  void moreWorkgroups();
  void earlierOperations();
  std::vector<std::string> aboutOperation(uint32_t line, uint64_t cycles) const;
  std::string placeOf(uint32_t line) const;
  /// The innermost loop around a line, or null.
  const trace::Loop *loopOf(uint32_t line) const;

  const Request &request;
  RunStatistics statistics;
  std::vector<trace::Loop> loops;
  std::vector<std::unique_ptr<Program>> programs; ///< the code object's
  timed::TimedStats base;
  Advisory result;
};

} // namespace

double Adviser::timeOf(const CodeObject &object, const Kernel &kernel, const timed::Suppositions &supposed) {
  timed::TimedOptions options = request.timed;
  options.clockMHz = unsigned(base.clockMHz); // cycles of another clock aren't comparable
  options.supposed = supposed;
  Expected<timed::TimedStats> stats = request.launch(object, kernel, options);
  if (stats)
    return stats->deviceSeconds;
  consumeError(stats.takeError());
  return -1;
}

std::string Adviser::placeOf(uint32_t line) const {
  const events::CodeLine &code = statistics.info.code[line];
  const std::string source = trace::ownPlace(code.source);
  return formatv("{0:x} {1}{2}", code.address, code.text, source.empty() ? "" : " at " + source).str();
}

const trace::Loop *Adviser::loopOf(uint32_t line) const {
  const trace::Loop *found = nullptr;
  for (const trace::Loop &loop : loops)
    if (loop.first <= line && line <= loop.last && (!found || loop.depth >= found->depth))
      found = &loop;
  return found;
}

/// How many waits of this kernel changed, where both versions can be compared.
std::optional<size_t> Adviser::changedWaits(StringRef relaxed) {
  Expected<std::vector<std::unique_ptr<Program>>> after = readPrograms(relaxed, request.name);
  if (!after) {
    consumeError(after.takeError());
    return std::nullopt;
  }
  if (programs.size() != 1 || after->size() != 1)
    return std::nullopt;
  Expected<std::unique_ptr<waits::Diff>> diff = waits::diff(*programs[0], *after->front());
  if (!diff) {
    consumeError(diff.takeError());
    return std::nullopt;
  }
  return count_if((*diff)->changes,
                  [&](const waits::WaitChange &change) { return change.kernel == request.kernel->name; });
}

/// Waits that order more than the code needs are weakened, and what results is run.
void Adviser::weakerWaits() {
  lint::LintRequest lint;
  const RuleLevels levels(lint::waitRules());
  lint.levels = &levels;
  lint.goal = waits::Goal::Relax;
  lint::LintResult relaxed = lint::lint(request.bytes, request.name, lint);
  if (!relaxed.edited || *relaxed.edited == request.bytes)
    return;
  Expected<LoadedCodeObject> loaded = loadCodeObject(*relaxed.edited, request.name);
  if (!loaded) {
    consumeError(loaded.takeError());
    return;
  }
  Expected<const Kernel *> kernel = loaded->object.findKernel(request.kernel->name);
  if (!kernel) {
    consumeError(kernel.takeError());
    return;
  }
  const std::optional<size_t> changes = changedWaits(loaded->bytes);
  if (changes == 0)
    return;
  Advice advice;
  advice.kind = Kind::Waits;
  advice.isApplied = true;
  advice.change = changes ? "weaken " + counted(*changes, "wait") : "weaken waits";
  advice.details.push_back("-o FILE writes it, as inflight waits --relax does");
  add(std::move(advice), timeOf(loaded->object, **kernel, {}));
  result.relaxed = std::move(relaxed.edited);
}

void Adviser::noConflicts() {
  if (!statistics.ldsConflicts)
    return;
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < statistics.lines.size(); ++i)
    if (statistics.lines[i].conflicts)
      order.push_back(i);
  stable_sort(order,
              [&](uint32_t a, uint32_t b) { return statistics.lines[a].conflicts > statistics.lines[b].conflicts; });
  Advice advice;
  advice.kind = Kind::Conflicts;
  advice.change = "a layout of LDS without bank conflicts, by a swizzle or padded rows";
  constexpr size_t shown = 3;
  for (uint32_t line : ArrayRef(order).take_front(shown)) {
    const LineStatistics &of = statistics.lines[line];
    advice.details.push_back(formatv("{0}: {1:f1} of its {2:f1} cycles are conflicts", placeOf(line),
                                     double(of.conflicts) / double(of.operations),
                                     double(of.busy) / double(of.operations))
                                 .str());
  }
  timed::Suppositions supposed;
  supposed.hasNoConflicts = true;
  suppose(std::move(advice), supposed);
}

void Adviser::moreWorkgroups() {
  const events::RunInfo &info = statistics.info;
  const unsigned held = info.workgroupsPerCu, wanted = held + 1;
  const bool canHelp = any_of(info.limits, [](const events::OccupancyLimit &limit) { return limit.most; });
  if (!canHelp || base.gridWorkgroups < uint64_t(wanted) * base.usedCus)
    return;
  Advice advice;
  advice.kind = Kind::Occupancy;
  advice.change = formatv("hold {0} on a CU instead of {1}", counted(wanted, "workgroup"), held).str();
  for (const events::OccupancyLimit &limit : info.limits)
    advice.details.push_back("needs " + limit.needed());
  timed::Suppositions supposed;
  supposed.residentGroups = wanted;
  suppose(std::move(advice), supposed);
}

/// Details about a memory instruction that a wait waited for so many cycles.
std::vector<std::string> Adviser::aboutOperation(uint32_t line, uint64_t cycles) const {
  const events::CodeLine &code = statistics.info.code[line];
  const LineStatistics &of = statistics.lines[line];
  const double operations = double(std::max<uint64_t>(1, of.operations));
  std::vector<std::string> details = {formatv("{0}: {1:f0} of its {2:f0} cycles are waited for", placeOf(line),
                                              double(cycles) / operations, double(of.latency) / operations)
                                          .str()};
  if (programs.size() != 1)
    return details;
  if (const std::optional<Earliest> earliest = earliestPlace(*programs[0], code.address))
    details.push_back(earliest->instructions ? formatv("  could go {0} earlier: {1}",
                                                       counted(earliest->instructions, "instruction"), earliest->reason)
                                                   .str()
                                             : formatv("  can't go earlier: {0}", earliest->reason).str());
  return details;
}

/// What each of the dearest waits waits for comes in time.
void Adviser::earlierOperations() {
  constexpr size_t shown = 3;
  std::vector<uint32_t> order;
  timed::Suppositions all;
  for (uint32_t i = 0; i < statistics.lines.size(); ++i) {
    if (!statistics.lines[i].waits.empty())
      order.push_back(i);
    if (statistics.lines[i].operations)
      all.instant.push_back(statistics.info.code[i].address);
  }
  const auto cost = [&](uint32_t line) { return statistics.lines[line].stalls[size_t(events::Stall::Waitcnt)]; };
  stable_sort(order, [&](uint32_t a, uint32_t b) { return cost(a) > cost(b); });
  for (uint32_t line : ArrayRef(order).take_front(request.waits)) {
    SmallVector<trace::WaitedFor> waits(statistics.lines[line].waits);
    stable_sort(waits, [](const trace::WaitedFor &a, const trace::WaitedFor &b) { return a.cycles > b.cycles; });
    const events::CodeLine &code = statistics.info.code[line];
    Advice advice;
    advice.kind = Kind::Wait;
    advice.address = code.address;
    advice.instruction = code.text;
    advice.source = code.source;
    advice.change = "issue what " + placeOf(line) + " waits for early enough";
    timed::Suppositions supposed;
    const trace::Loop *loop = nullptr;
    for (const trace::WaitedFor &wait : waits) {
      const events::CodeLine &operation = statistics.info.code[wait.line];
      supposed.instant.push_back(operation.address);
      if (advice.details.size() < 2 * shown && wait.cycles)
        append_range(advice.details, aboutOperation(wait.line, wait.cycles));
      // What a lane exchange or an LDS read brings is made in the same iteration as a rule.
      if (operation.category == events::Category::Vmem || operation.category == events::Category::Flat)
        loop = loop ? loop : loopOf(wait.line);
    }
    if (loop)
      advice.details.push_back(
          formatv("an iteration ahead, into other registers or another buffer of LDS, nothing would "
                  "wait: one of the loop {0:x}-{1:x} takes {2:f0} cycles",
                  statistics.info.code[loop->first].address, statistics.info.code[loop->last].address,
                  double(loop->cycles) / double(std::max<uint64_t>(1, loop->iterations)))
              .str());
    suppose(std::move(advice), supposed);
  }
  if (order.size() < 2)
    return;
  Advice advice;
  advice.kind = Kind::AllWaits;
  advice.change = "wait for no memory operation: what all of them hold up, at the bandwidth that there is";
  suppose(std::move(advice), all);
}

Expected<Advisory> Adviser::run() {
  timed::TimedOptions options = request.timed;
  options.sink = &statistics;
  Expected<timed::TimedStats> stats = request.launch(*request.object, *request.kernel, options);
  if (!stats)
    return stats.takeError();
  base = std::move(*stats);
  loops = statistics.loops();
  result.kernel = statistics.info.demangled.empty() ? statistics.info.kernel : statistics.info.demangled;
  result.chip = statistics.info.chip;
  result.device = statistics.info.device;
  result.cycles = base.cyclesToEnd();
  result.microseconds = base.deviceSeconds * 1e6;
  result.accuracy = base.accuracy;
  result.verdict = trace::verdictOf(statistics);
  for (size_t i = 1; i < statistics.pipes.size(); ++i)
    if (const trace::PipeStatistics &pipe = statistics.pipes[i]; pipe.busy)
      result.pipes.push_back(
          {events::name(Pipe(i)).str(), double(pipe.busy) / double(statistics.summary.cycles) / double(pipe.units)});
  stable_sort(result.pipes, [](const PipeShare &a, const PipeShare &b) { return a.busy > b.busy; });
  if (Expected<std::vector<std::unique_ptr<Program>>> read = readPrograms(request.bytes, request.name))
    programs = std::move(*read);
  else
    consumeError(read.takeError());

  weakerWaits();
  noConflicts();
  moreWorkgroups();
  earlierOperations();
  stable_sort(result.advice, [](const Advice &a, const Advice &b) { return a.gain > b.gain; });
  return std::move(result);
}

Expected<Advisory> advise(const Request &request) { return Adviser(request).run(); }

} // namespace inflight::advise
