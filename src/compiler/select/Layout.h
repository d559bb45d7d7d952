// How LLVM lays types out in memory on these chips: natural alignment.
#pragma once

#include "mlir/IR/Types.h"

namespace inflight::select {

/// Bytes from one element of an array to the next.
uint64_t allocatedBytes(mlir::Type type);
uint64_t naturalAlignment(mlir::Type type);

} // namespace inflight::select
