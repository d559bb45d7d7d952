#include "machine/check/InFlight.h"

#include "machine/check/LaneLoops.h"
#include "program/Decoder.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

namespace inflight::machine::check {

bool AccessRecord::isContiguous() const {
  return isLds ? shape->isContiguous : at[0] && check::isContiguous(at, bytes);
}

void InFlight::reset() {
  spare.insert(spare.end(), live.begin(), live.end());
  live.clear();
  std::fill(std::begin(units), std::end(units), 0);
  registersPending = ldsDmaPending = onVmcnt = onLgkmcnt = 0;
}

uint64_t Pending::lanesOf(RegUnit unit) const {
  uint64_t lanes = exec;
  for (auto [replacedUnit, by] : replaced)
    if (replacedUnit == unit)
      lanes &= ~by;
  return lanes;
}

/// Whether `pending` will write a unit of both ranges in one of the lanes.
static bool willWrite(const Pending &pending, RegRange written, RegRange range, uint64_t lanes) {
  if (!written.overlaps(range))
    return false;
  if (written.first <= regunit::ExecHi)
    return true;
  if (pending.replaced.empty())
    return pending.exec & lanes;
  for (unsigned unit = std::max(written.first, range.first);
       unit < std::min<unsigned>(written.first + written.count, range.first + range.count); ++unit)
    if (pending.lanesOf(unit) & lanes)
      return true;
  return false;
}

Pending *InFlight::writing(RegRange range, uint64_t lanes) const {
  bool any = false;
  for (unsigned i = 0; i < range.count && range.first + i < regunit::Count; ++i)
    any |= units[range.first + i] != 0;
  if (!any)
    return nullptr;
  for (auto it = live.rbegin(); it != live.rend(); ++it)
    for (RegRange written : (*it)->registers)
      if (willWrite(**it, written, range, lanes))
        return *it;
  return nullptr;
}

std::string InFlight::waitFor(const Pending &pending) const {
  unsigned laterVmem = 0, laterLds = 0;
  for (auto it = live.rbegin(); it != live.rend() && *it != &pending; ++it) {
    laterVmem += (*it)->facts->raisesVmcnt && (*it)->facts->inOrder;
    laterLds += (*it)->facts->raisesLgkmcnt && (*it)->facts->inOrder;
  }
  const WaitcntFields most = decodeWaitcnt(0xffff);
  auto count = [&](unsigned later, unsigned maximum) { return pending.facts->inOrder ? std::min(later, maximum) : 0; };
  std::string text = "s_waitcnt";
  if (pending.awaitsVmcnt)
    text += formatv(" vmcnt({0})", count(laterVmem, most.vmcnt));
  if (pending.awaitsLgkmcnt)
    text += formatv(" lgkmcnt({0})", count(laterLds, most.lgkmcnt));
  return text;
}

Pending &InFlight::issue() {
  if (spare.empty())
    spare.push_back(all.emplace_back(std::make_unique<Pending>()).get());
  live.push_back(spare.back());
  spare.pop_back();
  Pending &p = *live.back();
  p.delivered = false;
  p.late = nullptr;
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
  onVmcnt += pending.facts->raisesVmcnt;
  onLgkmcnt += pending.facts->raisesLgkmcnt;
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
  onVmcnt -= pending.facts->raisesVmcnt;
  onLgkmcnt -= pending.facts->raisesLgkmcnt;
  for (RegRange range : pending.registers)
    for (unsigned i = 0; i < range.count; ++i)
      --units[range.first + i];
}

} // namespace inflight::machine::check
