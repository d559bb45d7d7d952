// Waits that are there for other waves: a release waits for its wave's stores before it tells others, and no register shows that.
#pragma once

#include "waits/Graph.h"

namespace inflight::waits {

/// Marks them (Op::keepsWait). vmcnt(0) orders memory when memory operations precede it and the next one
/// behind it, on some path, is one that others see or that looks at what others did: an atomic, an access
/// with scope bits, a cache write-back or invalidation, a message. Any count does between stores and a
/// barrier, and behind a write-back.
void markOrdering(Graph &graph, const Program &program);

} // namespace inflight::waits
