#include "waits/Waits.h"

#include "llvm/ADT/STLExtras.h"
#include <array>
#include <deque>

using namespace llvm;

namespace inflight::waits {

namespace {

constexpr uint8_t done = 255;

/// Ages of one in-order class; `done` where nothing is pending.
struct ClassState {
  std::array<uint8_t, regunit::Count> age;
  uint8_t youngest = done; ///< of the last operation of the class, `done` if none is pending
  uint8_t pending = 0;     ///< most operations of the class that may be outstanding
  ClassState() { age.fill(done); }
};

/// LDS DMA in flight: bytes it writes, and its age on vmcnt.
struct LdsDma {
  uint32_t begin, end;
  uint8_t age;
};

/// One entry for each range, of its youngest DMA; beyond `maximumRanges` one entry stands for all.
struct LdsDmaInFlight {
  static constexpr size_t maximumRanges = 64;
  SmallVector<LdsDma, 4> entries;
  bool isCollapsed = false;

  bool add(const LdsDma &dma);
  bool collapse();
  bool meet(const LdsDmaInFlight &from);
  void growOlder();
  void finish(unsigned count);
  /// The age of the youngest that may still write some of the bytes.
  uint8_t youngest(uint32_t begin = 0, uint32_t end = ~0u) const;
};

struct State {
  ClassState vmem, lds;
  std::array<bool, regunit::Count> smem{};
  bool anySmem = false, anyMessage = false;
  LdsDmaInFlight ldsDma;
  uint8_t flatVm = done;  ///< a FLAT operation is out of order on both counters
  std::array<bool, regunit::Count> flat{};
  bool anyFlat = false;
  bool reached = false;
};

bool meetAge(uint8_t &into, uint8_t from) {
  if (from >= into)
    return false;
  into = from;
  return true;
}

bool LdsDmaInFlight::add(const LdsDma &dma) {
  for (LdsDma &known : entries)
    if (isCollapsed || (known.begin == dma.begin && known.end == dma.end))
      return meetAge(known.age, dma.age);
  entries.push_back(dma);
  if (entries.size() > maximumRanges)
    collapse();
  return true;
}

bool LdsDmaInFlight::collapse() {
  if (isCollapsed)
    return false;
  entries.assign(1, {0, ~0u, youngest()});
  return isCollapsed = true;
}

bool LdsDmaInFlight::meet(const LdsDmaInFlight &from) {
  bool changed = false;
  for (const LdsDma &dma : from.entries)
    changed |= add(dma);
  if (from.isCollapsed)
    changed |= collapse();
  return changed;
}

void LdsDmaInFlight::growOlder() {
  for (LdsDma &dma : entries)
    if (dma.age < done - 1)
      ++dma.age;
}

void LdsDmaInFlight::finish(unsigned count) {
  erase_if(entries, [&](const LdsDma &dma) { return dma.age >= count; });
  isCollapsed &= !entries.empty();
}

uint8_t LdsDmaInFlight::youngest(uint32_t begin, uint32_t end) const {
  uint8_t age = done;
  for (const LdsDma &dma : entries)
    if (dma.begin < end && begin < dma.end)
      age = std::min(age, dma.age);
  return age;
}

bool meet(State &into, const State &from) {
  if (!into.reached) {
    into = from;
    into.reached = true;
    return true;
  }
  bool changed = false;
  for (unsigned i = 0; i < regunit::Count; ++i) {
    changed |= meetAge(into.vmem.age[i], from.vmem.age[i]);
    changed |= meetAge(into.lds.age[i], from.lds.age[i]);
    if (from.smem[i] && !into.smem[i])
      changed = into.smem[i] = true;
    if (from.flat[i] && !into.flat[i])
      changed = into.flat[i] = true;
  }
  changed |= meetAge(into.vmem.youngest, from.vmem.youngest);
  changed |= meetAge(into.lds.youngest, from.lds.youngest);
  changed |= into.ldsDma.meet(from.ldsDma);
  auto orInto = [&](bool &a, bool b) {
    if (b && !a)
      changed = a = true;
  };
  orInto(into.anySmem, from.anySmem);
  orInto(into.anyMessage, from.anyMessage);
  orInto(into.anyFlat, from.anyFlat);
  return changed;
}

void issue(ClassState &state) {
  auto older = [](uint8_t &age) {
    if (age != done && age < done - 1)
      ++age;
  };
  for (uint8_t &age : state.age)
    older(age);
  state.youngest = 0;
}

void finish(ClassState &state, unsigned count) {
  for (uint8_t &age : state.age)
    if (age != done && age >= count)
      age = done;
  if (count == 0)
    state.youngest = done;
}

void applyWait(State &state, WaitcntFields wait, const TargetInfo &target) {
  if (wait.vmcnt < target.vmcntMax || wait.vmcnt == 0) {
    finish(state.vmem, wait.vmcnt);
    state.ldsDma.finish(wait.vmcnt);
  }
  if (wait.lgkmcnt < target.lgkmcntMax) {
    finish(state.lds, wait.lgkmcnt);
    if (wait.lgkmcnt == 0) {
      state.smem.fill(false);
      state.anySmem = state.anyMessage = false;
    }
  }
  if (wait.vmcnt == 0 && wait.lgkmcnt == 0) {
    state.flat.fill(false);
    state.anyFlat = false;
  }
}

WaitcntFields needed(const State &state, const Operation &op, const TargetInfo &target) {
  unsigned vm = target.vmcntMax, lgkm = target.lgkmcntMax;
  auto visit = [&](RegRange range, bool isWrite) {
    for (unsigned unit = range.first; unit < unsigned(range.first + range.count) && unit < regunit::Count; ++unit) {
      // Vector loads return in order: a later one may overwrite an earlier one's destination.
      bool sameOrder = isWrite && (op.kind == Kind::Vmem);
      if (state.vmem.age[unit] != done && !sameOrder)
        vm = std::min<unsigned>(vm, state.vmem.age[unit]);
      bool sameLds = isWrite && op.kind == Kind::Lds;
      if (state.lds.age[unit] != done && !sameLds)
        // That issue stops at a full counter, so that older operations are done, is measured for
        // vmcnt only (data/targets): here the largest value that waits at all is placed.
        lgkm = std::min({lgkm, unsigned(state.lds.age[unit]), target.lgkmcntMax - 1});
      if (state.smem[unit])
        lgkm = 0;
      if (state.flat[unit])
        vm = lgkm = 0;
    }
  };
  for (RegRange range : op.reads)
    visit(range, false);
  for (RegRange range : op.writes)
    visit(range, true);
  if (op.readsLds || op.writesLds)
    if (uint8_t age = state.ldsDma.youngest(op.ldsBegin, op.ldsEnd); age != done)
      vm = std::min<unsigned>(vm, age);
  if (op.fencesLds || op.fencesAll) {
    if (state.lds.youngest != done)
      lgkm = 0;
    if (uint8_t age = state.ldsDma.youngest(); age != done)
      vm = std::min<unsigned>(vm, age);
    if (state.anyFlat)
      vm = lgkm = 0;
  }
  if (op.fencesAll) {
    if (state.vmem.youngest != done)
      vm = 0;
    if (state.anySmem)
      lgkm = 0;
  }
  return {vm, target.expcntMax, lgkm};
}

void step(State &state, const Operation &op, const TargetInfo &target) {
  if (op.isWait) {
    applyWait(state, op.wait, target);
    return;
  }
  auto mark = [&](auto &array, auto value) {
    for (RegRange range : op.writes)
      for (unsigned unit = range.first; unit < unsigned(range.first + range.count) && unit < regunit::Count; ++unit)
        array[unit] = value;
  };
  switch (op.kind) {
  case Kind::None:
    break;
  case Kind::Vmem:
  case Kind::LdsDma:
    issue(state.vmem);
    state.ldsDma.growOlder();
    if (op.kind == Kind::LdsDma)
      state.ldsDma.add({op.ldsBegin, op.ldsEnd, 0});
    else
      mark(state.vmem.age, uint8_t(0));
    break;
  case Kind::Lds:
    issue(state.lds);
    mark(state.lds.age, uint8_t(0));
    break;
  case Kind::Smem:
    state.anySmem = true;
    mark(state.smem, true);
    break;
  case Kind::Flat:
    issue(state.vmem);
    issue(state.lds);
    state.ldsDma.growOlder();
    state.anyFlat = true;
    mark(state.flat, true);
    break;
  case Kind::Message:
    state.anyMessage = true;
    break;
  }
}

bool isNothing(WaitcntFields wait, const TargetInfo &target) {
  return wait.vmcnt >= target.vmcntMax && wait.lgkmcnt >= target.lgkmcntMax;
}

} // namespace

std::vector<Placement> computeWaits(const TargetInfo &target, ArrayRef<Block> blocks) {
  std::vector<State> entry(blocks.size());
  if (blocks.empty())
    return {};
  entry[0].reached = true;
  std::deque<unsigned> work{0};
  std::vector<char> queued(blocks.size(), 0);
  queued[0] = 1;
  auto run = [&](unsigned b, std::vector<Placement> *out) {
    State state = entry[b];
    for (unsigned i = 0; i < blocks[b].operations.size(); ++i) {
      const Operation &op = blocks[b].operations[i];
      WaitcntFields wait = needed(state, op, target);
      if (!isNothing(wait, target)) {
        applyWait(state, wait, target);
        if (out)
          out->push_back({b, i, wait});
      }
      step(state, op, target);
    }
    return state;
  };
  while (!work.empty()) {
    unsigned b = work.front();
    work.pop_front();
    queued[b] = 0;
    State exit = run(b, nullptr);
    for (unsigned successor : blocks[b].successors)
      if (meet(entry[successor], exit) && !queued[successor]) {
        queued[successor] = 1;
        work.push_back(successor);
      }
  }
  std::vector<Placement> placements;
  for (unsigned b = 0; b < blocks.size(); ++b)
    if (entry[b].reached)
      run(b, &placements);
  return placements;
}

} // namespace inflight::waits
