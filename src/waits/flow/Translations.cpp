#include "waits/flow/Translations.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

/// How many translations are left at most when so many of the counter's operations are.
static unsigned leftAt(ArrayRef<TranslationAge> ages, unsigned own, unsigned left) {
  const TranslationAge *known = find_if(ages, [&](TranslationAge age) { return age.own >= own; });
  return known == ages.end() ? left : std::min<unsigned>(known->sources, left);
}

static bool meet(TranslationAges &into, unsigned leftInto, const TranslationAges &from, unsigned leftFrom) {
  if (into.empty() && from.empty())
    return false;
  const unsigned left = std::max(leftInto, leftFrom);
  TranslationAges both;
  const TranslationAge *a = into.begin(), *b = from.begin();
  while (a != into.end() || b != from.end()) {
    const bool isOfA = a != into.end() && (b == from.end() || a->own <= b->own);
    const uint8_t own = isOfA ? a->own : b->own;
    if (a != into.end() && a->own == own)
      ++a;
    if (b != from.end() && b->own == own)
      ++b;
    const unsigned sources = std::max(leftAt(into, own, leftInto), leftAt(from, own, leftFrom));
    if (sources >= left)
      break;
    if (!both.empty() && both.back().sources == sources)
      both.back().own = own;
    else
      both.push_back({own, uint8_t(sources)});
  }
  if (both == into)
    return false;
  into = std::move(both);
  return true;
}

bool Translations::meet(Ages &into, unsigned leftInto, const Ages &from, unsigned leftFrom) {
  bool changed = false;
  for (unsigned own = 0; own < std::max(into.size(), from.size()); ++own)
    changed |= inflight::waits::meet(into[Counter(own)], leftInto, from[Counter(own)], leftFrom);
  return changed;
}

std::optional<Counter> Translations::counterOf(const CounterTable &counters) {
  for (Counter counter : counters.ofMemory())
    if (counters[counter].isOfSources)
      return counter;
  return std::nullopt;
}

Translations::Translations(const CounterTable &counters) : counters(counters), addresses(counterOf(counters)) {
  if (!areFollowed())
    return;
  // That FLAT is done with LDS says nothing of its address.
  for (Counter counter : counters.ofMemory())
    if (!counters[counter].isOfSources && counter != counters.of(OrderClass::Lds))
      owners.push_back(counter);
}

void Translations::enter(const Ages &ages, const Clocks &clocks) {
  for (Counter own : owners) {
    issued[own].clear();
    for (TranslationAge age : reverse(ages[own]))
      issued[own].push_back({clocks[own] - age.own, clocks[*addresses] - age.sources});
  }
}

void Translations::leave(Ages &ages, const Clocks &clocks, const Clocks &done) const {
  ages = {};
  for (Counter own : owners)
    for (const Issued &operation : reverse(issued[own])) {
      const uint32_t age = clocks[own] - operation.time, translation = clocks[*addresses] - operation.translation;
      // No wait leaves more.
      if (operation.time <= done[own] || age >= counters[own].maximum || translation >= counters[*addresses].maximum)
        break;
      ages[own].push_back({uint8_t(age), uint8_t(translation)});
    }
}

void Translations::issue(OrderClass kind, bool mayBeSkipped, const Clocks &clocks) {
  if (!counters[*addresses].isInOrder(kind))
    return;
  const uint32_t now = clocks[*addresses];
  for (Counter own : owners) {
    if (mayBeSkipped)
      for (Issued &operation : reverse(issued[own])) {
        if (operation.translation < now)
          break;
        operation.translation = now - 1;
      }
    else if (counters[own].isInOrder(kind))
      issued[own].push_back({clocks[own], now});
  }
}

uint32_t Translations::translatedBy(Counter own, uint32_t done) const {
  const std::vector<Issued> &list = issued[own];
  const auto end = partition_point(list, [&](const Issued &operation) { return operation.time <= done; });
  return end == list.begin() ? 0 : std::prev(end)->translation;
}

} // namespace inflight::waits
