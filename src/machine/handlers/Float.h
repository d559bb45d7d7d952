// What all float widths share: NaNs, minimum and maximum, clamp. Values are encodings, so that signs and payloads stay.
#pragma once

#include "machine/handlers/Lanes.h"
#include <algorithm>

namespace inflight::machine::SIMD_LEVEL {

/// A float format of 16, 32 or 64 bits.
template <unsigned Width> struct Format;
template <> struct Format<16> {
  using Bits = u32; ///< in the low half; what is above doesn't count
  using Key = i32;
  static constexpr Bits mask = 0xffff, sign = 0x8000, infinity = 0x7c00, quiet = 0x200, one = 0x3c00;
};
template <> struct Format<32> {
  using Bits = u32;
  using Key = i32;
  static constexpr Bits mask = ~0u, sign = 0x80000000, infinity = 0x7f800000, quiet = 0x400000, one = 0x3f800000;
};
template <> struct Format<64> {
  using Bits = u64;
  using Key = i64;
  static constexpr Bits mask = ~u64(0), sign = u64(1) << 63, infinity = u64(0x7ff) << 52, quiet = u64(1) << 51,
                        one = u64(0x3ff) << 52;
};
template <unsigned W> using BitsOf = typename Format<W>::Bits;

template <unsigned W> constexpr BitsOf<W> magnitude(BitsOf<W> x) { return x & (Format<W>::sign - 1); }
template <unsigned W> constexpr bool isNan(BitsOf<W> x) { return magnitude<W>(x) > Format<W>::infinity; }
template <unsigned W> constexpr bool isSignalling(BitsOf<W> x) { return isNan<W>(x) && !(x & Format<W>::quiet); }
template <unsigned W> constexpr bool isDenormal(BitsOf<W> x) {
  return magnitude<W>(x) && magnitude<W>(x) < (Format<W>::quiet << 1);
}
/// What an operation gives that has no result, such as infinity minus infinity.
template <unsigned W> constexpr BitsOf<W> defaultNan = Format<W>::sign | Format<W>::infinity | Format<W>::quiet;

/// Orders numbers; -0 comes before +0.
template <unsigned W> constexpr typename Format<W>::Key key(BitsOf<W> x) {
  using Key = typename Format<W>::Key;
  Key k = W == 16 ? Key(int16_t(x)) : Key(x);
  return k < 0 ? k ^ Key(Format<W>::sign - 1) : k;
}

/// Whether some of `count` encodings is no number.
template <unsigned W, typename T> inline bool someNan(const T *lanes, unsigned count) {
  T some = 0;
  for (unsigned i = 0; i < count; ++i)
    some |= T((lanes[i] & T(Format<W>::sign - 1)) > T(Format<W>::infinity));
  return some;
}

/// 0 × infinity.
template <unsigned W> constexpr bool isImpossible(BitsOf<W> a, BitsOf<W> b) {
  const BitsOf<W> x = magnitude<W>(a), y = magnitude<W>(b);
  return (x == 0 && y == Format<W>::infinity) || (y == 0 && x == Format<W>::infinity);
}

/// Of an arithmetic operation: a result that is no number is the first source that is none, quieted. The impossible
/// product of a multiply-add goes before its addend.
template <unsigned W, int N, typename T> [[gnu::noinline]] void settleNans(T *out, const T *const *in, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    if (!isNan<W>(out[i]))
      continue;
    BitsOf<W> result = defaultNan<W>;
    for (int s = 0; s < N; ++s) {
      if (s == 2 && isImpossible<W>(in[0][i], in[1][i]))
        break;
      if (isNan<W>(in[s][i])) {
        result = in[s][i] | Format<W>::quiet;
        break;
      }
    }
    out[i] = T(result & Format<W>::mask);
  }
}

/// The lesser or greater of two numbers.
template <unsigned W, bool Max> constexpr BitsOf<W> pickNumber(BitsOf<W> a, BitsOf<W> b) {
  return (Max ? key<W>(a) > key<W>(b) : key<W>(a) < key<W>(b)) ? a : b;
}
/// V_MIN and V_MAX with MODE.IEEE: a signalling NaN wins, a quiet one loses.
template <unsigned W, bool Max> constexpr BitsOf<W> pick(BitsOf<W> a, BitsOf<W> b) {
  if (isSignalling<W>(a))
    return a | Format<W>::quiet;
  if (isSignalling<W>(b))
    return b | Format<W>::quiet;
  return isNan<W>(a) ? b : isNan<W>(b) ? a : pickNumber<W, Max>(a, b);
}
template <unsigned W, bool Max> constexpr BitsOf<W> pick3(BitsOf<W> a, BitsOf<W> b, BitsOf<W> c) {
  return pick<W, Max>(pick<W, Max>(a, b), c);
}
/// V_MED3: of numbers the one in the middle, which of equal zeros by comparison as the manuals write it.
template <unsigned W> constexpr BitsOf<W> middle(BitsOf<W> a, BitsOf<W> b, BitsOf<W> c) {
  if (isNan<W>(a) || isNan<W>(b) || isNan<W>(c))
    return pick3<W, false>(a, b, c);
  const BitsOf<W> most = pickNumber<W, true>(pickNumber<W, true>(a, b), c);
  auto equals = [](BitsOf<W> x, BitsOf<W> y) { return x == y || (magnitude<W>(x) | magnitude<W>(y)) == 0; };
  return equals(most, a)   ? pickNumber<W, true>(b, c)
         : equals(most, b) ? pickNumber<W, true>(a, c)
                           : pickNumber<W, true>(a, b);
}
/// V_MINIMUM and V_MAXIMUM: any NaN wins, a signalling one first.
template <unsigned W, bool Max> constexpr BitsOf<W> pickOrNan(BitsOf<W> a, BitsOf<W> b) {
  if (isSignalling<W>(a))
    return a | Format<W>::quiet;
  if (isSignalling<W>(b))
    return b | Format<W>::quiet;
  return isNan<W>(a) ? a : isNan<W>(b) ? b : pickNumber<W, Max>(a, b);
}

/// CLAMP of floats: into 0 … 1, NaN becoming 0 (MODE.DX10_CLAMP).
template <unsigned W, typename T> inline void clampFloats(T *lanes, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    T x = lanes[i] & T(Format<W>::mask),
      positive = x > T(Format<W>::infinity) ? T(0) : x; // -0 and what is negative are greater
    lanes[i] = positive > T(Format<W>::one) ? T(Format<W>::one) : positive;
  }
}

/// A float as a half in the host's rounding mode.
inline f16 toHalf(float x) {
#if defined(__F16C__) || !defined(__x86_64__)
  return f16(x);
#else
  // The library's conversion only rounds to nearest. Adding a number whose last place is the half's rounds as the host
  // does.
  const u32 bits = asU(x) & 0x7fffffff;
  if (bits >= 0x47800000) // 2^16 and above: what becomes of it is the rounding mode's choice between a half's largest
                          // and infinity
    return bits > 0x7f800000    ? asH((asU(x) >> 16 & 0x8000) | 0x7e00 | (bits >> 13 & 0x3ff))
           : bits == 0x7f800000 ? f16(x)
           : std::fabs(std::copysign(0x1.fffffep127f, x) * 2.0f) > 0x1.fffffep127f ? f16(x)
                                                                                   : f16(std::copysign(65504.0f, x));
  const u32 exponent = std::max(bits >> 23, 113u);
  const float place = std::copysign(asF((exponent + 13) << 23), x), result = (x + place) - place;
  return f16(result == 0 ? std::copysign(0.0f, x) : result);
#endif
}
/// A half from a double, rounded once: by way of a float rounded to odd.
inline f16 toHalf(double x) {
  float nearest = float(x);
  bool inexact = double(nearest) != x, away = std::fabs(double(nearest)) > std::fabs(x);
  return toHalf(asF((asU(nearest) - away) | inexact));
}
/// The sum of a product of halves, exact in a float, and a half, rounded once.
inline f16 fmaHalf(float a, float b, float c) {
  const float product = a * b, sum = product + c;
  const bool swap = std::fabs(product) < std::fabs(c);
  const float large = swap ? c : product, small = swap ? product : c, lost = small - (sum - large);
  // To odd: the last bit says that something was lost, so that rounding to a half sees it.
  const u32 bits = asU(sum), outwards = (asU(lost) ^ bits) >> 31 ? ~0u : 1u;
  const bool inexact = (lost < 0) | (lost > 0);
  return toHalf(asF((inexact & !(bits & 1)) ? bits + outwards : bits));
}

} // namespace inflight::machine::SIMD_LEVEL
