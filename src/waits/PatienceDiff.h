// Two sequences of keys, aligned: as diff tools do it.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <vector>

namespace inflight::waits {

/// Pairs (place in a, place in b) of equal keys, ascending in both. First what stands once in both sequences is paired,
/// in the longest order that both have, then the gaps between are aligned the same way.
std::vector<std::pair<uint32_t, uint32_t>> align(llvm::ArrayRef<uint64_t> a, llvm::ArrayRef<uint64_t> b);

} // namespace inflight::waits
