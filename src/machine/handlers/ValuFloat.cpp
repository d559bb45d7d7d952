// Floating-point vector instructions.
#include "machine/handlers/Valu.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
constexpr u32 signF = 0x80000000u, signH = 0x8000u;

float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }
/// Both operations round, and know no denormals.
float mad(float a, float b, float c) { return flushed(flushed(flushed(a) * flushed(b)) + flushed(c)); }
f16 madHalf(f16 a, f16 b, f16 c) { return toHalf(float(toHalf(float(a) * float(b))) + float(c)); }
/// Zero times anything is zero.
float mulLegacy(float a, float b) { return a == 0 || b == 0 ? 0.0f : a * b; }
float madLegacy(float a, float b, float c) { return flushed(flushed(mulLegacy(flushed(a), flushed(b))) + flushed(c)); }

/// 2^x and log2(x) by series in doubles, whose errors a float's last place doesn't see.
float power2(float x) {
  const float bounded = x > 129.0f ? 129.0f : x < -160.0f ? -160.0f : x;
  const double whole = __builtin_roundeven(double(bounded)), r = (double(bounded) - whole) * 0.693147180559945309;
  double sum = 1.0 / 479001600;
  for (double c : {1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24,
                   1.0 / 6, 0.5, 1.0, 1.0})
    sum = __builtin_fma(sum, r, c);
  return x != x ? x : float(sum * asD(u64(i64(whole) + 1023) << 52));
}
float logarithm2(float x) {
  // x = m × 2^e with m in √½ … √2; log m = 2 artanh t.
  const u32 bits = asU(x), e = (bits + 0x4afb0d) >> 23;
  const double m = asF(bits - ((e - 127) << 23)), t = (m - 1) / (m + 1), square = t * t;
  double sum = 1.0 / 21;
  for (double c : {1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13, 1.0 / 11, 1.0 / 9, 1.0 / 7, 1.0 / 5, 1.0 / 3, 1.0})
    sum = __builtin_fma(sum, square, c);
  const float result = float(__builtin_fma(sum, t * 2.88539008177792681, double(i32(e) - 127)));
  return x > 0 ? (bits == 0x7f800000 ? x : result) : x == 0 ? -INFINITY : NAN;
}

/// 1/√x: a float's estimate and a step of Newton's method of third order, in doubles.
float reciprocalRoot(float x) {
  const float estimate = 1.0f / std::sqrt(x);
  const double y = estimate, error = __builtin_fma(-double(x) * y, y, 1.0);
  const float better = float(__builtin_fma(y * error, __builtin_fma(error, 0.375, 0.5), y));
  return estimate > 0 && estimate < INFINITY ? better : estimate;
}

/// Sine of so many turns; outside of ±256 the manuals give 0, and 1 for the cosine.
double sineOfTurns(double turns) {
  double r = turns - __builtin_roundeven(turns);
  if (std::fabs(r) > 0.25)
    r = std::copysign(0.5, r) - r;
  return std::sin(r * 6.283185307179586);
}
double sine(double turns) { return std::fabs(turns) > 256 && std::isfinite(turns) ? 0.0 : sineOfTurns(turns); }
double cosine(double turns) {
  return std::fabs(turns) > 256 && std::isfinite(turns)
             ? 1.0
             : sineOfTurns(0.25 - std::fabs(turns - __builtin_roundeven(turns)));
}

/// x - floor(x), which rounds to less than one.
template <typename T> T fraction(T x, T largest) {
  T r = x - __builtin_elementwise_floor(x);
  return r > largest ? largest : r;
}
u32 frexpMantissa(u32 x) {
  const u32 m = magnitude<32>(x);
  const u32 bits = m < 0x800000 ? asU(asF(x) * 0x1p24f) : x;
  return m == 0 || m >= 0x7f800000 ? x : (bits & 0x807fffff) | 0x3f000000;
}
u32 frexpExponent(u32 x) {
  const u32 m = magnitude<32>(x);
  const u32 bits = magnitude<32>(m < 0x800000 ? asU(asF(x) * 0x1p24f) : x);
  return m == 0 || m >= 0x7f800000 ? 0 : (bits >> 23) - 126 - (m < 0x800000 ? 24 : 0);
}
double frexpMantissa(double x) { return x == 0 || !std::isfinite(x) ? x : std::ldexp(x, -std::ilogb(x) - 1); }

/// V_DIV_FIXUP: the quotient's sign and the results that iteration can't give.
template <unsigned W> BitsOf<W> divFixup(BitsOf<W> quotient, BitsOf<W> denominator, BitsOf<W> numerator) {
  using F = Format<W>;
  const BitsOf<W> n = magnitude<W>(numerator), d = magnitude<W>(denominator),
                  sign = (numerator ^ denominator) & F::sign;
  if (isNan<W>(numerator))
    return numerator | F::quiet;
  if (isNan<W>(denominator))
    return denominator | F::quiet;
  if ((n == 0 && d == 0) || (n == F::infinity && d == F::infinity))
    return defaultNan<W>;
  if (d == 0 || n == F::infinity)
    return sign | F::infinity;
  if (d == F::infinity || n == 0)
    return sign;
  if constexpr (W != 16) {
    constexpr int digits = W == 32 ? 23 : 52;
    // Under- and overflow: multiplied, for the host to round.
    auto times = [&](BitsOf<W> x, float factor) {
      return W == 32 ? BitsOf<W>(asU(asF(u32(x)) * factor)) : BitsOf<W>(asU(asD(x) * factor));
    };
    if (int(n >> digits) - int(d >> digits) < (W == 32 ? -150 : -1075))
      return times(sign | 1, 0.25f);
    if (magnitude<W>(quotient) >= F::infinity)
      return times(sign | (F::infinity - 1), 2.0f);
  }
  return sign | magnitude<W>(quotient);
}
} // namespace

#define F1(name, expr)                     \
  add(table, name,                         \
      valu32<[](u32 x) -> u32 {            \
        [[maybe_unused]] float a = asF(x); \
        return asU(float(expr));           \
      },                                   \
             1, signF, 32>)
#define F2(name, expr)                 \
  add(table, name,                     \
      valu32<[](u32 x, u32 y) -> u32 { \
        float a = asF(x), b = asF(y);  \
        return asU(float(expr));       \
      },                               \
             2, signF, 32>)
#define F3(name, expr)                            \
  add(table, name,                                \
      valu32<[](u32 x, u32 y, u32 z) -> u32 {     \
        float a = asF(x), b = asF(y), c = asF(z); \
        return asU(float(expr));                  \
      },                                          \
             3, signF, 32>)
#define H1(name, expr)            \
  add(table, name,                \
      valu32<[](u32 x) -> u32 {   \
        float a = asH(x);         \
        return asU(toHalf(expr)); \
      },                          \
             1, signH, 16>,       \
      {16, 16, 16})
#define H2(name, expr)                 \
  add(table, name,                     \
      valu32<[](u32 x, u32 y) -> u32 { \
        float a = asH(x), b = asH(y);  \
        return asU(toHalf(expr));      \
      },                               \
             2, signH, 16>,            \
      {16, 16, 16})
#define H3(name, expr)                          \
  add(table, name,                              \
      valuHalf<[](u32 x, u32 y, u32 z) -> u32 { \
        f16 a = asH(x), b = asH(y), c = asH(z); \
        return asU(expr);                       \
      },                                        \
               3, true>,                        \
      {16, 16, 16})
#define D1(name, expr)                  \
  add(table, name,                      \
      valu64<[](u64 x) -> u64 {         \
        double a = asD(x);              \
        return asU(double(expr));       \
      },                                \
             64, 0, 0, 64, true, true>, \
      {64, 64, 64})
#define D2(name, expr)                   \
  add(table, name,                       \
      valu64<[](u64 x, u64 y) -> u64 {   \
        double a = asD(x), b = asD(y);   \
        return asU(double(expr));        \
      },                                 \
             64, 64, 0, 64, true, true>, \
      {64, 64, 64})

/// Minimum, maximum and middle of one width.
template <bool Max> static void addPicks(HandlerTable &table, const std::string &name) {
  add(table, name + "_f32", valu32<pickNumber<32, Max>, 2, signF, 32, pick<32, Max>>);
  add(table, name + "_f16",
      valu32<[](u32 a, u32 b) -> u32 { return pickNumber<16, Max>(a, b) & 0xffff; }, 2, signH, 16,
             [](u32 a, u32 b) -> u32 { return pick<16, Max>(a, b) & 0xffff; }>,
      {16, 16, 16});
  add(table, name + "_f64", valu64<pickNumber<64, Max>, 64, 64, 0, 64, true, true, pick<64, Max>>, {64, 64, 64});
  add(table, name + "3_f32",
      valu32<[](u32 a, u32 b, u32 c) -> u32 { return pickNumber<32, Max>(pickNumber<32, Max>(a, b), c); }, 3, signF, 32,
             pick3<32, Max>>);
  add(table, name + "3_f16",
      valuHalf<[](u32 a, u32 b, u32 c) -> u32 { return pickNumber<16, Max>(pickNumber<16, Max>(a, b), c); }, 3, true,
               pick3<16, Max>>,
      {16, 16, 16});
}

// NOLINTNEXTLINE(readability-function-size): a table
void registerValuFloat(HandlerTable &table) {
  F2("v_add_f32", a + b);
  F2("v_sub_f32", a - b);
  F2("v_subrev_f32", b - a);
  F2("v_mul_f32", a * b);
  F2("v_mul_legacy_f32", mulLegacy(a, b));
  F3("v_fma_f32", __builtin_fmaf(a, b, c));
  for (const char *name : {"v_mad_f32", "v_madak_f32", "v_madmk_f32"})
    F3(name, mad(a, b, c));
  F3("v_mad_legacy_f32", madLegacy(a, b, c));
  addPicks<false>(table, "v_min");
  addPicks<true>(table, "v_max");
  add(table, "v_med3_f32", valu32<middle<32>, 3, signF, 32, AsGiven{}>);
  add(table, "v_med3_f16", valuHalf<middle<16>, 3, true, AsGiven{}>, {16, 16, 16});
  add(table, "v_minimum3_f32",
      valu32<[](u32 a, u32 b, u32 c) -> u32 { return pickNumber<32, false>(pickNumber<32, false>(a, b), c); }, 3, signF,
             32, [](u32 a, u32 b, u32 c) -> u32 { return pickOrNan<32, false>(pickOrNan<32, false>(a, b), c); }>);
  add(table, "v_maximum3_f32",
      valu32<[](u32 a, u32 b, u32 c) -> u32 { return pickNumber<32, true>(pickNumber<32, true>(a, b), c); }, 3, signF,
             32, [](u32 a, u32 b, u32 c) -> u32 { return pickOrNan<32, true>(pickOrNan<32, true>(a, b), c); }>);
  add(table, "v_fmac_f32",
      valuAccumulate<[](u32 x, u32 y, u32 d) -> u32 { return asU(__builtin_fmaf(asF(x), asF(y), asF(d))); }, signF,
                     32>);
  add(table, "v_mac_f32",
      valuAccumulate<[](u32 x, u32 y, u32 d) -> u32 { return asU(mad(asF(x), asF(y), asF(d))); }, signF, 32>);
  F3("v_fmaak_f32", __builtin_fmaf(a, b, c));
  F3("v_fmamk_f32", __builtin_fmaf(a, b, c));
  F1("v_floor_f32", std::floor(a));
  F1("v_ceil_f32", std::ceil(a));
  F1("v_trunc_f32", std::trunc(a));
  F1("v_rndne_f32", __builtin_roundevenf(a));
  F1("v_fract_f32", fraction(a, 0x1.fffffep-1f));
  // The transcendental instructions know no denormals, whatever MODE says.
  F1("v_exp_f32", flushed(power2(flushed(a))));
  F1("v_log_f32", logarithm2(flushed(a)));
  F1("v_rcp_f32", flushed(1.0f / flushed(a)));
  F1("v_rcp_iflag_f32", flushed(1.0f / flushed(a)));
  F1("v_rsq_f32", reciprocalRoot(flushed(a)));
  F1("v_sqrt_f32", std::sqrt(flushed(a)));
  F1("v_sin_f32", flushed(float(sine(flushed(a)))));
  F1("v_cos_f32", flushed(float(cosine(flushed(a)))));
  add(table, "v_frexp_mant_f32", valu32<[](u32 x) -> u32 { return frexpMantissa(x); }, 1, signF, 32>);
  add(table, "v_frexp_exp_i32_f32", valu32<frexpExponent, 1, signF>);
  add(table, "v_ldexp_f32",
      valu32<[](u32 x, u32 e) -> u32 { return asU(std::ldexp(asF(x), i32(e))); }, 2, signF, 32,
             [](u32 x, u32 e) -> u32 {
               return isNan<32>(x) ? x | Format<32>::quiet : asU(std::ldexp(asF(x), i32(e)));
             }>);

  H2("v_add_f16", a + b);
  H2("v_sub_f16", a - b);
  H2("v_subrev_f16", b - a);
  H2("v_mul_f16", a * b);
  H3("v_fma_f16", fmaHalf(a, b, c));
  H3("v_mad_f16", madHalf(a, b, c));
  // These have no OP_SEL and clear the upper half.
  for (const char *name : {"v_mad_legacy_f16", "v_madak_f16", "v_madmk_f16"})
    add(table, name,
        valu32<[](u32 a, u32 b, u32 c) -> u32 { return asU(madHalf(asH(a), asH(b), asH(c))); }, 3, signH, 16>,
        {16, 16, 16});
  add(table, "v_fma_legacy_f16",
      valu32<[](u32 a, u32 b, u32 c) -> u32 { return asU(fmaHalf(asH(a), asH(b), asH(c))); }, 3, signH, 16>,
      {16, 16, 16});
  add(table, "v_mac_f16",
      valuAccumulate<[](u32 a, u32 b, u32 d) -> u32 { return asU(madHalf(asH(a), asH(b), asH(d))); }, signH, 16>,
      {16, 16, 16});
  add(table, "v_fmac_f16",
      valuAccumulate<[](u32 x, u32 y, u32 d) -> u32 { return asU(fmaHalf(asH(x), asH(y), asH(d))); }, signH, 16>,
      {16, 16, 16});
  H1("v_fract_f16", fraction(a, 0x1.ffcp-1f));
  H1("v_sin_f16", sine(a));
  H1("v_cos_f16", cosine(a));
  add(table, "v_frexp_mant_f16",
      valu32<[](u32 x) -> u32 { return asU(f16(asF(frexpMantissa(asU(float(asH(x))))))); }, 1, signH, 16>,
      {16, 16, 16});
  add(table, "v_frexp_exp_i16_f16",
      valu32<[](u32 x) -> u32 { return u16(frexpExponent(asU(float(asH(x))))); }, 1, signH>, {16, 16, 16});
  add(table, "v_ldexp_f16",
      valu32<[](u32 x, u32 e) -> u32 { return asU(toHalf(std::ldexp(double(asH(x)), int16_t(e)))); }, 2, signH, 16,
             [](u32 x, u32 e) -> u32 {
               return isNan<16>(x) ? (x | Format<16>::quiet) & 0xffff
                                   : asU(toHalf(std::ldexp(double(asH(x)), int16_t(e))));
             }>,
      {16, 16, 16});
  H1("v_floor_f16", std::floor(a));
  H1("v_ceil_f16", std::ceil(a));
  H1("v_trunc_f16", std::trunc(a));
  H1("v_rndne_f16", __builtin_roundevenf(a));
  H1("v_exp_f16", std::exp2(double(a)));
  H1("v_log_f16", std::log2(double(a)));
  H1("v_rcp_f16", 1.0f / a);
  H1("v_rsq_f16", 1.0 / std::sqrt(double(a)));
  H1("v_sqrt_f16", std::sqrt(a));

  D2("v_add_f64", a + b);
  D2("v_mul_f64", a * b);
  add(table, "v_fma_f64",
      valu64<[](u64 x, u64 y, u64 z) -> u64 { return asU(std::fma(asD(x), asD(y), asD(z))); }, 64, 64, 64, 64, true,
             true>,
      {64, 64, 64});
  D1("v_frexp_mant_f64", frexpMantissa(a));
  add(table, "v_frexp_exp_i32_f64",
      valu64<[](u64 x) -> u64 {
        double a = asD(x);
        return a == 0 || !std::isfinite(a) ? 0 : u32(std::ilogb(a) + 1);
      },
             64, 0, 0, 32, true>,
      {64, 64, 64});
  add(table, "v_fmac_f64",
      [](Wave &w, const Op &op) {
        Op fma = op;
        fma.source[2] = {Source::Vector, 0, 0, op.destination, 0};
        valu64<[](u64 x, u64 y, u64 z) -> u64 { return asU(std::fma(asD(x), asD(y), asD(z))); }, 64, 64, 64, 64, true,
               true>(w, fma);
      },
      {64, 64, 64});
  D1("v_floor_f64", std::floor(a));
  D1("v_ceil_f64", std::ceil(a));
  D1("v_trunc_f64", std::trunc(a));
  D1("v_rndne_f64", __builtin_roundeven(a));
  D1("v_fract_f64", fraction(a, 0x1.fffffffffffffp-1));
  D1("v_rcp_f64", 1.0 / a);
  D1("v_rsq_f64", 1.0 / std::sqrt(a));
  D1("v_sqrt_f64", std::sqrt(a));
  add(table, "v_ldexp_f64",
      valu64<[](u64 x, u64 e) -> u64 { return asU(std::ldexp(asD(x), i32(u32(e)))); }, 64, 32, 0, 64, true, true>,
      {64, 32, 32});

  add(table, "v_div_fixup_f32", valu32<divFixup<32>, 3, signF, 32, AsGiven{}>);
  add(table, "v_div_fixup_f64", valu64<divFixup<64>, 64, 64, 64, 64, true, true, AsGiven{}>, {64, 64, 64});
  add(table, "v_div_fixup_f16", valuHalf<divFixup<16>, 3, true, AsGiven{}>, {16, 16, 16});
}

} // namespace inflight::machine::SIMD_LEVEL
