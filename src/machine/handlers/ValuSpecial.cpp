// Vector instructions that look across lanes, at masks, or at packed halves.
#include "isa/instr/FloatRules.h"
#include "machine/handlers/Valu.h"
#include "machine/wave/SmallFloat.h"

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
/// Swaps odd rows of the first register with even rows of the second. As with DPP, a lane that is off isn't written,
/// and is no source without FI: then BOUND_CTRL makes zero of its value, and without that the other lane isn't written
/// either.
template <int Width> void permlaneSwap(Wave &w, const Op &op) {
  u32 *a = w.vgpr(op.destination), *b = w.vgpr(op.source[0].index);
  const bool fetchesInactive = op.opSel & 1, boundControl = op.opSel >> 1 & 1;
  const u64 exec = w.exec();
  for (unsigned even = 0; even < Lanes; ++even) {
    if (even / Width % 2)
      continue;
    const unsigned odd = even + Width;
    const bool evenOn = exec >> even & 1, oddOn = exec >> odd & 1;
    const u32 toOdd = evenOn || fetchesInactive ? b[even] : 0, toEven = oddOn || fetchesInactive ? a[odd] : 0;
    const bool anySource = fetchesInactive || boundControl;
    if (oddOn && (evenOn || anySource))
      a[odd] = toOdd;
    if (evenOn && (oddOn || anySource))
      b[even] = toEven;
  }
}
void swap(Wave &w, const Op &op) {
  u32 *a = w.vgpr(op.destination), *b = w.vgpr(op.source[0].index);
  u64 exec = w.exec();
  for (unsigned i = 0; i < Lanes; ++i)
    if (exec >> i & 1)
      std::swap(a[i], b[i]);
}

/// VOP3P on halves: op_sel picks the half of each source for the low result, op_sel_hi for the
/// high one; neg and neg_hi likewise. `OnNan` as in valu32.
template <auto F, int N, bool IsFloat, auto OnNan = nullptr> void packed16(Wave &w, const Op &op) {
  struct alignas(64) Halves {
    u16 lane[2 * Lanes];
  };
  LaneArray space[3];
  Halves part[3], result;
  const u16 *in[3];
  for (int s = 0; s < N; ++s) {
    const u32 *from = laneSource(w, op.source[s], space[s]);
    const bool low = !(op.opSel >> s & 1), high = op.opSelHigh >> s & 1;
    const u32 flip = IsFloat ? (op.source[s].negate ? 0x8000u : 0) | (op.negateHigh >> s & 1 ? 0x80000000u : 0) : 0;
    in[s] = reinterpret_cast<const u16 *>(from);
    if (low && high && !flip)
      continue;
    for (unsigned i = 0; i < Lanes; ++i) {
      const u32 x = from[i], word = ((low ? x & 0xffff : x >> 16) | (high ? x & 0xffff0000u : x << 16)) ^ flip;
      std::memcpy(part[s].lane + 2 * i, &word, 4);
    }
    in[s] = part[s].lane;
  }
  auto apply = [&](auto f, unsigned i) {
    if constexpr (N == 1)
      return u16(f(in[0][i]));
    else if constexpr (N == 2)
      return u16(f(in[0][i], in[1][i]));
    else
      return u16(f(in[0][i], in[1][i], in[2][i]));
  };
  LANE_LOOP for (unsigned i = 0; i < 2 * Lanes; ++i) result.lane[i] = apply(F, i);
  if constexpr (IsFloat) {
    if constexpr (selects<OnNan>) {
      bool some = false;
      for (int s = 0; s < N; ++s)
        some |= someNan<16>(in[s], 2 * Lanes);
      if (some) [[unlikely]]
        for (unsigned i = 0; i < 2 * Lanes; ++i)
          result.lane[i] = apply(OnNan, i);
    } else if (settles<OnNan> && someNan<16>(result.lane, 2 * Lanes)) [[unlikely]] {
      settleNans<16, N>(result.lane, in, 2 * Lanes);
    }
    if (op.clamp)
      clampFloats<16>(result.lane, 2 * Lanes);
  }
  LaneArray words;
  std::memcpy(words.lane, result.lane, sizeof words);
  writeLanes(w, w.vgpr(op.destination), words.lane);
}
/// Both halves accumulate.
void pkFmac(Wave &w, const Op &op) {
  Op fma = op;
  fma.source[2] = {Source::Vector, 0, 0, op.destination, 0};
  fma.opSelHigh = 7;
  packed16<[](u16 x, u16 y, u16 z) -> u32 { return asU(fmaHalf(asH(x), asH(y), asH(z))); }, 3, true>(w, fma);
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
    u32 *out = result[h].lane;
    LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) out[i] = F(a[i], b[i], c[i]);
    if (someNan<32>(out, Lanes)) [[unlikely]]
      settleNans<32, N>(out, in, Lanes);
    if (op.clamp)
      clampFloats<32>(out, Lanes);
  }
  writeLanes(w, w.vgpr(op.destination), result[0].lane);
  writeLanes(w, w.vgpr(op.destination + 1), result[1].lane);
}
/// v_fma_mix*: each source a single or one half, by op_sel_hi and op_sel.
template <int Part> void fmaMix(Wave &w, const Op &op) {
  LaneArray space[3], single[3], result;
  const u32 *in[3];
  for (int s = 0; s < 3; ++s) {
    const u32 *from = laneSource(w, op.source[s], space[s]);
    const bool isHalf = op.opSelHigh >> s & 1;
    const u32 shift = op.opSel >> s & 1 ? 16 : 0;
    if (isHalf)
      LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) single[s].lane[i] = asU(float(asH(from[i] >> shift)));
    else
      std::memcpy(single[s].lane, from, sizeof single[s]);
    const u32 keep = op.negateHigh >> s & 1 ? 0x7fffffff : ~0u, flip = op.source[s].negate ? 0x80000000 : 0;
    for (unsigned i = 0; i < Lanes; ++i)
      single[s].lane[i] = (single[s].lane[i] & keep) ^ flip;
    in[s] = single[s].lane;
  }
  u32 *out = result.lane, *destination = w.vgpr(op.destination);
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) out[i] =
      asU(__builtin_fmaf(asF(in[0][i]), asF(in[1][i]), asF(in[2][i])));
  if (someNan<32>(out, Lanes)) [[unlikely]]
    settleNans<32, 3>(out, in, Lanes);
  if (op.clamp)
    clampFloats<32>(out, Lanes);
  if constexpr (Part != 0) {
    constexpr u32 shift = Part == 1 ? 0 : 16, keep = Part == 1 ? 0xffff0000 : 0xffff;
    LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) out[i] = (destination[i] & keep) | asU(toHalf(asF(out[i]))) << shift;
  }
  writeLanes(w, destination, out);
}
/// The sum of a single and two products of halves, in this order, one rounding each; V_DOT2_F32_BF16 adds the single
/// last. These instructions know no denormal singles.
template <bool IsBf16, bool Accumulates> void dot2(Wave &w, const Op &op) {
  constexpr bool singleLast = IsBf16 && !Accumulates;
  LaneArray space[3], single[5], result;
  auto flushed = [](u32 x) { return isDenormal<32>(x) ? x & 0x80000000u : x; };
  auto widened = [](u32 half) { return IsBf16 ? half << 16 : asU(float(asH(half))); };
  for (unsigned s = 0; s < 2; ++s) {
    const u32 *from = laneSource(w, op.source[s], space[s]);
    for (unsigned h = 0; h < 2; ++h) {
      const bool isHigh = Accumulates ? h : (h ? op.opSelHigh : op.opSel) >> s & 1;
      // Other encodings than VOP3P have ABS in the place of NEG_HI.
      const bool negatesHigh = Accumulates ? op.source[s].absolute : op.negateHigh >> s & 1;
      const u32 shift = isHigh ? 16 : 0, flip = (h ? negatesHigh : bool(op.source[s].negate)) ? 0x80000000u : 0;
      LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) single[2 * h + s].lane[i] =
          flushed(widened(from[i] >> shift & 0xffff)) ^ flip;
    }
  }
  u32 *to = w.vgpr(op.destination), *out = result.lane;
  const u32 *addend = Accumulates ? to : laneSource(w, op.source[2], space[2]);
  const u32 flip = !Accumulates && op.source[2].negate ? 0x80000000u : 0;
  for (unsigned i = 0; i < Lanes; ++i)
    single[4].lane[i] = flushed(addend[i]) ^ flip;
  LaneArray sum = single[4];
  if (singleLast)
    std::fill(std::begin(sum.lane), std::end(sum.lane), 0x80000000u); // what changes no product
  const u32 *in[] = {single[0].lane, single[1].lane, sum.lane};
  for (unsigned h = 0; h < 2; ++h) {
    LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) out[i] =
        flushed(asU(__builtin_fmaf(asF(in[0][i]), asF(in[1][i]), asF(in[2][i]))));
    if (someNan<32>(out, Lanes)) [[unlikely]]
      settleNans<32, 3>(out, in, Lanes);
    in[0] = single[2].lane;
    in[1] = single[3].lane;
    if (!h || singleLast)
      sum = result;
  }
  if constexpr (singleLast) {
    LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) out[i] = flushed(asU(asF(sum.lane[i]) + asF(single[4].lane[i])));
    const u32 *const terms[] = {sum.lane, single[4].lane};
    if (someNan<32>(out, Lanes)) [[unlikely]]
      settleNans<32, 2>(out, terms, Lanes);
  }
  if (op.clamp)
    clampFloats<32>(out, Lanes);
  writeLanes(w, to, out);
}

template <bool Max> u32 pickHalf(u16 a, u16 b) {
  return (Max ? key<16>(a) > key<16>(b) : key<16>(a) < key<16>(b)) ? a : b;
}
template <bool Max> u32 pickHalf3(u16 a, u16 b, u16 c) { return pickHalf<Max>(u16(pickHalf<Max>(a, b)), c); }
/// Two halves, which OP_SEL names, into one register, as float operations pass them on: denormals as MODE says, NaNs
/// quiet.
void packHalves(Wave &w, const Op &op) {
  LaneArray space[2], changed[2], result;
  const u32 *in[2];
  for (int s = 0; s < 2; ++s)
    in[s] = modified(op.source[s], laneSource(w, op.source[s], space[s]), changed[s],
                     op.opSel >> s & 1 ? 0x80000000u : 0x8000u);
  const u32 low = op.opSel & 1 ? 16 : 0, high = op.opSel >> 1 & 1 ? 16 : 0;
  const bool flushes = !(w.mode & mode::In16And64), quiets = w.mode & mode::Ieee;
  auto passed = [&](u32 half) {
    return flushes && isDenormal<16>(half) ? half & 0x8000
           : quiets && isNan<16>(half)     ? half | Format<16>::quiet
                                           : half;
  };
  for (unsigned i = 0; i < Lanes; ++i)
    result.lane[i] = passed(in[0][i] >> low & 0xffff) | passed(in[1][i] >> high & 0xffff) << 16;
  writeLanes(w, w.vgpr(op.destination), result.lane);
}
/// Any function of three bits, on each bit.
template <bool Half> void bitop3(Wave &w, const Op &op) {
  LaneArray space[3], result;
  const u32 *in[3];
  for (int s = 0; s < 3; ++s)
    in[s] = laneSource(w, op.source[s], space[s]);
  const u32 truth = bitop3Table(op);
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
  const u32 *from = modified(op.source[0], laneSource(w, op.source[0], space[0]), changed, 0x80000000u),
            *seeds = laneSource(w, op.source[1], space[1]);
  u32 *to = w.vgpr(op.destination);
  const bool high = op.opSel >> 3 & 1;
  for (unsigned i = 0; i < Lanes; ++i) {
    double x = asF(from[i]), magnitude = std::fabs(x);
    if (std::isfinite(x) && x != 0) {
      int exponent = std::max(std::ilogb(magnitude), IsBf16 ? -126 : -14) - (IsBf16 ? 7 : 10);
      x = std::copysign(
          std::ldexp(roundSteps(std::ldexp(magnitude, -exponent), true, double(seeds[i]) * 0x1p-32), exponent), x);
    }
    u32 half = IsBf16 ? toBf16(float(x)) : asU(toHalf(x));
    if (w.mode & mode::Fp16Overflow && std::isfinite(asF(from[i])) && (half & 0x7fff) == (IsBf16 ? 0x7f80 : 0x7c00))
      --half;
    result.lane[i] = high ? (to[i] & 0xffff) | half << 16 : (to[i] & 0xffff0000u) | half;
  }
  writeLanes(w, to, result.lane);
}
template <Float8 Fnuz, Float8 Ocp> Float8 float8Of(const Op &op) { return op.aux ? Ocp : Fnuz; }
template <bool Wide> void cvtPkFloat8(Wave &w, const Op &op) {
  Float8 format = Wide ? float8Of<Float8::E5m2Fnuz, Float8::E5m2>(op) : float8Of<Float8::E4m3Fnuz, Float8::E4m3Fn>(op);
  LaneArray space[2], changed[2], result;
  const u32 *a = modified(op.source[0], laneSource(w, op.source[0], space[0]), changed[0], 0x80000000u);
  const u32 *b = modified(op.source[1], laneSource(w, op.source[1], space[1]), changed[1], 0x80000000u);
  u32 *d = w.vgpr(op.destination);
  const bool high = op.opSel >> 3 & 1, saturates = w.mode & mode::Fp16Overflow;
  for (unsigned i = 0; i < Lanes; ++i) {
    u32 pair = toFloat8(asF(a[i]), format, saturates) | u32(toFloat8(asF(b[i]), format, saturates)) << 8;
    result.lane[i] = high ? (d[i] & 0xffff) | pair << 16 : (d[i] & 0xffff0000u) | pair;
  }
  writeLanes(w, d, result.lane);
}
template <bool Wide, bool Pair> void cvtF32Float8(Wave &w, const Op &op) {
  Float8 format = Wide ? float8Of<Float8::E5m2Fnuz, Float8::E5m2>(op) : float8Of<Float8::E4m3Fnuz, Float8::E4m3Fn>(op);
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

#define PKH2(name, expr)                 \
  add(table, name,                       \
      packed16<[](u16 x, u16 y) -> u32 { \
        float a = asH(x), b = asH(y);    \
        return asU(toHalf(expr));        \
      },                                 \
               2, true>,                 \
      {16, 16, 16})
#define PKI(name, expr) add(table, name, packed16<[](u32 a, u32 b) -> u32 { return u32(expr); }, 2, false>)
#define PKF(name, n, expr)                        \
  add(table, name,                                \
      packed32<[](u32 x, u32 y, u32 z) -> u32 {   \
        float a = asF(x), b = asF(y), c = asF(z); \
        (void)b;                                  \
        (void)c;                                  \
        return asU(float(expr));                  \
      },                                          \
               n>)

// NOLINTNEXTLINE(readability-function-size): a table
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

  PKH2("v_pk_add_f16", a + b);
  PKH2("v_pk_mul_f16", a * b);
  add(table, "v_pk_fma_f16",
      packed16<[](u16 x, u16 y, u16 z) -> u32 { return asU(fmaHalf(asH(x), asH(y), asH(z))); }, 3, true>, {16, 16, 16});
  add(table, "v_pk_fmac_f16", pkFmac, {16, 16, 16});
  add(table, "v_pk_min_f16", packed16<pickHalf<false>, 2, true, pick<16, false>>, {16, 16, 16});
  add(table, "v_pk_max_f16", packed16<pickHalf<true>, 2, true, pick<16, true>>, {16, 16, 16});
  PKI("v_pk_add_u16", a + b);
  PKI("v_pk_sub_u16", a - b);
  PKI("v_pk_add_i16", a + b);
  PKI("v_pk_sub_i16", a - b);
  PKI("v_pk_mul_lo_u16", a * b);
  add(table, "v_pk_mad_u16", packed16<[](u32 a, u32 b, u32 c) -> u32 { return a * b + c; }, 3, false>);
  add(table, "v_pk_mad_i16", packed16<[](u32 a, u32 b, u32 c) -> u32 { return a * b + c; }, 3, false>);
  PKI("v_pk_lshlrev_b16", b << (a & 15));
  PKI("v_pk_lshrrev_b16", u16(b) >> (a & 15));
  PKI("v_pk_ashrrev_i16", int16_t(b) >> (a & 15));
  PKI("v_pk_min_u16", std::min(u16(a), u16(b)));
  PKI("v_pk_max_u16", std::max(u16(a), u16(b)));
  PKI("v_pk_min_i16", std::min(int16_t(a), int16_t(b)));
  PKI("v_pk_max_i16", std::max(int16_t(a), int16_t(b)));
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
  add(table, "v_pack_b32_f16", packHalves, {16, 16, 16});

  add(table, "v_bitop3_b32", bitop3<false>);
  add(table, "v_bitop3_b16", bitop3<true>);
  add(table, "v_prng_b32", valu32<[](u32 a) -> u32 { return a << 1 ^ (a >> 31 ? 0xc5 : 0); }, 1, 0>);
  add(table, "v_cvt_pk_f16_f32",
      valu32<[](u32 a, u32 b) -> u32 { return asU(toHalf(asF(a))) | asU(toHalf(asF(b))) << 16; }, 2, 0x80000000u>);
  add(table, "v_cvt_sr_f16_f32", stochastic16<false>);
  add(table, "v_cvt_sr_bf16_f32", stochastic16<true>);
  add(table, "v_cvt_f32_bf16",
      valu32<[](u32 a) -> u32 { return a << 16 | (isNan<32>(a << 16) ? Format<32>::quiet : 0); }, 1, 0x8000, 32,
             AsGiven{}>,
      {bfloatSource, 32, 32});
  add(table, "v_pk_minimum3_f16",
      packed16<pickHalf3<false>, 3, true,
               [](u16 a, u16 b, u16 c) -> u32 { return pickOrNan<16, false>(pickOrNan<16, false>(a, b), c); }>,
      {16, 16, 16});
  add(table, "v_pk_maximum3_f16",
      packed16<pickHalf3<true>, 3, true,
               [](u16 a, u16 b, u16 c) -> u32 { return pickOrNan<16, true>(pickOrNan<16, true>(a, b), c); }>,
      {16, 16, 16});
  add(table, "v_dot2_f32_bf16", dot2<true, false>, {bfloatSource, bfloatSource, 32});
  add(table, "v_dot2c_f32_bf16", dot2<true, true>, {bfloatSource, bfloatSource, 32});
  add(table, "v_dot2_f32_f16", dot2<false, false>, {16, 16, 32});
  add(table, "v_dot2c_f32_f16", dot2<false, true>, {16, 16, 32});

  add(table, "v_cvt_pk_fp8_f32", cvtPkFloat8<false>);
  add(table, "v_cvt_pk_bf8_f32", cvtPkFloat8<true>);
  add(table, "v_cvt_f32_fp8", cvtF32Float8<false, false>);
  add(table, "v_cvt_f32_bf8", cvtF32Float8<true, false>);
  add(table, "v_cvt_pk_f32_fp8", cvtF32Float8<false, true>);
  add(table, "v_cvt_pk_f32_bf8", cvtF32Float8<true, true>);
}

} // namespace inflight::machine::SIMD_LEVEL
