// What costs a launch most of the device, in one sentence with what to try and what the model foretells of it: a grid
// that leaves compute units without work comes before what its waves do.
#pragma once

#include "llvm/Support/JSON.h"
#include <string>

namespace inflight::trace {

class RunStatistics;

struct Verdict {
  llvm::StringRef cause; ///< "grid", "tail", ...; of data/schemas/verdict.json
  std::string finding;   ///< "the grid has work for 64 of 256 compute units"
  std::string remedy;    ///< "smaller tiles, or a split of the summed dimension"
  double gain = 0;       ///< of the launch's time, at best
  /// One sentence of all of it.
  std::string text() const;
};

Verdict verdictOf(const RunStatistics &run);
/// {"cause", "finding", "remedy", "gain", "text"}
llvm::json::Object object(const Verdict &verdict);

} // namespace inflight::trace
