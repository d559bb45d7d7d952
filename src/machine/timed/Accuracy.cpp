#include "machine/timed/Accuracy.h"

#include "isa/chip/TargetInfo.h"
#include "machine/timed/TimedRun.h"
#include "support/Diagnostics.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace inflight::machine::timed {

/// `least`: of the matrix cores' time, or of memory's peak. bench/aiter.py sorts launches in the same way.
static StringRef boundOf(const TimedStats &stats, double least) {
  if (stats.matrixShare >= least)
    return "matrix";
  return stats.memoryBytesPerSecond >= least * stats.device.memoryGBytes * 1e9 ? "memory" : "latency";
}

events::Accuracy accuracyOf(const TimedStats &stats) {
  static const json::Value document = cantFail(parseData("accuracy.json"));
  auto entry = [&](StringRef name) { return document.getAsObject()->getNumber(name).value_or(0); };
  events::Accuracy accuracy;
  accuracy.bound = boundOf(stats, entry("bound_percent") * 0.01).str();
  // All that was compared multiplies matrices, with caches as launches on other data leave them.
  if (stats.matrixShare <= 0 || (stats.caches == CacheState::Warm && !stats.rotatedBytes))
    return accuracy;
  const json::Array *groups = document.getAsObject()->getArray("groups");
  // The times that were compared have a launch in them.
  const double launch = entry("launch_us") * 1e-6, seconds = stats.deviceSeconds - stats.launchOverheadSeconds + launch;
  for (const json::Value &value : *groups) {
    const json::Object &group = *value.getAsObject();
    auto number = [&](StringRef name) { return group.getNumber(name).value_or(0); };
    if (group.getString("chip") == StringRef(stats.device.chip) && number("units") == stats.device.computeUnits &&
        group.getString("bound") == StringRef(accuracy.bound) && seconds * 1e6 >= number("from_us") &&
        seconds * 1e6 < number("to_us")) {
      accuracy.launches = unsigned(number("launches"));
      accuracy.least = 1e6 * (seconds * number("least") - launch + stats.launchOverheadSeconds);
      accuracy.most = 1e6 * (seconds * number("most") - launch + stats.launchOverheadSeconds);
    }
  }
  return accuracy;
}

} // namespace inflight::machine::timed
