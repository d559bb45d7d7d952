// Lane loops shared by the handlers. Everything here is in the namespace of the SIMD level.
#pragma once

#include "machine/wave/Handlers.h"
#include <bit>
#include <cmath>
#ifdef __AVX512F__
#include <immintrin.h>
#endif

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

struct alignas(64) LaneArray {
  u32 lane[Lanes];
};

inline u32 scalarSource(const Wave &w, const Source &s) {
  u32 value = s.kind == Source::Constant ? u32(s.value)
              : s.index == 253           ? w.scc
              : s.index == 251           ? u32(w.vcc() == 0)
              : s.index == 252           ? u32(w.exec() == 0)
                                         : w.s[s.index];
  return value;
}
inline u64 scalarSource64(const Wave &w, const Source &s) {
  return s.kind == Source::Constant ? s.value : s.index >= 128 ? scalarSource(w, s) : w.s64(s.index);
}

/// A scalar in all lanes.
[[gnu::noinline]] inline void spreadScalar(const Wave &w, const Source &s, LaneArray &space, unsigned half) {
  u32 value = s.kind == Source::Constant ? u32(s.value >> (32 * half))
              : half                     ? (s.index >= 128 ? 0 : w.s[s.index + 1])
                                         : scalarSource(w, s);
  for (unsigned i = 0; i < Lanes; ++i)
    space.lane[i] = value;
}
/// The 64 lanes of a 32-bit source; scalars are spread into `space`.
[[gnu::always_inline]] inline const u32 *laneSource(Wave &w, const Source &s, LaneArray &space, unsigned half = 0) {
  if (s.kind == Source::Vector) [[likely]]
    return w.vgpr(s.index + half);
  spreadScalar(w, s, space, half);
  return space.lane;
}

[[gnu::noinline]] inline void changeSigns(const Source &s, const u32 *lanes, LaneArray &space, u32 sign) {
  u32 keep = s.absolute ? ~sign : ~0u, flip = s.negate ? sign : 0;
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) space.lane[i] = (lanes[i] & keep) ^ flip;
}
/// Applies abs and neg of an element width to the lanes; returns `lanes` itself without modifiers.
[[gnu::always_inline]] inline const u32 *modified(const Source &s, const u32 *lanes, LaneArray &space, u32 sign) {
  if (!(s.negate | s.absolute)) [[likely]]
    return lanes;
  changeSigns(s, lanes, space, sign);
  return space.lane;
}

/// Writes the lanes of `exec`.
inline void writeLanes(u32 *to, const u32 *from, u64 exec) {
  if (exec == ~u64(0)) {
    std::memcpy(to, from, Lanes * sizeof(u32));
    return;
  }
#ifdef __AVX512F__
  for (unsigned row = 0; row < Lanes; row += 16)
    _mm512_storeu_si512(to + row,
                        _mm512_mask_loadu_epi32(_mm512_loadu_si512(to + row), __mmask16(exec >> row), from + row));
#else
  for (unsigned i = 0; i < Lanes; ++i)
    to[i] = (exec >> i & 1) ? from[i] : to[i];
#endif
}
/// A bit for each lane of which `condition` holds. Bits that are joined in the loop itself become loads of constants
/// under masks, which take the slowest path of some hosts.
template <typename F> [[gnu::always_inline]] inline u64 laneMask(F condition) {
  alignas(64) u8 holds[Lanes];
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) holds[i] = condition(i);
#ifdef __AVX512BW__
  return _mm512_test_epi8_mask(_mm512_load_si512(holds), _mm512_set1_epi8(1));
#else
  u64 mask = 0;
  for (unsigned i = 0; i < Lanes; i += 8) {
    u64 eight;
    std::memcpy(&eight, holds + i, 8);
    if constexpr (std::endian::native == std::endian::big)
      eight = __builtin_bswap64(eight);
    mask |= (eight * 0x0102040810204080u >> 56) << i;
  }
  return mask;
#endif
}
/// Writes the active lanes.
inline void writeLanes(Wave &w, u32 *to, const u32 *from) { writeLanes(to, from, w.exec()); }

} // namespace inflight::machine::SIMD_LEVEL
