// The steps of a division: operands scaled out of the path of under- and overflow, the last multiply-add that scales
// back.
//
// The manuals' pseudo-code leaves open what a reciprocal or quotient that "is a denormal" means. Here it is what the
// hardware was seen to decide by: the difference of the exponents (rocjitsu, division.h, measured on gfx1100 and
// gfx1201).
#include "machine/handlers/Valu.h"
#include <cfenv>

namespace inflight::machine::SIMD_LEVEL {

namespace {
template <unsigned W> struct Scaling;
template <> struct Scaling<32> {
  static constexpr int digits = 23, bias = 127, far = 96, by = 64, tiny = 24;
};
template <> struct Scaling<64> {
  static constexpr int digits = 52, bias = 1023, far = 768, by = 128, tiny = 53;
};

template <unsigned W> BitsOf<W> scaled(BitsOf<W> x, int by) {
  if (isNan<W>(x))
    return x | Format<W>::quiet;
  if constexpr (W == 32)
    return asU(std::ldexp(asF(x), by));
  else
    return asU(std::ldexp(asD(x), by));
}

/// One of denominator and numerator, scaled if need be; whether V_DIV_FMAS is to scale back.
template <unsigned W> BitsOf<W> divScale(BitsOf<W> value, BitsOf<W> denominator, BitsOf<W> numerator, bool &scaleBack) {
  using S = Scaling<W>;
  const int d = int(magnitude<W>(denominator) >> S::digits), n = int(magnitude<W>(numerator) >> S::digits);
  const bool isDenominator = value == denominator;
  int by = 0;
  scaleBack = false;
  if (n - d >= S::far) {
    scaleBack = true;
    by = isDenominator ? S::by : 0;
  } else if (d == 0) { // NOLINT(bugprone-branch-clone): the first case that holds decides
    by = S::by;
  } else if (d >= 2 * S::bias - 1) {
    scaleBack = n - d <= -S::far;
    by = scaleBack && !isDenominator ? 0 : -S::by;
  } else if (n - d <= -S::far) {
    scaleBack = true;
    by = isDenominator ? 0 : S::by;
  } else if (n <= S::tiny) {
    by = S::by;
  }
  if (!magnitude<W>(denominator) || !magnitude<W>(numerator))
    return defaultNan<W>;
  return scaled<W>(value, by);
}

/// a × b + c, scaled by 2^by, rounded once.
float fmaScaled(float a, float b, float c, int by) {
  const double product = double(a) * b, sum = product + c, part = sum - product,
               lost = (product - (sum - part)) + (c - part);
  u64 bits = asU(sum);
  if ((lost < 0 || lost > 0) && !(bits & 1))
    bits += (lost < 0) == (sum < 0) ? 1 : -1;
  return float(std::ldexp(asD(bits), by));
}
double fmaScaled(double a, double b, double c, int by) {
  double result = std::fma(a, b, c);
  if (!std::isfinite(result) || std::fabs(result) >= std::ldexp(0x1p-1022, -by))
    return std::ldexp(result, by);
  // A denormal would be rounded twice. Where the first rounding left a number or a tie, what it lost decides.
  const double product = a * b, low = std::fma(a, b, -product), sum = product + c, part = sum - product,
               lost = ((product - (sum - part)) + (c - part)) + low + (sum - result);
  const double over = std::fabs(result - std::ldexp(std::ldexp(result, by), -by));
  if ((lost < 0 || lost > 0) &&
      (over == std::ldexp(0x1p-1074, -by - 1) || (over == 0 && std::fegetround() != FE_TONEAREST)))
    result = std::nextafter(result, std::copysign(INFINITY, lost));
  return std::ldexp(result, by);
}

template <unsigned W> struct Sources {
  std::conditional_t<W == 32, LaneArray, WideArray> space[3], changed[3];
  const BitsOf<W> *in[3];
  Sources(Wave &w, const Op &op) {
    for (int s = 0; s < 3; ++s) {
      if constexpr (W == 32)
        in[s] = modified(op.source[s], laneSource(w, op.source[s], space[s]), changed[s], 0x80000000u);
      else
        in[s] = wideSource(w, op.source[s], space[s], 64, true);
    }
  }
};
void write(Wave &w, const Op &op, const LaneArray &result) { writeLanes(w, w.vgpr(op.destination), result.lane); }
void write(Wave &w, const Op &op, const WideArray &result) { result.write(w, op.destination); }
template <unsigned W> using Array = std::conditional_t<W == 32, LaneArray, WideArray>;

template <unsigned W> void divScale(Wave &w, const Op &op) {
  const Sources<W> sources(w, op);
  Array<W> array;
  BitsOf<W> *result = array.lane;
  u64 mask = 0;
  for (unsigned i = 0; i < Lanes; ++i) {
    bool scaleBack;
    result[i] = divScale<W>(sources.in[0][i], sources.in[1][i], sources.in[2][i], scaleBack);
    mask |= u64(scaleBack) << i;
  }
  write(w, op, array);
  w.setS64(op.scalarDestination, mask & w.exec());
}

template <unsigned W> void divFmas(Wave &w, const Op &op) {
  using S = Scaling<W>;
  const Sources<W> sources(w, op);
  const BitsOf<W> *const *in = sources.in;
  Array<W> array;
  BitsOf<W> *result = array.lane;
  const u64 vcc = w.vcc();
  auto number = [](BitsOf<W> x) {
    if constexpr (W == 32)
      return asF(x);
    else
      return asD(x);
  };
  LANE_LOOP for (unsigned i = 0; i < Lanes; ++i) result[i] =
      asU(__builtin_elementwise_fma(number(in[0][i]), number(in[1][i]), number(in[2][i])));
  if (vcc)
    for (unsigned i = 0; i < Lanes; ++i)
      if (vcc >> i & 1)
        result[i] = asU(fmaScaled(number(in[0][i]), number(in[1][i]), number(in[2][i]),
                                  int(magnitude<W>(in[2][i]) >> S::digits) > S::bias ? S::by : -S::by));
  if (someNan<W>(result, Lanes)) [[unlikely]]
    settleNans<W, 3>(result, in, Lanes);
  if (op.clamp)
    clampFloats<W>(result, Lanes);
  write(w, op, array);
}
} // namespace

void registerDivision(HandlerTable &table) {
  add(table, "v_div_scale_f32", divScale<32>);
  add(table, "v_div_scale_f64", divScale<64>, {64, 64, 64});
  add(table, "v_div_fmas_f32", divFmas<32>);
  add(table, "v_div_fmas_f64", divFmas<64>, {64, 64, 64});
}

} // namespace inflight::machine::SIMD_LEVEL
