#include "machine/Occupancy.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::machine {

static WorkgroupResources resourcesOf(const PreparedLaunch &launch) {
  const auto &block = launch.config->block;
  const KernelDescriptor &descriptor = launch.kernel->descriptor;
  return {.waves = unsigned(divideCeil(block[0] * block[1] * block[2], Lanes)),
          .vgprs = descriptor.vgprCount(),
          .sgprs = launch.kernel->sgprCount ? launch.kernel->sgprCount : launch.limits.sgprs,
          .ldsBytes = uint64_t(descriptor.groupSegmentFixedSize) + launch.config->dynamicLdsBytes};
}

SmallVector<OccupancyLimit, 4> occupancyLimitsOf(const PreparedLaunch &launch) {
  return limitsOf(*launch.target, resourcesOf(launch), occupancyOf(launch));
}

Occupancy occupancyOf(const PreparedLaunch &launch) {
  Occupancy result = Occupancy::of(*launch.target, resourcesOf(launch));
  result.wavesPerSimd = std::max(result.wavesPerSimd, 1u);
  result.workgroups = std::max(result.workgroups, 1u);
  return result;
}

static StringMap<unsigned> readComputeUnits() {
  StringMap<unsigned> most;
  const json::Value document = cantFail(parseData("devices.json"));
  for (const auto &[name, value] : *document.getAsObject()) {
    const json::Object *object = value.getAsObject();
    const std::optional<StringRef> chip = object ? object->getString("chip") : std::nullopt;
    if (!chip)
      continue;
    unsigned units = 0;
    cantFail(readEntries("devices.json", object, DataEntry{"compute_units", units}));
    most[*chip] = std::max(most[*chip], units);
  }
  return most;
}

unsigned mostComputeUnits(StringRef chip) {
  static const StringMap<unsigned> most = readComputeUnits(); // launches ask for it
  return std::max(1u, most.lookup(chip));
}

} // namespace inflight::machine
