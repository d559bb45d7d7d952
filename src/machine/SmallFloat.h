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

} // namespace inflight::machine
