#include "machine/check/InFlight.h"

#include "program/Decoder.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;

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

std::string InFlight::waitFor(const Pending &pending) const {
  unsigned laterVmem = 0, laterLds = 0;
  for (auto it = live.rbegin(); it != live.rend() && it->get() != &pending; ++it) {
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
