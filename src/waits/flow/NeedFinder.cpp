#include "waits/flow/NeedFinder.h"

#include "waits/graph/Partners.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

NeedFinder::NeedFinder(const Graph &graph, const EngineOptions &options)
    : graph(graph), options(options), walk(graph), pollQuestions(graph.limits.pollQuestions) {
  if (graph.hasPolls)
    findPolls();
  // Order matters where something follows what the program waits for, and where other waves are told.
  uint16_t followed = options.keepWaits ? 0 : graph.ordered;
  if (graph.publishes && !options.keepWaits)
    followed |= access::Store | access::Dma | access::LdsWrite;
  if (graph.hasFlags && options.separates)
    followed |= access::Store | access::Dma | access::LdsWrite;
  if (!polls.empty())
    followed |= access::Store | access::Dma;
  walk.order.follow(followed);
  if (options.placed)
    for (const auto &[op, counts] : *options.placed)
      looksAt(op);
  if (options.ordersAlone)
    return;
  if (options.partnersIfFound && !graph.arePartnersFound()) {
    watchesForPartners = true;
    return;
  }
  partners = graph.partners();
  if (partners)
    for (uint32_t i = 0; i < graph.ops.size(); ++i)
      if (!partners->accessesAfter(i).empty())
        looksAt(i);
}

void NeedFinder::looksAt(uint32_t op) {
  if (isLookedAt.empty())
    isLookedAt.resize(graph.ops.size());
  isLookedAt[op] = true;
}

void NeedFinder::findPolls() {
  for (uint32_t i = 0; i < graph.ops.size(); ++i) {
    const Op &op = graph.ops[i];
    if (op.isPolled)
      polls.push_back(op.region);
    if (op.isWait)
      for (Counter counter : graph.counters->all())
        if (const WaitCount count = graph.waitOf(op)[counter]; counter != walk.ldsCounter)
          waitsForSome |= !count.isNone() && !count.isZero();
  }
  llvm::sort(polls);
  polls.erase(llvm::unique(polls), polls.end());
}

State NeedFinder::afterWait(const State &state, const WaitCounts &counts) {
  walk.enter(state);
  walk.wait(counts);
  return walk.leave();
}

static PendingLds pendingOf(const LdsAccess &access) {
  return {access.region, access.writes, access.isDma, access.isFlat};
}

void NeedFinder::walkBlock(uint32_t b, const State &entry, std::vector<Need> &found) {
  walk.enter(entry);
  found.clear();
  const GraphBlock &block = graph.blocks[b];
  for (uint32_t i = block.begin; i < block.end; ++i) {
    const Op &op = graph.ops[i];
    if (watchesForPartners &&
        (op.isBarrier || op.tellsSome || (i + 1 == block.end && (block.mayEnd || block.successors.empty()))))
      needsPartners |= !walk.accesses.empty() || !walk.dma.empty();
    if (!op.usesRegistersAlone() || (!isLookedAt.empty() && isLookedAt[i]))
      step(b, i, found);
    else if (walk.mayBeWritten(graph.rangesOf(op)))
      judge(b, i, found);
  }
}

void NeedFinder::step(uint32_t b, uint32_t i, std::vector<Need> &found) {
  const Op &op = graph.ops[i];
  if (guarantees && (op.isBarrier || (partners && !partners->accessesAfter(i).empty()) || op.touchesLds()))
    for (const LdsAccesses *list : {&walk.dma, &walk.accesses})
      for (const LdsAccess &access : *list)
        guarantees->pending[i].push_back(pendingOf(access));
  if (op.isWait) {
    if (options.keepWaits)
      walk.wait(graph.waitOf(op));
    else
      walk.waitInProgram(graph.waitOf(op));
  }
  if (options.placed)
    if (auto wait = options.placed->find(i); wait != options.placed->end())
      walk.wait(wait->second);
  if (op.isWait)
    return;
  if (op.commitsGroup)
    walk.commitGroup();
  if (op.kind == Kind::None && op.registers == Kind::None && walk.isNothingPending() && !op.isBarrier &&
      walk.late.empty())
    return;
  if (partners)
    meetPartners(i);
  judge(b, i, found);
  if (op.isBarrier && graph.hasBarriers) {
    if (graph.hasSplitBarriers)
      walk.signalBarrier(i);
    else
      walk.crossBarrier(i);
  } else if (op.isBarrierWait) {
    walk.waitAtBarrier();
  }
  if (op.completesAll)
    walk.wait(WaitCounts(WaitCount(0)));
  else
    walk.issue(op, i);
}

/// Notes what the op needs, and what comes after it finds that done.
void NeedFinder::judge(uint32_t b, uint32_t i, std::vector<Need> &found) {
  const Op &op = graph.ops[i];
  Need &use = needOf[unsigned(About::Use)];
  if (graph.hasUnchecked && !op.isUnchecked)
    waitAsHardware(op);
  if (!options.ordersAlone)
    needAll(op, i);
  if (options.guarantees)
    leaveMissing(use, i);
  needOrder(use, op);
  for (const auto &[about, need] : enumerate(needOf)) {
    if (need.counts.isNothing())
      continue;
    if (options.ofAllPhases)
      if (auto all = options.ofAllPhases->find(op.instruction); all != options.ofAllPhases->end())
        need.counts.tighten(all->second);
    if (options.fixesNeeds && graph.hasUnchecked)
      need.counts = graph.counters->asEncoded(need.counts);
    if (options.fixesNeeds) {
      leaveReadSources(need, op);
      walk.wait(need.counts);
    }
    need.block = b;
    need.op = i;
    need.about = About(about);
    if (!found.capacity())
      found.reserve(8);
    found.push_back(std::exchange(need, Need()));
  }
}

/// Whose operation is done is done with its addresses: where both are waited for at once, the other wait is enough.
void NeedFinder::leaveReadSources(Need &need, const Op &op) {
  SmallVector<Counter, 2> sources;
  WaitCounts others = need.counts;
  for (Counter counter : graph.counters->ofMemory())
    if ((*graph.counters)[counter].isOfSources && !others[counter].isNone()) {
      sources.push_back(counter);
      others[counter] = WaitCount::none();
    }
  if (sources.empty() || others.isNothing())
    return;
  walk.wait(others);
  Need left;
  needRegisters(left, op, op.reads(graph.ranges), false);
  needRegisters(left, op, op.writes(graph.ranges), true);
  for (Counter counter : sources)
    need.counts[counter] = left.counts[counter];
}

static void require(Need &need, const WaitCounts &counts, Cause cause, bool isCertain = true) {
  const WaitCounts before = need.counts;
  need.counts.tighten(counts);
  if (!(need.counts == before))
    need.cause = cause;
  if (isCertain)
    need.certain.tighten(counts);
}

static void require(Need &need, Counter counter, WaitCount count, Cause cause, bool isCertain = true) {
  if (count < need.counts[counter]) {
    need.counts[counter] = count;
    need.cause = cause;
  }
  if (isCertain)
    need.certain[counter] = std::min(need.certain[counter], count);
}

WaitCounts NeedFinder::countsFor(const WaitCounts &ages) const {
  WaitCounts counts;
  for (Counter counter : graph.counters->all())
    if (!ages[counter].isNone())
      counts[counter] = (*graph.counters)[counter].countFor(ages[counter].value());
  return counts;
}

void NeedFinder::needRegisters(Need &need, const Op &op, ArrayRef<RegRange> ranges, bool isWrite) {
  const Walk::Writers writers = walk.writersOf(ranges);
  for (Queues bits = writers.queues; bits; bits &= bits - 1) {
    const unsigned i = countr_zero(bits);
    if (!isWrite && walk.isOfSources(i))
      continue;
    if (walk.isOfAlu(i) && graph.isCheckedByHardware(op, Counter(i)))
      continue;
    // Whether addresses are ever translated again is up to the driver.
    const bool isCertain = !op.isMoved && (walk.isOfAlu(i) ? !op.mayBeChecked : !walk.isOfSources(i));
    if (i < maximumCounters) {
      const Counter counter = Counter(i);
      // Those that return in order: a later one may overwrite an earlier one's destination.
      if (!isWrite || !graph.isInOrder(op, counter))
        require(need, counter, (*graph.counters)[counter].countFor(walk.inOrder[counter].clock - writers.youngest[i]),
                Cause::Register, isCertain);
      continue;
    }
    const Walk::Unordered &queue = walk.unordered[i - maximumCounters];
    // FLAT that is done with LDS is in order with vector loads.
    const bool isOvertaken =
        isWrite && isFlat(queue.kind) && op.kind != Kind::Lds && graph.isInOrder(op, queue.counter);
    if (!isOvertaken)
      require(need, queue.counter, WaitCount(0), Cause::Register, isCertain);
  }
}

/// What the hardware has waited for when the op is issued, of what the counters of the ALUs' registers count.
void NeedFinder::waitAsHardware(const Op &op) {
  WaitCounts counts;
  for (bool isWrite : {false, true}) {
    const Walk::Writers writers = walk.writersOf(isWrite ? op.writes(graph.ranges) : op.reads(graph.ranges));
    for (Queues bits = writers.queues; bits; bits &= bits - 1) {
      const unsigned i = countr_zero(bits);
      if (!walk.isOfAlu(i) || (!isWrite && walk.isOfSources(i)) ||
          (isVectorAlu(op.registers) && (*graph.counters)[Counter(i)].isOfVectorAlu()))
        continue;
      const unsigned age = walk.inOrder[Counter(i)].clock - writers.youngest[i];
      counts[Counter(i)] = std::min(counts[Counter(i)], WaitCount(age));
    }
  }
  if (!counts.isNothing())
    walk.wait(counts);
}

void NeedFinder::needAll(const Op &op, uint32_t index) {
  Need &need = needOf[unsigned(About::Use)];
  if (!walk.isNothingPending()) {
    // Where any register may be touched, what the program has waited for is enough.
    if (!op.isMoved || !options.guarantees) {
      needRegisters(need, op, op.reads(graph.ranges), false);
      needRegisters(need, op, op.writes(graph.ranges), true);
    }
    if (op.isStore && walk.writeBack)
      require(need, walk.writeBackCounter, walk.countOfWriteBack(), Cause::WriteBack);
    if (op.fencesLds || op.fencesAll || op.fencesResults)
      needFence(need, op);
    needGroups(need, op);
  }
  if (op.touchesLds())
    needLds(op, index);
  needPublication(need, op);
  if (op.isBarrier || partners)
    needDrains(index);
}

void NeedFinder::needDrains(uint32_t index) {
  auto known = drains.find(index);
  if (known == drains.end())
    return;
  for (auto [need, drain] : zip(needOf, known->second)) {
    // Only what is still in flight: another need may have waited for it.
    WaitCounts counts;
    for (Counter counter : graph.counters->all())
      if (walk.inOrder[counter].isPending() || (counter == walk.ldsCounter && walk.isFlatPending()))
        counts[counter] = drain.counts[counter];
    if (counts.isNothing())
      continue;
    require(need, counts, Cause::Late, false);
    need.conflicts = std::make_shared<Need::Conflicts>(drain.conflicts);
    for (Counter counter : graph.counters->all())
      if (!counts[counter].isNone())
        need.certain[counter] = std::min(need.certain[counter], drain.certain[counter]);
  }
}

/// Of what an operation writes to LDS with what waves poll there, which is the same each time that it is asked for.
Overlap NeedFinder::overlapWithPolls(const Op &op) {
  auto [known, isNew] = pollOverlaps.try_emplace({op.region, unsigned(op.isNoalias)}, Overlap::No);
  if (!isNew)
    return known->second;
  Overlap overlap = Overlap::No;
  for (Region poll : polls) {
    if (overlap == Overlap::Yes)
      break;
    // Of a library there are too many pairs of writes and polls to ask for.
    if (pollQuestions == 0) {
      overlap = Overlap::Unknown;
      break;
    }
    --pollQuestions;
    // Another wave may poll in the same iteration of the loops around both, or in another: nothing keeps it in the
    // same.
    for (Between between : {Between::OtherWave, Between::Elsewhere})
      if (overlap != Overlap::Yes)
        overlap = std::max(overlap, overlapOf(graph.lds.get(), op.region, poll, op.isNoalias, between));
  }
  return known->second = overlap;
}

void NeedFinder::needPublication(Need &need, const Op &op) {
  // Relaxing, what the program has waited for is enough.
  if (options.guarantees)
    return;
  // Whether it is a flag in global memory isn't known, and atomics that nothing waits for are common where waves share
  // counters: the program's own waits aren't doubted. Without waits to go by, whatever it may tell about is waited for.
  if (op.publishes && !options.keepWaits) {
    require(need, countsFor(walk.pending(access::Store | access::Dma | access::LdsWrite)), Cause::Publication, false);
  }
  if (op.mayBeFlag && options.separates)
    require(needOf[unsigned(About::Release)], countsFor(walk.pending(access::Store | access::Dma | access::LdsWrite)),
            Cause::Publication);
  if (polls.empty() || !op.writesLds || isLdsDma(op.kind))
    return;
  // What a flag in LDS tells about is in LDS, as a rule. Who waits for some of several loads may have waited for those
  // that it means.
  WaitCounts ages = walk.pending(options.keepWaits ? access::Dma : access::Store | access::Dma);
  ages[walk.ldsCounter] = WaitCount::none();
  // Callees don't wait for what callers have on counters without results (LLVM's calling convention).
  for (Counter counter : graph.counters->all())
    if (!(*graph.counters)[counter].hasResults() &&
        none_of(walk.dma, [&](const LdsAccess &access) { return access.counter == counter; }))
      ages[counter] = WaitCount::none();
  // Asked for last: it is one question for each pair of a write and a poll of the program.
  if (ages.isNothing())
    return;
  if (const Overlap overlap = overlapWithPolls(op); overlap != Overlap::No)
    require(need, countsFor(ages), Cause::Publication, overlap == Overlap::Yes && !op.isBeforeBarrier && !waitsForSome);
}

void NeedFinder::needOrder(Need &need, const Op &op) {
  if (!op.follows || options.keepWaits)
    return;
  require(need, countsFor(walk.waitedInProgram(options.ordersAlone ? op.follows & access::All : op.follows)),
          Cause::Order);
}

void NeedFinder::needFence(Need &need, const Op &op) {
  if (op.fencesLds || op.fencesAll) {
    if (walk.inOrder[walk.ldsCounter].isPending())
      require(need, walk.ldsCounter, WaitCount(0), Cause::Fence);
    for (const LdsAccess &dma : walk.dma)
      if (op.fencesAll || (!dma.isGrouped && overlapOf(graph.lds.get(), op.region, dma.region, /*isNoalias=*/false,
                                                       Between::SameWave) != Overlap::No))
        require(need, dma.counter, (*graph.counters)[dma.counter].countFor(walk.ageOf(dma)), Cause::Fence);
    for (const Walk::Unordered &queue : walk.unordered)
      if (isFlat(queue.kind) && walk.isFlatPending())
        require(need, queue.counter, WaitCount(0), Cause::Fence);
  }
  if (op.fencesAll) {
    for (Counter counter : graph.counters->all())
      if (walk.inOrder[counter].isPending() && (*graph.counters)[counter].hasResults() &&
          !graph.isCheckedByHardware(op, counter))
        require(need, counter, WaitCount(0), Cause::Fence, !(*graph.counters)[counter].isOfAlu);
    for (const Walk::Unordered &queue : walk.unordered)
      if (queue.isPending() && !(*graph.counters)[queue.counter].isOfSources)
        require(need, queue.counter, WaitCount(0), Cause::Fence);
    if (walk.writeBack)
      require(need, walk.writeBackCounter, walk.countOfWriteBack(), Cause::Fence);
  }
  if (op.fencesResults) {
    const RegRange all{0, uint16_t(graph.unitLimit)};
    needRegisters(need, op, all, false);
  }
}

/// All groups older than those that the wait leaves: what was issued up to the oldest commit among them.
void NeedFinder::needGroups(Need &need, const Op &op) {
  if (op.groupsLeft >= walk.groups.size())
    return;
  const Walk::Queue &queue = walk.inOrder[walk.dmaCounter];
  if (const uint32_t committed = walk.groups[op.groupsLeft]; committed > queue.done)
    require(need, walk.dmaCounter, (*graph.counters)[walk.dmaCounter].countFor(queue.clock - committed), Cause::Fence);
}

WaitCount NeedFinder::leastFinishing(const LdsAccess &access, uint32_t age) const {
  return access.isFlat ? WaitCount(0) : (*graph.counters)[counterOf(access)].countFor(age);
}

WaitCount NeedFinder::finishing(const LdsAccess &access, uint32_t age, uint32_t op, Overlap overlap) const {
  const Counter counter = counterOf(access);
  const WaitCount count = leastFinishing(access, age);
  if (overlap != Overlap::Unknown || !options.guarantees)
    return count;
  // One that the program has waited for on all paths stays waited for; of the others it leaves as many as it leaves.
  auto pending = options.guarantees->pending.find(op);
  if (pending == options.guarantees->pending.end() || !is_contained(pending->second, pendingOf(access)))
    return count;
  return access.isFlat ? WaitCount::none()
                       : atLeast(counter, options.guarantees->outstanding[op].inOrder[counter], count);
}

WaitCount NeedFinder::atLeast(Counter counter, unsigned left, WaitCount count) const {
  if (count.isNone())
    return count;
  const unsigned atLeast = std::max(count.value(), left);
  return atLeast < (*graph.counters)[counter].maximum ? WaitCount(atLeast) : WaitCount::none();
}

About NeedFinder::aboutOf(const LdsAccess &access, bool isUserDma) const {
  if (!options.separates || !isUserDma || access.isDma || access.isFlat)
    return About::Use;
  return access.writes ? About::DmaOverWrite : About::DmaOverRead;
}

void NeedFinder::needLds(const Op &op, uint32_t index) {
  auto requireDone = [&](const LdsAccesses &list, Cause cause) {
    // The youngest, whose waits are the strictest, come last.
    for (const LdsAccess &access : reverse(list)) {
      if ((!access.writes && !op.writesLds) || (access.arrives && op.arrives) ||
          (access.isDma && graph.isInOrder(op, access.counter)))
        continue;
      Need &need = needOf[unsigned(aboutOf(access, isLdsDma(op.kind)))];
      const uint32_t age = walk.ageOf(access);
      if (access.isGrouped || !isStricter(need.counts, need.certain, access, age))
        continue;
      const Overlap o =
          overlapOf(graph.lds.get(), access.region, op.region, access.isNoalias || op.isNoalias, Between::SameWave);
      if (o != Overlap::No)
        require(need, counterOf(access), finishing(access, age, index, o), cause, o == Overlap::Yes);
    }
  };
  if (isLdsDma(op.kind))
    requireDone(walk.accesses, Cause::LdsRead);
  requireDone(walk.dma, Cause::LdsDma);
  for (const LdsAccess &access : reverse(walk.late))
    if ((access.writes || op.writesLds) && !access.isSignalled && !(access.arrives && op.arrives))
      meetLate(access, access.barrier, access.stamp, index, [&] {
        return overlapOf(graph.lds.get(), access.region, op.region, access.isNoalias || op.isNoalias,
                         Between::OtherWave);
      });
}

/// Whether to finish an access of that age may take more than these counts: else nothing hangs on what it overlaps.
bool NeedFinder::isStricter(const WaitCounts &counts, const WaitCounts &certain, const LdsAccess &access,
                            uint32_t age) const {
  const Counter counter = counterOf(access);
  const WaitCount count = leastFinishing(access, age);
  return count < counts[counter] || count < certain[counter];
}

/// An access in flight at `barrier`, of that age, and another wave's access after it.
void NeedFinder::meetLate(const LdsAccess &access, uint32_t barrier, uint32_t age, uint32_t conflict,
                          function_ref<Overlap()> overlapWith) {
  const unsigned about = unsigned(aboutOf(access, isLdsDma(graph.ops[conflict].kind)));
  if (auto known = drains.find(barrier);
      known != drains.end() && !isStricter(known->second[about].counts, known->second[about].certain, access, age))
    return;
  const Overlap overlap = overlapWith();
  if (overlap == Overlap::No)
    return;
  Drain &drain = drains[barrier][about];
  const Drain before = drain;
  const Counter counter = counterOf(access);
  const WaitCount count = finishing(access, age, barrier, overlap);
  auto require = [&](WaitCounts &counts, PerCounter<uint32_t> &conflicts) {
    if (count < counts[counter]) {
      counts[counter] = count;
      conflicts[counter] = conflict;
    }
  };
  require(drain.counts, drain.conflicts.counts);
  if (overlap == Overlap::Yes)
    require(drain.certain, drain.conflicts.certain);
  changes += !drain.isAsStrictAs(before);
}

/// What is in flight at a barrier or the wave's end, and what other waves do that are elsewhere then.
void NeedFinder::meetPartners(uint32_t barrier) {
  const ArrayRef<uint32_t> after = partners->accessesAfter(barrier);
  if (after.empty())
    return;
  const bool isEnd = graph.ops[barrier].isEnd;
  // Else Partners::overlap never says Yes, which alone makes a need certain.
  const bool mayBeCertain = partners->onlyOne(graph, barrier).has_value();
  auto meet = [&](const LdsAccesses &list) {
    for (const LdsAccess &access : list) {
      const uint32_t age = access.isFlat ? 0 : std::min<uint32_t>(walk.ageOf(access), oldest);
      // There are many pairs, and nearly always the barrier waits for this access already, whatever the other one is.
      auto isOpen = [&](About about) {
        auto known = drains.find(barrier);
        if (known == drains.end())
          return true;
        const Drain &drain = known->second[unsigned(about)];
        return isStricter(drain.counts, mayBeCertain ? drain.certain : drain.counts, access, age);
      };
      const About ofDma = aboutOf(access, /*isUserDma=*/true);
      bool isUseOpen = isOpen(About::Use), isDmaOpen = isOpen(ofDma);
      for (uint32_t other : after) {
        if (!isUseOpen && !isDmaOpen)
          break;
        const Op &op = graph.ops[other];
        if (!(isLdsDma(op.kind) ? isDmaOpen : isUseOpen) || (!access.writes && (!op.writesLds || isEnd)) ||
            (access.arrives && op.arrives))
          continue;
        const size_t before = changes;
        meetLate(access, barrier, age, other,
                 [&] { return partners->overlap(graph, access.op, access.region, barrier, other); });
        if (changes != before)
          isUseOpen = isOpen(About::Use), isDmaOpen = isOpen(ofDma);
      }
    }
  };
  meet(walk.accesses);
  meet(walk.dma);
}

/// Where a wait is missing in the program it stays missing: as much is waited for as the program does.
void NeedFinder::leaveMissing(Need &need, uint32_t op) const {
  auto missing = options.guarantees->missing.find(op);
  if (missing == options.guarantees->missing.end())
    return;
  for (Counter counter : graph.counters->all())
    if (missing->second[counter])
      need.counts[counter] =
          atLeast(counter, options.guarantees->outstanding[op].inOrder[counter], need.counts[counter]);
  if (need.counts.isNothing())
    need = Need();
}

} // namespace inflight::waits
