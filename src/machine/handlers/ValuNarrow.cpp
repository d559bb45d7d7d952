// Vector instructions on 16-bit elements in three operands, on bytes and on nibbles: dot products, sums of
// differences, packing.
#include "machine/handlers/Valu.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
i32 s16(u32 x) { return int16_t(x); }
i32 s24(u32 x) { return i32(x << 8) >> 8; }
u32 absoluteDifference(u32 a, u32 b) { return a > b ? a - b : b - a; }
template <unsigned Bits> u32 field(u32 x, unsigned i) { return x >> (Bits * i) & ((1u << Bits) - 1); }
template <unsigned Bits> i32 signedField(u32 x, unsigned i) {
  return i32(field<Bits>(x, i) << (32 - Bits)) >> (32 - Bits);
}

template <unsigned Bits> u32 dotUnsigned(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 32 / Bits; ++i)
    c += field<Bits>(a, i) * field<Bits>(b, i);
  return c;
}
template <unsigned Bits> u32 dotSigned(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 32 / Bits; ++i)
    c += u32(signedField<Bits>(a, i) * signedField<Bits>(b, i));
  return c;
}
/// Sum of the differences of bytes; MSAD leaves out those where the reference, b, is zero.
u32 sumOfDifferences(u32 a, u32 b, u32 c, bool masked) {
  for (unsigned i = 0; i < 4; ++i)
    if (!masked || field<8>(b, i))
      c += absoluteDifference(field<8>(a, i), field<8>(b, i));
  return c;
}
template <typename T> u32 median(T a, T b, T c) {
  return u32(u16(std::max(std::min(a, b), std::min(std::max(a, b), c))));
}
template <typename T> T clampTo(i64 x) {
  return T(std::clamp<i64>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
/// Signed or unsigned 16-bit fraction of a float in -1 … 1 or 0 … 1.
u32 normalized(float x, bool isSigned) {
  if (x != x)
    return 0;
  float low = isSigned ? -1.0f : 0.0f, clamped = x < low ? low : x > 1.0f ? 1.0f : x;
  return u32(u16(i32(std::nearbyint(clamped * (isSigned ? 32767.0f : 65535.0f)))));
}

/// Sources of 16 bits, each the half of its register that op_sel says. `Narrow`: so is the result, whose other half
/// stays as it is.
template <auto F, int N, bool Narrow, u32 Sign = 0> void selected16(Wave &w, const Op &op) {
  LaneArray space[3], part[3], result;
  for (int s = 0; s < N; ++s) {
    const u32 *in = laneSource(w, op.source[s], space[s]);
    // The third source of v_mad_u32_u16 and the like is a whole register.
    const bool whole = !Narrow && N == 3 && s == 2;
    const u32 shift = op.opSel >> s & 1 && !whole ? 16 : 0, mask = whole ? ~0u : 0xffff;
    const u32 keep = op.source[s].absolute ? ~Sign : ~0u, flip = op.source[s].negate ? Sign : 0;
    LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) part[s].lane[i] = (((in[i] >> shift) & mask) & keep) ^ flip;
  }
  const u32 *a = part[0].lane, *b = part[N > 1 ? 1 : 0].lane, *c = part[N > 2 ? 2 : 0].lane;
  u32 *to = w.vgpr(op.destination);
  const bool high = op.opSel >> 3 & 1;
  for (unsigned i = 0; i < Lanes; ++i) {
    u32 r;
    if constexpr (N == 2)
      r = F(a[i], b[i]);
    else
      r = F(a[i], b[i], c[i]);
    result.lane[i] = !Narrow ? r : high ? (to[i] & 0xffff) | r << 16 : (to[i] & 0xffff0000u) | (r & 0xffff);
  }
  writeLanes(w, to, result.lane);
}
} // namespace

// Inline constants of 16-bit integers are those of 32 bits: OP_SEL may name the upper half of a single.
#define N2(name, expr) add(table, name, selected16<[](u32 a, u32 b) -> u32 { return expr; }, 2, true>)
#define N3(name, expr) add(table, name, selected16<[](u32 a, u32 b, u32 c) -> u32 { return expr; }, 3, true>)
#define V2(name, expr) add(table, name, valu32<[](u32 a, u32 b) -> u32 { return expr; }, 2, 0>)
#define V3(name, expr) add(table, name, valu32<[](u32 a, u32 b, u32 c) -> u32 { return expr; }, 3, 0>)

// NOLINTNEXTLINE(readability-function-size): a table
void registerValuNarrow(HandlerTable &table) {
  N2("v_add_i16", a + b);
  N2("v_sub_i16", a - b);
  N3("v_mad_u16", a * b + c);
  N3("v_mad_i16", a * b + c);
  N3("v_min3_i16", u32(std::min({s16(a), s16(b), s16(c)})));
  N3("v_max3_i16", u32(std::max({s16(a), s16(b), s16(c)})));
  N3("v_min3_u16", std::min({a, b, c}));
  N3("v_max3_u16", std::max({a, b, c}));
  N3("v_med3_i16", median(int16_t(a), int16_t(b), int16_t(c)));
  N3("v_med3_u16", median(u16(a), u16(b), u16(c)));
  // Saturating: to the range of the type.
  N2("v_add_i16.clamp", u32(clampTo<int16_t>(s16(a) + s16(b))));
  N2("v_sub_i16.clamp", u32(clampTo<int16_t>(s16(a) - s16(b))));
  N3("v_mad_u16.clamp", u32(clampTo<u16>(u64(a) * b + c)));
  N3("v_mad_i16.clamp", u32(clampTo<int16_t>(i64(s16(a)) * s16(b) + s16(c))));
  V3("v_mad_legacy_i16", u32(u16(a * b + c)));
  add(table, "v_mad_u32_u16", selected16<[](u32 a, u32 b, u32 c) -> u32 { return a * b + c; }, 3, false>);
  add(table, "v_mad_i32_i16",
      selected16<[](u32 a, u32 b, u32 c) -> u32 { return u32(s16(a) * s16(b)) + c; }, 3, false>);
  add(table, "v_mad_u32_u16.clamp",
      selected16<[](u32 a, u32 b, u32 c) -> u32 { return clampTo<u32>(u64(a) * b + c); }, 3, false>);
  add(table, "v_mad_i32_i16.clamp",
      selected16<[](u32 a, u32 b, u32 c) -> u32 { return u32(clampTo<i32>(i64(s16(a)) * s16(b) + i32(c))); }, 3,
                 false>);
  for (bool isSigned : {true, false}) {
    add(table, isSigned ? "v_cvt_pknorm_i16_f16" : "v_cvt_pknorm_u16_f16",
        isSigned
            ? selected16<[](u32 a, u32 b) -> u32 { return normalized(asH(a), true) | normalized(asH(b), true) << 16; },
                         2, false, 0x8000>
            : selected16<[](u32 a, u32 b) -> u32 {
                return normalized(asH(a), false) | normalized(asH(b), false) << 16;
              },
                         2, false, 0x8000>,
        {16, 16, 16});
    add(table, isSigned ? "v_cvt_norm_i16_f16" : "v_cvt_norm_u16_f16",
        isSigned ? valu32<[](u32 a) -> u32 { return normalized(asH(a), true); }, 1, 0x8000>
                 : valu32<[](u32 a) -> u32 { return normalized(asH(a), false); }, 1, 0x8000>,
        {16, 16, 16});
  }
  V2("v_mul_hi_i32_i24", u32(i64(s24(a)) * s24(b) >> 32));
  V2("v_mul_lo_i32", a * b);

  V3("v_dot2_u32_u16", dotUnsigned<16>(a, b, c));
  V3("v_dot2_i32_i16", dotSigned<16>(a, b, c));
  V3("v_dot4_i32_i8", dotSigned<8>(a, b, c));
  V3("v_dot4_u32_u8", dotUnsigned<8>(a, b, c));
  V3("v_dot8_u32_u4", dotUnsigned<4>(a, b, c));
  V3("v_dot8_i32_i4", dotSigned<4>(a, b, c));
  add(table, "v_dot2c_i32_i16", valuAccumulate<dotSigned<16>, 0>);
  add(table, "v_dot4c_i32_i8", valuAccumulate<dotSigned<8>, 0>);
  add(table, "v_dot8c_i32_i4", valuAccumulate<dotSigned<4>, 0>);

  V3("v_sad_u8", sumOfDifferences(a, b, c, false));
  V3("v_sad_hi_u8", (sumOfDifferences(a, b, 0, false) << 16) + c);
  V3("v_msad_u8", sumOfDifferences(a, b, c, true));
  V3("v_sad_u16", c + absoluteDifference(a & 0xffff, b & 0xffff) + absoluteDifference(a >> 16, b >> 16));
  V3("v_lerp_u8", u32([&] {
       u32 r = 0;
       for (unsigned i = 0; i < 4; ++i)
         r |= (field<8>(a, i) + field<8>(b, i) + (field<8>(c, i) & 1)) >> 1 << (8 * i);
       return r;
     }()));

  V2("v_cvt_pk_u16_u32", std::min(a, 0xffffu) | std::min(b, 0xffffu) << 16);
  V2("v_cvt_pk_i16_i32", u32(u16(clampTo<int16_t>(i32(a)))) | u32(u16(clampTo<int16_t>(i32(b)))) << 16);
  add(table, "v_cvt_pknorm_i16_f32",
      valu32<[](u32 a, u32 b) -> u32 { return normalized(asF(a), true) | normalized(asF(b), true) << 16; }, 2,
             0x80000000u>);
  add(table, "v_cvt_pknorm_u16_f32",
      valu32<[](u32 a, u32 b) -> u32 { return normalized(asF(a), false) | normalized(asF(b), false) << 16; }, 2,
             0x80000000u>);
  // gfx950: two arithmetic shifts, clamped to bytes.
  V3("v_ashr_pk_i8_i32", u32(u8(clampTo<int8_t>(i32(a) >> (c & 31)))) | u32(u8(clampTo<int8_t>(i32(b) >> (c & 31))))
                                                                            << 8);
  V3("v_ashr_pk_u8_i32", u32(clampTo<u8>(i32(a) >> (c & 31))) | u32(clampTo<u8>(i32(b) >> (c & 31))) << 8);
}

} // namespace inflight::machine::SIMD_LEVEL
