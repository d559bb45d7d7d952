// What verify and its texts ask of a finding.
#pragma once

#include "waits/Verify.h"

namespace inflight::waits {

/// Where the waves are that make the access after the barrier (Cause::Late), when that is certain and they are at
/// another one of the code.
std::optional<uint32_t> partnerOf(const Graph &graph, const Finding &finding);
/// Where control goes on the file doesn't say.
bool goesAnywhere(const Program &program, const Graph &graph, const Need &need);
/// What overwrites the registers is a memory operation's result, which comes a latency after the operation.
bool isOverwrittenLater(const Graph &graph, const Finding &finding);

} // namespace inflight::waits
