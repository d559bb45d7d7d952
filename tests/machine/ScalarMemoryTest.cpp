// Scalar stores and atomics, and the ranges of scalar buffers.
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {
/// The input as a buffer of so many bytes (or records of `stride`) in s[8:11].
std::string descriptor(unsigned records, unsigned stride = 0) {
  return "  s_mov_b32 s8, s2\n  s_mov_b32 s9, s3\n  s_or_b32 s9, s9, " + std::to_string(stride << 16) +
         "\n  s_mov_b32 s10, " + std::to_string(records) + "\n  s_mov_b32 s11, 0x27000\n";
}
/// The input, words 0 to 63, after the body.
Register after(const std::string &body, const std::string &chip = "gfx942") {
  Snippet s;
  s.chip = chip;
  s.in = {iota()};
  s.body = body + "\n  s_waitcnt lgkmcnt(0)\n  s_dcache_wb\n  global_load_dword v40, v1, s[2:3]\n  s_waitcnt vmcnt(0)";
  return runSnippet(s)[0];
}
/// s20 to s23 after the body.
std::array<uint32_t, 4> words(const std::string &body) {
  Snippet s;
  s.in = {iota()};
  s.outputs = 4;
  s.body = body + "\n  s_waitcnt lgkmcnt(0)\n  v_mov_b32 v40, s20\n  v_mov_b32 v41, s21\n  v_mov_b32 v42, s22\n  "
                  "v_mov_b32 v43, s23";
  std::vector<Register> got = runSnippet(s);
  return {got[0][0], got[1][0], got[2][0], got[3][0]};
}
using Four = std::array<uint32_t, 4>;
} // namespace

TEST(ScalarMemory, Stores) {
  Register expected = iota();
  expected[1] = 100, expected[6] = 101, expected[7] = 102;
  for (unsigned i = 0; i < 4; ++i)
    expected[12 + i] = 100 + i;
  EXPECT_EQ(after("  s_mov_b32 s20, 100\n  s_mov_b32 s21, 101\n  s_mov_b32 s22, 102\n  s_mov_b32 s23, 103\n  s_mov_b32 "
                  "s30, 8\n  s_mov_b32 s24, s21\n  s_mov_b32 s25, s22\n"
                  "  s_store_dword s20, s[2:3], 0x4\n  s_store_dwordx2 s[24:25], s[2:3], s30 offset:0x10\n  "
                  "s_store_dwordx4 s[20:23], s[2:3], 0x30"),
            expected);
}

/// Of a store to a buffer of 12 bytes from byte 4 on, two of four dwords are in range.
TEST(ScalarMemory, BufferRanges) {
  Register expected = iota();
  expected[1] = 100, expected[2] = 101;
  EXPECT_EQ(after(descriptor(12) + "  s_mov_b32 s20, 100\n  s_mov_b32 s21, 101\n  s_mov_b32 s22, 102\n  s_mov_b32 s23, "
                                   "103\n  s_buffer_store_dwordx4 s[20:23], s[8:11], 0x4"),
            expected);
  EXPECT_EQ(words(descriptor(12) + "  s_buffer_load_dwordx4 s[20:23], s[8:11], 0x4"), (Four{1, 2, 0, 0}));
  // With a stride the size counts records.
  EXPECT_EQ(words(descriptor(2, 8) + "  s_buffer_load_dwordx4 s[20:23], s[8:11], 0x4"), (Four{1, 2, 3, 0}));
  // Where the descriptor was.
  EXPECT_EQ(words(descriptor(256) + "  s_buffer_load_dwordx4 s[8:11], s[8:11], 0x10\n  s_waitcnt lgkmcnt(0)\n  "
                                    "s_mov_b64 s[20:21], s[8:9]\n  s_mov_b64 s[22:23], s[10:11]"),
            (Four{4, 5, 6, 7}));
}

TEST(ScalarMemory, Atomics) {
  struct Row {
    const char *name;
    uint32_t operand, place, result;
  };
  for (const Row &row : {Row{"swap", 9, 5, 9},
                         {"add", 9, 5, 14},
                         {"sub", 9, 5, uint32_t(-4)},
                         {"smin", uint32_t(-1), 5, uint32_t(-1)},
                         {"umin", uint32_t(-1), 5, 5},
                         {"smax", uint32_t(-1), 5, 5},
                         {"umax", uint32_t(-1), 5, ~0u},
                         {"and", 12, 5, 4},
                         {"or", 12, 5, 13},
                         {"xor", 12, 5, 9},
                         {"inc", 5, 5, 0},
                         {"inc", 6, 5, 6},
                         {"dec", 9, 0, 9},
                         {"dec", 9, 5, 4},
                         {"dec", 3, 5, 3}}) {
    Register expected = iota();
    expected[row.place] = row.result;
    const std::string at = std::to_string(4 * row.place),
                      operand = "  s_mov_b32 s20, " + std::to_string(row.operand) + "\n";
    EXPECT_EQ(after(operand + "  s_atomic_" + row.name + " s20, s[2:3], " + at), expected) << row.name;
    EXPECT_EQ(after(operand + descriptor(256) + "  s_buffer_atomic_" + row.name + " s20, s[8:11], " + at), expected)
        << row.name;
    EXPECT_EQ(words(operand + "  s_atomic_" + row.name + " s20, s[2:3], " + at + " glc")[0], row.place) << row.name;
  }
}

/// Loads and stores of every width; each dword is in the buffer or reads zero.
TEST(ScalarMemory, EveryWidth) {
  for (unsigned count : {1u, 2u, 4u, 8u, 16u}) {
    const std::string width = count == 1 ? "" : "x" + std::to_string(count),
                      to = count == 1 ? "s32" : "s[32:" + std::to_string(31 + count) + "]";
    Snippet s;
    s.in = {iota(100)};
    s.outputs = 2 * count;
    s.body = descriptor(80) + "  s_load_dword" + width + " " + to + ", s[2:3], 0x28\n  s_waitcnt lgkmcnt(0)\n";
    for (unsigned i = 0; i < count; ++i)
      s.body += "  v_mov_b32 v" + std::to_string(40 + i) + ", s" + std::to_string(32 + i) + "\n";
    s.body += "  s_mov_b32 s30, 12\n  s_buffer_load_dword" + width + " " + to +
              ", s[8:11], s30 offset:0x1c\n  s_waitcnt lgkmcnt(0)\n";
    for (unsigned i = 0; i < count; ++i)
      s.body += "  v_mov_b32 v" + std::to_string(40 + count + i) + ", s" + std::to_string(32 + i) + "\n";
    std::vector<Register> got = runSnippet(s);
    for (unsigned i = 0; i < count; ++i) {
      EXPECT_EQ(got[i], all(110 + i)) << width;
      EXPECT_EQ(got[count + i], all(10 + i < 20 ? 110 + i : 0)) << width << " of a buffer";
    }
    if (count > 4)
      continue;
    Register stored = iota(), inBuffer = iota(), toScratch = iota();
    std::string values;
    for (unsigned i = 0; i < count; ++i) {
      values += "  s_mov_b32 s" + std::to_string(32 + i) + ", " + std::to_string(500 + i) + "\n";
      stored[5 + i] = toScratch[18 + i] = 500 + i;
      if (2 + i < 4)
        inBuffer[2 + i] = 500 + i;
    }
    EXPECT_EQ(after(values + "  s_store_dword" + width + " " + to + ", s[2:3], 0x14"), stored);
    EXPECT_EQ(after(values + descriptor(16) + "  s_buffer_store_dword" + width + " " + to + ", s[8:11], 0x8"),
              inBuffer);
    EXPECT_EQ(
        after(values + "  s_mov_b32 s30, 1\n  s_scratch_store_dword" + width + " " + to + ", s[2:3], s30 offset:0x8"),
        toScratch);
    EXPECT_EQ(after("  s_mov_b32 s30, 2\n  s_scratch_load_dword" + width + " " + to +
                    ", s[2:3], s30 offset:0x4\n  s_waitcnt lgkmcnt(0)\n  s_store_dword" + width + " " + to +
                    ", s[2:3], 0x0")[count - 1],
              32 + count);
  }
}

/// What is for caches alone changes nothing; the clocks, without one, count instructions.
TEST(ScalarMemory, CachesAndClocks) {
  EXPECT_EQ(after(descriptor(256) +
                  "  s_dcache_discard s[2:3], 0x0\n  s_dcache_discard_x2 s[2:3], 0x40\n  s_atc_probe 0, s[2:3], 0x0\n  "
                  "s_atc_probe_buffer 0, s[8:11], 0x0\n  s_dcache_inv_vol\n  s_dcache_wb_vol"),
            iota());
  for (const char *clock : {"s_memtime", "s_memrealtime"}) {
    const Four got = words(std::string("  ") + clock + " s[20:21]\n  s_waitcnt lgkmcnt(0)\n  s_nop 0\n  s_nop 0\n  " +
                           clock + " s[22:23]");
    EXPECT_EQ(got[2] - got[0], 4u) << clock;
    EXPECT_EQ(got[1] | got[3], 0u) << clock;
  }
}

/// 64 bits: two words of the buffer at a time.
TEST(ScalarMemory, WideAtomics) {
  struct Row {
    const char *name;
    uint64_t operand, result;
  }; // of words 4 and 5, which are 4 and 5
  const uint64_t there = 4 | uint64_t(5) << 32, negative = ~uint64_t(0) - 2;
  for (const Row &row : {Row{"swap", negative, negative},
                         {"add", negative, there - 3},
                         {"sub", 5, there - 5},
                         {"smin", negative, negative},
                         {"umin", negative, there},
                         {"smax", negative, there},
                         {"umax", negative, negative},
                         {"and", 0x700000006, 0x500000004},
                         {"or", 0x200000001, 0x700000005},
                         {"xor", 0x100000005, 0x400000001},
                         {"inc", there, 0},
                         {"inc", there + 1, there + 1},
                         {"dec", there, there - 1},
                         {"dec", 3, 3}}) {
    Register expected = iota();
    expected[4] = uint32_t(row.result), expected[5] = uint32_t(row.result >> 32);
    const std::string operand = "  s_mov_b32 s20, " + std::to_string(uint32_t(row.operand)) + "\n  s_mov_b32 s21, " +
                                std::to_string(uint32_t(row.operand >> 32)) + "\n";
    EXPECT_EQ(after(operand + "  s_atomic_" + row.name + "_x2 s[20:21], s[2:3], 0x10"), expected) << row.name;
    EXPECT_EQ(after(operand + descriptor(256) + "  s_buffer_atomic_" + row.name + "_x2 s[20:21], s[8:11], 0x10"),
              expected)
        << row.name;
    EXPECT_EQ(words(operand + "  s_mov_b64 s[22:23], 0\n  s_atomic_" + row.name + "_x2 s[20:21], s[2:3], 0x10 glc"),
              (Four{4, 5, 0, 0}))
        << row.name;
  }
}

/// The second part of the data is what is compared; 64 bits carry from word to word.
TEST(ScalarMemory, CompareAndWideAtomics) {
  Register expected = iota();
  expected[4] = 77;
  EXPECT_EQ(after("  s_mov_b32 s20, 77\n  s_mov_b32 s21, 4\n  s_atomic_cmpswap s[20:21], s[2:3], 0x10\n  s_waitcnt "
                  "lgkmcnt(0)\n  s_mov_b32 s20, 78\n  s_atomic_cmpswap s[20:21], s[2:3], 0x10"),
            expected);
  expected = iota();
  expected[4] = 3, expected[5] = 6; // 4 + (2^32 - 1)
  EXPECT_EQ(after("  s_mov_b32 s20, -1\n  s_mov_b32 s21, 0\n  s_atomic_add_x2 s[20:21], s[2:3], 0x10"), expected);
  expected = iota();
  expected[6] = 1, expected[7] = 2;
  EXPECT_EQ(after("  s_mov_b32 s20, 1\n  s_mov_b32 s21, 2\n  s_mov_b32 s22, 6\n  s_mov_b32 s23, 7\n  "
                  "s_atomic_cmpswap_x2 s[20:23], s[2:3], 0x18"),
            expected);
  EXPECT_EQ(words("  s_mov_b64 s[20:21], 1\n  s_atomic_inc_x2 s[20:21], s[2:3], 0x18 glc"), (Four{6, 7, 0, 0}))
      << "the old value";
  // Through a buffer: what is found comes back, and only what equals is replaced.
  expected = iota();
  expected[4] = 77;
  const std::string both =
      "  s_mov_b32 s20, 77\n  s_mov_b32 s21, 4\n  s_mov_b32 s22, 78\n  s_mov_b32 s23, 4\n" + descriptor(256);
  EXPECT_EQ(after(both + "  s_buffer_atomic_cmpswap s[20:21], s[8:11], 0x10\n  s_waitcnt lgkmcnt(0)\n  "
                         "s_buffer_atomic_cmpswap s[22:23], s[8:11], 0x10"),
            expected);
  EXPECT_EQ(words(both + "  s_buffer_atomic_cmpswap s[20:21], s[8:11], 0x10 glc\n  s_waitcnt lgkmcnt(0)\n  "
                         "s_buffer_atomic_cmpswap s[22:23], s[8:11], 0x10 glc"),
            (Four{4, 4, 77, 4}));
  expected = iota();
  expected[6] = 1, expected[7] = 2;
  const std::string wide =
      "  s_mov_b32 s20, 1\n  s_mov_b32 s21, 2\n  s_mov_b32 s22, 6\n  s_mov_b32 s23, 7\n" + descriptor(256);
  EXPECT_EQ(after(wide + "  s_buffer_atomic_cmpswap_x2 s[20:23], s[8:11], 0x18"), expected);
  EXPECT_EQ(after(wide + "  s_buffer_atomic_cmpswap_x2 s[20:23], s[8:11], 0x20"), iota());
  EXPECT_EQ(words(wide + "  s_buffer_atomic_cmpswap_x2 s[20:23], s[8:11], 0x18 glc"), (Four{6, 7, 6, 7}));
  // Out of a buffer's range: nothing happens.
  EXPECT_EQ(after(descriptor(16) + "  s_mov_b32 s20, 1\n  s_buffer_atomic_add s20, s[8:11], 0x10"), iota());
}

/// The offset in a register counts in 64 bytes.
TEST(ScalarMemory, Scratch) {
  Register expected = iota();
  expected[18] = 55;
  EXPECT_EQ(after("  s_mov_b32 s20, 55\n  s_mov_b32 s30, 1\n  s_scratch_store_dword s20, s[2:3], s30 offset:0x8"),
            expected);
  EXPECT_EQ(words("  s_mov_b32 s30, 2\n  s_scratch_load_dwordx4 s[20:23], s[2:3], s30"), (Four{32, 33, 34, 35}));
}

TEST(ScalarMemory, FaultsAreErrors) {
  for (const char *text : {"s_store_dword s20, s[20:21], 0x0", "s_atomic_add s20, s[20:21], 0x0",
                           "s_scratch_load_dword s20, s[20:21], 0x0"}) {
    Snippet s;
    s.body = std::string("  s_mov_b64 s[20:21], 0x40\n  ") + text;
    std::string message;
    runSnippet(s, &message);
    EXPECT_NE(message.find("outside"), std::string::npos) << message;
  }
}
