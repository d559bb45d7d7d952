// Vector instructions that look across lanes, at masks, or at packed halves.
#include "machine/SmallFloat.h"
#include "machine/handlers/Valu.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
void cndmask(Wave &w, const Op &op) {
  LaneArray space[2], changed[2], result;
  const u32 *a = modified(op.source[0], laneSource(w, op.source[0], space[0]), changed[0], 0x80000000u);
  const u32 *b = modified(op.source[1], laneSource(w, op.source[1], space[1]), changed[1], 0x80000000u);
  u64 mask = scalarSource64(w, op.source[2]);
  for (unsigned i = 0; i < Lanes; ++i)
    result.lane[i] = (mask >> i & 1) ? b[i] : a[i];
  writeLanes(w, w.vgpr(op.destination), result.lane);
}
void readfirstlane(Wave &w, const Op &op) {
  LaneArray space;
  const u32 *a = laneSource(w, op.source[0], space);
  u64 exec = w.exec();
  w.s[op.destination] = a[exec ? std::countr_zero(exec) : 0];
}
void readlane(Wave &w, const Op &op) {
  LaneArray space;
  const u32 *a = laneSource(w, op.source[0], space);
  w.s[op.destination] = a[scalarSource(w, op.source[1]) & 63];
}
void writelane(Wave &w, const Op &op) {
  w.vgpr(op.destination)[scalarSource(w, op.source[1]) & 63] = scalarSource(w, op.source[0]);
}
template <bool High> void mbcnt(Wave &w, const Op &op) {
  LaneArray space[2], result;
  const u32 *a = laneSource(w, op.source[0], space[0]), *b = laneSource(w, op.source[1], space[1]);
  for (unsigned i = 0; i < Lanes; ++i) {
    u64 below = (u64(1) << i) - 1;
    u32 part = High ? u32(below >> 32) : u32(below);
    result.lane[i] = u32(std::popcount(a[i] & part)) + b[i];
  }
  writeLanes(w, w.vgpr(op.destination), result.lane);
}
template <int Width> void permlaneSwap(Wave &w, const Op &op) {
  // Swaps odd rows of the first register with even rows of the second.
  u32 *a = w.vgpr(op.destination), *b = w.vgpr(op.source[0].index);
  for (unsigned row = 0; row < Lanes / Width; row += 2)
    for (unsigned i = 0; i < Width; ++i)
      std::swap(a[(row + 1) * Width + i], b[row * Width + i]);
}
void swap(Wave &w, const Op &op) {
  u32 *a = w.vgpr(op.destination), *b = w.vgpr(op.source[0].index);
  u64 exec = w.exec();
  for (unsigned i = 0; i < Lanes; ++i)
    if (exec >> i & 1)
      std::swap(a[i], b[i]);
}

/// VOP3P on halves: op_sel picks the half of each source for the low result, op_sel_hi for the
/// high one; neg and neg_hi likewise.
template <auto F, int N, bool IsFloat> void packed16(Wave &w, const Op &op) {
  LaneArray space[3], part[3], half[2];
  const u32 *in[3];
  for (int s = 0; s < N; ++s)
    in[s] = laneSource(w, op.source[s], space[s]);
  for (int h = 0; h < 2; ++h) {
    for (int s = 0; s < N; ++s) {
      const u32 shift = (h ? op.opSelHigh : op.opSel) >> s & 1 ? 16 : 0;
      const u32 flip = IsFloat && (h ? op.negateHigh >> s & 1 : op.source[s].negate) ? 0x8000 : 0;
      LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) part[s].lane[i] = (in[s][i] >> shift & 0xffff) ^ flip;
    }
    const u32 *a = part[0].lane, *b = part[N > 1 ? 1 : 0].lane, *c = part[N > 2 ? 2 : 0].lane;
    LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) half[h].lane[i] = F(a[i], b[i], c[i]) & 0xffff;
  }
  for (unsigned i = 0; i < Lanes; ++i)
    half[0].lane[i] |= half[1].lane[i] << 16;
  writeLanes(w, w.vgpr(op.destination), half[0].lane);
}
/// VOP3P on pairs of singles.
template <auto F, int N> void packed32(Wave &w, const Op &op) {
  LaneArray result[2];
  for (int h = 0; h < 2; ++h) {
    LaneArray space[3], changed[3];
    const u32 *in[3] = {nullptr, nullptr, nullptr};
    for (int s = 0; s < N; ++s) {
      unsigned half = (h ? op.opSelHigh : op.opSel) >> s & 1;
      // A scalar constant is one word for both halves.
      in[s] = laneSource(w, op.source[s], space[s], op.source[s].kind == Source::Constant ? 0 : half);
      Source sign;
      sign.negate = h ? op.negateHigh >> s & 1 : op.source[s].negate;
      in[s] = modified(sign, in[s], changed[s], 0x80000000u);
    }
    const u32 *a = in[0], *b = N > 1 ? in[1] : in[0], *c = N > 2 ? in[2] : in[0];
    LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) result[h].lane[i] = F(a[i], b[i], c[i]);
  }
  writeLanes(w, w.vgpr(op.destination), result[0].lane);
  writeLanes(w, w.vgpr(op.destination + 1), result[1].lane);
}
/// v_fma_mix*: each source a single or one half, by op_sel_hi and op_sel.
template <int Part> void fmaMix(Wave &w, const Op &op) {
  LaneArray space[3], result;
  const u32 *in[3];
  for (int s = 0; s < 3; ++s)
    in[s] = laneSource(w, op.source[s], space[s]);
  u32 *destination = w.vgpr(op.destination);
  for (unsigned i = 0; i < Lanes; ++i) {
    float v[3];
    for (int s = 0; s < 3; ++s) {
      bool isHalf = op.opSelHigh >> s & 1, high = op.opSel >> s & 1;
      v[s] = isHalf ? float(asH(high ? in[s][i] >> 16 : in[s][i])) : asF(in[s][i]);
      if (op.negateHigh >> s & 1) v[s] = std::fabs(v[s]);
      if (op.source[s].negate) v[s] = -v[s];
    }
    float r = __builtin_fmaf(v[0], v[1], v[2]);
    if (Part == 0) result.lane[i] = asU(r);
    else if (Part == 1) result.lane[i] = (destination[i] & 0xffff0000u) | asU(f16(r));
    else result.lane[i] = (destination[i] & 0xffff) | asU(f16(r)) << 16;
  }
  writeLanes(w, destination, result.lane);
}

void divScale32(Wave &w, const Op &op) {
  LaneArray space[3], result;
  const u32 *in[3];
  for (int s = 0; s < 3; ++s)
    in[s] = laneSource(w, op.source[s], space[s]);
  u64 mask = 0;
  for (unsigned i = 0; i < Lanes; ++i) {
    // Sources: value to scale, denominator, numerator (ISA manual, V_DIV_SCALE_F32).
    float s0 = asF(in[0][i]), s1 = asF(in[1][i]), s2 = asF(in[2][i]), r = s0;
    auto exponent = [](float x) { return int(asU(x) >> 23 & 0xff); };
    bool flagBit = false;
    if (s2 == 0 || s1 == 0) r = NAN;
    else if (exponent(s2) - exponent(s1) >= 96) { flagBit = true; if (s0 == s1) r = std::ldexp(s0, 64); }
    else if (exponent(s1) == 0) r = std::ldexp(s0, 64);
    else if (exponent(s1) >= 253 && exponent(float(s2 / s1)) == 0) { flagBit = true; if (s0 == s1) r = std::ldexp(s0, -64); }
    else if (exponent(s1) >= 253) r = std::ldexp(s0, -64);
    else if (exponent(float(s2 / s1)) == 0) { flagBit = true; if (s0 == s2) r = std::ldexp(s0, 64); }
    else if (exponent(s2) <= 23) r = std::ldexp(s0, 64);
    result.lane[i] = asU(r);
    mask |= u64(flagBit) << i;
  }
  writeLanes(w, w.vgpr(op.destination), result.lane);
  w.setS64(op.scalarDestination, mask & w.exec());
}
void divScale64(Wave &w, const Op &op) {
  WideArray space[3];
  const u64 *in[3];
  for (int s = 0; s < 3; ++s)
    in[s] = wideSource(w, op.source[s], space[s], 64, true);
  LaneArray low, high;
  u64 mask = 0;
  for (unsigned i = 0; i < Lanes; ++i) {
    double s0 = asD(in[0][i]), s1 = asD(in[1][i]), s2 = asD(in[2][i]), r = s0;
    auto exponent = [](double x) { return int(asU(x) >> 52 & 0x7ff); };
    bool flagBit = false;
    if (s2 == 0 || s1 == 0) r = NAN;
    else if (exponent(s2) - exponent(s1) >= 768) { flagBit = true; if (s0 == s1) r = std::ldexp(s0, 128); }
    else if (exponent(s1) == 0) r = std::ldexp(s0, 128);
    else if (exponent(s1) >= 2045 && exponent(s2 / s1) == 0) { flagBit = true; if (s0 == s1) r = std::ldexp(s0, -128); }
    else if (exponent(s1) >= 2045) r = std::ldexp(s0, -128);
    else if (exponent(s2 / s1) == 0) { flagBit = true; if (s0 == s2) r = std::ldexp(s0, 128); }
    else if (exponent(s2) <= 53) r = std::ldexp(s0, 128);
    u64 bits = asU(r);
    low.lane[i] = u32(bits);
    high.lane[i] = u32(bits >> 32);
    mask |= u64(flagBit) << i;
  }
  writeLanes(w, w.vgpr(op.destination), low.lane);
  writeLanes(w, w.vgpr(op.destination + 1), high.lane);
  w.setS64(op.scalarDestination, mask & w.exec());
}
void divFmas32(Wave &w, const Op &op) {
  LaneArray space[3], changed[3], result;
  const u32 *in[3];
  for (int s = 0; s < 3; ++s)
    in[s] = modified(op.source[s], laneSource(w, op.source[s], space[s]), changed[s], 0x80000000u);
  u64 vcc = w.s64(106);
  for (unsigned i = 0; i < Lanes; ++i) {
    float r = __builtin_fmaf(asF(in[0][i]), asF(in[1][i]), asF(in[2][i]));
    if (vcc >> i & 1)
      r = std::ldexp(r, (asU(asF(in[2][i])) >> 23 & 0xff) >= 127 ? 64 : -64);
    result.lane[i] = asU(r);
  }
  writeLanes(w, w.vgpr(op.destination), result.lane);
}
void divFmas64(Wave &w, const Op &op) {
  WideArray space[3];
  const u64 *in[3];
  for (int s = 0; s < 3; ++s)
    in[s] = wideSource(w, op.source[s], space[s], 64, true);
  LaneArray low, high;
  u64 vcc = w.s64(106);
  for (unsigned i = 0; i < Lanes; ++i) {
    double r = std::fma(asD(in[0][i]), asD(in[1][i]), asD(in[2][i]));
    if (vcc >> i & 1)
      r = std::ldexp(r, (in[2][i] >> 52 & 0x7ff) >= 1023 ? 128 : -128);
    low.lane[i] = u32(asU(r));
    high.lane[i] = u32(asU(r) >> 32);
  }
  writeLanes(w, w.vgpr(op.destination), low.lane);
  writeLanes(w, w.vgpr(op.destination + 1), high.lane);
}
template <typename T> T divFixup(T q, T den, T num) {
  T sign = (std::signbit(den) != std::signbit(num)) ? T(-1) : T(1);
  if (std::isnan(num)) return num;
  if (std::isnan(den)) return den;
  if (num == 0 && den == 0) return T(NAN);
  if (std::isinf(num) && std::isinf(den)) return T(NAN);
  if (den == 0 || std::isinf(num)) return sign * T(INFINITY);
  if (std::isinf(den) || num == 0) return sign * T(0);
  return std::copysign(q, sign);
}
/// Any function of three bits, on each bit. Its table of eight bits lies in the fields of neg, abs and omod.
template <bool Half> void bitop3(Wave &w, const Op &op) {
  LaneArray space[3], result;
  const u32 *in[3];
  for (int s = 0; s < 3; ++s)
    in[s] = laneSource(w, op.source[s], space[s]);
  const u32 truth = op.word[1] >> 29 | (op.word[0] >> 8 & 7) << 3 | (op.word[1] >> 27 & 3) << 6;
  u32 *to = w.vgpr(op.destination);
  for (unsigned i = 0; i < Lanes; ++i) {
    u32 v[3];
    for (int s = 0; s < 3; ++s)
      v[s] = Half && op.opSel >> s & 1 ? in[s][i] >> 16 : in[s][i];
    u32 r = 0;
    for (unsigned row = 0; row < 8; ++row)
      if (truth >> row & 1)
        r |= (row & 4 ? v[0] : ~v[0]) & (row & 2 ? v[1] : ~v[1]) & (row & 1 ? v[2] : ~v[2]);
    if constexpr (Half)
      r = op.opSel >> 3 & 1 ? (to[i] & 0xffff) | r << 16 : (to[i] & 0xffff0000u) | (r & 0xffff);
    result.lane[i] = r;
  }
  writeLanes(w, to, result.lane);
}
/// Stochastic rounding of a float to half a register: the seed is added below the last bit kept.
template <bool IsBf16> void stochastic16(Wave &w, const Op &op) {
  LaneArray space[2], changed, result;
  const u32 *from = modified(op.source[0], laneSource(w, op.source[0], space[0]), changed, 0x80000000u), *seeds = laneSource(w, op.source[1], space[1]);
  u32 *to = w.vgpr(op.destination);
  const bool high = op.opSel >> 3 & 1;
  for (unsigned i = 0; i < Lanes; ++i) {
    double x = asF(from[i]), magnitude = std::fabs(x);
    if (std::isfinite(x) && x != 0) {
      int exponent = std::max(std::ilogb(magnitude), IsBf16 ? -126 : -14) - (IsBf16 ? 7 : 10);
      x = std::copysign(std::ldexp(roundSteps(std::ldexp(magnitude, -exponent), true, double(seeds[i]) * 0x1p-32), exponent), x);
    }
    u32 half = IsBf16 ? toBf16(float(x)) : asU(toHalf(x));
    result.lane[i] = high ? (to[i] & 0xffff) | half << 16 : (to[i] & 0xffff0000u) | half;
  }
  writeLanes(w, to, result.lane);
}
/// NaN wins, and -0 is less than +0 (IEEE 754-2019 minimum and maximum).
float minimum(float a, float b) { return a != a ? a : b != b ? b : (a < b || (a == b && std::signbit(a))) ? a : b; }
float maximum(float a, float b) { return a != a ? a : b != b ? b : (a > b || (a == b && !std::signbit(a))) ? a : b; }
u32 dot2Bf16(u32 a, u32 b, u32 c) {
  return asU(__builtin_fmaf(fromBf16(u16(a >> 16)), fromBf16(u16(b >> 16)), __builtin_fmaf(fromBf16(u16(a)), fromBf16(u16(b)), asF(c))));
}
template <Float8 Fnuz, Float8 Ocp> Float8 formatOf(const Op &op) { return op.aux ? Ocp : Fnuz; }
template <bool Wide> void cvtPkFloat8(Wave &w, const Op &op) {
  Float8 format = Wide ? formatOf<Float8::E5m2Fnuz, Float8::E5m2>(op) : formatOf<Float8::E4m3Fnuz, Float8::E4m3Fn>(op);
  LaneArray space[2], changed[2], result;
  const u32 *a = modified(op.source[0], laneSource(w, op.source[0], space[0]), changed[0], 0x80000000u);
  const u32 *b = modified(op.source[1], laneSource(w, op.source[1], space[1]), changed[1], 0x80000000u);
  u32 *d = w.vgpr(op.destination);
  bool high = op.opSel >> 3 & 1;
  for (unsigned i = 0; i < Lanes; ++i) {
    u32 pair = toFloat8(asF(a[i]), format) | u32(toFloat8(asF(b[i]), format)) << 8;
    result.lane[i] = high ? (d[i] & 0xffff) | pair << 16 : (d[i] & 0xffff0000u) | pair;
  }
  writeLanes(w, d, result.lane);
}
template <bool Wide, bool Pair> void cvtF32Float8(Wave &w, const Op &op) {
  Float8 format = Wide ? formatOf<Float8::E5m2Fnuz, Float8::E5m2>(op) : formatOf<Float8::E4m3Fnuz, Float8::E4m3Fn>(op);
  LaneArray space, low, high;
  const u32 *a = laneSource(w, op.source[0], space);
  for (unsigned i = 0; i < Lanes; ++i) {
    u32 word = Pair && (op.opSel & 1) ? a[i] >> 16 : a[i];
    low.lane[i] = asU(fromFloat8(u8(word), format));
    high.lane[i] = asU(fromFloat8(u8(word >> 8), format));
  }
  writeLanes(w, w.vgpr(op.destination), low.lane);
  if (Pair)
    writeLanes(w, w.vgpr(op.destination + 1), high.lane);
}
} // namespace

#define PKH(name, n, expr) add(table, name, packed16<[](u32 x, u32 y, u32 z) -> u32 { f16 a = asH(x), b = asH(y), c = asH(z); (void)b; (void)c; return asU(f16(expr)); }, n, true>, {16, 16, 16})
#define PKI(name, n, expr) add(table, name, packed16<[](u32 a, u32 b, u32 c) -> u32 { (void)b; (void)c; return u32(expr); }, n, false>)
#define PKF(name, n, expr) add(table, name, packed32<[](u32 x, u32 y, u32 z) -> u32 { float a = asF(x), b = asF(y), c = asF(z); (void)b; (void)c; return asU(float(expr)); }, n>)

void registerValuSpecial(HandlerTable &table) {
  add(table, "v_cndmask_b32", cndmask);
  add(table, "v_readfirstlane_b32", readfirstlane);
  add(table, "v_readlane_b32", readlane);
  add(table, "v_writelane_b32", writelane);
  add(table, "v_mbcnt_lo_u32_b32", mbcnt<false>);
  add(table, "v_mbcnt_hi_u32_b32", mbcnt<true>);
  add(table, "v_permlane32_swap_b32", permlaneSwap<32>);
  add(table, "v_permlane16_swap_b32", permlaneSwap<16>);
  add(table, "v_swap_b32", swap);
  add(table, "v_nop", [](Wave &, const Op &) {});
  add(table, "v_clrexcp", [](Wave &, const Op &) {});

  PKH("v_pk_add_f16", 2, a + b);
  PKH("v_pk_mul_f16", 2, a * b);
  PKH("v_pk_fma_f16", 3, fmaHalf(a, b, c));
  PKH("v_pk_min_f16", 2, a != a ? b : b != b ? a : a < b ? a : b);
  PKH("v_pk_max_f16", 2, a != a ? b : b != b ? a : a > b ? a : b);
  PKI("v_pk_add_u16", 2, a + b);
  PKI("v_pk_sub_u16", 2, a - b);
  PKI("v_pk_add_i16", 2, a + b);
  PKI("v_pk_sub_i16", 2, a - b);
  PKI("v_pk_mul_lo_u16", 2, a * b);
  PKI("v_pk_mad_u16", 3, a * b + c);
  PKI("v_pk_mad_i16", 3, a * b + c);
  PKI("v_pk_lshlrev_b16", 2, b << (a & 15));
  PKI("v_pk_lshrrev_b16", 2, u16(b) >> (a & 15));
  PKI("v_pk_ashrrev_i16", 2, int16_t(b) >> (a & 15));
  PKI("v_pk_min_u16", 2, std::min(u16(a), u16(b)));
  PKI("v_pk_max_u16", 2, std::max(u16(a), u16(b)));
  PKI("v_pk_min_i16", 2, std::min(int16_t(a), int16_t(b)));
  PKI("v_pk_max_i16", 2, std::max(int16_t(a), int16_t(b)));
  PKF("v_pk_add_f32", 2, a + b);
  PKF("v_pk_mul_f32", 2, a * b);
  PKF("v_pk_fma_f32", 3, __builtin_fmaf(a, b, c));
  add(table, "v_pk_mov_b32", [](Wave &w, const Op &op) {
    LaneArray space[2], low, high;
    std::memcpy(low.lane, laneSource(w, op.source[0], space[0], op.opSel & 1), sizeof low.lane);
    std::memcpy(high.lane, laneSource(w, op.source[1], space[1], op.opSel >> 1 & 1), sizeof high.lane);
    writeLanes(w, w.vgpr(op.destination), low.lane);
    writeLanes(w, w.vgpr(op.destination + 1), high.lane);
  });
  add(table, "v_fma_mix_f32", fmaMix<0>);
  add(table, "v_fma_mixlo_f16", fmaMix<1>);
  add(table, "v_fma_mixhi_f16", fmaMix<2>);
  add(table, "v_pack_b32_f16", valu32<[](u32 a, u32 b) -> u32 { return (a & 0xffff) | b << 16; }, 2, 0>, {16, 16, 16});
  add(table, "v_dot2_f32_f16", valu32<[](u32 a, u32 b, u32 c) -> u32 { return asU(__builtin_fmaf(float(asH(a >> 16)), float(asH(b >> 16)), __builtin_fmaf(float(asH(a)), float(asH(b)), asF(c)))); }, 3, 0>);
  add(table, "v_dot4_i32_i8", valu32<[](u32 a, u32 b, u32 c) -> u32 { i32 r = i32(c); for (int k = 0; k < 4; ++k) r += i32(int8_t(a >> 8 * k)) * int8_t(b >> 8 * k); return u32(r); }, 3, 0>);

  add(table, "v_div_scale_f32", divScale32);
  add(table, "v_div_scale_f64", divScale64, {64, 64, 64});
  add(table, "v_div_fmas_f32", divFmas32);
  add(table, "v_div_fmas_f64", divFmas64, {64, 64, 64});
  add(table, "v_div_fixup_f32", valu32<[](u32 q, u32 d, u32 n) -> u32 { return asU(divFixup(asF(q), asF(d), asF(n))); }, 3, 0x80000000u>);
  add(table, "v_div_fixup_f64", valu64<[](u64 q, u64 d, u64 n) -> u64 { return asU(divFixup(asD(q), asD(d), asD(n))); }, 64, 64, 64, 64, true>, {64, 64, 64});

  add(table, "v_bitop3_b32", bitop3<false>);
  add(table, "v_bitop3_b16", bitop3<true>);
  add(table, "v_prng_b32", valu32<[](u32 a) -> u32 { return a << 1 ^ (a >> 31 ? 0xc5 : 0); }, 1, 0>);
  add(table, "v_cvt_pk_f16_f32", valu32<[](u32 a, u32 b) -> u32 { return asU(f16(asF(a))) | asU(f16(asF(b))) << 16; }, 2, 0x80000000u>);
  add(table, "v_cvt_sr_f16_f32", stochastic16<false>);
  add(table, "v_cvt_sr_bf16_f32", stochastic16<true>);
  add(table, "v_cvt_f32_bf16", valu32<[](u32 a) -> u32 { return a << 16; }, 1, 0x8000>, {16, 16, 16});
  add(table, "v_minimum3_f32", valu32<[](u32 a, u32 b, u32 c) -> u32 { return asU(minimum(minimum(asF(a), asF(b)), asF(c))); }, 3, 0x80000000u>);
  add(table, "v_maximum3_f32", valu32<[](u32 a, u32 b, u32 c) -> u32 { return asU(maximum(maximum(asF(a), asF(b)), asF(c))); }, 3, 0x80000000u>);
  PKH("v_pk_minimum3_f16", 3, minimum(minimum(a, b), c));
  PKH("v_pk_maximum3_f16", 3, maximum(maximum(a, b), c));
  add(table, "v_dot2_f32_bf16", valu32<dot2Bf16, 3, 0>);
  add(table, "v_dot2c_f32_bf16", valuAccumulate<dot2Bf16, 0>);

  add(table, "v_cvt_pk_fp8_f32", cvtPkFloat8<false>);
  add(table, "v_cvt_pk_bf8_f32", cvtPkFloat8<true>);
  add(table, "v_cvt_f32_fp8", cvtF32Float8<false, false>);
  add(table, "v_cvt_f32_bf8", cvtF32Float8<true, false>);
  add(table, "v_cvt_pk_f32_fp8", cvtF32Float8<false, true>);
  add(table, "v_cvt_pk_f32_bf8", cvtF32Float8<true, true>);
}

} // namespace inflight::machine::SIMD_LEVEL
