// Scalar instructions: each result and SCC against the definition in C++.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <bit>
#include <functional>
#include <optional>

using namespace inflight::machine::test;

namespace {
using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

struct Result {
  u64 value;
  std::optional<bool> scc = std::nullopt; ///< none: it stays
};
/// By the result's bits.
Result tested(u64 value) { return {value, value != 0}; }

struct Row {
  const char *mnemonic;
  unsigned widths[3]; ///< of the result and the sources, in bits; 0: there is none
  std::function<Result(u64, u64)> expected;
};
u64 signExtended(u64 x, unsigned width) { return width == 0 ? 0 : u64(i64(x << (64 - width)) >> (64 - width)); }
u64 field(u64 x, u64 places, unsigned bits, bool isSigned) {
  const unsigned offset = places & (bits - 1), width = std::min<unsigned>(places >> 16 & 0x7f, bits),
                 rest = std::min(width, bits - offset);
  const u64 mask = rest >= 64 ? ~u64(0) : (u64(1) << rest) - 1, part = x >> offset & mask;
  const u64 value = isSigned ? signExtended(part, rest) : part;
  return bits == 32 ? u32(value) : value;
}
u64 quads(u64 x, bool wide) {
  u64 r = 0;
  for (unsigned i = 0; i < 64; i += 4)
    if (x >> i & 15)
      r |= wide ? u64(15) << i : u64(1) << (i / 4);
  return r;
}
u64 reversed(u64 x, unsigned bits) {
  u64 r = 0;
  for (unsigned i = 0; i < bits; ++i)
    r |= (x >> i & 1) << (bits - 1 - i);
  return r;
}
u64 first(u64 x, unsigned bits, bool value) {
  for (unsigned i = 0; i < bits; ++i)
    if ((x >> i & 1) == value)
      return i;
  return u32(-1);
}
u64 leading(u64 x, unsigned bits) {
  for (unsigned i = 0; i < bits; ++i)
    if (x >> (bits - 1 - i) & 1)
      return i;
  return u32(-1);
}
/// Bits equal to the sign, which is one of them.
u64 leadingSigns(u64 x, unsigned bits) {
  const u64 sign = x >> (bits - 1) & 1;
  for (unsigned i = 1; i < bits; ++i)
    if ((x >> (bits - 1 - i) & 1) != sign)
      return i;
  return u32(-1);
}
bool overflows(i64 exact) { return exact != i32(exact); }

#define BITWISE(NAME, EXPR)                                                           \
  {"s_" NAME "_b32", {32, 32, 32}, [](u64 a, u64 b) { return tested(u32(EXPR)); }}, { \
    "s_" NAME "_b64", {64, 64, 64}, [](u64 a, u64 b) { return tested(EXPR); }         \
  }
#define MOVED(NAME, EXPR32, EXPR64) \
  {"s_" NAME "_b32", {32, 32, 0}, EXPR32}, { "s_" NAME "_b64", {64, 64, 0}, EXPR64 }
const Row rows[] = {
    BITWISE("and", a &b),
    BITWISE("or", a | b),
    BITWISE("xor", a ^ b),
    BITWISE("nand", ~(a &b)),
    BITWISE("nor", ~(a | b)),
    BITWISE("xnor", ~(a ^ b)),
    BITWISE("andn2", a & ~b),
    BITWISE("orn2", a | ~b),
    {"s_add_u32", {32, 32, 32}, [](u64 a, u64 b) { return Result{u32(a + b), (a + b) >> 32 != 0}; }},
    {"s_sub_u32", {32, 32, 32}, [](u64 a, u64 b) { return Result{u32(a - b), b > a}; }},
    {"s_add_i32", {32, 32, 32}, [](u64 a, u64 b) { return Result{u32(a + b), overflows(i64(i32(a)) + i32(b))}; }},
    {"s_sub_i32", {32, 32, 32}, [](u64 a, u64 b) { return Result{u32(a - b), overflows(i64(i32(a)) - i32(b))}; }},
    {"s_min_i32", {32, 32, 32}, [](u64 a, u64 b) { return Result{u32(std::min(i32(a), i32(b))), i32(a) < i32(b)}; }},
    {"s_max_i32", {32, 32, 32}, [](u64 a, u64 b) { return Result{u32(std::max(i32(a), i32(b))), i32(a) >= i32(b)}; }},
    {"s_min_u32", {32, 32, 32}, [](u64 a, u64 b) { return Result{std::min(a, b), a < b}; }},
    {"s_max_u32", {32, 32, 32}, [](u64 a, u64 b) { return Result{std::max(a, b), a >= b}; }},
    {"s_absdiff_i32",
     {32, 32, 32},
     [](u64 a, u64 b) {
       const u32 d = u32(a) - u32(b);
       return tested(i32(d) < 0 ? -d : d);
     }},
    {"s_mul_i32", {32, 32, 32}, [](u64 a, u64 b) { return Result{u32(a * b)}; }},
    {"s_mul_hi_u32", {32, 32, 32}, [](u64 a, u64 b) { return Result{a * b >> 32}; }},
    {"s_mul_hi_i32", {32, 32, 32}, [](u64 a, u64 b) { return Result{u32(u64(i64(i32(a)) * i32(b)) >> 32)}; }},
    {"s_lshl_b32", {32, 32, 32}, [](u64 a, u64 b) { return tested(u32(a << (b & 31))); }},
    {"s_lshr_b32", {32, 32, 32}, [](u64 a, u64 b) { return tested(a >> (b & 31)); }},
    {"s_ashr_i32", {32, 32, 32}, [](u64 a, u64 b) { return tested(u32(i32(a) >> (b & 31))); }},
    {"s_lshl_b64", {64, 64, 32}, [](u64 a, u64 b) { return tested(a << (b & 63)); }},
    {"s_lshr_b64", {64, 64, 32}, [](u64 a, u64 b) { return tested(a >> (b & 63)); }},
    {"s_ashr_i64", {64, 64, 32}, [](u64 a, u64 b) { return tested(u64(i64(a) >> (b & 63))); }},
    {"s_lshl1_add_u32",
     {32, 32, 32},
     [](u64 a, u64 b) {
       const u64 r = (a << 1) + b;
       return Result{u32(r), r >> 32 != 0};
     }},
    {"s_lshl2_add_u32",
     {32, 32, 32},
     [](u64 a, u64 b) {
       const u64 r = (a << 2) + b;
       return Result{u32(r), r >> 32 != 0};
     }},
    {"s_lshl3_add_u32",
     {32, 32, 32},
     [](u64 a, u64 b) {
       const u64 r = (a << 3) + b;
       return Result{u32(r), r >> 32 != 0};
     }},
    {"s_lshl4_add_u32",
     {32, 32, 32},
     [](u64 a, u64 b) {
       const u64 r = (a << 4) + b;
       return Result{u32(r), r >> 32 != 0};
     }},
    {"s_bfm_b32", {32, 32, 32}, [](u64 a, u64 b) { return Result{u32(((u64(1) << (a & 31)) - 1) << (b & 31))}; }},
    {"s_bfe_u32", {32, 32, 32}, [](u64 a, u64 b) { return tested(field(a, b, 32, false)); }},
    {"s_bfe_i32", {32, 32, 32}, [](u64 a, u64 b) { return tested(field(a, b, 32, true)); }},
    {"s_bfe_u64", {64, 64, 32}, [](u64 a, u64 b) { return tested(field(a, b, 64, false)); }},
    {"s_bfe_i64", {64, 64, 32}, [](u64 a, u64 b) { return tested(field(a, b, 64, true)); }},
    {"s_pack_ll_b32_b16", {32, 32, 32}, [](u64 a, u64 b) { return Result{(a & 0xffff) | (b & 0xffff) << 16}; }},
    {"s_pack_lh_b32_b16", {32, 32, 32}, [](u64 a, u64 b) { return Result{(a & 0xffff) | (b & 0xffff0000)}; }},
    {"s_pack_hh_b32_b16", {32, 32, 32}, [](u64 a, u64 b) { return Result{a >> 16 | (b & 0xffff0000)}; }},
    MOVED(
        "not", [](u64 a, u64) { return tested(u32(~a)); }, [](u64 a, u64) { return tested(~a); }),
    MOVED(
        "brev", [](u64 a, u64) { return Result{reversed(a, 32)}; }, [](u64 a, u64) { return Result{reversed(a, 64)}; }),
    MOVED(
        "wqm", [](u64 a, u64) { return tested(quads(a, true)); }, [](u64 a, u64) { return tested(quads(a, true)); }),
    MOVED(
        "quadmask", [](u64 a, u64) { return tested(quads(a, false)); },
        [](u64 a, u64) { return tested(quads(a, false)); }),
    {"s_abs_i32", {32, 32, 0}, [](u64 a, u64) { return tested(i32(a) < 0 ? u32(-u32(a)) : a); }},
    {"s_sext_i32_i8", {32, 32, 0}, [](u64 a, u64) { return Result{u32(signExtended(a, 8))}; }},
    {"s_sext_i32_i16", {32, 32, 0}, [](u64 a, u64) { return Result{u32(signExtended(a, 16))}; }},
    {"s_bcnt0_i32_b32", {32, 32, 0}, [](u64 a, u64) { return tested(32u - u32(std::popcount(u32(a)))); }},
    {"s_bcnt1_i32_b32", {32, 32, 0}, [](u64 a, u64) { return tested(u32(std::popcount(u32(a)))); }},
    {"s_bcnt0_i32_b64", {32, 64, 0}, [](u64 a, u64) { return tested(64u - u32(std::popcount(a))); }},
    {"s_bcnt1_i32_b64", {32, 64, 0}, [](u64 a, u64) { return tested(u32(std::popcount(a))); }},
    {"s_ff0_i32_b32", {32, 32, 0}, [](u64 a, u64) { return Result{first(a, 32, false)}; }},
    {"s_ff1_i32_b32", {32, 32, 0}, [](u64 a, u64) { return Result{first(a, 32, true)}; }},
    {"s_ff0_i32_b64", {32, 64, 0}, [](u64 a, u64) { return Result{first(a, 64, false)}; }},
    {"s_ff1_i32_b64", {32, 64, 0}, [](u64 a, u64) { return Result{first(a, 64, true)}; }},
    {"s_flbit_i32_b32", {32, 32, 0}, [](u64 a, u64) { return Result{leading(a, 32)}; }},
    {"s_flbit_i32_b64", {32, 64, 0}, [](u64 a, u64) { return Result{leading(a, 64)}; }},
    {"s_flbit_i32", {32, 32, 0}, [](u64 a, u64) { return Result{leadingSigns(a, 32)}; }},
    {"s_flbit_i32_i64", {32, 64, 0}, [](u64 a, u64) { return Result{leadingSigns(a, 64)}; }},
    {"s_bitreplicate_b64_b32",
     {64, 32, 0},
     [](u64 a, u64) {
       u64 r = 0;
       for (unsigned i = 0; i < 32; ++i)
         r |= (a >> i & 1) * 3 << (2 * i);
       return Result{r};
     }},
};

std::string registers(unsigned first, unsigned bits) {
  return bits == 64 ? "s[" + std::to_string(first) + ":" + std::to_string(first + 1) + "]"
                    : "s" + std::to_string(first);
}
std::string literal(u64 value) { return std::to_string(u32(value)); }
const u64 values[] = {0,
                      1,
                      5,
                      0x80000000,
                      0x7fffffff,
                      0xffffffff,
                      0xffff0000,
                      0x8000,
                      0x123456789abcdef0,
                      ~u64(0),
                      u64(1) << 63,
                      0x00100004,
                      0x00080010,
                      0x0040001f,
                      0x7fffffff00000000,
                      33};

struct State {
  u64 value;
  bool scc;
};
/// Runs bodies, each of which leaves s[20:21] and SCC; SCC is as given before. One after another, with a lane for each
/// one's results.
std::vector<State> runAll(const std::vector<std::pair<std::string, bool>> &bodies) {
  std::vector<State> results;
  for (size_t begin = 0; begin < bodies.size(); begin += 64) {
    const size_t count = std::min<size_t>(64, bodies.size() - begin);
    Snippet s;
    s.outputs = 3;
    for (size_t i = 0; i < count; ++i) {
      const auto &[body, scc] = bodies[begin + i];
      s.body += "  s_mov_b64 s[20:21], 0\n  s_cmp_eq_u32 s0, " + std::string(scc ? "s0" : "s2") + "\n" + body +
                "\n  s_cselect_b32 s22, 1, 0\n";
      for (unsigned k = 0; k < 3; ++k)
        s.body += "  v_writelane_b32 v" + std::to_string(40 + k) + ", s" + std::to_string(20 + k) + ", " +
                  std::to_string(i) + "\n";
    }
    std::vector<Register> got = runSnippet(s);
    for (size_t i = 0; i < count; ++i)
      results.push_back({got[0][i] | u64(got[1][i]) << 32, got[2][i] != 0});
  }
  return results;
}
State run(const std::string &body, bool scc) { return runAll({{body, scc}})[0]; }

/// Bodies and what they must leave, run together at the end.
class Expectations {
public:
  /// Without a value or SCC it isn't looked at.
  void add(const std::string &body, bool scc, std::optional<u64> value, std::optional<bool> sccAfter) {
    bodies.push_back({body, scc});
    expected.push_back({value, sccAfter});
  }
  ~Expectations() {
    std::vector<State> got = runAll(bodies);
    for (size_t i = 0; i < got.size(); ++i) {
      if (expected[i].first)
        EXPECT_EQ(got[i].value, *expected[i].first) << bodies[i].first;
      if (expected[i].second)
        EXPECT_EQ(got[i].scc, *expected[i].second) << bodies[i].first;
    }
  }

private:
  std::vector<std::pair<std::string, bool>> bodies;
  std::vector<std::pair<std::optional<u64>, std::optional<bool>>> expected;
};
std::string load(unsigned reg, u64 value) {
  return "  s_mov_b32 s" + std::to_string(reg) + ", " + literal(value) + "\n  s_mov_b32 s" + std::to_string(reg + 1) +
         ", " + literal(value >> 32) + "\n";
}
} // namespace

TEST(Scalar, ResultsAndScc) {
  for (const Row &row : rows) {
    Expectations all;
    for (size_t i = 0; i < std::size(values); ++i)
      for (size_t j = 0; j < (row.widths[2] ? std::size(values) : 1); j += 3) {
        auto cut = [](u64 x, unsigned bits) { return bits == 64 ? x : u32(x); };
        const u64 a = cut(values[i], row.widths[1]), b = cut(values[(i + j) % std::size(values)], row.widths[2]);
        const bool scc = (i + j) % 2;
        const Result expected = row.expected(a, b);
        // SCC was set before the operands were loaded, which leaves it alone.
        all.add(load(12, a) + load(14, b) + "  " + row.mnemonic + " " + registers(20, row.widths[0]) + ", " +
                    registers(12, row.widths[1]) + (row.widths[2] ? ", " + registers(14, row.widths[2]) : ""),
                scc, expected.value, expected.scc.value_or(scc));
      }
  }
}

/// Carries in and out by way of SCC.
TEST(Scalar, Carries) {
  Expectations all;
  for (bool carry : {false, true})
    for (u64 a : values)
      for (u64 b : {u64(0), u64(1), u64(0xffffffff), u64(0x80000000)}) {
        const u64 x = u32(a), sum = x + b + carry;
        all.add(load(12, x) + load(14, b) + "  s_addc_u32 s20, s12, s14", carry, u32(sum), sum >> 32 != 0);
        all.add(load(12, x) + load(14, b) + "  s_subb_u32 s20, s12, s14", carry, u32(x - b - carry), b + carry > x);
      }
}

/// With a constant of 16 bits, extended as the comparison is.
TEST(Scalar, Constants) {
  Expectations all;
  for (u32 a : {0u, 5u, 0xffffffffu, 0x7fffffffu, 0xfffffffbu, 0x8000u})
    for (int constant : {0, 5, -5, 0x7fff, -0x8000}) {
      auto check = [&](const std::string &mnemonic, u32 value, bool scc) {
        all.add(load(20, a) + "  " + mnemonic + " s20, " + std::to_string(constant), true, value, scc);
      };
      check("s_movk_i32", u32(constant), true);
      check("s_addk_i32", a + u32(constant), overflows(i64(i32(a)) + constant));
      check("s_mulk_i32", a * u32(constant), true);
      check("s_cmovk_i32", u32(constant), true);
      check("s_cmpk_eq_i32", a, i32(a) == constant);
      check("s_cmpk_lg_i32", a, i32(a) != constant);
      check("s_cmpk_lt_i32", a, i32(a) < constant);
      check("s_cmpk_le_i32", a, i32(a) <= constant);
      check("s_cmpk_gt_i32", a, i32(a) > constant);
      check("s_cmpk_ge_i32", a, i32(a) >= constant);
      if (constant < 0)
        continue;
      check("s_cmpk_eq_u32", a, a == u32(constant));
      check("s_cmpk_lg_u32", a, a != u32(constant));
      check("s_cmpk_lt_u32", a, a < u32(constant));
      check("s_cmpk_le_u32", a, a <= u32(constant));
      check("s_cmpk_gt_u32", a, a > u32(constant));
      check("s_cmpk_ge_u32", a, a >= u32(constant));
    }
}

TEST(Scalar, Comparisons) {
  struct Relation {
    const char *name;
    bool less, equal, greater;
  };
  for (const Relation &r : {Relation{"eq", false, true, false},
                            {"lg", true, false, true},
                            {"lt", true, false, false},
                            {"le", true, true, false},
                            {"gt", false, false, true},
                            {"ge", false, true, true}}) {
    Expectations all;
    for (u64 a : values)
      for (u64 b : {u64(5), u64(0x80000000), u64(0xffffffff)}) {
        auto holds = [&](auto x, auto y) { return x < y ? r.less : x == y ? r.equal : r.greater; };
        const std::string in = load(12, a) + load(14, b) + "  s_cmp_" + r.name;
        all.add(in + "_i32 s12, s14", false, std::nullopt, holds(i32(a), i32(b)));
        all.add(in + "_u32 s12, s14", false, std::nullopt, holds(u32(a), u32(b)));
        if (r.less == r.greater)
          all.add(in + "_u64 s[12:13], s[14:15]", false, std::nullopt, holds(a, b));
      }
  }
}

TEST(Scalar, SingleBits) {
  Expectations all;
  for (u64 a : {u64(0x5a5a5a5a12345678), ~u64(0), u64(0)})
    for (unsigned bit : {0u, 3u, 31u, 32u, 63u, 69u}) {
      const std::string in = load(12, a) + load(14, bit) + load(20, a);
      const bool in32 = a >> (bit & 31) & 1, in64 = a >> (bit & 63) & 1;
      const u64 bit32 = u64(1) << (bit & 31), bit64 = u64(1) << (bit & 63);
      all.add(in + "  s_bitcmp0_b32 s12, s14", false, std::nullopt, !in32);
      all.add(in + "  s_bitcmp1_b32 s12, s14", false, std::nullopt, in32);
      all.add(in + "  s_bitcmp0_b64 s[12:13], s14", false, std::nullopt, !in64);
      all.add(in + "  s_bitcmp1_b64 s[12:13], s14", false, std::nullopt, in64);
      all.add(in + "  s_bitset0_b32 s20, s14", true, a & ~bit32, true);
      all.add(in + "  s_bitset1_b32 s20, s14", true, a | bit32, true);
      all.add(in + "  s_bitset0_b64 s[20:21], s14", true, a & ~bit64, true);
      all.add(in + "  s_bitset1_b64 s[20:21], s14", true, a | bit64, true);
    }
}

/// EXEC before goes to the destination; then EXEC changes, and SCC says whether lanes are left.
TEST(Scalar, ExecMasks) {
  struct Form {
    const char *name;
    std::function<u64(u64, u64)> next;
  };
  const Form forms[] = {
      {"and", [](u64 s, u64 e) { return s & e; }},    {"or", [](u64 s, u64 e) { return s | e; }},
      {"xor", [](u64 s, u64 e) { return s ^ e; }},    {"andn1", [](u64 s, u64 e) { return ~s & e; }},
      {"andn2", [](u64 s, u64 e) { return s & ~e; }}, {"orn1", [](u64 s, u64 e) { return ~s | e; }},
      {"orn2", [](u64 s, u64 e) { return s | ~e; }},  {"nand", [](u64 s, u64 e) { return ~(s & e); }},
      {"nor", [](u64 s, u64 e) { return ~(s | e); }}, {"xnor", [](u64 s, u64 e) { return ~(s ^ e); }}};
  Expectations all;
  for (const Form &form : forms)
    for (auto [source, exec] : {std::pair(u64(0x0123456789abcdef), u64(0xff00ff00f0f0f0f0)),
                                {0, u64(5)},
                                {u64(5), u64(5)},
                                {~u64(0), u64(0)}}) {
      auto body = [&](const std::string &operation, const std::string &result) {
        return load(12, source) + load(14, exec) + "  s_mov_b64 exec, s[14:15]\n  s_" + form.name + operation +
               " s[26:27], s[12:13]\n  s_mov_b64 s[24:25], exec\n  s_mov_b64 exec, -1\n  s_mov_b64 s[20:21], " + result;
      };
      const u64 next = form.next(source, exec);
      all.add(body("_saveexec_b64", "s[26:27]"), true, exec, next != 0);
      all.add(body("_saveexec_b64", "s[24:25]"), true, next, next != 0);
      if (form.name != std::string("andn1") && form.name != std::string("andn2"))
        continue;
      // These give EXEC as it is afterwards.
      all.add(body("_wrexec_b64", "s[26:27]"), true, next, next != 0);
      all.add(body("_wrexec_b64", "s[24:25]"), true, next, next != 0);
    }
}

/// Choices by SCC, branches by SCC and EXEC, calls.
TEST(Scalar, ChoicesAndBranches) {
  for (bool scc : {false, true}) {
    EXPECT_EQ(run(load(12, 0x1111222233334444) + load(14, 0x5555666677778888) +
                      "  s_cselect_b64 s[20:21], s[12:13], s[14:15]",
                  scc)
                  .value,
              scc ? 0x1111222233334444 : 0x5555666677778888);
    EXPECT_EQ(run(load(12, 0x1111222233334444) + "  s_cmov_b64 s[20:21], s[12:13]", scc).value,
              scc ? 0x1111222233334444u : 0);
    EXPECT_EQ(run("  s_cbranch_scc0 skip\n  s_mov_b32 s20, 1\nskip:", scc).value, u64(scc));
    EXPECT_EQ(run("  s_cbranch_scc1 skip\n  s_mov_b32 s20, 1\nskip:", scc).value, u64(!scc));
  }
  for (const char *exec : {"0", "4"}) {
    const std::string in = std::string("  s_mov_b64 exec, ") + exec + "\n",
                      out = "  s_mov_b32 s20, 1\nskip:\n  s_mov_b64 exec, -1";
    const bool none = exec[0] == '0';
    EXPECT_EQ(run(in + "  s_cbranch_execz skip\n" + out, false).value, u64(!none));
    EXPECT_EQ(run(in + "  s_cbranch_execnz skip\n" + out, false).value, u64(none));
  }
  EXPECT_EQ(run("  s_call_b64 s[24:25], function\n  s_add_u32 s20, s20, 1\n  s_branch done\nfunction:\n  s_mov_b32 "
                "s20, 40\n  s_setpc_b64 s[24:25]\ndone:",
                false)
                .value,
            41u);
}

/// What only takes time, or tells others, changes nothing.
TEST(Scalar, WithoutEffect) {
  EXPECT_EQ(run("  s_mov_b32 s20, 9\n  s_sleep 2\n  s_setprio 3\n  s_wakeup\n  s_icache_inv\n  s_dcache_inv\n  "
                "s_dcache_wb\n  s_nop 3\n  s_incperflevel 1\n  s_decperflevel 1\n  s_ttracedata\n  s_setprio 0",
                true)
                .value,
            9u);
}
