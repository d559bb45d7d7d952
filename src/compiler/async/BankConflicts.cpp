#include "compiler/async/BankConflicts.h"

#include <algorithm>

namespace inflight::async {

unsigned bankConflicts(llvm::ArrayRef<uint64_t> addresses, unsigned bytes, const LdsRules &rules) {
  const LdsRule &rule = rules.of(/*isWrite=*/false, bytes);
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

} // namespace inflight::async
