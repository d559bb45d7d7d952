// Every comparison of integers and floats, into VCC, an SGPR pair and EXEC.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <bit>
#include <cmath>
#include <functional>

using namespace inflight::machine::test;

namespace {
/// How two values are: at most one of these.
struct Order {
  bool less, equal, greater;
};
struct Relation {
  const char *name;
  std::function<bool(Order)> holds;
};
bool unordered(Order o) { return !o.less && !o.equal && !o.greater; }
const Relation forIntegers[] = {{"f", [](Order) { return false; }},
                                {"lt", [](Order o) { return o.less; }},
                                {"eq", [](Order o) { return o.equal; }},
                                {"le", [](Order o) { return o.less || o.equal; }},
                                {"gt", [](Order o) { return o.greater; }},
                                {"ne", [](Order o) { return !o.equal; }},
                                {"ge", [](Order o) { return o.greater || o.equal; }},
                                {"t", [](Order) { return true; }}};
const Relation forFloats[] = {{"f", [](Order) { return false; }},
                              {"lt", [](Order o) { return o.less; }},
                              {"eq", [](Order o) { return o.equal; }},
                              {"le", [](Order o) { return o.less || o.equal; }},
                              {"gt", [](Order o) { return o.greater; }},
                              {"lg", [](Order o) { return o.less || o.greater; }},
                              {"ge", [](Order o) { return o.greater || o.equal; }},
                              {"o", [](Order o) { return !unordered(o); }},
                              {"u", unordered},
                              {"nge", [](Order o) { return !(o.greater || o.equal); }},
                              {"nlg", [](Order o) { return !(o.less || o.greater); }},
                              {"ngt", [](Order o) { return !o.greater; }},
                              {"nle", [](Order o) { return !(o.less || o.equal); }},
                              {"neq", [](Order o) { return !o.equal; }},
                              {"nlt", [](Order o) { return !o.less; }},
                              {"tru", [](Order) { return true; }}};
template <typename T> Order order(T a, T b) { return {a<b, a == b, a> b}; }

struct Type {
  const char *name;
  unsigned bits;
  bool isFloat;
  std::function<Order(uint64_t, uint64_t)> compare;
};
const Type types[] = {
    {"i16", 16, false, [](uint64_t a, uint64_t b) { return order(int16_t(a), int16_t(b)); }},
    {"u16", 16, false, [](uint64_t a, uint64_t b) { return order(uint16_t(a), uint16_t(b)); }},
    {"i32", 32, false, [](uint64_t a, uint64_t b) { return order(int32_t(a), int32_t(b)); }},
    {"u32", 32, false, [](uint64_t a, uint64_t b) { return order(uint32_t(a), uint32_t(b)); }},
    {"i64", 64, false, [](uint64_t a, uint64_t b) { return order(int64_t(a), int64_t(b)); }},
    {"u64", 64, false, [](uint64_t a, uint64_t b) { return order(a, b); }},
    {"f16", 16, true,
     [](uint64_t a, uint64_t b) {
       return order(float(std::bit_cast<_Float16>(uint16_t(a))), float(std::bit_cast<_Float16>(uint16_t(b))));
     }},
    {"f32", 32, true,
     [](uint64_t a, uint64_t b) {
       return order(std::bit_cast<float>(uint32_t(a)), std::bit_cast<float>(uint32_t(b)));
     }},
    {"f64", 64, true,
     [](uint64_t a, uint64_t b) { return order(std::bit_cast<double>(a), std::bit_cast<double>(b)); }}};

/// Values of the type, edge values among them, each against several others.
std::vector<uint64_t> valuesOf(const Type &type) {
  const uint64_t sign = uint64_t(1) << (type.bits - 1);
  if (!type.isFloat)
    return {0, 1, sign, sign - 1, sign | (sign - 1), sign + 1, 0x1234, sign / 2};
  const uint64_t infinity = type.bits == 16 ? 0x7c00 : type.bits == 32 ? 0x7f800000 : 0x7ff0000000000000;
  return {0, sign, 1, infinity, infinity | sign, infinity + 1, infinity | (infinity >> 1), infinity / 2};
}
void put(std::vector<Register> &in, unsigned bits, unsigned lane, unsigned operand, uint64_t value) {
  in[2 * operand][lane] = uint32_t(value) | (bits == 16 ? 0xabcd0000u : 0); // the upper half doesn't count
  in[2 * operand + 1][lane] = uint32_t(value >> 32);
}
uint64_t pair(const std::vector<Register> &got, unsigned i) { return got[i][0] | uint64_t(got[i + 1][0]) << 32; }
} // namespace

TEST(Compare, AllRelations) {
  for (const Type &type : types)
    for (size_t r = 0; r < (type.isFloat ? std::size(forFloats) : std::size(forIntegers)); ++r) {
      const Relation &relation = type.isFloat ? forFloats[r] : forIntegers[r];
      const std::vector<uint64_t> values = valuesOf(type);
      Snippet s;
      s.in.resize(4);
      uint64_t holds = 0;
      for (unsigned lane = 0; lane < 64; ++lane) {
        const uint64_t a = values[lane % 8], b = values[lane / 8];
        put(s.in, type.bits, lane, 0, a);
        put(s.in, type.bits, lane, 1, b);
        holds |= uint64_t(relation.holds(type.compare(a, b))) << lane;
      }
      s.outputs = 8;
      const std::string name = std::string(relation.name) + "_" + type.name,
                        operands = type.bits == 64 ? ", v[10:11], v[12:13]" : ", v10, v12";
      // All lanes to VCC; some to SGPRs; v_cmpx of some to SGPRs and EXEC.
      s.body = "  v_cmp_" + name + " vcc" + operands +
               "\n  s_mov_b64 s[20:21], vcc\n  s_mov_b32 exec_lo, 0xff00f0f0\n  s_mov_b32 exec_hi, 0x0f0f3355\n  "
               "s_mov_b64 s[22:23], -1\n  v_cmp_" +
               name + " s[22:23]" + operands + "\n  v_cmpx_" + name + " s[24:25]" + operands +
               "\n  s_mov_b64 s[26:27], exec\n  s_mov_b64 exec, -1\n";
      for (unsigned i = 0; i < 8; ++i)
        s.body += "  v_mov_b32 v" + std::to_string(40 + i) + ", s" + std::to_string(20 + i) + "\n";
      std::vector<Register> got = runSnippet(s);
      const uint64_t exec = 0x0f0f3355ff00f0f0;
      EXPECT_EQ(pair(got, 0), holds) << name;
      EXPECT_EQ(pair(got, 2), holds & exec) << name;
      EXPECT_EQ(pair(got, 4), holds & exec) << name;
      EXPECT_EQ(pair(got, 6), holds & exec) << name;
    }
}

/// The class goes to EXEC as well.
TEST(Compare, ClassesToExec) {
  for (auto [type, values] : {std::pair("f16", std::vector<uint32_t>{0x7c00, 0x3c00, 0x8001}),
                              {"f32", {0x7f800000, 0x3f800000, 0x80000001}},
                              {"f64", {0x7ff00000, 0x3ff00000, 0x80000001}}}) {
    Snippet s;
    s.in = {lanes({values[0], values[1], values[2], 0}), all(0)};
    // Infinity and the negative denormal.
    s.body = "  v_mov_b32 v22, 0x210\n  v_mov_b32 v20, v11\n  v_mov_b32 v21, v10\n  v_mov_b32 v40, 0\n  v_cmpx_class_" +
             std::string(type) + " vcc, " + (type == std::string("f64") ? "v[20:21]" : "v10") +
             ", v22\n  v_mov_b32 v40, 1\n  s_mov_b64 exec, -1";
    EXPECT_EQ(runSnippet(s)[0], lanes({1, 0, 1, 0})) << type;
  }
}
