#include "compiler/async/BankConflicts.h"

#include "llvm/ADT/SmallVector.h"

namespace inflight::async {

static unsigned conflictsOfWave(const LaneTable &address, unsigned firstLane, unsigned bytes, const LdsRule &rule) {
  unsigned conflicts = 0;
  for (unsigned group = 0; group < rule.groups; ++group) {
    llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 64> wanted(rule.banks); // dwords, by bank
    size_t most = 1;
    for (unsigned lane = 0; lane < LdsRule::lanes; ++lane) {
      if (rule.groupOf[lane] != group)
        continue;
      const int64_t at = address[firstLane + lane];
      for (int64_t word = at / 4; word <= (at + bytes - 1) / 4; ++word) {
        auto &list = wanted[word % rule.banks];
        if (!llvm::is_contained(list, word))
          list.push_back(word);
        most = std::max(most, list.size());
      }
    }
    conflicts += most - 1;
  }
  return conflicts;
}

unsigned bankConflicts(const LaneTable &address, unsigned bytes, unsigned lanes, const LdsRules &rules) {
  const LdsRule &rule = rules.of(/*isWrite=*/false, bytes);
  unsigned conflicts = 0;
  for (unsigned firstLane = 0; firstLane < lanes; firstLane += LdsRule::lanes)
    conflicts += conflictsOfWave(address, firstLane, bytes, rule);
  return conflicts;
}

} // namespace inflight::async
