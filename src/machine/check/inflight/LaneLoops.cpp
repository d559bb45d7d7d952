#include "machine/check/inflight/LaneLoops.h"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
#define FOR_EACH_LEVEL __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define FOR_EACH_LEVEL
#endif

namespace inflight::machine::check {

FOR_EACH_LEVEL void findRange(const uint64_t *addresses, uint64_t &low, uint64_t &high) {
  uint64_t least = ~uint64_t(0), most = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const uint64_t at = addresses[lane];
    least = std::min(least, at - 1); // 0 becomes the largest
    most = std::max(most, at);
  }
  low = least + 1;
  high = most;
  if (!most)
    low = 1;
}

FOR_EACH_LEVEL uint64_t offsetsFrom(const uint64_t *addresses, uint64_t base, uint32_t none, uint32_t *to) {
  // Products of pairs with odd numbers that differ from lane to lane, so that the order counts.
  uint64_t hash = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    to[lane] = addresses[lane] ? uint32_t(addresses[lane] - base) : none;
    const uint32_t mixed = (to[lane] ^ (0x9e3779b9u * (lane + 1))) * 0x85ebca6bu;
    hash += uint64_t(mixed ^ mixed >> 15) * (2 * lane + 0xc2b2ae35u);
  }
  return hash;
}

FOR_EACH_LEVEL bool areOffsetsFrom(const uint64_t *addresses, uint64_t base, uint32_t none, const uint32_t *offsets) {
  uint32_t different = 0;
  for (unsigned lane = 0; lane < Lanes; ++lane)
    different |= (addresses[lane] ? uint32_t(addresses[lane] - base) : none) ^ offsets[lane];
  return !different;
}

FOR_EACH_LEVEL void swapWords(uint32_t *one, uint32_t *other, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const uint32_t kept = one[i];
    one[i] = other[i];
    other[i] = kept;
  }
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
