#include "waits/OrderState.h"

#include <algorithm>

using namespace llvm;

namespace inflight::waits {

static bool isOfLds(unsigned kind) { return (access::OnLds | access::LdsResult) >> kind & 1; }

bool OrderState::meet(const OrderState &from) {
  bool changed = false;
  auto take = [&](uint8_t &into, uint8_t value) {
    changed |= value < into;
    into = std::min(into, value);
  };
  for (unsigned kind = 0; kind < kinds; ++kind) {
    take(youngest[kind], from.youngest[kind]);
    take(waited[kind], from.waited[kind]);
  }
  for (uint16_t OrderState::*bits :
       {&OrderState::unordered, &OrderState::unorderedWaited, &OrderState::flatOnVm, &OrderState::flatOnVmWaited, &OrderState::flatOnLgkm, &OrderState::flatOnLgkmWaited}) {
    changed |= (from.*bits & ~(this->*bits)) != 0;
    this->*bits |= from.*bits;
  }
  return changed;
}

OrderState OrderState::anything() {
  OrderState any;
  any.youngest.fill(0);
  any.unordered = access::Scalar | access::Message | access::ScalarResult;
  any.flatOnVm = any.flatOnLgkm = access::OnVm | access::OnLds | access::VmResult | access::LdsResult;
  return any;
}

void OrderWalk::enter(const OrderState &state, uint32_t vmClock, uint32_t ldsClock) {
  others = state;
  for (unsigned kind = 0; kind < OrderState::kinds; ++kind) {
    const uint32_t clock = isOfLds(kind) ? ldsClock : vmClock;
    youngest[kind] = state.youngest[kind] == OrderState::none ? 0 : clock - state.youngest[kind];
    waited[kind] = state.waited[kind] == OrderState::none ? 0 : clock - state.waited[kind];
  }
}

void OrderWalk::leave(OrderState &state, uint32_t vmClock, uint32_t ldsClock) const {
  state = others;
  auto age = [](uint32_t clock, uint32_t time) { return time ? uint8_t(std::min<uint32_t>(clock - time, OrderState::oldest)) : OrderState::none; };
  for (unsigned kind = 0; kind < OrderState::kinds; ++kind) {
    const uint32_t clock = isOfLds(kind) ? ldsClock : vmClock;
    state.youngest[kind] = age(clock, youngest[kind]);
    state.waited[kind] = age(clock, waited[kind]);
  }
}

void OrderWalk::issue(const Op &op, uint32_t vmClock, uint32_t ldsClock) {
  if (op.kind == Kind::Flat) {
    others.flatOnVm |= op.does;
    others.flatOnLgkm |= op.does;
    return;
  }
  others.unordered |= op.does & (access::Scalar | access::Message | access::ScalarResult);
  for (unsigned kind = 0; kind < OrderState::kinds; ++kind)
    if (op.does >> kind & 1)
      youngest[kind] = isOfLds(kind) ? ldsClock : vmClock;
}

void OrderWalk::wait(unsigned vmcnt, unsigned lgkmcnt, uint32_t vmClock, uint32_t ldsClock) {
  for (unsigned kind = 0; kind < OrderState::kinds; ++kind) {
    const uint32_t clock = isOfLds(kind) ? ldsClock : vmClock;
    const unsigned count = isOfLds(kind) ? lgkmcnt : vmcnt;
    if (count == 255)
      continue;
    for (auto *times : {&youngest, &waited})
      if (clock - (*times)[kind] >= count)
        (*times)[kind] = 0;
  }
  if (vmcnt == 0)
    others.flatOnVm = others.flatOnVmWaited = 0;
  if (lgkmcnt == 0)
    others.unordered = others.unorderedWaited = others.flatOnLgkm = others.flatOnLgkmWaited = 0;
}

void OrderWalk::waitInProgram(unsigned vmcnt, unsigned lgkmcnt, uint32_t vmClock, uint32_t ldsClock) {
  for (unsigned kind = 0; kind < OrderState::kinds; ++kind) {
    const unsigned count = isOfLds(kind) ? lgkmcnt : vmcnt;
    // One of the kind may have been issued just before the youngest that the wait leaves.
    if (count != 255 && youngest[kind])
      waited[kind] = std::max(waited[kind], std::min(youngest[kind], (isOfLds(kind) ? ldsClock : vmClock) - count));
  }
  if (vmcnt == 0)
    others.flatOnVmWaited |= others.flatOnVm;
  if (lgkmcnt == 0) {
    others.unorderedWaited |= others.unordered;
    others.flatOnLgkmWaited |= others.flatOnLgkm;
  }
}

std::pair<unsigned, unsigned> OrderWalk::finishing(const Times &times, uint16_t onVm, uint16_t onLgkm, uint16_t kinds, uint32_t vmClock, uint32_t ldsClock) {
  unsigned vm = onVm & kinds ? 0 : 255, lgkm = onLgkm & kinds ? 0 : 255;
  for (unsigned kind = 0; kind < OrderState::kinds; ++kind)
    if (times[kind] && kinds >> kind & 1) {
      unsigned &count = isOfLds(kind) ? lgkm : vm;
      count = std::min<unsigned>(count, (isOfLds(kind) ? ldsClock : vmClock) - times[kind]);
    }
  return {vm, lgkm};
}

std::pair<unsigned, unsigned> OrderWalk::waitedInProgram(uint16_t kinds, uint32_t vmClock, uint32_t ldsClock) const {
  return finishing(waited, others.flatOnVmWaited, others.unorderedWaited | others.flatOnLgkmWaited, kinds, vmClock, ldsClock);
}

std::pair<unsigned, unsigned> OrderWalk::pending(uint16_t kinds, uint32_t vmClock, uint32_t ldsClock) const {
  return finishing(youngest, others.flatOnVm, others.unordered | others.flatOnLgkm, kinds, vmClock, ldsClock);
}

} // namespace inflight::waits
