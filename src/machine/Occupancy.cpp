#include "machine/Occupancy.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::machine {

Occupancy occupancyOf(const PreparedLaunch &launch) {
  const auto &block = launch.config->block;
  const KernelDescriptor &descriptor = launch.kernel->descriptor;
  Occupancy result = Occupancy::of(
      *launch.target, {.waves = unsigned(divideCeil(block[0] * block[1] * block[2], Lanes)),
                       .vgprs = descriptor.vgprCount(),
                       .sgprs = launch.kernel->sgprCount ? launch.kernel->sgprCount : launch.limits.sgprs,
                       .ldsBytes = uint64_t(descriptor.groupSegmentFixedSize) + launch.config->dynamicLdsBytes});
  result.wavesPerSimd = std::max(result.wavesPerSimd, 1u);
  result.workgroups = std::max(result.workgroups, 1u);
  return result;
}

unsigned mostComputeUnits(StringRef chip) {
  unsigned most = 1;
  const json::Value document = cantFail(parseData("devices.json"));
  for (const auto &[name, value] : *document.getAsObject()) {
    const json::Object *object = value.getAsObject();
    if (!object || object->getString("chip") != chip)
      continue;
    unsigned units = 0;
    cantFail(readEntries("devices.json", object, DataEntry{"compute_units", units}));
    most = std::max(most, units);
  }
  return most;
}

} // namespace inflight::machine
