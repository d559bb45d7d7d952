#include "isa/Occupancy.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight {

Occupancy Occupancy::of(const TargetInfo &target, const WorkgroupResources &resources) {
  const unsigned waves = std::max(resources.waves, 1u);
  const unsigned sgprs = alignTo(std::max(resources.sgprs, 1u), target.sgprGranule);
  // A SIMD holds no more waves than its slots, whatever their registers.
  const unsigned wavesByVgprs = target.wavesForVgprs(resources.vgprs);
  const unsigned wavesBySgprs = std::min(target.maxWavesPerSimd, target.sgprsPerSimd / sgprs);
  Occupancy result;
  result.wavesPerSimd = std::min(wavesByVgprs, wavesBySgprs);
  result.byVgprs = wavesByVgprs * target.simdsPerCu / waves;
  result.bySgprs = wavesBySgprs * target.simdsPerCu / waves;
  if (const uint64_t lds = alignTo(resources.ldsBytes, target.ldsGranule))
    result.byLds = target.ldsBytes / lds;
  if (waves > 1)
    result.byBarriers = target.barriersPerCu;
  result.workgroups = std::min({result.byVgprs, result.bySgprs, result.byLds, result.byBarriers});
  return result;
}

} // namespace inflight
