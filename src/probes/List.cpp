#include "probes/Probe.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::probes {

ArrayRef<Probe> probes() {
  static const Probe all[] = {
      {"clock", measureClock},
      {"slots", measureSlots},
      {"valu", measureValu},
      {"valu-to-scalar", measureValuToScalar},
      {"salu", measureSalu},
      {"branch", measureBranch},
      {"fetch", measureFetch},
      {"mfma", measureMfma},
      {"mfma-shadow", measureMfmaShadow},
      {"coissue", measureCoissue},
      {"fairness", measureFairness},
      {"barrier", measureBarrier},
      {"waves", measureWaves},
      {"occupancy", measureOccupancy},
      {"lds", measureLds},
      {"lds-stride", measureLdsStride},
      {"lds-queue", measureLdsQueue},
      {"lds-dma", measureLdsDma},
      {"chase", measureChase},
      {"vmem", measureVmem},
      {"vmem-issue", measureVmemIssue},
      {"vmem-arrival", measureVmemArrival},
      {"smem", measureSmem},
      {"smem-issue", measureSmemIssue},
  };
  return all;
}

Expected<const Probe *> findProbe(StringRef name) {
  const auto *found = find_if(probes(), [&](const Probe &probe) { return probe.name == name; });
  if (found != probes().end())
    return found;
  std::string known;
  for (const Probe &probe : probes())
    known += (known.empty() ? "" : ", ") + probe.name.str();
  return makeError("no probe '" + name + "'; there are " + known);
}

Expected<Report> measure(const Probe &probe, Bench &bench) {
  Report report;
  report.about = &findTemplate(probe.name);
  probe.measure(bench, report);
  if (Error error = bench.takeError())
    return makeError("probe " + probe.name + ": " + toString(std::move(error)));
  return report;
}

} // namespace inflight::probes
