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

inline double powerOfTwo(int exponent) { return std::bit_cast<double>(uint64_t(exponent + 1023) << 52); }

/// How an element of 8, 6 or 4 bits encodes a number, after its sign.
struct SmallFormat {
  int bits, mantissaBits, bias;
  uint32_t largest;     ///< code of the largest number
  uint32_t overflow;    ///< code of what is larger if conversions don't saturate
  uint32_t nan;         ///< code that conversions give for a NaN, besides its sign
  bool oneZero = false; ///< FNUZ: the code of -0 is the only NaN
  bool hasNan = true;
};
enum class Float8 : uint8_t { E4m3Fnuz, E5m2Fnuz, E4m3Fn, E5m2 };
/// The 8-bit formats: FNUZ on gfx942, OCP on gfx950.
inline constexpr SmallFormat formatOf(Float8 f) {
  switch (f) {
  case Float8::E4m3Fnuz: return {8, 3, 8, 0x7f, 0x80, 0x80, true};
  case Float8::E5m2Fnuz: return {8, 2, 16, 0x7f, 0x80, 0x80, true};
  case Float8::E4m3Fn: return {8, 3, 7, 0x7e, 0x7f, 0x7f};
  case Float8::E5m2: return {8, 2, 15, 0x7b, 0x7c, 0x7e};
  }
  return {};
}
/// The formats of six and four bits (OCP microscaling): no infinities, no NaNs.
inline constexpr SmallFormat fp6{6, 3, 1, 0x1f, 0x1f, 0x1f, false, false}, bf6{6, 2, 3, 0x1f, 0x1f, 0x1f, false, false},
    fp4{4, 1, 1, 7, 7, 7, false, false};

inline float fromSmall(uint32_t x, const SmallFormat &f) {
  const uint32_t signBit = 1u << (f.bits - 1), code = x & (signBit - 1);
  if (f.oneZero && x == signBit)
    return -NAN;
  const float sign = x & signBit ? -1.0f : 1.0f;
  if (f.hasNan && code > f.largest)
    return f.overflow == 0x7c && code == 0x7c ? sign * INFINITY : sign * NAN;
  const int exponent = int(code >> f.mantissaBits), mantissa = int(code & ((1u << f.mantissaBits) - 1));
  return sign * float((exponent ? mantissa | 1 << f.mantissaBits : mantissa) *
                      powerOfTwo((exponent ? exponent : 1) - f.bias - f.mantissaBits));
}
inline float fromFloat8(uint8_t x, Float8 format) { return fromSmall(x, formatOf(format)); }

/// |x| in steps of a format's spacing there, made whole: to nearest even, or, with a `noise` of 0 … 1, up if both
/// together reach the next step.
inline double roundSteps(double steps, bool stochastic, double noise) {
  return stochastic ? std::floor(steps + noise) : __builtin_roundeven(steps);
}

/// x in the format. What is larger than its numbers, infinity too, becomes the largest if the conversion saturates. A
/// NaN in a format without NaNs becomes the largest number.
inline uint32_t toSmall(double x, const SmallFormat &f, bool saturates, bool stochastic = false, double noise = 0) {
  const uint64_t bits = std::bit_cast<uint64_t>(x) & ~(uint64_t(1) << 63);
  const uint32_t sign = std::signbit(x) ? 1u << (f.bits - 1) : 0;
  if (x != x)
    return f.oneZero ? f.nan : sign | f.nan;
  const double magnitude = std::bit_cast<double>(bits);
  const int least = 1 - f.bias, exponent = int(bits >> 52) - 1023 > least ? int(bits >> 52) - 1023 : least;
  uint32_t code = f.largest + 1;
  if (exponent <=
      int(f.largest >> f.mantissaBits) - f.bias) // steps count on from one binade to the next as the codes do
    code = uint32_t(roundSteps(magnitude * powerOfTwo(f.mantissaBits - exponent), stochastic, noise)) +
           (uint32_t(exponent - least) << f.mantissaBits);
  if (code > f.largest)
    return saturates || !f.hasNan ? sign | f.largest : f.oneZero ? f.overflow : sign | f.overflow;
  return code == 0 && f.oneZero ? 0 : sign | code;
}
inline uint8_t toFloat8(double x, Float8 format, bool saturates) {
  return uint8_t(toSmall(x, formatOf(format), saturates));
}

/// The next seed of an instruction that rounds several elements stochastically (V_PRNG_B32).
inline uint32_t nextSeed(uint32_t seed) { return seed << 1 ^ (seed >> 31 ? 0xc5 : 0); }

} // namespace inflight::machine
