#include "isa/chip/Occupancy.h"

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

unsigned workgroupSizeForVgprs(const TargetInfo &target, unsigned vgprs) {
  // All of a workgroup's waves are on one compute unit at the same time. From gfx10 on they may be on two.
  const unsigned waves = target.simdsPerCu * std::max(target.wavesForVgprs(vgprs), 1u);
  return target.generation > 9 ? target.maxWorkgroupSize
                               : std::min(target.maxWorkgroupSize, waves * target.lanesPerWave);
}

SmallVector<OccupancyLimit, 4> limitsOf(const TargetInfo &target, const WorkgroupResources &resources,
                                        const Occupancy &held) {
  using Resource = OccupancyLimit::Resource;
  const unsigned wanted = held.workgroups + 1, waves = std::max(resources.waves, 1u);
  const unsigned wavesPerSimd = divideCeil(wanted * waves, target.simdsPerCu);
  if (wavesPerSimd > target.maxWavesPerSimd)
    return {{Resource::WaveSlots, waves, 0}};
  SmallVector<OccupancyLimit, 4> limits;
  if (held.byVgprs < wanted)
    limits.push_back({Resource::Vgprs, resources.vgprs, target.vgprsForWaves(wavesPerSimd)});
  if (held.bySgprs < wanted)
    limits.push_back(
        {Resource::Sgprs, resources.sgprs, alignDown(target.sgprsPerSimd / wavesPerSimd, target.sgprGranule)});
  if (held.byLds < wanted)
    limits.push_back({Resource::Lds, resources.ldsBytes, alignDown(target.ldsBytes / wanted, target.ldsGranule)});
  if (held.byBarriers < wanted)
    limits.push_back({Resource::Barriers, target.barriersPerCu, 0});
  return limits;
}

} // namespace inflight
