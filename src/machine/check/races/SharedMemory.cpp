#include "machine/check/races/SharedMemory.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace inflight::machine::check {

/// By address.
static std::vector<Allocation> rangesOf(const Memory &memory) {
  std::vector<Allocation> ranges(memory.registeredRanges());
  ranges.push_back({memory.usedBegin(), memory.usedBegin() + memory.usedBytes()});
  for (const Allocation &shared : memory.sharedRanges())
    for (size_t i = 0, count = ranges.size(); i < count; ++i)
      if (Allocation &range = ranges[i]; range.contains(shared.begin, shared.end - shared.begin)) {
        const Allocation after{shared.end, range.end};
        range.end = shared.begin;
        ranges.push_back(after);
        break;
      }
  llvm::erase_if(ranges, [](const Allocation &range) { return range.begin == range.end; });
  llvm::sort(ranges, [](const Allocation &a, const Allocation &b) { return a.begin < b.begin; });
  return ranges;
}

SharedMemory::SharedMemory(const Memory &memory) : SharedMemory(rangesOf(memory)) {}

SharedMemory::SharedMemory(ArrayRef<Allocation> of) {
  // Whole dwords, which atomics on a part of one access; ranges may share one.
  for (const Allocation &range : of) {
    const Allocation whole{range.begin & ~uint64_t(3), (range.end + 3) & ~uint64_t(3)};
    if (!ranges.empty() && whole.begin < ranges.back().end)
      ranges.back().end = std::max(ranges.back().end, whole.end);
    else
      ranges.push_back(whole);
  }
  if (ranges.empty())
    ranges.emplace_back();
  last = ranges.data();
}

bool SharedMemory::find(uint64_t address, uint64_t bytes) const {
  auto it = partition_point(ranges, [&](const Allocation &range) { return range.end <= address; });
  if (it == ranges.end() || !it->contains(address, bytes))
    return false;
  last = &*it;
  return true;
}

bool SharedMemory::coversLanes(const AccessRecord &record) const {
  for (uint64_t at : record.at)
    if (at && !covers(at, record.bytes))
      return false;
  return true;
}

} // namespace inflight::machine::check
