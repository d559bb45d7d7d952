// The prices of waits, from a static run of the timed machine.
#pragma once

#include "machine/timed/StaticRun.h"
#include "waits/Price.h"

namespace inflight::lint {

/// Prices waits: in loops that of an iteration in the steady state.
llvm::Expected<waits::Prices> priceWaits(const Program &program, const waits::Reported &reported,
                                         const machine::timed::StaticOptions &options);

} // namespace inflight::lint
