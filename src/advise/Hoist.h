// How much earlier in its block a memory instruction could stand.
#pragma once

#include "program/Program.h"
#include <optional>

namespace inflight::advise {

struct Earliest {
  unsigned instructions = 0; ///< that it could go before
  std::string reason;        ///< what it can't pass
};

/// How far the instruction at an address of a code object could move up; nothing if there is none. Registers, EXEC,
/// barriers and other accesses to memory that may alias are respected; that its result takes registers for longer is
/// not looked at.
std::optional<Earliest> earliestPlace(const Program &program, uint64_t address);

} // namespace inflight::advise
