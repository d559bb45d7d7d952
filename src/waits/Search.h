// Which operation a need is about, and on which path it may still be in flight.
#pragma once

#include "waits/Engine.h"
#include <optional>

namespace inflight::waits {

struct Producer {
  uint32_t op = 0;                    ///< in Graph::ops
  unsigned age = 0;                   ///< operations of its class issued behind it on the path
  RegRange registers;                 ///< that it writes and the user touches; empty for LDS
  std::vector<uint32_t> path;         ///< blocks from the producer's to the user's
};

/// The youngest operation that `need` waits for on that counter, and the path to it; none when only code outside the
/// program can have issued it.
std::optional<Producer> findProducer(const Graph &graph, const Need &need, Counter counter);

} // namespace inflight::waits
