// DS instructions that exchange, count or address by lane, and every mode of ds_swizzle.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <bit>
#include <functional>

using namespace inflight::machine::test;

namespace {
Register make(const std::function<uint32_t(unsigned)> &value) {
  Register r;
  for (unsigned i = 0; i < 64; ++i)
    r[i] = value(i);
  return r;
}
/// v2 = 8 × lane; LDS bytes 0 to 1023 hold what v10 and v11 are, in turns.
const std::string filled = "  v_lshlrev_b32 v2, 1, v1\n  ds_write2_b32 v2, v10, v11 offset1:1\n  ds_write_b64 v2, "
                           "v[10:11] offset:512\n  s_waitcnt lgkmcnt(0)\n";
const Register low = make([](unsigned i) { return 100 + i; }), high = make([](unsigned i) { return 200 + i; });
} // namespace

TEST(LdsSpecial, Exchange2) {
  Snippet s;
  s.in = {low, high, make([](unsigned i) { return 1000 + i; }), make([](unsigned i) { return 2000 + i; })};
  s.outputs = 4;
  s.body = filled + "  ds_wrxchg2_rtn_b32 v[40:41], v2, v12, v13 offset0:1 offset1:0\n  ds_read2_b32 v[42:43], v2 "
                    "offset1:1\n  s_waitcnt lgkmcnt(0)";
  EXPECT_EQ(runSnippet(s), (std::vector<Register>{high, low, s.in[3], s.in[2]}));
  // 64 bits, offsets in 64 elements: 0 and 512 bytes. The results go where the addresses are.
  s.body = filled +
           "  v_mov_b32 v44, v2\n  ds_wrxchg2st64_rtn_b64 v[44:47], v44, v[12:13], v[10:11] offset0:1 offset1:0\n  "
           "s_waitcnt lgkmcnt(0)\n"
           "  v_mov_b32 v40, v44\n  v_mov_b32 v41, v47\n  ds_read_b64 v[42:43], v2 offset:512\n  s_waitcnt lgkmcnt(0)";
  EXPECT_EQ(runSnippet(s), (std::vector<Register>{low, high, s.in[2], s.in[3]}));
}

/// The same of the other widths; DS_NOP does nothing.
TEST(LdsSpecial, Exchange2OfOtherWidths) {
  Snippet s;
  s.in = {low, high, make([](unsigned i) { return 1000 + i; }), make([](unsigned i) { return 2000 + i; })};
  s.outputs = 8;
  // 16 × lane: two pairs side by side.
  s.body =
      "  v_lshlrev_b32 v3, 2, v1\n  ds_write2_b64 v3, v[10:11], v[12:13] offset1:1\n  s_waitcnt lgkmcnt(0)\n  ds_nop\n"
      "  ds_wrxchg2_rtn_b64 v[40:43], v3, v[12:13], v[10:11] offset0:0 offset1:1\n  ds_read2_b64 v[44:47], v3 "
      "offset1:1\n  s_waitcnt lgkmcnt(0)";
  EXPECT_EQ(runSnippet(s), (std::vector<Register>{low, high, s.in[2], s.in[3], s.in[2], s.in[3], low, high}));
  // Offsets in 64 words: 256 and 512 bytes.
  s.outputs = 4;
  s.body = "  ds_write2st64_b32 v1, v10, v11 offset0:1 offset1:2\n  s_waitcnt lgkmcnt(0)\n  ds_wrxchg2st64_rtn_b32 "
           "v[40:41], v1, v12, v13 offset0:2 offset1:1\n"
           "  ds_read2st64_b32 v[42:43], v1 offset0:2 offset1:1\n  s_waitcnt lgkmcnt(0)";
  EXPECT_EQ(runSnippet(s), (std::vector<Register>{high, low, s.in[2], s.in[3]}));
}

/// Each word is written, without its highest bit, if that is set in the data.
TEST(LdsSpecial, ConditionalExchange) {
  Snippet s;
  s.in = {low, high, make([](unsigned i) { return (i & 1) << 31 | 7u; }),
          make([](unsigned i) { return (i & 2) << 30 | 9u; })};
  s.outputs = 4;
  s.body = filled + "  v_add_u32 v3, 4, v2\n  ds_condxchg32_rtn_b64 v[40:41], v3, v[12:13]\n  ds_read_b64 v[42:43], "
                    "v2\n  s_waitcnt lgkmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], low);
  EXPECT_EQ(got[1], high);
  EXPECT_EQ(got[2], make([](unsigned i) { return i & 1 ? 7u : 100 + i; }));
  EXPECT_EQ(got[3], make([](unsigned i) { return i & 2 ? 9u : 200 + i; }));
}

TEST(LdsSpecial, Wrap) {
  Snippet s;
  s.in = {low, high, make([](unsigned) { return 120; }), make([](unsigned i) { return i; })};
  s.outputs = 2;
  s.body = filled + "  ds_wrap_rtn_b32 v40, v2, v12, v13\n  ds_read_b32 v41, v2\n  s_waitcnt lgkmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], low);
  EXPECT_EQ(got[1], make([](unsigned i) { return 100 + i >= 120 ? 100 + i - 120 : 100 + 2 * i; }));
}

TEST(LdsSpecial, AddressesByLane) {
  Snippet s;
  s.in = {low, high};
  s.outputs = 2;
  s.body = "  s_mov_b32 m0, 0x100\n  s_nop 0\n  ds_write_addtid_b32 v10 offset:16\n  v_add_u32 v2, 0x110, v1\n  "
           "s_waitcnt lgkmcnt(0)\n  ds_read_b32 v40, v2\n  s_mov_b32 m0, 0x104\n  s_nop 0\n"
           "  ds_read_addtid_b32 v41 offset:16\n  s_waitcnt lgkmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], low);
  EXPECT_EQ(got[1], make([](unsigned i) { return i < 63 ? 101 + i : 0; }));
}

/// The lanes count as one: the number of active ones at once, and every one of these gets what was there before.
TEST(LdsSpecial, AppendAndConsume) {
  Snippet s;
  s.in = {low};
  s.outputs = 4;
  s.body = "  v_mov_b32 v40, -1\n  v_mov_b32 v41, -1\n  v_mov_b32 v42, -1\n  v_mov_b32 v3, 0x40\n  v_mov_b32 v4, "
           "1000\n  ds_write_b32 v3, v4\n  s_waitcnt lgkmcnt(0)\n  s_mov_b32 m0, 0x30\n"
           "  s_mov_b64 exec, 0xff\n  ds_append v40 offset:16\n  s_mov_b64 exec, 0xf00\n  ds_append v41 offset:16\n  "
           "s_mov_b64 exec, 3\n  ds_consume v42 offset:16\n  s_mov_b64 exec, -1\n"
           "  ds_read_b32 v43, v3\n  s_waitcnt lgkmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], make([](unsigned i) { return i < 8 ? 1000 : ~0u; }));
  EXPECT_EQ(got[1], make([](unsigned i) { return i / 4 == 2 ? 1008 : ~0u; }));
  EXPECT_EQ(got[2], make([](unsigned i) { return i < 2 ? 1012 : ~0u; }));
  EXPECT_EQ(got[3], all(1010));
}

namespace {
Register swizzled(unsigned offset, const std::string &before = "") {
  Snippet s;
  s.in = {make([](unsigned i) { return i + 1; })};
  s.body = before + "  ds_swizzle_b32 v40, v10 offset:" + std::to_string(offset) + "\n  s_waitcnt lgkmcnt(0)";
  return runSnippet(s)[0];
}
/// Sources, counted from 1, of the first 32 lanes as the ISA manual lists them; the second half does the same.
Register listed(const std::vector<uint32_t> &first) {
  return make([&](unsigned i) { return first[i % 32] + (i & 32); });
}
} // namespace

TEST(LdsSpecial, Swizzles) {
  EXPECT_EQ(swizzled(0xe000), listed({1, 17, 9,  25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31,
                                      2, 18, 10, 26, 6, 22, 14, 30, 4, 20, 12, 28, 8, 24, 16, 32}))
      << "FFT";
  EXPECT_EQ(swizzled(0xe010), listed({1,  9,  5,  13, 3,  11, 7,  15, 2,  10, 6,  14, 4,  12, 8,  16,
                                      17, 25, 21, 29, 19, 27, 23, 31, 18, 26, 22, 30, 20, 28, 24, 32}));
  EXPECT_EQ(swizzled(0xe01f), make([](unsigned i) { return i + 1; }));
  EXPECT_EQ(swizzled(0xc000 | 1 << 5), make([](unsigned i) { return (i & 32) + (i + 1) % 32 + 1; })) << "rotate left";
  EXPECT_EQ(swizzled(0xc000 | 1 << 10 | 1 << 5), make([](unsigned i) { return (i & 32) + (i + 31) % 32 + 1; }))
      << "rotate right";
  EXPECT_EQ(swizzled(0xc000 | 1 << 5 | 1), listed({1,  4,  3,  6,  5,  8,  7,  10, 9,  12, 11, 14, 13, 16, 15, 18,
                                                   17, 20, 19, 22, 21, 24, 23, 26, 25, 28, 27, 30, 29, 32, 31, 2}));
  EXPECT_EQ(swizzled(0x8000 | 0b00011011), make([](unsigned i) { return (i & ~3u) + (3 - i % 4) + 1; })) << "quads";
  EXPECT_EQ(swizzled(0x1f << 10 | 0x1f), make([](unsigned i) { return (i & 32) + 31 - i % 32 + 1; })) << "reversed";
  EXPECT_EQ(swizzled(3 << 5 | 0x18), make([](unsigned i) { return (i & ~7u) + 3 + 1; }))
      << "broadcast in groups of eight";
  // A lane that is off gives zero.
  EXPECT_EQ(swizzled(1 << 10 | 0x1f, "  v_mov_b32 v40, 0\n  s_mov_b64 exec, 1\n"), all(0));
}

/// Pairs of 32 or 64 bits, whose offsets count elements or 64 elements.
TEST(LdsSpecial, Pairs) {
  Snippet s;
  s.in = {low, high, make([](unsigned i) { return 1000 + i; }), make([](unsigned i) { return 2000 + i; })};
  s.outputs = 8;
  // 8 × lane; the second of each pair 512 bytes on.
  s.body = "  v_lshlrev_b32 v2, 1, v1\n  ds_write2st64_b64 v2, v[10:11], v[12:13] offset1:1\n  s_waitcnt lgkmcnt(0)\n  "
           "ds_read2_b64 v[40:43], v2 offset1:64\n  ds_read2st64_b64 v[44:47], v2 offset0:1 offset1:0\n  s_waitcnt "
           "lgkmcnt(0)";
  EXPECT_EQ(runSnippet(s), (std::vector<Register>{low, high, s.in[2], s.in[3], s.in[2], s.in[3], low, high}));
  // 4 × lane; 256 bytes on.
  s.body = "  ds_write2st64_b32 v1, v10, v12 offset0:1 offset1:2\n  v_lshlrev_b32 v2, 1, v1\n  ds_write2_b64 v2, "
           "v[10:11], v[12:13] offset0:128 offset1:192\n  s_waitcnt lgkmcnt(0)\n"
           "  ds_read2st64_b32 v[40:41], v1 offset0:2 offset1:1\n  ds_read2_b32 v[42:43], v1 offset0:64 offset1:128\n  "
           "ds_read_b64 v[44:45], v2 offset:1024\n  ds_read_b64 v[46:47], v2 offset:1536\n  s_waitcnt lgkmcnt(0)";
  EXPECT_EQ(runSnippet(s), (std::vector<Register>{s.in[2], low, low, s.in[2], low, high, s.in[2], s.in[3]}));
}

/// Twice the same offset is one access: the second data isn't written.
TEST(LdsSpecial, PairAtOnePlace) {
  Snippet s;
  s.in = {low, high};
  s.outputs = 2;
  s.body = "  ds_write2_b32 v1, v10, v11 offset0:64 offset1:64\n  s_waitcnt lgkmcnt(0)\n  ds_read2_b32 v[40:41], v1 "
           "offset0:64 offset1:64\n  s_waitcnt lgkmcnt(0)";
  EXPECT_EQ(runSnippet(s), (std::vector<Register>{low, low}));
}

/// To the lane that the address names, a multiple of four; of several the highest wins, lanes that are off send
/// nothing, and who gets nothing gets zero.
TEST(LdsSpecial, PermuteSends) {
  Snippet s;
  s.in = {low, make([](unsigned i) { return 4 * (63 - i) + 256 * i; }), make([](unsigned i) { return i / 4 * 4; })};
  s.outputs = 3;
  s.body = "  ds_permute_b32 v40, v11, v10\n  ds_permute_b32 v41, v12, v10 offset:8\n  v_mov_b32 v42, 7\n  s_mov_b64 "
           "exec, 0xff\n  ds_permute_b32 v42, v11, v10 offset:32\n  s_mov_b64 exec, -1\n  s_waitcnt lgkmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], make([](unsigned i) { return 100 + 63 - i; }));
  EXPECT_EQ(got[1], make([](unsigned i) { return i >= 2 && i < 18 ? 100 + 4 * (i - 2) + 3 : 0; }));
  // Lane i sends to 63 - i + 8 = 71 - i, which wraps to 7 - i.
  EXPECT_EQ(got[2], make([](unsigned i) { return i < 8 ? 100 + 7 - i : 7; }));
}
