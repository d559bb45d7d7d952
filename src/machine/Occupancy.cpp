#include "machine/Occupancy.h"

#include "isa/TargetInfo.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::machine {

Occupancy Occupancy::of(const PreparedLaunch &launch) {
  const TargetInfo &target = *launch.target;
  const auto &block = launch.config->block;
  const unsigned waves = divideCeil(block[0] * block[1] * block[2], Lanes);
  const unsigned sgprs =
      alignTo(std::max<unsigned>(1, launch.kernel->sgprCount ? launch.kernel->sgprCount : launch.limits.sgprs),
              target.sgprGranule);
  Occupancy result;
  result.wavesPerSimd =
      std::min(target.wavesForVgprs(launch.kernel->descriptor.vgprCount()), std::max(1u, target.sgprsPerSimd / sgprs));
  unsigned most = result.wavesPerSimd * target.simdsPerCu / waves;
  if (const uint64_t lds =
          alignTo(launch.kernel->descriptor.groupSegmentFixedSize + launch.config->dynamicLdsBytes, target.ldsGranule))
    most = std::min<unsigned>(most, target.ldsBytes / lds);
  if (waves > 1)
    most = std::min(most, target.barriersPerCu);
  result.workgroups = std::max(1u, most);
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
