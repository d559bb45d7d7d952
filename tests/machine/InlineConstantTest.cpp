// Inline constants where an operand is a half, two halves or a pair: which bits they stand for, and which OP_SEL
// reaches.
#include "Snippet.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace inflight::machine::test;
using llvm::APFloat;

namespace {
uint32_t encoded(const llvm::fltSemantics &format, double value) {
  APFloat number(value);
  bool inexact;
  number.convert(format, APFloat::rmNearestTiesToEven, &inexact);
  return uint32_t(number.bitcastToAPInt().getZExtValue());
}
uint32_t bits(float x) { return llvm::bit_cast<uint32_t>(x); }
float single(uint32_t x) { return llvm::bit_cast<float>(x); }
float fromHalf(uint32_t x) { return APFloat(APFloat::IEEEhalf(), llvm::APInt(16, x & 0xffff)).convertToFloat(); }
float fromBfloat(uint32_t x) { return single(x << 16); }

struct Constant {
  const char *text;
  double value; ///< of a float
  int integer;  ///< of an integer
  bool isInteger;
  /// The 32 bits that an operand of floats in `format` sees.
  uint32_t as(const llvm::fltSemantics &format) const { return isInteger ? uint32_t(integer) : encoded(format, value); }
};
const Constant constants[] = {
    {"0.5", 0.5, 0, false}, {"-0.5", -0.5, 0, false}, {"1.0", 1, 0, false},
    {"-1.0", -1, 0, false}, {"2.0", 2, 0, false},     {"-2.0", -2, 0, false},
    {"4.0", 4, 0, false},   {"-4.0", -4, 0, false},   {"0.15915494", 0.15915494309189532, 0, false},
    {"0", 0, 0, true},      {"1", 0, 1, true},        {"64", 0, 64, true}};
const Constant integers[] = {{"-1", 0, -1, true},    {"-16", 0, -16, true},
                             {"63", 0, 63, true},    {"1.0", 1, 0, false},
                             {"-4.0", -4, 0, false}, {"0.15915494", 0.15915494309189532, 0, false}};

/// Instructions that leave their result in v40, and what it must be; run together at the end, one lane's result each.
class Expectations {
public:
  explicit Expectations(std::string chip) : chip(std::move(chip)) {}
  void add(const std::string &text, const std::vector<uint32_t> &in, uint32_t expected) {
    std::string body;
    for (size_t i = 0; i < in.size(); ++i)
      body += "  v_mov_b32 v" + std::to_string(10 + i) + ", " + std::to_string(in[i]) + "\n";
    rows.push_back({body + "  " + text, expected});
  }
  ~Expectations() {
    for (size_t begin = 0; begin < rows.size(); begin += 64) {
      const size_t count = std::min<size_t>(64, rows.size() - begin);
      Snippet s;
      s.chip = chip;
      s.body = "  v_mov_b32 v41, 0\n";
      for (size_t i = 0; i < count; ++i)
        s.body += rows[begin + i].first + "\n  s_nop 1\n  v_readfirstlane_b32 s20, v40\n  v_writelane_b32 v41, s20, " +
                  std::to_string(i) + "\n";
      s.body += "  v_mov_b32 v40, v41";
      Register got = runSnippet(s)[0];
      for (size_t i = 0; i < count; ++i)
        EXPECT_EQ(got[i], rows[begin + i].second) << chip << "\n" << rows[begin + i].first;
    }
  }

private:
  std::string chip;
  std::vector<std::pair<std::string, uint32_t>> rows;
};
const char *const chips[] = {"gfx90a", "gfx942", "gfx950"};
} // namespace

/// A source of a mixed multiply-add is a half where OP_SEL_HI says so, the one that OP_SEL names, and else a single.
TEST(InlineConstants, MixedMultiplyAdd) {
  for (const char *chip : chips) {
    Expectations expect(chip);
    for (const Constant &k : constants)
      for (unsigned form = 0; form < 3; ++form) { // a single, the lower half, the upper half
        const float constant = form == 0 ? single(k.as(APFloat::IEEEsingle()))
                                         : fromHalf(k.as(APFloat::IEEEhalf()) >> (form == 2 ? 16 : 0));
        const float x = 1.75f, y = 0.125f, expected = std::fma(x, constant, y);
        const std::string modifiers =
            std::string(" op_sel:[0,") + (form == 2 ? "1" : "0") + ",0] op_sel_hi:[0," + (form ? "1" : "0") + ",0]";
        const std::string operands = std::string(" v40, v10, ") + k.text + ", v11" + modifiers;
        expect.add("v_fma_mix_f32" + operands, {bits(x), bits(y)}, bits(expected));
        expect.add("v_mov_b32 v40, -1\n  v_fma_mixlo_f16" + operands, {bits(x), bits(y)},
                   0xffff0000u | encoded(APFloat::IEEEhalf(), expected));
        expect.add("v_mov_b32 v40, -1\n  v_fma_mixhi_f16" + operands, {bits(x), bits(y)},
                   0xffffu | encoded(APFloat::IEEEhalf(), expected) << 16);
      }
  }
}

/// Of packed halves the constant is the lower one; the upper one is zero. OP_SEL_HI may take the lower one for both.
TEST(InlineConstants, PackedHalves) {
  const uint32_t x = encoded(APFloat::IEEEhalf(), 3), y = encoded(APFloat::IEEEhalf(), 8), pair = x | y << 16;
  for (const char *chip : chips) {
    Expectations expect(chip);
    for (const Constant &k : constants)
      for (bool both : {false, true}) {
        const uint32_t constant = k.as(APFloat::IEEEhalf());
        const float low = fromHalf(constant), high = fromHalf(both ? constant : constant >> 16);
        auto packed = [](float a, float b) {
          return encoded(APFloat::IEEEhalf(), a) | encoded(APFloat::IEEEhalf(), b) << 16;
        };
        const std::string select = both ? " op_sel_hi:[1,0]" : "", operands = std::string(" v40, v10, ") + k.text;
        expect.add("v_pk_add_f16" + operands + select, {pair}, packed(3 + low, 8 + high));
        expect.add("v_pk_max_f16" + operands + select, {pair}, packed(std::max(3.0f, low), std::max(8.0f, high)));
        expect.add("v_pk_fma_f16 v40, v10, " + std::string(k.text) + ", v10" + (both ? " op_sel_hi:[1,0,1]" : ""),
                   {pair}, packed(std::fma(3.0f, low, 3.0f), std::fma(8.0f, high, 8.0f)));
        if (!both) // this one has no OP_SEL_HI
          expect.add("v_mov_b32 v40, v10\n  v_pk_fmac_f16 v40, " + std::string(k.text) + ", v10", {pair},
                     packed(std::fma(3.0f, low, 3.0f), std::fma(8.0f, high, 8.0f)));
      }
  }
}

/// Integers of 16 bits, packed or not, see the 32 bits of an integer or of a single.
TEST(InlineConstants, NarrowIntegers) {
  const uint32_t pair = 0x00030005;
  for (const char *chip : chips) {
    Expectations expect(chip);
    for (const Constant &k : integers) {
      const uint32_t constant = k.as(APFloat::IEEEsingle()), low = constant & 0xffff, high = constant >> 16;
      const std::string text = k.text;
      expect.add("v_pk_add_u16 v40, v10, " + text, {pair}, ((5 + low) & 0xffff) | (3 + high) << 16);
      expect.add("v_pk_add_u16 v40, v10, " + text + " op_sel_hi:[1,0]", {pair}, ((5 + low) & 0xffff) | (3 + low) << 16);
      expect.add("v_pk_mul_lo_u16 v40, v10, " + text, {pair}, (5 * low & 0xffff) | 3 * high << 16);
      expect.add("v_dot2_i32_i16 v40, v10, " + text + ", v11", {pair, 7},
                 uint32_t(5 * int16_t(low) + 3 * int16_t(high) + 7));
      const std::string clear = "v_mov_b32 v40, 0\n  ";
      expect.add(clear + "v_mad_u16 v40, v10, " + text + ", v11", {pair, 7}, (5 * low + 7) & 0xffff);
      expect.add(clear + "v_mad_u16 v40, v10, " + text + ", v11 op_sel:[1,1,0,0]", {pair, 7}, (3 * high + 7) & 0xffff);
      expect.add(clear + "v_sub_i16 v40, " + text + ", v10 op_sel:[1,0,0]", {pair}, (high - 5) & 0xffff);
      expect.add(clear + "v_max3_u16 v40, v10, " + text + ", 0 op_sel:[0,1,0,0]", {pair}, std::max(5u, high));
      expect.add("v_mad_u32_u16 v40, v10, " + text + ", v11 op_sel:[0,1,0,0]", {pair, 7}, 5 * high + 7);
      expect.add("v_mad_i32_i16 v40, v10, " + text + ", v11", {pair, 7}, uint32_t(5 * int16_t(low) + 7));
      expect.add("v_lshlrev_b16 v40, 2, " + text, {}, low << 2 & 0xffff);
      uint32_t sum = 7;
      for (unsigned byte = 0; byte < 4; ++byte)
        sum += uint32_t(int8_t(0xfd020301 >> (8 * byte)) * int8_t(constant >> (8 * byte)));
      expect.add("v_dot4_i32_i8 v40, v10, " + text + ", v11", {0xfd020301, 7}, sum);
    }
  }
}

/// Products of halves and of bfloats see a constant of their type, below a zero; the addend sees a single.
TEST(InlineConstants, DotProducts) {
  const uint32_t halves = encoded(APFloat::IEEEhalf(), 3) | encoded(APFloat::IEEEhalf(), 8) << 16,
                 bfloats = encoded(APFloat::BFloat(), 3) | encoded(APFloat::BFloat(), 8) << 16;
  auto flushed = [](float x) { return std::fabs(x) < 0x1p-126f ? 0.0f : x; };
  for (const char *chip : chips) {
    Expectations expect(chip);
    for (const Constant &k : constants) {
      const std::string text = k.text;
      const float half = fromHalf(k.as(APFloat::IEEEhalf())), bfloat = flushed(fromBfloat(k.as(APFloat::BFloat()))),
                  addend = flushed(single(k.as(APFloat::IEEEsingle())));
      expect.add("v_dot2_f32_f16 v40, v10, " + text + ", v11", {halves, bits(0.25f)},
                 bits(std::fma(3.0f, half, 0.25f)));
      expect.add("v_dot2_f32_f16 v40, v10, v10, " + text, {halves}, bits(73 + addend));
      expect.add("v_mov_b32 v40, v11\n  v_dot2c_f32_f16 v40, " + text + ", v10", {halves, bits(0.25f)},
                 bits(std::fma(3.0f, half, 0.25f)));
      if (chip != chips[2])
        continue;
      expect.add("v_dot2_f32_bf16 v40, v10, " + text + ", v11", {bfloats, bits(0.25f)},
                 bits(std::fma(3.0f, bfloat, 0.25f)));
      expect.add("v_dot2_f32_bf16 v40, v10, v10, " + text, {bfloats}, bits(73 + addend));
      expect.add("v_mov_b32 v40, v11\n  v_dot2c_f32_bf16 v40, " + text + ", v10", {bfloats, bits(0.25f)},
                 bits(std::fma(3.0f, bfloat, 0.25f)));
      expect.add("v_cvt_f32_bf16 v40, " + text, {}, bits(fromBfloat(k.as(APFloat::BFloat()))));
    }
  }
}

/// A pair of singles takes the constant for its lower one; OP_SEL_HI takes it for both.
TEST(InlineConstants, PairsOfSingles) {
  for (const char *chip : chips) {
    Snippet s;
    s.chip = chip;
    s.in = {all(bits(3)), all(bits(5))};
    s.outputs = 4;
    s.body = "  v_pk_mul_f32 v[40:41], v[10:11], -4.0 op_sel_hi:[1,0]\n  v_pk_mov_b32 v[42:43], 2.0, -16";
    std::vector<Register> got = runSnippet(s);
    EXPECT_EQ(got[0][0], bits(-12));
    EXPECT_EQ(got[1][0], bits(-20));
    EXPECT_EQ(got[2][0], bits(2));
    EXPECT_EQ(got[3][0], uint32_t(-16));
  }
}
