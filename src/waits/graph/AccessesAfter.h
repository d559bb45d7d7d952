// What waves do to LDS between one barrier and the next, of accesses that are alike one.
#pragma once

#include "waits/graph/Graph.h"
#include <array>

namespace inflight::waits {

class AccessesAfter {
public:
  explicit AccessesAfter(const Graph &graph LLVM_LIFETIME_BOUND);

  /// Of all these barriers, in Graph::ops.
  std::vector<uint32_t> find(llvm::ArrayRef<uint32_t> barriers);
  /// What stands for all accesses that there are.
  const std::vector<uint32_t> &anyAccess();

private:
  void findComesTo();

  static constexpr unsigned maskBits = 64;
  const Graph &graph;
  std::vector<uint32_t> noted;              ///< LDS accesses and barriers
  std::vector<uint32_t> likes;              ///< by op: the same number, the same done to the same bytes
  std::array<uint32_t, maskBits> countOf{}; ///< likes that share a bit
  std::vector<uint64_t> comesTo;            ///< by block: accesses before the next barrier
  std::vector<uint32_t> notedIn, walkedIn;  ///< the round: by like, by block
  uint32_t round = 0;
  size_t left; ///< blocks that walks may still come to
  std::vector<uint32_t> any;
};

} // namespace inflight::waits
