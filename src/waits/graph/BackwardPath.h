// A path walked backwards from a point, for what one counter may still count there.
#pragma once

#include "waits/graph/Graph.h"

namespace inflight::waits {

/// After a wait for n at most n of the operations in order that were issued before it are in flight: the path's budget.
struct BackwardPath {
  static constexpr unsigned unlimited = ~0u;
  unsigned age = 0;            ///< operations in order that make an older one older
  unsigned budget = unlimited; ///< so many operations in order may be in flight of those that come now

  /// Goes back over a wait; false: nothing before it is in flight.
  bool wait(WaitCount count) {
    budget = std::min(budget, count.valueOr(unlimited));
    return !count.isZero();
  }
  /// The same over an operation.
  bool step(const Graph &graph, const Op &op, Counter counter) {
    if (const unsigned older = graph.makesOlder(op, counter)) {
      age += older;
      if (budget != unlimited)
        budget -= std::min(budget, older);
    }
    return !op.completesAll && (!op.isWait || wait(graph.waitOf(op)[counter]));
  }
};

} // namespace inflight::waits
