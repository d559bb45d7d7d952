// Lane loops shared by the handlers. Everything here is in the namespace of the SIMD level.
#pragma once

#include "machine/Handlers.h"
#include <bit>
#include <cmath>

#define LANE_LOOP _Pragma("clang loop vectorize(assume_safety) interleave(disable)")

namespace inflight::machine::SIMD_LEVEL {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;
using f16 = _Float16;

inline float asF(u32 x) { return std::bit_cast<float>(x); }
inline u32 asU(float x) { return std::bit_cast<u32>(x); }
inline double asD(u64 x) { return std::bit_cast<double>(x); }
inline u64 asU(double x) { return std::bit_cast<u64>(x); }
inline f16 asH(u32 x) { return std::bit_cast<f16>(u16(x)); }
inline u32 asU(f16 x) { return std::bit_cast<u16>(x); }

struct alignas(64) LaneArray { u32 lane[Lanes]; };

inline u32 scalarSource(const Wave &w, const Source &s) {
  u32 value = s.kind == Source::Constant ? u32(s.value)
              : s.index == 253           ? w.scc
              : s.index == 251           ? u32((w.s[106] | w.s[107]) == 0)
              : s.index == 252           ? u32((w.s[126] | w.s[127]) == 0)
                                         : w.s[s.index];
  return value;
}
inline u64 scalarSource64(const Wave &w, const Source &s) {
  return s.kind == Source::Constant ? s.value : s.index >= 128 ? scalarSource(w, s) : w.s64(s.index);
}

/// The 64 lanes of a 32-bit source; scalars are spread into `space`.
inline const u32 *laneSource(Wave &w, const Source &s, LaneArray &space, unsigned half = 0) {
  if (s.kind == Source::Vector)
    return w.vgpr(s.index + half);
  u32 value = s.kind == Source::Constant ? u32(s.value >> (32 * half))
              : half                     ? (s.index >= 128 ? 0 : w.s[s.index + 1])
                                         : scalarSource(w, s);
  for (unsigned i = 0; i < Lanes; ++i)
    space.lane[i] = value;
  return space.lane;
}

/// Applies abs and neg of an element width to the lanes; returns `lanes` itself without modifiers.
inline const u32 *modified(const Source &s, const u32 *lanes, LaneArray &space, u32 sign) {
  if (!s.negate && !s.absolute)
    return lanes;
  u32 keep = s.absolute ? ~sign : ~0u, flip = s.negate ? sign : 0;
  for (unsigned i = 0; i < Lanes; ++i)
    space.lane[i] = (lanes[i] & keep) ^ flip;
  return space.lane;
}

/// Writes the lanes of `exec`.
inline void writeLanes(u32 *to, const u32 *from, u64 exec) {
  if (exec == ~u64(0)) {
    std::memcpy(to, from, Lanes * 4);
    return;
  }
  for (unsigned i = 0; i < Lanes; ++i)
    to[i] = (exec >> i & 1) ? from[i] : to[i];
}
/// Writes the active lanes.
inline void writeLanes(Wave &w, u32 *to, const u32 *from) { writeLanes(to, from, w.exec()); }

} // namespace inflight::machine::SIMD_LEVEL
