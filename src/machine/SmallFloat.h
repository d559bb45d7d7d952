// bf16 and 8-bit floats, bit-exact, round to nearest even.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace inflight::machine {

inline uint16_t toBf16(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  if (x != x)
    return uint16_t(bits >> 16 | 0x40);
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
inline float fromBf16(uint16_t x) { return std::bit_cast<float>(uint32_t(x) << 16); }

/// The four 8-bit formats: FNUZ on gfx942 (one zero, NaN is 0x80), OCP on gfx950.
enum class Float8 : uint8_t { E4m3Fnuz, E5m2Fnuz, E4m3Fn, E5m2 };

inline float fromFloat8(uint8_t x, Float8 format) {
  bool wide = format == Float8::E5m2Fnuz || format == Float8::E5m2;
  bool fnuz = format == Float8::E4m3Fnuz || format == Float8::E5m2Fnuz;
  int mantissaBits = wide ? 2 : 3, bias = (wide ? 15 : 7) + (fnuz ? 1 : 0);
  int exponent = (x & 0x7f) >> mantissaBits, mantissa = x & ((1 << mantissaBits) - 1);
  float sign = x & 0x80 ? -1.0f : 1.0f;
  if (fnuz && x == 0x80)
    return NAN;
  if (format == Float8::E4m3Fn && (x & 0x7f) == 0x7f)
    return NAN;
  if (format == Float8::E5m2 && exponent == 31)
    return mantissa ? NAN : sign * INFINITY;
  if (!exponent)
    return sign * std::ldexp(float(mantissa), 1 - bias - mantissaBits);
  return sign * std::ldexp(float(mantissa | 1 << mantissaBits), exponent - bias - mantissaBits);
}

inline uint8_t toFloat8(float x, Float8 format) {
  bool wide = format == Float8::E5m2Fnuz || format == Float8::E5m2;
  bool fnuz = format == Float8::E4m3Fnuz || format == Float8::E5m2Fnuz;
  int mantissaBits = wide ? 2 : 3, bias = (wide ? 15 : 7) + (fnuz ? 1 : 0);
  uint8_t sign = std::signbit(x) ? 0x80 : 0;
  if (x != x)
    return fnuz ? 0x80 : 0x7f;
  uint8_t largest = format == Float8::E4m3Fn ? 0x7e : format == Float8::E5m2 ? 0x7b : 0x7f;
  float magnitude = std::fabs(x), top = fromFloat8(largest, format);
  if (magnitude == 0)
    return fnuz ? 0 : sign;
  if (std::isinf(x))
    return fnuz ? 0x80 : format == Float8::E5m2 ? uint8_t(sign | 0x7c) : uint8_t(sign | 0x7f);
  int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  float scaled = std::ldexp(magnitude, mantissaBits - exponent);
  float rounded = std::nearbyint(scaled);
  float value = std::ldexp(rounded, exponent - mantissaBits);
  if (value > top) // saturating conversion, the default of the packed converts
    return sign | largest;
  if (value == 0)
    return fnuz ? 0 : sign;
  int e = std::ilogb(value);
  if (e < 1 - bias)
    return sign | uint8_t(std::ldexp(value, bias - 1 + mantissaBits));
  int m = int(std::ldexp(value, mantissaBits - e)) & ((1 << mantissaBits) - 1);
  return sign | uint8_t((e + bias) << mantissaBits | m);
}

/// The formats of six and four bits (OCP microscaling): no infinities, no NaNs.
struct TinyFormat { int bits, mantissaBits, bias; };
inline constexpr TinyFormat fp6{6, 3, 1}, bf6{6, 2, 3}, fp4{4, 1, 1};

inline float fromTiny(uint32_t x, TinyFormat f) {
  int exponent = int(x >> f.mantissaBits) & ((1 << (f.bits - 1 - f.mantissaBits)) - 1), mantissa = int(x) & ((1 << f.mantissaBits) - 1);
  float magnitude = std::ldexp(float(exponent ? mantissa | 1 << f.mantissaBits : mantissa), (exponent ? exponent : 1) - f.bias - f.mantissaBits);
  return x >> (f.bits - 1) & 1 ? -magnitude : magnitude;
}

/// The number of steps of the format's spacing around |x| that |x| has, as a whole number: rounded to
/// nearest even, or stochastically, `noise` being the fraction that makes it round up.
inline double roundSteps(double steps, bool stochastic, double noise) {
  return stochastic ? std::floor(steps + noise) : std::nearbyint(steps);
}

/// Saturates; a NaN becomes the largest number.
inline uint32_t toTiny(double x, TinyFormat f, bool stochastic = false, double noise = 0) {
  uint32_t sign = uint32_t(std::signbit(x)) << (f.bits - 1), largest = (1u << (f.bits - 1)) - 1;
  double magnitude = std::fabs(x);
  if (!(magnitude < std::ldexp(4.0, (1 << (f.bits - 1 - f.mantissaBits)) - 1 - f.bias)))
    return sign | largest;
  int exponent = magnitude == 0 ? 1 - f.bias : std::max(std::ilogb(magnitude), 1 - f.bias);
  // Steps count on from one binade to the next exactly as the encodings do.
  double steps = roundSteps(std::ldexp(magnitude, f.mantissaBits - exponent), stochastic, noise);
  double code = steps + std::ldexp(double(exponent - (1 - f.bias)), f.mantissaBits);
  return sign | std::min(uint32_t(code), largest);
}

/// As toFloat8, from a double, rounded stochastically.
inline uint8_t toFloat8Stochastic(double x, Float8 format, double noise) {
  bool wide = format == Float8::E5m2Fnuz || format == Float8::E5m2;
  bool fnuz = format == Float8::E4m3Fnuz || format == Float8::E5m2Fnuz;
  if (!std::isfinite(x) || x == 0)
    return toFloat8(float(x), format);
  int mantissaBits = wide ? 2 : 3, bias = (wide ? 15 : 7) + (fnuz ? 1 : 0);
  double magnitude = std::fabs(x);
  int exponent = std::max(std::ilogb(magnitude), 1 - bias);
  double steps = roundSteps(std::ldexp(magnitude, mantissaBits - exponent), true, noise);
  return toFloat8(float(std::copysign(std::ldexp(steps, exponent - mantissaBits), x)), format);
}

} // namespace inflight::machine
