#include "machine/check/LaneLoops.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define FOR_EACH_LEVEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EACH_LEVEL
#endif

namespace inflight::machine::check {

FOR_EACH_LEVEL void copyAddresses(const uint64_t *from, uint64_t *to, uint64_t &low, uint64_t &high) {
  uint64_t least = ~uint64_t(0), most = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const uint64_t at = from[lane];
    to[lane] = at;
    least = std::min(least, at - 1); // 0 becomes the largest
    most = std::max(most, at);
  }
  low = least + 1;
  high = most;
  if (!most)
    low = 1;
}

FOR_EACH_LEVEL void offsetsFrom(const uint64_t *addresses, uint64_t base, uint32_t none, uint32_t *to) {
  for (unsigned lane = 0; lane < Lanes; ++lane)
    to[lane] = addresses[lane] ? uint32_t(addresses[lane] - base) : none;
}

FOR_EACH_LEVEL bool isContiguous(const uint64_t *addresses, uint64_t step) {
  uint64_t different = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    different |= addresses[lane] ^ (addresses[0] + lane * step);
  return !different;
}

FOR_EACH_LEVEL void deliverLanes(uint32_t *to, const uint32_t *from, uint64_t exec, uint32_t keep) {
  if (exec == ~uint64_t(0) && !keep) {
    std::memcpy(to, from, Lanes * sizeof *to);
    return;
  }
  for (unsigned lane = 0; lane < Lanes; ++lane)
    to[lane] = exec >> lane & 1 ? (to[lane] & keep) | (from[lane] & ~keep) : to[lane];
}

} // namespace inflight::machine::check
