// Float instructions that take numbers apart, compare them or mix widths, against MPFR.
#include "FloatRows.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {
/// Sources as the mode leaves them; results likewise.
uint64_t in(const FloatFormat &f, const Mode &mode, uint64_t x) { return mode.keepsIn ? x : f.flushed(x); }
uint64_t out(const FloatFormat &f, const Mode &mode, uint64_t x) { return mode.keepsOut ? x : f.flushed(x); }
std::vector<const char *> types() { return {"f16", "f32", "f64"}; }
} // namespace

TEST(FloatParts, MantissaAndExponent) {
  for (const char *type : types())
    for (bool keepsIn : {true, false}) {
      const FloatFormat &f = formatNamed(type);
      const Mode mode{Nearest, keepsIn, keepsIn};
      const std::vector<Values> rows = operands(f, 1);
      const std::string exponentName = f.width == 16 ? "v_frexp_exp_i16_f16" : std::string("v_frexp_exp_i32_") + type;
      Values mantissas = runRows("gfx942", std::string("v_frexp_mant_") + type, f, f, rows, mode),
             exponents = runRows("gfx942", exponentName, f, single, rows, mode);
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i) {
        const uint64_t x = in(f, mode, rows[i][0]);
        Real value(f, x);
        int exponent = 0;
        uint64_t mantissa = f.isNan(x) ? x | f.quietBit() : x;
        if (mpfr_regular_p(value.value)) {
          exponent = int(mpfr_get_exp(value.value));
          mpfr_set_exp(value.value, 0);
          mantissa = rounded(f, Nearest, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_set(r, value.value, m); });
        }
        failures.compare(mantissas[i], mantissa, rows[i], std::string("v_frexp_mant_") + type);
        failures.compare(exponents[i], f.width == 16 ? uint16_t(exponent) : uint32_t(exponent), rows[i], exponentName);
      }
    }
}

/// Times a power of two, rounded once where it becomes a denormal.
TEST(FloatParts, Ldexp) {
  for (const char *type : types())
    for (const Mode &mode : allModes()) {
      const FloatFormat &f = formatNamed(type);
      std::vector<Values> rows = operands(f, 1);
      const int exponents[] = {0, 1, -1, 5, -9, -24, 30, -126, 127, -1030, 1023, 32000, -32000};
      for (size_t i = 0; i < rows.size(); ++i)
        rows[i].push_back(uint64_t(int64_t(exponents[i % std::size(exponents)])) &
                          (f.width == 16 ? 0xffff : 0xffffffff));
      const std::string name = std::string("v_ldexp_") + type;
      Values got;
      if (f.width == 64) { // the exponent is a word
        for (size_t begin = 0; begin < rows.size(); begin += 64) {
          Snippet s;
          s.in.resize(3);
          s.outputs = 2;
          for (unsigned lane = 0; lane < 64; ++lane) {
            s.in[0][lane] = uint32_t(rows[begin + lane][0]);
            s.in[1][lane] = uint32_t(rows[begin + lane][0] >> 32);
            s.in[2][lane] = uint32_t(rows[begin + lane][1]);
          }
          s.body = "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 32), " + std::to_string(mode.bits()) +
                   "\n  v_ldexp_f64 v[40:41], v[10:11], v12";
          std::vector<Register> result = runSnippet(s);
          for (unsigned lane = 0; lane < 64; ++lane)
            got.push_back(result[0][lane] | uint64_t(result[1][lane]) << 32);
        }
      } else {
        got = runRows("gfx942", name, f, f, rows, mode);
      }
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i) {
        const uint64_t x = in(f, mode, rows[i][0]);
        Real value(f, x);
        const int exponent = f.width == 16 ? int16_t(rows[i][1]) : int32_t(rows[i][1]);
        const uint64_t want = f.isNan(x) ? x | f.quietBit() : rounded(f, mode.rounding, [&](mpfr_t r, mpfr_rnd_t m) {
          mpfr_t exact; // outside of the format's range
          const mpfr_exp_t least = mpfr_get_emin(), most = mpfr_get_emax();
          mpfr_set_emin(-100000);
          mpfr_set_emax(100000);
          mpfr_init2(exact, 64);
          mpfr_mul_2si(exact, value.value, exponent, MPFR_RNDN);
          const int inexact = mpfr_set(r, exact, m);
          mpfr_clear(exact);
          mpfr_set_emin(least);
          mpfr_set_emax(most);
          return inexact;
        });
        failures.compare(got[i], out(f, mode, want), rows[i], name + " (" + mode.name() + ")");
      }
    }
}

/// x - floor(x), less than one.
TEST(FloatParts, Fraction) {
  for (const char *type : types())
    for (const Mode &mode : {Mode(), Mode{Nearest, false, false}}) {
      const FloatFormat &f = formatNamed(type);
      const std::vector<Values> rows = operands(f, 1);
      Values got = runRows("gfx942", std::string("v_fract_") + type, f, f, rows, mode);
      const uint64_t belowOne = (uint64_t(f.bias) << f.mantissaBits) - 1;
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i) {
        const uint64_t x = in(f, mode, rows[i][0]);
        Real value(f, x), below(200);
        mpfr_floor(below.value, value.value);
        uint64_t want = f.isNan(x) ? x | f.quietBit() : rounded(f, Nearest, [&](mpfr_t r, mpfr_rnd_t m) {
          return mpfr_sub(r, value.value, below.value, m);
        });
        if (!f.isNan(want) && want > belowOne && !(want & f.signBit()))
          want = belowOne;
        failures.compare(got[i], out(f, mode, want), rows[i], std::string("v_fract_") + type);
      }
    }
}

/// V_MAD_F32 rounds product and sum, and knows no denormals.
TEST(FloatParts, MultiplyThenAdd) {
  const std::vector<Values> rows = operands(single, 3);
  for (unsigned rounding : {Nearest, Down}) {
    const Mode mode{rounding};
    Values got = runRows("gfx90a", "v_mad_f32", single, single, rows, mode),
           accumulated = runRows("gfx90a", "v_mac_f32", single, single, rows, mode, true);
    Failures failures;
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint64_t a = single.flushed(rows[i][0]), b = single.flushed(rows[i][1]), c = single.flushed(rows[i][2]);
      Real x(single, a), y(single, b), z(single, c);
      const uint64_t product = single.flushed(
          rounded(single, rounding, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_mul(r, x.value, y.value, m); }));
      Real p(single, product);
      uint64_t want = single.flushed(
          rounded(single, rounding, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_add(r, p.value, z.value, m); }));
      if (single.isNan(a) || single.isNan(b))
        want = (single.isNan(a) ? a : b) | single.quietBit();
      else if (!single.isNan(product) && single.isNan(c))
        want = c | single.quietBit();
      failures.compare(got[i], want, rows[i], "v_mad_f32 (" + mode.name() + ")");
      failures.compare(accumulated[i], want, rows[i], "v_mac_f32 (" + mode.name() + ")");
    }
  }
}

/// A single, the lower and the upper half of registers; a half as the result is rounded from the single.
TEST(FloatParts, MixedWidths) {
  std::vector<Values> rows = operands(single, 3);
  const std::vector<Values> halves = operands(half, 2);
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i][1] = halves[i][0] | 0x12340000;
    rows[i][2] = halves[i][1] << 16 | 0x5678;
  }
  for (const Mode &mode : allModes()) {
    const char modifiers[] = " op_sel:[0,0,1] op_sel_hi:[0,1,1]";
    Values got = runRows("gfx942", "v_fma_mix_f32", single, single, rows, mode, false, modifiers),
           low = runRows("gfx942", "v_fma_mixlo_f16", single, single, rows, mode, false, modifiers);
    Failures failures;
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint64_t a = in(single, mode, rows[i][0]), b = in(half, mode, rows[i][1] & 0xffff),
                     c = in(half, mode, rows[i][2] >> 16);
      Real x(single, a), y(half, b), z(half, c);
      if (mpfr_nan_p(x.value) || mpfr_nan_p(y.value) || mpfr_nan_p(z.value))
        continue;
      const uint64_t sum = rounded(single, mode.rounding,
                                   [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_fma(r, x.value, y.value, z.value, m); });
      failures.compare(got[i], out(single, mode, sum), rows[i], "v_fma_mix_f32 (" + mode.name() + ")");
      Real s(single, sum);
      if (!mpfr_nan_p(s.value))
        failures.compare(
            low[i] & 0xffff,
            out(half, mode,
                rounded(half, mode.rounding, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_set(r, s.value, m); })),
            rows[i], "v_fma_mixlo_f16 (" + mode.name() + ")");
    }
  }
}

/// The fourteen relations; a NaN is unordered.
TEST(FloatParts, Comparisons) {
  struct Relation {
    const char *name;
    bool less, equal, greater, unordered;
  };
  for (const Relation &relation : {Relation{"lt", true, false, false, false},
                                   {"eq", false, true, false, false},
                                   {"le", true, true, false, false},
                                   {"gt", false, false, true, false},
                                   {"lg", true, false, true, false},
                                   {"ge", false, true, true, false},
                                   {"o", true, true, true, false},
                                   {"u", false, false, false, true},
                                   {"nge", true, false, false, true},
                                   {"nlg", false, true, false, true},
                                   {"ngt", true, true, false, true},
                                   {"nle", false, false, true, true},
                                   {"neq", true, false, true, true},
                                   {"nlt", false, true, true, true}})
    for (const char *type : types()) {
      const FloatFormat &f = formatNamed(type);
      const unsigned registers = f.width == 64 ? 2 : 1;
      for (bool keepsIn : {true, false}) {
        const Mode mode{Nearest, keepsIn};
        const std::vector<Values> rows = operands(f, 2);
        Snippet s;
        s.in.resize(2 * registers);
        for (unsigned lane = 0; lane < 64; ++lane)
          for (unsigned r = 0; r < 2 * registers; ++r)
            s.in[r][lane] = uint32_t(rows[lane][r / registers] >> (32 * (r % registers)));
        const std::string a = registers == 2 ? "v[10:11]" : "v10", b = registers == 2 ? "v[12:13]" : "v11";
        s.body = "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 32), " + std::to_string(mode.bits()) + "\n  v_cmp_" +
                 relation.name + "_" + type + " vcc, " + a + ", " + b + "\n  v_cndmask_b32 v40, 0, 1, vcc";
        const Register got = runSnippet(s)[0];
        Failures failures;
        for (unsigned lane = 0; lane < 64; ++lane) {
          Real x(f, in(f, mode, rows[lane][0])), y(f, in(f, mode, rows[lane][1]));
          const int order = mpfr_cmp(x.value, y.value);
          const bool want = mpfr_nan_p(x.value) || mpfr_nan_p(y.value) ? relation.unordered
                            : order < 0                                ? relation.less
                            : order > 0                                ? relation.greater
                                                                       : relation.equal;
          failures.compare(got[lane], want, rows[lane], std::string("v_cmp_") + relation.name + "_" + type);
        }
      }
    }
}

/// Of halves, in either half of the registers: results that iteration can't give, else the quotient with the sign of
/// the two.
TEST(FloatParts, DivFixupOfHalves) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"}) {
    const std::vector<Values> rows = operands(half, 3);
    Values got = runRows(chip, "v_div_fixup_f16", half, half, rows, {});
    Values upper = runRows(
        chip, "v_div_fixup_f16", single, single,
        [&] {
          std::vector<Values> shifted = rows;
          for (Values &row : shifted)
            for (uint64_t &x : row)
              x = x << 16 | 0x5555;
          return shifted;
        }(),
        {}, false, " op_sel:[1,1,1,1]");
    Failures failures;
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint64_t quotient = rows[i][0], denominator = rows[i][1], numerator = rows[i][2],
                     sign = (denominator ^ numerator) & 0x8000;
      auto isZero = [](uint64_t x) { return half.magnitude(x) == 0; };
      auto isInfinite = [](uint64_t x) { return half.magnitude(x) == half.infinity(); };
      const uint64_t want = half.isNan(numerator)                              ? numerator | half.quietBit()
                            : half.isNan(denominator)                          ? denominator | half.quietBit()
                            : isZero(denominator) && isZero(numerator)         ? half.defaultNan()
                            : isInfinite(denominator) && isInfinite(numerator) ? half.defaultNan()
                            : isZero(denominator) || isInfinite(numerator)     ? sign | half.infinity()
                            : isInfinite(denominator) || isZero(numerator)     ? sign
                                                                               : sign | half.magnitude(quotient);
      failures.compare(got[i] & 0xffff, want, rows[i], std::string(chip) + " v_div_fixup_f16");
      failures.compare(upper[i] >> 16, want, rows[i], std::string(chip) + " v_div_fixup_f16 of upper halves");
    }
  }
}

/// A literal as factor or as addend, one rounding.
TEST(FloatParts, LiteralsOfMultiplyAdds) {
  const std::vector<Values> rows = operands(single, 2);
  for (const char *chip : {"gfx942", "gfx950"})
    for (uint32_t literal : {0x3fc00001u, 0x80000001u, 0x7f7fffffu}) {
      const std::string text = std::to_string(literal);
      Values added = runRows(chip, "v_fmaak_f32", single, single, rows, {}, false, ", " + text), multiplied;
      Failures failures;
      for (size_t begin = 0; begin < rows.size(); begin += 64) {
        Snippet s;
        s.chip = chip;
        s.in = {Register(), Register()};
        for (unsigned lane = 0; lane < 64; ++lane)
          for (unsigned k = 0; k < 2; ++k)
            s.in[k][lane] = uint32_t(rows[begin + lane][k]);
        s.body = "  v_fmamk_f32 v40, v10, " + text + ", v11";
        const Register got = runSnippet(s)[0];
        multiplied.insert(multiplied.end(), got.begin(), got.end());
      }
      auto fused = [&](uint64_t a, uint64_t b, uint64_t c) -> std::optional<uint64_t> {
        if (single.isNan(a) || single.isNan(b) || single.isNan(c))
          return std::nullopt; // tests/machine/FloatTest.cpp
        Real x(single, a), y(single, b), z(single, c);
        return rounded(single, Nearest,
                       [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_fma(r, x.value, y.value, z.value, m); });
      };
      for (size_t i = 0; i < rows.size(); ++i) {
        if (auto want = fused(rows[i][0], rows[i][1], literal))
          failures.compare(added[i], *want, rows[i], std::string(chip) + " v_fmaak_f32 " + text);
        if (auto want = fused(rows[i][0], literal, rows[i][1]))
          failures.compare(multiplied[i], *want, rows[i], std::string(chip) + " v_fmamk_f32 " + text);
      }
    }
}

/// Two products of halves and a single, one after the other; signs of halves are modifiers.
TEST(FloatParts, DotProduct) {
  Snippet s;
  auto halves = [](float low, float high) {
    Real a(single, llvm::bit_cast<uint32_t>(low)), b(single, llvm::bit_cast<uint32_t>(high));
    auto bits = [](Real &x) {
      return rounded(half, Nearest, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_set(r, x.value, m); });
    };
    return uint32_t(bits(a) | bits(b) << 16);
  };
  s.in = {all(halves(2, 3)), all(halves(5, 7)), all(llvm::bit_cast<uint32_t>(0.5f)), all(1)};
  s.body = "  v_dot2_f32_f16 v40, v10, v11, v12\n  v_dot2_f32_f16 v41, v10, v11, v12 neg_lo:[1,0,0]\n"
           "  v_mov_b32 v42, v12\n  v_dot2c_f32_f16 v42, v10, v11\n  v_dot2_f32_f16 v43, 0, v11, v13";
  s.outputs = 4;
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(llvm::bit_cast<uint32_t>(31.5f)));
  EXPECT_EQ(got[1], all(llvm::bit_cast<uint32_t>(11.5f))); // -2 × 5 + 3 × 7 + ½
  EXPECT_EQ(got[2], all(llvm::bit_cast<uint32_t>(31.5f)));
  EXPECT_EQ(got[3], all(0)); // a denormal single counts as zero
}

/// Outside of VOP3P the modifiers of the lower and the upper halves are NEG and ABS.
TEST(FloatParts, DotProductModifiers) {
  auto bits = [](float x) { return llvm::bit_cast<uint32_t>(x); };
  Snippet s;
  s.chip = "gfx950";
  s.in = {all(0x42004000), all(0x47004500), all(0x40404000),
          all(0x40e040a0)}; // (2, 3) and (5, 7), as halves and as bfloats
  s.outputs = 4;
  for (unsigned i = 0; i < 4; ++i)
    s.body += "  v_mov_b32 v" + std::to_string(40 + i) + ", 0.5\n";
  s.body += "  v_dot2c_f32_f16_e64 v40, -v10, v11\n  v_dot2c_f32_f16_e64 v41, |v10|, v11\n  v_dot2c_f32_bf16_e64 v42, "
            "-v12, |v13|\n  v_dot2c_f32_f16_dpp v43, -v10, |v11| quad_perm:[0,1,2,3] row_mask:0xf bank_mask:0xf";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(bits(-10 + 21 + 0.5f)));
  EXPECT_EQ(got[1], all(bits(10 - 21 + 0.5f)));
  EXPECT_EQ(got[2], all(bits(-10 - 21 + 0.5f)));
  EXPECT_EQ(got[3], all(bits(-10 - 21 + 0.5f)));
}

/// Of bfloats the single comes last, but first where it is the destination: 2^24 + 1 is a tie that goes to 2^24.
TEST(FloatParts, DotProductOfBfloats) {
  Snippet s;
  s.chip = "gfx950";
  auto pair = [](float low, float high) {
    return llvm::bit_cast<uint32_t>(low) >> 16 | (llvm::bit_cast<uint32_t>(high) & 0xffff0000);
  };
  auto bits = [](float x) { return llvm::bit_cast<uint32_t>(x); };
  s.in = {all(pair(1, 3)), all(pair(1, 5)), all(bits(0x1p24f)), all(1), all(pair(1, 1))};
  s.outputs = 6;
  s.body = "  v_dot2_f32_bf16 v40, v14, v14, v12\n  v_mov_b32 v41, v12\n  v_dot2c_f32_bf16 v41, v14, v14\n  "
           "v_dot2_f32_bf16 v42, v14, v14, v12 neg_lo:[1,0,0] neg_hi:[0,1,0]\n"
           "  v_dot2_f32_bf16 v43, v10, v11, 1.0\n  v_dot2_f32_bf16 v44, 0, v11, v13\n  v_dot2_f32_bf16 v45, v10, v11, "
           "-0.5 neg_lo:[1,0,0] clamp";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(bits(0x1p24f + 2)));
  EXPECT_EQ(got[1], all(bits(0x1p24f)));
  EXPECT_EQ(got[2], all(bits(0x1p24f - 2)));
  EXPECT_EQ(got[3], all(bits(1 * 1 + 3 * 5 + 1)));
  EXPECT_EQ(got[4], all(0)); // a denormal single counts as zero
  EXPECT_EQ(got[5], all(bits(1)));
}
