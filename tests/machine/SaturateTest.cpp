// Integer clamp, and op_sel of instructions on 16 bits.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <functional>
#include <limits>

using namespace inflight::machine::test;

namespace {
using u32 = uint32_t;
using i64 = int64_t;
template <typename T> u32 clampTo(i64 x) {
  return u32(T(std::clamp<i64>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max())));
}
template <typename T> i64 low(u32 x) { return T(x); }
template <typename T> i64 high(u32 x) { return T(x >> 16); }

const Register a = lanes({0xffffffff, 0x80000000, 0x7fffffff, 5, 0x8000ffff, 0x7fff0001, 0x00ff00ff, 0xffff8000});
const Register b = lanes({2, 0x80000001, 0x7ffffff0, 7, 0x80010001, 0x00017fff, 0x80008000});
const Register c = lanes({0xfffffff0, 0x7fffffff, 0x80000000, 3, 0xffff7fff});

struct Row {
  const char *text; ///< with v10, v11, v12 as sources, the result in v40, which is v12 before
  std::function<u32(u32, u32, u32)> expected;
};
template <typename T, typename F> u32 halves(u32 x, u32 y, F f) {
  return (clampTo<T>(f(low<T>(x), low<T>(y))) & 0xffff) | clampTo<T>(f(high<T>(x), high<T>(y))) << 16;
}
const Row rows[] = {
    {"v_add_u32 v40, v10, v11 clamp", [](u32 x, u32 y, u32) { return clampTo<u32>(i64(x) + y); }},
    {"v_sub_u32 v40, v10, v11 clamp", [](u32 x, u32 y, u32) { return clampTo<u32>(i64(x) - y); }},
    {"v_subrev_u32 v40, v10, v11 clamp", [](u32 x, u32 y, u32) { return clampTo<u32>(i64(y) - x); }},
    {"v_add_i32 v40, v10, v11 clamp",
     [](u32 x, u32 y, u32) { return clampTo<int32_t>(low<int32_t>(x) + low<int32_t>(y)); }},
    {"v_sub_i32 v40, v10, v11 clamp",
     [](u32 x, u32 y, u32) { return clampTo<int32_t>(low<int32_t>(x) - low<int32_t>(y)); }},
    {"v_add_u16_e64 v40, v10, v11 clamp",
     [](u32 x, u32 y, u32) { return clampTo<uint16_t>(low<uint16_t>(x) + low<uint16_t>(y)); }},
    {"v_add_i16 v40, v10, v11 clamp",
     [](u32 x, u32 y, u32 old) {
       return (clampTo<int16_t>(low<int16_t>(x) + low<int16_t>(y)) & 0xffff) | (old & 0xffff0000);
     }},
    {"v_mad_i32_i24 v40, v10, v11, v12 clamp",
     [](u32 x, u32 y, u32 z) {
       return clampTo<int32_t>(i64(int32_t(x << 8) >> 8) * (int32_t(y << 8) >> 8) + int32_t(z));
     }},
    {"v_mad_u32_u24 v40, v10, v11, v12 clamp",
     [](u32 x, u32 y, u32 z) { return clampTo<u32>(i64(x & 0xffffff) * (y & 0xffffff) + z); }},
    {"v_sad_u8 v40, v10, v11, v12 clamp",
     [](u32 x, u32 y, u32 z) {
       i64 s = z;
       for (int i = 0; i < 32; i += 8)
         s += std::abs(int(x >> i & 255) - int(y >> i & 255));
       return clampTo<u32>(s);
     }},
    {"v_dot4_i32_i8 v40, v10, v11, v12 clamp",
     [](u32 x, u32 y, u32 z) {
       i64 s = int32_t(z);
       for (int i = 0; i < 32; i += 8)
         s += int(int8_t(x >> i)) * int8_t(y >> i);
       return clampTo<int32_t>(s);
     }},
    {"v_dot2_u32_u16 v40, v10, v11, v12 clamp",
     [](u32 x, u32 y, u32 z) {
       i64 s = z;
       for (int i = 0; i < 32; i += 16)
         s += i64(uint16_t(x >> i)) * uint16_t(y >> i);
       return clampTo<u32>(s);
     }},
    {"v_dot2c_i32_i16_e64 v40, v10, v11 clamp",
     [](u32 x, u32 y, u32 z) {
       i64 s = int32_t(z);
       for (int i = 0; i < 32; i += 16)
         s += i64(int16_t(x >> i)) * int16_t(y >> i);
       return clampTo<int32_t>(s);
     }},
    {"v_dot4c_i32_i8_e64 v40, v10, v11 clamp",
     [](u32 x, u32 y, u32 z) {
       i64 s = int32_t(z);
       for (int i = 0; i < 32; i += 8)
         s += int(int8_t(x >> i)) * int8_t(y >> i);
       return clampTo<int32_t>(s);
     }},
    {"v_dot8c_i32_i4_e64 v40, v10, v11 clamp",
     [](u32 x, u32 y, u32 z) {
       i64 s = int32_t(z);
       for (int i = 0; i < 32; i += 4)
         s += (int32_t(x << (28 - i)) >> 28) * (int32_t(y << (28 - i)) >> 28);
       return clampTo<int32_t>(s);
     }},
    {"v_mul_lo_u16_sdwa v40, v10, v11 clamp dst_sel:DWORD src0_sel:WORD_0 src1_sel:WORD_0",
     [](u32 x, u32 y, u32) { return clampTo<uint16_t>(low<uint16_t>(x) * low<uint16_t>(y)); }},
    {"v_pk_add_u16 v40, v10, v11 clamp", [](u32 x, u32 y, u32) { return halves<uint16_t>(x, y, std::plus<i64>()); }},
    {"v_pk_sub_u16 v40, v10, v11 clamp", [](u32 x, u32 y, u32) { return halves<uint16_t>(x, y, std::minus<i64>()); }},
    {"v_pk_add_i16 v40, v10, v11 clamp", [](u32 x, u32 y, u32) { return halves<int16_t>(x, y, std::plus<i64>()); }},
    {"v_pk_sub_i16 v40, v10, v11 clamp", [](u32 x, u32 y, u32) { return halves<int16_t>(x, y, std::minus<i64>()); }},
    {"v_pk_add_i16 v40, v10, v11 op_sel:[1,0] op_sel_hi:[0,1] clamp",
     [](u32 x, u32 y, u32) { return halves<int16_t>(x << 16 | x >> 16, y, std::plus<i64>()); }},
    // op_sel: which half of each source, and of the destination, whose other half stays.
    {"v_mad_u16 v40, v10, v11, v12 op_sel:[1,0,1,0]",
     [](u32 x, u32 y, u32 z) { return ((x >> 16) * (y & 0xffff) + (z >> 16) & 0xffff) | (z & 0xffff0000); }},
    {"v_mad_i16 v40, v10, v11, v12 op_sel:[0,1,0,1]",
     [](u32 x, u32 y, u32 z) { return ((x & 0xffff) * (y >> 16) + (z & 0xffff)) << 16 | (z & 0xffff); }},
    {"v_sub_i16 v40, v10, v11 op_sel:[1,1,1]",
     [](u32 x, u32 y, u32 z) { return ((x >> 16) - (y >> 16)) << 16 | (z & 0xffff); }},
    {"v_max3_i16 v40, v10, v11, v12 op_sel:[1,1,0,0]",
     [](u32 x, u32 y, u32 z) {
       return (u32(std::max({high<int16_t>(x), high<int16_t>(y), low<int16_t>(z)})) & 0xffff) | (z & 0xffff0000);
     }},
    {"v_mad_u32_u16 v40, v10, v11, v12 op_sel:[1,0,0,0]",
     [](u32 x, u32 y, u32 z) { return (x >> 16) * (y & 0xffff) + z; }},
    {"v_pack_b32_f16 v40, v10, -v11 op_sel:[1,1,0]",
     [](u32 x, u32 y, u32) { return x >> 16 | ((y >> 16 ^ 0x8000) << 16); }},
};
} // namespace

TEST(Saturate, ClampAndOpSel) {
  for (const Row &row : rows) {
    Snippet s;
    s.in = {a, b, c};
    s.body = std::string("  v_mov_b32 v40, v12\n  ") + row.text;
    Register got = runSnippet(s)[0];
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(got[lane], row.expected(a[lane], b[lane], c[lane])) << row.text << ", lane " << lane;
  }
}

/// Of 64 bits; the carry goes out as without clamp.
TEST(Saturate, WideProducts) {
  Snippet s;
  s.in = {a, b, c, lanes({0x7fffffff, 0x80000000, 0xffffffff, 0, 1, 0x7fffffff, 0x80000000})};
  s.outputs = 6;
  s.body = "  v_mad_i64_i32 v[40:41], s[20:21], v10, v11, v[12:13] clamp\n  v_mad_u64_u32 v[42:43], s[22:23], v10, "
           "v11, v[12:13] clamp\n"
           "  v_cndmask_b32 v44, 0, 1, s[20:21]\n  v_cndmask_b32 v45, 0, 1, s[22:23]";
  std::vector<Register> got = runSnippet(s);
  for (unsigned lane = 0; lane < 64; ++lane) {
    const uint64_t addend = s.in[2][lane] | uint64_t(s.in[3][lane]) << 32;
    const __int128 sum = __int128(int32_t(a[lane])) * int32_t(b[lane]) + i64(addend);
    const unsigned __int128 unsignedSum = (unsigned __int128)(a[lane]) * b[lane] + addend;
    const i64 least = std::numeric_limits<i64>::min(), most = std::numeric_limits<i64>::max();
    EXPECT_EQ(i64(got[0][lane] | uint64_t(got[1][lane]) << 32), sum < least  ? least
                                                                : sum > most ? most
                                                                             : i64(sum))
        << lane;
    EXPECT_EQ(got[2][lane] | uint64_t(got[3][lane]) << 32, unsignedSum >> 64 ? ~uint64_t(0) : uint64_t(unsignedSum))
        << lane;
    EXPECT_EQ(got[4][lane], u32(sum < 0)) << lane;
    EXPECT_EQ(got[5][lane], u32(unsignedSum >> 64)) << lane;
  }
}

/// The carry goes out as without clamp.
TEST(Saturate, Carries) {
  Snippet s;
  s.in = {a, b};
  s.outputs = 2;
  s.body = "  v_add_co_u32 v40, s[20:21], v10, v11 clamp\n  v_cndmask_b32 v41, 0, 1, s[20:21]";
  std::vector<Register> got = runSnippet(s);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(got[0][lane], clampTo<u32>(i64(a[lane]) + b[lane]));
    EXPECT_EQ(got[1][lane], u32((i64(a[lane]) + b[lane]) >> 32));
  }
}
