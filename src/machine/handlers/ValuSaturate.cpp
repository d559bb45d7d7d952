// Integer vector instructions with clamp: results saturate at the ends of their type's range. Decoding chooses these
// instead of the plain ones.
#include "machine/handlers/Valu.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
template <typename T> u32 clampTo(i64 x) {
  return u32(T(std::clamp<i64>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())));
}
i64 u24(u32 x) { return x & 0xffffff; }
i64 s24(u32 x) { return i32(x << 8) >> 8; }

/// Carries in from the third source (or not) and out to the scalar destination, as without clamp.
template <int Kind, bool CarryIn> void carry(Wave &w, const Op &op) {
  LaneArray space[2], result;
  const u32 *a = laneSource(w, op.source[0], space[0]), *b = laneSource(w, op.source[1], space[1]);
  const u64 in = CarryIn ? scalarSource64(w, op.source[2]) : 0, exec = w.exec();
  u64 out = 0;
  for (unsigned i = 0; i < Lanes; ++i) {
    const i64 c = in >> i & 1;
    const i64 r = Kind == 0 ? i64(a[i]) + b[i] + c : Kind == 1 ? i64(a[i]) - b[i] - c : i64(b[i]) - a[i] - c;
    result.lane[i] = clampTo<u32>(r);
    out |= u64(r < 0 || r >> 32 != 0) << i;
  }
  writeLanes(w, w.vgpr(op.destination), result.lane);
  w.setS64(op.scalarDestination, out & exec);
}
/// Halves that op_sel and op_sel_hi choose.
template <auto F, int N> void packed(Wave &w, const Op &op) {
  LaneArray space[3], result{};
  const u32 *in[3];
  for (int s = 0; s < N; ++s)
    in[s] = laneSource(w, op.source[s], space[s]);
  for (int half = 0; half < 2; ++half)
    for (unsigned i = 0; i < Lanes; ++i) {
      u32 v[3] = {};
      for (int s = 0; s < N; ++s)
        v[s] = in[s][i] >> ((half ? op.opSelHigh : op.opSel) >> s & 1 ? 16 : 0) & 0xffff;
      result.lane[i] |= (F(v[0], v[1], v[2]) & 0xffff) << (16 * half);
    }
  writeLanes(w, w.vgpr(op.destination), result.lane);
}
/// The products' sum, added to C without wrapping around.
template <unsigned Bits, bool Signed> u32 dot(u32 a, u32 b, u32 c) {
  i64 sum = Signed ? i64(i32(c)) : i64(c);
  for (unsigned i = 0; i < 32; i += Bits) {
    const u32 x = a << (32 - Bits - i), y = b << (32 - Bits - i);
    sum += Signed ? i64(i32(x) >> (32 - Bits)) * (i32(y) >> (32 - Bits)) : i64(x >> (32 - Bits)) * (y >> (32 - Bits));
  }
  return Signed ? clampTo<i32>(sum) : clampTo<u32>(sum);
}
/// The product and a sum of 64 bits, with the carry as without clamp.
template <bool Signed> void mad64(Wave &w, const Op &op) {
  using Wide = std::conditional_t<Signed, __int128, unsigned __int128>;
  WideArray space[3], result;
  const u64 *a = wideSource(w, op.source[0], space[0], 32, false),
            *b = wideSource(w, op.source[1], space[1], 32, false),
            *c = wideSource(w, op.source[2], space[2], 64, false);
  u64 out = 0;
  for (unsigned i = 0; i < Lanes; ++i) {
    const Wide sum = Signed ? Wide(i32(u32(a[i]))) * i32(u32(b[i])) + i64(c[i]) : Wide(u32(a[i])) * u32(b[i]) + c[i];
    const Wide least = Signed ? Wide(std::numeric_limits<i64>::min()) : 0,
               most = Signed ? Wide(std::numeric_limits<i64>::max()) : Wide(~u64(0));
    result.lane[i] = u64(sum < least ? least : sum > most ? most : sum);
    out |= u64(sum >> 64 & 1) << i;
  }
  result.write(w, op.destination);
  w.setS64(op.scalarDestination, out & w.exec());
}
u32 byteDifferences(u32 a, u32 b, bool masked) {
  u32 sum = 0;
  for (unsigned i = 0; i < 32; i += 8) {
    const i32 x = a >> i & 0xff, y = b >> i & 0xff;
    if (!masked || y)
      sum += u32(std::abs(x - y));
  }
  return sum;
}
} // namespace

#define V2(name, expr) add(table, name ".clamp", valu32<[](u32 a, u32 b) -> u32 { return expr; }, 2, 0>)
#define V3(name, expr) add(table, name ".clamp", valu32<[](u32 a, u32 b, u32 c) -> u32 { return expr; }, 3, 0>)
#define PK2(name, expr) \
  add(table, name ".clamp", packed<[](u32 a, u32 b, u32) -> u32 { return expr; }, 2>, {32, 32, 32})
#define PK3(name, expr) \
  add(table, name ".clamp", packed<[](u32 a, u32 b, u32 c) -> u32 { return expr; }, 3>, {32, 32, 32})

void registerValuSaturate(HandlerTable &table) {
  V2("v_add_u32", clampTo<u32>(i64(a) + b));
  V2("v_sub_u32", clampTo<u32>(i64(a) - b));
  V2("v_subrev_u32", clampTo<u32>(i64(b) - a));
  V2("v_add_i32", clampTo<i32>(i64(i32(a)) + i32(b)));
  V2("v_sub_i32", clampTo<i32>(i64(i32(a)) - i32(b)));
  V2("v_add_u16", clampTo<u16>(i64(u16(a)) + u16(b)));
  V2("v_sub_u16", clampTo<u16>(i64(u16(a)) - u16(b)));
  V2("v_subrev_u16", clampTo<u16>(i64(u16(b)) - u16(a)));
  V2("v_mul_u32_u24", clampTo<u32>(u24(a) * u24(b)));
  V2("v_mul_i32_i24", clampTo<i32>(s24(a) * s24(b)));
  V3("v_mad_u32_u24", clampTo<u32>(u24(a) * u24(b) + c));
  V3("v_mad_i32_i24", clampTo<i32>(s24(a) * s24(b) + i32(c)));
  V3("v_mad_legacy_u16", clampTo<u16>(i64(u16(a)) * u16(b) + u16(c)));
  V3("v_mad_legacy_i16", u32(u16(clampTo<int16_t>(i64(int16_t(a)) * int16_t(b) + int16_t(c)))));
  V3("v_sad_u8", clampTo<u32>(i64(byteDifferences(a, b, false)) + c));
  V3("v_msad_u8", clampTo<u32>(i64(byteDifferences(a, b, true)) + c));
  V3("v_sad_hi_u8", clampTo<u32>((i64(byteDifferences(a, b, false)) << 16) + c));
  V3("v_sad_u16", clampTo<u32>(i64(std::abs(i32(u16(a)) - u16(b))) + std::abs(i32(a >> 16) - i32(b >> 16)) + c));
  V3("v_sad_u32", clampTo<u32>(i64(a > b ? a - b : b - a) + c));
  V3("v_dot2_i32_i16", (dot<16, true>(a, b, c)));
  V3("v_dot2_u32_u16", (dot<16, false>(a, b, c)));
  V3("v_dot4_i32_i8", (dot<8, true>(a, b, c)));
  V3("v_dot4_u32_u8", (dot<8, false>(a, b, c)));
  V3("v_dot8_i32_i4", (dot<4, true>(a, b, c)));
  V3("v_dot8_u32_u4", (dot<4, false>(a, b, c)));
  PK2("v_pk_add_u16", clampTo<u16>(i64(a) + b));
  PK2("v_pk_sub_u16", clampTo<u16>(i64(a) - b));
  PK2("v_pk_add_i16", clampTo<int16_t>(i64(int16_t(a)) + int16_t(b)));
  PK2("v_pk_sub_i16", clampTo<int16_t>(i64(int16_t(a)) - int16_t(b)));
  PK2("v_pk_mul_lo_u16", clampTo<u16>(i64(a) * b));
  PK3("v_pk_mad_u16", clampTo<u16>(i64(a) * b + c));
  PK3("v_pk_mad_i16", clampTo<int16_t>(i64(int16_t(a)) * int16_t(b) + int16_t(c)));
  add(table, "v_dot2c_i32_i16.clamp", valuAccumulate<dot<16, true>, 0>);
  add(table, "v_dot4c_i32_i8.clamp", valuAccumulate<dot<8, true>, 0>);
  add(table, "v_dot8c_i32_i4.clamp", valuAccumulate<dot<4, true>, 0>);
  V2("v_mul_lo_u16", clampTo<u16>(i64(u16(a)) * u16(b)));
  add(table, "v_mad_u64_u32.clamp", mad64<false>, {32, 32, 64});
  add(table, "v_mad_i64_i32.clamp", mad64<true>, {32, 32, 64});
  add(table, "v_add_co_u32.clamp", carry<0, false>);
  add(table, "v_sub_co_u32.clamp", carry<1, false>);
  add(table, "v_subrev_co_u32.clamp", carry<2, false>);
  add(table, "v_addc_co_u32.clamp", carry<0, true>);
  add(table, "v_subb_co_u32.clamp", carry<1, true>);
  add(table, "v_subbrev_co_u32.clamp", carry<2, true>);
}

} // namespace inflight::machine::SIMD_LEVEL
