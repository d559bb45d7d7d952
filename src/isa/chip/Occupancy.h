// How many workgroups a compute unit holds at once, and what bounds them.
#pragma once

#include "isa/chip/TargetInfo.h"
#include "llvm/ADT/SmallVector.h"

namespace inflight {

/// What a workgroup takes.
struct WorkgroupResources {
  unsigned waves = 1;
  unsigned vgprs = 1;    ///< a wave, architectural and accumulation registers together
  unsigned sgprs = 1;    ///< a wave, reserved ones included
  uint64_t ldsBytes = 0; ///< dynamic ones included
};

/// What a compute unit holds of such workgroups, at least 0.
struct Occupancy {
  unsigned wavesPerSimd = 0; ///< that registers leave
  unsigned workgroups = 0;
  /// Workgroups by each resource alone; ~0u where it sets no bound.
  unsigned byVgprs = 0, bySgprs = 0, byLds = ~0u, byBarriers = ~0u;

  static Occupancy of(const TargetInfo &target, const WorkgroupResources &resources);
};

/// Lanes that a workgroup has at most whose waves use `vgprs` registers each.
unsigned workgroupSizeForVgprs(const TargetInfo &target, unsigned vgprs);

/// A resource that leaves no room for one more workgroup on a compute unit.
struct OccupancyLimit {
  enum class Resource { WaveSlots, Vgprs, Sgprs, Lds, Barriers };
  Resource resource = Resource::WaveSlots;
  uint64_t has = 0;  ///< that a wave takes of registers, a workgroup of LDS bytes and wave slots; barriers of the unit
  uint64_t most = 0; ///< that it may take for one more workgroup to fit; 0 where less doesn't help

  friend bool operator==(const OccupancyLimit &, const OccupancyLimit &) = default;
};

/// `held` being Occupancy::of() the same. Only the wave slots where no registers or LDS would help.
llvm::SmallVector<OccupancyLimit, 4> limitsOf(const TargetInfo &target, const WorkgroupResources &resources,
                                              const Occupancy &held);

} // namespace inflight
