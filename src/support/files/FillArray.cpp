// Arrays of pseudo-random and counted numbers, at the speed that memory is written with.
#include "support/Threads.h"
#include "support/files/Npy.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/bit.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace inflight {

/// The output of SplitMix64 for `state`: each is found without those before.
static uint64_t splitMix(uint64_t state) {
  uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// A multiple of 2^-23 in [-1, 1): a float has it exactly.
static float fraction(uint64_t random) { return float(int32_t(random >> 40) - (1 << 23)) * 0x1p-23f; }

namespace {
/// A float format of at most 16 bits that holds every number up to 1 without overflow.
struct NarrowFloat {
  unsigned mantissa; ///< stored bits
  int bias;
  unsigned bits;
  bool hasNegativeZero;
};
} // namespace

/// Rounds a number of [-1, 1] to nearest, ties to even.
template <NarrowFloat format> static uint16_t narrow(float value) {
  constexpr unsigned dropped = 23 - format.mantissa;
  constexpr int floatBias = 127;
  const uint32_t all = bit_cast<uint32_t>(value), sign = all >> 31, magnitude = all & 0x7fffffffu;
  const uint32_t rounded = (magnitude + (1u << (dropped - 1)) - 1 + ((magnitude >> dropped) & 1)) >> dropped;
  const uint32_t normal = rounded - (uint32_t(floatBias - format.bias) << format.mantissa);
  // In units of the smallest subnormal number; adding 2^23 rounds to a whole number of them. Those of bf16 are smaller
  // than any fraction.
  constexpr uint32_t scaleBits = uint32_t(floatBias + format.bias - 1 + int(format.mantissa)) << 23;
  constexpr uint32_t firstNormal = uint32_t(floatBias + 1 - format.bias) << 23;
  const float inUnits = bit_cast<float>(magnitude) * bit_cast<float>(std::min(scaleBits, 254u << 23));
  const uint32_t subnormal = bit_cast<uint32_t>(inUnits + 0x1p23f) & 0x7fffffu;
  const uint32_t result = magnitude < firstNormal ? subnormal : normal;
  return uint16_t(result | (format.hasNegativeZero || result ? sign << (format.bits - 1) : 0));
}

/// Calls `fill` with ranges of [0, count) on several threads where that pays.
static void inParts(uint64_t count, function_ref<void(uint64_t, uint64_t)> fill) {
  constexpr uint64_t leastOfThread = uint64_t(1) << 20;
  const uint64_t most = std::max(1u, std::thread::hardware_concurrency());
  const uint64_t threads = std::clamp<uint64_t>(count / leastOfThread, 1, most);
  onThreads(unsigned(threads),
            [&](unsigned thread) { fill(count * thread / threads, count * (thread + 1) / threads); });
}

/// Sets each element to what `valueOf` gives for its index.
template <typename T> static void fillWith(Array &array, auto valueOf) {
  uint8_t *bytes = array.bytes.data();
  inParts(array.elementCount(), [&](uint64_t begin, uint64_t end) {
    for (uint64_t i = begin; i < end; ++i) {
      const T value = valueOf(i);
      std::memcpy(bytes + i * sizeof(T), &value, sizeof(T));
    }
  });
}

template <NarrowFloat format> static void fillNarrow(Array &array, auto randomAt) {
  using Bits = std::conditional_t<format.bits == 8, uint8_t, uint16_t>;
  fillWith<Bits>(array, [&](uint64_t i) { return Bits(narrow<format>(fraction(randomAt(i)))); });
}

void fillRandom(Array &array, uint64_t seed) {
  auto randomAt = [seed](uint64_t i) { return splitMix(seed + (i + 1) * 0x9e3779b97f4a7c15u); };
  auto remainderAt = [&](uint64_t i) { return randomAt(i) % 100; };
  const StringRef type = array.type;
  if (type == "f64")
    return fillWith<double>(array, [&](uint64_t i) { return double(fraction(randomAt(i))); });
  if (type == "f32")
    return fillWith<float>(array, [&](uint64_t i) { return fraction(randomAt(i)); });
  if (type == "f16")
    return fillNarrow<{10, 15, 16, true}>(array, randomAt);
  if (type == "bf16")
    return fillNarrow<{7, 127, 16, true}>(array, randomAt);
  if (type == "f8E4M3FN")
    return fillNarrow<{3, 7, 8, true}>(array, randomAt);
  if (type == "f8E5M2")
    return fillNarrow<{2, 15, 8, true}>(array, randomAt);
  if (type == "f8E4M3FNUZ")
    return fillNarrow<{3, 8, 8, false}>(array, randomAt);
  if (type == "f8E5M2FNUZ")
    return fillNarrow<{2, 16, 8, false}>(array, randomAt);
  switch (elementBytes(type)) {
  case 1: return fillWith<uint8_t>(array, remainderAt);
  case 2: return fillWith<uint16_t>(array, remainderAt);
  case 4: return fillWith<uint32_t>(array, remainderAt);
  default: return fillWith<uint64_t>(array, remainderAt);
  }
}

void fillArange(Array &array) {
  const StringRef type = array.type;
  auto index = [](uint64_t i) { return i; };
  if (type == "f32")
    return fillWith<float>(array, index);
  if (type == "f64")
    return fillWith<double>(array, index);
  if (type == "i32" || type == "u32")
    return fillWith<uint32_t>(array, index);
  if (type == "i64" || type == "u64" || type == "index")
    return fillWith<uint64_t>(array, index);
  for (uint64_t i = 0, e = array.elementCount(); i < e; ++i)
    setElement(array, i, double(i));
}

} // namespace inflight
