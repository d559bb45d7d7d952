// What a timed run has shown, in a few lines.
#pragma once

#include "machine/timed/TimedRun.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::cli {

void printTimed(llvm::raw_ostream &os, const machine::timed::TimedStats &stats);

} // namespace inflight::cli
