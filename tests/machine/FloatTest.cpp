// Float instructions against MPFR: each with edge values, under every rounding mode and denormal mode.
#include "SoftFloat.h"
#include "Snippet.h"
#include "gtest/gtest.h"
#include <random>

using namespace inflight::machine::test;

namespace {

using Values = std::vector<uint64_t>;

/// Zeros, denormals, the borders of the normal range, halfway cases, infinities, quiet and signalling NaNs, and others.
Values edgeValues(const FloatFormat &f) {
  const uint64_t one = uint64_t(f.bias) << f.mantissaBits, ulp = 1, step = f.leastNormal();
  Values v = {0, ulp, step / 2 + 1, step - 1, step, step + 1, one / 2, one - ulp, one, one + ulp, one + step / 2, one + step,
              one + 3 * step + 1, one + (f.mantissaBits / 2 + 1) * step + 3, one + (f.mantissaBits + 1) * step, one - (f.mantissaBits / 2) * step,
              f.infinity() - 1, f.infinity() - step, f.infinity(), f.infinity() + f.quietBit() + 5, f.infinity() + 3};
  for (size_t i = v.size(); i--;)
    v.push_back(v[i] | f.signBit());
  return v;
}

/// Rows of `sources` values each: all pairs of edge values and many triples, cut to a whole number of registers.
std::vector<Values> operands(const FloatFormat &f, unsigned sources) {
  const Values edges = edgeValues(f);
  std::mt19937_64 random(1);
  std::vector<Values> rows;
  const unsigned count = sources == 1 ? 128 : 448;
  for (unsigned i = 0; i < count; ++i) {
    Values row;
    for (unsigned s = 0; s < sources; ++s)
      row.push_back(random() % 4 ? edges[random() % edges.size()] : random() >> (64 - f.width));
    if (sources == 1)
      row[0] = i < edges.size() ? edges[i] : random() >> (64 - f.width);
    rows.push_back(row);
  }
  return rows;
}

/// MODE as S_SETREG writes it.
struct Mode {
  unsigned rounding = Nearest;
  bool keepsIn = true, keepsOut = true, ieee = true, dx10Clamp = true, fp16Overflow = false;
  uint32_t bits() const {
    const uint32_t denormals = keepsIn | keepsOut << 1;
    return rounding | rounding << 2 | denormals << 4 | denormals << 6 | dx10Clamp << 8 | ieee << 9 | uint32_t(fp16Overflow) << 23;
  }
  std::string name() const {
    return std::string("rounding ") + std::to_string(rounding) + (keepsIn ? "" : ", flushing sources") + (keepsOut ? "" : ", flushing results") +
           (ieee ? "" : ", no IEEE") + (dx10Clamp ? "" : ", no DX10 clamp") + (fp16Overflow ? ", FP16 overflow" : "");
  }
};
std::vector<Mode> allModes() {
  std::vector<Mode> modes;
  for (unsigned rounding = 0; rounding < 4; ++rounding)
    for (unsigned denormals = 0; denormals < 4; ++denormals)
      modes.push_back({rounding, bool(denormals & 1), bool(denormals & 2)});
  return modes;
}

std::string registers(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first) : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

/// Runs `mnemonic` on each row under the mode; results in the rows' order. `accumulates`: the last source is the destination.
Values runRows(const std::string &chip, const std::string &mnemonic, const FloatFormat &from, const FloatFormat &to, const std::vector<Values> &rows,
               const Mode &mode, bool accumulates = false, const std::string &modifiers = "") {
  const unsigned inRegisters = from.width == 64 ? 2 : 1, outRegisters = to.width == 64 ? 2 : 1;
  Values results;
  for (size_t begin = 0; begin < rows.size();) {
    Snippet s;
    s.chip = chip;
    s.body = "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 32), " + std::to_string(mode.bits()) + "\n";
    const unsigned sources = rows[0].size(), perGroup = sources * inRegisters;
    unsigned groups = 0;
    for (; begin + 64 * groups < rows.size() && (groups + 1) * perGroup <= 28 && groups < 12; ++groups) {
      std::string text = "  " + mnemonic + " ", to = registers(40 + groups * outRegisters, outRegisters);
      std::vector<std::string> names;
      for (unsigned k = 0; k < sources; ++k) {
        const unsigned first = 10 + s.in.size();
        Register low, high;
        for (unsigned lane = 0; lane < 64; ++lane) {
          const uint64_t x = rows[std::min(begin + 64 * groups + lane, rows.size() - 1)][k];
          low[lane] = uint32_t(x);
          high[lane] = uint32_t(x >> 32);
        }
        s.in.push_back(low);
        if (inRegisters == 2)
          s.in.push_back(high);
        names.push_back(registers(first, inRegisters));
      }
      if (accumulates) {
        const unsigned first = 10 + s.in.size() - inRegisters;
        for (unsigned r = 0; r < inRegisters; ++r)
          s.body += "  v_mov_b32 v" + std::to_string(40 + groups * outRegisters + r) + ", v" + std::to_string(first + r) + "\n";
        names.pop_back();
      }
      text += to;
      for (const std::string &name : names)
        text += ", " + name;
      s.body += text + modifiers + "\n";
    }
    s.outputs = groups * outRegisters;
    std::vector<Register> out = runSnippet(s);
    for (unsigned g = 0; g < groups; ++g)
      for (unsigned lane = 0; lane < 64 && begin + 64 * g + lane < rows.size(); ++lane)
        results.push_back(outRegisters == 2 ? out[2 * g][lane] | uint64_t(out[2 * g + 1][lane]) << 32 : out[g][lane]);
    begin += 64 * groups;
  }
  return results;
}

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
    if (i == 2 && ((f.magnitude(x[0]) == 0 && f.magnitude(x[1]) == f.infinity()) || (f.magnitude(x[1]) == 0 && f.magnitude(x[0]) == f.infinity())))
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
  uint64_t result = rounded(f, mode.rounding, [&](mpfr_t r, mpfr_rnd_t m) { return operation.function(r, sources, m); });
  return mode.keepsOut ? result : f.flushed(result);
}

const FloatFormat &formatNamed(llvm::StringRef type) { return type == "f16" ? half : type == "f32" ? single : wide; }

struct Failures {
  unsigned count = 0;
  void compare(uint64_t got, uint64_t want, const Values &row, const std::string &what) {
    if (got == want || ++count > 5)
      return;
    std::string operands;
    for (uint64_t x : row)
      operands += " " + llvm::Twine::utohexstr(x).str();
    ADD_FAILURE() << what << " of" << operands << ": got " << std::hex << got << ", expected " << want;
  }
};
} // namespace

class FloatArithmetic : public testing::TestWithParam<const char *> {};

/// Every rounding mode with every denormal mode.
TEST_P(FloatArithmetic, RoundsOnce) {
  const std::string type = GetParam();
  const FloatFormat &f = formatNamed(type);
  for (const Operation &operation : operations) {
    if ((f.width == 64 && llvm::StringRef(operation.name).starts_with("v_sub")) || (f.width == 16 && operation.accumulates))
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
INSTANTIATE_TEST_SUITE_P(Types, FloatArithmetic, testing::Values("f16", "f32", "f64"), [](const auto &info) { return std::string(info.param); });

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
        failures.compare(both[i], alone[i] | alone[rows.size() - 1 - i] << 16, pairs[i], std::string("v_pk_") + name + "_f16 (" + mode.name() + ")");
      rows = operands(single, sources);
      alone = runRows("gfx942", std::string("v_") + name + "_f32", single, single, rows, mode);
      pairs = rows;
      for (size_t i = 0; i < rows.size(); ++i)
        for (unsigned s = 0; s < sources; ++s)
          pairs[i][s] = rows[i][s] | rows[rows.size() - 1 - i][s] << 32;
      both = runRows("gfx942", std::string("v_pk_") + name + "_f32", wide, wide, pairs, mode);
      for (size_t i = 0; i < rows.size(); ++i)
        failures.compare(both[i], alone[i] | alone[rows.size() - 1 - i] << 32, pairs[i], std::string("v_pk_") + name + "_f32 (" + mode.name() + ")");
    }
}

namespace {
/// V_MIN and V_MAX of the manuals.
uint64_t selected(const FloatFormat &f, bool max, bool ieee, uint64_t a, uint64_t b) {
  if (ieee && f.isSignalling(a)) return a | f.quietBit();
  if (ieee && f.isSignalling(b)) return b | f.quietBit();
  if (f.isNan(a)) return b;
  if (f.isNan(b)) return a;
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
          failures.compare(middle[i], nan ? pick(false, pick(false, a, b), c) : equals(most, a) ? pick(true, b, c) : equals(most, b) ? pick(true, a, c) : pick(true, a, b), rows[i],
                           std::string("v_med3_") + type);
        }
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
  const std::vector<Values> rows = {{0x7fc00005, 0x3f800000, 0}, {0x3f800000, 0x40000000, 0xffc00007}, {0, 0x80000000, 0}, {0x7fc00005, 0x7f800001, 0}};
  EXPECT_EQ(runRows("gfx950", "v_minimum3_f32", single, single, rows, {}), (Values{0x7fc00005, 0xffc00007, 0x80000000, 0x7fc00001}));
  EXPECT_EQ(runRows("gfx950", "v_maximum3_f32", single, single, rows, {}), (Values{0x7fc00005, 0xffc00007, 0, 0x7fc00001}));
}
