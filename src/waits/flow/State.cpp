#include "waits/flow/State.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

/// Beyond so many ranges one entry stands for all.
static constexpr size_t maximumAccesses = 256;
/// Ages are less: so far apart are the times at which two blocks begin.
static constexpr uint32_t blockDistance = 256;

static bool isSameAccess(const LdsAccess &a, const LdsAccess &b) {
  return a.region == b.region && a.writes == b.writes && a.isDma == b.isDma && a.isFlat == b.isFlat &&
         a.isNoalias == b.isNoalias && a.isGrouped == b.isGrouped && a.barrier == b.barrier && a.counter == b.counter &&
         a.isSignalled == b.isSignalled && a.arrives == b.arrives;
}

/// One entry a kind for any bytes: the youngest of each. `isYounger` says which of two stamps is.
template <typename Younger> static void collapse(LdsAccesses &list, Younger isYounger) {
  LdsAccesses all;
  for (LdsAccess access : list) {
    access.region = {};
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
  if (into.empty())
    into.reserve(from.size());
  for (LdsAccess access : from) {
    access.region = across(access.region);
    LdsAccess *known = find_if(into, [&](const LdsAccess &a) { return isSameAccess(a, access); });
    if (known == into.end()) {
      // A collapsed list already holds it.
      known = find_if(into, [&](LdsAccess a) {
        return a.region == Region() && (a.region = access.region, isSameAccess(a, access));
      });
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
  if (into.empty()) {
    into = from;
    return true;
  }
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
      both.push_back({a->unit, std::min(a->age, b->age), uint16_t(a->bits | b->bits)});
      ++a, ++b;
    }
  }
  into = std::move(both);
  return true;
}

/// The younger of what both have.
static bool meetGroups(SmallVector<uint8_t, 4> &into, ArrayRef<uint8_t> from) {
  bool changed = false;
  for (auto [known, age] : zip(into, from))
    if (age < known) {
      known = age;
      changed = true;
    }
  if (from.size() > into.size()) {
    append_range(into, from.drop_front(into.size()));
    changed = true;
  }
  return changed;
}

bool State::meet(const State &from, const Graph &graph, uint32_t fromBlock, uint32_t toBlock, bool isBack) {
  bool changed = !isReached;
  isReached = true;
  for (Counter counter : graph.counters->all())
    changed |= meetUnits(inOrder[counter], from.inOrder[counter]);
  changed |= meetUnits(other, from.other);
  changed |= (from.pending & ~pending) != 0;
  pending |= from.pending;
  if (translations.size() || from.translations.size()) {
    const Counter addresses = *Translations::counterOf(*graph.counters);
    changed |= Translations::meet(translations, outstanding[addresses], from.translations, from.outstanding[addresses]);
  }
  // What a loop adds each time round becomes any number at once.
  auto most = [&](uint8_t &into, uint8_t value) {
    if (value <= into)
      return;
    changed = true;
    into = isBack ? oldest : value;
  };
  for (Counter counter : graph.counters->all())
    most(outstanding[counter], from.outstanding[counter]);
  if (from.writeBack < writeBack) {
    writeBack = from.writeBack;
    changed = true;
  }
  auto across = [&](Region region) { return graph.lds ? graph.lds->across(region, fromBlock, toBlock) : region; };
  changed |= meetAccesses(dma, from.dma, across);
  changed |= meetAccesses(accesses, from.accesses, across);
  changed |= meetAccesses(late, from.late, across);
  changed |= meetGroups(groups, from.groups);
  changed |= order.meet(from.order, *graph.counters);
  return changed;
}

SmallVector<OutOfOrderQueue, 8> outOfOrderQueues(const CounterTable &counters) {
  SmallVector<OutOfOrderQueue, 8> queues;
  for (Counter counter : counters.all())
    for (unsigned order = 0; order < counters[counter].completion.size(); ++order)
      if (counters[counter].completion[order] == Completion::OutOfOrder)
        queues.push_back({Kind(order), counter});
  assert(queues.size() <= 16 && "bits of UnitAge and State");
  return queues;
}

static Queues bitOf(Counter counter) { return Queues(1) << unsigned(counter); }
/// Of `unordered[i]`.
static Queues bitOfUnordered(unsigned i) { return Queues(1) << (maximumCounters + i); }

Walk::Walk(const Graph &graph)
    : dmaCounter(graph.counters->of(Kind::LdsDma)),
      ldsCounter(graph.ldsCounter()),
      writeBackCounter(graph.counters->of(Kind::WriteBack)),
      order(*graph.counters),
      graph(graph),
      counters(*graph.counters),
      limit(graph.unitLimit),
      translations(*graph.counters) {
  auto prepare = [&](Queue &queue) { queue.birth.resize(limit); };
  for (Counter counter : counters.all()) {
    prepare(inOrder[counter]);
    if (counters[counter].isOfSources)
      sourceQueues |= bitOf(counter);
    if (counters[counter].isOfAlu)
      aluQueues |= bitOf(counter);
    for (unsigned kind = 0; kind < queuesOf.size(); ++kind)
      if (counters[counter].isInOrder(Kind(kind)))
        queuesOf[kind] |= bitOf(counter);
  }
  for (const OutOfOrderQueue &queue : outOfOrderQueues(counters)) {
    queuesOf[unsigned(queue.kind)] |= bitOfUnordered(unordered.size());
    if (counters[queue.counter].isOfSources)
      sourceQueues |= bitOfUnordered(unordered.size());
    prepare(unordered.emplace_back(Unordered{{}, queue.kind, queue.counter}));
  }
  if (aluQueues)
    for (const Op &op : graph.ops)
      for (Counter counter : counters.all())
        if (counters[counter].isOfAlu && counters[counter].isOfSources && counters[counter].counts(op.registers))
          readers[counter] |= 1u << unsigned(op.kind);
}

void Walk::findPending() {
  inFlight = 0;
  for (Counter counter : counters.all())
    if (inOrder[counter].isPending())
      inFlight |= bitOf(counter);
  for (unsigned i = 0; i < unordered.size(); ++i)
    if (unordered[i].isPending())
      inFlight |= bitOfUnordered(i);
}

Walk::Writers Walk::writersOf(ArrayRef<RegRange> ranges) {
  Writers found;
  if (!inFlight)
    return found;
  for (RegRange range : ranges)
    UnitSet::forEachWord(range, [&](unsigned word, uint64_t mask) {
      const uint64_t may = marked.words[word] & mask;
      if (!may)
        return;
      uint64_t pending = 0; ///< in any queue
      for (Queues bits = inFlight; bits; bits &= bits - 1) {
        const unsigned i = countr_zero(bits);
        Queue &queue = queueAt(i);
        uint64_t done = 0;
        for (uint64_t left = queue.marked.words[word] & may; left; left &= left - 1) {
          const uint32_t time = queue.birth[word * UnitSet::bits + countr_zero(left)];
          if (time <= queue.done) {
            done |= left & -left;
            continue;
          }
          found.youngest[i] = found.queues >> i & 1 ? std::max(found.youngest[i], time) : time;
          found.queues |= Queues(1) << i;
        }
        queue.marked.words[word] &= ~done;
        pending |= queue.marked.words[word] & may;
      }
      marked.words[word] &= ~(may & ~pending);
    });
  return found;
}

void Walk::Queue::start(unsigned outstanding) {
  clock += blockDistance;
  done = clock - outstanding;
  marked = {};
}

void Walk::enter(const State &state) {
  marked = {};
  // An operation of age N is pending when N + 1 may be outstanding.
  for (Counter counter : counters.all()) {
    Queue &queue = inOrder[counter];
    queue.start(state.outstanding[counter]);
    for (const UnitAge &unit : state.inOrder[counter]) {
      mark(queue, {unit.unit, 1}, queue.clock - unit.age);
    }
  }
  for (const auto &[i, queue] : enumerate(unordered))
    queue.start(state.pending >> i & 1);
  for (const UnitAge &unit : state.other)
    for (const auto &[i, queue] : enumerate(unordered))
      if (unit.bits >> i & 1) {
        mark(queue, {unit.unit, 1}, queue.clock);
      }
  findPending();
  if (translations.areFollowed())
    translations.enter(state.translations, clocks());
  const uint32_t writeBackClock = inOrder[writeBackCounter].clock;
  writeBack = state.writeBack == notPending ? 0 : writeBackClock - state.writeBack + 1;
  auto load = [&](LdsAccesses &into, const LdsAccesses &from) {
    into = from;
    for (LdsAccess &access : into)
      access.stamp = ageOf(access);
  };
  load(dma, state.dma);
  load(accesses, state.accesses);
  late = state.late;
  groups.clear();
  for (uint8_t age : state.groups)
    groups.push_back(inOrder[dmaCounter].clock - age);
  order.enter(state.order, clocks());
}

void Walk::enterOpen() {
  State any;
  uint16_t ofVectors = 0, ofScalars = 0; // queues
  for (const auto &[i, queue] : enumerate(unordered)) {
    any.pending |= 1 << i;
    if (isOfSources(maximumCounters + i))
      continue;
    if (isFlat(queue.kind) || isVectorMemory(queue.kind))
      ofVectors |= 1 << i;
    if (queue.kind == Kind::Smem)
      ofScalars |= 1 << i;
  }
  // No load brings MODE.
  for (unsigned unit = 0; unit < limit; ++unit)
    if (unit != regunit::Mode)
      any.other.push_back({RegUnit(unit), 0, unit >= regunit::Vgpr0 ? ofVectors : ofScalars});
  for (Counter counter : counters.all()) {
    if (!counters[counter].hasInOrder() || counters[counter].isOfSources)
      continue;
    for (unsigned unit = regunit::Vgpr0; counters[counter].hasResults() && unit < limit; ++unit)
      any.inOrder[counter].push_back({RegUnit(unit), 0});
    any.outstanding[counter] = 1;
  }
  any.order = OrderState::anything(counters);
  enter(any);
}

static void storeAges(const Walk::Queue &from, UnitAges &ages, uint8_t &outstanding) {
  outstanding = std::min<uint32_t>(from.clock - from.done, oldest);
  ages.clear();
  if (from.isPending())
    from.forEachPending([&](unsigned unit) {
      ages.push_back({RegUnit(unit), uint8_t(std::min<uint32_t>(from.clock - from.birth[unit], oldest - 1))});
    });
}

void Walk::leave(State &state) const {
  state.isReached = true;
  for (Counter counter : counters.all())
    storeAges(inOrder[counter], state.inOrder[counter], state.outstanding[counter]);
  state.other.clear();
  state.pending = 0;
  for (const auto &[i, queue] : enumerate(unordered)) {
    if (!queue.isPending())
      continue;
    const uint16_t bit = 1 << i;
    state.pending |= bit;
    UnitAges units;
    queue.forEachPending([&](unsigned unit) { units.push_back({RegUnit(unit), 0, bit}); });
    meetUnits(state.other, units);
  }
  if (translations.areFollowed()) {
    PerCounter<uint32_t> done;
    for (Counter counter : counters.ofMemory())
      done[counter] = inOrder[counter].done;
    translations.leave(state.translations, clocks(), done);
  }
  state.writeBack =
      writeBack ? std::min<uint32_t>(inOrder[writeBackCounter].clock - (writeBack - 1), oldest) : notPending;
  auto store = [&](LdsAccesses &into, const LdsAccesses &from) {
    into = from;
    for (LdsAccess &access : into)
      access.stamp = std::min<uint32_t>(ageOf(access), oldest);
  };
  store(state.dma, dma);
  store(state.accesses, accesses);
  state.late = late;
  state.groups.clear();
  for (uint32_t time : groups)
    state.groups.push_back(std::min<uint32_t>(inOrder[dmaCounter].clock - time, oldest));
  order.leave(state.order, clocks());
}

void Walk::wait(const WaitCounts &counts) {
  order.wait(counts, clocks());
  for (Counter counter : counters.all())
    if (!counts[counter].isNone())
      inOrder[counter].finish(counts[counter].value());
  for (Unordered &queue : unordered)
    if (counts[queue.counter].isZero())
      queue.finish(0);
  if (sourceQueues)
    finishSources(counts);
  findPending();
  if (!dma.empty())
    erase_if(dma, [&](const LdsAccess &access) {
      return !counts[access.counter].isNone() && access.stamp <= queueOf(access).done;
    });
  // What FLAT does to LDS counts on the counter of LDS.
  if (const WaitCount count = counts[ldsCounter]; !count.isNone())
    erase_if(accesses, [&](const LdsAccess &access) {
      return access.isFlat ? count.isZero() : access.stamp <= inOrder[ldsCounter].done;
    });
  if (writeBack && counts[writeBackCounter].finishes(inOrder[writeBackCounter].clock - (writeBack - 1)))
    writeBack = 0;
}

/// Whose operation is done doesn't read its registers again: its address is translated. LLVM says so of loads and
/// scalar memory, and has no wait for stores to say it of (SIInsertWaitcnts.cpp, simplifyXcnt).
void Walk::finishSources(const WaitCounts &counts) {
  if (aluQueues)
    finishReads(counts);
  const Counter scalar = counters.of(Kind::Smem);
  for (Unordered &queue : unordered)
    if (counters[queue.counter].isOfSources && counts[scalar].isZero())
      queue.finish(0);
  if (!translations.areFollowed())
    return;
  Queue &addresses = inOrder[translations.counter()];
  for (Counter own : counters.ofMemory())
    if (!counts[own].isNone() && !counters[own].isOfSources)
      addresses.done = std::max(addresses.done, translations.translatedBy(own, inOrder[own].done));
}

/// Whose operation is done has read its registers, too: of a queue as many are left at most as a counter has that
/// counts all that may be in it (LLVM, AMDGPUWaitcntTracking.cpp, simplifyVmVsrc).
void Walk::finishReads(const WaitCounts &counts) {
  auto countsOf = [&](Counter counter, uint32_t kinds, bool inOrder) {
    uint32_t counted = 0;
    for (uint32_t bits = kinds; bits; bits &= bits - 1)
      if (const Kind kind = Kind(countr_zero(bits));
          inOrder ? counters[counter].isInOrder(kind) : counters[counter].counts(kind))
        counted |= bits & -bits;
    return counted;
  };
  for (Counter queue : counters.all()) {
    if (!readers[queue] || !(aluQueues & bitOf(queue)) || !inOrder[queue].isPending())
      continue;
    uint32_t mayBeThere = 0; ///< kinds of operations that are in flight, as far as their own counters tell
    for (Counter counter : counters.ofMemory())
      if (!counters[counter].isOfSources && isCounterPending(counter))
        mayBeThere |= countsOf(counter, readers[queue], /*inOrder=*/false);
    for (Counter counter : counters.ofMemory()) {
      if (counters[counter].isOfSources || counts[counter].isNone())
        continue;
      const bool isAll = counts[counter].isZero();
      if (!(mayBeThere & ~countsOf(counter, readers[queue], !isAll)))
        inOrder[queue].finish(counts[counter].value());
    }
  }
}

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
  if (op.registers != Kind::None)
    issueRegisters(op);
  if (op.kind == Kind::None)
    return;
  const Queues queues = queuesOf[unsigned(op.kind)];
  for (Queues bits = queues; bits; bits &= bits - 1) {
    const unsigned i = countr_zero(bits);
    Queue &queue = queueAt(i);
    // One that may be skipped doesn't make others older. Time goes on when nothing is pending: else it would be
    // finished at once.
    queue.clock += !op.mayBeSkipped || !queue.isPending();
    // EXEC isn't among the sources (LLVM, SIInsertWaitcnts.cpp: registers that are allocated).
    for (RegRange range : isOfSources(i) ? op.reads(graph.ranges) : op.writes(graph.ranges))
      if (!isOfSources(i) || !range.overlaps({regunit::ExecLo, 2}))
        mark(queue, range, queue.clock);
  }
  inFlight |= queues;
  if (queues & sourceQueues)
    leaveOneOrder(queues);
  if (queues & sourceQueues && translations.areFollowed())
    translations.issue(op.kind, op.mayBeSkipped, clocks());
  if (op.writesBack)
    writeBack = inOrder[writeBackCounter].clock + 1;
  noteLds(op, index);
  if (order.follows(op.does))
    order.issue(op, clocks());
}

/// Vector ALU instructions wait for each other: what one writes no earlier one reads or writes any more once it is
/// done.
void Walk::replaceByVectorAlu(const Op &op) {
  for (Counter counter : counters.all())
    if (counters[counter].isOfVectorAlu())
      for (RegRange range : op.writes(graph.ranges))
        if (range.first >= regunit::Vgpr0)
          std::fill_n(inOrder[counter].birth.begin() + range.first, range.count, 0);
}

/// The VGPRs that it reads and writes, where the hardware may not look at them.
void Walk::issueRegisters(const Op &op) {
  const Queues queues = queuesOf[unsigned(op.registers)];
  if (isVectorAlu(op.registers))
    replaceByVectorAlu(op);
  for (Queues bits = queues; bits; bits &= bits - 1) {
    const unsigned i = countr_zero(bits);
    Queue &queue = queueAt(i);
    const unsigned older = graph.makesOlder(op, Counter(i));
    queue.clock += older ? older : !queue.isPending();
    for (RegRange range : isOfSources(i) ? op.reads(graph.ranges) : op.writes(graph.ranges))
      if (range.first >= regunit::Vgpr0)
        mark(queue, range, queue.clock);
  }
  inFlight |= queues;
}

/// Addresses of scalar and of vector memory operations are never translated at the same time: the hardware waits.
void Walk::leaveOneOrder(Queues queues) {
  for (Queues bits = inFlight & sourceQueues & ~aluQueues & ~queues; bits; bits &= bits - 1)
    queueAt(countr_zero(bits)).finish(0);
  findPending();
}

void Walk::noteLds(const Op &op, uint32_t index) {
  LdsAccess access{op.region, index};
  access.writes = op.writesLds;
  access.isNoalias = op.isNoalias;
  access.isGrouped = op.isGrouped;
  access.arrives = op.arrives;
  if (isLdsDma(op.kind)) {
    access.isDma = true;
    access.counter = op.kind == Kind::LdsDma ? dmaCounter : counters.of(op.kind);
    access.stamp = queueOf(access).clock;
    note(dma, access);
  } else if (!graph.hasLdsDma && !graph.hasBarriers) {
    return;
  } else if (op.kind == Kind::Lds && op.touchesLds()) {
    access.counter = ldsCounter;
    access.stamp = inOrder[ldsCounter].clock;
    note(accesses, access);
  } else if (isFlat(op.kind)) {
    access.counter = ldsCounter;
    access.isFlat = !counters[ldsCounter].isInOrder(op.kind);
    access.stamp = access.isFlat ? 0 : inOrder[ldsCounter].clock;
    note(accesses, access);
  }
}

void Walk::commitGroup() {
  groups.insert(groups.begin(), inOrder[dmaCounter].clock);
  if (groups.size() > graph.groupsFollowed)
    groups.pop_back();
}

void Walk::addLate(uint32_t barrier, bool isSignalled) {
  for (const LdsAccesses *list : {&accesses, &dma})
    for (LdsAccess access : *list) {
      access.barrier = barrier;
      access.stamp = access.isFlat ? 0 : std::min<uint32_t>(ageOf(access), oldest);
      access.isSignalled = isSignalled;
      late.push_back(access);
    }
}

void Walk::crossBarrier(uint32_t index) {
  late.clear();
  addLate(index, /*isSignalled=*/false);
}

void Walk::signalBarrier(uint32_t index) {
  erase_if(late, [](const LdsAccess &access) { return access.isSignalled; });
  addLate(index, /*isSignalled=*/true);
}

void Walk::waitAtBarrier() {
  erase_if(late, [](const LdsAccess &access) { return !access.isSignalled; });
  for (LdsAccess &access : late)
    access.isSignalled = false;
}

} // namespace inflight::waits
