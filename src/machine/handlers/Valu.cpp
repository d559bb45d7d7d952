// Integer vector instructions.
#include "machine/handlers/Valu.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
u32 bfe(u32 a, u32 offset, u32 width, bool isSigned) {
  offset &= 31;
  width &= 31;
  if (!width)
    return 0;
  u32 bits = a >> offset & ((1u << width) - 1);
  if (isSigned && bits >> (width - 1) & 1)
    bits |= ~0u << width;
  if (isSigned && offset + width > 32)
    bits = u32(i32(a) >> offset);
  return bits;
}
u32 perm(u32 a, u32 b, u32 selector) {
  u64 bytes = u64(a) << 32 | b;
  u32 result = 0;
  for (int i = 0; i < 4; ++i) {
    u32 s = selector >> (8 * i) & 0xff, byte;
    if (s < 8)
      byte = u32(bytes >> (8 * s)) & 0xff;
    else if (s < 12)
      byte = (bytes >> (16 * (s - 8) + 15) & 1) ? 0xff : 0;
    else
      byte = s == 12 ? 0 : 0xff;
    result |= byte << (8 * i);
  }
  return result;
}
i32 s24(u32 x) { return i32(x << 8) >> 8; }

/// Add or subtract with carry: VCC or an SGPR pair out, maybe one in.
template <int Kind, bool CarryIn> void carry(Wave &w, const Op &op) {
  LaneArray space[2], result;
  const u32 *a = laneSource(w, op.source[0], space[0]), *b = laneSource(w, op.source[1], space[1]);
  u64 in = 0, out = 0, exec = w.exec();
  if constexpr (CarryIn)
    in = scalarSource64(w, op.source[2]);
  for (unsigned i = 0; i < Lanes; ++i) {
    u64 x = a[i], y = b[i], c = in >> i & 1, r;
    if constexpr (Kind == 0)
      r = x + y + c;
    else if constexpr (Kind == 1)
      r = x - y - c;
    else
      r = y - x - c;
    result.lane[i] = u32(r);
    out |= u64(r >> 32 != 0) << i;
  }
  writeLanes(w, w.vgpr(op.destination), result.lane);
  w.setS64(op.scalarDestination, out & exec);
}
/// The carry out is bit 64 of the sum, of signed numbers its sign.
template <auto F> void mad64(Wave &w, const Op &op) {
  WideArray space[3];
  const u64 *a = wideSource(w, op.source[0], space[0], 32, false),
            *b = wideSource(w, op.source[1], space[1], 32, false),
            *c = wideSource(w, op.source[2], space[2], 64, false);
  WideArray result;
  u64 out = 0;
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) {
    bool overflow = false;
    result.lane[i] = F(u32(a[i]), u32(b[i]), c[i], overflow);
    out |= u64(overflow) << i;
  }
  result.write(w, op.destination);
  w.setS64(op.scalarDestination, out & w.exec());
}
} // namespace

#define V1(name, expr) add(table, name, valu32<[](u32 a) -> u32 { return expr; }, 1, 0>)
#define V2(name, expr) add(table, name, valu32<[](u32 a, u32 b) -> u32 { return expr; }, 2, 0>)
#define V3(name, expr) add(table, name, valu32<[](u32 a, u32 b, u32 c) -> u32 { return expr; }, 3, 0>)

// NOLINTNEXTLINE(readability-function-size): a table
void registerValu(HandlerTable &table) {
  V1("v_mov_b32", a);
  V1("v_not_b32", ~a);
  V1("v_bfrev_b32", __builtin_bitreverse32(a));
  V1("v_ffbh_u32", a ? u32(std::countl_zero(a)) : ~0u);
  V1("v_ffbl_b32", a ? u32(std::countr_zero(a)) : ~0u);
  V1("v_ffbh_i32", (i32(a) < 0 ? ~a : a) ? u32(std::countl_zero(i32(a) < 0 ? ~a : a)) : ~0u);
  V1("v_accvgpr_read_b32", a);
  V1("v_accvgpr_write_b32", a);
  V1("v_accvgpr_mov_b32", a);
  V2("v_add_u32", a + b);
  V2("v_sub_u32", a - b);
  V2("v_subrev_u32", b - a);
  V2("v_add_i32", a + b);
  V2("v_sub_i32", a - b);
  V2("v_mul_lo_u32", a * b);
  V2("v_mul_hi_u32", u32(u64(a) * b >> 32));
  V2("v_mul_hi_i32", u32(i64(i32(a)) * i32(b) >> 32));
  V2("v_mul_u32_u24", (a & 0xffffff) * (b & 0xffffff));
  V2("v_mul_i32_i24", u32(s24(a)) * u32(s24(b)));
  V2("v_mul_hi_u32_u24", u32(u64(a & 0xffffff) * (b & 0xffffff) >> 32));
  V2("v_and_b32", a & b);
  V2("v_or_b32", a | b);
  V2("v_xor_b32", a ^ b);
  V2("v_xnor_b32", ~(a ^ b));
  V2("v_lshlrev_b32", b << (a & 31));
  V2("v_lshrrev_b32", b >> (a & 31));
  V2("v_ashrrev_i32", u32(i32(b) >> (a & 31)));
  V2("v_min_i32", i32(a) < i32(b) ? a : b);
  V2("v_max_i32", i32(a) > i32(b) ? a : b);
  V2("v_min_u32", a < b ? a : b);
  V2("v_max_u32", a > b ? a : b);
  V2("v_bcnt_u32_b32", u32(std::popcount(a)) + b);
  V2("v_bfm_b32", ((1u << (a & 31)) - 1) << (b & 31));
  V3("v_add3_u32", a + b + c);
  V3("v_lshl_add_u32", (a << (b & 31)) + c);
  V3("v_add_lshl_u32", (a + b) << (c & 31));
  V3("v_lshl_or_b32", (a << (b & 31)) | c);
  V3("v_and_or_b32", (a & b) | c);
  V3("v_or3_b32", a | b | c);
  V3("v_xad_u32", (a ^ b) + c);
  V3("v_mad_u32_u24", (a & 0xffffff) * (b & 0xffffff) + c);
  V3("v_mad_i32_i24", u32(s24(a)) * u32(s24(b)) + c);
  V3("v_bfe_u32", bfe(a, b, c, false));
  V3("v_bfe_i32", bfe(a, b, c, true));
  V3("v_bfi_b32", (a & b) | (~a & c));
  V3("v_perm_b32", perm(a, b, c));
  V3("v_alignbit_b32", u32((u64(a) << 32 | b) >> (c & 31)));
  V3("v_alignbyte_b32", u32((u64(a) << 32 | b) >> (8 * (c & 3))));
  V3("v_min3_i32", u32(std::min(std::min(i32(a), i32(b)), i32(c))));
  V3("v_max3_i32", u32(std::max(std::max(i32(a), i32(b)), i32(c))));
  V3("v_min3_u32", std::min(std::min(a, b), c));
  V3("v_max3_u32", std::max(std::max(a, b), c));
  V3("v_med3_i32", u32(std::max(std::min(i32(a), i32(b)), std::min(std::max(i32(a), i32(b)), i32(c)))));
  V3("v_med3_u32", std::max(std::min(a, b), std::min(std::max(a, b), c)));
  V3("v_sad_u32", (a > b ? a - b : b - a) + c);
  // 16-bit integers live in the low half; the upper half becomes zero.
  V2("v_add_u16", u32(u16(a + b)));
  V2("v_sub_u16", u32(u16(a - b)));
  V2("v_subrev_u16", u32(u16(b - a)));
  V2("v_mul_lo_u16", u32(u16(a * b)));
  V2("v_lshlrev_b16", u32(u16(b << (a & 15))));
  V2("v_lshrrev_b16", u32(u16(b)) >> (a & 15));
  V2("v_ashrrev_i16", u32(u16(int16_t(b) >> (a & 15))));
  V2("v_min_u16", u32(std::min(u16(a), u16(b))));
  V2("v_max_u16", u32(std::max(u16(a), u16(b))));
  V2("v_min_i16", u32(u16(std::min(int16_t(a), int16_t(b)))));
  V2("v_max_i16", u32(u16(std::max(int16_t(a), int16_t(b)))));
  V3("v_mad_legacy_u16", u32(u16(a * b + c)));

  add(table, "v_lshlrev_b64", valu64<[](u64 a, u64 b) -> u64 { return b << (a & 63); }, 32, 64, 0, 64, false>,
      {32, 64, 32});
  add(table, "v_lshrrev_b64", valu64<[](u64 a, u64 b) -> u64 { return b >> (a & 63); }, 32, 64, 0, 64, false>,
      {32, 64, 32});
  add(table, "v_ashrrev_i64", valu64<[](u64 a, u64 b) -> u64 { return u64(i64(b) >> (a & 63)); }, 32, 64, 0, 64, false>,
      {32, 64, 32});
  // By up to 4; all that is more counts as 0.
  add(table, "v_lshl_add_u64",
      valu64<[](u64 a, u64 b, u64 c) -> u64 { return (a << (b > 4 ? 0 : b)) + c; }, 64, 32, 64, 64, false>,
      {64, 32, 64});
  add(table, "v_mov_b64", valu64<[](u64 a) -> u64 { return a; }, 64, 0, 0, 64, false>, {64, 32, 32});

  add(table, "v_add_co_u32", carry<0, false>);
  add(table, "v_sub_co_u32", carry<1, false>);
  add(table, "v_subrev_co_u32", carry<2, false>);
  add(table, "v_addc_co_u32", carry<0, true>);
  add(table, "v_subb_co_u32", carry<1, true>);
  add(table, "v_subbrev_co_u32", carry<2, true>);
  add(table, "v_mad_u64_u32", mad64<[](u32 a, u32 b, u64 c, bool &o) -> u64 {
        u64 r;
        r = u64(a) * b + c;
        o = r < c;
        return r;
      }>,
      {32, 32, 64});
  add(table, "v_mad_i64_i32", mad64<[](u32 a, u32 b, u64 c, bool &o) -> u64 {
        i64 r;
        const bool wraps = __builtin_add_overflow(i64(i32(a)) * i32(b), i64(c), &r);
        o = (r < 0) != wraps;
        return u64(r);
      }>,
      {32, 32, 64});
}

} // namespace inflight::machine::SIMD_LEVEL
