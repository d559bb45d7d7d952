// Atomics of memory: each operation through FLAT, GLOBAL and buffers, 32 and 64 bits, with and without a result.
#include "Snippet.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

using namespace inflight::machine::test;

namespace {
using u64 = uint64_t;
using i64 = int64_t;
double asD(u64 x) { return std::bit_cast<double>(x); }
u64 bitsOf(double x) { return std::bit_cast<u64>(x); }
float asF(u64 x) { return std::bit_cast<float>(uint32_t(x)); }

struct Row {
  const char *name;
  unsigned words;
  std::function<u64(u64, u64)> expected;
  /// The first chips that have it in global memory, through FLAT, and through buffers.
  const char *since = "gfx90a", *flatSince = "gfx90a", *bufferSince = "gfx90a";
  std::function<u64(u64, u64)> onGfx90a = nullptr; ///< where that differs
};
float flushed(float x) { return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x; }
u64 packedHalves(u64 o, u64 v) {
  u64 r = 0;
  for (unsigned i = 0; i < 32; i += 16)
    r |= u64(std::bit_cast<uint16_t>(
             _Float16(std::bit_cast<_Float16>(uint16_t(o >> i)) + std::bit_cast<_Float16>(uint16_t(v >> i)))))
         << i;
  return r;
}
/// To nearest even: a sum of two values with eight bits that a float holds, without the float's lower half.
uint32_t bf16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
u64 packedBf16(u64 o, u64 v) {
  return bf16(asF(o << 16) + asF(v << 16)) | bf16(asF(o & 0xffff0000) + asF(v & 0xffff0000)) << 16;
}
const Row rows[] = {
    {"swap", 1, [](u64, u64 v) { return v; }},
    {"add", 1, [](u64 o, u64 v) { return o + v; }},
    {"sub", 1, [](u64 o, u64 v) { return o - v; }},
    {"smin", 1, [](u64 o, u64 v) { return u64(std::min(int32_t(o), int32_t(v))); }},
    {"umin", 1, [](u64 o, u64 v) { return std::min(o, v); }},
    {"smax", 1, [](u64 o, u64 v) { return u64(std::max(int32_t(o), int32_t(v))); }},
    {"umax", 1, [](u64 o, u64 v) { return std::max(o, v); }},
    {"and", 1, [](u64 o, u64 v) { return o & v; }},
    {"or", 1, [](u64 o, u64 v) { return o | v; }},
    {"xor", 1, [](u64 o, u64 v) { return o ^ v; }},
    {"inc", 1, [](u64 o, u64 v) { return o >= v ? 0 : o + 1; }},
    {"dec", 1, [](u64 o, u64 v) { return o == 0 || o > v ? v : o - 1; }},
    {"swap_x2", 2, [](u64, u64 v) { return v; }},
    {"add_x2", 2, [](u64 o, u64 v) { return o + v; }},
    {"sub_x2", 2, [](u64 o, u64 v) { return o - v; }},
    {"smin_x2", 2, [](u64 o, u64 v) { return u64(std::min(i64(o), i64(v))); }},
    {"umin_x2", 2, [](u64 o, u64 v) { return std::min(o, v); }},
    {"smax_x2", 2, [](u64 o, u64 v) { return u64(std::max(i64(o), i64(v))); }},
    {"umax_x2", 2, [](u64 o, u64 v) { return std::max(o, v); }},
    {"and_x2", 2, [](u64 o, u64 v) { return o & v; }},
    {"or_x2", 2, [](u64 o, u64 v) { return o | v; }},
    {"xor_x2", 2, [](u64 o, u64 v) { return o ^ v; }},
    {"inc_x2", 2, [](u64 o, u64 v) { return o >= v ? 0 : o + 1; }},
    {"dec_x2", 2, [](u64 o, u64 v) { return o == 0 || o > v ? v : o - 1; }},
    {"add_f32", 1, [](u64 o, u64 v) { return u64(std::bit_cast<uint32_t>(asF(o) + asF(v))); }, "gfx90a", "gfx942",
     "gfx90a", [](u64 o, u64 v) { return u64(std::bit_cast<uint32_t>(flushed(flushed(asF(o)) + flushed(asF(v))))); }},
    {"pk_add_f16", 1, packedHalves, "gfx90a", "gfx942"},
    {"pk_add_bf16", 1, packedBf16, "gfx942", "gfx942", "gfx950"},
    {"add_f64", 2, [](u64 o, u64 v) { return bitsOf(asD(o) + asD(v)); }},
    {"min_f64", 2, [](u64 o, u64 v) { return bitsOf(std::min(asD(o), asD(v))); }},
    {"max_f64", 2, [](u64 o, u64 v) { return bitsOf(std::max(asD(o), asD(v))); }},
};
/// Numbers that are floats, doubles and pairs of halves of moderate size as well as integers of both signs.
uint32_t value(unsigned lane, unsigned seed) {
  static const uint32_t some[] = {0x40490000, 0xc0080000, 0x3ff00000, 0x40000001, 0xbff12345, 5, 0, 0x7};
  return some[(lane * 3 + seed * 5 + lane / 8) % 8];
}
} // namespace

TEST(Atomics, EveryOperation) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"})
    for (const Row &row : rows)
      for (const char *unit : {"flat", "global", "buffer"})
        for (bool returns : {false, true}) {
          if (std::string(unit == std::string("flat")     ? row.flatSince
                          : unit == std::string("buffer") ? row.bufferSince
                                                          : row.since) > chip)
            continue;
          Snippet s;
          s.chip = chip;
          s.in.resize(4);
          for (unsigned lane = 0; lane < 64; ++lane)
            for (unsigned k = 0; k < 4; ++k)
              s.in[k][lane] = value(lane, k);
          s.outputs = 4;
          const std::string kind = unit, result = row.words == 2 ? "v[44:45]" : "v44",
                            data = row.words == 2 ? "v[12:13]" : "v12",
                            bit = !returns                        ? ""
                                  : std::string(chip) == "gfx90a" ? " glc"
                                                                  : " sc0";
          // Places of 8 bytes in the first 512 bytes of the input.
          std::string body = "  s_mov_b32 s8, s2\n  s_mov_b32 s9, s3\n  s_mov_b32 s10, 0x200\n  s_mov_b32 s11, "
                             "0x27000\n  v_lshlrev_b32 v2, 1, v1\n  v_add_u32 v4, s2, v2\n  v_mov_b32 v5, s3\n"
                             "  global_load_dwordx2 v[46:47], v2, s[2:3]\n  v_mov_b32 v44, v12\n  v_mov_b32 v45, v13\n "
                             " s_waitcnt vmcnt(0)\n  v_mov_b32 v40, v46\n  v_mov_b32 v41, v47\n  ";
          if (kind == "flat")
            body +=
                std::string("flat_atomic_") + row.name + (returns ? " " + result + "," : "") + " v[4:5], " + data + bit;
          else if (kind == "global")
            body += std::string("global_atomic_") + row.name + (returns ? " " + result + "," : "") + " v2, " + data +
                    ", s[2:3]" + bit;
          else
            body += std::string("buffer_atomic_") + row.name + " " + result + ", v2, s[8:11], 0 offen" + bit;
          s.body = body +
                   "\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n  global_load_dwordx2 v[46:47], v2, s[2:3]\n  s_waitcnt "
                   "vmcnt(0)\n  v_mov_b32 v42, v46\n  v_mov_b32 v43, v47\n  v_mov_b32 v40, v44\n" +
                   (row.words == 2 ? "  v_mov_b32 v41, v45" : "  v_mov_b32 v41, 0");
          std::vector<Register> got = runSnippet(s);
          for (unsigned lane = 0; lane < 64; ++lane) {
            const unsigned at = 2 * lane;
            u64 old = s.in[at / 64][at % 64], operand = s.in[2][lane];
            if (row.words == 2)
              old |= u64(s.in[at / 64][at % 64 + 1]) << 32, operand |= u64(s.in[3][lane]) << 32;
            const bool isFirst = row.onGfx90a && s.chip == "gfx90a";
            const u64 next = (isFirst ? row.onGfx90a : row.expected)(old, operand),
                      mask = row.words == 2 ? ~u64(0) : 0xffffffff;
            EXPECT_EQ((got[2][lane] | u64(got[3][lane]) << 32) & mask, next & mask)
                << chip << ' ' << unit << ' ' << row.name << " lane " << lane;
            if (returns)
              EXPECT_EQ((got[0][lane] | u64(got[1][lane]) << 32) & mask, old & mask)
                  << chip << ' ' << unit << ' ' << row.name << " lane " << lane;
          }
        }
}

/// The data's first part replaces what equals the second.
TEST(Atomics, CompareAndSwap) {
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"})
    for (const char *unit : {"flat", "global", "buffer"})
      for (bool returns : {false, true}) {
        Snippet s;
        s.chip = chip;
        s.in.resize(2);
        for (unsigned lane = 0; lane < 64; ++lane)
          s.in[0][lane] = lane % 3, s.in[1][lane] = 100 + lane;
        s.outputs = 3;
        const std::string kind = unit,
                          bit = !returns             ? ""
                                : s.chip == "gfx90a" ? " glc"
                                                     : " sc0",
                          result = returns ? " v40," : "";
        s.body = "  s_mov_b32 s8, s2\n  s_mov_b32 s9, s3\n  s_mov_b32 s10, 0xf0\n  s_mov_b32 s11, 0x27000\n  v_add_u32 "
                 "v4, s2, v1\n  v_mov_b32 v5, s3\n  v_mov_b32 v40, 9\n  v_mov_b32 v12, v11\n  v_mov_b32 v13, 1\n  ";
        s.body += kind == "flat"     ? "flat_atomic_cmpswap" + result + " v[4:5], v[12:13]" + bit
                  : kind == "global" ? "global_atomic_cmpswap" + result + " v1, v[12:13], s[2:3]" + bit
                                     : "buffer_atomic_cmpswap v[12:13], v1, s[8:11], 0 offen" + bit;
        s.body += "\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n  v_mov_b32 v42, v13\n" +
                  std::string(returns && kind == "buffer" ? "  v_mov_b32 v40, v12\n" : "") +
                  "  global_load_dword v41, v1, s[2:3]\n  s_waitcnt vmcnt(0)";
        std::vector<Register> got = runSnippet(s);
        for (unsigned lane = 0; lane < 64; ++lane) {
          const bool isThere = kind != "buffer" || lane < 60; // the buffer ends there
          EXPECT_EQ(got[0][lane], !returns ? 9 : isThere ? lane % 3 : 0) << chip << ' ' << unit;
          EXPECT_EQ(got[1][lane], isThere && lane % 3 == 1 ? 100 + lane : lane % 3) << chip << ' ' << unit;
          EXPECT_EQ(got[2][lane], 1u) << "what was compared with stays";
        }
      }
}

/// Pairs of halves and of bf16 in LDS, each of the two by itself: no carry from the lower, overflow to infinity,
/// halfway cases to even.
TEST(Atomics, PairsInLds) {
  struct Pair {
    const char *name;
    u64 (*expected)(u64, u64);
    std::vector<uint32_t> old, operand;
  };
  for (const Pair &pair : {Pair{"f16",
                                packedHalves,
                                {0x3c003c00, 0x7bff0400, 0x80008000, 0x3c01bc00},
                                {0x14001001, 0x7bff8400, 0x80000000, 0x10003c00}},
                           Pair{"bf16",
                                packedBf16,
                                {0x3f803f80, 0x7f7f4000, 0x80008000, 0x3f81bf80},
                                {0x3b803b81, 0x7f7fc000, 0x80000000, 0x3b803f80}}})
    for (const char *chip : {"gfx942", "gfx950"}) {
      Snippet s;
      s.chip = chip;
      s.in = {lanes(pair.old), lanes(pair.operand)};
      s.outputs = 3;
      s.body =
          std::string(
              "  ds_write_b32 v1, v10\n  ds_write_b32 v1, v10 offset:256\n  s_waitcnt lgkmcnt(0)\n  ds_pk_add_rtn_") +
          pair.name + " v40, v1, v11\n  ds_pk_add_" + pair.name +
          " v1, v11 offset:256\n  s_waitcnt lgkmcnt(0)\n  ds_read_b32 v41, v1\n  ds_read_b32 v42, v1 offset:256\n  "
          "s_waitcnt lgkmcnt(0)";
      std::vector<Register> got = runSnippet(s);
      for (unsigned lane = 0; lane < 64; ++lane) {
        const uint32_t expected = uint32_t(pair.expected(s.in[0][lane], s.in[1][lane]));
        EXPECT_EQ(got[0][lane], s.in[0][lane]);
        EXPECT_EQ(got[1][lane], expected) << chip << ' ' << pair.name << " lane " << lane;
        EXPECT_EQ(got[2][lane], expected) << chip << ' ' << pair.name << " lane " << lane;
      }
    }
}

/// Denormal singles are zeros to the memory of gfx90a and numbers to later chips'; in LDS MODE says what they are.
TEST(Atomics, DenormalSingles) {
  const Register old = lanes({0x00400000, 0x80000001, 0x00800000, 0x00000003}),
                 operand = lanes({0x00400000, 0x00000000, 0x80400000, 0x3f800000});
  for (const char *chip : {"gfx90a", "gfx942", "gfx950"})
    for (unsigned mode = 0; mode < 4; ++mode) { // sources kept, results kept
      Snippet s;
      s.chip = chip;
      s.in = {old, operand};
      s.outputs = 2;
      s.body = "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), " + std::to_string(mode) +
               "\n  ds_write_b32 v1, v10\n  s_waitcnt lgkmcnt(0)\n  ds_add_f32 v1, v11\n  global_atomic_add_f32 v1, "
               "v11, s[2:3]\n"
               "  s_waitcnt vmcnt(0) lgkmcnt(0)\n  global_load_dword v40, v1, s[2:3]\n  ds_read_b32 v41, v1\n  "
               "s_waitcnt vmcnt(0) lgkmcnt(0)";
      std::vector<Register> got = runSnippet(s);
      for (unsigned lane = 0; lane < 64; ++lane) {
        auto sum = [&](bool keepsIn, bool keepsOut) {
          auto kept = [](float x, bool keeps) { return keeps ? x : flushed(x); };
          return std::bit_cast<uint32_t>(
              kept(kept(asF(old[lane]), keepsIn) + kept(asF(operand[lane]), keepsIn), keepsOut));
        };
        const bool later = std::string(chip) != "gfx90a";
        EXPECT_EQ(got[0][lane], sum(later, later)) << chip << " lane " << lane;
        EXPECT_EQ(got[1][lane], sum(mode & 1, mode & 2)) << chip << " mode " << mode << " lane " << lane;
      }
    }
}

/// A quiet NaN loses, -0 is less than 0.
TEST(Atomics, LeastAndGreatestDoubles) {
  struct Row {
    uint32_t old, operand, least, greatest;
  }; // upper halves
  const Row rowsOfDoubles[] = {{0x7ff80000, 0x3ff00000, 0x3ff00000, 0x3ff00000},
                               {0x3ff00000, 0xfff80000, 0x3ff00000, 0x3ff00000},
                               {0, 0x80000000, 0x80000000, 0},
                               {0x80000000, 0, 0x80000000, 0},
                               {0xbff00000, 0x7ff00000, 0xbff00000, 0x7ff00000}};
  for (const Row &row : rowsOfDoubles)
    for (bool greatest : {false, true}) {
      Snippet s;
      s.in = {all(0), all(0), all(0), all(row.operand)};
      s.outputs = 2;
      const std::string name = greatest ? "max" : "min";
      s.body = "  v_lshlrev_b32 v2, 1, v1\n  v_mov_b32 v20, 0\n  v_mov_b32 v21, " + std::to_string(row.old) +
               "\n  global_store_dwordx2 v2, v[20:21], s[2:3]\n  ds_write_b64 v2, v[20:21]\n  s_waitcnt vmcnt(0) "
               "lgkmcnt(0)\n"
               "  global_atomic_" +
               name + "_f64 v2, v[12:13], s[2:3]\n  ds_" + name +
               "_f64 v2, v[12:13]\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n  global_load_dword v40, v2, s[2:3] offset:4\n  "
               "ds_read_b32 v41, v2 offset:4\n"
               "  s_waitcnt vmcnt(0) lgkmcnt(0)";
      std::vector<Register> got = runSnippet(s);
      for (const Register &r : got)
        EXPECT_EQ(r, all(greatest ? row.greatest : row.least))
            << name << " of " << std::hex << row.old << " and " << row.operand;
    }
}

/// The same of 64 bits and through the other paths; a lane that finds another value leaves it.
TEST(Atomics, WideCompareAndSwap) {
  for (const char *chip : {"gfx90a", "gfx942"})
    for (const char *unit : {"flat", "global", "buffer"}) {
      Snippet s;
      s.chip = chip;
      s.in = {lanes({0, 1, 2, 3})};
      s.outputs = 4;
      const std::string kind = unit, bit = s.chip == "gfx90a" ? " glc" : " sc0";
      s.body = "  s_mov_b32 s8, s2\n  s_mov_b32 s9, s3\n  s_mov_b32 s10, 0x200\n  s_mov_b32 s11, 0x27000\n  "
               "v_lshlrev_b32 v2, 1, v1\n  v_and_b32 v2, 0xff, v2\n  v_add_u32 v4, s2, v2\n  v_mov_b32 v5, s3\n"
               "  v_mov_b32 v20, 77\n  v_mov_b32 v21, 88\n  v_mov_b32 v22, 2\n  v_mov_b32 v23, 3\n  s_mov_b32 exec_hi, "
               "0\n  ";
      s.body += kind == "flat"     ? "flat_atomic_cmpswap_x2 v[40:41], v[4:5], v[20:23]" + bit
                : kind == "global" ? "global_atomic_cmpswap_x2 v[40:41], v2, v[20:23], s[2:3]" + bit
                                   : "buffer_atomic_cmpswap_x2 v[20:23], v2, s[8:11], 0 offen" + bit +
                                         "\n  s_waitcnt vmcnt(0)\n  v_mov_b32 v40, v20\n  v_mov_b32 v41, v21";
      s.body += "\n  s_waitcnt vmcnt(0) lgkmcnt(0)\n  global_load_dwordx2 v[42:43], v2, s[2:3]\n  s_waitcnt vmcnt(0)";
      std::vector<Register> got = runSnippet(s);
      for (unsigned lane = 0; lane < 32; ++lane) {
        const bool matches = lane % 2;
        EXPECT_EQ(got[0][lane], matches ? 2u : 0u) << chip << ' ' << unit;
        EXPECT_EQ(got[1][lane], matches ? 3u : 1u) << chip << ' ' << unit;
        EXPECT_EQ(got[2][lane], matches ? 77u : 0u) << chip << ' ' << unit;
        EXPECT_EQ(got[3][lane], matches ? 88u : 1u) << chip << ' ' << unit;
      }
    }
}
