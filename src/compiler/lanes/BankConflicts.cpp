#include "compiler/lanes/BankConflicts.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace inflight::lanes {

static constexpr unsigned dword = 4;

/// The words that one aligned access asks for, and their banks, count as one.
static unsigned wordBytes(unsigned bytes, bool isAligned) { return isAligned ? std::max(bytes, dword) : dword; }

/// Of the different words that accesses ask for: how many the bank with the most of them has.
static unsigned mostOfABank(llvm::ArrayRef<uint64_t> starts, unsigned bytes, bool isAligned, unsigned banks) {
  constexpr unsigned mostBanks = 64;
  assert(banks <= mostBanks);
  const unsigned word = wordBytes(bytes, isAligned), wordBits = llvm::Log2_32(word);
  uint8_t counts[mostBanks] = {}, most = 1;
  if (isAligned) {
    const unsigned bankMask = banks * dword / word - 1;
    for (uint64_t start : starts)
      most = std::max(most, ++counts[start >> wordBits & bankMask]);
  } else {
    uint64_t wanted[mostBanks][waveLanes];
    for (uint64_t start : starts)
      for (uint64_t asked = start >> wordBits; asked <= (start + bytes - 1) >> wordBits; ++asked) {
        const unsigned bank = asked % banks;
        uint64_t *end = wanted[bank] + counts[bank];
        if (std::find(wanted[bank], end, asked) != end)
          continue;
        *end = asked;
        most = std::max(most, ++counts[bank]);
      }
  }
  return most;
}

/// Aligned accesses whose addresses differ by the same exclusive or in all lanes have as many conflicts as each other
/// with every swizzle: that keeps such differences, and they rename the banks.
void AccessPatterns::add(const LaneTable &addresses, unsigned bytes, bool isWrite) {
  for (unsigned first = 0; first < lanes; first += waveLanes) {
    Pattern pattern{.addresses = {}, .bytes = bytes, .isWrite = isWrite};
    pattern.isAligned = llvm::isPowerOf2_32(bytes) && llvm::isPowerOf2_32(rules.of(isWrite, bytes).banks);
    for (unsigned lane = 0; lane < waveLanes; ++lane) {
      pattern.addresses[lane] = addresses[first + lane];
      pattern.isAligned &= pattern.addresses[lane] % bytes == 0;
    }
    if (pattern.isAligned)
      for (uint64_t &address : llvm::reverse(pattern.addresses))
        address ^= pattern.addresses[0];
    for (uint64_t address : pattern.addresses)
      pattern.used |= address;
    auto same = llvm::find_if(patterns, [&](const Pattern &other) {
      return other.bytes == bytes && other.isWrite == isWrite && other.addresses == pattern.addresses;
    });
    if (same != patterns.end()) {
      ++same->count;
      continue;
    }
    group(pattern);
    patterns.push_back(std::move(pattern));
  }
}

void AccessPatterns::group(Pattern &pattern) {
  const LdsRule &rule = rules.of(pattern.isWrite, pattern.bytes);
  const unsigned wordBits = llvm::Log2_32(wordBytes(pattern.bytes, pattern.isAligned));
  for (unsigned group = 0; group < rule.groups; ++group) {
    const size_t begin = pattern.starts.size();
    for (unsigned lane = 0; lane < waveLanes; ++lane) {
      const uint64_t start = pattern.addresses[lane];
      auto isSame = [&](uint64_t other) {
        return pattern.isAligned ? other >> wordBits == start >> wordBits : other == start;
      };
      if (rule.groupOf[lane] == group && llvm::none_of(llvm::drop_begin(pattern.starts, begin), isSame))
        pattern.starts.push_back(start);
    }
    pattern.ends.push_back(pattern.starts.size());
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
    uint64_t swizzled[waveLanes];
    llvm::transform(pattern.starts, swizzled, same);
    const unsigned banks = rules.of(pattern.isWrite, pattern.bytes).banks;
    for (unsigned begin = 0; unsigned end : pattern.ends) {
      it->second += mostOfABank({swizzled + begin, swizzled + end}, pattern.bytes, pattern.isAligned, banks) - 1;
      begin = end;
    }
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
