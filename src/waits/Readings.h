// What a program may mean where it uses what an operation in flight writes: the operation's result, or what was there
// before.
#pragma once

#include "waits/Verify.h"

namespace inflight::waits {

enum class Reading : uint8_t {
  New, ///< there is nothing else that could be meant
  Either,
  OldRather ///< what was there before has no other use, and the result has one after
};

struct Readings {
  Reading reading = Reading::Either;
  bool isOverwritten = false;   ///< the user doesn't read it: which of the two is to stay?
  uint32_t oldDefinition = ~0u; ///< of OldRather: the load whose result was there, in Graph::ops
};

/// Of a finding with a producer, about registers or LDS bytes that it writes.
Readings readingsOf(const Program &program, const Graph &graph, const Finding &finding);

} // namespace inflight::waits
