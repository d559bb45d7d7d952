// How many workgroups a compute unit holds at once, and what bounds them.
#pragma once

#include "isa/TargetInfo.h"
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

} // namespace inflight
