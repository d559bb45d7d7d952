// What waves know of each other's accesses. Ordering.h says how they come to know it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace inflight::machine::check {

/// What may be done at different times: by the LDS unit, by LDS DMA, in global memory.
enum class Unit : uint8_t { Lds, Dma, Global };
inline constexpr unsigned unitCount = 3, mostWaves = 16;

/// Of each wave and unit: accesses with lower numbers have happened.
struct Known {
  uint32_t upTo[mostWaves][unitCount] = {};
  void join(const Known &other) {
    for (unsigned wave = 0; wave < mostWaves; ++wave)
      for (unsigned unit = 0; unit < unitCount; ++unit)
        upTo[wave][unit] = std::max(upTo[wave][unit], other.upTo[wave][unit]);
  }
  bool operator==(const Known &) const = default;
};

/// An access in the order of its workgroup.
struct Moment {
  uint32_t number = 0;
  uint32_t version = 0;               ///< what its wave knew (Ordering::known)
  uint32_t published[unitCount] = {}; ///< of a write: accesses of its wave with lower numbers
  uint8_t wave = 0;
  Unit unit = Unit::Lds;
};

} // namespace inflight::machine::check
