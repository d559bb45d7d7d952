#include "waits/Solver.h"

#include "waits/Partners.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>
#include <queue>

using namespace llvm;

namespace inflight::waits {

Overlap overlapOf(const LdsBytes *lds, Region a, Region b, bool isApart, Between between) {
  const Overlap known = lds ? lds->overlap(a, b, between) : Overlap::Unknown;
  return known == Overlap::Unknown && isApart ? Overlap::No : known;
}

std::vector<uint32_t> Graph::order() const {
  std::vector<uint32_t> postorder;
  postorder.reserve(blocks.size());
  std::vector<uint8_t> isSeen(blocks.size());
  std::vector<std::pair<uint32_t, unsigned>> stack;
  for (uint32_t root = blocks.size(); root-- > 0;) {
    if (isSeen[root] || !(blocks[root].isEntry || blocks[root].isOpenEntry))
      continue;
    isSeen[root] = true;
    stack.push_back({root, 0});
    while (!stack.empty()) {
      auto &[block, next] = stack.back();
      if (next == blocks[block].successors.size()) {
        postorder.push_back(block);
        stack.pop_back();
        continue;
      }
      const uint32_t successor = blocks[block].successors[next++];
      if (!isSeen[successor]) {
        isSeen[successor] = true;
        stack.push_back({successor, 0});
      }
    }
  }
  std::reverse(postorder.begin(), postorder.end());
  return postorder;
}

std::vector<uint32_t> Graph::placesIn(ArrayRef<uint32_t> order) const {
  std::vector<uint32_t> places(blocks.size(), ~0u);
  for (uint32_t i = 0; i < order.size(); ++i)
    places[order[i]] = i;
  return places;
}

Engine::Engine(const Graph &graph, const EngineOptions &options) : graph(graph), options(options), walk(graph), entry(graph.blocks.size()), found(graph.blocks.size()) {
  for (const EdgeWait &wait : options.edgeWaits)
    edges[{wait.from, wait.to}] = wait;
  for (uint32_t i = 0; i < graph.ops.size(); ++i) {
    if (graph.ops[i].isPolled)
      polls.push_back(i);
    waitsForSome |= graph.ops[i].isWait && graph.ops[i].waitVm != 0 && graph.ops[i].waitVm != 255;
  }
}

void Engine::solve() {
  const std::vector<uint32_t> order = graph.order();
  std::vector<uint32_t> roots;
  // What a barrier must wait for shows behind it; a stricter barrier may make other needs weaker, so all is done again.
  for (round = 0; round < maximumRounds; ++round) {
    isDrainNew = false;
    entry.assign(graph.blocks.size(), {});
    roots.clear();
    for (uint32_t b : order)
      if (graph.blocks[b].isEntry || graph.blocks[b].isOpenEntry) {
        if (graph.blocks[b].isOpenEntry) {
          walk.enterOpen();
          entry[b] = walk.leave();
        }
        entry[b].isReached = true;
        roots.push_back(b);
      }
    findStates(order, roots);
    if (!isDrainNew)
      break;
  }
}

std::vector<Need> Engine::solveWithin(ArrayRef<uint32_t> body, uint32_t header, const State &start) {
  for (uint32_t b : body)
    entry[b] = {};
  entry[header] = start;
  findStates(body, header);
  return needs(body);
}

std::vector<Need> Engine::needs(ArrayRef<uint32_t> blocks) const {
  std::vector<Need> needs;
  for (uint32_t b : blocks)
    if (entry[b].isReached)
      append_range(needs, found[b]);
  return needs;
}

State Engine::exitTowards(uint32_t from, uint32_t to) {
  walkBlock(from);
  return along(walk.leave(), from, to);
}

State Engine::along(const State &exit, uint32_t from, uint32_t to) {
  auto wait = edges.find({graph.blocks[from].origin, graph.blocks[to].origin});
  return wait == edges.end() ? exit : afterWait(exit, wait->second.vm, wait->second.lgkm);
}

State Engine::afterWait(const State &state, unsigned vm, unsigned lgkm) {
  walk.enter(state);
  walk.wait(vm, lgkm);
  return walk.leave();
}

void Engine::findStates(ArrayRef<uint32_t> order, ArrayRef<uint32_t> roots) {
  constexpr uint32_t outside = ~0u;
  if (place.size() != graph.blocks.size())
    place.assign(graph.blocks.size(), outside);
  for (uint32_t i = 0; i < order.size(); ++i)
    place[order[i]] = i;
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> work;
  std::vector<uint8_t> isQueued(order.size());
  State exit;
  auto queue = [&](uint32_t block) {
    if (!isQueued[place[block]]) {
      isQueued[place[block]] = true;
      work.push(place[block]);
    }
  };
  for (uint32_t b : roots)
    queue(b);
  while (!work.empty()) {
    const uint32_t b = order[work.top()];
    isQueued[work.top()] = false;
    work.pop();
    walkBlock(b);
    if (onVisit) {
      walk.leave(exit);
      onVisit(round, b, entry[b], exit);
    }
    if (graph.blocks[b].successors.empty())
      continue;
    walk.leave(exit);
    for (uint32_t successor : graph.blocks[b].successors)
      if (place[successor] != outside && entry[successor].meet(edges.empty() ? exit : along(exit, b, successor), graph, b, successor,
                                                                          place[b] >= place[successor]))
        queue(successor);
  }
  for (uint32_t b : order)
    place[b] = outside;
}

static PendingLds pendingOf(const LdsAccess &access) { return {access.region, access.writes, access.isDma, access.isFlat}; }

void Engine::walkBlock(uint32_t b) {
  walk.enter(entry[b]);
  found[b].clear();
  const GraphBlock &block = graph.blocks[b];
  for (uint32_t i = block.begin; i < block.end; ++i) {
    const Op &op = graph.ops[i];
    if (guarantees && (op.isBarrier || (graph.partners && !graph.partners->accessesBehind(i).empty()) || op.readsLds || op.writesLds || op.kind == Kind::LdsDma))
      for (const LdsAccesses *list : {&walk.dma, &walk.accesses})
        for (const LdsAccess &access : *list)
          guarantees->pending[i].push_back(pendingOf(access));
    if (op.isWait) {
      if (options.keepWaits)
        walk.wait(op.waitVm, op.waitLgkm);
      else
        walk.waitInProgram(op.waitVm, op.waitLgkm);
    }
    if (options.placed)
      if (auto wait = options.placed->find(i); wait != options.placed->end())
        walk.wait(wait->second.first, wait->second.second);
    if (op.isWait)
      continue;
    if (op.kind == Kind::None && walk.isNothingPending() && !op.isBarrier && walk.late.empty())
      continue;
    if (graph.partners && !options.ordersAlone)
      meetPartners(i);
    Need need = options.ordersAlone ? Need() : needOf(op, i);
    if (options.guarantees)
      leaveMissing(need, i);
    if (options.dismissed)
      dismiss(need, i);
    needOrder(need, op);
    if (need.vm != 255 || need.lgkm != 255) {
      if (options.ofAllPhases)
        if (auto all = options.ofAllPhases->find(op.instruction); all != options.ofAllPhases->end()) {
          need.vm = std::min(need.vm, all->second.first);
          need.lgkm = std::min(need.lgkm, all->second.second);
        }
      if (options.fixesNeeds)
        walk.wait(need.vm, need.lgkm);
      need.block = b;
      need.op = i;
      found[b].push_back(need);
    }
    if (op.isBarrier && graph.hasBarriers)
      walk.crossBarrier(i);
    if (op.completesAll)
      walk.wait(0, 0);
    else
      walk.issue(op, i);
  }
}

static void least(uint8_t &into, unsigned value) { into = std::min<unsigned>(into, value); }

static void require(Need &need, unsigned vm, unsigned lgkm, Cause cause, bool isCertain = true) {
  if (vm < need.vm || lgkm < need.lgkm)
    need.cause = cause;
  least(need.vm, vm);
  least(need.lgkm, lgkm);
  if (isCertain) {
    least(need.certainVm, vm);
    least(need.certainLgkm, lgkm);
  }
}

/// For an operation of that many younger ones; 255 when the counter's range alone says that it is done.
unsigned Engine::vmFor(uint32_t age) const { return age >= graph.target->vmcntMax ? 255 : age; }
/// That issue stops at a full counter is measured for vmcnt only (data/targets): here the largest value that
/// waits at all is taken.
unsigned Engine::lgkmFor(uint32_t age) const { return std::min<uint32_t>(age, graph.target->lgkmcntMax - 1); }

void Engine::needRegisters(Need &need, const Op &op, RegRange range, bool isWrite) {
  const bool isCertain = !op.isMoved;
  // Vector loads return in order: a later one may overwrite an earlier one's destination. So do LDS reads.
  if (walk.vm.isPending() && !(isWrite && op.kind == Kind::Vmem))
    if (uint32_t youngest = walk.vm.youngest(range); youngest > walk.vm.done)
      require(need, vmFor(walk.vm.clock - youngest), 255, Cause::Register, isCertain);
  if (walk.lds.isPending() && !(isWrite && op.kind == Kind::Lds))
    if (uint32_t youngest = walk.lds.youngest(range); youngest > walk.lds.done)
      require(need, 255, lgkmFor(walk.lds.clock - youngest), Cause::Register, isCertain);
  if (walk.smem.isPending() && walk.smem.youngest(range) > walk.smem.done)
    require(need, 255, 0, Cause::Register, isCertain);
  if (walk.isFlatPending()) {
    const bool onLgkm = walk.flatOnLgkm.youngest(range) > walk.flatOnLgkm.done;
    // One that is done with LDS is in order with vector loads.
    const bool onVm = walk.flatOnVm.youngest(range) > walk.flatOnVm.done && !(isWrite && op.kind == Kind::Vmem);
    if (onVm || onLgkm)
      require(need, onVm ? 0 : 255, onLgkm ? 0 : 255, Cause::Register, isCertain);
  }
}

Need Engine::needOf(const Op &op, uint32_t index) {
  Need need;
  if (!walk.isNothingPending()) {
    // Where any register may be touched, what the program has waited for is enough.
    if (!op.isMoved || !options.guarantees) {
      for (RegRange range : op.reads(graph.ranges))
        needRegisters(need, op, range, false);
      for (RegRange range : op.writes(graph.ranges))
        needRegisters(need, op, range, true);
    }
    if (op.isStore && walk.writeBack)
      require(need, walk.vm.clock - (walk.writeBack - 1), 255, Cause::WriteBack);
    if (op.fencesLds || op.fencesAll || op.fencesResults)
      needFence(need, op);
  }
  if (op.kind == Kind::LdsDma || op.kind == Kind::Flat || op.readsLds || op.writesLds)
    needLds(need, op, index);
  needPublication(need, op);
  if (op.isBarrier || graph.partners)
    if (auto drain = drains.find(index); drain != drains.end()) {
      const Drain &d = drain->second;
      // Only what is still in flight: another need may have waited for it.
      const unsigned vm = walk.vm.isPending() ? d.vm : 255, lgkm = walk.lds.isPending() || walk.isFlatPending() ? d.lgkm : 255;
      if (vm != 255 || lgkm != 255) {
        require(need, vm, lgkm, Cause::Late, false);
        need.culprits = d.culprits;
        if (vm != 255)
          least(need.certainVm, d.certainVm);
        if (lgkm != 255)
          least(need.certainLgkm, d.certainLgkm);
      }
    }
  return need;
}

void Engine::needPublication(Need &need, const Op &op) {
  // Relaxing, what the program has waited for is enough.
  if (options.guarantees)
    return;
  // Whether it is a flag in global memory isn't known, and atomics that nothing waits for are common where waves share counters: the program's
  // own waits aren't doubted. Without waits to go by, whatever it may tell about is waited for.
  if (op.publishes && !options.keepWaits) {
    auto [vm, lgkm] = walk.pending(access::Store | access::Dma | access::LdsWrite);
    if (vm != 255)
      require(need, vmFor(vm), 255, Cause::Publication, false);
    if (lgkm != 255)
      require(need, 255, lgkmFor(lgkm), Cause::Publication, false);
  }
  if (polls.empty() || !op.writesLds)
    return;
  Overlap overlap = Overlap::No;
  for (uint32_t poll : polls)
    overlap = std::max(overlap, overlapOf(graph.lds.get(), op.region, graph.ops[poll].region, op.isApart, Between::OtherWave));
  // What a flag in LDS tells about is in LDS, as a rule. Who waits for some of several loads may have waited for those that it means.
  auto [vm, lgkm] = walk.pending(options.keepWaits ? access::Dma : access::Store | access::Dma);
  if (overlap != Overlap::No && vm != 255)
    require(need, vmFor(vm), 255, Cause::Publication, overlap == Overlap::Yes && !op.isBeforeBarrier && !waitsForSome);
}

void Engine::needOrder(Need &need, const Op &op) {
  if (!op.follows || options.keepWaits)
    return;
  auto [vm, lgkm] = walk.waitedInProgram(options.ordersAlone ? op.follows & access::All : op.follows);
  if (vm != 255)
    require(need, vmFor(vm), 255, Cause::Order);
  if (lgkm != 255)
    require(need, 255, lgkmFor(lgkm), Cause::Order);
}

void Engine::needFence(Need &need, const Op &op) {
  if (op.fencesLds || op.fencesAll) {
    if (walk.lds.isPending())
      require(need, 255, 0, Cause::Fence);
    for (const LdsAccess &dma : walk.dma)
      require(need, vmFor(walk.vm.clock - dma.stamp), 255, Cause::Fence);
    if (walk.isFlatPending())
      require(need, 0, 0, Cause::Fence);
  }
  if (op.fencesAll) {
    if (walk.vm.isPending())
      require(need, 0, 255, Cause::Fence);
    if (walk.smem.isPending() || walk.isMessagePending)
      require(need, 255, 0, Cause::Fence);
  }
  if (op.fencesResults) {
    const RegRange all{0, uint16_t(graph.unitLimit)};
    needRegisters(need, op, all, false);
  }
}

std::pair<unsigned, unsigned> Engine::finishing(const LdsAccess &access, uint32_t age, uint32_t op, Overlap overlap) const {
  unsigned vm = access.isDma ? vmFor(age) : 255;
  unsigned lgkm = access.isDma ? 255 : access.isFlat ? 0 : lgkmFor(age);
  if (overlap == Overlap::Unknown && options.guarantees) {
    // One that the program has waited for on all ways stays waited for; of the others it leaves as many as it leaves.
    auto pending = options.guarantees->pending.find(op);
    if (pending == options.guarantees->pending.end() || !is_contained(pending->second, pendingOf(access)))
      return {vm, lgkm};
    const Outstanding &left = options.guarantees->outstanding[op];
    if (access.isFlat)
      return {255, 255};
    return atLeast(left, vm, lgkm);
  }
  return {vm, lgkm};
}

std::pair<unsigned, unsigned> Engine::atLeast(const Outstanding &left, unsigned vm, unsigned lgkm) const {
  if (vm != 255)
    vm = vmFor(std::max<unsigned>(vm, left.vm));
  if (lgkm != 255 && left.lds > lgkm)
    lgkm = left.lds >= graph.target->lgkmcntMax ? 255 : left.lds;
  return {vm, lgkm};
}

void Engine::needLds(Need &need, const Op &op, uint32_t index) {
  const bool isDma = op.kind == Kind::LdsDma;
  auto requireDone = [&](const LdsAccesses &list, uint32_t clock, Cause cause) {
    for (const LdsAccess &access : list)
      if (Overlap o = overlapOf(graph.lds.get(), access.region, op.region, access.isApart || op.isApart, Between::SameWave); o != Overlap::No) {
        auto [vm, lgkm] = finishing(access, clock - access.stamp, index, o);
        require(need, vm, lgkm, cause, o == Overlap::Yes);
      }
  };
  if (isDma)
    requireDone(walk.accesses, walk.lds.clock, Cause::LdsRead);
  else
    requireDone(walk.dma, walk.vm.clock, Cause::LdsDma);
  const bool writes = isDma || op.writesLds;
  for (const LdsAccess &access : walk.late)
    if (access.writes || writes)
      meetLate(access, access.barrier, access.stamp, index,
               overlapOf(graph.lds.get(), access.region, op.region, access.isApart || op.isApart, Between::OtherWave));
}

/// An access in flight at `barrier`, of that age, and another wave's access behind it.
void Engine::meetLate(const LdsAccess &access, uint32_t barrier, uint32_t age, uint32_t culprit, Overlap overlap) {
  if (overlap == Overlap::No)
    return;
  Drain drain = drains.lookup(barrier);
  const Drain before = drain;
  auto [vm, lgkm] = finishing(access, age, barrier, overlap);
  auto require = [&](uint8_t &count, uint32_t &known, unsigned value) {
    if (value < count) {
      count = value;
      known = culprit;
    }
  };
  require(drain.vm, drain.culprits.vm, vm);
  require(drain.lgkm, drain.culprits.lgkm, lgkm);
  if (overlap == Overlap::Yes) {
    require(drain.certainVm, drain.culprits.certainVm, vm);
    require(drain.certainLgkm, drain.culprits.certainLgkm, lgkm);
  }
  if (!drain.isAsStrictAs(before)) {
    drains[barrier] = drain;
    isDrainNew = true;
  }
}

/// What is in flight at a barrier or the wave's end, and what other waves do that are elsewhere then.
void Engine::meetPartners(uint32_t barrier) {
  const ArrayRef<uint32_t> behind = graph.partners->accessesBehind(barrier);
  if (behind.empty())
    return;
  auto meet = [&](const LdsAccesses &list, uint32_t clock) {
    for (const LdsAccess &access : list)
      for (uint32_t other : behind) {
        const Op &op = graph.ops[other];
        if (access.writes || op.writesLds || op.kind == Kind::LdsDma)
          meetLate(access, barrier, access.isFlat ? 0 : std::min<uint32_t>(clock - access.stamp, oldest), other,
                   graph.partners->overlap(graph, access.op, access.region, barrier, other));
      }
  };
  meet(walk.accesses, walk.lds.clock);
  meet(walk.dma, walk.vm.clock);
}

std::vector<Need> findNeeds(const Graph &graph, const EngineOptions &options) {
  Engine engine(graph, options);
  engine.solve();
  std::vector<uint32_t> all(graph.blocks.size());
  std::iota(all.begin(), all.end(), 0);
  return engine.needs(all);
}

std::vector<Need> findNeedsOfInstructions(const Graph &graph, EngineOptions options) {
  std::vector<Need> needs = findNeeds(graph, options);
  if (!graph.hasPhases)
    return needs;
  DenseMap<uint32_t, std::pair<uint8_t, uint8_t>> counts;
  for (const Need &need : needs) {
    auto &[vm, lgkm] = counts.try_emplace(graph.ops[need.op].instruction, 255, 255).first->second;
    vm = std::min(vm, need.vm);
    lgkm = std::min(lgkm, need.lgkm);
  }
  options.ofAllPhases = &counts;
  return findNeeds(graph, options);
}

/// Where a wait is missing in the program it stays missing: as much is waited for as the program does.
void Engine::leaveMissing(Need &need, uint32_t op) const {
  auto missing = options.guarantees->missing.find(op);
  if (missing == options.guarantees->missing.end())
    return;
  auto [vm, lgkm] = atLeast(options.guarantees->outstanding[op], need.vm, need.lgkm);
  if (missing->second.first)
    need.vm = vm;
  if (missing->second.second)
    need.lgkm = lgkm;
}

void Engine::dismiss(Need &need, uint32_t op) const {
  if (options.dismissed->contains({op, unsigned(Counter::Vm)}))
    need.vm = need.certainVm = 255;
  if (options.dismissed->contains({op, unsigned(Counter::Lgkm)}))
    need.lgkm = need.certainLgkm = 255;
}

void Engine::notePending(Guarantees &into) {
  guarantees = &into;
  for (uint32_t b = 0; b < graph.blocks.size(); ++b)
    if (entry[b].isReached)
      walkBlock(b);
  guarantees = nullptr;
}

Guarantees findGuarantees(const Graph &graph) {
  Guarantees guarantees;
  guarantees.outstanding = findOutstanding(graph);
  for (const Need &need : findNeeds(graph)) {
    auto &[onVm, onLgkm] = guarantees.missing[need.op];
    onVm |= need.certainVm != 255;
    onLgkm |= need.certainLgkm != 255;
  }
  if (!graph.hasLdsDma && !graph.hasBarriers)
    return guarantees;
  EngineOptions options;
  options.fixesNeeds = false;
  Engine engine(graph, options);
  engine.solve();
  engine.notePending(guarantees);
  return guarantees;
}

} // namespace inflight::waits
