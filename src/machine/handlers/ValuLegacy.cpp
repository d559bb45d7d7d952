// Vector instructions that graphics or older chips brought: cube maps, masked sums of differences, reduction of large
// angles, bytes from floats.
#include "isa/instr/FloatRules.h"
#include "machine/handlers/Valu.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
constexpr u32 signF = 0x80000000u;

/// Which axis a vector lies nearest to: Z wins against Y, and Y against X.
enum class Axis { X, Y, Z };
Axis major(float x, float y, float z) {
  x = std::fabs(x), y = std::fabs(y), z = std::fabs(z);
  return z >= x && z >= y ? Axis::Z : y >= x ? Axis::Y : Axis::X;
}
float cubeId(float x, float y, float z) {
  const Axis axis = major(x, y, z);
  const float along = axis == Axis::Z ? z : axis == Axis::Y ? y : x;
  return 2.0f * float(axis) + (along < 0 ? 1.0f : 0.0f);
}
float cubeMajor(float x, float y, float z) {
  const Axis axis = major(x, y, z);
  return 2.0f * (axis == Axis::Z ? z : axis == Axis::Y ? y : x);
}
float cubeS(float x, float y, float z) {
  switch (major(x, y, z)) {
  case Axis::Z: return z < 0 ? -x : x;
  case Axis::Y: return x;
  default: return x < 0 ? z : -z;
  }
}
float cubeT(float x, float y, float z) { return major(x, y, z) == Axis::Y ? (y < 0 ? -z : z) : -y; }

/// 53 bits of 2/pi that a large angle needs, the piece that S1 counts, scaled by its place (V_TRIG_PREOP_F64).
u64 trigPreop(u64 angle, u32 piece) {
  // The first 1201 bits of the fraction 2/pi, highest first.
  static const u64 twoOverPi[20] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
                                    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
                                    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
                                    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
                                    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};
  const int exponent = int(angle >> 52 & 0x7ff);
  int shift = int(piece & 31) * 53;
  if (exponent > 1077)
    shift += exponent - 1077;
  u64 bits = 0;
  for (int i = 0; i < 53; ++i) {
    const int at = shift + i;
    bits = bits << 1 | (at < 1201 ? twoOverPi[at / 64] >> (63 - at % 64) & 1 : 0);
  }
  const int scale = -53 - shift + (exponent >= 1968 ? 128 : 0);
  return asU(std::ldexp(double(bits), scale));
}

/// Four sums of differences of four bytes each, the reference against bytes 0, 1, 2, 3 and on of S0. `Bits`: of
/// each sum. Masked: bytes of the reference that are zero don't count.
template <unsigned Bits, bool Masked, bool Clamp> void quadDifferences(Wave &w, const Op &op) {
  LaneArray space[3], results[Bits == 32 ? 4 : 2];
  const u32 *low = laneSource(w, op.source[0], space[0], 0);
  const u32 *high = laneSource(w, op.source[0], space[1], 1), *reference = laneSource(w, op.source[1], space[2]);
  for (unsigned part = 0; part < std::size(results); ++part) {
    LaneArray sums;
    const u32 *in = laneSource(w, op.source[2], sums, part);
    for (unsigned i = 0; i < Lanes; ++i) {
      u32 out = 0;
      for (unsigned k = 0; k < 32 / Bits; ++k) {
        const u32 window = u32((low[i] | u64(high[i]) << 32) >> (8 * (part * (32 / Bits) + k)));
        u64 sum = u32(u64(in[i]) >> (Bits * k) & (Bits == 32 ? ~0u : 0xffffu));
        for (unsigned byte = 0; byte < 4; ++byte) {
          const i32 a = window >> (8 * byte) & 0xff, b = reference[i] >> (8 * byte) & 0xff;
          if (!Masked || b)
            sum += u32(a > b ? a - b : b - a);
        }
        const u64 largest = (u64(1) << Bits) - 1;
        out |= u32(Clamp ? std::min(sum, largest) : sum & largest) << (Bits == 32 ? 0 : Bits * k);
      }
      results[part].lane[i] = out;
    }
  }
  for (unsigned part = 0; part < std::size(results); ++part)
    writeLanes(w, w.vgpr(op.destination + part), results[part].lane);
}
template <unsigned Bits, bool Masked> void addQuad(HandlerTable &table, const std::string &name) {
  add(table, name, quadDifferences<Bits, Masked, false>, {64, 32, 64});
  add(table, name + ".clamp", quadDifferences<Bits, Masked, true>, {64, 32, 64});
}

/// To an integer as MODE rounds singles.
float roundedInMode(float x, u32 mode) {
  switch (mode & mode::Round32) {
  case 0: return __builtin_roundevenf(x);
  case 1: return std::ceil(x);
  case 2: return std::floor(x);
  default: return std::trunc(x);
  }
}
/// One byte, which the second source names, of the third source or of the destination.
template <bool Accumulates> void packByte(Wave &w, const Op &op) {
  LaneArray space[3], changed, result;
  const u32 *a = modified(op.source[0], laneSource(w, op.source[0], space[0]), changed, signF),
            *b = laneSource(w, op.source[1], space[1]);
  u32 *to = w.vgpr(op.destination);
  const u32 *old = Accumulates ? to : laneSource(w, op.source[2], space[2]);
  for (unsigned i = 0; i < Lanes; ++i) {
    const float x = roundedInMode(asF(a[i]), w.mode);
    const u32 byte = !(x > 0) ? 0 : x > 255 ? 255 : u32(x), shift = 8 * (b[i] & 3);
    result.lane[i] = (old[i] & ~(0xffu << shift)) | byte << shift;
  }
  writeLanes(w, to, result.lane);
}
u32 saturatedByte(u32 half) { return u32(std::clamp<i32>(int16_t(half), 0, 255)); }
} // namespace

#define F3(name, expr)                            \
  add(table, name,                                \
      valu32<[](u32 x, u32 y, u32 z) -> u32 {     \
        float a = asF(x), b = asF(y), c = asF(z); \
        return asU(float(expr));                  \
      },                                          \
             3, signF, 32>)

void registerValuLegacy(HandlerTable &table) {
  F3("v_cubeid_f32", cubeId(a, b, c));
  F3("v_cubema_f32", cubeMajor(a, b, c));
  F3("v_cubesc_f32", cubeS(a, b, c));
  F3("v_cubetc_f32", cubeT(a, b, c));
  // These differ from the others in what they leave in the upper half, or not in what IEEE's values give.
  for (auto [name, same] : {std::pair("v_exp_legacy_f32", "v_exp_f32"),
                            {"v_log_legacy_f32", "v_log_f32"},
                            {"v_div_fixup_legacy_f16", "v_div_fixup_f16"}})
    table[name] = HandlerInfo(table.lookup(same));

  add(table, "v_trig_preop_f64", valu64<[](u64 a, u64 b) -> u64 { return trigPreop(a, u32(b)); }, 64, 32, 0, 64, true>,
      {64, 32, 32});
  addQuad<16, false>(table, "v_qsad_pk_u16_u8");
  addQuad<16, true>(table, "v_mqsad_pk_u16_u8");
  addQuad<32, true>(table, "v_mqsad_u32_u8");
  add(table, "v_cvt_pk_u8_f32", packByte<false>);
  add(table, "v_cvt_pkaccum_u8_f32", packByte<true>);
  add(table, "v_cvt_off_f32_i4", valu32<[](u32 a) -> u32 { return asU(float(i32(a << 28) >> 28) / 16); }, 1, 0>);
  add(table, "v_sat_pk_u8_i16",
      valu32<[](u32 a) -> u32 { return saturatedByte(a) | saturatedByte(a >> 16) << 8; }, 1, 0>);
}

} // namespace inflight::machine::SIMD_LEVEL
