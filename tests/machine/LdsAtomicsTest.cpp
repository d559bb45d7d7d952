// Atomics of LDS: each operation with and without a result, against its definition in C++.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

using namespace inflight::machine::test;

namespace {
using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;
float asF(u64 x) { return std::bit_cast<float>(u32(x)); }
double asD(u64 x) { return std::bit_cast<double>(x); }
u64 bitsOf(float x) { return std::bit_cast<u32>(x); }
u64 bitsOf(double x) { return std::bit_cast<u64>(x); }
/// A quiet NaN loses, and -0 is less than 0 (ISA manuals, "Float memory atomics").
template <typename T> u64 lesser(T a, T b) {
  return bitsOf(std::isnan(a) ? b : std::isnan(b) ? a : a < b ? a : b < a ? b : std::signbit(a) ? a : b);
}
template <typename T> u64 greater(T a, T b) {
  return bitsOf(std::isnan(a) ? b : std::isnan(b) ? a : a > b ? a : b > a ? b : std::signbit(a) ? b : a);
}

struct Row {
  const char *operation, *type;
  unsigned bits, operands;
  std::function<u64(u64, u64, u64)> expected; ///< of what is there and the operands
  bool hasPlainForm = true;
};
const Row rows[] = {
    {"add", "u32", 32, 1, [](u64 o, u64 v, u64) { return o + v; }},
    {"sub", "u32", 32, 1, [](u64 o, u64 v, u64) { return o - v; }},
    {"rsub", "u32", 32, 1, [](u64 o, u64 v, u64) { return v - o; }},
    {"inc", "u32", 32, 1, [](u64 o, u64 v, u64) { return o >= v ? 0 : o + 1; }},
    {"dec", "u32", 32, 1, [](u64 o, u64 v, u64) { return o == 0 || o > v ? v : o - 1; }},
    {"min", "i32", 32, 1, [](u64 o, u64 v, u64) { return u64(std::min(i32(o), i32(v))); }},
    {"max", "i32", 32, 1, [](u64 o, u64 v, u64) { return u64(std::max(i32(o), i32(v))); }},
    {"min", "u32", 32, 1, [](u64 o, u64 v, u64) { return std::min(o, v); }},
    {"max", "u32", 32, 1, [](u64 o, u64 v, u64) { return std::max(o, v); }},
    {"and", "b32", 32, 1, [](u64 o, u64 v, u64) { return o & v; }},
    {"or", "b32", 32, 1, [](u64 o, u64 v, u64) { return o | v; }},
    {"xor", "b32", 32, 1, [](u64 o, u64 v, u64) { return o ^ v; }},
    {"mskor", "b32", 32, 2, [](u64 o, u64 v, u64 s) { return (o & ~v) | s; }},
    {"cmpst", "b32", 32, 2, [](u64 o, u64 v, u64 s) { return o == v ? s : o; }},
    {"cmpst", "f32", 32, 2, [](u64 o, u64 v, u64 s) { return asF(o) == asF(v) ? s : o; }},
    {"wrxchg", "b32", 32, 1, [](u64, u64 v, u64) { return v; }, false},
    {"add", "f32", 32, 1, [](u64 o, u64 v, u64) { return bitsOf(asF(o) + asF(v)); }},
    {"min", "f32", 32, 1, [](u64 o, u64 v, u64) { return lesser(asF(o), asF(v)); }},
    {"max", "f32", 32, 1, [](u64 o, u64 v, u64) { return greater(asF(o), asF(v)); }},
    {"add", "u64", 64, 1, [](u64 o, u64 v, u64) { return o + v; }},
    {"sub", "u64", 64, 1, [](u64 o, u64 v, u64) { return o - v; }},
    {"rsub", "u64", 64, 1, [](u64 o, u64 v, u64) { return v - o; }},
    {"inc", "u64", 64, 1, [](u64 o, u64 v, u64) { return o >= v ? 0 : o + 1; }},
    {"dec", "u64", 64, 1, [](u64 o, u64 v, u64) { return o == 0 || o > v ? v : o - 1; }},
    {"min", "i64", 64, 1, [](u64 o, u64 v, u64) { return u64(std::min(i64(o), i64(v))); }},
    {"max", "i64", 64, 1, [](u64 o, u64 v, u64) { return u64(std::max(i64(o), i64(v))); }},
    {"min", "u64", 64, 1, [](u64 o, u64 v, u64) { return std::min(o, v); }},
    {"max", "u64", 64, 1, [](u64 o, u64 v, u64) { return std::max(o, v); }},
    {"and", "b64", 64, 1, [](u64 o, u64 v, u64) { return o & v; }},
    {"or", "b64", 64, 1, [](u64 o, u64 v, u64) { return o | v; }},
    {"xor", "b64", 64, 1, [](u64 o, u64 v, u64) { return o ^ v; }},
    {"mskor", "b64", 64, 2, [](u64 o, u64 v, u64 s) { return (o & ~v) | s; }},
    {"cmpst", "b64", 64, 2, [](u64 o, u64 v, u64 s) { return o == v ? s : o; }},
    {"cmpst", "f64", 64, 2, [](u64 o, u64 v, u64 s) { return asD(o) == asD(v) ? s : o; }},
    {"wrxchg", "b64", 64, 1, [](u64, u64 v, u64) { return v; }, false},
    {"add", "f64", 64, 1, [](u64 o, u64 v, u64) { return bitsOf(asD(o) + asD(v)); }},
    {"min", "f64", 64, 1, [](u64 o, u64 v, u64) { return lesser(asD(o), asD(v)); }},
    {"max", "f64", 64, 1, [](u64 o, u64 v, u64) { return greater(asD(o), asD(v)); }},
};

/// Integers of both signs that are also floats and doubles of moderate size, often equal to each other.
u64 valueOf(unsigned lane, unsigned which, unsigned bits) {
  static const u64 narrow[] = {0, 1, 0x40490000, 0xc0080000, 0x80000000, 0x7f7fffff, 0xffff0000, 0x3f800000};
  static const u64 wide[] = {0,
                             1,
                             0x400921fb54442d18,
                             0xc000000000000001,
                             u64(1) << 63,
                             0x7fefffffffffffff,
                             0xfff0000000000000,
                             0x3ff0000000000000};
  const unsigned i = (lane + (which ? lane / 8 * which : 0)) % 8;
  return bits == 64 ? wide[i] : narrow[i];
}
std::string reg(unsigned first, unsigned bits) {
  return bits == 64 ? "v[" + std::to_string(first) + ":" + std::to_string(first + 1) + "]"
                    : "v" + std::to_string(first);
}
} // namespace

TEST(LdsAtomics, EveryOperation) {
  for (const Row &row : rows)
    for (bool returns : {false, true}) {
      if (!returns && !row.hasPlainForm)
        continue;
      Snippet s;
      s.in.resize(6);
      for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned k = 0; k < 3; ++k) {
          const u64 v = valueOf(lane, k, row.bits);
          s.in[2 * k][lane] = u32(v);
          s.in[2 * k + 1][lane] = u32(v >> 32);
        }
      s.outputs = 4;
      const std::string width = std::to_string(row.bits),
                        name = std::string("ds_") + row.operation + (returns ? "_rtn_" : "_") + row.type;
      // Only two thirds of the lanes take part; the others' results and places stay.
      s.body = "  v_lshlrev_b32 v2, 1, v1\n  v_mov_b32 v40, 5\n  v_mov_b32 v41, 6\n  v_mov_b32 v43, 0\n  ds_write_b" +
               width + " v2, " + reg(10, row.bits) +
               " offset:16\n  s_waitcnt lgkmcnt(0)\n"
               "  s_mov_b32 exec_lo, 0xdb6db6db\n  s_mov_b32 exec_hi, 0xb6db6db6\n  " +
               name + " " + (returns ? reg(40, row.bits) + ", " : "") + "v2, " + reg(12, row.bits) +
               (row.operands == 2 ? ", " + reg(14, row.bits) : "") +
               " offset:16\n  s_mov_b64 exec, -1\n  s_waitcnt lgkmcnt(0)\n  ds_read_b" + width + " " +
               reg(42, row.bits) + ", v2 offset:16\n  s_waitcnt lgkmcnt(0)";
      std::vector<Register> got = runSnippet(s);
      const u64 exec = 0xb6db6db6db6db6db;
      for (unsigned lane = 0; lane < 64; ++lane) {
        const bool on = exec >> lane & 1;
        const u64 old = valueOf(lane, 0, row.bits), mask = row.bits == 64 ? ~u64(0) : 0xffffffff;
        const u64 next = on ? row.expected(old, valueOf(lane, 1, row.bits), valueOf(lane, 2, row.bits)) & mask : old;
        ASSERT_EQ((got[2][lane] | u64(got[3][lane]) << 32) & mask, next) << name << " lane " << lane;
        const u64 before = 5 | u64(6) << 32;
        ASSERT_EQ((got[0][lane] | u64(got[1][lane]) << 32) & mask, (returns && on ? old : before) & mask)
            << name << " lane " << lane;
      }
    }
}

/// Lanes that meet in one place take their turns, each seeing what the others left.
TEST(LdsAtomics, OnePlace) {
  Snippet s;
  s.outputs = 2;
  s.body = "  v_mov_b32 v2, 64\n  v_mov_b32 v3, 0\n  ds_write_b32 v2, v3\n  v_mov_b32 v4, 3\n  s_waitcnt lgkmcnt(0)\n  "
           "ds_add_rtn_u32 v40, v2, v4\n  ds_read_b32 v41, v2\n  s_waitcnt lgkmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  std::sort(got[0].begin(), got[0].end());
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(got[0][lane], 3 * lane);
  EXPECT_EQ(got[1], all(192));
}
