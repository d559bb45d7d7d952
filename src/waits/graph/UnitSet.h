// A set of register units.
#pragma once

#include "isa/chip/RegUnit.h"
#include "llvm/ADT/bit.h"
#include <array>

namespace inflight::waits {

struct UnitSet {
  static UnitSet all() {
    UnitSet set;
    set.words.fill(~uint64_t(0));
    return set;
  }
  bool contains(RegUnit unit) const { return words[unit / bits] >> unit % bits & 1; }
  bool hasAny(RegRange range) const {
    uint64_t any = 0;
    forEachWord(range, [&](unsigned word, uint64_t mask) { any |= words[word] & mask; });
    return any;
  }
  void insert(RegRange range) {
    forEachWord(range, [&](unsigned word, uint64_t mask) { words[word] |= mask; });
  }
  void erase(RegRange range) {
    forEachWord(range, [&](unsigned word, uint64_t mask) { words[word] &= ~mask; });
  }
  UnitSet &operator|=(const UnitSet &other) {
    for (unsigned word = 0; word < words.size(); ++word)
      words[word] |= other.words[word];
    return *this;
  }
  bool operator==(const UnitSet &) const = default;
  /// Calls `visit(unit)` for each, in order.
  template <typename Visit> void forEach(Visit visit) const {
    for (unsigned word = 0; word < words.size(); ++word)
      for (uint64_t left = words[word]; left; left &= left - 1)
        visit(word * bits + llvm::countr_zero(left));
  }
  /// Calls `visit(word, mask)` for the words that hold the range.
  template <typename Visit> static void forEachWord(RegRange range, Visit visit) {
    unsigned first = range.first, count = range.count;
    if (const unsigned begin = first % bits; begin + count <= bits)
      return visit(first / bits, (~uint64_t(0) >> (bits - count)) << begin);
    for (const unsigned end = first + count; first < end; first += count) {
      const unsigned begin = first % bits;
      count = std::min(end - first, bits - begin);
      visit(first / bits, (~uint64_t(0) >> (bits - count)) << begin);
    }
  }
  static constexpr unsigned bits = 64; ///< of a word
  std::array<uint64_t, regunit::Count / bits> words{};
  static_assert(regunit::Count % bits == 0);
};

} // namespace inflight::waits
