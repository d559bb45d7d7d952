// Which waves a barrier of gfx12 is for.
#pragma once

#include <cstdint>

namespace inflight {

class Program;

enum class BarrierWaves : uint8_t {
  All,     ///< of the workgroup, or of the cluster
  Joined,  ///< those that have joined it: a named barrier
  Unknown, ///< M0 says which barrier it is, and what it holds isn't known
};

/// Of an instruction that comes to a barrier, or waits at one.
BarrierWaves barrierWaves(const Program &program, uint32_t instruction);

} // namespace inflight
