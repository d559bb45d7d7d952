// Which operations may be in flight before one of them.
#pragma once

#include "waits/flow/Needs.h"

namespace inflight::waits {

/// An operation that may be in flight at some point.
struct InFlight {
  uint32_t op = 0;  ///< in Graph::ops
  unsigned age = 0; ///< least number of later operations of its class
  bool inOrder = true;
};

/// The operations counted by `counter` that may be in flight before `op` of `block`, oldest first. `fromCaller`, when
/// given, is set when those of a caller outside the program may be too. `outstanding` is findOutstanding's: where
/// nothing is pending the search ends.
std::vector<InFlight> inFlightBefore(const Graph &graph, llvm::ArrayRef<Outstanding> outstanding, uint32_t block,
                                     uint32_t op, Counter counter, bool *fromCaller = nullptr,
                                     llvm::ArrayRef<EdgeWait> edges = {});

} // namespace inflight::waits
