// How many workgroups of a launch a chip holds at once.
#pragma once

#include "isa/chip/Occupancy.h"
#include "machine/PreparedLaunch.h"

namespace inflight::machine {

/// What a compute unit holds, at least one workgroup.
Occupancy occupancyOf(const PreparedLaunch &launch);

/// What leaves no room for one more workgroup.
llvm::SmallVector<OccupancyLimit, 4> occupancyLimitsOf(const PreparedLaunch &launch);

/// Of the largest product with the chip (data/devices.json).
unsigned mostComputeUnits(llvm::StringRef chip);

} // namespace inflight::machine
