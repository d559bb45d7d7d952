// The counters by which a wave waits for its operations. Which there are and what they count is data of the chip:
// data/targets/CHIP.json, "counters".
#pragma once

#include "isa/InstrDesc.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cassert>
#include <compare>

namespace inflight {

struct TargetInfo;
struct WaitcntFields;

/// A counter's number in its CounterTable. Those with a name are the ones that s_waitcnt of gfx9 has.
enum class Counter : uint8_t { Vm, Lgkm };
inline constexpr unsigned maximumCounters = 6;

/// One T for each counter.
template <typename T> struct PerCounter {
  std::array<T, maximumCounters> values{};

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
  bool operator==(const WaitCounts &) const = default;
};

/// How a counter's operations of one class finish.
enum class Completion : uint8_t {
  NotCounted,
  InOrder,    ///< in the order of issue, with those of the counter's other classes that do
  OutOfOrder, ///< in no order: done when the counter is 0
  AfterOlder, ///< not before those in order that were issued before; those issued later count as if it weren't there
};

/// One counter of a chip.
struct CounterInfo {
  std::string name;                        ///< as assembled: "vmcnt"
  unsigned maximum = 0;                    ///< a wait for that many or more waits for nothing
  bool stopsIssue = false;                 ///< nothing is issued that would be counted beyond `maximum` and one more
  std::array<Completion, 16> completion{}; ///< by OrderClass

  /// "vm" of "vmcnt".
  llvm::StringRef shortName() const LLVM_LIFETIME_BOUND {
    return llvm::StringRef(name).drop_back(llvm::StringRef(name).ends_with("cnt") ? 3 : 0);
  }
  Completion of(OrderClass order) const { return completion[unsigned(order)]; }
  bool isInOrder(OrderClass order) const { return of(order) == Completion::InOrder; }
  bool counts(OrderClass order) const { return of(order) != Completion::NotCounted; }
  bool hasInOrder() const { return llvm::is_contained(completion, Completion::InOrder); }
  /// The wait for an operation that so many younger ones of its order followed. None when the counter's range alone
  /// says that it is done; of a counter that isn't known to stop issue, the largest value that waits at all.
  WaitCount countFor(unsigned age) const {
    if (age >= maximum)
      return stopsIssue ? WaitCount::none() : WaitCount(maximum - 1);
    return WaitCount(age);
  }
  /// The most operations in order that there may be, as far as the counter tells.
  unsigned mostOutstanding() const { return maximum + stopsIssue; }
};

/// A chip's counters of memory operations.
struct CounterTable {
  llvm::SmallVector<CounterInfo, 2> counters;

  const CounterInfo &operator[](Counter counter) const LLVM_LIFETIME_BOUND { return counters[unsigned(counter)]; }
  auto all() const {
    return llvm::enum_seq(Counter(0), Counter(counters.size()), llvm::force_iteration_on_noniterable_enum);
  }
  /// The first that counts operations of the class; the chip has to have such operations.
  Counter of(OrderClass order) const {
    for (Counter counter : all())
      if ((*this)[counter].counts(order))
        return counter;
    return Counter(0);
  }
  /// Whether it can be known when operations of the class are done.
  bool counts(OrderClass order) const { return (*this)[of(order)].counts(order); }

  WaitCounts fromFields(WaitcntFields fields) const;
  WaitcntFields toFields(const WaitCounts &counts, unsigned expcnt) const;
  /// "vmcnt(3) lgkmcnt(0)"; empty for a wait for nothing.
  std::string text(const WaitCounts &counts) const;

  /// The chip's table. An error names the data file.
  static llvm::Expected<const CounterTable *> get(llvm::StringRef chip);
};

/// The operands of an s_waitcnt of these values, "vmcnt(3) expcnt(0) lgkmcnt(1)", without those at their greatest. A
/// wait for nothing has all of them, as the assembler wants one.
std::string waitcntText(WaitcntFields fields, const TargetInfo &target);

/// "vmem" and so on, as data files and listings have it.
llvm::StringRef orderClassName(OrderClass order);

} // namespace inflight
