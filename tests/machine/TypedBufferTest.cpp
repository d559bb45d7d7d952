// Typed buffers: what formats make of the same bytes, and back.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <bit>

using namespace inflight::machine::test;

namespace {
uint32_t bits(float x) { return std::bit_cast<uint32_t>(x); }
/// A descriptor of the input with DST_SEL X, Y, Z, W; `format` is its data and number format.
std::string descriptor(unsigned dataFormat = 4, unsigned numberFormat = 7) {
  unsigned word3 = 4 | 5 << 3 | 6 << 6 | 7 << 9 | numberFormat << 12 | dataFormat << 15;
  return "  s_mov_b32 s8, s2\n  s_mov_b32 s9, s3\n  s_mov_b32 s10, 0x400\n  s_mov_b32 s11, " + std::to_string(word3) +
         "\n";
}
/// The first lane's four results of a load in a format named as the assembler does.
std::array<uint32_t, 4> load(const std::string &format, uint32_t low, uint32_t high = 0) {
  Snippet s;
  s.in = {lanes({low, high})};
  s.outputs = 4;
  s.body = descriptor() + "  v_mov_b32 v2, 0\n  tbuffer_load_format_xyzw v[40:43], v2, s[8:11], 0 format:[" + format +
           "] offen\n  s_waitcnt vmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  return {got[0][0], got[1][0], got[2][0], got[3][0]};
}
using Words = std::array<uint32_t, 4>;
} // namespace

TEST(TypedBuffer, Formats) {
  EXPECT_EQ(load("BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_UNORM", 0xff800001),
            (Words{bits(1 / 255.0f), 0, bits(128 / 255.0f), bits(1)}));
  EXPECT_EQ(load("BUF_DATA_FORMAT_8_8_8_8,BUF_NUM_FORMAT_SNORM", 0x807f8100), (Words{0, bits(-1), bits(1), bits(-1)}));
  EXPECT_EQ(load("BUF_DATA_FORMAT_8_8,BUF_NUM_FORMAT_SINT", 0x12fe), (Words{0xfffffffe, 0x12, 0, 1}));
  EXPECT_EQ(load("BUF_DATA_FORMAT_16_16,BUF_NUM_FORMAT_USCALED", 0x0002ffff),
            (Words{bits(65535), bits(2), 0, bits(1)}));
  EXPECT_EQ(load("BUF_DATA_FORMAT_16_16_16_16,BUF_NUM_FORMAT_FLOAT", 0xc0003c00, 0x00003800),
            (Words{bits(1), bits(-2), bits(0.5f), 0}));
  EXPECT_EQ(load("BUF_DATA_FORMAT_2_10_10_10,BUF_NUM_FORMAT_UINT", 3u << 30 | 7 << 20 | 1023 << 10 | 5),
            (Words{5, 1023, 7, 3}));
  // 1.0 is an exponent of 15 above six or five bits of mantissa.
  EXPECT_EQ(load("BUF_DATA_FORMAT_10_11_11,BUF_NUM_FORMAT_FLOAT", 15u << 6 | 16u << (6 + 11) | 14u << (5 + 22)),
            (Words{bits(1), bits(2), bits(0.5f), bits(1)}));
}

/// There and back through the descriptor's format, in halves of registers too; out of range reads zero.
TEST(TypedBuffer, StoresAndD16) {
  Snippet s;
  s.in = {all(bits(0.25f)), all(bits(-3.0f)), all(bits(7.0f))};
  s.outputs = 6;
  s.body = descriptor(10, 0) +
           "  v_mov_b32 v2, v1\n  v_mov_b32 v13, v11\n  buffer_store_format_xyzw v[10:13], v2, s[8:11], 0 offen\n  "
           "s_waitcnt vmcnt(0)\n"
           "  buffer_load_dword v40, v2, s[8:11], 0 offen\n  buffer_load_format_d16_xy v41, v2, s[8:11], 0 offen\n"
           "  v_mov_b32 v42, 5\n  buffer_load_format_d16_hi_x v42, v2, s[8:11], 0 offen\n"
           "  v_add_u32 v2, 0x400, v2\n  buffer_load_format_xy v[44:45], v2, s[8:11], 0 offen\n  s_waitcnt vmcnt(0)";
  std::vector<Register> got = runSnippet(s);
  const uint32_t quarter = std::bit_cast<uint16_t>(_Float16(64 / 255.0f));
  EXPECT_EQ(got[0], all(0x00ff0040)); // 0.25 × 255 = 63.75; -3 and 7 saturate
  EXPECT_EQ(got[1], all(quarter));
  EXPECT_EQ(got[2], all(quarter << 16 | 5));
  EXPECT_EQ(got[4], all(0));
  EXPECT_EQ(got[5], all(0));
}

/// Every load and store of one to four components, of the instruction's format or the descriptor's, in words or in
/// halves of registers.
TEST(TypedBuffer, EveryForm) {
  struct Layout {
    const char *name;
    unsigned dataFormat, bits;
  };
  const Layout layouts[] = {{"32", 4, 32}, {"16_16", 5, 16}, {"32_32_32", 13, 32}, {"16_16_16_16", 12, 16}};
  const float values[] = {1, -2.5f, 1024, 0.375f};
  auto half = [](float x) { return uint32_t(std::bit_cast<uint16_t>(_Float16(x))); };
  auto vector = [](unsigned first, unsigned count) {
    return count == 1 ? "v" + std::to_string(first)
                      : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
  };
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"})
    for (unsigned count = 1; count <= 4; ++count)
      for (bool inDescriptor : {false, true})
        for (bool isD16 : {false, true}) {
          const Layout &layout = layouts[count - 1];
          const unsigned registers = isD16 ? (count + 1) / 2 : count, bytes = count * layout.bits / 8;
          auto component = [&](unsigned lane, unsigned i) { return values[(lane + i) % 4]; };
          // Memory: an element for each lane. Registers: what it is as words or halves.
          std::vector<Register> memory(4, Register{}), words(registers, Register{});
          for (unsigned lane = 0; lane < 64; ++lane)
            for (unsigned i = 0; i < count; ++i) {
              const float x = component(lane, i);
              const unsigned at = lane * bytes + i * layout.bits / 8;
              memory[at / 256][at / 4 % 64] |= (layout.bits == 32 ? bits(x) : half(x)) << (8 * (at % 4));
              words[isD16 ? i / 2 : i][lane] |= isD16 ? half(x) << (16 * (i % 2)) : bits(x);
            }
          const std::string name = std::string(inDescriptor ? "buffer_" : "tbuffer_") + "%_format_" +
                                   (isD16 ? "d16_" : "") + std::string("xyzw").substr(0, count);
          const std::string rest =
              inDescriptor ? " offen"
                           : std::string(" format:[BUF_DATA_FORMAT_") + layout.name + ",BUF_NUM_FORMAT_FLOAT] offen";
          auto access = [&](const char *verb, unsigned first) {
            return "  " + std::string(name).replace(name.find('%'), 1, verb) + " " + vector(first, registers) +
                   ", v2, s[8:11], 0" + rest + "\n";
          };
          const std::string place = "  v_mul_u32_u24 v2, " + std::to_string(bytes / 4) + ", v1\n";
          Snippet s;
          s.chip = chip;
          s.in = memory;
          s.outputs = registers;
          s.body = descriptor(layout.dataFormat, 7) + place;
          for (unsigned r = 0; r < registers; ++r)
            s.body += "  v_mov_b32 v" + std::to_string(40 + r) + ", 0\n";
          s.body += access("load", 40) + "  s_waitcnt vmcnt(0)";
          EXPECT_EQ(runSnippet(s), words) << chip << " load " << name;
          s.in = words;
          s.in.resize(4, Register{});
          s.outputs = 4;
          s.body = descriptor(layout.dataFormat, 7) + place + "  v_mov_b32 v3, 0\n";
          for (unsigned r = 0; r < 4; ++r) // a clean buffer
            s.body += "  global_store_dword v1, v3, s[2:3] offset:" + std::to_string(256 * r) + "\n";
          s.body += "  s_waitcnt vmcnt(0)\n" + access("store", 10) + "  s_waitcnt vmcnt(0)\n";
          for (unsigned r = 0; r < 4; ++r)
            s.body += "  global_load_dword v" + std::to_string(40 + r) +
                      ", v1, s[2:3] offset:" + std::to_string(256 * r) + "\n";
          s.body += "  s_waitcnt vmcnt(0)";
          EXPECT_EQ(runSnippet(s), memory) << chip << " store " << name;
        }
}

/// From the upper half of a register.
TEST(TypedBuffer, StoreOfUpperHalves) {
  Snippet s;
  s.in = {all(0x34003c00)}; // 0.25 and 1
  s.body = descriptor(4, 7) + "  buffer_store_format_d16_hi_x v10, v1, s[8:11], 0 offen\n  s_waitcnt vmcnt(0)\n  "
                              "global_load_dword v40, v1, s[2:3]\n  s_waitcnt vmcnt(0)";
  EXPECT_EQ(runSnippet(s)[0], all(bits(0.25f)));
}

TEST(TypedBuffer, ReservedFormatIsAnError) {
  Snippet s;
  s.in = {all(0)};
  s.body = descriptor(0, 0) + "  buffer_load_format_x v40, v1, s[8:11], 0 offen\n  s_waitcnt vmcnt(0)";
  std::string message;
  runSnippet(s, &message);
  EXPECT_NE(message.find("reserved buffer format 0"), std::string::npos) << message;
}
