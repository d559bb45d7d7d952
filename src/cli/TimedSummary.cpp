#include "cli/TimedSummary.h"

#include "support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace inflight::machine::timed;

namespace inflight::cli {

/// Why the clock is what it is.
static std::string reason(const TimedStats &stats) {
  if (stats.clockIsGiven)
    return ", as given";
  if (!stats.load || stats.clockMHz >= stats.device.clockMHz)
    return ", the peak";
  if (stats.clockMHz == stats.device.power.limiterMHz)
    return formatv(", the product's limit for matrix instructions (peak {0}; --clock)", stats.device.clockMHz);
  return formatv(", what power leaves of {0}: at the peak matrix cores work {1:f0} % of the time, memory at {2:f0} % "
                 "of its bandwidth, L2 at {3:f0} % (data of zeros draw less; --clock)",
                 stats.device.clockMHz, 100 * stats.load->matrixBusy(), 100 * stats.load->memory, 100 * stats.load->l2);
}

/// What the device's time rests on.
static std::string assumed(const TimedStats &stats) {
  std::string clock = formatv("{0:f0} MHz", stats.clockMHz);
  clock += reason(stats);
  StringRef caches;
  switch (stats.caches) {
  case CacheState::Code: caches = "caches with the code of a launch before, not its data"; break;
  case CacheState::Warm:
    caches = stats.rotatedBytes ? "caches with code and what is left of data in turn (--rotate)"
                                : "caches with code and data of a launch before";
    break;
  case CacheState::Cold: caches = "cold caches"; break;
  }
  const std::string overhead =
      stats.launchOverheadSeconds > 0
          ? formatv("{0} us of launch overhead", formatv("{0:f2}", stats.launchOverheadSeconds * 1e6)).str()
          : "no launch overhead";
  return formatv("assumed: {0}; {1}; {2}\n", clock, caches, overhead);
}

static std::string accuracyText(const TimedStats &stats) {
  const events::Accuracy &accuracy = stats.accuracy;
  const std::string range = events::range(accuracy);
  if (!accuracy.launches)
    return "accuracy: " + range + " with measured times\n";
  return formatv("accuracy: {0} in nine of ten launches that are alike ({1} measured, bound by {2})\n", range,
                 accuracy.launches, accuracy.bound);
}

static std::string sampled(const TimedStats &stats) {
  const std::string text = formatv("sample: {0} per unit; ", counted(stats.sample, "workgroup"));
  if (stats.rounds < 2)
    return text + formatv("the error isn't known: it takes {0} or more\n", 3 * stats.workgroupsPerCu).str();
  return text + formatv("the device's cycles +- {0:f1} %, two standard errors of {1}\n",
                        100 * stats.cyclesError / std::max(1.0, stats.deviceCycles), counted(stats.rounds, "round"))
                    .str();
}

static std::string launches(ArrayRef<double> seconds) {
  constexpr size_t shown = 16;
  std::string text = "launches in us:";
  for (double one : seconds.take_front(shown))
    text += formatv(" {0:f2}", one * 1e6).str();
  if (seconds.size() > shown)
    text += " ...";
  std::vector<double> sorted(seconds.begin(), seconds.end());
  llvm::sort(sorted);
  const size_t half = sorted.size() / 2;
  const double median = sorted.size() % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  return text + formatv("; min {0:f2}, median {1:f2}\n", sorted.front() * 1e6, median * 1e6).str();
}

void printTimed(raw_ostream &os, const TimedStats &stats) {
  os << formatv("{0}, {1:f0} MHz: {2} of {3} compute units with work simulated, {4} per unit at a time, {5} per SIMD\n",
                stats.device.name, stats.clockMHz, stats.simulatedCus, stats.usedCus,
                counted(stats.workgroupsPerCu, "workgroup"), counted(stats.wavesPerSimd, "wave"));
  os << formatv("{0}, {1} in {2} cycles ({3:f3} instructions per cycle and unit)\n",
                counted(stats.simulated.workgroups, "workgroup"), counted(stats.simulated.instructions, "instruction"),
                stats.cycles,
                double(stats.simulated.instructions) / double(std::max<uint64_t>(1, stats.cycles)) /
                    stats.simulatedCus);
  os << formatv("device: {0:f0} cycles, {1:f2} us; {2:f2} TFLOP/s{8}, L2 {3:f0} GB/s, memory {4:f0} GB/s ({5:f0}% "
                "of {6}); places filled {7:f0}%\n",
                stats.cyclesToEnd(), stats.deviceSeconds * 1e6, stats.flopsPerSecond * 1e-12,
                stats.l2BytesPerSecond * 1e-9, stats.memoryBytesPerSecond * 1e-9,
                stats.memoryBytesPerSecond * 1e-7 / stats.device.memoryGBytes, stats.device.memoryGBytes,
                stats.fill * 100,
                stats.matrixShare > 0
                    ? formatv(" ({0:f0}% of the matrix cores' peak at this clock)", stats.matrixShare * 100).str()
                    : "");
  os << accuracyText(stats) << assumed(stats);
  if (stats.isSampled)
    os << sampled(stats);
  if (!stats.launchSeconds.empty())
    os << launches(stats.launchSeconds);
  if (!stats.sharing.byLine.empty())
    os << formatv(
        "sharing: {0:f1} units of an XCD want a line, {1:f1} XCDs; from {2:f2} million instructions in {3:f3} s\n",
        stats.sharing.unitsALine, stats.sharing.slicesALine, double(stats.sharing.instructions) * 1e-6,
        stats.sharing.seconds);
  const double cpu = std::max(1e-6, stats.cpuSeconds);
  os << formatv("simulated in {0:f3} s, {1:f3} s of processor time in the units: {2:f2} million cycles and {3:f2} "
                "million instructions per second of it\n",
                stats.seconds, stats.cpuSeconds, double(stats.cycles) * stats.simulatedCus / cpu * 1e-6,
                double(stats.simulated.instructions) / cpu * 1e-6);
}

} // namespace inflight::cli
