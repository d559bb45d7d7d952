// Executes a kernel's index arithmetic and copies for all lanes of a workgroup, on given arguments: a check of what
// passes make of loops that stage tiles. It knows nothing of how they do it.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace inflight::lanes {

/// On reads of tiles, while they are checked: i64, the same on what becomes of a read.
inline constexpr llvm::StringLiteral checkedRead = "inflight.checked_read";

/// What a launch is given: numbers from a table, by the sample and the argument's number.
struct Sample {
  unsigned number = 0;
  unsigned workgroup[3] = {0, 0, 0};
};

/// What the reads with a label have found.
struct ReadTrace {
  /// A hash of where each byte has come from, by label and lane, for each time that the lane reads.
  std::map<int64_t, std::vector<std::vector<uint64_t>>> reads;
  std::vector<uint64_t> touched; ///< dwords of memory without a descriptor that were loaded, sorted
  std::string obstacle;          ///< what couldn't be evaluated; empty if everything could
};

ReadTrace interpret(mlir::gpu::GPUFuncOp kernel, const Sample &sample);

} // namespace inflight::lanes
