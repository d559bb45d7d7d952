// Templates for vector instructions: sources to lanes, a function on each lane, active lanes back.
#pragma once

#include "machine/handlers/Register.h"

namespace inflight::machine::SIMD_LEVEL {

/// A half from a double, rounded once: by way of a float rounded to odd.
inline f16 toHalf(double x) {
  float nearest = float(x);
  bool inexact = double(nearest) != x, away = std::fabs(double(nearest)) > std::fabs(x);
  return f16(asF((asU(nearest) - away) | inexact));
}
inline f16 fmaHalf(float a, float b, float c) { return toHalf(double(a) * double(b) + double(c)); }

/// 32-bit sources and result. `Sign` is the sign bit that neg and abs change (0: integers).
template <auto F, int N, u32 Sign> void valu32(Wave &w, const Op &op) {
  LaneArray space[3], changed[3], result;
  const u32 *in[3] = {nullptr, nullptr, nullptr};
  for (int i = 0; i < N; ++i) {
    in[i] = laneSource(w, op.source[i], space[i]);
    if constexpr (Sign != 0)
      in[i] = modified(op.source[i], in[i], changed[i], Sign);
  }
  const u32 *a = in[0], *b = N > 1 ? in[1] : in[0], *c = N > 2 ? in[2] : in[0];
  u32 *to = w.vgpr(op.destination), *out = w.exec() == ~u64(0) ? to : result.lane;
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) {
    if constexpr (N == 1) out[i] = F(a[i]);
    else if constexpr (N == 2) out[i] = F(a[i], b[i]);
    else out[i] = F(a[i], b[i], c[i]);
  }
  if constexpr (Sign == 0x80000000u) {
    if (op.clamp | op.outputModifier) {
      static const float factors[] = {1.0f, 2.0f, 4.0f, 0.5f};
      float factor = factors[op.outputModifier & 3];
      for (unsigned i = 0; i < Lanes; ++i) {
        float x = asF(out[i]) * factor;
        if (op.clamp)
          x = x > 1.0f ? 1.0f : x > 0.0f ? x : 0.0f;
        out[i] = asU(x);
      }
    }
  }
  if (out != to)
    writeLanes(w, to, out);
}

/// As valu32, the destination being a source as well (v_fmac_f32 and the like).
template <auto F, u32 Sign> void valuAccumulate(Wave &w, const Op &op) {
  LaneArray space[2], changed[2], result;
  const u32 *a = modified(op.source[0], laneSource(w, op.source[0], space[0]), changed[0], Sign);
  const u32 *b = modified(op.source[1], laneSource(w, op.source[1], space[1]), changed[1], Sign);
  u32 *d = w.vgpr(op.destination), *out = w.exec() == ~u64(0) ? d : result.lane;
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) out[i] = F(a[i], b[i], d[i]);
  if (out != d)
    writeLanes(w, d, out);
}

struct alignas(64) WideArray { u64 lane[Lanes]; };

inline const u64 *wideSource(Wave &w, const Source &s, WideArray &space, unsigned bits, bool isFloat) {
  LaneArray low, high;
  if (bits == 64) {
    const u32 *l = laneSource(w, s, low, 0), *h = laneSource(w, s, high, 1);
    u64 keep = ~u64(0), flip = 0;
    if (isFloat) {
      keep = s.absolute ? ~(u64(1) << 63) : ~u64(0);
      flip = s.negate ? u64(1) << 63 : 0;
    }
    for (unsigned i = 0; i < Lanes; ++i)
      space.lane[i] = ((l[i] | u64(h[i]) << 32) & keep) ^ flip;
  } else {
    const u32 *l = laneSource(w, s, low, 0);
    u32 keep = isFloat && s.absolute ? 0x7fffffffu : ~0u, flip = isFloat && s.negate ? 0x80000000u : 0;
    for (unsigned i = 0; i < Lanes; ++i)
      space.lane[i] = (l[i] & keep) ^ flip;
  }
  return space.lane;
}

/// Sources of the widths in `W0..W2` (0: absent) as u64, a result of `R` bits.
template <auto F, int W0, int W1, int W2, int R, bool IsFloat> void valu64(Wave &w, const Op &op) {
  WideArray space[3];
  const u64 *a = wideSource(w, op.source[0], space[0], W0, IsFloat), *b = a, *c = a;
  if constexpr (W1 != 0) b = wideSource(w, op.source[1], space[1], W1, IsFloat);
  if constexpr (W2 != 0) c = wideSource(w, op.source[2], space[2], W2, IsFloat);
  LaneArray low, high;
  for (unsigned i = 0; i < Lanes; ++i) {
    u64 r;
    if constexpr (W2 != 0) r = F(a[i], b[i], c[i]);
    else if constexpr (W1 != 0) r = F(a[i], b[i]);
    else r = F(a[i]);
    low.lane[i] = u32(r);
    high.lane[i] = u32(r >> 32);
  }
  writeLanes(w, w.vgpr(op.destination), low.lane);
  if constexpr (R == 64)
    writeLanes(w, w.vgpr(op.destination + 1), high.lane);
}

} // namespace inflight::machine::SIMD_LEVEL
