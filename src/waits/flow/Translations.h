// What operations that are done tell of addresses that may be translated again. Translations are in order: whose
// operation is done has its address translated, and so have those before it, whichever counter has their results.
#pragma once

#include "isa/counters/Counters.h"
#include "waits/graph/PerUsedCounter.h"

namespace inflight::waits {

/// An operation that `own` younger ones of its counter followed, and `sources` younger ones of those whose addresses
/// are translated in order.
struct TranslationAge {
  uint8_t own, sources;
  bool operator==(const TranslationAge &) const = default;
};
/// From the youngest to the oldest. When so many of its counter are left, no more than `sources` aren't translated.
using TranslationAges = llvm::SmallVector<TranslationAge, 0>;

/// While a block is walked, by times of issue.
class Translations {
public:
  using Clocks = PerCounter<uint32_t>;
  using Ages = PerUsedCounter<TranslationAges, 0>;

  explicit Translations(const CounterTable &counters LLVM_LIFETIME_BOUND);
  /// Whether the chip has them; else nothing else is asked for. `counter`: on which they are in order.
  bool areFollowed() const { return addresses.has_value(); }
  Counter counter() const { return *addresses; }
  static std::optional<Counter> counterOf(const CounterTable &counters);
  /// Takes what holds on both paths, on which at most so many translations are left; whether that changed `into`.
  static bool meet(Ages &into, unsigned leftInto, const Ages &from, unsigned leftFrom);
  void enter(const Ages &ages, const Clocks &clocks);
  /// Of operations later than `done`, by their counter.
  void leave(Ages &ages, const Clocks &clocks, const Clocks &done) const;
  /// Issued at `clocks`. `mayBeSkipped`: then it is as old as the one before, and whether that one is done says nothing
  /// of it.
  void issue(OrderClass kind, bool mayBeSkipped, const Clocks &clocks);
  /// The latest that is translated when the counter's operations up to `done` are done.
  uint32_t translatedBy(Counter own, uint32_t done) const;

private:
  struct Issued {
    uint32_t time, translation;
  };
  const CounterTable &counters;
  const std::optional<Counter> addresses;
  llvm::SmallVector<Counter, 4> owners; ///< count operations until they are done
  PerCounter<std::vector<Issued>> issued;
};

} // namespace inflight::waits
