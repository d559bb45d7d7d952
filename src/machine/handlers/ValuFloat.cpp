// Floating-point vector instructions and conversions.
#include "machine/SmallFloat.h"
#include "machine/handlers/Valu.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
constexpr u32 signF = 0x80000000u, signH = 0x8000u;

// Minimum and maximum as the ISA defines them in IEEE mode: a NaN loses against a number.
float minNum(float a, float b) { return a != a ? b : b != b ? a : (a < b || (a == b && std::signbit(a))) ? a : b; }
float maxNum(float a, float b) { return a != a ? b : b != b ? a : (a > b || (a == b && !std::signbit(a))) ? a : b; }
double minNum(double a, double b) { return a != a ? b : b != b ? a : (a < b || (a == b && std::signbit(a))) ? a : b; }
double maxNum(double a, double b) { return a != a ? b : b != b ? a : (a > b || (a == b && !std::signbit(a))) ? a : b; }
float med3(float a, float b, float c) {
  if (a != a || b != b || c != c)
    return minNum(minNum(a, b), c);
  float high = maxNum(maxNum(a, b), c);
  return high == a ? maxNum(b, c) : high == b ? maxNum(a, c) : maxNum(a, b);
}
u32 toInt(float x) {
  if (x != x) return 0;
  return x >= 2147483648.0f ? 0x7fffffffu : x < -2147483648.0f ? 0x80000000u : u32(i32(x));
}
u32 toUnsigned(float x) { return !(x > 0) ? 0 : x >= 4294967296.0f ? ~0u : u32(x); }
u32 toInt(double x) {
  if (x != x) return 0;
  return x >= 2147483647.0 ? 0x7fffffffu : x <= -2147483648.0 ? 0x80000000u : u32(i32(x));
}
u32 toUnsigned(double x) { return !(x > 0) ? 0 : x >= 4294967295.0 ? ~0u : u32(x); }
float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }
u32 pkHalf(float a, float b, bool towardsZero) {
  auto convert = [&](float x) -> u32 {
    f16 h = f16(x);
    if (towardsZero && std::isfinite(x)) {
      // One step towards zero if rounding went away from it.
      if (std::fabs(float(h)) > std::fabs(x))
        return asU(h) - 1;
    }
    return asU(h);
  };
  return convert(a) | convert(b) << 16;
}
} // namespace

#define F1(name, expr) add(table, name, valu32<[](u32 x) -> u32 { [[maybe_unused]] float a = asF(x); return asU(float(expr)); }, 1, signF>)
#define F2(name, expr) add(table, name, valu32<[](u32 x, u32 y) -> u32 { float a = asF(x), b = asF(y); return asU(float(expr)); }, 2, signF>)
#define F3(name, expr) add(table, name, valu32<[](u32 x, u32 y, u32 z) -> u32 { float a = asF(x), b = asF(y), c = asF(z); return asU(float(expr)); }, 3, signF>)
#define H1(name, expr) add(table, name, valu32<[](u32 x) -> u32 { f16 a = asH(x); return asU(f16(expr)); }, 1, signH>, {16, 16, 16})
#define H2(name, expr) add(table, name, valu32<[](u32 x, u32 y) -> u32 { f16 a = asH(x), b = asH(y); return asU(f16(expr)); }, 2, signH>, {16, 16, 16})
#define H3(name, expr) add(table, name, valu32<[](u32 x, u32 y, u32 z) -> u32 { float a = asH(x), b = asH(y), c = asH(z); return asU(f16(expr)); }, 3, signH>, {16, 16, 16})
#define D1(name, expr) add(table, name, valu64<[](u64 x) -> u64 { double a = asD(x); return asU(double(expr)); }, 64, 0, 0, 64, true>, {64, 64, 64})
#define D2(name, expr) add(table, name, valu64<[](u64 x, u64 y) -> u64 { double a = asD(x), b = asD(y); return asU(double(expr)); }, 64, 64, 0, 64, true>, {64, 64, 64})

void registerValuFloat(HandlerTable &table) {
  F2("v_add_f32", a + b);
  F2("v_sub_f32", a - b);
  F2("v_subrev_f32", b - a);
  F2("v_mul_f32", a * b);
  F2("v_mul_legacy_f32", (a == 0 || b == 0) ? 0.0f : a * b);
  F2("v_min_f32", minNum(a, b));
  F2("v_max_f32", maxNum(a, b));
  F3("v_fma_f32", __builtin_fmaf(a, b, c));
  F3("v_mad_f32", a * b + c);
  F3("v_med3_f32", med3(a, b, c));
  F3("v_min3_f32", minNum(minNum(a, b), c));
  F3("v_max3_f32", maxNum(maxNum(a, b), c));
  add(table, "v_fmac_f32", valuAccumulate<[](u32 x, u32 y, u32 d) -> u32 { return asU(__builtin_fmaf(asF(x), asF(y), asF(d))); }, signF>);
  add(table, "v_mac_f32", valuAccumulate<[](u32 x, u32 y, u32 d) -> u32 { return asU(asF(x) * asF(y) + asF(d)); }, signF>);
  F3("v_fmaak_f32", __builtin_fmaf(a, b, c));
  F3("v_fmamk_f32", __builtin_fmaf(a, b, c));
  F1("v_floor_f32", std::floor(a));
  F1("v_ceil_f32", std::ceil(a));
  F1("v_trunc_f32", std::trunc(a));
  F1("v_rndne_f32", std::nearbyint(a));
  F1("v_fract_f32", std::fmin(a - std::floor(a), 0x1.fffffep-1f));
  F1("v_exp_f32", flushed(std::exp2(a)));
  F1("v_log_f32", std::log2(flushed(a)));
  F1("v_rcp_f32", flushed(1.0f / a));
  F1("v_rcp_iflag_f32", flushed(1.0f / a));
  F1("v_rsq_f32", float(1.0 / std::sqrt(double(a))));
  F1("v_sqrt_f32", std::sqrt(a));
  F1("v_sin_f32", float(std::sin(double(a) * 6.283185307179586)));
  F1("v_cos_f32", float(std::cos(double(a) * 6.283185307179586)));
  F1("v_frexp_mant_f32", a == 0 || !std::isfinite(a) ? a : std::ldexp(a, -std::ilogb(a) - 1));
  add(table, "v_frexp_exp_i32_f32", valu32<[](u32 x) -> u32 { float a = asF(x); return a == 0 || !std::isfinite(a) ? 0 : u32(std::ilogb(a) + 1); }, 1, signF>);
  add(table, "v_ldexp_f32", valu32<[](u32 x, u32 e) -> u32 { return asU(std::ldexp(asF(x), i32(e))); }, 2, 0>);

  H2("v_add_f16", a + b);
  H2("v_sub_f16", a - b);
  H2("v_subrev_f16", b - a);
  H2("v_mul_f16", a * b);
  H2("v_min_f16", f16(minNum(float(a), float(b))));
  H2("v_max_f16", f16(maxNum(float(a), float(b))));
  H3("v_fma_f16", fmaHalf(a, b, c));
  H3("v_mad_f16", f16(a * b) + c);
  H3("v_med3_f16", med3(a, b, c));
  H3("v_div_fixup_f16", (b == 0 || c == 0 || !std::isfinite(b) || !std::isfinite(c)) ? c / b : a);
  add(table, "v_fmac_f16", valuAccumulate<[](u32 x, u32 y, u32 d) -> u32 { return asU(fmaHalf(asH(x), asH(y), asH(d))); }, signH>, {16, 16, 16});
  H3("v_min3_f16", minNum(minNum(a, b), c));
  H3("v_max3_f16", maxNum(maxNum(a, b), c));
  H1("v_fract_f16", std::fmin(float(a) - std::floor(float(a)), 0x1.ffcp-1f));
  H1("v_sin_f16", float(std::sin(double(a) * 6.283185307179586)));
  H1("v_cos_f16", float(std::cos(double(a) * 6.283185307179586)));
  H1("v_frexp_mant_f16", a == 0 || !std::isfinite(float(a)) ? float(a) : std::ldexp(float(a), -std::ilogb(float(a)) - 1));
  add(table, "v_frexp_exp_i16_f16", valu32<[](u32 x) -> u32 { float a = asH(x); return a == 0 || !std::isfinite(a) ? 0 : u32(u16(std::ilogb(a) + 1)); }, 1, signH>, {16, 16, 16});
  add(table, "v_ldexp_f16", valu32<[](u32 x, u32 e) -> u32 { return asU(toHalf(std::ldexp(double(asH(x)), int16_t(e)))); }, 2, 0>, {16, 16, 16});
  H1("v_floor_f16", std::floor(float(a)));
  H1("v_ceil_f16", std::ceil(float(a)));
  H1("v_trunc_f16", std::trunc(float(a)));
  H1("v_rndne_f16", std::nearbyint(float(a)));
  H1("v_exp_f16", std::exp2(float(a)));
  H1("v_log_f16", std::log2(float(a)));
  H1("v_rcp_f16", 1.0f / float(a));
  H1("v_rsq_f16", 1.0f / std::sqrt(float(a)));
  H1("v_sqrt_f16", std::sqrt(float(a)));

  D2("v_add_f64", a + b);
  D2("v_mul_f64", a * b);
  D2("v_min_f64", minNum(a, b));
  D2("v_max_f64", maxNum(a, b));
  add(table, "v_fma_f64", valu64<[](u64 x, u64 y, u64 z) -> u64 { return asU(std::fma(asD(x), asD(y), asD(z))); }, 64, 64, 64, 64, true>, {64, 64, 64});
  D1("v_frexp_mant_f64", a == 0 || !std::isfinite(a) ? a : std::ldexp(a, -std::ilogb(a) - 1));
  add(table, "v_frexp_exp_i32_f64", valu64<[](u64 x) -> u64 { double a = asD(x); return a == 0 || !std::isfinite(a) ? 0 : u32(std::ilogb(a) + 1); }, 64, 0, 0, 32, true>, {64, 64, 64});
  add(table, "v_fmac_f64", [](Wave &w, const Op &op) {
    Op fma = op;
    fma.source[2] = {Source::Vector, 0, 0, op.destination, 0};
    valu64<[](u64 x, u64 y, u64 z) -> u64 { return asU(std::fma(asD(x), asD(y), asD(z))); }, 64, 64, 64, 64, true>(w, fma);
  }, {64, 64, 64});
  D1("v_floor_f64", std::floor(a));
  D1("v_ceil_f64", std::ceil(a));
  D1("v_trunc_f64", std::trunc(a));
  D1("v_rndne_f64", std::nearbyint(a));
  D1("v_fract_f64", a - std::floor(a));
  D1("v_rcp_f64", 1.0 / a);
  D1("v_rsq_f64", 1.0 / std::sqrt(a));
  D1("v_sqrt_f64", std::sqrt(a));
  add(table, "v_ldexp_f64", valu64<[](u64 x, u64 e) -> u64 { return asU(std::ldexp(asD(x), i32(u32(e)))); }, 64, 32, 0, 64, false>, {64, 32, 32});

  // Conversions.
  F1("v_cvt_f32_i32", i32(x));
  F1("v_cvt_f32_u32", x);
  for (int byte = 0; byte < 4; ++byte) {
    static const char *const names[] = {"v_cvt_f32_ubyte0", "v_cvt_f32_ubyte1", "v_cvt_f32_ubyte2", "v_cvt_f32_ubyte3"};
    Handler handlers[] = {valu32<[](u32 x) -> u32 { return asU(float(x & 0xff)); }, 1, 0>, valu32<[](u32 x) -> u32 { return asU(float(x >> 8 & 0xff)); }, 1, 0>,
                          valu32<[](u32 x) -> u32 { return asU(float(x >> 16 & 0xff)); }, 1, 0>, valu32<[](u32 x) -> u32 { return asU(float(x >> 24)); }, 1, 0>};
    add(table, names[byte], handlers[byte]);
  }
  add(table, "v_cvt_i32_f32", valu32<[](u32 x) -> u32 { return toInt(asF(x)); }, 1, signF>);
  add(table, "v_cvt_u32_f32", valu32<[](u32 x) -> u32 { return toUnsigned(asF(x)); }, 1, signF>);
  add(table, "v_cvt_rpi_i32_f32", valu32<[](u32 x) -> u32 { return toInt(std::floor(asF(x) + 0.5f)); }, 1, signF>);
  add(table, "v_cvt_flr_i32_f32", valu32<[](u32 x) -> u32 { return toInt(std::floor(asF(x))); }, 1, signF>);
  add(table, "v_cvt_f16_f32", valu32<[](u32 x) -> u32 { return asU(f16(asF(x))); }, 1, signF>);
  add(table, "v_cvt_f32_f16", valu32<[](u32 x) -> u32 { return asU(float(asH(x))); }, 1, signH>, {16, 16, 16});
  add(table, "v_cvt_f16_u16", valu32<[](u32 x) -> u32 { return asU(f16(u16(x))); }, 1, 0>);
  add(table, "v_cvt_f16_i16", valu32<[](u32 x) -> u32 { return asU(f16(int16_t(x))); }, 1, 0>);
  add(table, "v_cvt_u16_f16", valu32<[](u32 x) -> u32 { return std::min(toUnsigned(float(asH(x))), 65535u); }, 1, signH>, {16, 16, 16});
  add(table, "v_cvt_i16_f16", valu32<[](u32 x) -> u32 { return u16(std::clamp(i32(toInt(float(asH(x)))), -32768, 32767)); }, 1, signH>, {16, 16, 16});
  add(table, "v_cvt_pkrtz_f16_f32", valu32<[](u32 x, u32 y) -> u32 { return pkHalf(asF(x), asF(y), true); }, 2, signF>);
  add(table, "v_cvt_pk_bf16_f32", valu32<[](u32 x, u32 y) -> u32 { return u32(toBf16(asF(x))) | u32(toBf16(asF(y))) << 16; }, 2, signF>);
  add(table, "v_cvt_f64_f32", valu64<[](u64 x) -> u64 { return asU(double(asF(u32(x)))); }, 32, 0, 0, 64, true>, {32, 32, 32});
  add(table, "v_cvt_f64_i32", valu64<[](u64 x) -> u64 { return asU(double(i32(u32(x)))); }, 32, 0, 0, 64, false>, {32, 32, 32});
  add(table, "v_cvt_f64_u32", valu64<[](u64 x) -> u64 { return asU(double(u32(x))); }, 32, 0, 0, 64, false>, {32, 32, 32});
  add(table, "v_cvt_f32_f64", valu64<[](u64 x) -> u64 { return asU(float(asD(x))); }, 64, 0, 0, 32, true>, {64, 64, 64});
  add(table, "v_cvt_i32_f64", valu64<[](u64 x) -> u64 { return toInt(asD(x)); }, 64, 0, 0, 32, true>, {64, 64, 64});
  add(table, "v_cvt_u32_f64", valu64<[](u64 x) -> u64 { return toUnsigned(asD(x)); }, 64, 0, 0, 32, true>, {64, 64, 64});
}

} // namespace inflight::machine::SIMD_LEVEL
