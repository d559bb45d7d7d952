// What changed in the waits of a program from one version to another.
#pragma once

#include "waits/WaitReport.h"

namespace inflight::waits {

enum class Change : uint8_t {
  Added,
  Strengthened,
  Weakened,
  Removed,
  MovedUp,   ///< the same wait before an earlier instruction, or into a loop
  MovedDown, ///< before a later one, or out of a loop
};

/// Of one counter of one wait. Waits are compared by the instruction that they stand before.
struct WaitChange {
  Change change;
  Counter counter = Counter::Vm;
  WaitCount before, after;
  std::string kernel;
  /// In each version the wait, or the instruction in whose place it is missing; ~0 when that isn't there either.
  uint32_t placeBefore = ~0u, placeAfter = ~0u;
  /// Innermost loops that they are in; null outside.
  const LoopReport *loopBefore = nullptr, *loopAfter = nullptr;
  unsigned position = 0; ///< in the second version's instructions
  bool isStricter() const {
    return change == Change::Added || change == Change::Strengthened || change == Change::MovedUp;
  }
};

struct Diff {
  Reported before, after;                         ///< the changes point into them
  std::vector<WaitChange> changes;                ///< by kernel, in the order of the second version
  std::vector<std::string> onlyBefore, onlyAfter; ///< kernels
};

/// Kernels and functions of the same name are compared. An error when the chips differ.
llvm::Expected<std::unique_ptr<Diff>> diff(const Program &before, const Program &after);

} // namespace inflight::waits
