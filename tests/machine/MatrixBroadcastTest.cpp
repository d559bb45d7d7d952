// The fields of matrix instructions that move data on its way: CBSZ and ABID blocks of A, BLGP lanes of B. And EXEC,
// which they don't heed. Expected are sums of doubles over the matrices that AMD's matrix instruction calculator says
// the lanes hold.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <bit>
#include <cmath>

using namespace inflight::machine::test;

namespace {
enum class Kind { F32, F16, Bf16, I8 };
struct Case {
  const char *chip, *mnemonic;
  unsigned size, depth, blocks;
  Kind kind;
};
unsigned bitsOf(Kind kind) { return kind == Kind::F32 ? 32 : kind == Kind::I8 ? 8 : 16; }
uint32_t encode(Kind kind, double value) {
  switch (kind) {
  case Kind::F32: return std::bit_cast<uint32_t>(float(value));
  case Kind::F16: return std::bit_cast<uint16_t>(_Float16(value));
  case Kind::Bf16: return std::bit_cast<uint32_t>(float(value)) >> 16;
  case Kind::I8: return uint32_t(int32_t(value)) & 0xff;
  }
}
/// Small integers: every sum is exact.
double valueOf(unsigned lane, unsigned k, bool isB) { return int((lane * 11 + k * 5 + isB * 3 + lane / 16) % 13) - 6; }

std::string range(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

/// The lane whose B each lane's multiplier gets.
unsigned laneOfB(unsigned blgp, unsigned lane) {
  switch (blgp) {
  case 1: return lane < 32 ? lane : lane - 32;      // the lower half is broadcast
  case 2: return lane < 32 ? lane + 32 : lane;      // the upper half
  case 3: return lane < 48 ? lane + 16 : lane - 48; // all move down by 16
  case 4:
  case 5:
  case 6:
  case 7: return lane % 16 + 16 * (blgp - 4); // one row of 16 is broadcast
  default: return lane;
  }
}

void compare(const Case &c, unsigned cbsz, unsigned abid, unsigned blgp) {
  SCOPED_TRACE(std::string(c.chip) + " " + c.mnemonic + " cbsz " + std::to_string(cbsz) + " abid " +
               std::to_string(abid) + " blgp " + std::to_string(blgp));
  const unsigned perWord = 32 / bitsOf(c.kind), perLane = c.size * c.depth * c.blocks / 64, words = perLane / perWord;
  const unsigned registers = c.size * c.size * c.blocks / 64;
  Snippet s;
  s.chip = c.chip;
  for (bool isB : {false, true})
    for (unsigned word = 0; word < words; ++word) {
      Register r{};
      for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned e = 0; e < perWord; ++e)
          r[lane] |= encode(c.kind, valueOf(lane, word * perWord + e, isB)) << (e * bitsOf(c.kind));
      s.in.push_back(r);
    }
  s.outputs = registers;
  s.body = std::string("  ") + c.mnemonic + " " + range(40, registers) + ", " + range(10, words) + ", " +
           range(10 + words, words) + ", 0";
  for (auto [name, value] : {std::pair("cbsz", cbsz), {"abid", abid}, {"blgp", blgp}})
    if (value)
      s.body += std::string(" ") + name + ":" + std::to_string(value);
  std::vector<Register> got = runSnippet(s);
  for (unsigned block = 0; block < c.blocks; ++block)
    for (unsigned i = 0; i < c.size; ++i)
      for (unsigned j = 0; j < c.size; ++j) {
        // The first 2^cbsz blocks take A from the one of them that abid names; and so on.
        const unsigned group = 1u << cbsz, blockOfA = cbsz ? block / group * group + abid : block;
        double sum = 0;
        for (unsigned k = 0; k < c.depth; ++k) {
          // Lanes hold rows, columns and blocks first; those left over hold further k.
          const unsigned lanes = c.size * c.blocks, further = k / perLane * lanes, e = k % perLane;
          sum += valueOf(further + c.size * blockOfA + i, e, false) *
                 valueOf(laneOfB(blgp, further + c.size * block + j), e, true);
        }
        unsigned reg, lane;
        if (c.size == 4)
          reg = i, lane = 4 * block + j;
        else if (c.size == 16)
          reg = 4 * block + i % 4, lane = 16 * (i / 4) + j;
        else
          reg = 16 * block + 4 * (i / 8) + i % 4, lane = 32 * (i / 4 % 2) + j;
        const uint32_t expected = c.kind == Kind::I8 ? uint32_t(int32_t(sum)) : encode(Kind::F32, sum);
        ASSERT_EQ(got[reg][lane], expected) << "block " << block << " row " << i << " column " << j;
      }
}

const Case severalBlocks[] = {{"gfx942", "v_mfma_f32_4x4x1_16b_f32", 4, 1, 16, Kind::F32},
                              {"gfx942", "v_mfma_f32_16x16x1_4b_f32", 16, 1, 4, Kind::F32},
                              {"gfx942", "v_mfma_f32_32x32x1_2b_f32", 32, 1, 2, Kind::F32},
                              {"gfx942", "v_mfma_f32_4x4x4_16b_f16", 4, 4, 16, Kind::F16},
                              {"gfx942", "v_mfma_f32_16x16x4_4b_f16", 16, 4, 4, Kind::F16},
                              {"gfx950", "v_mfma_f32_32x32x4_2b_f16", 32, 4, 2, Kind::F16},
                              {"gfx90a", "v_mfma_f32_4x4x4bf16_1k", 4, 4, 16, Kind::Bf16},
                              {"gfx90a", "v_mfma_f32_16x16x2bf16", 16, 2, 4, Kind::Bf16},
                              {"gfx942", "v_mfma_f32_32x32x4_2b_bf16", 32, 4, 2, Kind::Bf16},
                              {"gfx90a", "v_mfma_i32_4x4x4i8", 4, 4, 16, Kind::I8},
                              {"gfx950", "v_mfma_i32_16x16x4_4b_i8", 16, 4, 4, Kind::I8},
                              {"gfx942", "v_mfma_i32_32x32x4_2b_i8", 32, 4, 2, Kind::I8}};
} // namespace

TEST(MatrixBroadcast, BlocksOfA) {
  for (const Case &c : severalBlocks)
    for (unsigned cbsz = 0; 1u << cbsz <= c.blocks; ++cbsz)
      for (unsigned abid = 0; abid < 1u << cbsz; abid += cbsz > 2 ? 3 : 1)
        compare(c, cbsz, abid, 0);
}

TEST(MatrixBroadcast, LanesOfB) {
  for (const Case &c : severalBlocks)
    for (unsigned blgp = 1; blgp < 8; ++blgp)
      compare(c, 0, 0, blgp);
  compare(severalBlocks[0], 2, 3, 5);
  compare(severalBlocks[4], 1, 1, 3);
}

/// With one block lanes of B are columns and k; which of these instructions have BLGP differs from chip to chip.
TEST(MatrixBroadcast, LanesOfBWithOneBlock) {
  for (unsigned blgp = 1; blgp < 8; ++blgp) {
    compare({"gfx942", "v_mfma_f32_16x16x4_f32", 16, 4, 1, Kind::F32}, 0, 0, blgp);
    compare({"gfx950", "v_mfma_f32_32x32x2_f32", 32, 2, 1, Kind::F32}, 0, 0, blgp);
    compare({"gfx90a", "v_mfma_f32_32x32x8f16", 32, 8, 1, Kind::F16}, 0, 0, blgp);
    compare({"gfx90a", "v_mfma_i32_16x16x16i8", 16, 16, 1, Kind::I8}, 0, 0, blgp);
  }
}

TEST(MatrixBroadcast, FieldsWithoutAMeaningAreErrors) {
  for (auto [text, reason] : {std::pair("v_mfma_f32_32x32x8_f16 v[40:55], v[10:11], v[12:13], 0 blgp:1", "BLGP"),
                              {"v_mfma_f32_16x16x32_fp8_fp8 v[40:43], v[10:11], v[12:13], 0 blgp:4", "BLGP"},
                              {"v_mfma_f32_16x16x4_f32 v[40:43], v10, v12, 0 cbsz:1", "CBSZ: 2 blocks"},
                              {"v_mfma_f32_32x32x1_2b_f32 v[40:71], v10, v12, 0 cbsz:2", "CBSZ: 4 blocks"}}) {
    Snippet s;
    s.in = {all(0), all(0), all(0), all(0)};
    s.body = std::string("  ") + text;
    std::string message;
    runSnippet(s, &message);
    EXPECT_NE(message.find(reason), std::string::npos) << text << ": " << message;
  }
}

/// All lanes take part and get results, whatever EXEC says: products of ones with twos count k.
TEST(MatrixBroadcast, ExecIsIgnored) {
  struct Form {
    const char *chip, *mnemonic, *operands;
    unsigned registers;
    uint32_t expected;
  };
  const char *const f32 = "v10, v11, 0", *const f16 = "v[20:21], v[22:23], 0", *const i8 = "v30, v31, 0";
  for (const Form &form :
       {Form{"gfx942", "v_mfma_f32_16x16x4_f32", f32, 4, encode(Kind::F32, 8)},
        Form{"gfx942", "v_mfma_f32_32x32x1_2b_f32", f32, 32, encode(Kind::F32, 2)},
        Form{"gfx942", "v_mfma_f32_4x4x1_16b_f32", f32, 4, encode(Kind::F32, 2)},
        Form{"gfx90a", "v_mfma_f32_32x32x8f16", f16, 16, encode(Kind::F32, 16)},
        Form{"gfx90a", "v_mfma_i32_16x16x16i8", i8, 4, 32},
        Form{"gfx942", "v_smfmac_f32_16x16x32_f16", "v[20:21], v[24:27], v32", 4, encode(Kind::F32, 32)},
        Form{"gfx950", "v_mfma_f32_16x16x128_f8f6f4", "v[72:79], v[80:87], 0", 4, encode(Kind::F32, 256)}})
    for (const char *exec : {"0", "0x5", "0xffff0000"}) {
      Snippet s;
      s.chip = form.chip;
      s.in = {all(encode(Kind::F32, 1)), all(encode(Kind::F32, 2))};
      s.outputs = form.registers;
      s.body = "  v_mov_b32 v30, 0x01010101\n  v_mov_b32 v31, 0x02020202\n  v_mov_b32 v32, 0\n";
      for (unsigned r = 20; r < 28; ++r)
        s.body += "  v_mov_b32 v" + std::to_string(r) + (r < 22 ? ", 0x3c003c00\n" : ", 0x40004000\n");
      for (unsigned r = 72; r < 88; ++r) // E4M3
        s.body += "  v_mov_b32 v" + std::to_string(r) + (r < 80 ? ", 0x38383838\n" : ", 0x40404040\n");
      for (unsigned r = 0; r < form.registers; ++r)
        s.body += "  v_mov_b32 v" + std::to_string(40 + r) + ", 0\n";
      s.body += std::string("  s_mov_b64 exec, ") + exec + "\n  s_nop 4\n  " + form.mnemonic + " " +
                range(40, form.registers) + ", " + form.operands;
      std::vector<Register> got = runSnippet(s);
      for (const Register &r : got)
        EXPECT_EQ(r, all(form.expected)) << form.mnemonic << " exec " << exec;
    }
}

/// Doubles: 16x16 has four pairs of registers, 4x4 one, and gfx942 may negate each matrix.
TEST(MatrixBroadcast, DoublesIgnoreExecAndNegate) {
  struct Form {
    const char *chip, *text;
    unsigned pairs;
    double expected;
  };
  for (const Form &form :
       {Form{"gfx90a", "v_mfma_f64_16x16x4f64 v[40:47], v[10:11], v[12:13], v[40:47]", 4, 9},
        Form{"gfx90a", "v_mfma_f64_4x4x4f64 v[40:41], v[10:11], v[12:13], v[40:41]", 1, 9},
        Form{"gfx942", "v_mfma_f64_16x16x4_f64 v[40:47], v[10:11], v[12:13], v[40:47] neg:[1,0,0]", 4, -7},
        Form{"gfx942", "v_mfma_f64_4x4x4_4b_f64 v[40:41], v[10:11], v[12:13], v[40:41] neg:[0,1,1]", 1, -9}}) {
    auto high = [](double x) { return uint32_t(std::bit_cast<uint64_t>(x) >> 32); };
    Snippet s;
    s.chip = form.chip;
    s.in = {all(0), all(high(1)), all(0), all(high(2))};
    s.outputs = 2 * form.pairs;
    for (unsigned r = 0; r < form.pairs; ++r)
      s.body += "  v_mov_b32 v" + std::to_string(40 + 2 * r) + ", 0\n  v_mov_b32 v" + std::to_string(41 + 2 * r) +
                ", 0x3ff00000\n";
    s.body += std::string("  s_mov_b64 exec, 1\n  s_nop 4\n  ") + form.text;
    std::vector<Register> got = runSnippet(s);
    for (unsigned r = 0; r < form.pairs; ++r) {
      EXPECT_EQ(got[2 * r], all(0)) << form.text;
      EXPECT_EQ(got[2 * r + 1], all(high(form.expected))) << form.text;
    }
  }
}

/// Doubles heed neither the denormals nor the rounding of MODE: sums of products of denormals, and what is lost is
/// rounded to nearest.
TEST(MatrixMode, Doubles) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"})
    for (const char *mode :
         {"0xf0", "0x00", "0x0c", "0x03"}) { // denormals of all, of none; rounding of doubles and singles towards zero
      Snippet s;
      s.chip = chip;
      auto set = [&](unsigned reg, double x) {
        const uint64_t bits = llvm::bit_cast<uint64_t>(x);
        s.body += "  v_mov_b32 v" + std::to_string(reg) + ", " + std::to_string(uint32_t(bits)) + "\n  v_mov_b32 v" +
                  std::to_string(reg + 1) + ", " + std::to_string(uint32_t(bits >> 32)) + "\n";
      };
      set(10, 0x1p-1074), set(12, 2), set(14, 0x1p-1070); // 4 × 2 × 2^-1074 + 2^-1070
      set(16, 1), set(18, 0x1.8p-53), set(20, 1);         // each of four terms is three quarters of the last place of 1
      s.body += "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 8), " + std::string(mode) + "\n";
      for (unsigned i = 0; i < 8; i += 2)
        s.body +=
            "  v_mov_b32 v" + std::to_string(40 + i) + ", v14\n  v_mov_b32 v" + std::to_string(41 + i) + ", v15\n";
      const std::string name = std::string(chip) == "gfx90a" ? "v_mfma_f64_16x16x4f64" : "v_mfma_f64_16x16x4_f64";
      s.body +=
          "  s_nop 15\n  " + name + " v[40:47], v[10:11], v[12:13], v[40:47]\n  " + name +
          " v[48:55], v[16:17], v[18:19], 1.0\n  s_nop 15\n  s_nop 15\n  v_mov_b32 v42, v48\n  v_mov_b32 v43, v49";
      s.outputs = 4;
      std::vector<Register> got = runSnippet(s);
      EXPECT_EQ(got[0], all(8 + 16)) << chip << " " << mode;
      EXPECT_EQ(got[1], all(0)) << chip << " " << mode;
      EXPECT_EQ(got[2], all(4)) << chip << " " << mode; // 1 + 4 × 2^-52
      EXPECT_EQ(got[3], all(0x3ff00000)) << chip << " " << mode;
    }
}

/// MODE flushes denormal singles of A and B, not those of C nor of the result; halves keep theirs.
TEST(MatrixMode, Denormals) {
  const uint32_t denormal = 0x00400000; // 2^-127
  for (const char *text :
       {"v_mfma_f32_16x16x4_f32 v[40:43], v10, v11, v[40:43]", "v_mfma_f32_4x4x1_16b_f32 v[40:43], v10, v11, v[40:43]",
        "v_mfma_f32_16x16x1_4b_f32 v[40:55], v10, v11, v[40:55]"})
    for (bool keeps : {false, true}) {
      Snippet s;
      // A row of ones times denormals, and C a denormal: k × 2^-127 + 2^-127.
      s.in = {all(denormal), all(encode(Kind::F32, 1))};
      s.outputs = 4;
      for (unsigned r = 0; r < 16; ++r)
        s.body += "  v_mov_b32 v" + std::to_string(40 + r) + ", " + std::to_string(denormal) + "\n";
      s.body +=
          "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), " + std::string(keeps ? "3" : "0") + "\n  s_nop 4\n  " + text;
      const unsigned depth = std::string(text).find("16x16x4_f32") != std::string::npos ? 4 : 1;
      const double expected = std::ldexp(keeps ? depth + 1 : 1, -127);
      for (const Register &r : runSnippet(s))
        EXPECT_EQ(r, all(encode(Kind::F32, expected))) << text << (keeps ? "" : ", flushing");
    }
  Snippet s;
  s.in = {all(0x00010001), all(0x78007800)}; // 2^-24 and 2^15 as halves
  s.outputs = 4;
  s.body =
      "  v_mov_b32 v20, v10\n  v_mov_b32 v21, v10\n  v_mov_b32 v22, v11\n  v_mov_b32 v23, v11\n  s_setreg_imm32_b32 "
      "hwreg(HW_REG_MODE, 4, 4), 0\n  s_nop 4\n  v_mfma_f32_16x16x16_f16 v[40:43], v[20:21], v[22:23], 0";
  for (const Register &r : runSnippet(s))
    EXPECT_EQ(r, all(encode(Kind::F32, 16 * std::ldexp(1, -9))));
}
