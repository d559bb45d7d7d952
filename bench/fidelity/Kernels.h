// Timed snippets in the shapes of published tests.
#pragma once

#include "Fidelity.h"
#include "TimedSnippet.h"

namespace inflight::fidelity {

using machine::test::repeat;

/// `text` with "%" replaced by the number of the copy.
std::string numbered(unsigned count, const std::string &text);

/// Cycles between two s_memtime around `body`, as `clock64()` around it gives them: the second run, so that its code is
/// in the instruction cache. Registers from s8, v2 on are free; `before` runs once.
double clocked(const machine::test::TimedSnippet &base, const std::string &before, const std::string &body);

/// `(clocked(n copies and the wait) - clocked(one and the wait)) / (n - 1)`.
double throughput(const machine::test::TimedSnippet &base, const std::string &before, unsigned count,
                  const std::string &numberedBody, const std::string &wait);

/// Cycles of a round of a loop of `count` copies of `body`, over the last rounds: a chain of dependent instructions.
double chained(const machine::test::TimedSnippet &base, const std::string &before, const std::string &body);

} // namespace inflight::fidelity
