// Float instructions against MPFR: each with edge values, under every rounding mode and denormal mode.
#include "FloatRows.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {

/// A result in the precision of `r`, of sources x.
using Function = int (*)(mpfr_t r, mpfr_srcptr *x, mpfr_rnd_t);

struct Operation {
  const char *name;
  unsigned sources;
  Function function;
  bool accumulates = false, rounds = true;
};
const Operation operations[] = {
    {"v_add", 2, [](mpfr_t r, mpfr_srcptr *x, mpfr_rnd_t m) { return mpfr_add(r, x[0], x[1], m); }},
    {"v_sub", 2, [](mpfr_t r, mpfr_srcptr *x, mpfr_rnd_t m) { return mpfr_sub(r, x[0], x[1], m); }},
    {"v_subrev", 2, [](mpfr_t r, mpfr_srcptr *x, mpfr_rnd_t m) { return mpfr_sub(r, x[1], x[0], m); }},
    {"v_mul", 2, [](mpfr_t r, mpfr_srcptr *x, mpfr_rnd_t m) { return mpfr_mul(r, x[0], x[1], m); }},
    {"v_fma", 3, [](mpfr_t r, mpfr_srcptr *x, mpfr_rnd_t m) { return mpfr_fma(r, x[0], x[1], x[2], m); }},
    {"v_fmac", 3, [](mpfr_t r, mpfr_srcptr *x, mpfr_rnd_t m) { return mpfr_fma(r, x[0], x[1], x[2], m); }, true},
    {"v_floor", 1, [](mpfr_t r, mpfr_srcptr *x, mpfr_rnd_t) { return mpfr_rint_floor(r, x[0], MPFR_RNDD); }},
    {"v_ceil", 1, [](mpfr_t r, mpfr_srcptr *x, mpfr_rnd_t) { return mpfr_rint_ceil(r, x[0], MPFR_RNDU); }},
    {"v_trunc", 1, [](mpfr_t r, mpfr_srcptr *x, mpfr_rnd_t) { return mpfr_rint_trunc(r, x[0], MPFR_RNDZ); }},
    {"v_rndne", 1, [](mpfr_t r, mpfr_srcptr *x, mpfr_rnd_t) { return mpfr_rint_roundeven(r, x[0], MPFR_RNDN); }},
};

/// What the manuals say of NaNs: the first source that is one, quieted; an impossible product before its addend.
std::optional<uint64_t> nanOf(const FloatFormat &f, const Values &x) {
  for (size_t i = 0; i < x.size(); ++i) {
    if (i == 2 && ((f.magnitude(x[0]) == 0 && f.magnitude(x[1]) == f.infinity()) ||
                   (f.magnitude(x[1]) == 0 && f.magnitude(x[0]) == f.infinity())))
      return f.defaultNan();
    if (f.isNan(x[i]))
      return x[i] | f.quietBit();
  }
  return std::nullopt;
}

uint64_t expected(const Operation &operation, const FloatFormat &f, Values x, const Mode &mode) {
  for (uint64_t &v : x)
    v = mode.keepsIn ? v : f.flushed(v);
  if (std::optional<uint64_t> nan = nanOf(f, x))
    return *nan;
  Real a(f, x[0]), b(f, x.size() > 1 ? x[1] : 0), c(f, x.size() > 2 ? x[2] : 0);
  mpfr_srcptr sources[] = {a.value, b.value, c.value};
  uint64_t result =
      rounded(f, mode.rounding, [&](mpfr_t r, mpfr_rnd_t m) { return operation.function(r, sources, m); });
  return mode.keepsOut ? result : f.flushed(result);
}

} // namespace

class FloatArithmetic : public testing::TestWithParam<const char *> {};

/// Every rounding mode with every denormal mode.
TEST_P(FloatArithmetic, RoundsOnce) {
  const std::string type = GetParam();
  const FloatFormat &f = formatNamed(type);
  for (const Operation &operation : operations) {
    if ((f.width == 64 && llvm::StringRef(operation.name).starts_with("v_sub")) ||
        (f.width == 16 && operation.accumulates))
      continue;
    const std::vector<Values> rows = operands(f, operation.sources);
    for (const Mode &mode : allModes()) {
      const std::string name = std::string(operation.name) + "_" + type;
      Values got = runRows("gfx942", name, f, f, rows, mode, operation.accumulates);
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i)
        failures.compare(got[i], expected(operation, f, rows[i], mode), rows[i], name + " (" + mode.name() + ")");
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Types, FloatArithmetic, testing::Values("f16", "f32", "f64"),
                         [](const auto &info) { return std::string(info.param); });

/// Pairs of halves and of singles give what the two would give alone.
TEST(FloatPacked, AsEachHalfAlone) {
  for (const char *name : {"add", "mul", "fma"})
    for (const Mode &mode : allModes()) {
      const unsigned sources = name[0] == 'f' ? 3 : 2;
      std::vector<Values> rows = operands(half, sources), pairs = rows;
      for (size_t i = 0; i < rows.size(); ++i)
        for (unsigned s = 0; s < sources; ++s)
          pairs[i][s] = rows[i][s] | rows[rows.size() - 1 - i][s] << 16;
      Values alone = runRows("gfx942", std::string("v_") + name + "_f16", half, half, rows, mode);
      Values both = runRows("gfx942", std::string("v_pk_") + name + "_f16", single, single, pairs, mode);
      Failures failures;
      for (size_t i = 0; i < rows.size(); ++i)
        failures.compare(both[i], alone[i] | alone[rows.size() - 1 - i] << 16, pairs[i],
                         std::string("v_pk_") + name + "_f16 (" + mode.name() + ")");
      rows = operands(single, sources);
      alone = runRows("gfx942", std::string("v_") + name + "_f32", single, single, rows, mode);
      pairs = rows;
      for (size_t i = 0; i < rows.size(); ++i)
        for (unsigned s = 0; s < sources; ++s)
          pairs[i][s] = rows[i][s] | rows[rows.size() - 1 - i][s] << 32;
      both = runRows("gfx942", std::string("v_pk_") + name + "_f32", wide, wide, pairs, mode);
      for (size_t i = 0; i < rows.size(); ++i)
        failures.compare(both[i], alone[i] | alone[rows.size() - 1 - i] << 32, pairs[i],
                         std::string("v_pk_") + name + "_f32 (" + mode.name() + ")");
    }
}

namespace {
/// V_MIN and V_MAX of the manuals.
uint64_t selected(const FloatFormat &f, bool max, bool ieee, uint64_t a, uint64_t b) {
  if (ieee && f.isSignalling(a))
    return a | f.quietBit();
  if (ieee && f.isSignalling(b))
    return b | f.quietBit();
  if (f.isNan(a))
    return b;
  if (f.isNan(b))
    return a;
  Real x(f, a), y(f, b);
  if (mpfr_zero_p(x.value) && mpfr_zero_p(y.value))
    return max ? a & b : a | b;
  return (mpfr_cmp(x.value, y.value) < 0) != max ? a : b;
}
} // namespace

TEST(FloatSelection, MinimumAndMaximum) {
  for (const char *type : {"f16", "f32", "f64"})
    for (bool max : {false, true})
      for (bool keepsIn : {false, true}) {
        const FloatFormat &f = formatNamed(type);
        const std::string name = std::string(max ? "v_max" : "v_min");
        auto in = [&](uint64_t x) { return keepsIn ? x : f.flushed(x); };
        const Mode mode{Nearest, keepsIn, true};
        std::vector<Values> rows = operands(f, 2);
        Values got = runRows("gfx942", name + "_" + type, f, f, rows, mode);
        Failures failures;
        for (size_t i = 0; i < rows.size(); ++i)
          failures.compare(got[i], selected(f, max, true, in(rows[i][0]), in(rows[i][1])), rows[i], name + "_" + type);
        if (f.width == 64)
          continue;
        rows = operands(f, 3);
        got = runRows("gfx942", name + "3_" + type, f, f, rows, mode);
        Values middle = runRows("gfx942", std::string("v_med3_") + type, f, f, rows, mode);
        for (size_t i = 0; i < rows.size(); ++i) {
          const uint64_t a = in(rows[i][0]), b = in(rows[i][1]), c = in(rows[i][2]);
          auto pick = [&](bool greater, uint64_t x, uint64_t y) { return selected(f, greater, true, x, y); };
          failures.compare(got[i], pick(max, pick(max, a, b), c), rows[i], name + "3_" + type);
          const uint64_t most = pick(true, pick(true, a, b), c);
          auto equals = [&](uint64_t x, uint64_t y) { return x == y || (f.magnitude(x) | f.magnitude(y)) == 0; };
          const bool nan = f.isNan(a) || f.isNan(b) || f.isNan(c);
          failures.compare(middle[i],
                           nan               ? pick(false, pick(false, a, b), c)
                           : equals(most, a) ? pick(true, b, c)
                           : equals(most, b) ? pick(true, a, c)
                                             : pick(true, a, b),
                           rows[i], std::string("v_med3_") + type);
        }
      }
}

/// Pairs of halves: each by itself.
TEST(FloatSelection, PackedMinimumAndMaximum) {
  const std::vector<Values> rows = operands(half, 2);
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"})
    for (bool max : {false, true})
      for (bool keepsIn : {false, true}) {
        const Mode mode{Nearest, keepsIn, true};
        std::vector<Values> pairs;
        for (size_t i = 0; i < rows.size(); ++i)
          pairs.push_back(
              {rows[i][0] | rows[rows.size() - 1 - i][0] << 16, rows[i][1] | rows[rows.size() - 1 - i][1] << 16});
        const std::string name = max ? "v_pk_max_f16" : "v_pk_min_f16";
        Values got = runRows(chip, name, single, single, pairs, mode);
        Failures failures;
        auto expected = [&](const Values &row) {
          return selected(half, max, true, keepsIn ? row[0] : half.flushed(row[0]),
                          keepsIn ? row[1] : half.flushed(row[1]));
        };
        for (size_t i = 0; i < rows.size(); ++i)
          failures.compare(got[i], expected(rows[i]) | expected(rows[rows.size() - 1 - i]) << 16, pairs[i],
                           std::string(chip) + " " + name);
      }
}

/// Without MODE.IEEE a signalling NaN loses like a quiet one, and arithmetic passes it on as it is.
TEST(FloatSelection, WithoutIeee) {
  const std::vector<Values> rows = {{0x7f800001, 0x3f800000}, {0x3f800000, 0x7f800001}};
  Mode mode;
  mode.ieee = false;
  EXPECT_EQ(runRows("gfx942", "v_min_f32", single, single, rows, mode), (Values{0x3f800000, 0x3f800000}));
  EXPECT_EQ(runRows("gfx942", "v_add_f32", single, single, rows, mode), (Values{0x7f800001, 0x7f800001}));
  mode.ieee = true;
  EXPECT_EQ(runRows("gfx942", "v_min_f32", single, single, rows, mode), (Values{0x7fc00001, 0x7fc00001}));
  EXPECT_EQ(runRows("gfx942", "v_add_f32", single, single, rows, mode), (Values{0x7fc00001, 0x7fc00001}));
}

/// gfx950's minimum and maximum of three: any NaN wins.
TEST(FloatSelection, MinimumThatPropagates) {
  const std::vector<Values> rows = {{0x7fc00005, 0x3f800000, 0},
                                    {0x3f800000, 0x40000000, 0xffc00007},
                                    {0, 0x80000000, 0},
                                    {0x7fc00005, 0x7f800001, 0}};
  EXPECT_EQ(runRows("gfx950", "v_minimum3_f32", single, single, rows, {}),
            (Values{0x7fc00005, 0xffc00007, 0x80000000, 0x7fc00001}));
  EXPECT_EQ(runRows("gfx950", "v_maximum3_f32", single, single, rows, {}),
            (Values{0x7fc00005, 0xffc00007, 0, 0x7fc00001}));
  // Pairs of halves, the lower ones no numbers.
  const std::vector<Values> pairs = {{0x40007e05, 0x3c003c00, 0x42000000},
                                     {0x80003c00, 0x00004000, 0xbc00fe07},
                                     {0x7c000000, 0x3c008000, 0xfc000000},
                                     {0x04007e05, 0x00017c01, 0x83ff0000}};
  EXPECT_EQ(runRows("gfx950", "v_pk_minimum3_f16", single, single, pairs, {}),
            (Values{0x3c007e05, 0xbc00fe07, 0xfc008000, 0x83ff7e01}));
  EXPECT_EQ(runRows("gfx950", "v_pk_maximum3_f16", single, single, pairs, {}),
            (Values{0x42007e05, 0x0000fe07, 0x7c000000, 0x04007e01}));
}
