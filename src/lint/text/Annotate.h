// The listing with, at each line, what is in flight.
#pragma once

#include "waits/WaitReport.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::lint {

/// Before each instruction the queues of both counters, oldest first, as a comment after it; for assembly in the
/// `source` as it is, so that the listing still assembles. Nothing is said where it is the same as at the instruction
/// before.
void writeAnnotated(llvm::raw_ostream &os, const Program &program, const waits::Graph &graph, llvm::StringRef source);

} // namespace inflight::lint
