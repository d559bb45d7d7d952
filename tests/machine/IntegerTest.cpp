// Vector instructions on integers and bits, each against its definition in C++.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <bit>
#include <functional>

using namespace inflight::machine::test;

namespace {
using u16 = uint16_t;
using i16 = int16_t;
using u32 = uint32_t;
using i32 = int32_t;
using u64 = uint64_t;
using i64 = int64_t;

/// Edge values against each other, and others.
Register operandOf(unsigned which) {
  static const u32 edges[] = {0,          1,          0x80000000, 0x7fffffff, 0xffffffff, 0x8000,   0x7fff,
                              0xffff0000, 0x80008000, 0x00ff00ff, 31,         33,         0x800000, 0x7fffff};
  Register r;
  for (unsigned i = 0; i < 64; ++i)
    r[i] = i < 42 ? edges[(i * (2 * which + 1) + i / 14 * (which + 3)) % 14] : (i + 1) * (which * 2 + 1) * 0x9e3779b1u;
  return r;
}

struct Row {
  const char *mnemonic;
  unsigned sources;
  std::function<u32(u32, u32, u32)> expected;
  const char *chip = "gfx942";
  bool accumulates = false; ///< the third source is the destination
};
i32 s24(u32 x) { return i32(x << 8) >> 8; }
u32 u24(u32 x) { return x & 0xffffff; }
u32 byteDifferences(u32 a, u32 b) {
  u32 sum = 0;
  for (unsigned i = 0; i < 32; i += 8)
    sum += u32(std::abs(int(a >> i & 0xff) - int(b >> i & 0xff)));
  return sum;
}
u32 distance(u32 a, u32 b) { return a > b ? a - b : b - a; }
template <typename T> T middle(T a, T b, T c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }
u32 halves(u32 a, u32 b, u32 c, const std::function<u32(u32, u32, u32)> &of) {
  return (of(a & 0xffff, b & 0xffff, c & 0xffff) & 0xffff) | of(a >> 16, b >> 16, c >> 16) << 16;
}
/// Leaves the upper half of the destination, which the test fills with the third operand.
u32 low(u32 result, u32 before) { return (result & 0xffff) | (before & 0xffff0000); }
template <unsigned Width, typename T> u32 dot(u32 a, u32 b, u32 sum) {
  for (unsigned at = 0; at < 32; at += Width) {
    auto part = [&](u32 x) { return T(x << (32 - Width - at)) >> (32 - Width); };
    sum += u32(part(a) * part(b));
  }
  return sum;
}

const Row rows[] = {
    {"v_add3_u32", 3, [](u32 a, u32 b, u32 c) { return a + b + c; }},
    {"v_add_lshl_u32", 3, [](u32 a, u32 b, u32 c) { return (a + b) << (c & 31); }},
    {"v_lshl_add_u32", 3, [](u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; }},
    {"v_lshl_or_b32", 3, [](u32 a, u32 b, u32 c) { return a << (b & 31) | c; }},
    {"v_xad_u32", 3, [](u32 a, u32 b, u32 c) { return (a ^ b) + c; }},
    {"v_and_or_b32", 3, [](u32 a, u32 b, u32 c) { return (a & b) | c; }},
    {"v_or3_b32", 3, [](u32 a, u32 b, u32 c) { return a | b | c; }},
    {"v_bfi_b32", 3, [](u32 a, u32 b, u32 c) { return (a & b) | (~a & c); }},
    {"v_bfe_u32", 3, [](u32 a, u32 b, u32 c) { return a >> (b & 31) & ((1u << (c & 31)) - 1); }},
    {"v_bfe_i32", 3, [](u32 a, u32 b, u32 c) {
       const unsigned offset = b & 31, width = c & 31;
       const u32 field = a >> offset & ((1u << width) - 1);
       return !width ? 0 : offset + width >= 32 ? u32(i32(a) >> offset) : field >> (width - 1) ? field | ~u32(0) << width : field;
     }},
    {"v_alignbit_b32", 3, [](u32 a, u32 b, u32 c) { return u32((u64(a) << 32 | b) >> (c & 31)); }},
    {"v_alignbyte_b32", 3, [](u32 a, u32 b, u32 c) { return u32((u64(a) << 32 | b) >> (8 * (c & 3))); }},
    {"v_perm_b32", 3, [](u32 a, u32 b, u32 c) {
       u32 r = 0;
       for (unsigned i = 0; i < 4; ++i) {
         const u32 s = c >> (8 * i) & 0xff;
         const u64 both = u64(a) << 32 | b;
         const u32 byte = s < 8 ? u32(both >> (8 * s)) & 0xff : s < 12 ? (both >> (16 * (s - 8) + 15) & 1 ? 0xff : 0) : s == 12 ? 0 : 0xff;
         r |= byte << (8 * i);
       }
       return r;
     }},
    {"v_lerp_u8", 3, [](u32 a, u32 b, u32 c) {
       u32 r = 0;
       for (unsigned i = 0; i < 32; i += 8)
         r |= ((a >> i & 0xff) + (b >> i & 0xff) + (c >> i & 1)) / 2 << i;
       return r;
     }},
    {"v_sad_u8", 3, [](u32 a, u32 b, u32 c) { return byteDifferences(a, b) + c; }},
    {"v_sad_hi_u8", 3, [](u32 a, u32 b, u32 c) { return (byteDifferences(a, b) << 16) + c; }},
    {"v_sad_u16", 3, [](u32 a, u32 b, u32 c) { return distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16) + c; }},
    {"v_sad_u32", 3, [](u32 a, u32 b, u32 c) { return distance(a, b) + c; }},
    {"v_min3_i32", 3, [](u32 a, u32 b, u32 c) { return u32(std::min({i32(a), i32(b), i32(c)})); }},
    {"v_min3_u32", 3, [](u32 a, u32 b, u32 c) { return std::min({a, b, c}); }},
    {"v_max3_i32", 3, [](u32 a, u32 b, u32 c) { return u32(std::max({i32(a), i32(b), i32(c)})); }},
    {"v_max3_u32", 3, [](u32 a, u32 b, u32 c) { return std::max({a, b, c}); }},
    {"v_med3_i32", 3, [](u32 a, u32 b, u32 c) { return u32(middle(i32(a), i32(b), i32(c))); }},
    {"v_med3_u32", 3, [](u32 a, u32 b, u32 c) { return middle(a, b, c); }},
    {"v_min3_u16", 3, [](u32 a, u32 b, u32 c) { return low(std::min({u16(a), u16(b), u16(c)}), c); }},
    {"v_max3_i16", 3, [](u32 a, u32 b, u32 c) { return low(u32(std::max({i16(a), i16(b), i16(c)})), c); }},
    {"v_med3_u16", 3, [](u32 a, u32 b, u32 c) { return low(middle(u16(a), u16(b), u16(c)), c); }},
    {"v_mul_lo_i32", 2, [](u32 a, u32 b, u32) { return a * b; }},
    {"v_mad_legacy_u16", 3, [](u32 a, u32 b, u32 c) { return (a * b + c) & 0xffff; }},
    {"v_mad_legacy_i16", 3, [](u32 a, u32 b, u32 c) { return (a * b + c) & 0xffff; }},
    {"v_mad_i32_i24", 3, [](u32 a, u32 b, u32 c) { return u32(s24(a)) * u32(s24(b)) + c; }},
    {"v_mad_u32_u24", 3, [](u32 a, u32 b, u32 c) { return u24(a) * u24(b) + c; }},
    {"v_dot8_u32_u4", 3, [](u32 a, u32 b, u32 c) { return dot<4, u32>(a, b, c); }},
    {"v_dot8c_i32_i4", 2, [](u32 a, u32 b, u32 c) { return dot<4, i32>(a, b, c); }, "gfx942", true},
    {"v_dot2c_i32_i16", 2, [](u32 a, u32 b, u32 c) { return dot<16, i32>(a, b, c); }, "gfx942", true},
    {"v_pk_mad_i16", 3, [](u32 a, u32 b, u32 c) { return halves(a, b, c, [](u32 x, u32 y, u32 z) { return x * y + z; }); }},
    {"v_pk_mad_u16", 3, [](u32 a, u32 b, u32 c) { return halves(a, b, c, [](u32 x, u32 y, u32 z) { return x * y + z; }); }},
    {"v_or_b32", 2, [](u32 a, u32 b, u32) { return a | b; }},
    {"v_xnor_b32", 2, [](u32 a, u32 b, u32) { return ~(a ^ b); }},
    {"v_lshlrev_b32", 2, [](u32 a, u32 b, u32) { return b << (a & 31); }},
    {"v_lshrrev_b32", 2, [](u32 a, u32 b, u32) { return b >> (a & 31); }},
    {"v_ashrrev_i32", 2, [](u32 a, u32 b, u32) { return u32(i32(b) >> (a & 31)); }},
    {"v_bfm_b32", 2, [](u32 a, u32 b, u32) { return ((1u << (a & 31)) - 1) << (b & 31); }},
    {"v_bcnt_u32_b32", 2, [](u32 a, u32 b, u32) { return u32(std::popcount(a)) + b; }},
    {"v_min_i32", 2, [](u32 a, u32 b, u32) { return u32(std::min(i32(a), i32(b))); }},
    {"v_min_u32", 2, [](u32 a, u32 b, u32) { return std::min(a, b); }},
    {"v_max_i32", 2, [](u32 a, u32 b, u32) { return u32(std::max(i32(a), i32(b))); }},
    {"v_max_u32", 2, [](u32 a, u32 b, u32) { return std::max(a, b); }},
    {"v_mul_lo_u32", 2, [](u32 a, u32 b, u32) { return a * b; }},
    {"v_mul_hi_u32", 2, [](u32 a, u32 b, u32) { return u32(u64(a) * b >> 32); }},
    {"v_mul_hi_i32", 2, [](u32 a, u32 b, u32) { return u32(u64(i64(i32(a)) * i32(b)) >> 32); }},
    {"v_mul_i32_i24", 2, [](u32 a, u32 b, u32) { return u32(s24(a)) * u32(s24(b)); }},
    {"v_mul_hi_i32_i24", 2, [](u32 a, u32 b, u32) { return u32(u64(i64(s24(a)) * s24(b)) >> 32); }},
    {"v_mul_hi_u32_u24", 2, [](u32 a, u32 b, u32) { return u32(u64(u24(a)) * u24(b) >> 32); }},
    // These clear the upper half.
    {"v_sub_u16", 2, [](u32 a, u32 b, u32) { return (a - b) & 0xffff; }},
    {"v_subrev_u16", 2, [](u32 a, u32 b, u32) { return (b - a) & 0xffff; }},
    {"v_mul_lo_u16", 2, [](u32 a, u32 b, u32) { return a * b & 0xffff; }},
    {"v_min_i16", 2, [](u32 a, u32 b, u32) { return u32(u16(std::min(i16(a), i16(b)))); }},
    {"v_min_u16", 2, [](u32 a, u32 b, u32) { return u32(std::min(u16(a), u16(b))); }},
    {"v_max_i16", 2, [](u32 a, u32 b, u32) { return u32(u16(std::max(i16(a), i16(b)))); }},
    {"v_max_u16", 2, [](u32 a, u32 b, u32) { return u32(std::max(u16(a), u16(b))); }},
    {"v_lshlrev_b16", 2, [](u32 a, u32 b, u32) { return b << (a & 15) & 0xffff; }},
    {"v_lshrrev_b16", 2, [](u32 a, u32 b, u32) { return u32(u16(b) >> (a & 15)); }},
    {"v_ashrrev_i16", 2, [](u32 a, u32 b, u32) { return u32(u16(i16(b) >> (a & 15))); }},
    {"v_pk_lshlrev_b16", 2, [](u32 a, u32 b, u32) { return halves(a, b, 0, [](u32 x, u32 y, u32) { return y << (x & 15); }); }},
    {"v_pk_lshrrev_b16", 2, [](u32 a, u32 b, u32) { return halves(a, b, 0, [](u32 x, u32 y, u32) { return y >> (x & 15); }); }},
    {"v_pk_ashrrev_i16", 2, [](u32 a, u32 b, u32) { return halves(a, b, 0, [](u32 x, u32 y, u32) { return u32(i16(y) >> (x & 15)); }); }},
    {"v_pk_mul_lo_u16", 2, [](u32 a, u32 b, u32) { return halves(a, b, 0, [](u32 x, u32 y, u32) { return x * y; }); }},
    {"v_pk_min_i16", 2, [](u32 a, u32 b, u32) { return halves(a, b, 0, [](u32 x, u32 y, u32) { return u32(std::min(i16(x), i16(y))); }); }},
    {"v_pk_max_i16", 2, [](u32 a, u32 b, u32) { return halves(a, b, 0, [](u32 x, u32 y, u32) { return u32(std::max(i16(x), i16(y))); }); }},
    {"v_pk_min_u16", 2, [](u32 a, u32 b, u32) { return halves(a, b, 0, [](u32 x, u32 y, u32) { return std::min(x, y); }); }},
    {"v_pk_max_u16", 2, [](u32 a, u32 b, u32) { return halves(a, b, 0, [](u32 x, u32 y, u32) { return std::max(x, y); }); }},
    {"v_not_b32", 1, [](u32 a, u32, u32) { return ~a; }},
    {"v_bfrev_b32", 1, [](u32 a, u32, u32) {
       u32 r = 0;
       for (unsigned i = 0; i < 32; ++i)
         r |= (a >> i & 1) << (31 - i);
       return r;
     }},
    {"v_ffbh_u32", 1, [](u32 a, u32, u32) { return a ? u32(std::countl_zero(a)) : ~u32(0); }},
    {"v_ffbl_b32", 1, [](u32 a, u32, u32) { return a ? u32(std::countr_zero(a)) : ~u32(0); }},
    {"v_ffbh_i32", 1, [](u32 a, u32, u32) { const u32 differs = a ^ u32(i32(a) >> 31); return differs ? u32(std::countl_zero(differs)) : ~u32(0); }},
    {"v_cvt_f32_ubyte1", 1, [](u32 a, u32, u32) { return std::bit_cast<u32>(float(a >> 8 & 0xff)); }},
    {"v_cvt_f32_ubyte2", 1, [](u32 a, u32, u32) { return std::bit_cast<u32>(float(a >> 16 & 0xff)); }},
    {"v_cvt_f32_ubyte3", 1, [](u32 a, u32, u32) { return std::bit_cast<u32>(float(a >> 24)); }},
    {"v_prng_b32", 1, [](u32 a, u32, u32) { return a << 1 ^ (a >> 31 ? 197u : 0u); }, "gfx950"},
};
} // namespace

TEST(Integer, EachLane) {
  for (const Row &row : rows) {
    Snippet s;
    s.chip = row.chip;
    s.in = {operandOf(0), operandOf(1), operandOf(2)};
    s.body = std::string("  v_mov_b32 v40, v12\n  ") + row.mnemonic + " v40";
    for (unsigned i = 0; i < row.sources; ++i)
      s.body += ", v" + std::to_string(10 + i);
    Register got = runSnippet(s)[0];
    for (unsigned i = 0; i < 64; ++i)
      ASSERT_EQ(got[i], row.expected(s.in[0][i], s.in[1][i], s.in[2][i]))
          << row.mnemonic << " of " << s.in[0][i] << ", " << s.in[1][i] << ", " << s.in[2][i];
  }
}

/// The carry comes from VCC or any pair of SGPRs and goes there, a bit for each active lane.
TEST(Integer, Carries) {
  struct Form {
    const char *mnemonic;
    bool carriesIn;
    std::function<i64(u32, u32, i64)> exact;
  };
  for (const Form &form : {Form{"v_add_co_u32", false, [](u32 a, u32 b, i64) { return i64(a) + b; }},
                           Form{"v_addc_co_u32", true, [](u32 a, u32 b, i64 c) { return i64(a) + b + c; }},
                           Form{"v_sub_co_u32", false, [](u32 a, u32 b, i64) { return i64(a) - b; }},
                           Form{"v_subb_co_u32", true, [](u32 a, u32 b, i64 c) { return i64(a) - b - c; }},
                           Form{"v_subrev_co_u32", false, [](u32 a, u32 b, i64) { return i64(b) - a; }},
                           Form{"v_subbrev_co_u32", true, [](u32 a, u32 b, i64 c) { return i64(b) - a - c; }}})
    for (bool isLong : {false, true}) {
      Snippet s;
      s.in = {operandOf(0), operandOf(1)};
      s.outputs = 3;
      const u64 carryIn = 0xa5a5f00f00ff5a5a, exec = 0xffff0000ffff00ff;
      s.body = "  v_mov_b32 v40, 7\n  s_mov_b32 s20, 0x00ff5a5a\n  s_mov_b32 s21, 0xa5a5f00f\n  s_mov_b64 vcc, "
               "s[20:21]\n  s_mov_b32 exec_lo, 0xffff00ff\n  s_mov_b32 exec_hi, 0xffff0000\n  s_nop 4\n  " +
               std::string(form.mnemonic) + " v40, " + (isLong ? "s[22:23]" : "vcc") + ", v10, v11" +
               (!form.carriesIn ? ""
                : isLong        ? ", s[20:21]"
                                : ", vcc") +
               "\n  s_mov_b64 exec, -1\n  s_nop 4\n  v_mov_b32 v41, " + (isLong ? "s22" : "vcc_lo") +
               "\n  v_mov_b32 v42, " + (isLong ? "s23" : "vcc_hi");
      std::vector<Register> got = runSnippet(s);
      u64 carries = 0;
      for (unsigned i = 0; i < 64; ++i) {
        const i64 exact = form.exact(s.in[0][i], s.in[1][i], carryIn >> i & 1);
        carries |= u64(exact < 0 || exact >> 32) << i;
        EXPECT_EQ(got[0][i], exec >> i & 1 ? u32(exact) : 7u) << form.mnemonic << " lane " << i;
      }
      EXPECT_EQ(got[1][0] | u64(got[2][0]) << 32, carries & exec) << form.mnemonic;
    }
}

TEST(Integer, Wide) {
  Snippet s;
  s.in = {operandOf(0), operandOf(1), operandOf(2), operandOf(3), operandOf(4)};
  s.outputs = 8;
  s.body = "  v_mov_b32 v20, v10\n  v_mov_b32 v21, v11\n  v_mov_b32 v22, v12\n  v_mov_b32 v23, v13\n  v_ashrrev_i64 "
           "v[40:41], v14, v[20:21]\n  v_lshlrev_b64 v[42:43], v14, v[20:21]\n"
           "  v_mad_i64_i32 v[44:45], s[20:21], v10, v11, v[22:23]\n  v_lshl_add_u64 v[46:47], v[20:21], 3, v[22:23]";
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 64; ++i) {
    auto in = [&](unsigned k) { return s.in[k][i]; };
    const u64 a = in(0) | u64(in(1)) << 32, c = in(2) | u64(in(3)) << 32;
    auto pair = [&](unsigned k) { return got[k][i] | u64(got[k + 1][i]) << 32; };
    EXPECT_EQ(pair(0), u64(i64(a) >> (in(4) & 63)));
    EXPECT_EQ(pair(2), a << (in(4) & 63));
    EXPECT_EQ(pair(4), u64(i64(i32(in(0))) * i32(in(1))) + c);
    EXPECT_EQ(pair(6), (a << 3) + c);
  }
}

/// The carry out is the sum's bit 64: of unsigned numbers the overflow, of signed ones the sign of the exact sum.
TEST(Integer, CarryOfAWideProduct) {
  Snippet s;
  const u64 addends[] = {
      0, 1, ~u64(0), u64(1) << 63, (u64(1) << 63) - 1, 0xc000000000000000, 0x4000000000000000, 0xffffffff00000000};
  for (unsigned k = 0; k < 4; ++k)
    s.in.push_back({});
  for (unsigned i = 0; i < 64; ++i) {
    const u32 factors[] = {0, 1, 0x80000000, 0x7fffffff, 0xffffffff, 0x12345678, 0xfffffffe, 2};
    s.in[0][i] = factors[i % 8];
    s.in[1][i] = factors[(i / 8 + i) % 8];
    s.in[2][i] = u32(addends[i / 8]);
    s.in[3][i] = u32(addends[i / 8] >> 32);
  }
  s.outputs = 4;
  s.body =
      "  v_mad_i64_i32 v[20:21], s[20:21], v10, v11, v[12:13]\n  v_mad_u64_u32 v[20:21], s[22:23], v10, v11, v[12:13]";
  for (unsigned k = 0; k < 4; ++k)
    s.body += "\n  v_mov_b32 v" + std::to_string(40 + k) + ", s" + std::to_string(20 + k);
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 64; ++i) {
    const __int128 sum = __int128(i32(s.in[0][i])) * i32(s.in[1][i]) + i64(addends[i / 8]);
    const unsigned __int128 unsignedSum = (unsigned __int128)(s.in[0][i]) * s.in[1][i] + addends[i / 8];
    EXPECT_EQ(got[i / 32][0] >> (i % 32) & 1, u32(sum < 0)) << "signed, lane " << i;
    EXPECT_EQ(got[2 + i / 32][0] >> (i % 32) & 1, u32(unsignedSum >> 64)) << "unsigned, lane " << i;
  }
}

/// Up to 4 places; a count beyond that is none.
TEST(Integer, ShiftBeforeAWideSum) {
  Snippet s;
  s.in = {lanes({0, 1, 2, 3, 4, 5, 7, 8, 33, 0xffffffff})};
  s.outputs = 2;
  s.body = "  v_mov_b32 v20, 0x80000001\n  v_mov_b32 v21, 0x11\n  v_mov_b32 v22, -1\n  v_mov_b32 v23, 0\n  "
           "v_lshl_add_u64 v[40:41], v[20:21], v10, v[22:23]";
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 64; ++i) {
    const u32 count = s.in[0][i];
    EXPECT_EQ(got[0][i] | u64(got[1][i]) << 32, (u64(0x1180000001) << (count > 4 ? 0 : count)) + 0xffffffff) << count;
  }
}

/// Lanes below, of the mask given; V_SWAP exchanges in active lanes; V_PK_MOV picks a half of each pair.
TEST(Integer, AcrossRegisters) {
  Snippet s;
  s.in = {operandOf(0), operandOf(1)};
  s.outputs = 6;
  s.body = "  s_mov_b32 s20, 0xf0f01234\n  s_mov_b32 s21, 0x80000001\n  v_mbcnt_lo_u32_b32 v40, s20, 5\n  "
           "v_mbcnt_hi_u32_b32 v41, s21, v40\n"
           "  v_mov_b32 v42, v10\n  v_mov_b32 v43, v11\n  s_mov_b64 exec, 0xff0\n  v_nop\n  v_clrexcp\n  v_swap_b32 "
           "v42, v43\n  s_mov_b64 exec, -1\n"
           "  v_mov_b32 v20, v10\n  v_mov_b32 v21, v11\n  v_pk_mov_b32 v[44:45], v[20:21], v[20:21] op_sel:[1,0]";
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 64; ++i) {
    const u64 mask = 0x80000001f0f01234, below = (u64(1) << i) - 1;
    EXPECT_EQ(got[0][i], 5 + u32(std::popcount(u32(mask & below))));
    EXPECT_EQ(got[1][i], 5 + u32(std::popcount(mask & below)));
    const bool swapped = i >= 4 && i < 12;
    EXPECT_EQ(got[2][i], s.in[swapped][i]);
    EXPECT_EQ(got[3][i], s.in[!swapped][i]);
    EXPECT_EQ(got[4][i], s.in[1][i]);
    EXPECT_EQ(got[5][i], s.in[0][i]);
  }
}
