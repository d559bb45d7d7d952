// How many workgroups of a launch a chip holds at once.
#pragma once

#include "machine/PreparedLaunch.h"

namespace inflight::machine {

/// What a compute unit holds.
struct Occupancy {
  unsigned wavesPerSimd = 0, workgroups = 0;
  static Occupancy of(const PreparedLaunch &launch);
};

/// Of the largest product with the chip (data/devices.json).
unsigned mostComputeUnits(llvm::StringRef chip);

} // namespace inflight::machine
