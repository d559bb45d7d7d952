#include "compiler/lanes/Swizzle.h"

namespace inflight::lanes {

std::vector<Swizzle> swizzlesOf(unsigned bytes, unsigned leastTo, unsigned mostBits,
                                llvm::function_ref<bool(unsigned pieceBytes)> keeps) {
  std::vector<Swizzle> all{Swizzle()};
  constexpr unsigned end = 10;
  for (unsigned bits = 1; bits <= mostBits; ++bits)
    for (unsigned to = leastTo; to + bits <= end; ++to) {
      if (bytes % (1u << (to + bits)) || !keeps(1u << to))
        continue;
      for (unsigned from = to + bits; (1u << from) < bytes; ++from)
        all.push_back({from, to, (uint64_t(1) << bits) - 1});
    }
  return all;
}

} // namespace inflight::lanes
