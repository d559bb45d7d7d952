#include "machine/check/inflight/InFlight.h"

#include "machine/check/inflight/LaneLoops.h"
#include <algorithm>

using namespace llvm;

namespace inflight::machine::check {

bool AccessRecord::isContiguous() const {
  return isLds ? shape->isContiguous : at[0] && check::isContiguous(at, bytes);
}

std::optional<AccessRecord::Shared> AccessRecord::sharedWith(const AccessRecord &other) const {
  if (!mayOverlap(other))
    return std::nullopt;
  for (const AccessShape::Piece &mine : shape->pieces)
    for (const AccessShape::Piece &theirs : other.shape->pieces) {
      const uint64_t common = mine.bytes & theirs.bytes;
      if (!common || firstBlock + mine.block != other.firstBlock + theirs.block)
        continue;
      const uint32_t at = 64 * mine.block + countr_zero(common);
      for (unsigned lane = 0; lane < Lanes; ++lane)
        if (shape->offset[lane] != AccessShape::noOffset && at - shape->offset[lane] < shape->bytes)
          return Shared{64 * firstBlock + at, lane};
    }
  return std::nullopt;
}

void InFlight::reset() {
  spare.insert(spare.end(), live.begin(), live.end());
  live.clear();
  std::fill(std::begin(units), std::end(units), 0);
  registersPending = ldsDmaPending = 0;
  counted[false] = counted[true] = {};
}

uint64_t Pending::lanesOf(RegUnit unit) const {
  uint64_t lanes = exec;
  for (auto [replacedUnit, by] : replaced)
    if (replacedUnit == unit)
      lanes &= ~by;
  return lanes;
}

void InFlight::forEachWriting(RegRange range, uint64_t lanes, function_ref<void(Pending &, RegRange)> see) const {
  // Of each unit the lanes of which the last writer hasn't been seen; of scalars all or none.
  SmallVector<uint64_t, 32> open(range.count, range.first <= regunit::ExecHi ? ~uint64_t(0) : lanes);
  for (auto it = live.rbegin(); it != live.rend(); ++it) {
    unsigned first = regunit::Count, last = 0;
    for (RegRange written : (*it)->registers)
      for (unsigned unit = std::max(written.first, range.first);
           unit < std::min<unsigned>(written.first + written.count, range.first + range.count); ++unit) {
        const uint64_t writes = unit <= regunit::ExecHi ? ~uint64_t(0) : (*it)->lanesOf(unit);
        if (!(open[unit - range.first] & writes))
          continue;
        open[unit - range.first] &= ~writes;
        first = std::min(first, unit);
        last = std::max(last, unit);
      }
    if (first <= last)
      see(**it, {RegUnit(first), uint16_t(last - first + 1)});
  }
}

std::string InFlight::waitFor(const Pending &pending, const CounterTable &counters) const {
  WaitOperands wait;
  for (Counter counter : counters.all())
    if (pending.awaits & setOf(counter)) {
      unsigned later = 0;
      for (auto it = live.rbegin(); pending.facts->inOrder && *it != &pending; ++it)
        later += (*it)->facts->inOrder && (*it)->facts->raises & setOf(counter);
      wait.counts[counter] = WaitCount(later);
    }
  return counters.encoding.text(wait);
}

Pending &InFlight::issue() {
  if (spare.empty())
    spare.push_back(all.emplace_back(std::make_unique<Pending>()).get());
  live.push_back(spare.back());
  spare.pop_back();
  Pending &p = *live.back();
  p.delivered = false;
  p.late = 0;
  p.reported.clear();
  p.isLdsReported = false;
  p.acquired.clear();
  p.registers.clear();
  p.replaced.clear();
  p.values.clear();
  p.accesses.clear();
  p.ldsBytes.clear();
  return p;
}

void InFlight::issued(const Pending &pending) {
  registersPending += !pending.registers.empty();
  ldsDmaPending += pending.facts->isLdsDma;
  forEach(pending.facts->raises, [&](Counter counter) { ++counted[pending.facts->inOrder][counter]; });
  for (RegRange range : pending.registers)
    for (unsigned i = 0; i < range.count; ++i) {
      if (units[range.first + i]++)
        for (Pending *earlier : live)
          if (earlier != &pending && earlier->arrivesBefore(*pending.facts))
            earlier->replaced.push_back({range.first + i, pending.exec});
    }
}

void InFlight::arrived(const Pending &pending) {
  registersPending -= !pending.registers.empty();
  ldsDmaPending -= pending.facts->isLdsDma;
  forEach(pending.facts->raises, [&](Counter counter) { --counted[pending.facts->inOrder][counter]; });
  for (RegRange range : pending.registers)
    for (unsigned i = 0; i < range.count; ++i)
      --units[range.first + i];
}

} // namespace inflight::machine::check
