// Which lines a cache holds: set-associative, the least recently used line of a set gives way.
#pragma once

#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cstdint>
#include <vector>

namespace inflight::machine::timed {

class Cache {
public:
  /// Bytes, bytes of a line, lines of a set.
  Cache(unsigned bytes, unsigned line, unsigned ways)
      : shift(llvm::Log2_32(line)), ways(ways), sets(std::max(1u, bytes / line / std::max(1u, ways))), lines(size_t(sets) * ways, ~uint64_t(0)) {}

  unsigned lineShift() const { return shift; }
  /// Looks the line (address >> lineShift()) up and makes it the most recently used; brings it in if it isn't there.
  bool access(uint64_t line) {
    uint64_t *set = setOf(line);
    unsigned way = 0;
    while (way < ways && set[way] != line)
      ++way;
    const bool hit = way < ways;
    for (unsigned i = hit ? way : ways - 1; i > 0; --i)
      set[i] = set[i - 1];
    set[0] = line;
    return hit;
  }
  /// Whether it is there; changes nothing.
  bool has(uint64_t line) const {
    const uint64_t *set = const_cast<Cache *>(this)->setOf(line);
    for (unsigned way = 0; way < ways; ++way)
      if (set[way] == line)
        return true;
    return false;
  }
  void drop(uint64_t line) {
    uint64_t *set = setOf(line);
    std::replace(set, set + ways, line, ~uint64_t(0));
  }
  void clear() { std::fill(lines.begin(), lines.end(), ~uint64_t(0)); }

private:
  uint64_t *setOf(uint64_t line) { return lines.data() + size_t((line ^ line >> 13) % sets) * ways; }
  unsigned shift, ways, sets;
  std::vector<uint64_t> lines; ///< [set][way], the most recently used first
};

} // namespace inflight::machine::timed
