// Conversions of gfx950 between small floats and the others with a scale (V_CVT_SCALEF32_*), and the
// stochastic ones (V_CVT_SR_*).
//
// Only the exponent of the scale counts: to a small float values are divided by it, from one they are multiplied.
// OP_SEL names the part of the packed side: the word of two 8-bit floats, the byte of one or of two 4-bit ones.
#include "machine/handlers/Valu.h"
#include "machine/wave/SmallFloat.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
enum class Small { Fp8, Bf8, Fp6, Bf6, Fp4 };
enum class Wide { F32, F16, Bf16 };

constexpr bool is8(Small s) { return s == Small::Fp8 || s == Small::Bf8; }
constexpr unsigned bitsOf(Small s) { return is8(s) ? 8 : s == Small::Fp4 ? 4 : 6; }
constexpr SmallFormat format(Small s) {
  return s == Small::Fp8   ? formatOf(Float8::E4m3Fn)
         : s == Small::Bf8 ? formatOf(Float8::E5m2)
         : s == Small::Fp6 ? fp6
         : s == Small::Bf6 ? bf6
                           : fp4;
}
constexpr unsigned mantissaBits(Wide w) { return w == Wide::F32 ? 23 : w == Wide::F16 ? 10 : 7; }

/// Rounds stochastically from a format with `fromBits` of mantissa: what is beyond the last place kept and the seed's
/// highest bits, of both as many as a normal number has more than `f`, carry into it or not (AMD's host implementation,
/// amd_hip_ocp_host.hpp).
u32 stochastically(double x, const SmallFormat &f, bool saturates, unsigned fromBits, u32 seed) {
  const int bits = int(fromBits) - f.mantissaBits;
  const double unit = powerOfTwo(1 - f.bias - f.mantissaBits - bits); // a normal number is a multiple of it
  const double kept = std::isfinite(x) && std::fabs(x) < 0x1p60 ? std::trunc(x / unit) * unit : x;
  return toSmall(std::copysign(kept, x), f, saturates, true, double(seed >> (32 - bits)) * powerOfTwo(-bits));
}
bool saturates(const Wave &w) { return w.mode & mode::Fp16Overflow; }

double scaleOf(u32 bits) {
  u32 e = bits >> 23 & 0xff;
  return e == 255 ? double(NAN) : asD(u64(e + 1023 - 127) << 52);
}

/// Element i of a source: registers of floats, or of two halves each.
template <Wide W> double wideElement(const u32 *lanes, unsigned lane, unsigned i) {
  if constexpr (W == Wide::F32)
    return asF(lanes[i * Lanes + lane]);
  u32 half = lanes[i / 2 * Lanes + lane] >> (16 * (i % 2)) & 0xffff;
  return W == Wide::F16 ? float(asH(half)) : fromBf16(u16(half));
}
template <Wide W> u32 fromDouble(double x) {
  if constexpr (W == Wide::F32)
    return asU(float(x));
  return W == Wide::F16 ? asU(toHalf(x)) : toBf16(float(x));
}

/// Up to two small elements at a part of a register, as wide ones: V_CVT_SCALEF32_[PK_]<wide>_<small>.
template <Wide W, Small S, unsigned Count> void up(Wave &w, const Op &op) {
  LaneArray space[2], low, high;
  const u32 *from = laneSource(w, op.source[0], space[0]), *scales = laneSource(w, op.source[1], space[1]);
  constexpr unsigned partBits = Count * bitsOf(S);
  const unsigned shift = partBits == 16 ? 16 * (op.opSel & 1) : 8 * (op.opSel & 3);
  const bool highHalf = op.opSel >> 3 & 1;
  const u32 *old = w.vgpr(op.destination);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const u32 part = from[lane] >> shift, mask = (1u << bitsOf(S)) - 1;
    const double scale = scaleOf(scales[lane]);
    u32 first = fromDouble<W>(fromSmall(part & mask, format(S)) * scale);
    u32 second = Count > 1 ? fromDouble<W>(fromSmall(part >> bitsOf(S) & mask, format(S)) * scale) : 0;
    high.lane[lane] = second;
    if (W == Wide::F32)
      low.lane[lane] = first;
    else if (Count > 1)
      low.lane[lane] = first | second << 16;
    else
      low.lane[lane] = highHalf ? (old[lane] & 0xffff) | first << 16 : (old[lane] & 0xffff0000u) | first;
  }
  writeLanes(w, w.vgpr(op.destination), low.lane);
  if (W == Wide::F32 && Count > 1)
    writeLanes(w, w.vgpr(op.destination + 1), high.lane);
}

/// One or two wide elements into a part of a register. A pair of floats comes from two sources, or from two
/// registers (V_CVT_SCALEF32_SR_PK_FP4_F32); the seed and the scale follow.
template <Wide W, Small S, unsigned Count, bool Stochastic> void down(Wave &w, const Op &op) {
  LaneArray space[3], changed[2], result;
  constexpr bool twoSources = W == Wide::F32 && Count == 2 && !Stochastic;
  const u32 *first = laneSource(w, op.source[0], space[0]), *second = laneSource(w, op.source[1], space[1]);
  if constexpr (W == Wide::F32 && !(Stochastic && Count == 2))
    first = modified(op.source[0], first, changed[0], 0x80000000u);
  if constexpr (twoSources)
    second = modified(op.source[1], second, changed[1], 0x80000000u);
  const u32 *scales = twoSources || Stochastic ? laneSource(w, op.source[2], space[2]) : second;
  u32 *to = w.vgpr(op.destination);
  constexpr unsigned partBits = Count * bitsOf(S);
  const unsigned shift = partBits == 16 ? 16 * (op.opSel >> 3 & 1) : 8 * (op.opSel >> 2 & 3);
  const u32 partMask = ((1u << partBits) - 1) << shift;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const double scale = scaleOf(scales[lane]);
    u32 part = 0, seed = second[lane];
    for (unsigned i = 0; i < Count; ++i, seed = nextSeed(seed)) {
      double x = twoSources && i ? asF(second[lane]) : wideElement<W>(first, lane, i);
      const double scaled = x / scale;
      part |= (Stochastic ? stochastically(scaled, format(S), saturates(w), mantissaBits(W), seed)
                          : toSmall(scaled, format(S), saturates(w)))
              << (i * bitsOf(S));
    }
    result.lane[lane] = (to[lane] & ~partMask) | part << shift;
  }
  writeLanes(w, to, result.lane);
}

/// 32 elements of 6 bits in six registers.
template <Wide W, Small S> void up32(Wave &w, const Op &op) {
  LaneArray space, result[32];
  const u32 *from = w.vgpr(op.source[0].index), *scales = laneSource(w, op.source[1], space);
  constexpr unsigned registers = W == Wide::F32 ? 32 : 16;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const double scale = scaleOf(scales[lane]);
    u32 halves = 0;
    for (unsigned i = 0; i < 32; ++i) {
      const unsigned word = i * 6 / 32, shift = i * 6 % 32;
      u64 bits = from[word * Lanes + lane] | (shift > 26 ? u64(from[(word + 1) * Lanes + lane]) << 32 : 0);
      u32 wide = fromDouble<W>(fromSmall(u32(bits >> shift) & 63, format(S)) * scale);
      if constexpr (W == Wide::F32)
        result[i].lane[lane] = wide;
      else if (i % 2)
        result[i / 2].lane[lane] = halves | wide << 16;
      else
        halves = wide;
    }
  }
  for (unsigned r = 0; r < registers; ++r)
    writeLanes(w, w.vgpr(op.destination + r), result[r].lane);
}

/// The other way. 2XPK16 takes the even elements from its first source and the odd ones from its second.
template <Wide W, Small S, bool Stochastic, bool Interleaved> void down32(Wave &w, const Op &op) {
  LaneArray space[2], result[6];
  const u32 *first = w.vgpr(op.source[0].index);
  const u32 *second = Interleaved ? w.vgpr(op.source[1].index) : laneSource(w, op.source[1], space[0]);
  const u32 *scales = Stochastic || Interleaved ? laneSource(w, op.source[2], space[1]) : second;
  std::memset(result, 0, sizeof result);
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    const double scale = scaleOf(scales[lane]);
    u32 seed = second[lane];
    for (unsigned i = 0; i < 32; ++i, seed = nextSeed(seed)) {
      double x = Interleaved ? wideElement<W>(i % 2 ? second : first, lane, i / 2) : wideElement<W>(first, lane, i);
      const double scaled = x / scale;
      u64 bits = u64(Stochastic ? stochastically(scaled, format(S), saturates(w), mantissaBits(W), seed)
                                : toSmall(scaled, format(S), saturates(w)))
                 << (i * 6 % 32);
      result[i * 6 / 32].lane[lane] |= u32(bits);
      if (bits >> 32)
        result[i * 6 / 32 + 1].lane[lane] |= u32(bits >> 32);
    }
  }
  for (unsigned r = 0; r < 6; ++r)
    writeLanes(w, w.vgpr(op.destination + r), result[r].lane);
}

/// V_CVT_SR_FP8_F32 and V_CVT_SR_BF8_F32: value, seed; the byte is OP_SEL's.
template <bool IsWide> void stochastic8(Wave &w, const Op &op) {
  LaneArray space[2], changed, result;
  const u32 *from = modified(op.source[0], laneSource(w, op.source[0], space[0]), changed, 0x80000000u),
            *seeds = laneSource(w, op.source[1], space[1]);
  const SmallFormat format =
      formatOf(IsWide ? (op.aux ? Float8::E5m2 : Float8::E5m2Fnuz) : (op.aux ? Float8::E4m3Fn : Float8::E4m3Fnuz));
  u32 *to = w.vgpr(op.destination);
  const unsigned shift = 8 * (op.opSel >> 2 & 3);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    result.lane[lane] = (to[lane] & ~(0xffu << shift)) |
                        stochastically(asF(from[lane]), format, saturates(w), 23, seeds[lane]) << shift;
  writeLanes(w, to, result.lane);
}

template <Wide W, Small S> void registerTwo(HandlerTable &table, const std::string &wide, const std::string &small) {
  const std::string prefix = "v_cvt_scalef32_";
  if constexpr (is8(S)) {
    if constexpr (W != Wide::Bf16)
      add(table, prefix + wide + "_" + small, up<W, S, 1>);
    add(table, prefix + "pk_" + wide + "_" + small, up<W, S, 2>);
    add(table, prefix + "pk_" + small + "_" + wide, down<W, S, 2, false>);
    add(table, prefix + "sr_" + small + "_" + wide, down<W, S, 1, true>);
  } else if constexpr (S == Small::Fp4) {
    add(table, prefix + "pk_" + wide + "_" + small, up<W, S, 2>);
    add(table, prefix + "pk_" + small + "_" + wide, down<W, S, 2, false>);
    add(table, prefix + "sr_pk_" + small + "_" + wide, down<W, S, 2, true>);
  } else {
    add(table, prefix + "pk32_" + wide + "_" + small, up32<W, S>);
    add(table, prefix + "sr_pk32_" + small + "_" + wide, down32<W, S, true, false>);
    if constexpr (W == Wide::F32)
      add(table, prefix + "2xpk16_" + small + "_" + wide, down32<W, S, false, true>);
    else
      add(table, prefix + "pk32_" + small + "_" + wide, down32<W, S, false, false>);
  }
}
template <Small S> void registerSmall(HandlerTable &table, const std::string &small) {
  registerTwo<Wide::F32, S>(table, "f32", small);
  registerTwo<Wide::F16, S>(table, "f16", small);
  registerTwo<Wide::Bf16, S>(table, "bf16", small);
}
} // namespace

void registerValuScaled(HandlerTable &table) {
  registerSmall<Small::Fp8>(table, "fp8");
  registerSmall<Small::Bf8>(table, "bf8");
  registerSmall<Small::Fp6>(table, "fp6");
  registerSmall<Small::Bf6>(table, "bf6");
  registerSmall<Small::Fp4>(table, "fp4");
  add(table, "v_cvt_sr_fp8_f32", stochastic8<false>);
  add(table, "v_cvt_sr_bf8_f32", stochastic8<true>);
}

} // namespace inflight::machine::SIMD_LEVEL
