#include "waits/Relax.h"

#include "isa/timing/Latency.h"
#include "waits/EdgeWaits.h"
#include "waits/Prologue.h"
#include "waits/Verify.h"
#include "waits/WaitReport.h"
#include "waits/graph/LoopNest.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace inflight::waits {

namespace {

/// One s_waitcnt of the program, or one that is added.
struct OwnWait {
  uint32_t instruction = 0;
  SmallVector<uint32_t, 2> places; ///< in Graph::ops, one for each phase
  WaitCounts had;
  bool isFrozen = false;  ///< stays as it is
  uint32_t movedTo = ~0u; ///< the instruction that it stands before
  bool isAdded = false;   ///< not the program's: `instruction` is none
};

class Relaxer {
public:
  Relaxer(const Program &program, const Graph &original)
      : program(program), original(original), graph(original), nest(findLoopNest(original)) {
    blockOf.resize(graph.ops.size());
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      for (uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i)
        blockOf[i] = b;
    hasExports = waits::hasExports(program);
    if (Expected<const LatencyTable *> table = LatencyTable::get(program.isa().target().chip))
      latency = *table;
    else
      consumeError(table.takeError());
  }

  Plan run() {
    collect();
    guarantees = findGuarantees(original);
    // Any wait may be for what it leaves in flight.
    if (original.hasHiddenCode ||
        any_of(guarantees.missing,
               [&](const auto &missing) {
                 return original.ops[missing.first].fencesAll && missing.second != PerCounter<bool>();
               }) ||
        restsOnPaths())
      return unchanged();
    freeze();
    weaken();
    waitBeforeLoops();
    // Partners of barriers are known by their places.
    const bool mayMove = !original.partners();
    if (mayMove)
      waitAfterLoops();
    dropDoubles();
    const std::vector<OwnWait> weakened = waits;
    const std::vector<Op> weakenedOps = graph.ops;
    const std::vector<uint32_t> weakenedWas = was;
    if (mayMove)
      move();
    if (!isSound()) {
      waits = weakened;
      graph.ops = weakenedOps;
      was = weakenedWas;
      if (!isSound())
        return unchanged();
    }
    return edits();
  }

private:
  /// So many cycles of other instructions are worth that a wait moves after them.
  static constexpr unsigned worthMoving = 32;

  void collect() {
    std::vector<uint32_t> waitAt(program.instructions().size(), ~0u);
    for (uint32_t b : graph.order())
      for (uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i) {
        const Op &op = graph.ops[i];
        if (!op.isWait)
          continue;
        uint32_t &number = waitAt[op.instruction];
        if (number == ~0u) {
          number = waits.size();
          waits.push_back({op.instruction, {}, graph.waitOf(op)});
        }
        waits[number].places.push_back(i);
      }
    was.resize(graph.ops.size());
    for (uint32_t i = 0; i < was.size(); ++i)
      was[i] = i;
  }

  /// Whether waits are enough only because control can't take some paths: then it isn't known which ones they are
  /// meant for.
  bool restsOnPaths() const {
    const bool isMissing = any_of(guarantees.missing, [&](const auto &entry) {
      return any_of(graph.counters->all(), [&](Counter c) { return entry.second[c]; });
    });
    return isMissing && verify(program, std::make_shared<Graph>(original)).restsOnPaths;
  }

  const Instruction &instruction(const Op &op) const { return program.instructions()[op.instruction]; }

  void freeze() {
    // Where something can't be decided the whole loop stays as it is.
    std::vector<bool> isUndecided(graph.blocks.size());
    // On which paths the waits of its counter are enough where one is missing at a barrier isn't known.
    PerCounter<bool> isMissing;
    for (const Need &need : findNeeds(original))
      for (Counter c : graph.counters->all()) {
        if (!need.counts[c].isNone() && need.certain[c].isNone())
          isUndecided[need.block] = true;
        isMissing[c] |= need.cause == Cause::Late && !need.certain[c].isNone();
      }
    std::vector<bool> isFrozen = isUndecided;
    for (const values::Loop &loop : nest.loops)
      if (any_of(loop.blocks, [&](uint32_t b) { return isUndecided[b]; }))
        for (uint32_t b : loop.blocks)
          isFrozen[b] = true;
    for (OwnWait &wait : waits)
      wait.isFrozen = any_of(graph.counters->all(), [&](Counter c) { return isMissing[c] && !wait.had[c].isNone(); }) ||
                      any_of(wait.places, [&](uint32_t i) {
                        return isFrozen[blockOf[i]] || isPreloadPrologue(program, graph, graph.blocks[blockOf[i]]);
                      });
  }

  const WaitCounts &countsOf(const OwnWait &wait) const { return graph.waitOf(graph.ops[wait.places.front()]); }
  WaitCount valueOf(const OwnWait &wait, Counter counter) const { return countsOf(wait)[counter]; }
  void set(const OwnWait &wait, Counter counter, WaitCount value) {
    for (uint32_t i : wait.places)
      graph.waitToEdit(graph.ops[i])[counter] = value;
  }
  void set(const OwnWait &wait, const WaitCounts &counts) {
    for (uint32_t i : wait.places)
      graph.waitToEdit(graph.ops[i]) = counts;
  }

  void weaken() {
    std::vector<OwnWait *> all;
    all.reserve(waits.size());
    for (OwnWait &wait : waits)
      all.push_back(&wait);
    weaken(all);
  }

  /// Inner loops first: what can be waited for outside is. Of waits in loops equally deep the last one before a use is
  /// to finish the operation, whatever earlier ones did.
  void weaken(ArrayRef<OwnWait *> some) {
    std::map<unsigned, std::vector<OwnWait *>, std::greater<>> groups;
    for (OwnWait *wait : some)
      if (!wait->isFrozen && !isGone(*wait))
        groups[nest.depth[blockOf[wait->places.front()]]].push_back(wait);
    for (const auto &[depth, group] : groups)
      weakenTogether(group);
  }

  /// Two that are as weak as they may be together may be two for the same.
  void dropDoubles() {
    std::vector<OwnWait *> all;
    for (OwnWait &wait : waits)
      if (!wait.isFrozen && !isGone(wait))
        all.push_back(&wait);
    stable_sort(all, [&](const OwnWait *a, const OwnWait *b) {
      return nest.depth[blockOf[a->places.front()]] > nest.depth[blockOf[b->places.front()]];
    });
    for (OwnWait *wait : all)
      weakenTogether(wait);
  }

  void weakenTogether(ArrayRef<OwnWait *> group) {
    Graph without = graph;
    for (const OwnWait *wait : group)
      for (uint32_t i : wait->places)
        without.waitToEdit(without.ops[i]) = WaitCounts();
    const std::vector<Outstanding> outstanding = findOutstanding(without);
    std::vector<WaitCounts> values;
    for (const OwnWait *wait : group) {
      WaitCounts &counts = values.emplace_back();
      for (Counter counter : graph.counters->all())
        counts[counter] = weakest(*wait, counter, without, outstanding);
    }
    for (auto [wait, counts] : zip(group, values))
      set(*wait, counts);
  }

  unsigned limitOf(Counter counter) const { return (*graph.counters)[counter].maximum; }

  WaitCount weakest(const OwnWait &wait, Counter counter, const Graph &without,
                    ArrayRef<Outstanding> outstanding) const {
    const WaitCount value = valueOf(wait, counter);
    if (value.isNone())
      return value;
    WaitCount weakest;
    for (uint32_t i : wait.places)
      if (const CountReport report =
              reportPlace(without, outstanding, graph, edges, blockOf[i], i, counter, value.value());
          report.weakest)
        weakest = std::min(weakest, WaitCount(*report.weakest));
    return weakest.isNone() || weakest.value() < limitOf(counter) ? weakest : value;
  }

  /// A wait is added in front of a loop where those inside become weaker by it.
  void waitBeforeLoops() {
    EngineOptions options;
    options.keepWaits = false;
    options.guarantees = &guarantees;
    for (const EdgeWait &candidate : findEdgeWaits(original, options).waits) {
      std::vector<bool> isInside(graph.blocks.size());
      for (const values::Loop &loop : nest.loops)
        if (graph.blocks[loop.header].origin == candidate.to &&
            none_of(loop.blocks, [&](uint32_t b) { return graph.blocks[b].origin == candidate.from; }))
          for (uint32_t b : loop.blocks)
            isInside[b] = true;
      std::vector<OwnWait *> inside;
      for (OwnWait &wait : waits)
        if (!wait.isFrozen && all_of(wait.places, [&](uint32_t i) { return isInside[blockOf[i]]; }))
          inside.push_back(&wait);
      if (inside.empty())
        continue;
      const std::vector<WaitCounts> before = graph.waits;
      edges.push_back(candidate);
      weaken(inside);
      if (none_of(inside,
                  [&](const OwnWait *wait) { return countsOf(*wait) != before[graph.ops[wait->places.front()].wait]; }))
        edges.pop_back();
    }
  }

  /// A wait in a loop that is strict for uses outside alone: these are waited for there.
  void waitAfterLoops() {
    for (uint32_t w = 0; w < waits.size(); ++w)
      for (Counter counter : graph.counters->all())
        if (!waits[w].isFrozen && !waits[w].isAdded && !valueOf(waits[w], counter).isNone() &&
            nest.depth[blockOf[waits[w].places.front()]])
          waitAfterLoop(w, counter);
  }

  void waitAfterLoop(uint32_t w, Counter counter) {
    const WaitCount value = valueOf(waits[w], counter);
    const unsigned depth = nest.depth[blockOf[waits[w].places.front()]];
    set(waits[w], counter, WaitCount::none());
    const std::vector<Outstanding> outstanding = findOutstanding(graph);
    WaitCount inside;
    std::map<uint32_t, WaitCount> outside; ///< instructions, and what is enough there
    for (uint32_t i : waits[w].places) {
      const CountReport report = reportPlace(graph, outstanding, graph, edges, blockOf[i], i, counter, value.value());
      if (report.isPartial || report.waitsForCaller)
        inside = value;
      for (const CountReport::Use &use : report.uses) {
        if (nest.depth[blockOf[use.op]] >= depth) {
          inside = std::min(inside, WaitCount(use.value));
          continue;
        }
        WaitCount &there = outside[graph.ops[use.op].instruction];
        there = std::min(there, WaitCount(use.there));
      }
    }
    const unsigned limit = limitOf(counter);
    const bool isBetter = inside > value && !outside.empty() &&
                          all_of(outside, [&](const auto &use) { return use.second.valueOr(limit) < limit; });
    if (!isBetter) {
      set(waits[w], counter, value);
      return;
    }
    set(waits[w], counter, inside.valueOr(limit) < limit ? inside : WaitCount::none());
    for (const auto &[user, count] : outside)
      addBefore(user, counter, count);
  }

  void addBefore(uint32_t user, Counter counter, WaitCount count) {
    auto known = find_if(waits, [&](const OwnWait &wait) { return wait.isAdded && wait.movedTo == user; });
    if (known != waits.end()) {
      set(*known, counter, std::min(valueOf(*known, counter), count));
      return;
    }
    OwnWait added;
    added.isAdded = true;
    added.movedTo = user;
    for (uint32_t i = 0; i < graph.ops.size(); ++i) {
      if (graph.ops[i].instruction != user || was[i] == ~0u)
        continue;
      Op wait;
      graph.makeWait(wait, {});
      wait.instruction = user;
      const uint32_t block = blockOf[i];
      graph.ops.insert(graph.ops.begin() + i, wait);
      blockOf.insert(blockOf.begin() + i, block);
      was.insert(was.begin() + i, ~0u);
      for (uint32_t b = 0; b < graph.blocks.size(); ++b) {
        graph.blocks[b].begin += b != block && graph.blocks[b].begin >= i;
        graph.blocks[b].end += graph.blocks[b].end > i;
      }
      for (OwnWait &other : waits)
        for (uint32_t &place : other.places)
          place += place >= i;
      for (uint32_t &place : added.places)
        place += place >= i;
      added.places.push_back(i++);
    }
    waits.push_back(std::move(added));
    set(waits.back(), counter, count);
  }

  void move() {
    for (uint32_t w = 0; w < waits.size(); ++w)
      if (!waits[w].isFrozen && !waits[w].isAdded && !isGone(waits[w]) && exportsOf(waits[w]).isNone() &&
          !othersOf(waits[w]))
        move(waits[w]);
  }

  bool isGone(const OwnWait &wait) const { return countsOf(wait).isNothing(); }
  WaitCount exportsOf(const OwnWait &wait) const {
    return hasExports && !wait.isAdded ? program.waitAt(wait.instruction).exports : WaitCount::none();
  }

  uint16_t othersOf(const OwnWait &wait) const { return wait.isAdded ? 0 : program.waitAt(wait.instruction).others; }

  void move(OwnWait &wait) {
    const WaitCounts had = countsOf(wait);
    set(wait, WaitCounts());
    const std::vector<Outstanding> outstanding = findOutstanding(graph);
    uint32_t distance = ~0u;
    for (uint32_t i : wait.places) {
      uint32_t user = graph.blocks[blockOf[i]].end - 1;
      PerCounter<bool> isUnordered;
      for (Counter counter : graph.counters->all()) {
        if (had[counter].isNone())
          continue;
        const CountReport report =
            reportPlace(graph, outstanding, graph, edges, blockOf[i], i, counter, had[counter].value());
        isUnordered[counter] =
            report.waitsForCaller || any_of(report.waitsFor, [](const InFlight &f) { return !f.inOrder; });
        user = std::min(user, report.firstUser);
      }
      distance = std::min(distance, user > i ? reach(i, user, had, isUnordered) : 0);
    }
    WaitCounts gets = had;
    OwnWait *other = nullptr;
    const uint32_t first = wait.places.front();
    unsigned cycles = 0;
    bool isHeldUp = false;
    for (uint32_t i = first + 1; i <= first + distance; ++i) {
      const Op &op = graph.ops[i];
      for (Counter counter : graph.counters->all())
        if (!gets[counter].isNone())
          gets[counter] = WaitCount(gets[counter].value() + graph.makesOlder(op, counter));
      const InstrDesc *desc = instruction(op).desc;
      isHeldUp |= op.kind != Kind::None || desc->isMfma;
      if (latency && !op.isWait)
        cycles += std::max(latency->timing(*desc).issue, latency->issueSlot());
    }
    if (const uint32_t next = first + distance + 1; next < graph.blocks[blockOf[first]].end && graph.ops[next].isWait)
      other = &*find_if(waits, [&](const OwnWait &w) { return is_contained(w.places, next); });
    if (other && (other->isFrozen || other->places.size() != wait.places.size()))
      other = nullptr;
    // Where each counter has a wait of its own, two in a row may well stay two.
    if (other && !distance && graph.counters->encoding.isSplit()) {
      set(wait, had);
      return;
    }
    if (other) {
      gets.tighten(countsOf(*other));
      set(*other, gets);
      return;
    }
    const bool moves = distance && (isHeldUp || cycles >= worthMoving);
    set(wait, moves ? gets : had);
    if (moves)
      shift(wait, distance);
  }

  /// How many instructions after it the wait may stand, in one phase, `user` being the first that needs it.
  uint32_t reach(uint32_t wait, uint32_t user, WaitCounts counts, const PerCounter<bool> &isUnordered) const {
    for (uint32_t i = wait + 1; i < user; ++i) {
      const Op &op = graph.ops[i];
      if (op.isWait && graph.waitOf(op).isNothing())
        continue;
      if (!mayPass(op))
        return i - wait - 1;
      for (Counter counter : graph.counters->all()) {
        WaitCount &count = counts[counter];
        if (count.isNone() || !graph.isCounted(op, counter))
          continue;
        if (!graph.isInOrder(op, counter) || isUnordered[counter] || count.value() + 1 >= limitOf(counter))
          return i - wait - 1;
        count = WaitCount(count.value() + 1);
      }
    }
    return user - wait - 1;
  }

  /// Whether a wait may come to stand after it, as far as nobody but this wave is concerned.
  bool mayPass(const Op &op) const {
    const InstrDesc *desc = instruction(op).desc;
    if (!desc || op.isWait || op.isBarrier || op.tellsSome || op.isStore || op.writesLds || op.fencesLds ||
        op.fencesAll || op.fencesResults || op.completesAll)
      return false;
    if (op.kind == Kind::Flat || op.kind == Kind::WriteBack || op.kind == Kind::Message)
      return false;
    if (desc->isBranch || desc->isCall || desc->isEndOfProgram || desc->isTrap)
      return false;
    // What tells the time or talks to the scheduler stands where it does for a reason.
    return !desc->readsClock && !desc->readsHwReg && !desc->setsWaveState && !desc->isScalarCacheControl &&
           !desc->invalidatesInstructionCache && !desc->invalidatesVectorCache;
  }

  void shift(OwnWait &wait, uint32_t distance) {
    const uint32_t last = wait.places.front() + distance;
    for (uint32_t &place : wait.places) {
      std::rotate(graph.ops.begin() + place, graph.ops.begin() + place + 1, graph.ops.begin() + place + distance + 1);
      std::rotate(was.begin() + place, was.begin() + place + 1, was.begin() + place + distance + 1);
      for (OwnWait &other : waits)
        if (&other != &wait)
          for (uint32_t &p : other.places)
            p -= p > place && p <= place + distance;
      place += distance;
    }
    wait.movedTo = graph.ops[last + 1].instruction;
  }

  /// Whether what the analysis asks for is there as much as in the program as it was.
  bool isSound() const {
    // The waits as they are now, by what they stand before.
    DenseMap<uint32_t, WaitCounts> placed;
    for (const OwnWait &wait : waits)
      for (uint32_t place : wait.places) {
        uint32_t at = place;
        while (wait.movedTo != ~0u && graph.ops[at].isWait)
          ++at;
        placed[was[at]].tighten(countsOf(wait));
      }
    EngineOptions before, after;
    before.guarantees = after.guarantees = &guarantees;
    after.keepWaits = false;
    after.placed = &placed;
    after.edgeWaits = edges;
    std::map<uint32_t, Need> known;
    for (const Need &need : findNeeds(original, before))
      known[need.op] = need;
    std::map<uint32_t, Outstanding> outstanding;
    const std::vector<Outstanding> left = findOutstanding(graph);
    for (uint32_t i = 0; i < was.size(); ++i)
      if (was[i] != ~0u)
        outstanding[was[i]] = left[i];
    return all_of(findNeeds(original, after), [&](const Need &need) {
      const Need same = known.contains(need.op) ? known[need.op] : Need();
      return all_of(graph.counters->all(), [&](Counter c) {
        const WaitCount count = need.counts[c];
        return count.isNone() || count >= same.counts[c] ||
               (need.certain[c].isNone() && outstanding[need.op].inOrder[c] <= count.value());
      });
    });
  }

  Plan unchanged() const {
    Plan plan;
    plan.kept = count_if(waits, [](const OwnWait &wait) { return !wait.isAdded; });
    return plan;
  }

  Plan edits() const {
    Plan plan;
    for (const OwnWait &wait : waits) {
      const WaitOperands operands{graph.counters->asEncoded(countsOf(wait)), exportsOf(wait), othersOf(wait)};
      if (wait.isAdded) {
        if (isGone(wait))
          continue;
        plan.edits.push_back(Edit::ofWait(wait.movedTo, Edit::Action::InsertBefore, operands));
        ++plan.added;
      } else if (operands == WaitOperands() && !wait.isFrozen) {
        plan.edits.push_back(Edit::ofWait(wait.instruction, Edit::Action::Remove));
        ++plan.removed;
      } else if (wait.movedTo != ~0u) {
        plan.edits.push_back(Edit::ofWait(wait.instruction, Edit::Action::Remove));
        plan.edits.push_back(Edit::ofWait(wait.movedTo, Edit::Action::InsertBefore, operands));
        ++plan.removed;
        ++plan.added;
      } else if (operands.counts != wait.had) {
        plan.edits.push_back(Edit::ofWait(wait.instruction, Edit::Action::Replace, operands));
        ++plan.changed;
      } else {
        ++plan.kept;
      }
    }
    for (const EdgeWait &edge : edges) {
      plan.edits.push_back(editOnEdge(program, edge));
      ++plan.added;
    }
    stable_sort(plan.edits, [](const Edit &a, const Edit &b) { return a.at < b.at; });
    return plan;
  }

  const Program &program;
  const Graph &original;
  Graph graph; ///< with other waits
  LoopNest nest;
  const LatencyTable *latency = nullptr;
  bool hasExports = false;
  std::vector<uint32_t> blockOf; ///< by op
  std::vector<uint32_t> was;     ///< by op: which it was in `original`; ~0: added
  std::vector<OwnWait> waits;    ///< by order of blocks
  std::vector<EdgeWait> edges;   ///< added
  Guarantees guarantees;
};

} // namespace

Plan relax(const Program &program, const Graph &graph) { return Relaxer(program, graph).run(); }

} // namespace inflight::waits
