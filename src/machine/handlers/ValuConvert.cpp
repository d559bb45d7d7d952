// Conversions between floats of 16, 32 and 64 bits and integers.
#include "machine/handlers/Valu.h"
#include "machine/wave/SmallFloat.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
constexpr u32 signF = 0x80000000u, signH = 0x8000u;

// Integers from floats: towards zero, saturating; from a NaN zero.
u32 toInt(float x) {
  if (x != x)
    return 0;
  return x >= 2147483648.0f ? 0x7fffffffu : x < -2147483648.0f ? 0x80000000u : u32(i32(x));
}
u32 toUnsigned(float x) { return !(x > 0) ? 0 : x >= 4294967296.0f ? ~0u : u32(x); }
u32 toInt(double x) {
  if (x != x)
    return 0;
  return x >= 2147483647.0 ? 0x7fffffffu : x <= -2147483648.0 ? 0x80000000u : u32(i32(x));
}
u32 toUnsigned(double x) { return !(x > 0) ? 0 : x >= 4294967295.0 ? ~0u : u32(x); }
/// The nearest integer, halves upwards.
u32 toNearest(float x) {
  const float below = std::floor(x);
  return toInt(x - below >= 0.5f ? below + 1.0f : below);
}
u32 towardsZero(float x) {
  f16 h = toHalf(x);
  return asU(h) - (std::isfinite(x) && std::fabs(float(h)) > std::fabs(x));
}
} // namespace

void registerConversions(HandlerTable &table) {
  add(table, "v_cvt_f32_i32", valu32<[](u32 x) -> u32 { return asU(float(i32(x))); }, 1, 0, 32, AsGiven{}>);
  add(table, "v_cvt_f32_u32", valu32<[](u32 x) -> u32 { return asU(float(x)); }, 1, 0, 32, AsGiven{}>);
  for (int byte = 0; byte < 4; ++byte) {
    static const char *const names[] = {"v_cvt_f32_ubyte0", "v_cvt_f32_ubyte1", "v_cvt_f32_ubyte2", "v_cvt_f32_ubyte3"};
    Handler handlers[] = {valu32<[](u32 x) -> u32 { return asU(float(x & 0xff)); }, 1, 0, 32, AsGiven{}>,
                          valu32<[](u32 x) -> u32 { return asU(float(x >> 8 & 0xff)); }, 1, 0, 32, AsGiven{}>,
                          valu32<[](u32 x) -> u32 { return asU(float(x >> 16 & 0xff)); }, 1, 0, 32, AsGiven{}>,
                          valu32<[](u32 x) -> u32 { return asU(float(x >> 24)); }, 1, 0, 32, AsGiven{}>};
    add(table, names[byte], handlers[byte]);
  }
  add(table, "v_cvt_i32_f32", valu32<[](u32 x) -> u32 { return toInt(asF(x)); }, 1, signF>);
  add(table, "v_cvt_u32_f32", valu32<[](u32 x) -> u32 { return toUnsigned(asF(x)); }, 1, signF>);
  add(table, "v_cvt_rpi_i32_f32", valu32<[](u32 x) -> u32 { return toNearest(asF(x)); }, 1, signF>);
  add(table, "v_cvt_flr_i32_f32", valu32<[](u32 x) -> u32 { return toInt(std::floor(asF(x))); }, 1, signF>);
  add(table, "v_cvt_f16_f32", valu32<[](u32 x) -> u32 { return asU(toHalf(asF(x))); }, 1, signF, 16, AsGiven{}>);
  add(table, "v_cvt_f32_f16", valu32<[](u32 x) -> u32 { return asU(float(asH(x))); }, 1, signH, 32, AsGiven{}>,
      {16, 16, 16});
  add(table, "v_cvt_f16_u16", valu32<[](u32 x) -> u32 { return asU(toHalf(float(u16(x)))); }, 1, 0, 16, AsGiven{}>);
  add(table, "v_cvt_f16_i16", valu32<[](u32 x) -> u32 { return asU(toHalf(float(int16_t(x)))); }, 1, 0, 16, AsGiven{}>);
  add(table, "v_cvt_u16_f16",
      valu32<[](u32 x) -> u32 { return std::min(toUnsigned(float(asH(x))), 65535u); }, 1, signH>, {16, 16, 16});
  add(table, "v_cvt_i16_f16",
      valu32<[](u32 x) -> u32 { return u16(std::clamp(i32(toInt(float(asH(x)))), -32768, 32767)); }, 1, signH>,
      {16, 16, 16});
  add(table, "v_cvt_pkrtz_f16_f32",
      valu32<[](u32 x, u32 y) -> u32 { return towardsZero(asF(x)) | towardsZero(asF(y)) << 16; }, 2, signF>);
  add(table, "v_cvt_pk_bf16_f32",
      valu32<[](u32 x, u32 y) -> u32 { return u32(toBf16(asF(x))) | u32(toBf16(asF(y))) << 16; }, 2, signF>);
  add(table, "v_cvt_f64_f32",
      valu64<[](u64 x) -> u64 { return asU(double(asF(u32(x)))); }, 32, 0, 0, 64, true, true, AsGiven{}>, {32, 32, 32});
  add(table, "v_cvt_f64_i32",
      valu64<[](u64 x) -> u64 { return asU(double(i32(u32(x)))); }, 32, 0, 0, 64, false, true, AsGiven{}>,
      {32, 32, 32});
  add(table, "v_cvt_f64_u32",
      valu64<[](u64 x) -> u64 { return asU(double(u32(x))); }, 32, 0, 0, 64, false, true, AsGiven{}>, {32, 32, 32});
  add(table, "v_cvt_f32_f64",
      valu64<[](u64 x) -> u64 { return asU(float(asD(x))); }, 64, 0, 0, 32, true, true, AsGiven{}>, {64, 64, 64});
  add(table, "v_cvt_i32_f64", valu64<[](u64 x) -> u64 { return toInt(asD(x)); }, 64, 0, 0, 32, true>, {64, 64, 64});
  add(table, "v_cvt_u32_f64", valu64<[](u64 x) -> u64 { return toUnsigned(asD(x)); }, 64, 0, 0, 32, true>,
      {64, 64, 64});
}

} // namespace inflight::machine::SIMD_LEVEL
