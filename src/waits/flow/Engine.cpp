#include "waits/flow/Engine.h"

#include "support/BlockOrder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

Engine::Engine(const Graph &graph, const EngineOptions &options)
    : graph(graph),
      fixesNeeds(options.fixesNeeds),
      finder(graph, options),
      entry(graph.blocks.size()),
      found(graph.blocks.size()) {
  for (const EdgeWait &wait : options.edgeWaits)
    edges[{wait.from, wait.to}] = wait;
}

void Engine::solve() {
  const std::vector<uint32_t> order = graph.order();
  std::vector<uint32_t> roots;
  // What a barrier must wait for shows after it; a stricter barrier may make other needs weaker, so all is done again.
  for (round = 0; round < maximumRounds; ++round) {
    const size_t drainsBefore = finder.drainChanges();
    entry.assign(graph.blocks.size(), {});
    roots.clear();
    for (uint32_t b : order)
      if (graph.blocks[b].isEntry || graph.blocks[b].hasUnknownCaller) {
        if (graph.blocks[b].hasUnknownCaller)
          entry[b] = finder.openEntry();
        entry[b].isReached = true;
        roots.push_back(b);
      }
    findStates(order, roots);
    if (finder.drainChanges() == drainsBefore || needsPartners())
      break;
    if (!fixesNeeds) {
      // Needs change no state: the barriers' alone are still to be noted.
      for (uint32_t b : order)
        if (entry[b].isReached)
          finder.walkBlock(b, entry[b], found[b]);
      break;
    }
  }
}

std::vector<Need> Engine::solveWithin(ArrayRef<uint32_t> body, uint32_t header, const State &start) {
  for (uint32_t b : body)
    entry[b] = {};
  entry[header] = start;
  findStates(body, header, body.size() > 1);
  return needs(body);
}

std::vector<Need> Engine::needs(ArrayRef<uint32_t> blocks) const {
  std::vector<Need> needs;
  size_t count = 0;
  for (uint32_t b : blocks)
    if (entry[b].isReached)
      count += found[b].size();
  needs.reserve(count);
  for (uint32_t b : blocks)
    if (entry[b].isReached)
      append_range(needs, found[b]);
  return needs;
}

std::vector<Need> Engine::needsFrom(uint32_t block, const State &state) {
  std::vector<Need> known = std::exchange(found[block], {});
  const State before = std::exchange(entry[block], state);
  finder.walkBlock(block, entry[block], found[block]);
  entry[block] = before;
  return std::exchange(found[block], std::move(known));
}

State Engine::along(const State &exit, uint32_t from, uint32_t to) {
  auto wait = edges.find({graph.blocks[from].origin, graph.blocks[to].origin});
  return wait == edges.end() ? exit : finder.afterWait(exit, wait->second.counts);
}

void Engine::findStates(ArrayRef<uint32_t> order, ArrayRef<uint32_t> roots, bool remembers) {
  constexpr uint32_t outside = ~0u;
  if (place.size() != graph.blocks.size())
    place.assign(graph.blocks.size(), outside);
  for (uint32_t i = 0; i < order.size(); ++i)
    place[order[i]] = i;
  OrderedWorklist work(order.size());
  State unkept;
  for (uint32_t b : roots)
    work.push(place[b]);
  while (!work.empty() && !needsPartners()) {
    const uint32_t b = order[work.pop()];
    State &exit = exits.empty() ? unkept : exits[b];
    if (!drainsSeen.empty())
      drainsSeen[b] = finder.drainChanges();
    if (memory.empty() || !recall(b)) {
      finder.walkBlock(b, entry[b], found[b]);
      if (graph.blocks[b].successors.empty() && !onVisit)
        continue;
      finder.leave(exit);
      if (remembers)
        remember(b);
    }
    if (onVisit)
      onVisit(round, b, entry[b], exit);
    for (uint32_t successor : graph.blocks[b].successors) {
      if (place[successor] == outside)
        continue;
      const bool isBack = place[b] >= place[successor];
      if (edges.empty() ? entry[successor].meet(exit, graph, b, successor, isBack)
                        : entry[successor].meet(along(exit, b, successor), graph, b, successor, isBack))
        work.push(place[successor]);
    }
  }
  for (uint32_t b : order)
    place[b] = outside;
}

bool Engine::recall(uint32_t block) {
  for (const Solution &known : memory[block])
    if (known.drainChanges == finder.drainChanges() && known.entry == entry[block]) {
      exits[block] = known.exit;
      found[block] = known.needs;
      return true;
    }
  return false;
}

void Engine::remember(uint32_t block) {
  const size_t seen = drainsSeen[block];
  if (any_of(memory[block],
             [&](const Solution &known) { return known.drainChanges == seen && known.entry == entry[block]; }))
    return;
  constexpr size_t most = 3;
  if (memory[block].size() == most)
    memory[block].erase(memory[block].begin());
  memory[block].push_back({block, entry[block], exits[block], found[block], seen});
}

void Engine::notePending(Guarantees &into) {
  finder.notePendingIn(&into);
  for (uint32_t b = 0; b < graph.blocks.size(); ++b)
    if (entry[b].isReached)
      finder.walkBlock(b, entry[b], found[b]);
  finder.notePendingIn(nullptr);
}

} // namespace inflight::waits
