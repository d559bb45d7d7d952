#include "compiler/lanes/BankConflicts.h"

#include "llvm/ADT/Hashing.h"
#include <algorithm>

namespace inflight::lanes {

/// Bank conflicts of one wave's access.
static unsigned conflictsOf(llvm::ArrayRef<uint64_t> addresses, unsigned bytes, const LdsRule &rule) {
  constexpr unsigned mostBanks = 64, dword = 4;
  assert(addresses.size() == LdsRule::lanes && rule.banks <= mostBanks);
  unsigned conflicts = 0;
  for (unsigned group = 0; group < rule.groups; ++group) {
    // Different dwords of each bank. A lane's dwords follow each other, in different banks.
    unsigned counts[mostBanks] = {}, most = 1;
    uint64_t wanted[mostBanks][LdsRule::lanes];
    for (unsigned lane = 0; lane < LdsRule::lanes; ++lane) {
      if (rule.groupOf[lane] != group)
        continue;
      const uint64_t first = addresses[lane] / dword, last = (addresses[lane] + bytes - 1) / dword;
      for (uint64_t word = first; word <= last; ++word) {
        const unsigned bank = word % rule.banks;
        uint64_t *begin = wanted[bank], *end = begin + counts[bank];
        if (std::find(begin, end, word) != end)
          continue;
        *end = word;
        most = std::max(most, ++counts[bank]);
      }
    }
    conflicts += most - 1;
  }
  return conflicts;
}

unsigned BankConflicts::of(const LaneTable &addresses, unsigned bytes, bool isWrite) {
  unsigned sum = 0;
  for (unsigned first = 0; first < lanes; first += LdsRule::lanes) {
    uint64_t ofWave[LdsRule::lanes], start = ~uint64_t(0);
    for (unsigned lane = 0; lane < LdsRule::lanes; ++lane) {
      ofWave[lane] = addresses[first + lane];
      start = std::min(start, ofWave[lane]);
    }
    // Where a pattern begins among the banks doesn't matter.
    constexpr uint64_t dword = 4;
    for (uint64_t &address : ofWave)
      address -= start / dword * dword;
    const size_t hash = llvm::hash_combine(bytes, isWrite, llvm::hash_combine_range(ofWave));
    auto [it, isNew] = known.try_emplace(hash);
    if (isNew)
      it->second = conflictsOf(ofWave, bytes, rules.of(isWrite, bytes));
    sum += it->second;
  }
  return sum;
}

} // namespace inflight::lanes
