#include "waits/State.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

/// Beyond so many ranges one entry stands for all.
static constexpr size_t maximumAccesses = 256;
/// Ages are less: so far apart are the times at which two blocks begin.
static constexpr uint32_t blockDistance = 256;

static bool isSameAccess(const LdsAccess &a, const LdsAccess &b) {
  return a.region == b.region && a.writes == b.writes && a.isDma == b.isDma && a.isFlat == b.isFlat && a.isApart == b.isApart && a.barrier == b.barrier;
}

/// One entry a kind for any bytes: the youngest of each. `isYounger` says which of two stamps is.
template <typename Younger> static void collapse(LdsAccesses &list, Younger isYounger) {
  LdsAccesses all;
  for (LdsAccess access : list) {
    access.region = 0;
    LdsAccess *known = find_if(all, [&](const LdsAccess &a) { return isSameAccess(a, access); });
    if (known == all.end())
      all.push_back(access);
    else if (isYounger(access.stamp, known->stamp))
      *known = access;
  }
  list = std::move(all);
}

/// `stamp` is an age here.
static bool meetAccesses(LdsAccesses &into, const LdsAccesses &from, function_ref<Region(Region)> across) {
  bool changed = false;
  for (LdsAccess access : from) {
    access.region = across(access.region);
    LdsAccess *known = find_if(into, [&](const LdsAccess &a) { return isSameAccess(a, access); });
    if (known == into.end()) {
      // A collapsed list already holds it.
      known = find_if(into, [&](LdsAccess a) { return !a.region && (a.region = access.region, isSameAccess(a, access)); });
      if (known == into.end()) {
        into.push_back(access);
        changed = true;
        continue;
      }
    }
    if (access.stamp < known->stamp) {
      known->stamp = access.stamp;
      known->op = access.op;
      changed = true;
    }
  }
  if (into.size() > maximumAccesses) {
    collapse(into, std::less<>());
    changed = true;
  }
  return changed;
}

/// The younger of what both have, and all bits.
static bool meetUnits(UnitAges &into, const UnitAges &from) {
  if (from.empty())
    return false;
  bool isNew = false, changed = false;
  auto at = into.begin();
  for (const UnitAge &unit : from) {
    while (at != into.end() && at->unit < unit.unit)
      ++at;
    if (at == into.end() || at->unit != unit.unit) {
      isNew = true;
      break;
    }
    changed |= unit.age < at->age || (unit.bits & ~at->bits);
    at->age = std::min(at->age, unit.age);
    at->bits |= unit.bits;
  }
  if (!isNew)
    return changed;
  UnitAges both;
  both.reserve(into.size() + from.size());
  auto a = into.begin();
  auto b = from.begin();
  while (a != into.end() || b != from.end()) {
    if (b == from.end() || (a != into.end() && a->unit < b->unit)) {
      both.push_back(*a++);
    } else if (a == into.end() || b->unit < a->unit) {
      both.push_back(*b++);
    } else {
      both.push_back({a->unit, std::min(a->age, b->age), uint8_t(a->bits | b->bits)});
      ++a, ++b;
    }
  }
  into = std::move(both);
  return true;
}

bool State::meet(const State &from, const Graph &graph, uint32_t fromBlock, uint32_t toBlock, bool isBack) {
  bool changed = !isReached;
  isReached = true;
  changed |= meetUnits(vm, from.vm);
  changed |= meetUnits(lds, from.lds);
  changed |= meetUnits(other, from.other);
  auto orInto = [&](bool &into, bool value) {
    changed |= value && !into;
    into |= value;
  };
  orInto(isSmemPending, from.isSmemPending);
  orInto(isMessagePending, from.isMessagePending);
  orInto(isFlatOnVm, from.isFlatOnVm);
  orInto(isFlatOnLgkm, from.isFlatOnLgkm);
  // What a loop adds each time round becomes any number at once.
  auto most = [&](uint8_t &into, uint8_t value) {
    if (value <= into)
      return;
    changed = true;
    into = isBack ? oldest : value;
  };
  most(vmOutstanding, from.vmOutstanding);
  most(ldsOutstanding, from.ldsOutstanding);
  if (from.writeBack < writeBack) {
    writeBack = from.writeBack;
    changed = true;
  }
  auto across = [&](Region region) { return graph.lds ? graph.lds->across(region, fromBlock, toBlock) : region; };
  changed |= meetAccesses(dma, from.dma, across);
  changed |= meetAccesses(accesses, from.accesses, across);
  changed |= meetAccesses(late, from.late, across);
  changed |= order.meet(from.order);
  return changed;
}

Walk::Walk(const Graph &graph) : graph(graph), limit(graph.unitLimit) {
  for (InOrder *c : {&vm, &lds, &smem, &flatOnVm, &flatOnLgkm}) {
    c->birth.resize(limit);
    c->marked.resize((limit + 63) / 64);
  }
}

void Walk::InOrder::start(unsigned outstanding) {
  clock += blockDistance;
  done = clock - outstanding;
  std::fill(marked.begin(), marked.end(), 0);
}

void Walk::enter(const State &state) {
  // An operation of age N is pending when N + 1 may be outstanding.
  vm.start(state.vmOutstanding);
  lds.start(state.ldsOutstanding);
  for (const UnitAge &unit : state.vm)
    vm.mark(unit.unit, vm.clock - unit.age);
  for (const UnitAge &unit : state.lds)
    lds.mark(unit.unit, lds.clock - unit.age);
  smem.start(state.isSmemPending);
  flatOnVm.start(state.isFlatOnVm);
  flatOnLgkm.start(state.isFlatOnLgkm);
  for (const UnitAge &unit : state.other) {
    if (unit.bits & State::smemBit)
      smem.mark(unit.unit, smem.clock);
    if (unit.bits & State::flatVmBit)
      flatOnVm.mark(unit.unit, flatOnVm.clock);
    if (unit.bits & State::flatLgkmBit)
      flatOnLgkm.mark(unit.unit, flatOnLgkm.clock);
  }
  isMessagePending = state.isMessagePending;
  writeBack = state.writeBack == notPending ? 0 : vm.clock - state.writeBack + 1;
  auto load = [](LdsAccesses &into, const LdsAccesses &from, uint32_t clock) {
    into = from;
    for (LdsAccess &access : into)
      access.stamp = clock - access.stamp;
  };
  load(dma, state.dma, vm.clock);
  load(accesses, state.accesses, lds.clock);
  late = state.late;
  order.enter(state.order, vm.clock, lds.clock);
}

void Walk::enterOpen() {
  State any;
  for (unsigned unit = 0; unit < limit; ++unit) {
    const bool isVector = unit >= regunit::Vgpr0;
    any.other.push_back({RegUnit(unit), 0, isVector ? uint8_t(State::flatVmBit | State::flatLgkmBit) : State::smemBit});
    if (isVector) {
      any.vm.push_back({RegUnit(unit), 0});
      any.lds.push_back({RegUnit(unit), 0});
    }
  }
  any.isSmemPending = any.isMessagePending = any.isFlatOnVm = any.isFlatOnLgkm = true;
  any.vmOutstanding = any.ldsOutstanding = 1;
  any.order = OrderState::anything();
  enter(any);
}

static void storeAges(const Walk::InOrder &from, UnitAges &ages, uint8_t &outstanding) {
  outstanding = std::min<uint32_t>(from.clock - from.done, oldest);
  ages.clear();
  if (from.isPending())
    from.forEachPending([&](unsigned unit) {
      ages.push_back({RegUnit(unit), uint8_t(std::min<uint32_t>(from.clock - from.birth[unit], oldest - 1))});
    });
}

void Walk::leave(State &state) const {
  state.isReached = true;
  storeAges(vm, state.vm, state.vmOutstanding);
  storeAges(lds, state.lds, state.ldsOutstanding);
  state.isSmemPending = smem.isPending();
  state.isFlatOnVm = flatOnVm.isPending();
  state.isFlatOnLgkm = flatOnLgkm.isPending();
  state.other.clear();
  const std::pair<const InOrder *, uint8_t> alone[] = {{&smem, State::smemBit}, {&flatOnVm, State::flatVmBit}, {&flatOnLgkm, State::flatLgkmBit}};
  for (auto [from, bit] : alone)
    if (from->isPending()) {
      UnitAges units;
      from->forEachPending([&](unsigned unit) { units.push_back({RegUnit(unit), 0, bit}); });
      meetUnits(state.other, units);
    }
  state.isMessagePending = isMessagePending;
  state.writeBack = writeBack ? std::min<uint32_t>(vm.clock - (writeBack - 1), oldest) : notPending;
  auto store = [&](LdsAccesses &into, const LdsAccesses &from, uint32_t clock) {
    into = from;
    for (LdsAccess &access : into)
      access.stamp = std::min<uint32_t>(clock - access.stamp, oldest);
  };
  store(state.dma, dma, vm.clock);
  store(state.accesses, accesses, lds.clock);
  state.late = late;
  order.leave(state.order, vm.clock, lds.clock);
}

void Walk::wait(unsigned vmcnt, unsigned lgkmcnt) {
  order.wait(vmcnt, lgkmcnt, vm.clock, lds.clock);
  if (vmcnt != 255) {
    vm.finish(vmcnt);
    erase_if(dma, [&](const LdsAccess &access) { return access.stamp <= vm.done; });
    if (writeBack && vm.clock - (writeBack - 1) >= vmcnt)
      writeBack = 0;
    if (vmcnt == 0)
      flatOnVm.finish(0);
  }
  if (lgkmcnt != 255) {
    lds.finish(lgkmcnt);
    if (lgkmcnt == 0) {
      smem.finish(0);
      flatOnLgkm.finish(0);
      isMessagePending = false;
    }
    // What FLAT does to LDS counts on lgkmcnt.
    erase_if(accesses, [&](const LdsAccess &access) { return access.isFlat ? lgkmcnt == 0 : access.stamp <= lds.done; });
  }
}

void Walk::waitInProgram(unsigned vmcnt, unsigned lgkmcnt) { order.waitInProgram(vmcnt, lgkmcnt, vm.clock, lds.clock); }

std::pair<unsigned, unsigned> Walk::waitedInProgram(uint16_t kinds) const { return order.waitedInProgram(kinds, vm.clock, lds.clock); }

std::pair<unsigned, unsigned> Walk::pending(uint16_t kinds) const { return order.pending(kinds, vm.clock, lds.clock); }

void Walk::note(LdsAccesses &list, const LdsAccess &access) {
  LdsAccess *known = find_if(list, [&](const LdsAccess &a) { return isSameAccess(a, access); });
  if (known != list.end()) {
    *known = access;
    return;
  }
  list.push_back(access);
  // Times of issue, not ages.
  if (list.size() > maximumAccesses)
    collapse(list, std::greater<>());
}

void Walk::issue(const Op &op, uint32_t index) {
  // One that may be skipped doesn't make others older. Time goes on when nothing is pending: else it would be finished at once.
  auto count = [&](InOrder &c) { c.clock += !op.mayBeSkipped || !c.isPending(); };
  auto mark = [&](InOrder &c) {
    count(c);
    for (RegRange range : op.writes(graph.ranges))
      for (unsigned unit = range.first; unit < unsigned(range.first + range.count); ++unit)
        c.mark(unit, c.clock);
  };
  LdsAccess access{op.region, index};
  access.writes = op.writesLds;
  access.isApart = op.isApart;
  const bool followsLds = graph.hasLdsDma || graph.hasBarriers;
  switch (op.kind) {
  case Kind::None:
    break;
  case Kind::Vmem:
    mark(vm);
    break;
  case Kind::LdsDma:
    count(vm);
    access.isDma = access.writes = true;
    access.stamp = vm.clock;
    note(dma, access);
    break;
  case Kind::WriteBack:
    writeBack = vm.clock + 1;
    break;
  case Kind::Lds:
    mark(lds);
    if (followsLds && (op.readsLds || op.writesLds)) {
      access.stamp = lds.clock;
      note(accesses, access);
    }
    break;
  case Kind::Smem:
    mark(smem);
    break;
  case Kind::Flat:
    mark(flatOnVm);
    mark(flatOnLgkm);
    if (followsLds) {
      access.isFlat = true;
      note(accesses, access);
    }
    break;
  case Kind::Message:
    isMessagePending = true;
    break;
  }
  if (op.does)
    order.issue(op, vm.clock, lds.clock);
}

void Walk::crossBarrier(uint32_t index) {
  late.clear();
  auto add = [&](const LdsAccesses &list, uint32_t clock) {
    for (LdsAccess access : list) {
      access.barrier = index;
      access.stamp = access.isFlat ? 0 : std::min<uint32_t>(clock - access.stamp, oldest);
      late.push_back(access);
    }
  };
  add(accesses, lds.clock);
  add(dma, vm.clock);
}

} // namespace inflight::waits
