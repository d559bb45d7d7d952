// Loads and stores: what each lane gets, active or not, in range or not.
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {
/// v1 holds 4 × lane; this makes v2 = 16 × lane.
const std::string laneTimes16 = "  v_lshlrev_b32 v2, 2, v1\n";
/// Word i of lane l is 1000 i + l in v10…v13.
std::vector<Register> fourWords() {
  std::vector<Register> in(4);
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned lane = 0; lane < 64; ++lane)
      in[i][lane] = 1000 * i + lane;
  return in;
}
std::string registers(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}
/// Clears v40…v43.
const std::string cleared = "  v_mov_b32 v40, 0\n  v_mov_b32 v41, 0\n  v_mov_b32 v42, 0\n  v_mov_b32 v43, 0\n";
} // namespace

/// Each width through LDS, only odd lanes reading back.
TEST(Memory, LdsWidthsAndExec) {
  for (unsigned words = 1; words <= 4; ++words) {
    const std::string width = std::to_string(32 * words);
    Snippet s;
    s.in = fourWords();
    s.outputs = 4;
    s.body = laneTimes16 + cleared + "  ds_write_b" + width + " v2, " + registers(10, words) +
             "\n  s_waitcnt lgkmcnt(0)\n"
             "  s_mov_b32 exec_lo, 0xaaaaaaaa\n  s_mov_b32 exec_hi, 0xaaaaaaaa\n  ds_read_b" +
             width + " " + registers(40, words) + ", v2\n  s_waitcnt lgkmcnt(0)";
    std::vector<Register> got = runSnippet(s);
    for (unsigned i = 0; i < 4; ++i)
      for (unsigned lane = 0; lane < 64; ++lane)
        EXPECT_EQ(got[i][lane], i < words && lane % 2 ? 1000 * i + lane : 0u) << words << " words, lane " << lane;
  }
}

/// Of lanes that write to one place the last one wins; places beyond the allocation read zero.
TEST(Memory, LdsOrderAndRange) {
  Snippet s;
  s.in = fourWords();
  s.outputs = 2;
  s.body = "  v_mov_b32 v2, 8\n  ds_write_b64 v2, v[10:11]\n  v_mov_b32 v3, 0x1000\n  s_waitcnt lgkmcnt(0)\n  "
           "ds_read_b32 v40, v2\n  ds_read_b32 v41, v3\n  s_waitcnt lgkmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  EXPECT_EQ(got[0], all(63));
  EXPECT_EQ(got[1], all(0));
}

TEST(Memory, LdsPairsAndParts) {
  Snippet s;
  s.in = fourWords();
  s.outputs = 6;
  s.body = laneTimes16 +
           "  ds_write2_b32 v2, v10, v11 offset1:2\n  v_mov_b32 v44, -1\n  v_mov_b32 v45, -1\n  s_waitcnt lgkmcnt(0)\n"
           "  ds_read2_b32 v[40:41], v2 offset1:2\n  ds_read_u16 v42, v2 offset:8\n  ds_read_i8 v43, v2 offset:8\n  "
           "ds_read_u16_d16 v44, v2 offset:8\n  ds_read_u8_d16_hi v45, v2 offset:8\n  s_waitcnt lgkmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  for (unsigned lane = 0; lane < 64; ++lane) {
    uint32_t second = 1000 + lane;
    EXPECT_EQ(got[0][lane], lane);
    EXPECT_EQ(got[1][lane], second);
    EXPECT_EQ(got[2][lane], second & 0xffff);
    EXPECT_EQ(got[3][lane], uint32_t(int8_t(second)));
    EXPECT_EQ(got[4][lane], 0xffff0000u | second);
    EXPECT_EQ(got[5][lane], 0xffffu | (second & 0xff) << 16);
  }
}

/// A raw buffer of 20 bytes at the start of the input: words of a lane are checked one by one.
TEST(Memory, BufferRange) {
  Snippet s;
  s.in = fourWords();
  s.outputs = 4;
  s.body = laneTimes16 + "  s_mov_b32 s8, s2\n  s_mov_b32 s9, s3\n  s_mov_b32 s10, 20\n  s_mov_b32 s11, 0x27000\n"
                         "  buffer_load_dwordx4 v[40:43], v2, s[8:11], 0 offen\n  s_waitcnt vmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned lane = 0; lane < 64; ++lane)
      EXPECT_EQ(got[i][lane], 4 * lane + i < 5 ? 4 * lane + i : 0u) << "word " << i << " lane " << lane;
}

/// Stores of all widths to the input's memory, half of the lanes, and back.
TEST(Memory, GlobalStores) {
  for (unsigned words = 1; words <= 4; ++words) {
    const std::string suffix = words == 1 ? "" : "x" + std::to_string(words);
    Snippet s;
    s.in = fourWords();
    s.outputs = 4;
    s.body = laneTimes16 + cleared + "  s_mov_b32 exec_hi, 0\n  global_store_dword" + suffix + " v2, " +
             registers(10, words) +
             ", s[2:3]\n  s_waitcnt vmcnt(0)\n"
             "  s_mov_b64 exec, -1\n  global_load_dword" +
             suffix + " " + registers(40, words) + ", v2, s[2:3]\n  s_waitcnt vmcnt(0)";
    std::vector<Register> got = runSnippet(s);
    for (unsigned i = 0; i < words; ++i)
      for (unsigned lane = 0; lane < 64; ++lane) {
        unsigned place = 4 * lane + i, before = 1000 * (place / 64) + place % 64;
        EXPECT_EQ(got[i][lane], lane < 32 ? 1000 * i + lane : before) << words << " words, lane " << lane;
      }
  }
}

/// One lane outside every allocation is a fault that names it; a lane that is off is not.
TEST(Memory, FaultNamesTheLane) {
  Snippet s;
  s.in = {all(0)};
  s.body = "  v_mov_b32 v2, 0\n  v_mov_b32 v3, 0x7fffffff\n  s_mov_b64 vcc, 0x20\n  v_cndmask_b32 v2, v2, v3, vcc\n  "
           "global_load_dword v40, v2, s[2:3]\n  s_waitcnt vmcnt(0)";
  std::string message;
  runSnippet(s, &message);
  EXPECT_NE(message.find("lane 5"), std::string::npos) << message;
  s.body.replace(s.body.find("  global_load"), 0, "  s_mov_b64 exec, 1\n");
  EXPECT_EQ(runSnippet(s)[0][0], 0u);
}

/// What is for caches alone changes nothing.
TEST(Memory, CacheControl) {
  Snippet s;
  s.chip = "gfx90a";
  s.in = {iota()};
  s.body = "  global_load_dword v40, v1, s[2:3]\n  buffer_wbinvl1\n  buffer_wbinvl1_vol\n  buffer_invl2\n  "
           "buffer_wbl2\n  s_waitcnt vmcnt(0)";
  EXPECT_EQ(runSnippet(s)[0], iota());
}

/// LDS DMA puts the lanes' dwords one after another.
TEST(Memory, LdsDma) {
  Snippet s;
  s.in = fourWords();
  s.body = "  v_sub_u32 v2, 0xfc, v1\n  s_mov_b32 m0, 0x40\n  s_mov_b32 s8, s2\n  s_mov_b32 s9, s3\n  s_mov_b32 s10, "
           "0x100\n  s_mov_b32 s11, 0x27000\n"
           "  buffer_load_dword v2, s[8:11], 0 offen lds\n  s_waitcnt vmcnt(0)\n  ds_read_b32 v40, v1 offset:64\n  "
           "s_waitcnt lgkmcnt(0)";
  Register got = runSnippet(s)[0];
  for (unsigned lane = 0; lane < 64; ++lane)
    EXPECT_EQ(got[lane], 63 - lane);
}

/// From scratch, each lane its own bytes; less than a dword is extended to one, and the instruction's offset counts in
/// LDS, too.
TEST(Memory, LdsDmaFromScratch) {
  for (const char *chip : {"gfx942", "gfx950"}) {
    Snippet s;
    s.chip = chip;
    s.directives = "  .amdhsa_enable_private_segment 1\n  .amdhsa_private_segment_fixed_size 64\n";
    s.in = {fourWords()[1], lanes({0x8081ff7f, 0x12345680})};
    s.outputs = 6;
    s.body = "  v_mov_b32 v4, 0x1ff\n  scratch_store_dword off, v4, off offset:12\n  scratch_store_dword off, v10, off "
             "offset:8\n  scratch_store_dword off, v11, off offset:16\n  v_mov_b32 v3, 12\n  s_mov_b32 s20, 8\n  "
             "s_waitcnt vmcnt(0)\n"
             "  s_mov_b32 m0, 0x40\n  s_nop 0\n  scratch_load_lds_dword off, s20\n  s_mov_b32 m0, 0x200\n  s_nop 0\n  "
             "scratch_load_lds_dword v3, off offset:4\n"
             "  s_mov_b32 m0, 0x400\n  s_nop 0\n  scratch_load_lds_sbyte off, off offset:16\n  s_mov_b32 m0, 0x600\n  "
             "s_nop 0\n  scratch_load_lds_ushort off, off offset:16\n"
             "  s_mov_b32 m0, 0x800\n  s_nop 0\n  scratch_load_lds_ubyte v3, off\n  s_mov_b32 m0, 0xa00\n  s_nop 0\n  "
             "scratch_load_lds_sshort v3, off offset:4\n  s_waitcnt vmcnt(0)\n"
             "  ds_read_b32 v40, v1 offset:64\n  ds_read_b32 v41, v1 offset:0x204\n  ds_read_b32 v42, v1 "
             "offset:0x410\n  ds_read_b32 v43, v1 offset:0x610\n  ds_read_b32 v44, v1 offset:0x800\n  ds_read_b32 v45, "
             "v1 offset:0xa04\n  s_waitcnt lgkmcnt(0)";
    std::vector<Register> got = runSnippet(s);
    for (unsigned lane = 0; lane < 64; ++lane) {
      EXPECT_EQ(got[0][lane], 1000 + lane) << chip;
      EXPECT_EQ(got[1][lane], s.in[1][lane]) << chip;
      EXPECT_EQ(got[2][lane], uint32_t(int8_t(s.in[1][lane]))) << chip;
      EXPECT_EQ(got[3][lane], s.in[1][lane] & 0xffff) << chip;
      EXPECT_EQ(got[4][lane], 0xffu) << chip;
      EXPECT_EQ(got[5][lane], uint32_t(int16_t(s.in[1][lane]))) << chip;
    }
  }
}
