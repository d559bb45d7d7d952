// How many operations of each counter a wait leaves outstanding.
#pragma once

#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <compare>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace inflight {

/// A counter's number in its CounterTable. Those with a name are the ones that s_waitcnt of gfx9 has.
enum class Counter : uint8_t { Vm, Lgkm };
inline constexpr unsigned maximumCounters = 18;
/// Of these those of memory operations, which come first; the others are of the ALUs' registers.
inline constexpr unsigned maximumMemoryCounters = 10;

/// A bit for each counter.
using CounterSet = uint32_t;
constexpr CounterSet setOf(Counter counter) { return 1u << unsigned(counter); }
template <typename F> void forEach(CounterSet set, F &&see) {
  for (; set; set &= set - 1)
    see(Counter(std::countr_zero(set)));
}

/// One T for each counter.
template <typename T, unsigned Count = maximumCounters> struct PerCounter {
  std::array<T, Count> values{};

  PerCounter() = default;
  explicit PerCounter(const T &value) { values.fill(value); }
  T &operator[](Counter counter) LLVM_LIFETIME_BOUND { return values[unsigned(counter)]; }
  const T &operator[](Counter counter) const LLVM_LIFETIME_BOUND { return values[unsigned(counter)]; }
  bool operator==(const PerCounter &) const = default;
};

/// The most operations that a wait leaves outstanding, or none: it doesn't wait for the counter. The greater is the
/// weaker.
class WaitCount {
public:
  constexpr WaitCount() = default;
  /// More than any counter holds is none.
  constexpr explicit WaitCount(unsigned count) : count(count < noCount ? count : noCount) {}
  static constexpr WaitCount none() { return WaitCount(); }
  constexpr bool isNone() const { return count == noCount; }
  constexpr bool isZero() const { return count == 0; }
  /// Not of none.
  constexpr unsigned value() const {
    assert(!isNone());
    return count;
  }
  constexpr unsigned valueOr(unsigned other) const { return isNone() ? other : count; }
  /// Whether an operation is done after the wait that so many younger ones of its order followed.
  constexpr bool finishes(unsigned age) const { return !isNone() && age >= count; }
  constexpr auto operator<=>(const WaitCount &) const = default;

private:
  static constexpr uint8_t noCount = 255;
  uint8_t count = noCount;
};

/// What one wait says of each counter.
struct WaitCounts : PerCounter<WaitCount> {
  WaitCounts() = default;
  explicit WaitCounts(WaitCount ofEach) : PerCounter(ofEach) {}
  static WaitCounts of(Counter counter, WaitCount count) {
    WaitCounts counts;
    counts[counter] = count;
    return counts;
  }
  bool isNothing() const { return *this == WaitCounts(); }
  /// Waits for what both wait for.
  void tighten(const WaitCounts &other) {
    for (unsigned i = 0; i < maximumCounters; ++i)
      values[i] = std::min(values[i], other.values[i]);
  }
  /// As bytes: it is asked of every instruction.
  bool operator==(const WaitCounts &other) const {
    static_assert(sizeof(WaitCount) == 1 && std::has_unique_object_representations_v<WaitCount>);
    return std::memcmp(values.data(), other.values.data(), maximumCounters) == 0;
  }
};

/// What one wait instruction says.
struct WaitOperands {
  WaitCounts counts;
  WaitCount exports; ///< the counter of exports, which no analysis follows
  /// Of S_WAIT_ALU: what else it waits for, which no analysis follows; bits that differ from a wait for nothing.
  uint16_t others = 0;
  bool operator==(const WaitOperands &) const = default;
};

} // namespace inflight
