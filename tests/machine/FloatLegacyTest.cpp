// Multiplications and multiply-adds of older chips under every MODE, against MPFR: products with zero that are zero
// whatever the other factor, sums that round twice, and singles that know no denormals.
#include "FloatRows.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {
struct Operation {
  const char *chip, *name;
  const FloatFormat &format;
  bool zeroWins;         ///< the legacy rule of products
  bool knowsNoDenormals; ///< whatever MODE says, of the product, too
  bool accumulates = false;
};
const Operation multiplyAdds[] = {
    {"gfx90a", "v_mad_f32", single, false, true},       {"gfx90a", "v_mac_f32", single, false, true, true},
    {"gfx90a", "v_mad_legacy_f32", single, true, true}, {"gfx942", "v_mad_legacy_f16", half, false, false},
    {"gfx942", "v_mad_f16", half, false, false},        {"gfx942", "v_mac_f16", half, false, false, true},
};

uint64_t product(const FloatFormat &f, unsigned rounding, uint64_t a, uint64_t b) {
  Real x(f, a), y(f, b);
  return rounded(f, rounding, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_mul(r, x.value, y.value, m); });
}
uint64_t sum(const FloatFormat &f, unsigned rounding, uint64_t a, uint64_t b) {
  Real x(f, a), y(f, b);
  return rounded(f, rounding, [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_add(r, x.value, y.value, m); });
}
/// Which NaN it is, other tests say.
uint64_t anyNan(const FloatFormat &f, uint64_t x) { return f.isNan(x) ? f.defaultNan() : x; }
} // namespace

TEST(FloatLegacy, ProductsWithZero) {
  const std::vector<Values> rows = operands(single, 2);
  for (const char *chip : {"gfx90a", "gfx942"})
    for (const Mode &mode : allModes()) {
      Values got = runRows(chip, "v_mul_legacy_f32", single, single, rows, mode);
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i) {
        const uint64_t a = mode.keepsIn ? rows[i][0] : single.flushed(rows[i][0]),
                       b = mode.keepsIn ? rows[i][1] : single.flushed(rows[i][1]);
        uint64_t want = single.magnitude(a) && single.magnitude(b) ? product(single, mode.rounding, a, b) : 0;
        want = mode.keepsOut ? want : single.flushed(want);
        failures.compare(anyNan(single, got[i]), anyNan(single, want), rows[i],
                         std::string("v_mul_legacy_f32 (") + mode.name() + ")");
      }
    }
}

TEST(FloatLegacy, MultiplyAddsRoundTwice) {
  for (const Operation &op : multiplyAdds) {
    const FloatFormat &f = op.format;
    const std::vector<Values> rows = operands(f, 3);
    for (const Mode &mode : allModes()) {
      if (!op.knowsNoDenormals && !mode.keepsOut) // the manuals don't say what becomes of the product
        continue;
      Values got = runRows(op.chip, op.name, f, f, rows, mode, op.accumulates);
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i) {
        Values x = rows[i];
        for (uint64_t &v : x)
          v = op.knowsNoDenormals || !mode.keepsIn ? f.flushed(v) : v;
        uint64_t between =
            op.zeroWins && (!f.magnitude(x[0]) || !f.magnitude(x[1])) ? 0 : product(f, mode.rounding, x[0], x[1]);
        if (op.knowsNoDenormals)
          between = f.flushed(between);
        uint64_t want = sum(f, mode.rounding, between, x[2]);
        if (op.knowsNoDenormals || !mode.keepsOut)
          want = f.flushed(want);
        failures.compare(anyNan(f, got[i]), anyNan(f, want), rows[i], std::string(op.name) + " (" + mode.name() + ")");
      }
    }
  }
}

/// With a constant in the code they are the same operation.
TEST(FloatLegacy, ConstantsInTheCode) {
  Snippet s;
  s.chip = "gfx90a";
  s.in = {lanes({0x00400000, 0x3f800000, 0x80000001}), all(0x3f800000), all(0x00000005)}; // denormals and 1
  s.outputs = 3;
  s.body = "  v_madak_f32 v40, v10, v11, 0x00000007\n  v_madmk_f32 v41, v10, 0x3f800000, v12\n  v_madmk_f32 v42, v10, "
           "0x00000009, v11";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], lanes({0, 0x3f800000, 0}));
  EXPECT_EQ(got[1], lanes({0, 0x3f800000, 0}));
  EXPECT_EQ(got[2], lanes({0x3f800000, 0x3f800000, 0x3f800000}));
}

/// V_FMA_LEGACY_F16 is fused and leaves the upper half zero; V_PK_FMAC_F16 is two of them.
TEST(FloatLegacy, FusedHalves) {
  const std::vector<Values> rows = operands(half, 3);
  for (const Mode &mode : allModes()) {
    Values got = runRows("gfx942", "v_fma_legacy_f16", half, half, rows, mode),
           packed = runRows("gfx942", "v_pk_fmac_f16", half, half, rows, mode, true);
    Failures failures;
    for (size_t i = 0; i < rows.size(); ++i) {
      Values x = rows[i];
      for (uint64_t &v : x)
        v = mode.keepsIn ? v : half.flushed(v);
      Real a(half, x[0]), b(half, x[1]), c(half, x[2]);
      uint64_t want = rounded(half, mode.rounding,
                              [&](mpfr_t r, mpfr_rnd_t m) { return mpfr_fma(r, a.value, b.value, c.value, m); });
      want = anyNan(half, mode.keepsOut ? want : half.flushed(want));
      failures.compare(anyNan(half, got[i]), want, rows[i], std::string("v_fma_legacy_f16 (") + mode.name() + ")");
      failures.compare(anyNan(half, packed[i] & 0xffff), want, rows[i],
                       std::string("v_pk_fmac_f16 (") + mode.name() + ")");
    }
  }
}

/// CLAMP counts for them, too.
TEST(FloatLegacy, Clamp) {
  const std::vector<Values> rows = {
      {0x40000000, 0x40400000, 0xbf800000}, {0xbf800000, 0x3f800000, 0}, {0x3f000000, 0x3f000000, 0x3e800000}};
  EXPECT_EQ(runRows("gfx90a", "v_mad_legacy_f32", single, single, rows, {}, false, " clamp"),
            (Values{0x3f800000, 0, 0x3f000000}));
}
