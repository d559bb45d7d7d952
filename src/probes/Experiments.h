// What to measure for each entry of the latency data.
#pragma once

#include "probes/Bench.h"

namespace inflight::probes {

struct Experiment {
  const char *entry;
  /// Values to look among: all whole numbers, or powers of two where hardware has no others.
  enum class Among { All, PowersOfTwo } among;
  unsigned least, most;
  const char *what;
  double (*measure)(Bench &bench);
  const char *needs = nullptr; ///< an entry that isn't 0
};

/// All experiments, in an order in which one depends on few entries that come later.
llvm::ArrayRef<Experiment> experiments();

} // namespace inflight::probes
