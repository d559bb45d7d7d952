#include "waits/graph/OrderState.h"

#include "llvm/ADT/bit.h"
#include <algorithm>

using namespace llvm;

namespace inflight::waits {

/// What operations of the class do that other waves can observe, and the results that they have.
static uint16_t accessesOf(OrderClass order) {
  switch (order) {
  case OrderClass::None: return 0;
  case OrderClass::LdsDma:
  case OrderClass::Tensor: return access::Dma;
  case OrderClass::LdsDmaStore:
  case OrderClass::TensorStore: return access::Store;
  case OrderClass::WriteBack: return access::WriteBack;
  case OrderClass::Lds: return access::OnLds | access::LdsResult;
  case OrderClass::Smem: return access::Scalar | access::Message | access::ScalarResult;
  case OrderClass::Message: return access::Message;
  case OrderClass::Flat:
  case OrderClass::FlatStore: return access::OnVm | access::OnLds | access::VmResult | access::LdsResult;
  case OrderClass::Vmem:
  case OrderClass::Store:
  case OrderClass::Sample:
  case OrderClass::Bvh: break;
  default: return 0; // of registers
  }
  return (access::OnVm & ~access::Dma) | access::VmResult;
}

template <typename Visit> static void forEachKind(uint16_t kinds, Visit visit) {
  for (uint16_t bits = kinds & ((1 << OrderState::kinds) - 1); bits; bits &= bits - 1)
    visit(unsigned(llvm::countr_zero(bits)));
}

bool OrderState::meet(const OrderState &from, const CounterTable &counters) {
  bool changed = false;
  auto takeAges = [&](Ages &into, const Ages &values, uint16_t present) {
    forEachKind(present, [&](unsigned kind) {
      changed |= values[kind] < into[kind];
      into[kind] = std::min(into[kind], values[kind]);
    });
  };
  auto takeBits = [&](uint16_t &into, uint16_t bits) {
    changed |= (bits & ~into) != 0;
    into |= bits;
  };
  for (Counter counter : counters.ofMemory()) {
    const OnCounter &of = from.on[counter];
    OnCounter &into = on[counter];
    takeAges(into.youngest, of.youngest, of.present);
    takeAges(into.waited, of.waited, of.present);
    into.present |= of.present;
    takeBits(into.unordered, of.unordered);
    takeBits(into.unorderedWaited, of.unorderedWaited);
  }
  return changed;
}

bool OrderState::isAnyWaited() const {
  bool isAny = false;
  on.forEach([&](const OnCounter &counter) { isAny |= counter.waited != nothing(); });
  return isAny;
}

OrderState OrderState::anything(const CounterTable &counters) {
  OrderState any;
  for (Counter counter : counters.ofMemory())
    for (unsigned order = 0; order < counters[counter].completion.size() && !counters[counter].isOfSources; ++order) {
      const uint16_t accesses = accessesOf(OrderClass(order));
      const Completion completion = counters[counter].completion[order];
      if (completion == Completion::OutOfOrder)
        any.on[counter].unordered |= accesses;
      else if (completion != Completion::NotCounted)
        forEachKind(accesses, [&](unsigned kind) {
          any.on[counter].youngest[kind] = 0;
          any.on[counter].present |= 1 << kind;
        });
    }
  return any;
}

void OrderWalk::enter(const OrderState &state, const Clocks &clocks) {
  for (Counter counter : counters.ofMemory()) {
    const OrderState::OnCounter &of = state.on[counter];
    unordered[counter] = of.unordered;
    unorderedWaited[counter] = of.unorderedWaited;
    auto time = [&](uint8_t age) { return age == OrderState::none ? 0 : clocks[counter] - age; };
    forEachKind(present[counter], [&](unsigned kind) { youngest[counter][kind] = waited[counter][kind] = 0; });
    present[counter] = of.present;
    forEachKind(present[counter], [&](unsigned kind) {
      youngest[counter][kind] = time(of.youngest[kind]);
      waited[counter][kind] = time(of.waited[kind]);
    });
  }
}

void OrderWalk::leave(OrderState &state, const Clocks &clocks) const {
  for (Counter counter : counters.ofMemory()) {
    OrderState::OnCounter &into = state.on[counter];
    into.unordered = unordered[counter];
    into.unorderedWaited = unorderedWaited[counter];
    auto age = [&](uint32_t time) {
      return time ? uint8_t(std::min<uint32_t>(clocks[counter] - time, OrderState::oldest)) : OrderState::none;
    };
    forEachKind(into.present, [&](unsigned kind) { into.youngest[kind] = into.waited[kind] = OrderState::none; });
    into.present = present[counter];
    forEachKind(present[counter], [&](unsigned kind) {
      into.youngest[kind] = age(youngest[counter][kind]);
      into.waited[kind] = age(waited[counter][kind]);
    });
  }
}

void OrderWalk::issue(const Op &op, const Clocks &clocks) {
  const uint16_t does = op.does & followed;
  for (Counter counter : counters.ofMemory())
    switch (counters[counter].isOfSources ? Completion::NotCounted : counters[counter].of(op.kind)) {
    case Completion::NotCounted: break;
    case Completion::OutOfOrder: unordered[counter] |= does; break;
    case Completion::InOrder:
    case Completion::AfterOlder:
      present[counter] |= does & ((1 << OrderState::kinds) - 1);
      forEachKind(does, [&](unsigned kind) { youngest[counter][kind] = clocks[counter]; });
      break;
    }
}

void OrderWalk::wait(const WaitCounts &counts, const Clocks &clocks) {
  for (Counter counter : counters.ofMemory()) {
    const WaitCount count = counts[counter];
    if (count.isNone())
      continue;
    forEachKind(present[counter], [&](unsigned kind) {
      for (Times *times : {&youngest[counter], &waited[counter]})
        if (count.finishes(clocks[counter] - (*times)[kind]))
          (*times)[kind] = 0;
    });
    if (count.isZero())
      unordered[counter] = unorderedWaited[counter] = 0;
  }
}

void OrderWalk::waitInProgram(const WaitCounts &counts, const Clocks &clocks) {
  for (Counter counter : counters.ofMemory()) {
    const WaitCount count = counts[counter];
    if (count.isNone())
      continue;
    // One of the kind may have been issued just before the youngest that the wait leaves.
    forEachKind(present[counter], [&](unsigned kind) {
      const uint32_t time = youngest[counter][kind];
      if (time)
        waited[counter][kind] = std::max(waited[counter][kind], std::min(time, clocks[counter] - count.value()));
    });
    if (count.isZero())
      unorderedWaited[counter] |= unordered[counter];
  }
}

WaitCounts OrderWalk::finishing(const PerMemoryCounter<Times> &times, const PerMemoryCounter<uint16_t> &unordered,
                                uint16_t kinds, const Clocks &clocks) const {
  WaitCounts counts;
  for (Counter counter : counters.ofMemory()) {
    if (unordered[counter] & kinds)
      counts[counter] = WaitCount(0);
    forEachKind(present[counter] & kinds, [&](unsigned kind) {
      if (times[counter][kind])
        counts[counter] = std::min(counts[counter], WaitCount(clocks[counter] - times[counter][kind]));
    });
  }
  return counts;
}

WaitCounts OrderWalk::waitedInProgram(uint16_t kinds, const Clocks &clocks) const {
  return finishing(waited, unorderedWaited, kinds, clocks);
}

WaitCounts OrderWalk::pending(uint16_t kinds, const Clocks &clocks) const {
  return finishing(youngest, unordered, kinds, clocks);
}

} // namespace inflight::waits
