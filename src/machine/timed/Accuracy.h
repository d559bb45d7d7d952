// How far modelled times are from measured ones, by what kind of launch it is: data/accuracy.json.
#pragma once

#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace inflight::machine::timed {

struct TimedStats;

/// What launches that are alike took where they were measured, in terms of this one's time.
struct Accuracy {
  std::string bound;                        ///< what most of the time goes to: "matrix", "memory" or "latency"
  unsigned launches = 0;                    ///< that were compared; 0: nothing is alike
  double leastSeconds = 0, mostSeconds = 0; ///< 90 % of them took so long
};

/// Of a launch whose time is known.
llvm::Expected<Accuracy> accuracyOf(const TimedStats &stats);

} // namespace inflight::machine::timed
