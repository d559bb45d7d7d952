#include "trace/AgainstReport.h"

#include "support/Plural.h"
#include "support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <numeric>

using namespace llvm;

namespace inflight::trace {

namespace {

class Printer {
public:
  Printer(raw_ostream &os, const Against &against, const Comparison &comparison, const ReportOptions &options)
      : os(os), against(against), comparison(comparison), options(options) {}

  void print() {
    heading("AGAINST SILICON", printable(against.silicon().path));
    times();
    summary();
    segments();
    instructions();
  }

private:
  void heading(StringRef text, StringRef rest) {
    if (options.colour)
      os << "\033[1m";
    os << text;
    if (options.colour)
      os << "\033[0m";
    os << "  " << rest << '\n';
  }
  void row(StringRef name, StringRef part, const Pair &pair) {
    const std::string relative = pair.silicon > 0 && std::abs(pair.difference()) >= 0.5
                                     ? formatv("{0,9} %", signedText(100 * pair.difference() / pair.silicon, 1)).str()
                                     : "";
    os << formatv("  {0,-26}{1,-5}{2,10:f0} {3,10:f0} {4,10}{5}\n", name, part, pair.silicon, pair.model,
                  signedText(pair.difference(), 0), relative);
  }
  static std::string signedText(double value, int digits) {
    const std::string text =
        digits ? formatv("{0:f1}", std::abs(value)).str() : formatv("{0:f0}", std::abs(value)).str();
    const bool isZero = text.find_first_not_of("0.") == std::string::npos;
    return (isZero ? "" : value < 0 ? "-" : "+") + text;
  }
  std::string address(uint32_t line) const { return formatv("{0:x}", against.runInfo().code[line].address).str(); }
  std::string text(uint32_t line, size_t columns) const {
    const std::string &whole = against.runInfo().code[line].text;
    return whole.size() <= columns ? whole : whole.substr(0, columns - 1) + "…";
  }
  void times();
  void summary();
  void segments();
  void instructions();

  raw_ostream &os;
  const Against &against;
  const Comparison &comparison;
  const ReportOptions &options;
};

void Printer::times() {
  const SiliconTrace &silicon = against.silicon();
  os << formatv("  {0,-31}{1,10} {2,10} {3,10}\n", "cycles", "silicon", "model", "difference");
  const auto all = [&](StringRef name, const AgainstTimes &times) {
    row(name, "mean", times.mean);
    if (!comparison.hasPercentiles)
      return;
    row("", "p10", times.p10);
    row("", "p50", times.p50);
    row("", "p90", times.p90);
  };
  all("a wave", comparison.waves);
  all("s_endpgm to a wave's end", comparison.ends);
  if (silicon.span && against.runSummary().whole)
    row("first begin to last end", "", {double(*silicon.span), double(against.runSummary().cycles)});
  if (comparison.waveCount.silicon > 0)
    os << formatv("  {0,-31}{1,10:f0} {2,10:f0}\n", "waves", comparison.waveCount.silicon, comparison.waveCount.model);
  if (silicon.clockMHz)
    os << formatv("  {0,-31}{1,10:f0} {2,10:f0}\n", "clock in MHz", *silicon.clockMHz, against.runInfo().clockMHz);
}

void Printer::summary() {
  const SiliconTrace &silicon = against.silicon();
  os << formatv("  stalls: {0} of {1} within 15 % + 8 cycles; median error {2:f1} cycles, nine in ten below {3:f1}\n",
                comparison.within, counted(comparison.comparable, "line"), comparison.medianStallError,
                comparison.p90StallError);
  if (comparison.hitsDiffer)
    os << formatv(
        "  note: {0} ran more or less often than on silicon, first at {1}: other arguments or another grid?\n",
        counted(comparison.hitsDiffer, "line"), address(comparison.firstOtherHits));
  constexpr double tolerance = 0.03;
  const double clock = against.runInfo().clockMHz;
  if (silicon.clockMHz && clock > 0 && std::abs(clock / *silicon.clockMHz - 1) > tolerance)
    os << formatv("  note: cycles of memory depend on the clock: --clock={0:f0} is that of the trace\n",
                  *silicon.clockMHz);
  if (silicon.foreignWaves)
    os << formatv("  note: left out: {0} of the trace that began before it, or in other code\n",
                  counted(silicon.foreignWaves, "wave"));
  if (silicon.cutStalls)
    os << formatv("  note: {0} of the trace at 32767 cycles, the most that its form holds: they may have been longer\n",
                  counted(silicon.cutStalls, "stall"));
}

/// The `most` numbers with the largest weights; sorted by weight.
template <typename Weight> std::vector<uint32_t> heaviest(size_t count, size_t most, Weight weight) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  stable_sort(order, [&](uint32_t a, uint32_t b) { return weight(a) > weight(b); });
  order.resize(std::min(count, most));
  return order;
}

void Printer::segments() {
  const auto &all = comparison.segments;
  std::vector<uint32_t> order =
      heaviest(all.size(), options.top, [&](uint32_t i) { return std::abs(all[i].cycles.difference()); });
  llvm::sort(order);
  os << '\n';
  heading("SEGMENTS", formatv("up to waits, barriers and edges of loops: cycles of a wave; {0} of {1}, those that "
                              "differ most",
                              order.size(), all.size())
                          .str());
  os << "  addresses           hits   silicon     model  difference  of stalls  last instruction\n";
  for (uint32_t i : order) {
    const AgainstSegment &segment = all[i];
    os << formatv("  {0,-15}{1,9:f1} {2,9:f1} {3,9:f1} {4,11} {5,10}  {6}\n",
                  address(segment.first) + "-" + address(segment.last), segment.hits.model, segment.cycles.silicon,
                  segment.cycles.model, signedText(segment.cycles.difference(), 1),
                  signedText(segment.stall.difference(), 1), text(segment.last, 48));
  }
}

void Printer::instructions() {
  const auto &all = comparison.lines;
  const std::vector<uint32_t> order = heaviest(all.size(), options.top, [&](uint32_t i) { return all[i].weight(); });
  os << '\n';
  heading("INSTRUCTIONS", formatv("by the cycles of a wave that they differ by, {0} of {1}; ! not within 15 % + 8 "
                                  "cycles",
                                  order.size(), all.size())
                              .str());
  os << "            hits a wave      stall                     step\n"
        "  address  silicon   model  silicon   model    diff   silicon   model    diff  instruction\n";
  for (uint32_t i : order) {
    const AgainstLine &line = all[i];
    os << formatv("  {0,-8}{1,8:f1}{2,8:f1} {3,8:f1}{4,8:f1}{5,8}{6} {7,8:f1}{8,8:f1}{9,8}  {10}\n", address(line.line),
                  line.hits.silicon, line.hits.model, line.stall.silicon, line.stall.model,
                  signedText(line.stall.difference(), 1), line.isComparable() && !line.isWithin() ? "!" : " ",
                  line.step.silicon, line.step.model, signedText(line.step.difference(), 1), text(line.line, 64));
  }
}

json::Object object(const Pair &pair) { return json::Object{{"silicon", pair.silicon}, {"model", pair.model}}; }

json::Object object(const AgainstTimes &times, bool hasPercentiles) {
  json::Object result{{"mean", object(times.mean)}};
  if (hasPercentiles) {
    result["p10"] = object(times.p10);
    result["p50"] = object(times.p50);
    result["p90"] = object(times.p90);
  }
  return result;
}

} // namespace

void printAgainst(raw_ostream &os, const Against &against, const Comparison &comparison, const ReportOptions &options) {
  Printer(os, against, comparison, options).print();
}

json::Object againstObject(const Against &against, const Comparison &comparison) {
  const events::RunInfo &info = against.runInfo();
  json::Array instructions, segments;
  for (const AgainstLine &line : comparison.lines)
    instructions.push_back(json::Object{{"address", int64_t(info.code[line.line].address)},
                                        {"instruction", json::fixUTF8(info.code[line.line].text)},
                                        {"hits_per_wave", object(line.hits)},
                                        {"stall", object(line.stall)},
                                        {"step", object(line.step)},
                                        {"within", line.isComparable() && line.isWithin()}});
  for (const AgainstSegment &segment : comparison.segments)
    segments.push_back(json::Object{{"first", int64_t(info.code[segment.first].address)},
                                    {"last", int64_t(info.code[segment.last].address)},
                                    {"hits_per_wave", object(segment.hits)},
                                    {"cycles", object(segment.cycles)},
                                    {"stall", object(segment.stall)}});
  const SiliconTrace &silicon = against.silicon();
  json::Object result{{"trace", json::fixUTF8(silicon.path)},
                      {"kernel", json::fixUTF8(against.kernelName())},
                      {"wave_cycles", object(comparison.waves, comparison.hasPercentiles)},
                      {"end_cycles", object(comparison.ends, comparison.hasPercentiles)},
                      {"lines", comparison.comparable},
                      {"lines_within", comparison.within},
                      {"lines_with_other_hits", comparison.hitsDiffer},
                      {"median_stall_error", comparison.medianStallError},
                      {"p90_stall_error", comparison.p90StallError},
                      {"waves_left_out", int64_t(silicon.foreignWaves)},
                      {"stalls_cut", int64_t(silicon.cutStalls)},
                      {"segments", std::move(segments)},
                      {"instructions", std::move(instructions)}};
  if (comparison.waveCount.silicon > 0)
    result["waves"] = object(comparison.waveCount);
  if (silicon.clockMHz)
    result["clock_mhz"] = object(Pair{*silicon.clockMHz, info.clockMHz});
  if (silicon.span && against.runSummary().whole)
    result["span"] = object(Pair{double(*silicon.span), double(against.runSummary().cycles)});
  return result;
}

} // namespace inflight::trace
