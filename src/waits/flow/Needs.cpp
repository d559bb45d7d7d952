#include "waits/flow/Needs.h"

#include "waits/flow/Engine.h"
#include <numeric>

using namespace llvm;

namespace inflight::waits {

std::vector<Need> findNeeds(const Graph &graph, const EngineOptions &options) {
  EngineOptions lazy = options;
  lazy.partnersIfFound = true;
  std::optional<Engine> engine(std::in_place, graph, lazy);
  engine->solve();
  if (engine->needsPartners()) {
    engine.emplace(graph, options);
    engine->solve();
  }
  std::vector<uint32_t> all(graph.blocks.size());
  std::iota(all.begin(), all.end(), 0);
  return engine->needs(all);
}

std::vector<Need> findNeedsOfInstructions(const Graph &graph, EngineOptions options) {
  std::vector<Need> needs = findNeeds(graph, options);
  if (!graph.hasPhases)
    return needs;
  DenseMap<uint32_t, WaitCounts> counts;
  for (const Need &need : needs)
    counts[graph.ops[need.op].instruction].tighten(need.counts);
  options.ofAllPhases = &counts;
  return findNeeds(graph, options);
}

Guarantees findGuarantees(const Graph &graph) {
  Guarantees guarantees;
  guarantees.outstanding = findOutstanding(graph);
  EngineOptions options;
  options.fixesNeeds = false;
  Engine engine(graph, options);
  engine.solve();
  std::vector<uint32_t> all(graph.blocks.size());
  std::iota(all.begin(), all.end(), 0);
  for (const Need &need : engine.needs(all))
    for (Counter counter : graph.counters->all())
      guarantees.missing[need.op][counter] |= !need.certain[counter].isNone();
  if (graph.hasLdsDma || graph.hasBarriers)
    engine.notePending(guarantees);
  return guarantees;
}

} // namespace inflight::waits
