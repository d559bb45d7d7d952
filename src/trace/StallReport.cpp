#include "trace/StallReport.h"

#include "support/Plural.h"
#include "support/Printable.h"
#include "trace/run/SourceFiles.h"
#include "trace/run/Verdict.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <numeric>

using namespace llvm;
using namespace inflight::events;

namespace inflight::trace {

namespace {

constexpr unsigned sparkColumns = 48, barColumns = 40;

std::string grouped(uint64_t value) {
  std::string digits = std::to_string(value), result;
  for (size_t i = 0; i < digits.size(); ++i) {
    if (i && (digits.size() - i) % 3 == 0)
      result += ',';
    result += digits[i];
  }
  return result;
}

} // namespace

static double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }
static double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

namespace {

/// Eighths of a block; heights relative to `full`.
std::string sparkline(ArrayRef<double> values, double full) {
  static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string result;
  for (double value : values) {
    const double height = full > 0 ? std::clamp(value / full, 0.0, 1.0) * 8 : 0;
    // What happens at all is seen.
    result += blocks[height > 0 ? std::max(1, int(std::lround(height))) : 0];
  }
  return result;
}

std::string bar(double share) {
  static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const unsigned units = unsigned(std::lround(std::clamp(share, 0.0, 1.0) * barColumns * 8));
  std::string result;
  for (unsigned i = 0; i < units / 8; ++i)
    result += "█";
  return result + eighths[units % 8];
}

/// Text cut to `columns`.
std::string cut(StringRef text, size_t columns) {
  return text.size() <= columns ? text.str() : (text.take_front(columns - 1) + "…").str();
}

std::string padded(StringRef text, size_t columns) {
  std::string result = cut(text, columns);
  // The cut's ellipsis is one column of three bytes.
  const size_t width = text.size() <= columns ? result.size() : columns;
  return result + std::string(columns - width, ' ');
}

/// "waitcnt 61 %, barrier 22 %, issue 9 %": the parts of `cycles` that matter, largest first.
std::string parts(const Stalls &stalls, uint64_t issue, uint64_t gap, uint64_t cycles, unsigned most) {
  SmallVector<std::pair<uint64_t, StringRef>, 12> causes;
  for (size_t i = 0; i < stalls.size(); ++i)
    causes.push_back({stalls[i], name(Stall(i))});
  causes.push_back({issue, "issue"});
  causes.push_back({gap, "no issue"});
  stable_sort(causes, [](const auto &a, const auto &b) { return a.first > b.first; });
  std::string result;
  for (auto &[part, cause] : ArrayRef(causes).take_front(most)) {
    const double share = percent(double(part), double(cycles));
    if (share < 0.5 || (share < 3 && !result.empty()))
      break;
    result += formatv("{0}{1} {2:f0} %", result.empty() ? "" : ", ", cause, share).str();
  }
  return result;
}

class Printer {
public:
  Printer(raw_ostream &os, const RunStatistics &run, const ReportOptions &options)
      : os(os), run(run), options(options) {
    hasSources = any_of(run.info.code, [](const CodeLine &line) { return !line.source.empty(); });
    textColumns = hasSources ? 46 : 64;
    // What else a row has: numbers and address, source, and the beginning of the causes.
    const unsigned others = 44 + (hasSources ? 18 : 0) + 28;
    if (options.columns)
      textColumns = std::clamp<size_t>(options.columns > others ? options.columns - others : 0, 24, textColumns);
  }

  void print() {
    kernel();
    waveTime();
    pipes();
    inFlight();
    loops();
    waitedFor();
    instructions();
  }

private:
  void heading(StringRef text, StringRef rest) {
    os << '\n';
    if (options.colour)
      os << "\033[1m";
    os << text;
    if (options.colour)
      os << "\033[0m";
    if (!rest.empty())
      os << "  " << rest;
    os << '\n';
  }
  /// The user's own line of code, without the path to its file.
  std::string source(uint32_t line, size_t columns) const {
    if (!hasSources)
      return "";
    // A long name loses its beginning: the line's number at its end matters more.
    const std::string shown = printable(ownPlace(run.info.code[line].source));
    return " " + (shown.size() <= columns ? padded(shown, columns) : "…" + shown.substr(shown.size() - (columns - 1)));
  }
  std::string address(uint32_t line) const { return formatv("{0:x}", run.info.code[line].address).str(); }
  double cycles() const { return double(run.summary.cycles); }

  void kernel();
  void limits();
  void waveTime();
  void pipes();
  void inFlight();
  void loops();
  void waitedFor();
  void instructions();
  void instructionNotes(const LineStatistics &line);

  raw_ostream &os;
  const RunStatistics &run;
  const ReportOptions &options;
  bool hasSources;
  size_t textColumns;
};

void Printer::kernel() {
  const RunInfo &info = run.info;
  const Summary &summary = run.summary;
  if (options.colour)
    os << "\033[1m";
  os << printable(info.demangled.empty() ? info.kernel : info.demangled);
  if (options.colour)
    os << "\033[0m";
  os << "  on " << info.chip;
  if (!info.device.empty())
    os << " (" << info.device << ')';
  os << "\n";
  const uint64_t workgroups = uint64_t(info.grid[0]) * info.grid[1] * info.grid[2];
  if (!summary.whole && summary.workgroups >= workgroups)
    os << "  not whole      the run broke off\n";
  os << "  verdict        " << printable(verdictOf(run).text()) << '\n';
  os << formatv("  time           {0} cycles", grouped(summary.cycles));
  if (info.clockMHz > 0)
    os << formatv(", {0:f2} us at {1:f0} MHz", double(summary.cycles) / info.clockMHz, info.clockMHz);
  if (summary.microseconds > 0)
    os << formatv("\n  device         {0:f2} us ({1})", summary.microseconds, range(summary.accuracy));
  os << formatv("\n  grid           {0} x {1} x {2} workgroups of {3} x {4} x {5}, {6} simulated on {7}{8}\n",
                info.grid[0], info.grid[1], info.grid[2], info.block[0], info.block[1], info.block[2],
                summary.workgroups == workgroups ? "all" : grouped(summary.workgroups) + " of them",
                counted(info.cus, "CU"), info.deviceCus ? formatv(" of {0}", info.deviceCus).str() : "");
  os << formatv("  occupancy      {0} of {1} at a time on a CU; {2:f1} waves on average, room for {3}\n",
                counted(info.workgroupsPerCu, "workgroup"), counted(info.wavesPerWorkgroup, "wave"),
                ratio(double(run.waveCycles), cycles() * info.cus), info.simds * info.slotsPerSimd);
  limits();
  os << formatv("  registers      {0} VGPRs, {1} AGPRs, {2} SGPRs; {3} bytes of LDS, {4} of scratch\n", info.vgprs,
                info.agprs, info.sgprs, grouped(info.ldsBytes), grouped(info.scratchBytes));
  os << formatv("  instructions   {0} by {1} wave{2}, {3:f2} a cycle and CU\n", grouped(summary.instructions),
                grouped(summary.waves), summary.waves == 1 ? "" : "s",
                ratio(double(summary.instructions), cycles() * info.cus));
}

/// What would make room for one more workgroup.
void Printer::limits() {
  std::string needs;
  for (const OccupancyLimit &limit : run.info.limits)
    if (limit.most)
      needs += (needs.empty() ? "" : " and ") + limit.needed();
  if (!needs.empty())
    os << "                 one more workgroup would need " << needs << '\n';
}

void Printer::waveTime() {
  const Stalls stalls = run.stalls();
  const uint64_t issue = run.issue();
  uint64_t known = issue;
  SmallVector<std::pair<uint64_t, StringRef>, 12> causes = {{issue, "issue"}};
  for (size_t i = 0; i < stalls.size(); ++i) {
    causes.push_back({stalls[i], name(Stall(i))});
    known += stalls[i];
  }
  // Between instructions, and of waves that still wait for their next one where a run broke off.
  if (run.waveCycles > known)
    causes.push_back({run.waveCycles - known, "no issue"});
  stable_sort(causes, [](const auto &a, const auto &b) { return a.first > b.first; });
  heading("WAVE TIME", "what the " + grouped(run.waveCycles) + " cycles of all waves went into");
  for (auto &[cycles, cause] : causes)
    if (cycles)
      os << formatv("  {0,-12}{1,6:f1} %  {2}\n", cause, percent(double(cycles), double(run.waveCycles)),
                    bar(ratio(double(cycles), double(run.waveCycles))));
}

void Printer::pipes() {
  heading("PIPES", "how much of the time they were busy, and when");
  for (Pipe pipe : {Pipe::Matrix, Pipe::Valu, Pipe::Lds, Pipe::Texture, Pipe::Salu, Pipe::ScalarCache, Pipe::Branch}) {
    const PipeStatistics &statistics = run.pipes[size_t(pipe)];
    if (!statistics.busy)
      continue;
    os << formatv("  {0,-13}{1,5:f1} %  {2}", name(pipe), percent(double(statistics.busy), cycles() * statistics.units),
                  sparkline(statistics.bins.perCycle(run.summary.cycles, sparkColumns), statistics.units));
    if (pipe == Pipe::Lds && run.ldsConflicts)
      os << formatv("  bank conflicts: {0:f0} % of its cycles", percent(double(run.ldsConflicts), double(run.ldsBusy)));
    os << '\n';
  }
}

void Printer::inFlight() {
  if (all_of(run.inFlight, [](const InFlightStatistics &counter) { return counter.operations.sum() == 0; }))
    return;
  heading("IN FLIGHT", "operations of a wave that have not returned: average, most, average over time");
  std::vector<double> waves = run.residentWaves.perCycle(run.summary.cycles, sparkColumns);
  for (const auto &[counter, statistics] : zip(run.info.counters, run.inFlight)) {
    std::vector<double> depth = statistics.operations.perCycle(run.summary.cycles, sparkColumns);
    for (size_t i = 0; i < depth.size(); ++i)
      depth[i] = ratio(depth[i], waves[i]);
    const double highest = *llvm::max_element(depth);
    os << formatv("  {0,-9}{1,6:f2} {2,4:f0}   {3}  full height: {4:f1}\n", counter,
                  ratio(statistics.operations.sum(), double(run.waveCycles)), statistics.most.maximum(),
                  sparkline(depth, highest), highest);
  }
}

void Printer::loops() {
  const std::vector<Loop> loops = run.loops();
  if (loops.empty())
    return;
  heading("LOOPS", "cycles of an iteration are those of one wave, with the loops inside");
  os << "    share  iterations  entered  cycles/iter  addresses          " << (hasSources ? "source            " : "")
     << "why\n";
  for (const Loop &loop : loops) {
    const std::string indent(size_t(2) * std::min(loop.depth, 3u), ' ');
    std::string place = StringRef(run.info.code[loop.first].source).split(" -> ").first.str();
    auto [file, line] = StringRef(run.info.code[loop.last].source).split(" -> ").first.rsplit(':');
    if (!line.empty() && StringRef(place).rsplit(':').first == file && StringRef(place).rsplit(':').second != line)
      place += ("-" + line).str();
    os << formatv("  {0,5:f1} %  {1,10} {2,8}  {3,11:f1}  {4} {5}{6}\n",
                  percent(double(loop.cycles), double(run.waveCycles)), grouped(loop.iterations), grouped(loop.entries),
                  ratio(double(loop.cycles), double(loop.iterations)),
                  padded(indent + address(loop.first) + "-" + address(loop.last), 18),
                  hasSources ? padded(place, 17) + " " : "", parts(loop.stalls, loop.issue, loop.gap, loop.cycles, 4));
  }
}

void Printer::waitedFor() {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < run.lines.size(); ++i)
    if (run.lines[i].waitedFor)
      order.push_back(i);
  if (order.empty())
    return;
  stable_sort(order, [&](uint32_t a, uint32_t b) { return run.lines[a].waitedFor > run.lines[b].waitedFor; });
  heading("WAITED FOR",
          "operations by the wave time that waits spent on them" +
              (order.size() > options.top ? formatv(", {0} of {1}", options.top, order.size()).str() : ""));
  os << "    share        hits  exposed  latency  address   instruction\n";
  for (uint32_t i : ArrayRef(order).take_front(options.top)) {
    const LineStatistics &line = run.lines[i];
    os << formatv("  {0,5:f1} %  {1,10}  {2,7:f0}  {3,7:f0}  {4} {5}{6}\n",
                  percent(double(line.waitedFor), double(run.waveCycles)), grouped(line.operations),
                  ratio(double(line.waitedFor), double(line.operations)),
                  ratio(double(line.latency), double(line.operations)), padded(address(i), 9),
                  hasSources ? padded(run.info.code[i].text, textColumns) : cut(run.info.code[i].text, textColumns),
                  source(i, 17));
  }
}

void Printer::instructionNotes(const LineStatistics &line) {
  constexpr StringLiteral indent = "                                 ";
  SmallVector<WaitedFor> waits(line.waits.begin(), line.waits.end());
  stable_sort(waits, [](const WaitedFor &a, const WaitedFor &b) { return a.cycles > b.cycles; });
  for (const WaitedFor &wait : ArrayRef(waits).take_front(4))
    if (wait.cycles)
      os << formatv("{0}{1,3:f0} % for {2} {3}\n", indent,
                    percent(double(wait.cycles), double(line.stalls[size_t(Stall::Waitcnt)])),
                    padded(address(wait.line), 9), cut(run.info.code[wait.line].text, 60));
  if (line.waits.empty() && line.stalls[size_t(Stall::Waitcnt)])
    os << indent << "waits for operations because more than its counter counts would be in flight\n";
  if (!line.operations)
    return;
  os << indent << formatv("returns after {0:f0} cycles", ratio(double(line.latency), double(line.operations)));
  const uint64_t found = std::accumulate(line.levels.begin(), line.levels.end(), uint64_t(0));
  const char *separator = "; ";
  for (size_t i = 0; i < line.levels.size(); ++i)
    if (line.levels[i]) {
      os << separator << formatv("{0} {1:f0} %", name(Level(i)), percent(double(line.levels[i]), double(found)));
      separator = ", ";
    }
  if (line.conflicts)
    os << formatv("; bank conflicts {0:f1} of {1:f1} cycles", ratio(double(line.conflicts), double(line.operations)),
                  ratio(double(line.busy), double(line.operations)));
  os << '\n';
}

void Printer::instructions() {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < run.lines.size(); ++i)
    if (run.lines[i].hits)
      order.push_back(i);
  const size_t executed = order.size();
  stable_sort(order, [&](uint32_t a, uint32_t b) { return run.lines[a].cycles() > run.lines[b].cycles(); });
  order.resize(std::min<size_t>(order.size(), options.top));
  heading("INSTRUCTIONS", formatv("by wave time, {0} of {1} executed", order.size(), executed).str());
  os << "    share        hits  cycles/hit  address   " << padded("instruction", textColumns)
     << (hasSources ? " source            " : " ") << "why\n";
  for (uint32_t i : order) {
    const LineStatistics &line = run.lines[i];
    os << formatv(
        "  {0,5:f1} %  {1,10}  {2,10:f1}  {3} {4}{5} {6}\n", percent(double(line.cycles()), double(run.waveCycles)),
        grouped(line.hits), ratio(double(line.cycles()), double(line.hits)), padded(address(i), 9),
        padded(run.info.code[i].text, textColumns), source(i, 17), parts(line.stalls, line.issue, 0, line.cycles(), 3));
    instructionNotes(line);
  }
}

} // namespace

void printStallReport(raw_ostream &os, const RunStatistics &run, const ReportOptions &options) {
  Printer(os, run, options).print();
}

static json::Object stallObject(const Stalls &stalls, uint64_t issue, uint64_t gap = 0) {
  json::Object result{{"issue", int64_t(issue)}};
  if (gap)
    result["no issue"] = int64_t(gap);
  for (size_t i = 0; i < stalls.size(); ++i)
    if (stalls[i])
      result[name(Stall(i))] = int64_t(stalls[i]);
  return result;
}

static json::Object instructionObject(const RunStatistics &run, uint32_t number) {
  const CodeLine &code = run.info.code[number];
  const LineStatistics &line = run.lines[number];
  json::Object result{{"address", int64_t(code.address)},
                      {"instruction", json::fixUTF8(code.text)},
                      {"hits", int64_t(line.hits)},
                      {"cycles", int64_t(line.cycles())},
                      {"causes", stallObject(line.stalls, line.issue)}};
  if (!code.source.empty())
    result["source"] = json::fixUTF8(code.source);
  if (!line.waits.empty()) {
    json::Array waits;
    for (const WaitedFor &wait : line.waits)
      waits.push_back(json::Object{{"address", int64_t(run.info.code[wait.line].address)},
                                   {"cycles", int64_t(wait.cycles)},
                                   {"times", int64_t(wait.times)}});
    result["waited_for"] = std::move(waits);
  }
  if (line.operations) {
    json::Object levels;
    for (size_t i = 0; i < line.levels.size(); ++i)
      if (line.levels[i])
        levels[name(Level(i))] = int64_t(line.levels[i]);
    result["memory"] = json::Object{
        {"operations", int64_t(line.operations)},     {"latency", ratio(double(line.latency), double(line.operations))},
        {"exposed_cycles", int64_t(line.waitedFor)},  {"busy_cycles", int64_t(line.busy)},
        {"conflict_cycles", int64_t(line.conflicts)}, {"bytes", int64_t(line.bytes)},
        {"requests", int64_t(line.requests)},         {"lines", std::move(levels)}};
  }
  return result;
}

json::Object stallReportObject(const RunStatistics &run) {
  json::Object pipes;
  for (size_t i = 1; i < run.pipes.size(); ++i)
    if (run.pipes[i].busy)
      pipes[name(Pipe(i))] = json::Object{
          {"busy_cycles", int64_t(run.pipes[i].busy)},
          {"units", run.pipes[i].units},
          {"percent", percent(double(run.pipes[i].busy), double(run.summary.cycles) * run.pipes[i].units)}};
  json::Object inFlight;
  for (const auto &[counter, statistics] : zip(run.info.counters, run.inFlight))
    inFlight[counter] = json::Object{{"average", ratio(statistics.operations.sum(), double(run.waveCycles))},
                                     {"most", int64_t(statistics.most.maximum())}};
  json::Array loops;
  for (const Loop &loop : run.loops())
    loops.push_back(json::Object{{"first", int64_t(run.info.code[loop.first].address)},
                                 {"last", int64_t(run.info.code[loop.last].address)},
                                 {"depth", loop.depth},
                                 {"entries", int64_t(loop.entries)},
                                 {"turns", int64_t(loop.iterations)},
                                 {"cycles", int64_t(loop.cycles)},
                                 {"causes", stallObject(loop.stalls, loop.issue, loop.gap)}});
  json::Array instructions;
  for (uint32_t i = 0; i < run.lines.size(); ++i)
    if (run.lines[i].hits)
      instructions.push_back(instructionObject(run, i));
  json::Object causes = stallObject(run.stalls(), run.issue());
  uint64_t known = run.issue();
  for (uint64_t cycles : run.stalls())
    known += cycles;
  if (run.waveCycles > known)
    causes["no issue"] = run.waveCycles - known;
  json::Object object{{"kernel", json::fixUTF8(run.info.kernel)},
                      {"chip", json::fixUTF8(run.info.chip)},
                      {"device", json::fixUTF8(run.info.device)},
                      {"verdict", trace::object(verdictOf(run))},
                      {"whole", run.summary.whole},
                      {"clock_mhz", run.info.clockMHz},
                      {"cycles", int64_t(run.summary.cycles)},
                      {"instructions", int64_t(run.summary.instructions)},
                      {"waves", int64_t(run.summary.waves)},
                      {"workgroups", int64_t(run.summary.workgroups)},
                      {"cus", run.info.cus},
                      {"wave_cycles", int64_t(run.waveCycles)},
                      {"causes", std::move(causes)},
                      {"pipes", std::move(pipes)},
                      {"in_flight", std::move(inFlight)},
                      {"loops", std::move(loops)},
                      {"code", std::move(instructions)}};
  if (run.summary.microseconds > 0) {
    object["microseconds"] = run.summary.microseconds;
    object["accuracy"] = events::object(run.summary.accuracy);
  }
  return object;
}

} // namespace inflight::trace
