#include "waits/WaitReport.h"

#include "waits/flow/Engine.h"
#include "waits/graph/BuildGraph.h"
#include "waits/graph/LoopNest.h"
#include "waits/graph/Partners.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <deque>
#include <map>

using namespace llvm;

namespace inflight::waits {

namespace {

/// Follows the operations that one counter of one wait finishes, as if it didn't, to their uses or to other waits
/// that finish them too. A later visit of the wait itself is a chance to finish what has become older meanwhile.
class Follow {
public:
  /// `coversItself`: the next visit of the wait itself finishes all that is in flight then.
  Follow(const Graph &graph, CountReport &report, uint32_t wait, bool coversItself = false,
         ArrayRef<EdgeWait> edges = {})
      : graph(graph),
        info((*graph.counters)[report.counter]),
        report(report),
        wait(wait),
        coversItself(coversItself),
        edges(edges) {
    for (const InFlight &operation : report.waitsFor)
      items.push_back({operation.op, operation.age, operation.inOrder});
  }

  void run(uint32_t block) {
    if (items.empty())
      return;
    std::vector<Tracked> tracked;
    for (uint32_t i = 0; i < items.size(); ++i) {
      Tracked t{i, items[i].age, items[i].age, items[i].age, ~0u, {}};
      const Op &op = graph.ops[items[i].op];
      for (RegRange range : graph.held(op, report.counter))
        if (graph.holds(range, report.counter))
          t.registers.push_back(range);
      tracked.push_back(std::move(t));
    }
    std::deque<std::pair<uint32_t, std::vector<Tracked>>> work;
    walk(block, wait + 1, std::move(tracked), work);
    isFirstBlock = false;
    while (!work.empty()) {
      auto [next, list] = std::move(work.front());
      work.pop_front();
      // Nothing new if all of them came here before, as young.
      auto &known = seen[next];
      known.resize(4 * items.size());
      bool isNew = false;
      for (Tracked &t : list)
        isNew |= known[4 * t.item + 2 * t.isDone + (t.barrier != ~0u)].join(t);
      if (isNew)
        walk(next, graph.blocks[next].begin, std::move(list), work);
    }
  }

private:
  static constexpr unsigned reach = 1 << 16; ///< operations looked at for one wait

  struct Item {
    uint32_t op;
    unsigned age; ///< at the wait
    bool inOrder;
  };
  struct Tracked {
    uint32_t item;
    unsigned age;                       ///< now
    unsigned atWait;                    ///< its age at the last visit of the wait
    unsigned atBarrier;                 ///< its age at the last visit before `barrier`
    uint32_t barrier;                   ///< that it was in flight at; ~0: none since
    SmallVector<RegRange, 2> registers; ///< not yet overwritten
    bool isDone = false;                ///< but for what other waves do after `barrier`
    bool isInOrder = false;             ///< what must come after it for other waves was found
  };

  /// What came of an item to a block: the least ages, all the registers.
  struct Seen {
    uint8_t age = notPending, atWait = notPending, atBarrier = notPending;
    SmallVector<RegRange, 2> registers;
    /// Both become what they are together; whether that is news here.
    bool join(Tracked &t) {
      bool isNew = false;
      for (auto [mine, its] : {std::pair(&age, &t.age), {&atWait, &t.atWait}, {&atBarrier, &t.atBarrier}}) {
        isNew |= *its < *mine;
        *mine = std::min<unsigned>({*mine, *its, oldest});
        *its = std::min<unsigned>(*its, *mine);
      }
      for (RegRange range : t.registers)
        if (!is_contained(registers, range)) {
          registers.push_back(range);
          isNew = true;
        }
      t.registers = registers;
      return isNew;
    }
  };

  /// `age`: its age at the last visit of the wait that comes in time for the user.
  void need(const Tracked &t, uint32_t user, unsigned age, bool isForOthers = false) {
    const Item &item = items[t.item];
    const unsigned value = item.inOrder ? age : 0;
    if (isFirstBlock && report.firstUser == ~0u)
      report.firstUser = user;
    if (coversItself)
      report.uses.push_back({user, value, item.inOrder ? t.age : 0});
    if (!report.weakest || value < *report.weakest ||
        (value == *report.weakest && report.ordersMemory && !isForOthers)) {
      report.ordersMemory = isForOthers;
      report.weakest = value;
      report.reasonOp = item.op;
      report.reasonUser = user;
    }
  }

  Overlap overlap(const Op &a, const Op &b, Between between) const {
    if (a.arrives && b.arrives)
      return Overlap::No;
    return overlapOf(graph.lds.get(), a.region, b.region, a.isNoalias || b.isNoalias, between);
  }

  /// What FLAT does to LDS counts on the counter of LDS.
  bool countsLds(const Op &producer) const {
    return !info.isOfAlu && (!isFlat(producer.kind) || report.counter == graph.ldsCounter());
  }

  bool uses(Tracked &t, const Op &op) const {
    const Op &producer = graph.ops[items[t.item].op];
    if ((op.fencesAll || (op.fencesResults && !t.registers.empty())) && !info.isOfSources)
      return true;
    if (graph.isCheckedByHardware(op, report.counter)) {
      // Its own result takes an older one's place; elsewhere the hardware has waited.
      erase_if(t.registers, [&](RegRange pending) {
        return any_of(op.writes(graph.ranges), [&](RegRange r) {
          return r.first <= pending.first && pending.first + pending.count <= r.first + r.count;
        });
      });
      return false;
    }
    if (!info.isOfAlu && op.fencesLds &&
        (isLdsDma(producer.kind) || producer.kind == Kind::Lds || isFlat(producer.kind)))
      return true;
    for (RegRange range : op.reads(graph.ranges))
      for (RegRange pending : t.registers)
        if (range.overlaps(pending) && !info.isOfSources)
          return true;
    const bool sameOrder = graph.writesBefore(producer, op, report.counter);
    for (RegRange range : op.writes(graph.ranges))
      for (RegRange pending : t.registers)
        if (range.overlaps(pending)) {
          if (!sameOrder)
            return true;
        }
    if (sameOrder && !op.mayBeSkipped)
      erase_if(t.registers, [&](RegRange pending) {
        return any_of(op.writes(graph.ranges), [&](RegRange r) {
          return r.first <= pending.first && pending.first + pending.count <= r.first + r.count;
        });
      });
    if (info.isOfAlu)
      return false;
    if (producer.writesBack && op.isStore)
      return true;
    if (isLdsDma(producer.kind) ? graph.isInOrder(op, report.counter) : !isLdsDma(op.kind))
      return false;
    return (producer.writesLds || op.writesLds) && countsLds(producer) && producer.touchesLds() && op.touchesLds() &&
           overlap(producer, op, Between::SameWave) != Overlap::No;
  }

  bool meetsLate(const Tracked &t, const Op &op) const {
    const Op &producer = graph.ops[items[t.item].op];
    if (t.barrier == ~0u || !countsLds(producer))
      return false;
    return op.touchesLds() && producer.touchesLds() && (op.writesLds || producer.writesLds) &&
           overlap(producer, op, Between::OtherWave) != Overlap::No;
  }

  /// Other waves may come to the same bytes when they leave the barrier, elsewhere.
  bool meetsPartner(const Tracked &t, uint32_t barrier) const {
    const Op &producer = graph.ops[items[t.item].op];
    if (t.isDone || !graph.partners() || !countsLds(producer) || !producer.touchesLds())
      return false;
    return any_of(graph.partners()->accessesAfter(barrier), [&](uint32_t other) {
      const Op &op = graph.ops[other];
      return (producer.writesLds || op.writesLds) &&
             graph.partners()->overlap(graph, items[t.item].op, producer.region, barrier, other) != Overlap::No;
    });
  }

  void walk(uint32_t b, uint32_t from, std::vector<Tracked> list,
            std::deque<std::pair<uint32_t, std::vector<Tracked>>> &work) {
    const GraphBlock &block = graph.blocks[b];
    for (uint32_t i = from; i < block.end && !list.empty(); ++i) {
      if (++looked > reach) {
        report.isPartial = true;
        // What isn't known to be superfluous is needed.
        for (const Tracked &t : list)
          need(t, i, std::min(t.atWait, t.atBarrier));
        return;
      }
      const Op &op = graph.ops[i];
      if (op.isWait) {
        const bool isItself = op.instruction == graph.ops[wait].instruction;
        if (isItself && !coversItself) {
          for (Tracked &t : list)
            t.atWait = t.isDone ? t.atWait : t.age;
          continue;
        }
        if (info.isOfAlu)
          finishRead(list, graph.waitOf(op));
        if (finish(list, isItself ? WaitCount(0) : graph.waitOf(op)[report.counter]) && !isItself &&
            !is_contained(report.alsoWaitedAt, op.instruction))
          report.alsoWaitedAt.push_back(op.instruction);
        continue;
      }
      erase_if(list, [&](Tracked &t) {
        const bool isLate = meetsLate(t, op), isForOtherWaves = isLate || meetsPartner(t, i);
        if (isForOtherWaves || (!t.isDone && uses(t, op))) {
          report.isForOtherWaves |= isForOtherWaves;
          need(t, i, isLate ? t.atBarrier : t.atWait);
          return true;
        }
        if (!t.isDone && !t.isInOrder && !info.isOfAlu && (graph.ops[items[t.item].op].does & op.follows)) {
          need(t, i, t.atWait, true);
          t.isInOrder = true;
        }
        return false;
      });
      if (op.completesAll)
        return;
      for (Tracked &t : list) {
        t.age += graph.makesOlder(op, report.counter);
        if (op.isBarrier) {
          t.barrier = t.isDone ? ~0u : i;
          t.atBarrier = t.atWait;
        }
      }
      // A full counter has stopped the issue of later ones until it was done, which says nothing to other waves behind
      // a barrier; nothing is left of those without results.
      for (Tracked &t : list)
        if (info.stopsIssue && items[t.item].inOrder && t.age > info.maximum)
          setDone(t);
      erase_if(list, [&](const Tracked &t) { return (t.isDone && t.barrier == ~0u) || isWithoutUse(t); });
    }
    if (list.empty())
      return;
    for (uint32_t successor : block.successors) {
      std::vector<Tracked> next = list;
      if (const EdgeWait *edge = waitBetween(edges, block, graph.blocks[successor]))
        finish(next, edge->counts[report.counter]);
      if (!next.empty())
        work.push_back({successor, std::move(next)});
    }
  }

  static void setDone(Tracked &t) {
    t.isDone = true;
    t.registers.clear();
  }

  /// A wait for the count; whether it finishes any.
  bool finish(std::vector<Tracked> &list, WaitCount count) const {
    bool finishes = false;
    for (Tracked &t : list)
      if (!t.isDone && (items[t.item].inOrder ? count.finishes(t.age) : count.isZero())) {
        finishes = true;
        setDone(t);
      }
    erase_if(list, [](const Tracked &t) { return t.isDone && t.barrier == ~0u; });
    return finishes;
  }

  /// Memory operations that are done have read their registers.
  void finishRead(std::vector<Tracked> &list, const WaitCounts &counts) const {
    erase_if(list, [&](const Tracked &t) {
      const Op &op = graph.ops[items[t.item].op];
      return op.kind != Kind::None && any_of(graph.counters->ofMemory(), [&](Counter own) {
               return counts[own].isZero() && !(*graph.counters)[own].isOfSources && graph.isCounted(op, own);
             });
    });
  }

  bool isWithoutUse(const Tracked &t) const {
    const Op &producer = graph.ops[items[t.item].op];
    return t.registers.empty() && !t.isDone && (t.isInOrder || info.isOfAlu || !producer.does) &&
           producer.kind != Kind::WriteBack && !(countsLds(producer) && producer.touchesLds());
  }

  const Graph &graph;
  const CounterInfo &info;
  CountReport &report;
  uint32_t wait;
  bool coversItself;
  ArrayRef<EdgeWait> edges;
  std::vector<Item> items;
  DenseMap<uint32_t, std::vector<Seen>>
      seen; ///< of each item at a block's entry: done or not, before and after a barrier
  unsigned looked = 0;
  bool isFirstBlock = true;
};

} // namespace

static CountReport reportCount(const Graph &graph, ArrayRef<Outstanding> outstanding, uint32_t block, uint32_t wait,
                               Counter counter) {
  CountReport report;
  report.counter = counter;
  report.value = graph.waitOf(graph.ops[wait])[counter].value();
  report.waitsFor = inFlightBefore(graph, outstanding, block, wait, counter, &report.waitsForCaller);
  erase_if(report.waitsFor, [&](const InFlight &f) { return f.inOrder ? f.age < report.value : report.value != 0; });
  if (report.waitsForCaller)
    report.weakest = report.value;
  else
    Follow(graph, report, wait).run(block);
  return report;
}

CountReport reportPlace(const Graph &before, ArrayRef<Outstanding> outstanding, const Graph &after,
                        ArrayRef<EdgeWait> edges, uint32_t block, uint32_t wait, Counter counter, unsigned value) {
  CountReport report;
  report.counter = counter;
  report.value = value;
  report.waitsFor = inFlightBefore(before, outstanding, block, wait, counter, &report.waitsForCaller, edges);
  erase_if(report.waitsFor, [&](const InFlight &f) { return f.inOrder ? f.age < value : value != 0; });
  if (report.waitsForCaller)
    report.weakest = value;
  else
    Follow(after, report, wait, true, edges).run(block);
  return report;
}

static std::vector<LoopReport> findLoops(const Graph &graph, ArrayRef<Outstanding> outstanding) {
  const std::vector<uint32_t> order = graph.order();
  const std::vector<uint32_t> place = graph.placesIn(order);
  std::map<std::pair<uint32_t, uint32_t>, LoopReport> loops; // phases of one loop are one
  for (uint32_t header : order)
    for (uint32_t back : graph.blocks[header].predecessors) {
      if (place[back] == ~0u || place[back] < place[header] || graph.blocks[back].begin == graph.blocks[back].end)
        continue;
      const uint32_t first = graph.ops[graph.blocks[header].begin].instruction,
                     last = graph.ops[graph.blocks[back].end - 1].instruction;
      LoopReport &loop = loops[{first, last}];
      loop.firstInstruction = first;
      loop.lastInstruction = last;
      const Outstanding &atEnd = outstanding[graph.blocks[back].end - 1];
      auto most = [&](PerCounter<unsigned> &into, const Outstanding &at) {
        for (Counter counter : graph.counters->all())
          into[counter] = std::max(
              into[counter], std::min<unsigned>(at.inOrder[counter], (*graph.counters)[counter].mostOutstanding()));
      };
      most(loop.atBackEdge, atEnd);
      for (uint32_t b : loopBody(graph, header, back, place))
        for (uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i) {
          most(loop.deepest, outstanding[i]);
          const Op &op = graph.ops[i];
          if (op.isWait && is_contained(graph.waitOf(op).values, WaitCount(0)) &&
              !is_contained(loop.drains, op.instruction))
            loop.drains.push_back(op.instruction);
        }
      sort(loop.drains);
    }
  std::vector<LoopReport> result;
  result.reserve(loops.size());
  for (auto &[key, loop] : loops)
    result.push_back(std::move(loop));
  return result;
}

/// What several phases say about one wait: the strictest.
void merge(CountReport &into, const CountReport &from, const Graph &graph) {
  for (const InFlight &f : from.waitsFor) {
    auto known = find_if(into.waitsFor,
                         [&](const InFlight &k) { return graph.ops[k.op].instruction == graph.ops[f.op].instruction; });
    if (known == into.waitsFor.end())
      into.waitsFor.push_back(f);
    else
      known->age = std::min(known->age, f.age);
  }
  if (from.weakest && (!into.weakest || *from.weakest < *into.weakest)) {
    into.weakest = from.weakest;
    into.reasonOp = from.reasonOp;
    into.reasonUser = from.reasonUser;
    into.ordersMemory = from.ordersMemory;
  }
  for (uint32_t wait : from.alsoWaitedAt)
    if (!is_contained(into.alsoWaitedAt, wait))
      into.alsoWaitedAt.push_back(wait);
  into.isForOtherWaves |= from.isForOtherWaves;
  if (from.weakest && into.weakest == from.weakest)
    into.ordersMemory &= from.ordersMemory;
  into.waitsForCaller |= from.waitsForCaller;
  into.isPartial |= from.isPartial;
}

void addPlace(WaitReport &report, const Graph &graph, ArrayRef<Outstanding> outstanding, uint32_t block,
              uint32_t wait) {
  for (Counter counter : graph.counters->all()) {
    if (graph.waitOf(graph.ops[wait])[counter].isNone())
      continue;
    CountReport count = reportCount(graph, outstanding, block, wait, counter);
    // One field of the instruction is one count, however many queues it means.
    auto known = find_if(report.counts, [&](const CountReport &c) {
      return graph.counters->firstOf(c.counter) == graph.counters->firstOf(counter);
    });
    if (known == report.counts.end())
      report.counts.push_back(std::move(count));
    else
      merge(*known, count, graph);
  }
}

Reported report(const Program &program) { return report(program, std::make_shared<Graph>(describe(program))); }

Reported report(const Program &program, std::shared_ptr<Graph> described) {
  followLds(*described, program);
  Reported reported;
  reported.graph = std::move(described);
  const Graph &graph = *reported.graph;
  const std::vector<Outstanding> outstanding = findOutstanding(graph);
  std::map<uint32_t, WaitReport> waits;
  std::vector<uint8_t> isReached(graph.blocks.size());
  for (uint32_t b : graph.order())
    isReached[b] = true;
  for (uint32_t b = 0; b < graph.blocks.size(); ++b)
    for (uint32_t i = graph.blocks[b].begin; isReached[b] && i < graph.blocks[b].end; ++i) {
      const Op &op = graph.ops[i];
      if (!op.isWait)
        continue;
      WaitReport &wait = waits[op.instruction];
      wait.instruction = op.instruction;
      addPlace(wait, graph, outstanding, b, i);
    }
  for (auto &[instruction, wait] : waits)
    reported.waits.push_back(std::move(wait));
  reported.loops = findLoops(graph, outstanding);
  return reported;
}

} // namespace inflight::waits
