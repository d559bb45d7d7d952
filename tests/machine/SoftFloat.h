// Arithmetic on float encodings that shares nothing with the machine: MPFR rounds once to a format's precision and
// range.
#pragma once

#include <cstdint>
#include <functional>
#include <mpfr.h>
#include <optional>

namespace inflight::machine::test {

/// A binary float format, IEEE's except for what the small ones leave out.
struct FloatFormat {
  unsigned width, mantissaBits;
  int bias;
  uint64_t signBit() const { return uint64_t(1) << (width - 1); }
  uint64_t infinity() const { return ((uint64_t(1) << (width - 1 - mantissaBits)) - 1) << mantissaBits; }
  uint64_t quietBit() const { return uint64_t(1) << (mantissaBits - 1); }
  uint64_t leastNormal() const { return uint64_t(1) << mantissaBits; }
  uint64_t magnitude(uint64_t x) const { return x & (signBit() - 1); }
  bool isNan(uint64_t x) const { return magnitude(x) > infinity(); }
  bool isSignalling(uint64_t x) const { return isNan(x) && !(x & quietBit()); }
  bool isDenormal(uint64_t x) const { return magnitude(x) && magnitude(x) < leastNormal(); }
  uint64_t flushed(uint64_t x) const { return isDenormal(x) ? x & signBit() : x; }
  uint64_t defaultNan() const { return signBit() | infinity() | quietBit(); }
};
inline constexpr FloatFormat half{16, 10, 15}, single{32, 23, 127}, wide{64, 52, 1023};

/// MODE's numbers.
enum Rounding : unsigned { Nearest, Up, Down, TowardsZero };
inline mpfr_rnd_t mpfrRounding(unsigned rounding) {
  static const mpfr_rnd_t modes[] = {MPFR_RNDN, MPFR_RNDU, MPFR_RNDD, MPFR_RNDZ};
  return modes[rounding];
}

/// An exact number of any format, or a result.
class Real {
public:
  explicit Real(unsigned precision = 200) { mpfr_init2(value, precision); }
  Real(const FloatFormat &format, uint64_t bits) : Real(64) {
    const uint64_t m = format.magnitude(bits);
    const int exponent = int(m >> format.mantissaBits);
    if (format.isNan(bits))
      mpfr_set_nan(value);
    else if (m == format.infinity())
      mpfr_set_inf(value, 1);
    else
      mpfr_set_ui_2exp(value, (m & (format.leastNormal() - 1)) | (exponent ? format.leastNormal() : 0),
                       (exponent ? exponent : 1) - format.bias - int(format.mantissaBits), MPFR_RNDN);
    mpfr_setsign(value, value, (bits & format.signBit()) != 0, MPFR_RNDN);
  }
  ~Real() { mpfr_clear(value); }
  Real(const Real &) = delete;
  Real &operator=(const Real &) = delete;
  mpfr_t value;
};

/// Gives a result in the precision of its first argument and says which path it was rounded, as MPFR's functions do.
using RealFunction = std::function<int(mpfr_t, mpfr_rnd_t)>;

/// The encoding of the function's result, rounded once. `unlimited`: what is too large goes on past the largest code
/// instead of becoming infinity, for the formats that have none.
inline uint64_t rounded(const FloatFormat &format, unsigned rounding, const RealFunction &function,
                        bool unlimited = false) {
  const mpfr_exp_t least = mpfr_get_emin(), greatest = mpfr_get_emax();
  const mpfr_rnd_t mode = mpfrRounding(rounding);
  Real result(format.mantissaBits + 1);
  mpfr_set_emin(2 - format.bias - int(format.mantissaBits));
  mpfr_set_emax(unlimited ? 2000 : format.bias + 1);
  int inexact = function(result.value, mode);
  inexact = mpfr_check_range(result.value, inexact, mode);
  mpfr_subnormalize(result.value, inexact, mode);
  mpfr_set_emin(least);
  mpfr_set_emax(greatest);
  const uint64_t sign = mpfr_signbit(result.value) ? format.signBit() : 0;
  if (mpfr_nan_p(result.value))
    return format.defaultNan();
  if (mpfr_inf_p(result.value))
    return sign | format.infinity();
  if (mpfr_zero_p(result.value))
    return sign;
  // The significand as a whole number of steps of the spacing there; steps count on from one binade to the next.
  const int exponent = int(mpfr_get_exp(result.value)) - 1, lowest = 1 - format.bias,
            binade = exponent < lowest ? lowest : exponent;
  mpfr_abs(result.value, result.value, MPFR_RNDN);
  mpfr_mul_2si(result.value, result.value, int(format.mantissaBits) - binade, MPFR_RNDN);
  return sign | (mpfr_get_ui(result.value, MPFR_RNDN) + (uint64_t(binade - lowest) << format.mantissaBits));
}

} // namespace inflight::machine::test
