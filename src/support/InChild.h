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

/// What a child may take beyond what there is; 0: any amount.
struct ChildLimits {
  double seconds = 0; ///< of processor time
  uint64_t bytes = 0;
  explicit operator bool() const { return seconds > 0 || bytes; }
};

enum class ChildEnd : uint8_t { Done, Failed, OverTime, OverMemory };

struct ChildResult {
  ChildEnd end = ChildEnd::Failed;
  std::string written;
  uint64_t peakBytes = 0; ///< resident
};

/// The same within limits. No other thread may hold a lock that the work wants.
ChildResult inChildWithin(const ChildLimits &limits, llvm::function_ref<void(llvm::raw_ostream &)> work);
/// In such a child: what comes has all of the time again.
void renewTime(const ChildLimits &limits);

} // namespace inflight
