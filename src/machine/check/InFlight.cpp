#include "machine/check/InFlight.h"

namespace inflight::machine::check {

void InFlight::reset() {
  for (std::unique_ptr<Pending> &pending : live)
    spare.push_back(std::move(pending));
  live.clear();
  units.reset();
}

const Pending *InFlight::writing(RegRange range, uint64_t lanes) const {
  bool any = false;
  for (unsigned i = 0; i < range.count && range.first + i < regunit::Count; ++i)
    any |= units[range.first + i];
  if (!any)
    return nullptr;
  for (auto it = live.rbegin(); it != live.rend(); ++it)
    for (RegRange written : (*it)->registers)
      if (written.overlaps(range) && (written.first <= regunit::ExecHi || (*it)->exec & lanes))
        return it->get();
  return nullptr;
}

Pending &InFlight::issue() {
  if (spare.empty())
    spare.push_back(std::make_unique<Pending>());
  live.push_back(std::move(spare.back()));
  spare.pop_back();
  Pending &p = *live.back();
  p.registers.clear();
  p.values.clear();
  p.accesses.clear();
  p.ldsBytes.clear();
  return p;
}

void InFlight::issued(const Pending &pending) {
  for (RegRange range : pending.registers)
    for (unsigned i = 0; i < range.count; ++i)
      units.set(range.first + i);
}

void InFlight::updateUnits() {
  units.reset();
  for (const std::unique_ptr<Pending> &pending : live)
    issued(*pending);
}

} // namespace inflight::machine::check
