// Templates for vector instructions: sources to lanes, a function on each lane, active lanes back.
#pragma once

#include "machine/handlers/Float.h"
#include "machine/handlers/Register.h"

namespace inflight::machine::SIMD_LEVEL {

/// Of an operation that gives NaNs as they should be.
struct AsGiven {};
template <auto OnNan>
constexpr bool selects = !std::is_same_v<decltype(OnNan), std::nullptr_t> && !std::is_same_v<decltype(OnNan), AsGiven>;
template <auto OnNan> constexpr bool settles = std::is_same_v<decltype(OnNan), std::nullptr_t>;

/// 32-bit sources and result. `Sign` is the sign bit that neg and abs change (0: integers).
/// `W`: the result is a float of so many bits, to which CLAMP and the rules for NaNs apply. `OnNan` then stands for F
/// if some source is a NaN (AsGiven: F does); without it the result of F settles what becomes of NaNs, which are the
/// first N sources of width W.
template <auto F, int N, u32 Sign, unsigned W = 0, auto OnNan = nullptr> void valu32(Wave &w, const Op &op) {
  LaneArray space[3], changed[3], result;
  const u32 *in[3] = {nullptr, nullptr, nullptr};
  for (int i = 0; i < N; ++i) {
    in[i] = laneSource(w, op.source[i], space[i]);
    if constexpr (Sign != 0)
      in[i] = modified(op.source[i], in[i], changed[i], Sign);
  }
  const u32 *a = in[0], *b = N > 1 ? in[1] : in[0], *c = N > 2 ? in[2] : in[0];
  u32 *to = w.vgpr(op.destination), *out = w.exec() == ~u64(0) ? to : result.lane;
  if (W && !std::is_same_v<decltype(OnNan), AsGiven> &&
      (a == to || b == to || c == to)) // NaNs may have to be looked at again
    out = result.lane;
  u32 someNans = 0;
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) {
    u32 x;
    if constexpr (N == 1)
      x = F(a[i]);
    else if constexpr (N == 2)
      x = F(a[i], b[i]);
    else
      x = F(a[i], b[i], c[i]);
    out[i] = x;
    if constexpr (W != 0 && settles<OnNan>)
      someNans |= isNan<W>(x);
  }
  if constexpr (W != 0) {
    if constexpr (selects<OnNan>) {
      if (someNan<W>(a, Lanes) || someNan<W>(b, Lanes) || (N > 2 && someNan<W>(c, Lanes))) [[unlikely]]
        for (unsigned i = 0; i < Lanes; ++i) {
          if constexpr (N == 1)
            out[i] = OnNan(a[i]);
          else if constexpr (N == 2)
            out[i] = OnNan(a[i], b[i]);
          else
            out[i] = OnNan(a[i], b[i], c[i]);
        }
    } else if (someNans) [[unlikely]] {
      settleNans<W, N>(out, in, Lanes);
    }
    if (op.clamp)
      clampFloats<W>(out, Lanes);
  }
  if (out != to)
    writeLanes(w, to, out);
}

/// As valu32, the destination being a source as well (v_fmac_f32 and the like).
template <auto F, u32 Sign, unsigned W = 0> void valuAccumulate(Wave &w, const Op &op) {
  LaneArray space[2], changed[2], result;
  const u32 *a = modified(op.source[0], laneSource(w, op.source[0], space[0]), changed[0], Sign);
  const u32 *b = modified(op.source[1], laneSource(w, op.source[1], space[1]), changed[1], Sign);
  u32 *d = w.vgpr(op.destination), *out = W == 0 && w.exec() == ~u64(0) ? d : result.lane;
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) out[i] = F(a[i], b[i], d[i]);
  if constexpr (W != 0) {
    if (someNan<W>(out, Lanes)) [[unlikely]] {
      const u32 *const in[] = {a, b, d};
      settleNans<W, 3>(out, in, Lanes);
    }
    if (op.clamp)
      clampFloats<W>(out, Lanes);
  }
  if (out != d)
    writeLanes(w, d, out);
}

/// Halves in either half of the registers: OP_SEL names those of the sources and of the destination, whose other half
/// stays (the three-operand instructions that gfx9 gave OP_SEL).
template <auto F, int N, bool IsFloat, auto OnNan = nullptr> void valuHalf(Wave &w, const Op &op) {
  LaneArray part[3], result;
  const u32 *in[3];
  for (int s = 0; s < N; ++s) {
    LaneArray space;
    const u32 *from = laneSource(w, op.source[s], space);
    const u32 shift = op.opSel >> s & 1 ? 16 : 0;
    const u32 keep = IsFloat && op.source[s].absolute ? 0x7fff : 0xffff,
              flip = IsFloat && op.source[s].negate ? 0x8000 : 0;
    for (unsigned i = 0; i < Lanes; ++i)
      part[s].lane[i] = (from[i] >> shift & keep) ^ flip;
    in[s] = part[s].lane;
  }
  u32 *out = result.lane;
  auto apply = [&](auto f, unsigned i) {
    if constexpr (N == 2)
      return f(in[0][i], in[1][i]) & 0xffff;
    else
      return f(in[0][i], in[1][i], in[2][i]) & 0xffff;
  };
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) out[i] = apply(F, i);
  if constexpr (IsFloat) {
    if constexpr (selects<OnNan>) {
      bool some = false;
      for (int s = 0; s < N; ++s)
        some |= someNan<16>(in[s], Lanes);
      if (some) [[unlikely]]
        for (unsigned i = 0; i < Lanes; ++i)
          out[i] = apply(OnNan, i);
    } else if (settles<OnNan> && someNan<16>(out, Lanes)) [[unlikely]] {
      settleNans<16, N>(out, in, Lanes);
    }
    if (op.clamp)
      clampFloats<16>(out, Lanes);
  }
  u32 *to = w.vgpr(op.destination);
  const u32 shift = op.opSel >> 3 & 1 ? 16 : 0, keep = 0xffff0000u >> shift;
  for (unsigned i = 0; i < Lanes; ++i)
    out[i] = (to[i] & keep) | out[i] << shift;
  writeLanes(w, to, out);
}

struct alignas(64) WideArray {
  u64 lane[Lanes];
  using Word = u32 __attribute__((may_alias));
  void join(const u32 *low, const u32 *high) {
    Word *words = reinterpret_cast<Word *>(lane);
    LANE_LOOP for (size_t i = 0; i < Lanes; ++i) {
      words[2 * i] = low[i];
      words[2 * i + 1] = high[i];
    }
  }
  void split(u32 *low, u32 *high) const {
    const Word *words = reinterpret_cast<const Word *>(lane);
    LANE_LOOP for (size_t i = 0; i < Lanes; ++i) {
      low[i] = words[2 * i];
      high[i] = words[2 * i + 1];
    }
  }
  /// Writes the active lanes of a pair of registers.
  void write(Wave &w, unsigned destination) const {
    if (w.exec() == ~u64(0))
      return split(w.vgpr(destination), w.vgpr(destination + 1));
    LaneArray low, high;
    split(low.lane, high.lane);
    writeLanes(w, w.vgpr(destination), low.lane);
    writeLanes(w, w.vgpr(destination + 1), high.lane);
  }
};

inline const u64 *wideSource(Wave &w, const Source &s, WideArray &space, unsigned bits, bool isFloat) {
  LaneArray low, high;
  if (bits == 64) {
    const u32 *l = laneSource(w, s, low, 0), *h = laneSource(w, s, high, 1);
    LaneArray changed;
    space.join(l, isFloat ? modified(s, h, changed, 0x80000000u) : h);
  } else {
    const u32 *l = laneSource(w, s, low, 0);
    u32 keep = isFloat && s.absolute ? 0x7fffffffu : ~0u, flip = isFloat && s.negate ? 0x80000000u : 0;
    for (unsigned i = 0; i < Lanes; ++i)
      space.lane[i] = (l[i] & keep) ^ flip;
  }
  return space.lane;
}

/// All of 64 bits: pairs of registers are joined on the way.
template <auto F, int N, bool IsFloat, bool SettlesNans, bool Clamps> void valuPairs(Wave &w, const Op &op) {
  LaneArray lows[N], highs[N], changed[N];
  const u32 *low[3], *high[3];
  for (int s = 0; s < N; ++s) {
    low[s] = laneSource(w, op.source[s], lows[s], 0);
    high[s] = laneSource(w, op.source[s], highs[s], 1);
    if constexpr (IsFloat)
      high[s] = modified(op.source[s], high[s], changed[s], 0x80000000u);
  }
  WideArray result;
  u64 someNans = 0;
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) {
    auto in = [&](int s) { return low[s][i] | u64(high[s][i]) << 32; };
    u64 x;
    if constexpr (N == 1)
      x = F(in(0));
    else if constexpr (N == 2)
      x = F(in(0), in(1));
    else
      x = F(in(0), in(1), in(2));
    result.lane[i] = x;
    if constexpr (SettlesNans)
      someNans |= isNan<64>(x);
  }
  if (someNans) [[unlikely]] {
    WideArray wide[N];
    const u64 *in[N];
    for (int s = 0; s < N; ++s) {
      wide[s].join(low[s], high[s]);
      in[s] = wide[s].lane;
    }
    settleNans<64, N>(result.lane, in, Lanes);
  }
  if (Clamps && op.clamp)
    clampFloats<64>(result.lane, Lanes);
  result.write(w, op.destination);
}

/// Sources of the widths in `W0..W2` (0: absent) as u64, a result of `R` bits. `Floats`: as valu32's W, of the result.
template <auto F, int W0, int W1, int W2, int R, bool IsFloat, bool Floats = false, auto OnNan = nullptr>
void valu64(Wave &w, const Op &op) {
  constexpr int sources = W2 ? 3 : W1 ? 2 : 1;
  if constexpr (W0 == 64 && W1 % 64 == 0 && W2 % 64 == 0 && R == 64 && !selects<OnNan>)
    return valuPairs < F, sources, IsFloat, Floats && settles<OnNan>, Floats > (w, op);
  WideArray space[3], result;
  const u64 *a = wideSource(w, op.source[0], space[0], W0, IsFloat), *b = a, *c = a;
  if constexpr (W1 != 0)
    b = wideSource(w, op.source[1], space[1], W1, IsFloat);
  if constexpr (W2 != 0)
    c = wideSource(w, op.source[2], space[2], W2, IsFloat);
  auto apply = [&](auto f, unsigned i) -> u64 {
    if constexpr (W2 != 0)
      return f(a[i], b[i], c[i]);
    else if constexpr (W1 != 0)
      return f(a[i], b[i]);
    else
      return f(a[i]);
  };
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) result.lane[i] = apply(F, i);
  if constexpr (Floats) {
    if constexpr (selects<OnNan>) {
      if (someNan<R>(a, Lanes) || someNan<R>(b, Lanes) || (W2 && someNan<R>(c, Lanes))) [[unlikely]]
        for (unsigned i = 0; i < Lanes; ++i)
          result.lane[i] = apply(OnNan, i);
    } else if (settles<OnNan> && someNan<R>(result.lane, Lanes)) [[unlikely]] {
      const u64 *const in[] = {a, b, c};
      settleNans<R, W1 == R ? sources : 1>(result.lane, in, Lanes);
    }
    if (op.clamp)
      clampFloats<R>(result.lane, Lanes);
  }
  if constexpr (R == 64) {
    result.write(w, op.destination);
  } else {
    LaneArray low;
    for (unsigned i = 0; i < Lanes; ++i)
      low.lane[i] = u32(result.lane[i]);
    writeLanes(w, w.vgpr(op.destination), low.lane);
  }
}

} // namespace inflight::machine::SIMD_LEVEL
