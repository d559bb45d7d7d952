#include "compiler/lanes/Swizzle.h"

namespace inflight::lanes {

std::vector<Swizzle> swizzlesOf(unsigned bytes, unsigned leastTo, unsigned mostBits,
                                llvm::function_ref<bool(unsigned pieceBytes)> keeps, bool addsTwice) {
  std::vector<Swizzle> all;
  if (!addsTwice)
    all.emplace_back();
  constexpr unsigned end = 10;
  bool isKept[end] = {};
  for (unsigned to = leastTo; to < end; ++to)
    isKept[to] = keeps(1u << to);
  for (unsigned bits = 1; bits <= mostBits; ++bits)
    for (unsigned to = leastTo; to + bits <= end; ++to) {
      if (bytes % (1u << (to + bits)) || !isKept[to])
        continue;
      const uint64_t mask = (uint64_t(1) << bits) - 1;
      for (unsigned from = to + bits; (1u << from) < bytes; ++from)
        if (!addsTwice)
          all.push_back({from, to, mask});
        else if ((1u << (from + bits)) < bytes)
          all.push_back({from, to, mask, from + bits, mask});
    }
  return all;
}

} // namespace inflight::lanes
