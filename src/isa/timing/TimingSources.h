// Which entries of the data files an instruction's times come from, and where those come from.
#pragma once

#include "isa/timing/Latency.h"
#include <vector>

namespace inflight {

struct TimingSource {
  std::string entry;  ///< "valu_latency", of data/latency/CHIP.json; else with its file
  std::string source; ///< "isa_manual: CDNA3 ISA, ..."
};

/// Which results an instruction has: the latency of others doesn't matter.
struct Results {
  bool areVector = false, areScalar = false;
};

/// In the files' order. A number that another one hides, as in the greater of two, is none.
llvm::Expected<std::vector<TimingSource>> timingSources(llvm::StringRef chip, const InstrDesc &desc, Results results);

} // namespace inflight
