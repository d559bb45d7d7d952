// The most memory that this process has had.
#pragma once

#include <cstdint>

namespace inflight {

/// From now on, where the system can tell; else since it began.
void restartPeakMemory();
/// Resident bytes; 0 where that isn't known.
uint64_t peakMemory();

} // namespace inflight
