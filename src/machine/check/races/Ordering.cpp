#include "machine/check/races/Ordering.h"

namespace inflight::machine::check {

void Ordering::barrier() {
  begun = next();
  versions.assign(1, {});
  for (auto &wave : versions[0].upTo)
    std::fill(std::begin(wave), std::end(wave), begun);
  std::fill(std::begin(current), std::end(current), 0);
}

Moment Ordering::moment(unsigned wave, Unit unit, uint32_t at, bool isWrite, const InFlight &flying,
                        bool tgSplit) const {
  Moment moment;
  moment.number = at;
  moment.version = current[wave];
  moment.wave = wave;
  moment.unit = unit;
  if (!isWrite)
    return moment;
  // Who sees the write knows it, too.
  std::fill(std::begin(moment.published), std::end(moment.published), at + 1);
  for (const Pending *p : flying.operations()) {
    auto open = [&](Unit which) {
      moment.published[unsigned(which)] = std::min(moment.published[unsigned(which)], p->number);
    };
    const bool isOrdered = p->facts->inOrder;
    for (const AccessRecord &record : p->accesses)
      if (record.isLds && p->facts->isLdsDma)
        open(Unit::Dma);
      else if (record.isLds && p->mayTouchLds() && !(unit == Unit::Lds && isOrdered))
        open(Unit::Lds);
      else if (!record.isLds && p->mayTouchMemory() && tgSplit)
        open(Unit::Global);
  }
  return moment;
}

Known Ordering::publishedBy(const Moment &write) const {
  Known result = versions[write.version];
  for (unsigned unit = 0; unit < unitCount; ++unit)
    result.upTo[write.wave][unit] = std::max(result.upTo[write.wave][unit], write.published[unit]);
  return result;
}

void Ordering::acquire(unsigned wave, const Known &seen) {
  Known joined = versions[current[wave]];
  joined.join(seen);
  if (joined == versions[current[wave]])
    return;
  current[wave] = versions.size();
  versions.push_back(joined);
}

} // namespace inflight::machine::check
