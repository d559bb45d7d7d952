// Where LDS ends: the size a kernel asks for is rounded up to the chip's granule, and what lies beyond reads zero and
// ignores writes. And addresses that are no multiple of the access, which the runtime's unaligned mode allows.
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {
/// A kernel with 100 bytes of LDS.
Snippet small(const std::string &chip) {
  Snippet s;
  s.chip = chip;
  s.directives = "  .amdhsa_group_segment_fixed_size 100\n";
  return s;
}
struct Chip {
  const char *name;
  unsigned granule;
};
const Chip chips[] = {{"gfx90a", 512}, {"gfx942", 512}, {"gfx950", 1280}}; // ISA manuals, "Local data share"
} // namespace

/// The last dword of the granule exists; the next one doesn't.
TEST(LdsRange, AllocationEndsWithTheGranule) {
  for (const Chip &chip : chips) {
    Snippet s = small(chip.name);
    s.outputs = 4;
    s.body = "  v_mov_b32 v2, 0x64\n  v_mov_b32 v3, " + std::to_string(chip.granule - 4) + "\n  v_mov_b32 v4, " +
             std::to_string(chip.granule) +
             "\n  v_mov_b32 v5, 11\n  v_mov_b32 v6, 22\n  v_mov_b32 v7, 33\n  v_mov_b32 v42, -1\n"
             "  ds_write_b32 v2, v5\n  ds_write_b32 v3, v6\n  ds_write_b32 v4, v7\n  s_waitcnt lgkmcnt(0)\n"
             "  ds_read_b32 v40, v2\n  ds_read_b32 v41, v3\n  ds_read_b32 v42, v4\n  ds_read_b32 v43, v3 offset:4\n  "
             "s_waitcnt lgkmcnt(0)";
    std::vector<Register> got = runSnippet(s);
    EXPECT_EQ(got[0], all(11)) << chip.name;
    EXPECT_EQ(got[1], all(22)) << chip.name;
    EXPECT_EQ(got[2], all(0)) << chip.name;
    EXPECT_EQ(got[3], all(0)) << chip.name;
  }
}

/// Every kind of access beyond the end: zero comes back, and nothing changes before the end or at address 0.
TEST(LdsRange, BeyondTheEnd) {
  for (const Chip &chip : chips) {
    Snippet s = small(chip.name);
    s.outputs = 12;
    const std::string end = std::to_string(chip.granule);
    s.body = "  v_mov_b32 v2, 0\n  v_mov_b32 v3, " + std::to_string(chip.granule - 4) + "\n  v_mov_b32 v4, " + end +
             "\n  v_mov_b32 v5, 11\n  v_mov_b32 v6, 22\n  v_mov_b32 v7, 33\n  v_mov_b32 v8, 44\n  v_mov_b32 v9, 55\n";
    for (unsigned r = 40; r < 50; ++r)
      s.body += "  v_mov_b32 v" + std::to_string(r) + ", -1\n";
    s.body += "  ds_write_b32 v2, v5\n  ds_write_b32 v3, v5\n  s_waitcnt lgkmcnt(0)\n"
              "  ds_write_b8 v4, v6\n  ds_write_b16 v4, v6 offset:2\n  ds_write_b64 v4, v[6:7]\n  ds_write_b128 v4, "
              "v[6:9]\n  ds_write2_b32 v4, v6, v7 offset1:1\n  ds_add_u32 v4, v6\n  ds_max_u32 v4, v6\n"
              "  ds_add_rtn_u32 v40, v4, v6\n  ds_wrxchg_rtn_b64 v[42:43], v4, v[6:7]\n  ds_read_u8 v41, v4\n  "
              "ds_read_b128 v[44:47], v4\n  ds_read2_b32 v[48:49], v4 offset1:9\n"
              "  ds_read_b32 v50, v2\n  ds_read_b32 v51, v3\n  s_waitcnt lgkmcnt(0)";
    std::vector<Register> got = runSnippet(s);
    for (unsigned r = 0; r < 10; ++r)
      EXPECT_EQ(got[r], all(0)) << chip.name << " v" << 40 + r;
    EXPECT_EQ(got[10], all(11)) << chip.name;
    EXPECT_EQ(got[11], all(11)) << chip.name;
  }
}

/// Some lanes in range, some not; offsets may wrap a negative base round to where LDS is.
TEST(LdsRange, LanesByThemselves) {
  Snippet s = small("gfx942");
  s.outputs = 2;
  s.body = "  v_lshlrev_b32 v2, 2, v1\n  v_add_u32 v3, 1, v1\n  ds_write_b32 v2, v3\n  v_mov_b32 v40, -1\n  s_waitcnt "
           "lgkmcnt(0)\n  ds_read_b32 v40, v2\n" // 16 × lane
           "  v_sub_u32 v4, v2, 16\n  ds_read_b32 v41, v4 offset:16\n  s_waitcnt lgkmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  for (unsigned lane = 0; lane < 64; ++lane) {
    EXPECT_EQ(got[0][lane], lane < 32 ? 4 * lane + 1 : 0) << lane;
    EXPECT_EQ(got[1][lane], lane < 32 ? 4 * lane + 1 : 0) << lane;
  }
}

/// Any address for accesses of 2 to 16 bytes: byte i of LDS is i.
TEST(LdsRange, Unaligned) {
  for (const Chip &chip : chips)
    for (unsigned shift : {1u, 2u, 3u, 4u, 5u, 8u, 13u}) {
      Snippet s;
      s.chip = chip.name;
      s.in = {Register{}};
      for (unsigned lane = 0; lane < 64; ++lane)
        s.in[0][lane] = 4 * lane * 0x01010101u + 0x03020100u;
      s.outputs = 17;
      const std::string at = " offset:" + std::to_string(shift);
      s.body =
          "  ds_write_b32 v1, v10\n  ds_write_b32 v1, v10 offset:256\n  s_waitcnt lgkmcnt(0)\n  ds_read_u16 v40, v1" +
          at + "\n  ds_read_b32 v41, v1" + at + "\n  ds_read_b64 v[42:43], v1" + at + "\n  ds_read_b96 v[44:46], v1" +
          at + "\n  ds_read_b128 v[48:51], v1" + at + "\n  v_add_u32 v2, " + std::to_string(shift) +
          ", v1\n  ds_read2_b32 v[52:53], v2 offset1:2\n"
          "  s_waitcnt lgkmcnt(0)\n  v_lshlrev_b32 v3, 2, v1\n  v_mov_b32 v20, 0x44332211\n  v_mov_b32 v21, "
          "0x88776655\n  ds_write_b64 v3, v[20:21]" +
          at +
          "\n  s_waitcnt lgkmcnt(0)\n"
          "  ds_read_u8 v54, v3" +
          at + "\n  ds_read_u8 v55, v3 offset:" + std::to_string(shift + 7) +
          "\n  ds_read_u8 v56, v3 offset:" + std::to_string(shift + 8) + "\n  s_waitcnt lgkmcnt(0)";
      // Only the first 64 × 16 bytes are written to, of which the first 512 were filled before.
      std::vector<Register> got = runSnippet(s);
      auto word = [&](unsigned byte) {
        uint32_t value = 0;
        for (unsigned i = 0; i < 4; ++i)
          value |= (byte + i & 0xff) << (8 * i);
        return value;
      };
      for (unsigned lane = 0; lane < 64; ++lane) {
        const unsigned byte = 4 * lane + shift;
        EXPECT_EQ(got[0][lane], word(byte) & 0xffff);
        EXPECT_EQ(got[1][lane], word(byte));
        for (auto [first, count] : {std::pair(2u, 2u), {4u, 3u}, {8u, 4u}})
          for (unsigned i = 0; i < count; ++i)
            EXPECT_EQ(got[first + i][lane], word(byte + 4 * i))
                << chip.name << " shift " << shift << " words " << count;
        EXPECT_EQ(got[12][lane], word(byte));
        EXPECT_EQ(got[13][lane], word(byte + 8));
        EXPECT_EQ(got[14][lane], 0x11u);
        EXPECT_EQ(got[15][lane], 0x88u);
        const unsigned after = 16 * lane + shift + 8;
        if (after < 512)
          EXPECT_EQ(got[16][lane], after & 0xff);
      }
    }
}
