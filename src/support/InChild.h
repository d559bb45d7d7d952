// Work whose traces are wiped out: only what it says stays.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>

namespace inflight {

/// Runs `work` in a child process, so that memory stays as it is here. What it has written; none if it failed or there
/// are no processes.
std::optional<std::string> inChild(llvm::function_ref<void(llvm::raw_ostream &)> work);

} // namespace inflight
