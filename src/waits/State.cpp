#include "waits/State.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

/// Beyond so many ranges one entry stands for all.
static constexpr size_t maximumAccesses = 64;
/// Times of issue that stand for "before the block": ages count back from here.
static constexpr uint32_t blockStart = 256;

static bool isSameAccess(const LdsAccess &a, const LdsAccess &b) {
  return a.region == b.region && a.writes == b.writes && a.isDma == b.isDma && a.isFlat == b.isFlat && a.barrier == b.barrier;
}

/// One entry a kind for any bytes: the youngest of each.
static void collapse(LdsAccesses &list) {
  LdsAccesses all;
  for (LdsAccess access : list) {
    access.region = 0;
    LdsAccess *known = find_if(all, [&](const LdsAccess &a) { return isSameAccess(a, access); });
    if (known == all.end())
      all.push_back(access);
    else if (access.stamp < known->stamp)
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
    collapse(into);
    changed = true;
  }
  return changed;
}

static bool meetLeast(std::vector<uint8_t> &into, const std::vector<uint8_t> &from) {
  if (from.empty())
    return false;
  if (into.empty()) {
    into = from;
    return true;
  }
  uint8_t changed = 0;
  for (size_t i = 0; i < into.size(); ++i) {
    const uint8_t least = std::min(into[i], from[i]);
    changed |= least ^ into[i];
    into[i] = least;
  }
  return changed;
}

bool State::meet(const State &from, const Graph &graph, uint32_t fromBlock, uint32_t toBlock) {
  bool changed = !isReached;
  isReached = true;
  changed |= meetLeast(vm, from.vm);
  changed |= meetLeast(lds, from.lds);
  if (!from.other.empty()) {
    other.resize(from.other.size());
    uint8_t difference = 0;
    for (size_t i = 0; i < other.size(); ++i) {
      difference |= from.other[i] & ~other[i];
      other[i] |= from.other[i];
    }
    changed |= difference != 0;
  }
  auto orInto = [&](bool &into, bool value) {
    changed |= value && !into;
    into |= value;
  };
  orInto(isSmemPending, from.isSmemPending);
  orInto(isMessagePending, from.isMessagePending);
  orInto(isFlatOnVm, from.isFlatOnVm);
  orInto(isFlatOnLgkm, from.isFlatOnLgkm);
  auto most = [&](uint8_t &into, uint8_t value) {
    changed |= value > into;
    into = std::max(into, value);
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
  return changed;
}

Walk::Walk(const Graph &graph) : graph(graph), limit(graph.unitLimit) {
  for (InOrder *c : {&vm, &lds, &smem, &flat})
    c->birth.resize(limit);
}

static void loadAges(Walk::InOrder &into, const std::vector<uint8_t> &ages, uint8_t outstanding) {
  into.clock = blockStart;
  into.done = blockStart - outstanding;
  if (ages.empty()) {
    std::fill(into.birth.begin(), into.birth.end(), 0);
    return;
  }
  for (size_t i = 0; i < ages.size(); ++i)
    into.birth[i] = ages[i] == notPending ? 0 : blockStart - ages[i];
}

static void storeAges(const Walk::InOrder &from, std::vector<uint8_t> &ages, uint8_t &outstanding) {
  outstanding = std::min<uint32_t>(from.clock - from.done, oldest);
  if (!from.isPending())
    return;
  ages.resize(from.birth.size());
  uint8_t any = notPending;
  for (size_t i = 0; i < ages.size(); ++i) {
    const uint8_t age = from.birth[i] > from.done ? std::min<uint32_t>(from.clock - from.birth[i], oldest - 1) : notPending;
    ages[i] = age;
    any = std::min(any, age);
  }
  if (any == notPending)
    ages.clear();
}

void Walk::enter(const State &state) {
  // An operation of age N is pending when N + 1 may be outstanding.
  loadAges(vm, state.vm, state.vmOutstanding);
  loadAges(lds, state.lds, state.ldsOutstanding);
  smem.clock = flat.clock = blockStart;
  smem.done = state.isSmemPending ? blockStart - 1 : blockStart;
  flat.done = state.isFlatOnVm ? blockStart - 1 : blockStart;
  flatDoneOnLgkm = state.isFlatOnLgkm ? blockStart - 1 : blockStart;
  std::fill(smem.birth.begin(), smem.birth.end(), 0);
  std::fill(flat.birth.begin(), flat.birth.end(), 0);
  for (size_t i = 0; i < state.other.size(); ++i) {
    if (state.other[i] & State::smemBit)
      smem.birth[i] = blockStart;
    if (state.other[i] & (State::flatVmBit | State::flatLgkmBit))
      flat.birth[i] = blockStart;
  }
  isMessagePending = state.isMessagePending;
  writeBack = state.writeBack == notPending ? 0 : blockStart - state.writeBack + 1;
  auto load = [](LdsAccesses &into, const LdsAccesses &from) {
    into = from;
    for (LdsAccess &access : into)
      access.stamp = blockStart - access.stamp;
  };
  load(dma, state.dma);
  load(accesses, state.accesses);
  late = state.late;
}

void Walk::enterOpen() {
  State any;
  any.vm.assign(limit, 0);
  std::fill_n(any.vm.begin(), std::min<size_t>(limit, regunit::Vgpr0), notPending);
  any.lds = any.vm;
  any.other.assign(limit, State::smemBit);
  if (limit > regunit::Vgpr0)
    std::fill(any.other.begin() + regunit::Vgpr0, any.other.end(), State::flatVmBit | State::flatLgkmBit);
  any.isSmemPending = any.isMessagePending = any.isFlatOnVm = any.isFlatOnLgkm = true;
  any.vmOutstanding = any.ldsOutstanding = 1;
  enter(any);
}

State Walk::leave() const {
  State state;
  state.isReached = true;
  storeAges(vm, state.vm, state.vmOutstanding);
  storeAges(lds, state.lds, state.ldsOutstanding);
  state.isSmemPending = smem.isPending();
  state.isFlatOnVm = flat.clock != flat.done;
  state.isFlatOnLgkm = flat.clock != flatDoneOnLgkm;
  if (state.isSmemPending || isFlatPending()) {
    state.other.resize(limit);
    for (unsigned i = 0; i < limit; ++i)
      state.other[i] = (smem.birth[i] > smem.done ? State::smemBit : 0) | (flat.birth[i] > flat.done ? State::flatVmBit : 0) |
                       (flat.birth[i] > flatDoneOnLgkm ? State::flatLgkmBit : 0);
  }
  state.isMessagePending = isMessagePending;
  if (writeBack)
    state.writeBack = std::min<uint32_t>(vm.clock - (writeBack - 1), oldest);
  auto store = [&](LdsAccesses &into, const LdsAccesses &from, uint32_t clock) {
    into = from;
    for (LdsAccess &access : into)
      access.stamp = std::min<uint32_t>(clock - access.stamp, oldest);
  };
  store(state.dma, dma, vm.clock);
  store(state.accesses, accesses, lds.clock);
  state.late = late;
  return state;
}

void Walk::wait(unsigned vmcnt, unsigned lgkmcnt) {
  if (vmcnt != 255) {
    vm.finish(vmcnt);
    erase_if(dma, [&](const LdsAccess &access) { return access.stamp <= vm.done; });
    if (writeBack && vm.clock - (writeBack - 1) >= vmcnt)
      writeBack = 0;
    if (vmcnt == 0)
      flat.done = flat.clock;
  }
  if (lgkmcnt != 255) {
    lds.finish(lgkmcnt);
    if (lgkmcnt == 0) {
      smem.done = smem.clock;
      flatDoneOnLgkm = flat.clock;
      isMessagePending = false;
    }
    erase_if(accesses, [&](const LdsAccess &access) { return !access.isFlat && access.stamp <= lds.done; });
  }
  if (!isFlatPending())
    erase_if(accesses, [](const LdsAccess &access) { return access.isFlat; });
}

void Walk::note(LdsAccesses &list, const LdsAccess &access) {
  LdsAccess *known = find_if(list, [&](const LdsAccess &a) { return isSameAccess(a, access); });
  if (known != list.end()) {
    *known = access;
    return;
  }
  list.push_back(access);
  if (list.size() > maximumAccesses) {
    // Here younger means later.
    LdsAccesses all;
    for (LdsAccess a : list) {
      a.region = 0;
      LdsAccess *same = find_if(all, [&](const LdsAccess &b) { return isSameAccess(a, b); });
      if (same == all.end())
        all.push_back(a);
      else if (a.stamp > same->stamp)
        *same = a;
    }
    list = std::move(all);
  }
}

void Walk::issue(const Op &op, uint32_t index) {
  auto mark = [&](InOrder &c) {
    ++c.clock;
    for (RegRange range : op.writes(graph.ranges))
      c.mark(range);
  };
  LdsAccess access{op.region, index};
  access.writes = op.writesLds;
  const bool followsLds = graph.hasLdsDma || graph.hasBarriers;
  switch (op.kind) {
  case Kind::None:
    break;
  case Kind::Vmem:
    mark(vm);
    break;
  case Kind::LdsDma:
    ++vm.clock;
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
    mark(flat);
    if (followsLds) {
      access.isFlat = true;
      note(accesses, access);
    }
    break;
  case Kind::Message:
    isMessagePending = true;
    break;
  }
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
