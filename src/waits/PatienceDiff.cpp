#include "waits/PatienceDiff.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

namespace {

using Pair = std::pair<uint32_t, uint32_t>;

class Aligner {
public:
  Aligner(ArrayRef<uint64_t> a, ArrayRef<uint64_t> b) : a(a), b(b) {}

  std::vector<Pair> run() {
    work.push_back({0, uint32_t(a.size()), 0, uint32_t(b.size())});
    while (!work.empty()) {
      const Gap gap = work.pop_back_val();
      alignGap(gap);
    }
    sort(pairs);
    return std::move(pairs);
  }

private:
  struct Gap {
    uint32_t a0, a1, b0, b1;
  };
  static constexpr uint64_t largestTable =
      1 << 22; ///< of the exact method; larger gaps without unique keys stay unpaired

  void alignGap(Gap gap) {
    auto [a0, a1, b0, b1] = gap;
    while (a0 < a1 && b0 < b1 && a[a0] == b[b0])
      pairs.push_back({a0++, b0++});
    while (a0 < a1 && b0 < b1 && a[a1 - 1] == b[b1 - 1])
      pairs.push_back({--a1, --b1});
    if (a0 == a1 || b0 == b1)
      return;
    const std::vector<Pair> anchors = uniqueInOrder({a0, a1, b0, b1});
    if (anchors.empty())
      return alignExactly({a0, a1, b0, b1});
    uint32_t fromA = a0, fromB = b0;
    for (auto [i, j] : anchors) {
      pairs.push_back({i, j});
      work.push_back({fromA, i, fromB, j});
      fromA = i + 1;
      fromB = j + 1;
    }
    work.push_back({fromA, a1, fromB, b1});
  }

  /// Keys that stand once on both sides, in the longest common order.
  std::vector<Pair> uniqueInOrder(Gap gap) const {
    struct Count {
      uint32_t inA = 0, inB = 0, placeInB = 0;
    };
    DenseMap<uint64_t, Count> counts;
    for (uint32_t i = gap.a0; i < gap.a1; ++i)
      ++counts[a[i]].inA;
    for (uint32_t j = gap.b0; j < gap.b1; ++j) {
      Count &count = counts[b[j]];
      ++count.inB;
      count.placeInB = j;
    }
    std::vector<Pair> candidates;
    for (uint32_t i = gap.a0; i < gap.a1; ++i)
      if (const Count &count = counts[a[i]]; count.inA == 1 && count.inB == 1)
        candidates.push_back({i, count.placeInB});
    // Longest increasing run of places in b.
    std::vector<uint32_t> tails, before(candidates.size(), ~0u);
    for (uint32_t c = 0; c < candidates.size(); ++c) {
      auto tail = partition_point(tails, [&](uint32_t t) { return candidates[t].second < candidates[c].second; });
      if (tail != tails.begin())
        before[c] = *std::prev(tail);
      if (tail == tails.end())
        tails.push_back(c);
      else
        *tail = c;
    }
    std::vector<Pair> result;
    for (uint32_t c = tails.empty() ? ~0u : tails.back(); c != ~0u; c = before[c])
      result.push_back(candidates[c]);
    std::reverse(result.begin(), result.end());
    return result;
  }

  /// Longest common subsequence.
  void alignExactly(Gap gap) {
    const uint64_t rows = gap.a1 - gap.a0, columns = gap.b1 - gap.b0;
    if (rows * columns > largestTable)
      return;
    std::vector<uint32_t> longest((rows + 1) * (columns + 1));
    auto at = [&](uint64_t i, uint64_t j) -> uint32_t & { return longest[i * (columns + 1) + j]; };
    for (uint64_t i = rows; i-- > 0;)
      for (uint64_t j = columns; j-- > 0;)
        at(i, j) = a[gap.a0 + i] == b[gap.b0 + j] ? at(i + 1, j + 1) + 1 : std::max(at(i + 1, j), at(i, j + 1));
    for (uint64_t i = 0, j = 0; i < rows && j < columns;)
      if (a[gap.a0 + i] == b[gap.b0 + j])
        pairs.push_back({gap.a0 + i++, gap.b0 + j++});
      else if (at(i + 1, j) >= at(i, j + 1))
        ++i;
      else
        ++j;
  }

  ArrayRef<uint64_t> a, b;
  SmallVector<Gap, 16> work;
  std::vector<Pair> pairs;
};

} // namespace

std::vector<Pair> align(ArrayRef<uint64_t> a, ArrayRef<uint64_t> b) { return Aligner(a, b).run(); }

} // namespace inflight::waits
