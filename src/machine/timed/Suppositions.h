// What a timed run may suppose of a kernel that isn't so, to show what it would gain: bounds for changes that nobody
// has made yet. Results stay those of the kernel; only times differ.
#pragma once

#include <cstdint>
#include <vector>

namespace inflight::machine::timed {

struct Suppositions {
  unsigned residentGroups = 0;   ///< workgroups that a compute unit holds; 0: what its resources allow
  bool hasNoConflicts = false;   ///< LDS serves every access as if its banks didn't conflict
  std::vector<uint64_t> instant; ///< addresses of memory instructions whose operations return as soon as they are
                                 ///< issued and those before them have; they take their pipe's time all the same
};

} // namespace inflight::machine::timed
