// Bytes, shorts and several dwords through each path to memory: global, flat, scratch, buffer and LDS. Each load
// against the bytes that are there, each store by the bytes that change.
#include "Snippet.h"
#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace {
struct Access {
  const char *name;
  const char *load, *store; ///< before the name of the width
  const char *address;      ///< and what follows the data
  const char *chip = "gfx942";
};
// v[4:5] is the buffer's address plus 16 × lane, v2 16 × lane. Scratch has the same offset in each lane, which v3
// holds.
const Access accesses[] = {{"global", "global_load_", "global_store_", "v2", "gfx942"},
                           {"flat", "flat_load_", "flat_store_", "v[4:5]", "gfx90a"},
                           {"scratch", "scratch_load_", "scratch_store_", "v3", "gfx950"},
                           {"buffer", "buffer_load_", "buffer_store_", "v2, s[8:11], 0 offen", "gfx942"},
                           {"ds", "ds_read_", "ds_write_", "v2", "gfx950"}};
struct Width {
  const char *name, *ds; ///< null: there is no such one
  unsigned bytes;
  bool isSigned;
  int half; ///< of the register: 1 the lower, 2 the upper, 0 all
};
const Width loads[] = {{"ubyte", "u8", 1, false, 0},          {"sbyte", "i8", 1, true, 0},
                       {"ushort", "u16", 2, false, 0},        {"sshort", "i16", 2, true, 0},
                       {"dword", "b32", 4, false, 0},         {"dwordx2", "b64", 8, false, 0},
                       {"dwordx3", "b96", 12, false, 0},      {"dwordx4", "b128", 16, false, 0},
                       {"ubyte_d16", "u8_d16", 1, false, 1},  {"ubyte_d16_hi", "u8_d16_hi", 1, false, 2},
                       {"sbyte_d16", "i8_d16", 1, true, 1},   {"sbyte_d16_hi", "i8_d16_hi", 1, true, 2},
                       {"short_d16", "u16_d16", 2, false, 1}, {"short_d16_hi", "u16_d16_hi", 2, false, 2}};
const Width stores[] = {{"byte", "b8", 1, false, 0},
                        {"short", "b16", 2, false, 0},
                        {"dword", "b32", 4, false, 0},
                        {"dwordx2", "b64", 8, false, 0},
                        {"dwordx3", "b96", 12, false, 0},
                        {"dwordx4", "b128", 16, false, 0},
                        {"byte_d16_hi", "b8_d16_hi", 1, false, 2},
                        {"short_d16_hi", "b16_d16_hi", 2, false, 2}};

std::string registers(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}
bool is(const Access &access, const char *name) { return std::string(access.name) == name; }
/// Byte i of lane l before anything is stored.
uint8_t byteOf(unsigned lane, unsigned i) { return uint8_t(lane * 37 + i * 91 + 0x80); }
uint32_t wordOf(unsigned lane, unsigned word) {
  uint32_t r = 0;
  for (unsigned i = 0; i < 4; ++i)
    r |= uint32_t(byteOf(lane, 4 * word + i)) << (8 * i);
  return r;
}

/// Puts each lane's 16 bytes, v[10:13], where the path leads; then `body`; then the same bytes into v[40:43], if asked.
std::vector<Register> run(const Access &access, const std::string &body, bool readsBack) {
  Snippet s;
  s.chip = access.chip;
  s.in.resize(4);
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned word = 0; word < 4; ++word)
      s.in[word][lane] = wordOf(lane, word);
  s.outputs = 4;
  if (is(access, "scratch"))
    s.directives = "  .amdhsa_enable_private_segment 1\n  .amdhsa_private_segment_fixed_size 64\n";
  const bool isDs = is(access, "ds"), isGlobal = is(access, "global"), isScratch = is(access, "scratch");
  const std::string wait = "  s_waitcnt vmcnt(0) lgkmcnt(0)\n", suffix = std::string(isGlobal    ? ", s[2:3]"
                                                                                     : isScratch ? ", off"
                                                                                                 : "");
  auto store = [&](const std::string &data) {
    return isDs || isGlobal || is(access, "flat") || isScratch ? std::string(access.address) + ", " + data
                                                               : data + ", " + access.address;
  };
  s.body = "  v_lshlrev_b32 v2, 2, v1\n  v_mov_b32 v3, 16\n  v_add_co_u32 v4, vcc, s2, v2\n  v_mov_b32 v5, s3\n  "
           "v_addc_co_u32 v5, vcc, 0, v5, vcc\n"
           "  s_mov_b32 s8, s2\n  s_mov_b32 s9, s3\n  s_mov_b32 s10, 0x400\n  s_mov_b32 s11, 0x27000\n  " +
           std::string(access.store) + (isDs ? "b128 " : "dwordx4 ") + store("v[10:13]") + suffix + "\n" + wait + body +
           wait;
  if (readsBack)
    s.body += std::string("  ") + access.load + (isDs ? "b128" : "dwordx4") + " v[40:43], " + access.address + suffix +
              "\n" + wait;
  return runSnippet(s);
}
} // namespace

TEST(MemoryParts, Loads) {
  for (const Access &access : accesses)
    for (const Width &width : loads) {
      const bool isDs = is(access, "ds");
      const unsigned offset = width.bytes < 4 ? 6 : 0, words = (width.bytes + 3) / 4;
      std::string body;
      for (unsigned r = 40; r < 44; ++r)
        body += "  v_mov_b32 v" + std::to_string(r) + ", 0x12345678\n";
      body += std::string("  ") + access.load + (isDs ? width.ds : width.name) + " " + registers(40, words) + ", " +
              access.address +
              (is(access, "global")    ? ", s[2:3]"
               : is(access, "scratch") ? ", off"
                                       : "") +
              (offset ? " offset:" + std::to_string(offset) : "") + "\n";
      std::vector<Register> got = run(access, body, false);
      for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned word = 0; word < 4; ++word) {
          uint32_t expected = 0x12345678;
          if (word < words && width.bytes >= 4) {
            expected = wordOf(lane, word);
          } else if (word < words) {
            uint32_t value = byteOf(lane, offset) | (width.bytes == 2 ? byteOf(lane, offset + 1) << 8 : 0);
            if (width.isSigned)
              value = width.bytes == 1 ? uint32_t(int8_t(value)) : uint32_t(int16_t(value));
            expected = width.half == 0 ? value : width.half == 1 ? 0x12340000 | (value & 0xffff) : 0x5678 | value << 16;
          }
          ASSERT_EQ(got[word][lane], expected) << access.load << width.name << " lane " << lane << " word " << word;
        }
    }
}

TEST(MemoryParts, Stores) {
  for (const Access &access : accesses)
    for (const Width &width : stores) {
      const bool isDs = is(access, "ds"), isBuffer = is(access, "buffer");
      const unsigned offset = width.bytes < 4 ? 6 : 0, words = (width.bytes + 3) / 4;
      std::string body;
      for (unsigned r = 0; r < 4; ++r)
        body += "  v_mov_b32 v" + std::to_string(20 + r) + ", 0x" + std::string(1, char('a' + r)) + "1b2c3d4\n";
      const std::string data = registers(20, words), after = offset ? " offset:" + std::to_string(offset) : "";
      body += std::string("  ") + access.store + (isDs ? width.ds : width.name) + " " +
              (isBuffer ? data + ", " + access.address : std::string(access.address) + ", " + data) +
              (is(access, "global")    ? ", s[2:3]"
               : is(access, "scratch") ? ", off"
                                       : "") +
              after + "\n";
      std::vector<Register> got = run(access, body, true);
      for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned i = 0; i < 16; ++i) {
          uint8_t expected = byteOf(lane, i);
          if (i >= offset && i < offset + width.bytes) {
            const unsigned from = i - offset + (width.half == 2 ? 2 : 0);
            const uint32_t word = 0x01b2c3d4 | (0xau + from / 4) << 28 | 1u << 24;
            expected = uint8_t(word >> (8 * (from % 4)));
          }
          ASSERT_EQ(uint8_t(got[i / 4][lane] >> (8 * (i % 4))), expected)
              << access.store << width.name << " lane " << lane << " byte " << i;
        }
    }
}
