// Conversions between floats of all widths and integers against MPFR, and instructions of which only some results are
// exact.
#include "FloatRows.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace inflight::machine::test;
using llvm::APFloat;

namespace {
uint64_t bits(float x) { return llvm::bit_cast<uint32_t>(x); }

/// A float in another format; NaNs quiet, with the upper part of their payload.
uint64_t converted(const FloatFormat &from, const FloatFormat &to, uint64_t x, unsigned rounding) {
  if (from.isNan(x)) {
    const uint64_t payload = x & (from.leastNormal() - 1), sign = x & from.signBit() ? to.signBit() : 0;
    const int shift = int(to.mantissaBits) - int(from.mantissaBits);
    return sign | to.infinity() | to.quietBit() | (shift > 0 ? payload << shift : payload >> -shift);
  }
  Real value(from, x);
  return rounded(to, rounding, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_set(r, value.value, m); });
}
std::vector<Values> inRows(const Values &values) {
  std::vector<Values> rows;
  for (uint64_t x : values)
    rows.push_back({x});
  return rows;
}
Values integers() {
  Values v = {0,          1,          2,          0x7fff,     0x8000,     0xffff,
              0x00ffffff, 0x01000001, 0x01000003, 0x7fffffbf, 0x7fffffff, 0x80000000,
              0x80000081, 0xffffffff, 0xfffffffe, 2047,       2049,       2051};
  for (uint32_t i = 1; v.size() < 192; ++i)
    v.push_back(i * 0x9e3779b9u >> i % 23);
  return v;
}
} // namespace

TEST(FloatConversion, BetweenWidths) {
  for (auto [to, from] :
       {std::pair("f16", "f32"), std::pair("f32", "f16"), std::pair("f32", "f64"), std::pair("f64", "f32")})
    for (const Mode &mode : allModes()) {
      const FloatFormat &f = formatNamed(from), &t = formatNamed(to);
      const std::string name = std::string("v_cvt_") + to + "_" + from;
      std::vector<Values> rows = operands(f, 1);
      // Around every binade's edge of the other format.
      for (uint64_t x : edgeValues(t))
        if (t.width < f.width)
          for (int delta : {-1, 0, 1})
            rows.push_back({converted(t, f, x, Nearest) + uint64_t(int64_t(delta))});
      Values got = runRows("gfx942", name, f, t, rows, mode);
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i) {
        const uint64_t x = mode.keepsIn ? rows[i][0] : f.flushed(rows[i][0]), want = converted(f, t, x, mode.rounding);
        failures.compare(got[i], mode.keepsOut ? want : t.flushed(want), rows[i], name + " (" + mode.name() + ")");
      }
    }
}

TEST(FloatConversion, EveryHalf) {
  Values all;
  for (unsigned i = 0; i < 0x10000; ++i)
    all.push_back(i);
  Failures failures;
  Values got = runRows("gfx942", "v_cvt_f32_f16", half, single, inRows(all), {});
  for (unsigned i = 0; i < 0x10000; ++i)
    failures.compare(got[i], converted(half, single, i, Nearest), {i}, "v_cvt_f32_f16");
}

TEST(FloatConversion, FromIntegers) {
  struct Form {
    const char *name;
    const FloatFormat &to;
    unsigned width;
    bool isSigned;
  };
  for (const Form &form : {Form{"v_cvt_f32_i32", single, 32, true}, Form{"v_cvt_f32_u32", single, 32, false},
                           Form{"v_cvt_f64_i32", wide, 32, true}, Form{"v_cvt_f64_u32", wide, 32, false},
                           Form{"v_cvt_f16_i16", half, 16, true}, Form{"v_cvt_f16_u16", half, 16, false}})
    for (unsigned rounding : {Nearest, Up, Down, TowardsZero}) {
      const std::vector<Values> rows = inRows(integers());
      Values got = runRows("gfx942", form.name, single, form.to, rows, {rounding});
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i) {
        const int64_t x = form.width == 16 ? (form.isSigned ? int16_t(rows[i][0]) : int64_t(uint16_t(rows[i][0])))
                          : form.isSigned  ? int32_t(rows[i][0])
                                           : int64_t(rows[i][0]);
        failures.compare(got[i],
                         rounded(form.to, rounding, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_set_si(r, x, m); }),
                         rows[i], form.name);
      }
    }
}

/// Towards zero, down, or to the nearest with halves upwards; saturating; zero from a NaN. No rounding mode changes
/// that.
TEST(FloatConversion, ToIntegers) {
  struct Form {
    const char *name;
    const FloatFormat &from;
    int64_t least, most;
    char rounding;
  };
  for (const Form &form :
       {Form{"v_cvt_i32_f32", single, INT32_MIN, INT32_MAX, 'z'}, Form{"v_cvt_u32_f32", single, 0, UINT32_MAX, 'z'},
        Form{"v_cvt_flr_i32_f32", single, INT32_MIN, INT32_MAX, 'f'},
        Form{"v_cvt_rpi_i32_f32", single, INT32_MIN, INT32_MAX, 'n'},
        Form{"v_cvt_i32_f64", wide, INT32_MIN, INT32_MAX, 'z'}, Form{"v_cvt_u32_f64", wide, 0, UINT32_MAX, 'z'},
        Form{"v_cvt_i16_f16", half, INT16_MIN, INT16_MAX, 'z'}, Form{"v_cvt_u16_f16", half, 0, UINT16_MAX, 'z'}})
    for (unsigned rounding : {Nearest, Up, Down, TowardsZero}) {
      std::vector<Values> rows = operands(form.from, 1);
      for (float x : {0.49999997f, 0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 2147483520.0f, 2147483648.0f, -2147483648.0f,
                      4294967040.0f, 4294967296.0f, 65535.0f, -1e-30f})
        rows.push_back({converted(single, form.from, bits(x), TowardsZero)});
      for (double x :
           {2147483647.0, 2147483647.5, 2147483648.0, -2147483648.5, -2147483649.0, 4294967295.0, 4294967295.5})
        if (form.from.width == 64)
          rows.push_back({llvm::bit_cast<uint64_t>(x)});
      Values got = runRows("gfx942", form.name, form.from, single, rows, {rounding});
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i) {
        Real x(form.from, rows[i][0]), r;
        int64_t want = 0;
        if (!mpfr_nan_p(x.value)) {
          if (form.rounding == 'n') {
            mpfr_add_d(r.value, x.value, 0.5, MPFR_RNDD);
            mpfr_floor(r.value, r.value);
          } else {
            form.rounding == 'f' ? mpfr_floor(r.value, x.value) : mpfr_trunc(r.value, x.value);
          }
          want = mpfr_cmp_si(r.value, form.least) < 0  ? form.least
                 : mpfr_cmp_si(r.value, form.most) > 0 ? form.most
                                                       : mpfr_get_si(r.value, MPFR_RNDN);
        }
        failures.compare(got[i], form.from.width == 16 ? uint16_t(want) : uint32_t(want), rows[i], form.name);
      }
    }
}

/// V_CVT_PKRTZ rounds towards zero under every mode; what is too large becomes the largest half.
TEST(FloatConversion, PackedTowardsZero) {
  const std::vector<Values> rows = operands(single, 2);
  for (unsigned rounding : {Nearest, Up, Down}) {
    Values got = runRows("gfx942", "v_cvt_pkrtz_f16_f32", single, single, rows, {rounding});
    Failures failures;
    for (size_t i = 0; i < rows.size(); ++i)
      failures.compare(got[i],
                       converted(single, half, rows[i][0], TowardsZero) |
                           converted(single, half, rows[i][1], TowardsZero) << 16,
                       rows[i], "v_cvt_pkrtz_f16_f32");
  }
}

namespace {
/// An 8-bit format: FNUZ on gfx942, OCP on gfx950.
struct Format8 {
  const char *chip, *name;
  FloatFormat format;
  uint64_t largest, overflow;
  bool oneZero;
  const llvm::fltSemantics &semantics;
};
const Format8 formats8[] = {{"gfx942", "fp8", {8, 3, 8}, 0x7f, 0x80, true, APFloat::Float8E4M3FNUZ()},
                            {"gfx942", "bf8", {8, 2, 16}, 0x7f, 0x80, true, APFloat::Float8E5M2FNUZ()},
                            {"gfx950", "fp8", {8, 3, 7}, 0x7e, 0x7f, false, APFloat::Float8E4M3FN()},
                            {"gfx950", "bf8", {8, 2, 15}, 0x7b, 0x7c, false, APFloat::Float8E5M2()}};
/// Overflow gives NaN or infinity, with MODE.FP16_OVFL the largest number.
uint64_t toFloat8(const Format8 &f, float x, bool saturates) {
  const uint64_t sign = std::signbit(x) ? 0x80 : 0;
  if (std::isnan(x))
    return f.oneZero ? 0x80 : sign | (f.format.mantissaBits == 2 ? 0x7e : 0x7f); // E5M2's quiet one
  Real value(single, bits(x));
  uint64_t code =
      std::isinf(x)
          ? f.largest + 1
          : rounded(f.format, Nearest, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_abs(r, value.value, m); }, true);
  if (code > f.largest)
    return saturates ? sign | f.largest : f.oneZero ? 0x80 : sign | f.overflow;
  return f.oneZero && code == 0 ? 0 : sign | code;
}
} // namespace

/// Every half and the single next to it, so that all ties of the small formats and what decides them occur.
TEST(FloatConversion, ToFloat8) {
  std::vector<Values> rows;
  for (unsigned i = 0; i < 0x10000; i += 1) {
    const uint64_t x = converted(half, single, i, Nearest);
    rows.push_back({x, x + 1});
  }
  for (uint64_t x : edgeValues(single))
    rows.push_back({x, x});
  for (const Format8 &f : formats8)
    for (bool saturates : {false, true}) {
      Mode mode;
      mode.fp16Overflow = saturates;
      const std::string name = std::string("v_cvt_pk_") + f.name + "_f32";
      Values got = runRows(f.chip, name, single, single, rows, mode);
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i)
        failures.compare(got[i] & 0xffff,
                         toFloat8(f, llvm::bit_cast<float>(uint32_t(rows[i][0])), saturates) |
                             toFloat8(f, llvm::bit_cast<float>(uint32_t(rows[i][1])), saturates) << 8,
                         rows[i], std::string(f.chip) + " " + name + (saturates ? " saturating" : ""));
    }
}
TEST(FloatConversion, FromFloat8) {
  Values codes;
  for (unsigned i = 0; i < 256; ++i)
    codes.push_back(i);
  for (const Format8 &f : formats8) {
    Values got = runRows(f.chip, std::string("v_cvt_f32_") + f.name, single, single, inRows(codes), {});
    for (unsigned i = 0; i < 256; ++i) {
      const APFloat value(f.semantics, llvm::APInt(8, i));
      const float result = llvm::bit_cast<float>(uint32_t(got[i]));
      if (value.isNaN())
        EXPECT_TRUE(std::isnan(result)) << f.chip << " " << f.name << " " << i;
      else
        EXPECT_EQ(got[i], bits(float(value.convertToDouble()))) << f.chip << " " << f.name << " " << i;
    }
  }
}

/// Pairs fill two registers, also where SDWA names the half of the source.
TEST(FloatConversion, PairsFromFloat8) {
  for (const Format8 &f : formats8) {
    Snippet s;
    s.chip = f.chip;
    s.in = {Register(), Register()};
    for (unsigned i = 0; i < 64; ++i) {
      s.in[0][i] = i | (255 - i) << 8 | (i + 64) << 16 | (191 - i) << 24;
      s.in[1][i] = ~0u;
    }
    const std::string name = std::string("v_cvt_pk_f32_") + f.name;
    s.outputs = 10;
    for (unsigned i = 0; i < 10; ++i)
      s.body += "  v_mov_b32 v" + std::to_string(40 + i) + ", 7\n";
    s.body += "  " + name + "_e32 v[40:41], v10\n  " + name + "_e64 v[42:43], v10\n  " + name +
              "_sdwa v[44:45], v10 src0_sel:WORD_1\n  " + name +
              "_sdwa v[46:47], v10 src0_sel:WORD_0\n  v_readfirstlane_b32 s20, v10\n  s_mov_b64 exec, 0xff00ff\n  "
              "s_nop 4\n  " +
              name + "_sdwa v[48:49], s20 src0_sel:WORD_1";
    std::vector<Register> got = runSnippet(s);
    auto compare = [&](uint32_t result, uint32_t code, const char *form, unsigned lane) {
      const APFloat value(f.semantics, llvm::APInt(8, code));
      if (value.isNaN())
        EXPECT_TRUE(std::isnan(llvm::bit_cast<float>(result))) << f.chip << " " << f.name << form << " lane " << lane;
      else
        EXPECT_EQ(result, bits(float(value.convertToDouble()))) << f.chip << " " << f.name << form << " lane " << lane;
    };
    for (unsigned i = 0; i < 64; ++i)
      for (unsigned k = 0; k < 2; ++k) {
        auto code = [&](unsigned lane, unsigned byte) { return s.in[0][lane] >> (8 * byte) & 0xff; };
        compare(got[0 + k][i], code(i, k), "_e32", i);
        compare(got[2 + k][i], code(i, k), "_e64", i);
        compare(got[4 + k][i], code(i, 2 + k), "_sdwa of the upper half", i);
        compare(got[6 + k][i], code(i, k), "_sdwa of the lower half", i);
        if (0xff00ffu >> (i % 32) & 1 && i < 32)
          compare(got[8 + k][i], code(0, 2 + k), "_sdwa of a scalar", i);
        else
          EXPECT_EQ(got[8 + k][i], 7u) << "a lane that is off";
      }
  }
}

/// Scaled to 8 and 4 bits: only the scale's exponent counts, and each element is rounded once.
TEST(FloatConversion, Scaled) {
  const FloatFormat fp4{4, 1, 1};
  for (int exponent : {-9, 0, 3}) {
    std::vector<Values> rows = operands(single, 2);
    for (unsigned i = 0; i < 448; ++i)
      rows.push_back({bits(std::ldexp(float(i) / 16 - 9, exponent)), bits(std::ldexp(7 - float(i) / 32, exponent))});
    for (Values &row : rows)
      row.push_back(bits(std::ldexp(1.5f, exponent)));
    for (const char *name : {"fp8", "bf8", "fp4"}) {
      const std::string mnemonic = std::string("v_cvt_scalef32_pk_") + name + "_f32";
      Values got = runRows("gfx950", mnemonic, single, single, rows, {});
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i) {
        uint64_t want = 0;
        for (unsigned e = 0; e < 2; ++e) {
          const float x = llvm::bit_cast<float>(uint32_t(rows[i][e])), scaled = std::ldexp(x, -exponent);
          if (std::isfinite(x) && std::fabs(x) < 1e30f && std::ldexp(scaled, exponent) == x) {
            if (name[0] == 'f' && name[2] == '4') {
              Real value(single, bits(scaled));
              uint64_t code =
                  rounded(fp4, Nearest, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_abs(r, value.value, m); }, true);
              want |= ((std::signbit(x) ? 8 : 0) | (code > 7 ? 7 : code)) << (4 * e);
            } else {
              want |= toFloat8(formats8[name[0] == 'f' ? 2 : 3], scaled, false) << (8 * e);
            }
          } else {
            want |= got[i] & (name[2] == '4' ? 0xfu << (4 * e) : 0xffu << (8 * e));
          }
        }
        failures.compare(got[i] & (name[2] == '4' ? 0xff : 0xffff), want, rows[i], mnemonic);
      }
    }
  }
}

/// The second of two elements is rounded with the next seed (V_PRNG_B32).
TEST(FloatConversion, StochasticSeeds) {
  Snippet s;
  s.chip = "gfx950";
  const uint32_t seed = 0x60000000; // below a half for the first, the next one above
  s.in = {all(uint32_t(bits(2.5f))), all(uint32_t(bits(2.5f))), all(seed), all(uint32_t(bits(1.0f)))};
  s.body = "  v_mov_b32 v40, 0\n  v_cvt_scalef32_sr_pk_fp4_f32 v40, v[10:11], v12, v13";
  EXPECT_EQ(runSnippet(s)[0], all(0x54)); // 2 and 3
}

namespace {
/// The quotient as clang computes it.
const char divide32[] = R"(
  v_div_scale_f32 v40, s[8:9], v11, v11, v10
  v_div_scale_f32 v41, vcc, v10, v11, v10
  v_rcp_f32 v42, v40
  v_fma_f32 v43, -v40, v42, 1.0
  v_fmac_f32 v42, v43, v42
  v_mul_f32 v43, v41, v42
  v_fma_f32 v44, -v40, v43, v41
  v_fmac_f32 v43, v44, v42
  v_fma_f32 v40, -v40, v43, v41
  v_div_fmas_f32 v40, v40, v42, v43
  v_div_fixup_f32 v40, v40, v11, v10)";
const char divide64[] = R"(
  v_div_scale_f64 v[50:51], s[8:9], v[12:13], v[12:13], v[10:11]
  v_rcp_f64 v[52:53], v[50:51]
  v_fma_f64 v[54:55], -v[50:51], v[52:53], 1.0
  v_fma_f64 v[52:53], v[52:53], v[54:55], v[52:53]
  v_fma_f64 v[54:55], -v[50:51], v[52:53], 1.0
  v_fma_f64 v[52:53], v[52:53], v[54:55], v[52:53]
  v_div_scale_f64 v[54:55], vcc, v[10:11], v[12:13], v[10:11]
  v_mul_f64 v[56:57], v[54:55], v[52:53]
  v_fma_f64 v[50:51], -v[50:51], v[56:57], v[54:55]
  s_nop 3
  v_div_fmas_f64 v[50:51], v[50:51], v[52:53], v[56:57]
  v_div_fixup_f64 v[40:41], v[50:51], v[12:13], v[10:11])";
} // namespace

/// The whole sequence gives the correctly rounded quotient, denormals and all.
TEST(FloatDivision, IsExact) {
  for (const FloatFormat *f : {&single, &wide}) {
    const unsigned registers = f->width / 32;
    std::vector<Values> rows = operands(*f, 2);
    Failures failures;
    for (size_t begin = 0; begin < rows.size(); begin += 64) {
      Snippet s;
      s.body = f->width == 32 ? divide32 : divide64;
      s.outputs = registers;
      s.in.resize(2 * registers);
      for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned r = 0; r < 2 * registers; ++r)
          s.in[r][lane] = uint32_t(rows[begin + lane][r / registers] >> (32 * (r % registers)));
      std::vector<Register> out = runSnippet(s);
      for (unsigned lane = 0; lane < 64; ++lane) {
        const uint64_t a = rows[begin + lane][0], b = rows[begin + lane][1],
                       got = out[0][lane] | (registers == 2 ? uint64_t(out[1][lane]) << 32 : 0);
        Real x(*f, a), y(*f, b);
        const uint64_t want =
            f->isNan(a) ? a | f->quietBit()
            : f->isNan(b)
                ? b | f->quietBit()
                : rounded(*f, Nearest, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_div(r, x.value, y.value, m); });
        failures.compare(got, want, rows[begin + lane], f->width == 32 ? "f32 division" : "f64 division");
      }
    }
  }
}

namespace {
struct Transcendental {
  const char *name;
  int (*function)(mpfr_t, mpfr_srcptr, mpfr_rnd_t);
};
int turns(mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m, int (*function)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t)) {
  Real angle(400), pi(400);
  mpfr_const_pi(pi.value, MPFR_RNDN);
  mpfr_mul(angle.value, x, pi.value, MPFR_RNDN);
  mpfr_mul_ui(angle.value, angle.value, 2, MPFR_RNDN);
  return function(r, angle.value, m);
}
const Transcendental transcendentals[] = {
    {"v_exp", [](mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_exp2(r, x, m); }},
    {"v_log", [](mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_log2(r, x, m); }},
    {"v_rcp", [](mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_ui_div(r, 1, x, m); }},
    {"v_rsq",
     [](mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) {
       if (mpfr_zero_p(x)) {
         mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1);
         return 0;
       }
       return mpfr_rec_sqrt(r, x, m);
     }},
    {"v_sqrt", [](mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) { return mpfr_sqrt(r, x, m); }},
    {"v_sin",
     [](mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) {
       if (!mpfr_number_p(x)) {
         mpfr_set_nan(r);
         return 0;
       }
       Real part(400), twice(400);
       mpfr_mul_ui(twice.value, x, 2, MPFR_RNDN);
       if (mpfr_cmpabs_ui(x, 256) > 0 || mpfr_integer_p(twice.value)) {
         mpfr_set_zero(r, mpfr_signbit(x) && mpfr_zero_p(x) ? -1 : 1);
         return 0;
       }
       return turns(r, x, m, mpfr_sin);
     }},
    {"v_cos",
     [](mpfr_t r, mpfr_srcptr x, mpfr_rnd_t m) {
       if (!mpfr_number_p(x)) {
         mpfr_set_nan(r);
         return 0;
       }
       Real four(400), two(400);
       mpfr_mul_ui(four.value, x, 4, MPFR_RNDN);
       mpfr_mul_ui(two.value, x, 2, MPFR_RNDN);
       if (mpfr_cmpabs_ui(x, 256) > 0)
         return mpfr_set_ui(r, 1, m);
       if (mpfr_integer_p(four.value) && !mpfr_integer_p(two.value)) {
         mpfr_set_zero(r, 1);
         return 0;
       }
       return turns(r, x, m, mpfr_cos);
     }},
};
} // namespace

/// Of halves all results are correctly rounded. A zero's sign where the sine has one is the machine's choice.
TEST(FloatTranscendental, EveryHalf) {
  Values all;
  for (unsigned i = 0; i < 0x10000; ++i)
    all.push_back(i);
  for (const Transcendental &t : transcendentals) {
    const std::string name = std::string(t.name) + "_f16";
    Values got = runRows("gfx942", name, half, half, inRows(all), {});
    Failures failures;
    for (unsigned i = 0; i < 0x10000; ++i) {
      Real x(half, i);
      const uint64_t want =
          half.isNan(i) ? i | half.quietBit()
                        : rounded(half, Nearest, [&](mpfr_t r, mpfr_rnd_t m) { return t.function(r, x.value, m); });
      if (half.magnitude(want) || half.magnitude(got[i]))
        failures.compare(got[i], want, {i}, name);
    }
  }
}

/// Doubles: within one step of the correctly rounded root, reciprocal root and reciprocal.
TEST(FloatTranscendental, DoublesWithinOneStep) {
  std::vector<Values> rows = operands(wide, 1);
  for (unsigned i = 0; i < 256; ++i)
    rows.push_back({llvm::bit_cast<uint64_t>(std::ldexp(1.0 + double(i * 7919 % 4096) / 4097, int(i * 8) - 1040))});
  for (const Transcendental &t : transcendentals) {
    const llvm::StringRef operation = t.name;
    if (operation != "v_rcp" && operation != "v_rsq" && operation != "v_sqrt")
      continue;
    const std::string name = std::string(t.name) + "_f64";
    Values got = runRows("gfx942", name, wide, wide, rows, {});
    Failures failures;
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint64_t source = rows[i][0];
      Real x(wide, source);
      const uint64_t want =
          wide.isNan(source)
              ? source | wide.quietBit()
              : rounded(wide, Nearest, [&](mpfr_t r, mpfr_rnd_t m) { return t.function(r, x.value, m); });
      const bool isClose = !wide.isNan(want) && wide.magnitude(want) && wide.magnitude(want) != wide.infinity() &&
                           got[i] - want + 1 <= 2;
      if (!isClose)
        failures.compare(got[i], want, rows[i], name);
    }
  }
}

/// V_RCP_IFLAG differs from V_RCP in the exceptions that it raises.
TEST(FloatTranscendental, ReciprocalForIntegers) {
  std::vector<Values> rows = operands(single, 1);
  EXPECT_EQ(runRows("gfx942", "v_rcp_iflag_f32", single, single, rows, {}),
            runRows("gfx942", "v_rcp_f32", single, single, rows, {}));
  EXPECT_EQ(runRows("gfx942", "v_rcp_iflag_f32", single, single, inRows({bits(4), bits(-0.5f), 0, 0x80000000, 1}), {}),
            (Values{bits(0.25f), bits(-2), bits(INFINITY), bits(-INFINITY), bits(INFINITY)}));
}

/// Of singles they are within one step of it; denormals don't exist, results without a value are exact.
TEST(FloatTranscendental, SinglesWithinOneStep) {
  std::vector<Values> rows = operands(single, 1);
  for (unsigned i = 0; i < 2000; ++i)
    rows.push_back({bits(std::ldexp(1.0f + float(i % 97) / 97, int(i % 50) - 25)) | (i % 3 ? 0 : single.signBit())});
  for (const Transcendental &t : transcendentals) {
    const std::string name = std::string(t.name) + "_f32";
    for (const Mode &mode : {Mode(), Mode{Up, false, false}}) {
      Values got = runRows("gfx942", name, single, single, rows, mode);
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i) {
        const uint64_t source = single.flushed(rows[i][0]);
        Real x(single, source);
        const uint64_t want = single.isNan(source)
                                  ? source | single.quietBit()
                                  : single.flushed(rounded(single, Nearest, [&](mpfr_t r, mpfr_rnd_t m) {
                                      return t.function(r, x.value, m);
                                    }));
        const bool isClose = !single.isNan(want) && single.magnitude(want) &&
                             single.magnitude(want) != single.infinity() && got[i] - want + 1 <= 2;
        if (!isClose && (single.magnitude(want) || single.magnitude(got[i])))
          failures.compare(got[i], want, rows[i], name);
      }
    }
  }
}

/// CLAMP brings results into 0 … 1, NaNs to 0 unless MODE.DX10_CLAMP is off.
TEST(FloatModifiers, Clamp) {
  const std::vector<Values> rows = operands(single, 2);
  for (bool dx10 : {true, false}) {
    Mode mode;
    mode.dx10Clamp = dx10;
    Values plain = runRows("gfx942", "v_add_f32", single, single, rows, mode),
           clamped = runRows("gfx942", "v_add_f32_e64", single, single, rows, mode, false, " clamp");
    Failures failures;
    for (size_t i = 0; i < rows.size(); ++i) {
      const float x = llvm::bit_cast<float>(uint32_t(plain[i]));
      failures.compare(clamped[i],
                       std::isnan(x) ? (dx10 ? 0 : plain[i])
                                     : bits(x > 1   ? 1.0f
                                            : x > 0 ? x
                                                    : 0.0f),
                       rows[i], "v_add_f32 clamp");
    }
  }
}

/// Conversions of integers clamp as well: compilers fold a clamp into them.
TEST(FloatModifiers, ClampOfConversions) {
  Snippet s;
  s.in = {lanes({0u, 1u, 7u, ~0u, 0x80000000u, 256u})};
  s.body = "v_cvt_f64_i32_e64 v[40:41], v10 clamp\nv_cvt_f64_u32_e64 v[42:43], v10 clamp\nv_cvt_f32_i32_e64 v44, v10 "
           "clamp\nv_cvt_f32_ubyte0_e64 v45, v10 clamp\n";
  s.outputs = 6;
  const std::vector<Register> out = runSnippet(s);
  for (unsigned i = 0; i < 6; ++i) {
    const int32_t x = int32_t(s.in[0][i]);
    auto wide = [&](unsigned r) { return llvm::bit_cast<double>(out[r][i] | uint64_t(out[r + 1][i]) << 32); };
    EXPECT_EQ(wide(0), x > 0) << x;
    EXPECT_EQ(wide(2), x != 0) << x;
    EXPECT_EQ(llvm::bit_cast<float>(out[4][i]), float(x > 0)) << x;
    EXPECT_EQ(llvm::bit_cast<float>(out[5][i]), float((x & 255) != 0)) << x;
  }
}

/// OMOD multiplies the rounded result, but only without IEEE and without denormal results; its zeros are positive.
TEST(FloatModifiers, OutputModifier) {
  const std::vector<Values> rows = {
      {bits(1.5f), bits(0.25f)}, {bits(-0.0f), bits(-0.0f)}, {bits(-0x1p-126f), 0}, {bits(0x1p127f), bits(0x1p126f)}};
  Mode mode;
  EXPECT_EQ(runRows("gfx942", "v_add_f32_e64", single, single, rows, mode, false, " mul:4"),
            (Values{bits(1.75f), bits(-0.0f), bits(-0x1p-126f), bits(0x1.8p127f)}));
  mode.ieee = mode.keepsOut = false;
  EXPECT_EQ(runRows("gfx942", "v_add_f32_e64", single, single, rows, mode, false, " mul:4"),
            (Values{bits(7.0f), 0, bits(-0x1p-124f), bits(INFINITY)}));
  EXPECT_EQ(runRows("gfx942", "v_add_f32_e64", single, single, rows, mode, false, " div:2"),
            (Values{bits(0.875f), 0, bits(-0.0f), bits(0x1.8p126f)}));
}

/// MODE.FP16_OVFL: what overflows becomes the largest half; an infinite source stays infinite.
TEST(FloatModifiers, Fp16Overflow) {
  const std::vector<Values> rows = {{0x7bff, 0x7bff}, {0xfbff, 0xfbff}, {0x7c00, 0x3c00}, {0x3c00, 0x3c00}};
  Mode mode;
  mode.fp16Overflow = true;
  EXPECT_EQ(runRows("gfx942", "v_add_f16", half, half, rows, mode), (Values{0x7bff, 0xfbff, 0x7c00, 0x4000}));
  EXPECT_EQ(runRows("gfx942", "v_cvt_f16_f32", single, half, {{bits(1e6f)}, {bits(-INFINITY)}}, mode),
            (Values{0x7bff, 0xfc00}));
}

/// The halves that OP_SEL names; the destination's other half stays.
TEST(FloatModifiers, OpSelOfHalves) {
  Snippet s;
  s.in = {all(0x40004400), all(0x42003c00), all(0x3c00bc00)};
  s.body = "  v_mov_b32 v40, 0x12345678\n  v_fma_f16 v40, v10, v11, v12 op_sel:[1,1,0,1]\n  v_mov_b32 v41, "
           "0x12345678\n  v_fma_f16 v41, v10, v11, v12\n  v_pack_b32_f16 v42, v10, v11 op_sel:[1,0,0]";
  s.outputs = 3;
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(0x45005678)); // 2 × 3 - 1
  EXPECT_EQ(got[1], all(0x12344200)); // 4 × 1 - 1
  EXPECT_EQ(got[2], all(0x3c004000));
}

/// A kernel whose descriptor flushes single denormals, as hand-written ones do that say nothing of it.
TEST(FloatModifiers, ModeOfTheDescriptor) {
  Snippet s;
  s.in = {all(0x00400000), all(0)};
  s.body = "  v_add_f32 v40, v10, v11\n  v_add_f16 v41, 1, v11\n  v_add_f32_dpp v42, v10, v11 quad_perm:[1,0,3,2] "
           "row_mask:0xf bank_mask:0xf";
  s.outputs = 3;
  s.directives = "  .amdhsa_float_denorm_mode_32 0";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(0));
  EXPECT_EQ(got[1], all(1));
  EXPECT_EQ(got[2], all(0));
}
