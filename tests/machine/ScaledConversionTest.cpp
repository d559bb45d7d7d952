// Conversions of gfx950 between floats of 8, 6 and 4 bits and wider ones with a scale, to nearest and stochastically,
// in every form. The definition: elements are divided by the power of two in the scale's exponent (or multiplied, to
// the wider ones) and rounded once; with a seed, up if what is beyond the last place kept and the seed as a fraction of
// 2^32 together reach one, of both as many bits as the wider format has more than the small one (AMD's
// amd_hip_ocp_host.hpp; denormals lose what is beyond these).
#include "Snippet.h"
#include "llvm/ADT/APFloat.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace inflight::machine::test;
using llvm::APFloat;

namespace {
struct Format {
  const char *name;
  unsigned bits, mantissaBits;
  int leastExponent;
  const llvm::fltSemantics &semantics;
  uint32_t signBit() const { return 1u << (bits - 1); }
};
const Format fp8{"fp8", 8, 3, -6, APFloat::Float8E4M3FN()}, bf8{"bf8", 8, 2, -14, APFloat::Float8E5M2()},
    fp6{"fp6", 6, 3, 0, APFloat::Float6E2M3FN()}, bf6{"bf6", 6, 2, -2, APFloat::Float6E3M2FN()},
    fp4{"fp4", 4, 1, 0, APFloat::Float4E2M1FN()};
const Format single{"f32", 32, 23, -126, APFloat::IEEEsingle()}, half{"f16", 16, 10, -14, APFloat::IEEEhalf()},
    bfloat{"bf16", 16, 7, -126, APFloat::BFloat()};

uint32_t nearest(const Format &f, double value) {
  APFloat number(value);
  bool inexact;
  number.convert(f.semantics, APFloat::rmNearestTiesToEven, &inexact);
  return uint32_t(number.bitcastToAPInt().getZExtValue());
}
double valueOf(const Format &f, uint32_t code) {
  return APFloat(f.semantics, llvm::APInt(f.bits, code & uint32_t((uint64_t(1) << f.bits) - 1))).convertToDouble();
}
/// To a whole number of steps at the place where the value is, then to the format, which is exact or overflows.
uint32_t stochastic(const Format &f, const Format &from, double value, uint32_t seed) {
  if (value == 0)
    return nearest(f, value);
  const int exponent = std::max(std::ilogb(value), f.leastExponent) - int(f.mantissaBits);
  const unsigned bits = from.mantissaBits - f.mantissaBits;
  const uint64_t kept = uint64_t(std::ldexp(std::fabs(value), int(bits) - exponent)),
                 steps = (kept + (seed >> (32 - bits))) >> bits;
  return nearest(f, std::copysign(std::ldexp(double(steps), exponent), value));
}
uint32_t nextSeed(uint32_t seed) { return seed << 1 ^ (seed >> 31 ? 197 : 0); }

/// Numbers of a wide format about as large as those of a small one times the scale, some beyond, some denormal there.
std::vector<uint32_t> numbers(const Format &wide, const Format &small, int scale, unsigned count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint32_t> result;
  const double largest = valueOf(small, small.name == std::string("fp8")   ? 0x7e
                                        : small.name == std::string("bf8") ? 0x7b
                                                                           : small.signBit() - 1);
  const int top = std::ilogb(largest), bottom = small.leastExponent - int(small.mantissaBits) - 2;
  for (unsigned i = 0; i < count; ++i) {
    const int exponent = bottom + int(random() % unsigned(top - bottom + 2));
    double magnitude = std::ldexp(1 + double(random() % 4096) / 4096, exponent + scale);
    if (i % 5 == 0) // a tie, or on the spot
      magnitude =
          std::ldexp(1 + double(random() % (4u << small.mantissaBits)) / (4u << small.mantissaBits), exponent + scale);
    if (i % 37 == 0)
      magnitude = 0;
    uint32_t code = nearest(wide, random() % 2 ? -magnitude : magnitude);
    if (!std::isfinite(valueOf(wide, code)))
      code = nearest(wide, 1);
    result.push_back(code);
  }
  return result;
}
uint32_t bits(float x) { return llvm::bit_cast<uint32_t>(x); }
std::string vector(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}
/// Registers of lanes that hold `perLane` elements of a wide format each.
std::vector<Register> packed(const Format &wide, const std::vector<uint32_t> &elements, unsigned perLane) {
  const unsigned perRegister = 32 / wide.bits;
  std::vector<Register> in((perLane + perRegister - 1) / perRegister, Register{});
  for (unsigned lane = 0; lane < 64; ++lane)
    for (unsigned e = 0; e < perLane; ++e)
      in[e / perRegister][lane] |= elements[lane * perLane + e] << (wide.bits * (e % perRegister));
  return in;
}
/// Six bits each, one behind the other.
uint32_t sixBits(const std::vector<Register> &registers, unsigned first, unsigned lane, unsigned element) {
  const unsigned at = 6 * element;
  uint64_t word = registers[first + at / 32][lane];
  if (at % 32 > 26)
    word |= uint64_t(registers[first + at / 32 + 1][lane]) << 32;
  return uint32_t(word >> (at % 32)) & 63;
}
const int scales[] = {0, 3, -5};
/// The mantissa of the scale doesn't count.
uint32_t scaleBits(int exponent) { return bits(std::ldexp(1.75f, exponent)); }
} // namespace

/// One or two elements into a byte or a half of the register; the rest of it stays.
TEST(ScaledConversion, IntoParts) {
  for (const Format *wide : {&single, &half, &bfloat})
    for (const Format *small : {&fp8, &bf8, &fp4})
      for (bool rounds : {false, true})
        for (int scale : scales) {
          const bool isPair = small == &fp4 || !rounds;
          if (!rounds && wide == &single) // two sources: tests/machine/FloatConversionTest.cpp
            continue;
          const unsigned partBits = small->bits * (isPair ? 2 : 1), parts = 32 / partBits, perLane = isPair ? 2 : 1;
          const std::vector<uint32_t> elements =
              numbers(*wide, *small, scale, 64 * perLane, small->bits + unsigned(scale + 8));
          Snippet s;
          s.chip = "gfx950";
          s.in = packed(*wide, elements, perLane);
          const unsigned sources = s.in.size();
          std::mt19937 random(7);
          Register seeds;
          for (uint32_t &seed : seeds)
            seed = random();
          s.in.push_back(seeds);
          s.in.push_back(all(scaleBits(scale)));
          s.outputs = parts;
          const std::string name = std::string("v_cvt_scalef32_") + (rounds ? "sr_" : "") + (isPair ? "pk_" : "") +
                                   small->name + "_" + wide->name;
          for (unsigned part = 0; part < parts; ++part) {
            // Bytes: OP_SEL[3:2]. Halves: OP_SEL[3].
            const unsigned low = parts == 4 ? part & 1 : 0, high = parts == 4 ? part >> 1 : part;
            const std::string select = std::string(" op_sel:[0,0,") + (parts == 4 ? (low ? "1," : "0,") : "") +
                                       (high ? "1]" : "0]"),
                              to = "v" + std::to_string(40 + part);
            s.body += "  v_mov_b32 " + to + ", 0x5a5aa5a5\n  " + name + " " + to + ", " + vector(10, sources) +
                      (rounds ? ", " + vector(10 + sources, 1) : "") + ", " + vector(11 + sources, 1) + select + "\n";
          }
          std::vector<Register> got = runSnippet(s);
          for (unsigned part = 0; part < parts; ++part)
            for (unsigned lane = 0; lane < 64; ++lane) {
              uint32_t codes = 0, seed = seeds[lane];
              for (unsigned e = 0; e < perLane; ++e, seed = nextSeed(seed)) {
                const double value = std::ldexp(valueOf(*wide, elements[lane * perLane + e]), -scale);
                codes |= (rounds ? stochastic(*small, *wide, value, seed) : nearest(*small, value))
                         << (small->bits * e);
              }
              const uint32_t mask = uint32_t((uint64_t(1) << partBits) - 1) << (partBits * part);
              EXPECT_EQ(got[part][lane], (0x5a5aa5a5 & ~mask) | codes << (partBits * part))
                  << name << " scale " << scale << " part " << part << " lane " << lane;
            }
        }
}

/// 32 elements into six registers.
TEST(ScaledConversion, ThirtyTwo) {
  for (const Format *wide : {&single, &half, &bfloat})
    for (const Format *small : {&fp6, &bf6})
      for (bool rounds : {false, true})
        for (int scale : scales) {
          if (!rounds && wide == &single) // 2XPK16: tests/machine/Gfx950Test.cpp
            continue;
          // 16 registers are the input; of singles the other 16 elements are their negatives.
          const std::vector<uint32_t> elements =
              numbers(*wide, *small, scale, 64 * (512 / wide->bits), small->mantissaBits + unsigned(scale + 8));
          const unsigned perLane = 512 / wide->bits;
          Snippet s;
          s.chip = "gfx950";
          s.in = packed(*wide, elements, perLane);
          std::mt19937 random(9);
          Register seeds;
          for (uint32_t &seed : seeds)
            seed = random();
          s.in.push_back(seeds);
          s.in.push_back(all(scaleBits(scale)));
          s.outputs = 6;
          const unsigned registers = wide == &single ? 32 : 16;
          for (unsigned i = 0; i < registers; ++i)
            s.body += "  v_xor_b32 v" + std::to_string(60 + i) + ", " + (i < 16 ? "0" : "0x80000000") + ", v" +
                      std::to_string(10 + i % 16) + "\n";
          const std::string name =
              std::string("v_cvt_scalef32_") + (rounds ? "sr_" : "") + "pk32_" + small->name + "_" + wide->name;
          s.body += "  " + name + " v[40:45], " + vector(60, registers) + (rounds ? ", v26" : "") + ", v27";
          std::vector<Register> got = runSnippet(s);
          for (unsigned lane = 0; lane < 64; ++lane) {
            uint32_t seed = seeds[lane];
            for (unsigned e = 0; e < 32; ++e, seed = nextSeed(seed)) {
              double value = std::ldexp(valueOf(*wide, elements[lane * perLane + e % perLane]), -scale);
              if (e >= perLane)
                value = -value;
              ASSERT_EQ(sixBits(got, 0, lane, e),
                        rounds ? stochastic(*small, *wide, value, seed) : nearest(*small, value))
                  << name << " scale " << scale << " lane " << lane << " element " << e << ", " << value;
            }
          }
        }
}

/// Every code of 4, 6 and 8 bits, times the scale; what has no place becomes infinity or a denormal of the wide format.
TEST(ScaledConversion, ToWide) {
  for (const Format *wide : {&single, &half, &bfloat})
    for (int scale : {0, 3, -5, 12, -20}) {
      auto expected = [&](const Format &small, uint32_t code) {
        return nearest(*wide, std::ldexp(valueOf(small, code), scale));
      };
      auto compare = [&](uint32_t got, const Format &small, uint32_t code, const std::string &what) {
        if (!std::isnan(valueOf(small, code)))
          ASSERT_EQ(got, expected(small, code))
              << what << " of " << small.name << " " << code << " to " << wide->name << ", scale " << scale;
      };
      const unsigned perRegister = 32 / wide->bits;
      for (const Format *small : {&fp6, &bf6}) {
        Snippet s;
        s.chip = "gfx950";
        s.in.assign(6, Register{});
        auto code = [](unsigned lane, unsigned e) { return (lane * 7 + e * 13) & 63; };
        for (unsigned lane = 0; lane < 64; ++lane)
          for (unsigned e = 0; e < 32; ++e) {
            const uint64_t at = uint64_t(code(lane, e)) << (6 * e % 32);
            s.in[6 * e / 32][lane] |= uint32_t(at);
            if (at >> 32)
              s.in[6 * e / 32 + 1][lane] |= uint32_t(at >> 32);
          }
        s.in.push_back(all(scaleBits(scale)));
        const unsigned registers = 32 / perRegister;
        s.outputs = registers;
        s.body = std::string("  v_cvt_scalef32_pk32_") + wide->name + "_" + small->name + " " + vector(40, registers) +
                 ", v[10:15], v16";
        std::vector<Register> got = runSnippet(s);
        for (unsigned lane = 0; lane < 64; ++lane)
          for (unsigned e = 0; e < 32; ++e)
            compare(uint32_t(uint64_t(got[e / perRegister][lane]) >> (wide->bits * (e % perRegister)) &
                             ((uint64_t(1) << wide->bits) - 1)),
                    *small, code(lane, e), "pk32");
      }
      // Pairs of fp4: a byte of the source each.
      Snippet s;
      s.chip = "gfx950";
      s.in = {Register(), all(scaleBits(scale))};
      for (unsigned lane = 0; lane < 64; ++lane)
        s.in[0][lane] = lane * 0x04030201u + (lane % 2 ? 0xc0804000u : 0);
      const unsigned registers = wide == &single ? 2 : 1;
      s.outputs = 4 * registers;
      for (unsigned byte = 0; byte < 4; ++byte)
        s.body += std::string("  v_cvt_scalef32_pk_") + wide->name + "_fp4 " +
                  vector(40 + byte * registers, registers) + ", v10, v11 op_sel:[" + (byte & 1 ? "1" : "0") +
                  (byte & 2 ? ",1" : ",0") + ",0]\n";
      std::vector<Register> got = runSnippet(s);
      for (unsigned lane = 0; lane < 64; ++lane)
        for (unsigned byte = 0; byte < 4; ++byte)
          for (unsigned e = 0; e < 2; ++e)
            compare(registers == 2 ? got[2 * byte + e][lane] : got[byte][lane] >> (16 * e) & 0xffff, fp4,
                    s.in[0][lane] >> (8 * byte + 4 * e) & 15, "pk");
      // One of 8 bits, into either half.
      if (wide == &bfloat)
        continue;
      for (const Format *small : {&fp8, &bf8}) {
        s.outputs = 8;
        s.body.clear();
        const unsigned parts = wide == &half ? 2 : 1;
        for (unsigned byte = 0; byte < 4; ++byte)
          for (unsigned part = 0; part < parts; ++part) {
            const std::string to = "v" + std::to_string(40 + 2 * byte + part);
            s.body += "  v_mov_b32 " + to + ", 0x5a5aa5a5\n  v_cvt_scalef32_" + wide->name + "_" + small->name + " " +
                      to + ", v10, v11 op_sel:[" + (byte & 1 ? "1" : "0") + (byte & 2 ? ",1" : ",0") +
                      (parts == 1 ? ""
                       : part     ? ",1"
                                  : ",0") +
                      (parts == 1 ? ",0]\n" : "]\n");
          }
        got = runSnippet(s);
        for (unsigned lane = 0; lane < 64; ++lane)
          for (unsigned byte = 0; byte < 4; ++byte)
            for (unsigned part = 0; part < parts; ++part) {
              const uint32_t result = got[2 * byte + part][lane];
              if (parts == 2)
                EXPECT_EQ(result >> (part ? 0 : 16) & 0xffff, part ? 0xa5a5u : 0x5a5au);
              compare(parts == 2 ? result >> (16 * part) & 0xffff : result, *small, s.in[0][lane] >> (8 * byte) & 0xff,
                      "one");
            }
      }
    }
}

/// Without a scale: to 8 bits in any byte, to halves and bfloats in either half.
TEST(StochasticConversion, FromSingles) {
  const Format fnuz8{"fp8", 8, 3, -7, APFloat::Float8E4M3FNUZ()},
      fnuzWide8{"bf8", 8, 2, -15, APFloat::Float8E5M2FNUZ()};
  struct Row {
    const char *chip;
    const Format &small;
  };
  for (const Row &row : {Row{"gfx942", fnuz8},
                         {"gfx942", fnuzWide8},
                         {"gfx950", fp8},
                         {"gfx950", bf8},
                         {"gfx950", half},
                         {"gfx950", bfloat}}) {
    const Format &small = row.small;
    const unsigned parts = 32 / small.bits;
    Snippet s;
    s.chip = row.chip;
    s.in = {Register(), Register()};
    std::mt19937 random(3);
    for (unsigned lane = 0; lane < 64; ++lane) {
      const int exponent = int(random() % 20) - 12;
      s.in[0][lane] = lane == 5 ? 0
                                : bits(std::ldexp(1 + float(random() % 0x800000) / 0x800000,
                                                  small.bits == 8 ? std::min(exponent, 5) : exponent)) |
                                      (lane % 3 ? 0 : 0x80000000);
      s.in[1][lane] = lane == 6 ? 0 : lane == 7 ? ~0u : random();
    }
    s.outputs = parts;
    const std::string name = std::string("v_cvt_sr_") + small.name + "_f32";
    for (unsigned part = 0; part < parts; ++part) {
      const std::string to = "v" + std::to_string(40 + part);
      s.body += "  v_mov_b32 " + to + ", 0x5a5aa5a5\n  " + name + " " + to + ", -v10, v11 op_sel:[0,0," +
                (parts == 4 ? (part & 1 ? "1," : "0,") : "") +
                (parts == 4 ? (part & 2 ? "1]" : "0]")
                 : part     ? "1]"
                            : "0]") +
                "\n";
    }
    std::vector<Register> got = runSnippet(s);
    for (unsigned part = 0; part < parts; ++part)
      for (unsigned lane = 0; lane < 64; ++lane) {
        const uint32_t mask = ((1u << small.bits) - 1) << (small.bits * part),
                       code = stochastic(small, single, -double(llvm::bit_cast<float>(s.in[0][lane])), s.in[1][lane]);
        EXPECT_EQ(got[part][lane], (0x5a5aa5a5 & ~mask) | code << (small.bits * part))
            << row.chip << " " << name << " part " << part << " lane " << lane;
      }
  }
}
