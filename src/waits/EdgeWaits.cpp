// A need that comes from one path into a block alone is met on that path: before a loop, when only its first iteration
// has it, or at the end of one of the blocks that join.
#include "waits/EdgeWaits.h"

#include "waits/flow/Engine.h"
#include "waits/graph/LoopNest.h"
#include "waits/graph/UnitSet.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

namespace {

class EdgeWaits {
public:
  EdgeWaits(const Graph &graph, const EngineOptions &options)
      : graph(graph),
        engine(graph, options),
        order(graph.order()),
        place(graph.placesIn(order)),
        queues(outOfOrderQueues(*graph.counters)) {}

  EdgePlan run() {
    engine.keepExits();
    engine.solve();
    // Outer loops first: what is waited for before them needs no wait before inner ones.
    for (uint32_t block : order)
      if (graph.blocks[block].predecessors.size() > 1)
        consider(block);
    EdgePlan plan;
    if (!found.empty() && !engine.hasDrains())
      engine.solveWith(found);
    if (!engine.hasDrains())
      plan.needs = engine.needs(order);
    plan.waits = std::move(found);
    return plan;
  }

private:
  static constexpr size_t longestLoop = 1 << 14; ///< blocks; beyond it nothing is tried

  bool isRetreating(uint32_t from, uint32_t to) const { return place[from] != ~0u && place[from] >= place[to]; }

  bool isRetreatingInto(uint32_t header) const {
    return any_of(graph.blocks[header].predecessors, [&](uint32_t p) { return isRetreating(p, header); });
  }

  void consider(uint32_t header) {
    SmallVector<uint32_t, 4> outside, back;
    for (uint32_t p : graph.blocks[header].predecessors)
      if (engine.isReached(p))
        (isRetreating(p, header) ? back : outside).push_back(p);
    if (outside.empty() || graph.blocks[header].isEntry || graph.blocks[header].hasUnknownCaller)
      return;
    if (back.empty())
      considerEdges(header, outside, {header});
    else
      considerEdges(header, outside, bodyOf(header, back));
  }

  std::vector<uint32_t> bodyOf(uint32_t header, ArrayRef<uint32_t> back) const {
    const DenseSet<uint32_t> body = loopBody(graph, header, back, place, longestLoop);
    if (body.size() >= longestLoop)
      return {};
    std::vector<uint32_t> result(body.begin(), body.end());
    sort(result, [&](uint32_t a, uint32_t b) { return place[a] < place[b]; });
    // More than one entry: its header doesn't stand for it.
    if (result.front() != header)
      return {};
    for (uint32_t block : drop_begin(result))
      for (uint32_t p : graph.blocks[block].predecessors)
        if (engine.isReached(p) && !body.contains(p))
          return {};
    return result;
  }

  /// Whether a wait can stand on the edge and no other path runs over it.
  bool canPlace(uint32_t from, uint32_t to) const {
    const GraphBlock &f = graph.blocks[from], &t = graph.blocks[to];
    if (f.begin == f.end || t.begin == t.end)
      return false;
    return f.exitCount == 1 || graph.ops[f.end - 1].instruction + 1 == graph.ops[t.begin].instruction;
  }

  void considerEdges(uint32_t header, ArrayRef<uint32_t> outside, ArrayRef<uint32_t> body) {
    if (body.empty())
      return;
    if (none_of(body, [&](uint32_t b) { return !engine.needsOf(b).empty(); }))
      return;
    // The least age of what each entry brings, for registers that the others don't bring as young.
    const State &all = engine.entryOf(header);
    if (all.other.empty() && !all.order.isAnyWaited() &&
        all_of(graph.counters->all(), [&](Counter c) { return all.inOrder[c].empty(); }))
      return;
    std::vector<State> states;
    for (uint32_t p : graph.blocks[header].predecessors)
      if (engine.isReached(p))
        states.push_back(engine.exitTowards(p, header));
    const UnitSet used = usedIn(body);
    uint16_t followed = 0;
    for (uint32_t b : body)
      for (uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i)
        followed |= graph.ops[i].follows;
    size_t at = 0;
    for (uint32_t p : graph.blocks[header].predecessors) {
      if (!engine.isReached(p))
        continue;
      const size_t mine = at++;
      if (!is_contained(outside, p) || !canPlace(p, header))
        continue;
      EdgeWait wait{graph.blocks[p].origin, graph.blocks[header].origin, {}};
      const uint16_t unordered = unorderedAlone(states, mine, used);
      for (Counter counter : graph.counters->all()) {
        WaitCount &count = wait.counts[counter];
        count = std::min(youngestAlone(states, mine, counter, used), waitedAlone(states, mine, counter, followed));
        for (const auto &[i, queue] : enumerate(queues))
          if (queue.counter == counter && (unordered >> i & 1))
            count = WaitCount(0);
        // A join gains by it only when the wait after it would hold up what another path brings.
        const bool holdsUp = any_of(enumerate(states), [&](const auto &other) {
          return other.index() != mine && other.value().outstanding[counter] > count.valueOr(~0u);
        });
        if (count.valueOr(~0u) >= (*graph.counters)[counter].maximum || (!isRetreatingInto(header) && !holdsUp))
          count = WaitCount::none();
      }
      if (!wait.counts.isNothing())
        tryWait(header, body, states, mine, wait);
    }
  }

  UnitSet usedIn(ArrayRef<uint32_t> body) {
    UnitSet used;
    usedBy.resize(graph.blocks.size());
    for (uint32_t b : body) {
      if (!usedBy[b]) {
        usedBy[b].emplace();
        for (uint32_t i = graph.blocks[b].begin; i < graph.blocks[b].end; ++i)
          for (RegRange range : graph.rangesOf(graph.ops[i]))
            usedBy[b]->insert(range);
      }
      used |= *usedBy[b];
    }
    return used;
  }

  static WaitCount youngestAlone(ArrayRef<State> states, size_t mine, Counter counter, const UnitSet &used) {
    uint8_t youngest = notPending;
    for (const UnitAge &own : states[mine].inOrder[counter]) {
      if (own.age >= youngest || !used.contains(own.unit))
        continue;
      const bool isAlone = any_of(enumerate(states), [&](const auto &other) {
        if (other.index() == mine)
          return false;
        const UnitAges &theirs = other.value().inOrder[counter];
        auto known = partition_point(theirs, [&](const UnitAge &u) { return u.unit < own.unit; });
        return known == theirs.end() || known->unit != own.unit || known->age > own.age;
      });
      if (isAlone)
        youngest = own.age;
    }
    return WaitCount(youngest);
  }

  /// The same for what the program has waited for, of these kinds (bits of Access).
  static WaitCount waitedAlone(ArrayRef<State> states, size_t mine, Counter counter, uint16_t kinds) {
    uint8_t youngest = notPending;
    for (unsigned kind = 0; kind < OrderState::kinds; ++kind) {
      const uint8_t own = states[mine].order.on[counter].waited[kind];
      if (kinds >> kind & 1 && own < youngest &&
          any_of(
              enumerate(states),
              [&](const auto &other) {
                return other.index() != mine && other.value().order.on[counter].waited[kind] > own;
              }))
        youngest = own;
    }
    return WaitCount(youngest);
  }

  /// The same for what returns in no order: bits of the queues.
  static uint16_t unorderedAlone(ArrayRef<State> states, size_t mine, const UnitSet &used) {
    uint16_t bits = 0;
    for (const UnitAge &own : states[mine].other) {
      if (!used.contains(own.unit))
        continue;
      for (size_t i = 0; i < states.size(); ++i) {
        if (i == mine)
          continue;
        const UnitAges &theirs = states[i].other;
        auto known = partition_point(theirs, [&](const UnitAge &u) { return u.unit < own.unit; });
        const bool isThere = known != theirs.end() && known->unit == own.unit;
        bits |= own.bits & ~(isThere ? known->bits : 0);
      }
    }
    return bits;
  }

  void tryWait(uint32_t header, ArrayRef<uint32_t> body, std::vector<State> &states, size_t mine, EdgeWait wait) {
    const std::vector<Need> before = engine.needs(body);
    // Without a need on its counter nothing can become better.
    auto isOn = [](const WaitCounts &counts) { return [&](Counter counter) { return !counts[counter].isNone(); }; };
    if (none_of(before, [&](const Need &need) {
          return any_of(make_filter_range(graph.counters->all(), isOn(wait.counts)), isOn(need.counts));
        }))
      return;
    std::vector<Engine::Solution> kept;
    for (uint32_t b : body) {
      if (body.size() > 1)
        engine.remember(b);
      kept.push_back(engine.take(b));
    }
    uint32_t entered = header; ///< from where
    auto needsAfter = [&](const State &waited) {
      State start;
      size_t at = 0;
      for (uint32_t p : graph.blocks[header].predecessors) {
        if (!engine.isReached(p))
          continue;
        const size_t index = at++;
        if (index == mine)
          entered = p;
        if (!isRetreating(p, header))
          start.meet(index == mine ? waited : states[index], graph, p, header);
      }
      return engine.solveWithin(body, header, start);
    };
    State waited = engine.afterWait(states[mine], wait.counts);
    const std::vector<Need> after = needsAfter(waited);
    if (!isBetter(before, after)) {
      for (Engine::Solution &solution : kept)
        engine.restore(std::move(solution));
      return;
    }
    // Of FLAT, one counter may do.
    if (count_if(graph.counters->all(), isOn(wait.counts)) > 1) {
      for (Counter spare : make_filter_range(graph.counters->all(), isOn(wait.counts))) {
        EdgeWait less = wait;
        less.counts[spare] = WaitCount::none();
        const State waitedLess = engine.afterWait(states[mine], less.counts);
        if (showsAtOnce(header, entered, waitedLess))
          continue;
        std::vector<Engine::Solution> best;
        for (uint32_t b : body)
          best.push_back(engine.take(b));
        if (!isSame(needsAfter(waitedLess), after)) {
          for (Engine::Solution &solution : best)
            engine.restore(std::move(solution));
          continue;
        }
        found.push_back(less);
        states[mine] = waitedLess;
        return;
      }
    }
    found.push_back(wait);
    states[mine] = std::move(waited);
  }

  /// Whether the header alone needs more when what is in flight in `added`, too, comes from `from`. Were the needs of
  /// the whole loop the same nevertheless, so would all be in flight that was before, and the header would need as
  /// much.
  bool showsAtOnce(uint32_t header, uint32_t from, const State &added) {
    State entry = engine.entryOf(header);
    entry.meet(added, graph, from, header);
    return !isSame(engine.needsFrom(header, entry), engine.needsOf(header));
  }

  static bool isSame(ArrayRef<Need> a, ArrayRef<Need> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Need &x, const Need &y) {
      return x.block == y.block && x.op == y.op && x.counts == y.counts;
    });
  }

  /// The strictest need became weaker; or none stricter, and some weaker or gone.
  bool isBetter(ArrayRef<Need> before, ArrayRef<Need> after) const {
    auto strictest = [](ArrayRef<Need> needs) {
      WaitCounts least;
      for (const Need &need : needs)
        least.tighten(need.counts);
      return least;
    };
    const WaitCounts is = strictest(after), was = strictest(before);
    auto isBelow = [&](const WaitCounts &a, const WaitCounts &b) {
      return any_of(graph.counters->all(), [&](Counter c) { return a[c] < b[c]; });
    };
    if (isBelow(is, was))
      return false;
    if (is != was)
      return true;
    bool isWeaker = before.size() > after.size();
    const Need *b = before.begin();
    for (const Need &need : after) {
      while (b != before.end() && (b->block != need.block || b->op != need.op))
        ++b;
      if (b == before.end() || isBelow(need.counts, b->counts))
        return false;
      isWeaker |= need.counts != b->counts;
    }
    return isWeaker;
  }

  const Graph &graph;
  Engine engine;
  std::vector<uint32_t> order, place;
  const SmallVector<OutOfOrderQueue, 8> queues;
  std::vector<std::optional<UnitSet>> usedBy; ///< by block, once somebody asked
  std::vector<EdgeWait> found;
};

} // namespace

EdgePlan findEdgeWaits(const Graph &graph, const EngineOptions &options) {
  if (none_of(graph.blocks, [](const GraphBlock &block) { return block.predecessors.size() > 1; }))
    return {};
  return EdgeWaits(graph, options).run();
}

} // namespace inflight::waits
