// What the banks of LDS make of a read.
#pragma once

#include "isa/LdsRules.h"
#include "llvm/ADT/ArrayRef.h"

namespace inflight::async {

/// Cycles that a wave's read of `bytes` bytes from each lane's address waits for banks, beyond those of a read without
/// conflicts.
unsigned bankConflicts(llvm::ArrayRef<uint64_t> addresses, unsigned bytes, const LdsRules &rules);

} // namespace inflight::async
