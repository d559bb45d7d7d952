// The data of tests and examples: pseudo-random numbers that others can reproduce, exact small
// floats.
#include "support/files/Npy.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace inflight;

static Array make(const char *type, std::vector<int64_t> shape) {
  Array array;
  array.type = type;
  array.shape = std::move(shape);
  array.bytes.resize(array.elementCount() * elementBytes(type));
  return array;
}

/// The value of one bit pattern.
static double decoded(const char *type, uint64_t bits) {
  Array array = make(type, {1});
  std::memcpy(array.bytes.data(), &bits, array.bytes.size());
  return elementAsDouble(array, 0);
}

static uint64_t encoded(const char *type, double value) {
  Array array = make(type, {1});
  setElement(array, 0, value);
  uint64_t bits = 0;
  std::memcpy(&bits, array.bytes.data(), array.bytes.size());
  return bits;
}

// SplitMix64's first outputs for the seed 1234567, as published with the algorithm.
static const uint64_t published[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                     4593380528125082431u, 16408922859458223821u};

TEST(Random, FloatsAreTheTop24BitsOfSplitMix64) {
  Array array = make("f32", {5});
  fillRandom(array, 1234567);
  for (unsigned i = 0; i < 5; ++i)
    EXPECT_EQ(elementAsDouble(array, i), double(published[i] >> 40) / 8388608.0 - 1.0) << i;
}

TEST(Random, IntegersAreTheRemainder) {
  Array array = make("i32", {5});
  fillRandom(array, 1234567);
  for (unsigned i = 0; i < 5; ++i)
    EXPECT_EQ(elementAsDouble(array, i), double(published[i] % 100)) << i;
}

TEST(Random, NarrowTypesRoundTheSameNumbers) {
  Array wide = make("f32", {1000}), narrow = make("f16", {1000});
  fillRandom(wide, 7);
  fillRandom(narrow, 7);
  for (unsigned i = 0; i < 1000; ++i) {
    double x = elementAsDouble(wide, i);
    EXPECT_GE(x, -1.0);
    EXPECT_LT(x, 1.0);
    EXPECT_LE(std::fabs(elementAsDouble(narrow, i) - x), std::ldexp(1.0, -12)) << i;
  }
}

// Each type's numbers are LLVM's conversions of those of f64.
TEST(Random, EveryTypeIsConvertedAsLLVMDoes) {
  constexpr int64_t count = 3 << 20; // enough for several threads
  Array wide = make("f64", {count});
  fillRandom(wide, 99);
  for (const char *type : {"f32", "f16", "bf16", "f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ"}) {
    Array fast = make(type, {count}), slow = make(type, {count});
    fillRandom(fast, 99);
    unsigned different = 0;
    for (int64_t i = 0; i < count; ++i)
      setElement(slow, i, elementAsDouble(wide, i));
    const unsigned size = elementBytes(type);
    for (int64_t i = 0; i < count; ++i)
      different += std::memcmp(&fast.bytes[i * size], &slow.bytes[i * size], size) != 0;
    EXPECT_EQ(different, 0u) << type;
  }
}

TEST(Arange, Counts) {
  Array array = make("i64", {2, 3});
  fillArange(array);
  for (unsigned i = 0; i < 6; ++i)
    EXPECT_EQ(elementAsDouble(array, i), i);
}

TEST(SmallFloats, Limits) {
  EXPECT_EQ(decoded("f16", 0x7bff), 65504);
  EXPECT_EQ(decoded("f16", 0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(decoded("bf16", 0x3f80), 1);
  EXPECT_EQ(decoded("f8E4M3FNUZ", 0x7f), 240);
  EXPECT_EQ(decoded("f8E4M3FN", 0x7e), 448);
  EXPECT_EQ(decoded("f8E5M2FNUZ", 0x7f), 57344);
  EXPECT_EQ(decoded("f8E5M2", 0x7b), 57344);
  EXPECT_EQ(decoded("f8E4M3FNUZ", 0x01), std::ldexp(1.0, -10));
  EXPECT_EQ(decoded("f8E4M3FN", 0x01), std::ldexp(1.0, -9));
  EXPECT_TRUE(std::isnan(decoded("f8E4M3FNUZ", 0x80)));
  EXPECT_TRUE(std::isnan(decoded("f8E4M3FN", 0x7f)));
  EXPECT_TRUE(std::isinf(decoded("f8E5M2", 0x7c)));
}

TEST(SmallFloats, RoundToNearestEven) {
  EXPECT_EQ(encoded("f16", 1 + std::ldexp(1.0, -11)), 0x3c00u);
  EXPECT_EQ(encoded("f16", 1 + std::ldexp(3.0, -11)), 0x3c02u);
  EXPECT_EQ(encoded("bf16", 1 + std::ldexp(1.0, -8)), 0x3f80u);
  EXPECT_EQ(encoded("bf16", 1 + std::ldexp(3.0, -8)), 0x3f82u);
  EXPECT_EQ(encoded("f8E4M3FN", 17), 0x58u); // between 16 and 18
  EXPECT_EQ(encoded("f8E4M3FN", 19), 0x5au); // between 18 and 20
}

TEST(SmallFloats, EveryPatternComesBack) {
  for (const char *type : {"f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f16", "bf16"})
    for (uint64_t bits = 0, end = uint64_t(1) << (8 * elementBytes(type)); bits < end; ++bits) {
      double value = decoded(type, bits);
      if (!std::isnan(value))
        ASSERT_EQ(encoded(type, value), bits) << type;
    }
}
