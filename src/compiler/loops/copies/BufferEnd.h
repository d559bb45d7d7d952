// What the end of a buffer's descriptor does for lanes that load nothing.
#pragma once

#include "compiler/lanes/Guards.h"

namespace inflight::loops {

using namespace lanes;

/// Memory with a descriptor that knows its end, of rows that follow each other: what lies beyond, in 32 bits, reads as
/// zero.
bool hasBounds(mlir::Value memref);

/// The sum of an index' terms, the same in all lanes, is taken for `end` if it is more than that, or less than
/// `-shift`.
struct Clamp {
  int64_t shift = 0, end = 0;
  bool operator==(const Clamp &) const = default;
};
/// Clamps by dimension.
using Clamps = llvm::SmallVector<std::optional<Clamp>, 4>;

/// If the guard is that the first index is within the memory, and the descriptor's end can stand for that: the clamps
/// with which a lane's address is the same as without them where its guard holds, and beyond the end where it doesn't.
std::optional<Clamps> clampsOf(const Guard &guard, const Access &from, llvm::ArrayRef<LaneForm> indices,
                               Ranges &ranges);

} // namespace inflight::loops
