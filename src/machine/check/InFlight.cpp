#include "machine/check/InFlight.h"

#include <algorithm>

namespace inflight::machine::check {

void InFlight::reset() {
  for (std::unique_ptr<Pending> &pending : live)
    spare.push_back(std::move(pending));
  live.clear();
  std::fill(std::begin(units), std::end(units), 0);
  registersPending = ldsDmaPending = onVmcnt = onLgkmcnt = 0;
}

const Pending *InFlight::writing(RegRange range, uint64_t lanes) const {
  bool any = false;
  for (unsigned i = 0; i < range.count && range.first + i < regunit::Count; ++i)
    any |= units[range.first + i] != 0;
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
  registersPending += !pending.registers.empty();
  ldsDmaPending += pending.facts->isLdsDma;
  onVmcnt += pending.facts->raisesVmcnt;
  onLgkmcnt += pending.facts->raisesLgkmcnt;
  for (RegRange range : pending.registers)
    for (unsigned i = 0; i < range.count; ++i)
      ++units[range.first + i];
}

void InFlight::arrived(const Pending &pending) {
  registersPending -= !pending.registers.empty();
  ldsDmaPending -= pending.facts->isLdsDma;
  onVmcnt -= pending.facts->raisesVmcnt;
  onLgkmcnt -= pending.facts->raisesLgkmcnt;
  for (RegRange range : pending.registers)
    for (unsigned i = 0; i < range.count; ++i)
      --units[range.first + i];
}

} // namespace inflight::machine::check
