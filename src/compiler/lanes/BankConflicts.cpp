#include "compiler/lanes/BankConflicts.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace inflight::lanes {

/// Bank conflicts of one wave's access.
static unsigned conflictsOf(llvm::ArrayRef<uint64_t> addresses, unsigned bytes, const LdsRule &rule) {
  constexpr unsigned mostBanks = 64, dword = 4;
  assert(addresses.size() == LdsRule::lanes && rule.banks <= mostBanks);
  // A lane's dwords follow each other, in different banks. Those of aligned accesses are asked for together or not at
  // all: they and their banks count as one.
  uint64_t all = 0;
  for (uint64_t address : addresses)
    all |= address;
  const bool areAlike = llvm::isPowerOf2_32(bytes) && all % bytes == 0 && rule.banks * dword % bytes == 0;
  const unsigned unit = areAlike ? std::max(bytes, dword) : dword, banks = rule.banks * dword / unit;
  unsigned ofGroup[LdsRule::lanes + 1] = {}; // where its lanes begin
  for (uint8_t group : rule.groupOf)
    ++ofGroup[group + 1];
  for (unsigned group = 0; group < rule.groups; ++group)
    ofGroup[group + 1] += ofGroup[group];
  unsigned lanes[LdsRule::lanes], next[LdsRule::lanes];
  std::copy_n(ofGroup, rule.groups, next);
  for (unsigned lane = 0; lane < LdsRule::lanes; ++lane)
    lanes[next[rule.groupOf[lane]]++] = lane;
  unsigned conflicts = 0;
  for (unsigned group = 0; group < rule.groups; ++group) {
    // Different units of each bank.
    unsigned counts[mostBanks] = {}, most = 1;
    uint64_t wanted[mostBanks][LdsRule::lanes];
    for (unsigned i = ofGroup[group]; i < ofGroup[group + 1]; ++i) {
      const uint64_t address = addresses[lanes[i]], first = address / unit, last = (address + bytes - 1) / unit;
      for (uint64_t word = first; word <= last; ++word) {
        const unsigned bank = word % banks;
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

unsigned BankConflicts::ofWave(llvm::ArrayRef<uint64_t> addresses, unsigned bytes, bool isWrite) {
  // Where a pattern begins among the banks doesn't matter.
  constexpr uint64_t dword = 4;
  const uint64_t start = *llvm::min_element(addresses) / dword * dword;
  uint64_t fromStart[LdsRule::lanes];
  for (unsigned lane = 0; lane < LdsRule::lanes; ++lane)
    fromStart[lane] = addresses[lane] - start;
  const size_t hash = llvm::hash_combine(bytes, isWrite, llvm::hash_combine_range(fromStart));
  auto [it, isNew] = known.try_emplace(hash);
  if (isNew)
    it->second = conflictsOf(fromStart, bytes, rules.of(isWrite, bytes));
  return it->second;
}

unsigned BankConflicts::of(const LaneTable &addresses, unsigned bytes, bool isWrite) {
  unsigned sum = 0;
  for (unsigned first = 0; first < lanes; first += LdsRule::lanes) {
    uint64_t wave[LdsRule::lanes];
    for (unsigned lane = 0; lane < LdsRule::lanes; ++lane)
      wave[lane] = addresses[first + lane];
    sum += ofWave(wave, bytes, isWrite);
  }
  return sum;
}

/// Aligned accesses whose addresses differ by the same exclusive or in all lanes have as many conflicts as each other
/// with every swizzle: that keeps such differences, and they rename the banks.
void AccessPatterns::add(const LaneTable &addresses, unsigned bytes, bool isWrite) {
  for (unsigned first = 0; first < lanes; first += waveLanes) {
    Pattern pattern{.addresses = {}, .bytes = bytes, .isWrite = isWrite};
    bool isAligned = llvm::isPowerOf2_32(bytes) && llvm::isPowerOf2_32(rules.of(isWrite, bytes).banks);
    for (unsigned lane = 0; lane < waveLanes; ++lane) {
      pattern.addresses[lane] = addresses[first + lane];
      isAligned &= pattern.addresses[lane] % bytes == 0;
    }
    if (isAligned)
      for (uint64_t &address : llvm::reverse(pattern.addresses))
        address ^= pattern.addresses[0];
    for (uint64_t address : pattern.addresses)
      pattern.used |= address;
    auto same = llvm::find_if(patterns, [&](const Pattern &other) {
      return other.bytes == bytes && other.isWrite == isWrite && other.addresses == pattern.addresses;
    });
    if (same == patterns.end())
      patterns.push_back(std::move(pattern));
    else
      ++same->count;
  }
}

unsigned AccessPatterns::conflictsWith(const Swizzle &swizzle, Pattern &pattern) {
  // Bits that no address has change nothing.
  Swizzle same = swizzle;
  same.mask &= pattern.used >> same.from;
  same.againMask &= pattern.used >> same.again;
  if (!same.againMask)
    same.again = 0;
  if (!same.mask && !same.againMask)
    same = Swizzle();
  constexpr unsigned byte = 8;
  uint64_t key = 0;
  for (uint64_t part : {same.againMask, uint64_t(same.again), same.mask, uint64_t(same.to), uint64_t(same.from)})
    key = key << byte | part;
  auto [it, isNew] = pattern.known.try_emplace(key);
  if (isNew) {
    std::array<uint64_t, waveLanes> swizzled;
    llvm::transform(pattern.addresses, swizzled.begin(), same);
    it->second = conflicts.ofWave(swizzled, pattern.bytes, pattern.isWrite);
  }
  return it->second;
}

unsigned AccessPatterns::conflictsWith(const Swizzle &swizzle, unsigned enough) {
  unsigned sum = 0;
  for (Pattern &pattern : patterns)
    if ((sum += pattern.count * conflictsWith(swizzle, pattern)) >= enough)
      break;
  return sum;
}

} // namespace inflight::lanes
