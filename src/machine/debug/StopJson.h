// Stops and writes for tools.
#pragma once

#include "machine/debug/Stop.h"
#include "llvm/Support/JSON.h"

namespace inflight::machine::debug {

/// Registers without a type, and all addresses, are integers; a vector register's values are those of its lanes.
llvm::json::Object stopObject(const Stop &stop);
/// Bytes by number; what nobody had written before is null in LDS.
llvm::json::Object watchObject(const WatchReport &watch);

} // namespace inflight::machine::debug
