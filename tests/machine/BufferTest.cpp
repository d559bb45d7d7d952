// Buffer descriptors: what is in range, and where swizzling and indices lead (ISA manuals, "Buffer addressing").
#include "Snippet.h"
#include "gtest/gtest.h"
#include <functional>

using namespace inflight::machine::test;

namespace {
/// The input: word i of memory is i.
std::vector<Register> words() {
  std::vector<Register> in(4);
  for (unsigned i = 0; i < 256; ++i)
    in[i / 64][i % 64] = i;
  return in;
}
struct Descriptor {
  unsigned records, stride = 0;
  bool swizzled = false, addTid = false;
  unsigned indexStride = 0, elementSize = 0; ///< as the fields say: 8, 16, 32, 64; 2, 4, 8, 16
};
/// In s[8:11]; DST_SEL X, Y, Z, W and a format of 32 bits, float.
std::string set(const Descriptor &d) {
  const unsigned word1 = d.stride << 16 | unsigned(d.swizzled) << 31;
  const unsigned word3 = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 7 << 12 | 4 << 15 | d.elementSize << 19 | d.indexStride << 21 |
                         unsigned(d.addTid) << 23;
  return "  s_mov_b32 s8, s2\n  s_or_b32 s9, s3, " + std::to_string(word1) + "\n  s_mov_b32 s10, " +
         std::to_string(d.records) + "\n  s_mov_b32 s11, " + std::to_string(word3) + "\n";
}
/// v2 is the lane, v3 four times the lane.
const std::string lanes1 = "  v_lshrrev_b32 v2, 2, v1\n  v_mov_b32 v3, v1\n";
std::vector<Register> run(const Descriptor &d, const std::string &body, unsigned outputs = 1,
                          const std::string &chip = "gfx942") {
  Snippet s;
  s.chip = chip;
  s.in = words();
  s.outputs = outputs;
  s.body = set(d) + lanes1 + body + "\n  s_waitcnt vmcnt(0)";
  return runSnippet(s);
}
Register make(const std::function<uint32_t(unsigned)> &value) {
  Register r;
  for (unsigned i = 0; i < 64; ++i)
    r[i] = value(i);
  return r;
}
} // namespace

/// Without stride the size is in bytes, and the SGPR offset counts.
TEST(Buffer, RawRange) {
  EXPECT_EQ(run({40}, "  buffer_load_dword v40, v3, s[8:11], 0 offen")[0],
            make([](unsigned i) { return i < 10 ? i : 0; }));
  EXPECT_EQ(run({40}, "  s_mov_b32 s12, 8\n  buffer_load_dword v40, v3, s[8:11], s12 offen offset:4")[0],
            make([](unsigned i) { return i < 7 ? i + 3 : 0; }));
  EXPECT_EQ(run({41}, "  buffer_load_ubyte v40, v3, s[8:11], 0 offen")[0],
            make([](unsigned i) { return i < 11 ? i : 0; }));
  EXPECT_EQ(run({41}, "  buffer_load_ushort v40, v3, s[8:11], 0 offen")[0],
            make([](unsigned i) { return i < 10 ? i : 0; }));
}

/// Dwords of one load are checked by themselves; a typed element is in or out as a whole.
TEST(Buffer, PartlyInRange) {
  std::vector<Register> got = run({40}, "  buffer_load_dwordx3 v[40:42], v3, s[8:11], 0 offen", 3);
  for (unsigned k = 0; k < 3; ++k)
    EXPECT_EQ(got[k], make([&](unsigned i) { return i + k < 10 ? i + k : 0; })) << k;
  got = run(
      {40},
      "  tbuffer_load_format_xyz v[40:42], v3, s[8:11], 0 format:[BUF_DATA_FORMAT_32_32_32,BUF_NUM_FORMAT_UINT] offen",
      3);
  for (unsigned k = 0; k < 3; ++k)
    EXPECT_EQ(got[k], make([&](unsigned i) { return i + 2 < 10 ? i + k : 0; })) << k;
}

/// With a stride and an index the size counts records, and the offset in a record isn't checked.
TEST(Buffer, StructuredRange) {
  EXPECT_EQ(run({10, 8}, "  buffer_load_dword v40, v2, s[8:11], 0 idxen offset:4")[0],
            make([](unsigned i) { return i < 10 ? 2 * i + 1 : 0; }));
  EXPECT_EQ(run({10, 8}, "  buffer_load_dword v40, v2, s[8:11], 0 idxen offset:12")[0],
            make([](unsigned i) { return i < 10 ? 2 * i + 3 : 0; }));
  // Without an index instruction bit the size is in bytes, stride or not.
  EXPECT_EQ(run({40, 8}, "  buffer_load_dword v40, v3, s[8:11], 0 offen")[0],
            make([](unsigned i) { return i < 10 ? i : 0; }));
  // Both: the index is in the first register, the offset in the second.
  EXPECT_EQ(run({10, 8}, "  v_and_b32 v3, 4, v3\n  buffer_load_dword v40, v[2:3], s[8:11], 0 idxen offen")[0],
            make([](unsigned i) { return i < 10 ? 2 * i + i % 2 : 0; }));
}

/// Elements of 4 bytes, 8 indices side by side: element e of index i is at
/// ((i / 8 × stride) + e × 4) × 8 + i % 8 × 4. Offsets from the stride on are out of range.
TEST(Buffer, Swizzled) {
  const Descriptor d{64, 16, true, false, 0, 1};
  EXPECT_EQ(run(d, "  buffer_load_dword v40, v2, s[8:11], 0 idxen offset:8")[0],
            make([](unsigned i) { return ((i / 8 * 16 + 2 * 4) * 8 + i % 8 * 4) / 4; }));
  EXPECT_EQ(run(d, "  buffer_load_dword v40, v2, s[8:11], 0 idxen offset:16")[0], all(0));
  // The lane as index: 64 lanes side by side.
  EXPECT_EQ(run({64, 16, true, true, 3, 1}, "  buffer_load_dword v40, off, s[8:11], 0 offset:4")[0],
            make([](unsigned i) { return 64 + i; }));
}

/// Without an index, of the instruction or of the lane, swizzling does nothing: addresses are linear and the size is in
/// bytes.
TEST(Buffer, SwizzledWithoutIndex) {
  const Descriptor d{40, 8, true, false, 0, 2};
  EXPECT_EQ(run(d, "  buffer_load_dword v40, v3, s[8:11], 0 offen")[0],
            make([](unsigned i) { return i < 10 ? i : 0; }));
  std::vector<Register> got =
      run(d, "  v_lshlrev_b32 v4, 3, v2\n  buffer_load_dwordx2 v[40:41], v4, s[8:11], 0 offen", 2);
  EXPECT_EQ(got[1], make([](unsigned i) { return i < 5 ? 2 * i + 1 : 0; }));
  EXPECT_EQ(run(d, "  s_mov_b32 m0, 0\n  s_nop 0\n  buffer_load_dword v3, s[8:11], 0 offen lds\n  s_waitcnt vmcnt(0)\n "
                   " ds_read_b32 v40, v3\n  s_waitcnt lgkmcnt(0)")[0],
            make([](unsigned i) { return i < 10 ? i : 0; }));
}

/// The lane's number is added to the index; the stride then has four more bits where the data format was.
TEST(Buffer, AddTid) {
  Descriptor d{64, 8, false, true};
  const std::string clearFormat = "  s_and_b32 s11, s11, 0xfff87fff\n";
  EXPECT_EQ(run(d, clearFormat + "  buffer_load_dword v40, off, s[8:11], 0 offset:4")[0],
            make([](unsigned i) { return 2 * i + 1; }));
  d.records = 20;
  EXPECT_EQ(run(d, clearFormat + "  v_mov_b32 v2, 1\n  buffer_load_dword v40, v2, s[8:11], 0 idxen")[0],
            make([](unsigned i) { return i < 19 ? 2 * i + 2 : 0; }));
}

/// Stores and atomics out of range do nothing; an atomic's result is then zero.
TEST(Buffer, StoresAndAtomics) {
  const std::string back = "\n  s_waitcnt vmcnt(0)\n  global_load_dword v41, v1, s[2:3]";
  std::vector<Register> got = run(
      {40}, "  v_mov_b32 v40, 0\n  v_add_u32 v4, 1000, v2\n  buffer_store_dword v4, v3, s[8:11], 0 offen" + back, 2);
  EXPECT_EQ(got[1], make([](unsigned i) { return i < 10 ? 1000 + i : i; }));
  got = run({40}, "  v_mov_b32 v40, 100\n  buffer_atomic_add v40, v3, s[8:11], 0 offen sc0" + back, 2);
  EXPECT_EQ(got[0], make([](unsigned i) { return i < 10 ? i : 0; }));
  EXPECT_EQ(got[1], make([](unsigned i) { return i < 10 ? 100 + i : i; }));
}

/// LDS DMA of 1, 2 and 4 bytes, and of 12 and 16 on gfx950: one dword a lane, extended; the immediate counts in both
/// memory and LDS; with 12 bytes a lane has a place of 16.
TEST(Buffer, LdsDma) {
  struct Row {
    const char *chip, *suffix;
    unsigned bytes, step;
    bool isSigned;
  };
  for (const Row &row : {Row{"gfx942", "ubyte", 1, 4, false},
                         {"gfx942", "sbyte", 1, 4, true},
                         {"gfx942", "ushort", 2, 4, false},
                         {"gfx942", "sshort", 2, 4, true},
                         {"gfx942", "dword", 4, 4, false},
                         {"gfx950", "dwordx3", 12, 16, false},
                         {"gfx950", "dwordx4", 16, 16, false}}) {
    for (bool global : {false, true}) {
      Snippet s;
      s.chip = row.chip;
      s.in = words();
      for (unsigned i = 0; i < 256; ++i)
        s.in[i / 64][i % 64] = i * 0x01030507u + 0x80;
      const std::string step = std::to_string(row.step);
      s.body = set({1024}) + lanes1 + "  v_mul_u32_u24 v4, " + step + ", v2\n  s_mov_b32 m0, 0x100\n  s_nop 0\n" +
               (global ? std::string("  global_load_lds_") + row.suffix + " v4, s[2:3] offset:16"
                       : std::string("  buffer_load_") + row.suffix + " v4, s[8:11], 0 offen offset:16 lds") +
               "\n  s_waitcnt vmcnt(0)\n  ds_read_b32 v40, v4 offset:272\n  s_waitcnt lgkmcnt(0)";
      Register got = runSnippet(s)[0];
      for (unsigned lane = 0; lane < 64; ++lane) {
        const unsigned at = row.step * lane / 4 + 4;
        if (at >= 256)
          continue;
        uint32_t word = s.in[at / 64][at % 64];
        if (row.bytes == 1)
          word = row.isSigned ? uint32_t(int32_t(int8_t(word))) : word & 0xff;
        if (row.bytes == 2)
          word = row.isSigned ? uint32_t(int32_t(int16_t(word))) : word & 0xffff;
        EXPECT_EQ(got[lane], word) << row.suffix << (global ? " global" : " buffer") << " lane " << lane;
      }
    }
  }
}

/// The other way, on gfx90a.
TEST(Buffer, StoreFromLds) {
  Snippet s;
  s.chip = "gfx90a";
  s.in = words();
  s.body = set({128}) +
           "  v_add_u32 v2, 0x100, v1\n  v_lshlrev_b32 v3, 1, v1\n  ds_write_b32 v2, v3\n  s_waitcnt lgkmcnt(0)\n  "
           "s_mov_b32 m0, 0xf0\n  s_nop 0\n  buffer_store_lds_dword s[8:11], 0 offset:16 lds\n"
           "  s_waitcnt vmcnt(0)\n  global_load_dword v40, v1, s[2:3]\n  s_waitcnt vmcnt(0)";
  EXPECT_EQ(runSnippet(s)[0], make([](unsigned i) { return i == 4 ? 2 * 4 * 63u : i; }))
      << "without an offset by lane all lanes write one place, the last one last";
}

/// On gfx950 M0 reaches beyond 64 KiB of LDS.
TEST(Buffer, LdsDmaToLargeLds) {
  Snippet s;
  s.chip = "gfx950";
  s.in = words();
  s.directives = "  .amdhsa_group_segment_fixed_size 0x20000\n";
  s.body = set({256}) + "  s_mov_b32 m0, 0x11000\n  s_nop 0\n  buffer_load_dword v1, s[8:11], 0 offen lds\n  s_waitcnt "
                        "vmcnt(0)\n  v_add_u32 v2, 0x11000, v1\n  ds_read_b32 v40, v2\n  s_waitcnt lgkmcnt(0)";
  EXPECT_EQ(runSnippet(s)[0], make([](unsigned i) { return i; }));
}
